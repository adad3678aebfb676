#include "session_rules/session_part.hpp"

#include <rapidcheck.h>

#include <catch2/catch.hpp>

#include "base/sha256.hpp"

using namespace plankeep;
using namespace plankeep::core;

namespace {

// 2026-11-20T10:00:00Z, and so many milliseconds behind it.
base::Instant at(std::int64_t milliseconds) {
  return {base::parse_iso8601("2026-11-20T10:00:00Z")->milliseconds + milliseconds};
}

std::string stamped(base::Instant time, const std::string& rest) {
  return R"({"timestamp":")" + base::to_iso8601(time) + "\"," + rest + "}\n";
}

std::string prompt(std::int64_t when, const std::string& text, const std::string& turn = "") {
  const std::string id = turn.empty() ? "" : R"("promptId":")" + turn + "\",";
  return stamped(at(when),
                 R"("type":"user",)" + id + R"("message":{"role":"user","content":")" + text + "\"}");
}

std::string answer(std::int64_t when, const std::string& id, int output) {
  return stamped(at(when), R"("type":"assistant","message":{"role":"assistant","id":")" + id +
                               R"(","model":"m-1","content":[{"type":"text","text":"ok"}],"usage":)"
                               R"({"input_tokens":1,"output_tokens":)" +
                               std::to_string(output) +
                               R"(,"cache_read_input_tokens":0,"cache_creation_input_tokens":0}})");
}

std::string write_call(std::int64_t when, const std::string& id, const std::string& path) {
  return stamped(at(when), R"("type":"assistant","message":{"role":"assistant","id":"m)" + id +
                               R"(","content":[{"type":"tool_use","id":")" + id +
                               R"(","name":"Write","input":{"file_path":")" + path +
                               R"(","content":"x\n"}}]})") +
         stamped(
             at(when + 1),
             R"("type":"user","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":")" +
                 id + R"(","content":"ok"}]})");
}

const std::string kFirst = "{\"type\":\"summary\"}\n" + prompt(1000, "first", "turn-1") +
                           write_call(2000, "t1", "/repo/a.txt") + answer(3000, "m1", 10);
const std::string kSecond = prompt(11000, "second", "turn-2") + write_call(12000, "t2", "/repo/src/b.c") +
                            write_call(12500, "t3", "/elsewhere/c") + answer(13000, "m2", 20);
const std::string kThird = prompt(21000, "third", "turn-3") + answer(22000, "m3", 40);
const std::string kWhole = kFirst + kSecond + kThird;

CommitSpan span(std::optional<std::int64_t> parent, std::int64_t commit, std::set<std::string> changed) {
  return {parent ? std::optional(at(*parent)) : std::nullopt, at(commit), "/repo", std::move(changed)};
}

const SessionOrigin kOrigin{"sess-1", "claude-code", "plankeep/0.1.0", at(5000), "main"};

}  // namespace

TEST_CASE("a commit has what was said and written since its parent, and the transcript up to it") {
  const auto first = part_for_commit(kWhole, span(std::nullopt, 5000, {"a.txt"}));
  REQUIRE(first);
  CHECK(first->transcript == kFirst);
  CHECK(first->first_line == 0);
  CHECK(first->prompts == Strings{"first"});
  CHECK(first->files == std::set<std::string>{"a.txt"});
  CHECK(first->touches_commit);
  CHECK(first->model == "m-1");
  CHECK(first->turn == "turn-1");
  CHECK_FALSE(first->is_last);
  CHECK(first->prompt_times == std::vector{std::optional(at(1000))});
  CHECK(first->last_write == at(2000));
  CHECK(first->writes_are_timed);
  CHECK(first->edits.at("a.txt") == std::vector<TextEdit>{{"", "x\n"}});
  REQUIRE(first->use);
  CHECK(first->use->output == 10);

  const auto second = part_for_commit(kWhole, span(5000, 15000, {"src/b.c"}));
  REQUIRE(second);
  CHECK(second->transcript == kFirst + kSecond);
  CHECK(second->first_line == std::count(kFirst.begin(), kFirst.end(), '\n'));
  CHECK(second->prompts == Strings{"second"});
  CHECK(second->files == std::set<std::string>{"src/b.c"});
  CHECK(second->touches_commit);
  REQUIRE(second->use);
  CHECK(second->use->output == 20);

  const auto third = part_for_commit(kWhole, span(15000, 30000, {"a.txt"}));
  REQUIRE(third);
  CHECK(third->transcript == kWhole);
  CHECK(third->files.empty());
  CHECK_FALSE(third->touches_commit);
  CHECK(third->is_last);
  CHECK_FALSE(third->last_write);
}

TEST_CASE("files that a transcript names through a link are the work tree's") {
  const RealFolders real{{"/home/kim/shop", "/repo"}, {"/home/kim/shop/src", "/repo/src"}};
  const std::string text = prompt(1000, "first") + write_call(2000, "t1", "/home/kim/shop/a.txt") +
                           write_call(3000, "t2", "/home/kim/shop/src/../b.txt") +
                           write_call(4000, "t3", "/home/kim/other/c.txt");
  CommitSpan through = span(std::nullopt, 5000, {"a.txt"});
  CHECK_FALSE(part_for_commit(text, through)->touches_commit);
  through.real_folders = &real;
  const auto part = part_for_commit(text, through);
  REQUIRE(part);
  CHECK(part->touches_commit);
  CHECK(part->files == std::set<std::string>{"a.txt"});
  CHECK(part->edits.at("a.txt") == std::vector<TextEdit>{{"", "x\n"}});
  CHECK(path_in_repository("/home/kim/shop/src/b.c", through) == "src/b.c");
  CHECK(path_in_repository("/repo/src/b.c", through) == "src/b.c");
  CHECK(path_in_repository("src/b.c", through) == "src/b.c");
}

TEST_CASE("the second commit of a turn has the prompt of that turn") {
  const std::string text = prompt(1000, "both", "turn-1") + write_call(2000, "t1", "/repo/a.txt") +
                           write_call(12000, "t2", "/repo/b.txt") + prompt(15000, "more", "turn-2");
  const auto second = part_for_commit(text, span(5000, 20000, {"b.txt"}));
  REQUIRE(second);
  CHECK(second->begun_by == "both");
  CHECK(second->prompts == Strings{"more"});
  const auto made = redacted_record(*second, kOrigin, secrets::Redactor::standard(), TranscriptExtent::full);
  REQUIRE(made.record.prompts.size() == 2);
  CHECK(made.record.prompts[0].text() == "both");
  CHECK(made.record.checkpoints_count == 2);
  const auto alone = part_for_commit(text, span(5000, 14000, {"b.txt"}));
  REQUIRE(alone);
  CHECK(alone->turn == "turn-1");
  CHECK(alone->prompts.empty());
  // What the turn goes on with belongs to another commit.
  CHECK(part_for_commit(text, span(5000, 20000, {"c.txt"}))->begun_by.empty());
  CHECK(part_for_commit(kWhole, span(5000, 15000, {"src/b.c"}))->begun_by.empty());
}

TEST_CASE("what was written before the parent is looked for behind the newest commit that is older") {
  const CommitSpan late = span(16000, 18000, {"src/b.c"});
  REQUIRE_FALSE(part_for_commit(kWhole, late));
  const auto begins = [&](const std::vector<base::Instant>& earlier) {
    return part_with_noted({}, kWhole, late, {"src/b.c"}, earlier).prompts;
  };
  CHECK(begins({at(5000), at(16000)}) == Strings{"second"});
  CHECK(begins({at(-9000)}) == Strings{"first", "second"});
  CHECK(begins({}) == Strings{"first", "second"});
  SessionPart part = part_with_noted({}, kWhole, late, {"src/b.c"}, {at(-9000)});
  CHECK(part.files == std::set<std::string>{"a.txt", "src/b.c"});
  keep_changed_files(part, late.changed);
  CHECK(part.files == std::set<std::string>{"src/b.c"});
}

TEST_CASE("a slice has only the lines of the part, and begins at its first") {
  const auto part = part_for_commit(kWhole, span(5000, 15000, {"src/b.c"}));
  REQUIRE(part);
  const RedactedRecord made =
      redacted_record(*part, kOrigin, secrets::Redactor::standard(), TranscriptExtent::slice);
  REQUIRE(made.record.transcript);
  CHECK(made.record.transcript->text() == kSecond);
  CHECK(made.record.first_line == 0);
  CHECK(made.record.prompts.front().text() == "second");
}

TEST_CASE("a commit that only deletes a file has the part in which it was deleted") {
  const std::string deletion = stamped(
      at(12000),
      R"("type":"response_item","payload":{"type":"custom_tool_call","status":"completed","call_id":"c1",)"
      R"("name":"apply_patch","input":"*** Begin Patch\n*** Delete File: old.c\n*** End Patch\n"})");
  const std::string text = kFirst + prompt(11000, "delete it", "turn-2") + deletion + kThird;
  const auto part = part_for_commit(text, span(5000, 15000, {"old.c"}));
  REQUIRE(part);
  CHECK(part->touches_commit);
  CHECK(part->prompts == Strings{"delete it"});
  CHECK(part->files == std::set<std::string>{"old.c"});
  // Committed after another commit, which has nothing to do with it.
  const auto late =
      part_with_noted({}, text, span(16000, 18000, {"old.c"}), {"old.c"}, {at(5000), at(16000)});
  CHECK(late.prompts == Strings{"delete it"});
}

TEST_CASE("a session that was silent between parent and commit has no part in it") {
  CHECK_FALSE(part_for_commit(kWhole, span(14000, 16000, {"a.txt"})));
  CHECK_FALSE(part_for_commit(kWhole, span(30000, 40000, {"a.txt"})));
  CHECK_FALSE(part_for_commit("", span(std::nullopt, 40000, {"a.txt"})));
  CHECK_FALSE(part_for_commit("no JSON\n", span(std::nullopt, 40000, {"a.txt"})));
  // Without times nothing is guessed.
  CHECK_FALSE(part_for_commit(R"({"role":"user","message":{"content":[{"type":"text","text":"x"}]}})"
                              "\n",
                              span(std::nullopt, 40000, {"a.txt"})));
}

TEST_CASE("what happens in the second of a commit belongs to that commit, and to the next one") {
  const std::string text = prompt(1000, "one") + write_call(5400, "t1", "/repo/a.txt") + prompt(6000, "two");
  const auto part = part_for_commit(text, span(0, 5000, {"a.txt"}));
  REQUIRE(part);
  CHECK(part->touches_commit);
  CHECK(part->prompts == Strings{"one"});
  const auto next = part_for_commit(text, span(5000, 7000, {"a.txt"}));
  REQUIRE(next);
  CHECK(next->touches_commit);
  CHECK(next->prompts == Strings{"two"});
  // It is known that the commit was made after the write.
  CommitSpan known = span(5000, 7000, {"a.txt"});
  known.before_parent = at(5400);
  const auto later = part_for_commit(text, known);
  REQUIRE(later);
  CHECK_FALSE(later->touches_commit);
  CHECK(later->prompts == Strings{"two"});
}

TEST_CASE("paths that leave the work tree, or only look like it, do not count") {
  for (const char* path : {"/repository/a.txt", "/repo/../a.txt", "/repo", "/repo//a.txt", "../a.txt"}) {
    INFO(path);
    const auto part =
        part_for_commit(prompt(1, "p") + write_call(2, "t", path), span(std::nullopt, 5000, {}));
    REQUIRE(part);
    CHECK(part->files.empty());
  }
  const auto relative = part_for_commit(prompt(1, "p") + write_call(2, "t", "./src/b.c"),
                                        span(std::nullopt, 5000, {"src/b.c"}));
  REQUIRE(relative);
  CHECK(relative->touches_commit);
}

TEST_CASE("a record says what its part says") {
  const auto part = part_for_commit(kWhole, span(5000, 15000, {"src/b.c"}));
  REQUIRE(part);
  const RedactedRecord made =
      redacted_record(*part, kOrigin, secrets::Redactor::standard(), TranscriptExtent::full);
  CHECK(made.report.total() == 0);
  const SessionRecord& record = made.record;
  CHECK(record.agent == "Claude Code");
  CHECK(record.model->text() == "m-1");
  CHECK(record.branch->text() == "main");
  CHECK(record.first_line == part->first_line);
  CHECK(record.checkpoints_count == 1);
  CHECK(record.turn_id == base::sha256_hex("sess-1\nturn-2").substr(0, 12));
  CHECK(record.token_usage->output == 20);
  CHECK(record.transcript->text() == kFirst + kSecond);
  CHECK(put_session({}, SessionLayout::refs, "01HF7YAT00000G40R40M30E209", record));
}

TEST_CASE("no secret of a session comes into its record") {
  const std::string token = "ghp_" + std::string("A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8");
  const std::string text = prompt(1000, "use " + token) + write_call(2000, "t1", "/repo/" + token + ".txt");
  const auto part = part_for_commit(text, span(std::nullopt, 5000, {}));
  REQUIRE(part);
  SessionOrigin origin = kOrigin;
  origin.branch = "try/" + token;
  const RedactedRecord made =
      redacted_record(*part, origin, secrets::Redactor::standard(), TranscriptExtent::full);
  CHECK(made.report.total() >= 4);
  const auto files = put_session({}, SessionLayout::refs, "01HF7YAT00000G40R40M30E209", made.record);
  REQUIRE(files);
  for (const auto& [path, content] : files->files) {
    INFO(path);
    CHECK(content.find(token) == std::string::npos);
  }
  for (const auto& [path, content] : files->transcript) CHECK(content.find(token) == std::string::npos);
  CHECK(files->files.at("0/prompt.txt") == "use REDACTED");
}

TEST_CASE("a line that no piece can hold leaves the transcript out, and the rest stays") {
  const auto part = part_for_commit(kWhole, span(5000, 15000, {"src/b.c"}));
  REQUIRE(part);
  const RedactedRecord made =
      redacted_record(*part, kOrigin, secrets::Redactor::standard(), TranscriptExtent::full, 20);
  CHECK_FALSE(made.record.transcript);
  CHECK(made.transcript_left_out == "a line is longer than 20 bytes");
  CHECK(made.record.first_line == 0);
  CHECK(made.record.prompts.size() == 1);
  const RedactedRecord unwanted =
      redacted_record(*part, kOrigin, secrets::Redactor::standard(), TranscriptExtent::none);
  CHECK_FALSE(unwanted.record.transcript);
  CHECK(unwanted.transcript_left_out.empty());
}

TEST_CASE(
    "commits one after another share a session's prompts without loss, and repeat only those of its second") {
  CHECK(rc::check([] {
    std::string text;
    std::vector<std::pair<std::int64_t, std::string>> all;
    std::int64_t now = 0;
    for (int i = *rc::gen::inRange(1, 12); i > 0; --i) {
      now += *rc::gen::inRange(1, 3000);
      all.emplace_back(now, "p" + std::to_string(i));
      text += prompt(now, all.back().second);
    }
    std::optional<std::int64_t> parent;
    std::int64_t commit = 0;
    while (commit <= now) {
      commit += 1000 * *rc::gen::inRange(1, 6);
      const auto part = part_for_commit(text, span(parent, commit, {}));
      Strings expected;
      for (const auto& [time, words] : all) {
        if (time >= parent.value_or(0) && time < commit + 1000) expected.push_back(words);
      }
      RC_ASSERT((part ? part->prompts : Strings()) == expected);
      if (part) RC_ASSERT(std::string_view(text).starts_with(part->transcript));
      parent = commit;
    }
  }));
}
