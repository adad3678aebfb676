// What messages say of files and of tests.
#include "audit/claimed_work.hpp"

#include <rapidcheck.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

using namespace plankeep::core;

namespace {

/// "+" created, "~" changed.
std::string files_in(const std::string& message) {
  std::string all;
  for (const ClaimedFile& file : claimed_files(message))
    all += (all.empty() ? "" : " ") + std::string(file.created ? "+" : "~") + file.path;
  return all;
}

const std::string kPass = "All tests pass.";

std::string case_text(const std::string& name) {
  std::ifstream in(std::string(PLANKEEP_TESTS_DIR) + "/cases/audit/" + name, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

TestsClaim claim_named(const std::string& name) {
  if (name == "all") return TestsClaim::all;
  return name == "some" ? TestsClaim::some : TestsClaim::none;
}

/// A row of the README: what is said of tests in the sentences of a set, and what is heard.
std::string tests_row(const std::string& set) {
  std::size_t sentences = 0, claims = 0, heard = 0, wrong = 0, missed = 0;
  for (const auto& entry : nlohmann::json::parse(case_text(set + ".json"))) {
    const auto message = entry["message"].get<std::string>();
    const TestsClaim says = claim_named(entry["says"].get<std::string>());
    const TestsClaim judged = claimed_tests(message);
    ++sentences;
    claims += says != TestsClaim::none ? 1U : 0U;
    heard += says != TestsClaim::none && judged == says ? 1U : 0U;
    wrong += judged > says ? 1U : 0U;
    missed += judged < says ? 1U : 0U;
    if (judged != says && !set.ends_with("held_out")) UNSCOPED_INFO(set << ": " << message);
  }
  const auto cell = [](std::size_t number) { return " | " + std::to_string(number); };
  return "| " + set + cell(sentences) + cell(claims) + cell(heard) + cell(wrong) + cell(missed) + " |";
}

/// A row of the README: what is said of files in the sentences of a set, and what is found.
std::string files_row(const std::string& set) {
  std::size_t sentences = 0, claims = 0, found = 0, wrong = 0;
  for (const auto& entry : nlohmann::json::parse(case_text(set + ".json"))) {
    const auto message = entry["message"].get<std::string>();
    std::istringstream says(entry["files"].get<std::string>()), judged(files_in(message));
    const std::set<std::string> wanted(std::istream_iterator<std::string>(says), {});
    const std::set<std::string> told(std::istream_iterator<std::string>(judged), {});
    ++sentences;
    claims += wanted.size();
    for (const std::string& file : told) (wanted.contains(file) ? found : wrong) += 1;
    if (told != wanted && !set.ends_with("held_out")) UNSCOPED_INFO(set << ": " << message);
  }
  const auto cell = [](std::size_t number) { return " | " + std::to_string(number); };
  return "| " + set + cell(sentences) + cell(claims) + cell(found) + cell(wrong) + cell(claims - found) +
         " |";
}

}  // namespace

TEST_CASE("files that a message says were made or changed are found, in ten languages") {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"Created `src/login.ts` and `src/logout.ts`.", "+src/login.ts +src/logout.ts"},
      {"I added a new component, see below.", ""},
      {"I've added a new component `src/Form.tsx` with validation.", "+src/Form.tsx"},
      {"Added retries in `src/api.ts`.", "~src/api.ts"},
      {"Updated README.md and docs/usage.md", "~README.md ~docs/usage.md"},
      {"- Created: `./tools/run.sh`", "+tools/run.sh"},
      {"Created **src/a.ts**, (src/b.ts) and [c.ts](src/c.ts#L1).", "+src/a.ts"},
      {"Created [x.md](/tmp/x.md).", "+/tmp/x.md"},
      {"Created ./src/a.ts", "+src/a.ts"},
      {"- Modified `Makefile`: a target for the docs", "~Makefile"},
      {"`src/new.py` was created, `src/old.py` has been updated.", "+src/new.py ~src/old.py"},
      {"Wrote the migration `db/0001_init.sql`.", "+db/0001_init.sql"},
      {"Changed files:\n- old.py → new.py\n- `a.py` -> `src/b.py`\n- c.py -> renders faster",
       "~new.py ~src/b.py ~c.py"},
      {"Updated imports, changed src/old.ts → src/new.ts.", ""},
      {"## Files changed\n- `src/a.go`: the handler\n- `src/b.go`\n\nThat is all of `src/c.go`.",
       "~src/a.go ~src/b.go"},
      {"**New files:**\n- `src/a.rs`\n- src/b.rs", "+src/a.rs +src/b.rs"},
      {"Ich habe `src/form.ts` angelegt.", "+src/form.ts"},
      {"`src/form.ts` wurde angelegt und `src/app.ts` wurde aktualisiert.", "+src/form.ts ~src/app.ts"},
      {"Aktualisiert: `docs/plan.md`", "~docs/plan.md"},
      {"J'ai créé `src/panier.ts` et modifié `src/app.ts`.", "+src/panier.ts ~src/app.ts"},
      {"He creado el archivo `src/pago.ts`.", "+src/pago.ts"},
      {"Criei o arquivo `src/carrinho.ts` e atualizei `src/app.ts`.", "+src/carrinho.ts ~src/app.ts"},
      {"Ho creato `src/carrello.ts` e aggiornato `README.md`.", "+src/carrello.ts ~README.md"},
      {"`src/login.ts`を作成しました。", "+src/login.ts"},
      {"创建了 `src/login.ts`，并修改了 `src/app.ts`。", "+src/login.ts ~src/app.ts"},
      {"`src/login.ts`를 생성했습니다.", "+src/login.ts"},
      {"Создал `src/login.ts` и обновил `README.md`.", "+src/login.ts ~README.md"},
  };
  for (const auto& [message, files] : cases) {
    INFO(message);
    CHECK(files_in(message) == files);
  }
}

TEST_CASE("files that are only named, planned, removed or quoted are not claimed") {
  for (const std::string message : {
           "The bug is in `src/api.ts`.",
           "I did not create `src/api.ts`.",
           "Next I will update `src/api.ts`.",
           "You should add `src/api.ts` to the index.",
           "Added tests for `src/api.ts`.",
           "Added a helper from `src/api.ts`.",
           "Removed `src/old.ts` and updated nothing else.",
           "Renamed `a.ts` to `b.ts`.",
           "If `src/api.ts` was updated, run the build.",
           "Have you created `src/api.ts`?",
           "> Created `src/api.ts`",
           "```\nCreated src/api.ts\n```",
           "Added support for Node.js and https://example.com/a.html.",
           "Created `npm run build` and `foo.bar()`.",
           "Updated version 1.2.3 of the library.",
           "Created `../other/a.ts` and `src/*.ts`.",
           "Could not write `out/report.json`.",
           "`src/login.ts`はまだ作成していません。",
           "还没有创建 `src/login.ts`。",
           "`src/login.ts`를 생성할 예정입니다.",
           "## Files to review\n- `src/a.go`",
           // Outside of the project.
           "Created ~/foo.txt and `~/bar.txt`.",
           "Created ../other/x.md and ../../y.md.",
           "Created $HOME/x.md, ${TMP}/y.md and C:\\work\\z.md.",
           "Created [x.md](../other/x.md).",
           "Created <folder>/x.md.",
           // Products.
           "Created node.js server.",
           "Added three.js scene and a llama.cpp backend.",
       }) {
    INFO(message);
    CHECK(files_in(message).empty());
  }
}

TEST_CASE("of the files of a message, fifty are taken") {
  std::string message = "## Files created\n";
  for (int i = 0; i < 80; ++i) message += "- `src/f" + std::to_string(i) + ".ts`\n";
  CHECK(claimed_files(message).size() == kMostClaimedFiles);
}

TEST_CASE("that all tests pass is heard, in ten languages") {
  for (const std::string message : {
           "All tests pass.",
           "All 47 tests are passing.",
           "The full test suite is green.",
           "Tests: 18/18 passing",
           "The test suite passes (212 passed, 0 failed).",
           "Alle Tests sind grün.",
           "Alle 41 Tests sind bestanden.",
           "Tous les tests passent.",
           "Todas las pruebas pasan.",
           "Todos os testes passam.",
           "Tutti i test passano.",
           "テストはすべて成功しました。",
           "所有测试均已通过。",
           "모든 테스트가 통과했습니다.",
           "Все тесты проходят.",
           "- ✅ all unit tests passed",
           "- [x] All tests pass",
           "The criterion is met: all tests pass.",
           "`npm test` reports that all tests pass.",
           "I can confirm that all tests pass.",
           "## Next steps\n- deploy\n\n## Result\n- All tests pass",
           "Set `x = \"y\"`. All tests pass.",
       }) {
    INFO(message);
    CHECK(claimed_tests(message) == TestsClaim::all);
  }
  for (const std::string message :
       {"The unit tests pass.", "`npm test`: 47 passed", "The new tests pass locally."}) {
    INFO(message);
    CHECK(claimed_tests(message) == TestsClaim::some);
  }
}

TEST_CASE("tests that fail, were not run, or should pass claim nothing") {
  for (const std::string message : {
           "All tests should pass now.",
           "Once all tests pass, merge it.",
           "Not all tests pass.",
           "All tests pass except two.",
           "All tests pass but the last one.",
           "Tests: 16/18 passing",
           "47 tests passed, 2 failed.",
           "I did not run the tests.",
           "Make sure that all tests pass.",
           "Do all tests pass?",
           "> All tests pass",
           "I added 12 tests.",
           "The tests are written.",
           "Die Tests sind noch nicht grün.",
           "テストはまだ成功していません。",
           "测试未通过。",
           "테스트가 통과하면 병합하세요.",
           "Most tests pass.",
           "Run the tests until they pass.",
           "Tests pass the config object to the limiter.",
           "The acceptance criterion \"all tests pass\" is still open.",
           "The goal is that all tests pass.",
           "Run `npm test` to check that all tests pass.",
           "The user said all tests pass.",
           "To verify: run pytest and see that the tests pass.",
           "- [ ] All tests pass",
           "## Acceptance criteria\n\n- All tests pass",
           "Next steps:\n- all tests pass on Windows",
       }) {
    INFO(message);
    CHECK(claimed_tests(message) == TestsClaim::none);
  }
}

TEST_CASE("the README says how sentences about tests are judged") {
  const std::string readme = case_text("README.md");
  for (const std::string set : {"tests_said", "tests_said_held_out"}) {
    const std::string row = tests_row(set);
    INFO(row);
    CHECK(readme.find(row + "\n") != std::string::npos);
  }
}

TEST_CASE("the README says how sentences about files are judged") {
  const std::string readme = case_text("README.md");
  for (const std::string set : {"files_said", "files_said_held_out"}) {
    const std::string row = files_row(set);
    INFO(row);
    CHECK(readme.find(row + "\n") != std::string::npos);
  }
}

TEST_CASE("what is claimed of work is found in any bytes, and a quotation adds nothing") {
  CHECK(rc::check("bytes", [] {
    const auto bytes = *rc::gen::arbitrary<std::string>();
    for (const ClaimedFile& file : claimed_files(bytes))
      RC_ASSERT(bytes.find(file.path) != std::string::npos);
    (void)claimed_tests(bytes);
  }));
  CHECK(rc::check("pieces", [] {
    const std::vector<std::string> pieces = {"created ", "updated ", "`a/b.ts` ",
                                             "x.py ",    "and ",     ", ",
                                             "not ",     "in ",      "tests ",
                                             "pass ",    "all ",     ". ",
                                             "\n",       "- ",       "## Files changed\n",
                                             "`",        "(",        "[",
                                             "](",       "\xff",     "を作成しました",
                                             "创建了",   "``` ",     "? "};
    std::string message;
    const auto count = *rc::gen::inRange<std::size_t>(0, 40);
    for (std::size_t i = 0; i < count; ++i)
      message += pieces[*rc::gen::inRange<std::size_t>(0, pieces.size())];
    const auto files = claimed_files(message);
    for (const ClaimedFile& file : files) {
      RC_ASSERT(message.find(file.path) != std::string::npos);
      RC_ASSERT(file.path.find("..") == std::string::npos);
    }
    const std::string quote = "\n\n> " + kPass + " Created `q/r.ts`\n";
    if (message.find('`') == std::string::npos) {
      RC_ASSERT(claimed_files(message + quote) == files);
      RC_ASSERT(claimed_tests(message + quote) == claimed_tests(message));
    }
  }));
}
