// Input that is made to hurt: read, or refused with an error that says why; never a crash, never a hang.

#include <catch2/catch.hpp>
#include <string>

#include "markdown/cmark_document.hpp"
#include "markdown/parse_plan.hpp"
#include "markdown/plan_text.hpp"

using plankeep::base::ErrorKind;
using namespace plankeep::markdown;

namespace {

std::string repeated(std::string_view piece, std::size_t bytes) {
  std::string text;
  text.reserve(bytes + piece.size());
  while (text.size() < bytes) text += piece;
  return text;
}

}  // namespace

TEST_CASE("256 quotes and items in each other are read") {
  std::string text;
  for (int level = 0; level < 256; ++level)
    text += std::string(static_cast<std::size_t>(level) * 2, ' ') + "- [ ] Level\n";
  const auto plan = parsed(text);
  REQUIRE(plan.phases.size() == 1);
  CHECK(plan.phases[0].tasks.size() == 256);
  CHECK(task_ids(parsed(repeated("> ", 512) + "- [ ] Deep\n")) == std::vector<std::string>{"deep"});
}

TEST_CASE("a line that begins with many blanks is not nested") {
  CHECK(task_ids(parsed("- [ ] a\n\n" + std::string(4000, ' ') + "- [ ] code\n\n- [ ] b\n")) ==
        std::vector<std::string>{"a", "b"});
  CHECK(task_ids(parsed("- [ ] a\n" + std::string(4000, ' ') + "goes on\n- [ ] b\n")).size() == 2);
}

TEST_CASE("footnotes in each other are containers as all others") {
  std::string text = "Text[^0]\n\n";
  for (int i = 0; i < 100'000; ++i) text += "[^" + std::to_string(i) + "]: ";
  const auto plan = parse_plan(text + "x\n" + std::string(1'000'000, '\n'));
  REQUIRE_FALSE(plan.has_value());
  CHECK(plan.error().kind == ErrorKind::invalid_input);
  // One behind the other they are not.
  std::string list;
  for (int i = 0; i < 50'000; ++i) list += "- [ ] Box[^" + std::to_string(i) + "]\n";
  for (int i = 0; i < 50'000; ++i) list += "[^" + std::to_string(i) + "]: - [x] Note\n";
  CHECK(task_ids(parsed(list)).size() == 100'000);
}

TEST_CASE("many headings, markers and left-out parts are read in linear time") {
  std::string text = "# Plan\n";
  for (int i = 0; i < 100'000; ++i) text += "<!-- CHECKPOINT: p" + std::to_string(i) + " -->\n";
  CHECK(parsed(text + "## Phase\n- [ ] Box\n").phases.size() == 100'000);
  CHECK(parsed(repeated("## Phase 1\n### Week 2\n- [ ] Box\n", 2'000'000)).phases.size() > 60'000);
  const auto skipped = parsed(repeated("## A <!-- SKIP -->\n- [ ] Box <!-- SKIP -->\n", 2'000'000));
  CHECK(skipped.skipped > 40'000);
  CHECK(task_ids(skipped).empty());
  const auto alone = parsed("- [ ] Box\n\n" + repeated("<!-- SKIP --> ", 2'000'000) + "\n");
  CHECK(alone.diagnostics.size() > 140'000);
}

TEST_CASE("what is repeated with every box is short") {
  const std::string id(5'000, 'a');
  CHECK(codes(parsed("- [ ] A <!-- TASK: " + id + " -->\n")) ==
        std::vector<std::string>{"1:9 marker-malformed"});
  const auto plan =
      parsed("## Phase\n<!-- CHECKPOINT: p -->\n### " + repeated("word ", 50'000) + "\n- [ ] Box\n");
  CHECK(plan.phases.at(0).tasks.at(0).section.at(0).size() <= 200);
}

TEST_CASE("nesting without end is refused with its line") {
  for (const std::string& text :
       {repeated(">", 100'000) + " x\n", repeated("- ", 200'000) + "x\n",
        "a\n" + repeated("> - ", 400'000) + "x\n", repeated("1. ", 300'000) + "x\n"}) {
    const auto plan = parse_plan(text);
    REQUIRE_FALSE(plan.has_value());
    CHECK(plan.error().kind == ErrorKind::invalid_input);
    CHECK(plan.error().message.find("line ") != std::string::npos);
  }
}

TEST_CASE("many deep lines and blank lines behind a deep nest are refused before they cost too much") {
  const std::string nest = repeated("- ", 1'000) + "x\n";
  const auto blank = parse_plan(nest + std::string(8'000'000, '\n'));
  REQUIRE_FALSE(blank.has_value());
  CHECK(blank.error().kind == ErrorKind::invalid_input);
  const auto lines = parse_plan(repeated(repeated("- ", 300) + "a\n", 2'000'000));
  REQUIRE_FALSE(lines.has_value());
  CHECK(lines.error().kind == ErrorKind::invalid_input);
}

TEST_CASE("paragraphs of special characters are read in linear time") {
  for (const std::string piece :
       {"[",      "]",          "*",  "_",   "**a",  "`",    "`a ``b ", "<",   "<?",     "<![CDATA[", "<!A ",
        "<!-- a", "<!-- a ",    "![", "](",  "[a](", "&",    "\\",      "~~",  "*a _b ", "[a][",      "\"",
        "|",      "<a href=\"", "^",  "[^a", "a://", "www.", "@",       "](<", "{",      "- [ ] *"}) {
    INFO(piece);
    const auto plan = parsed("- [ ] Box\n" + repeated(piece, 200'000) + "\n");
    CHECK(task_ids(plan).at(0).starts_with("box"));
    const auto item =
        parsed("- [ ] " + repeated(piece, 100'000) + " <!-- TASK: t -->\n- [x] Next <!-- TASK: n -->\n");
    // What begins and does not end takes the marker with it.
    const bool swallows = piece.starts_with("<!-- a") || piece == "<!A ";
    CHECK(task_ids(item) ==
          (swallows ? std::vector<std::string>{"task", "n"} : std::vector<std::string>{"t", "n"}));
  }
}

TEST_CASE("structure that outgrows its memory is an error, and reading goes on afterwards") {
  // Three nodes for four bytes.
  const std::string text = repeated("- a\n", 400'000);
  CmarkDocument document(std::size_t{48} << 20);
  const auto refused = document.parse(SourceText(text));
  REQUIRE_FALSE(refused.has_value());
  CHECK(refused.error().kind == ErrorKind::invalid_input);
  CHECK(refused.error().message.find("48 MiB") != std::string::npos);
  CHECK(task_ids(parsed("- [ ] Box\n")) == std::vector<std::string>{"box"});
}

TEST_CASE("a file over 64 MiB is refused before it is read") {
  const auto plan = parse_plan(std::string((64U << 20U) + 1, 'a'));
  REQUIRE_FALSE(plan.has_value());
  CHECK(plan.error().kind == ErrorKind::invalid_input);
}

TEST_CASE("a binary file is refused, a NUL far inside a text is read") {
  CHECK_FALSE(parse_plan(std::string("\x7F"
                                     "ELF\0\0",
                                     6))
                  .has_value());
  const std::string text =
      std::string(9'000, 'a') + "\n\n- [ ] B" + std::string(1, '\0') + "x <!-- TASK: b -->\n";
  const auto plan = parsed(text);
  CHECK(task_ids(plan) == std::vector<std::string>{"b"});
  CHECK(plan.phases[0].tasks[0].title == "B\xEF\xBF\xBDx");
}

TEST_CASE("a file in UTF-16 is refused by its name") {
  for (const char* begin : {"\xFF\xFE#\n", "\xFE\xFF\n#"}) {
    const auto plan = parse_plan(begin);
    REQUIRE_FALSE(plan.has_value());
    CHECK(plan.error().message == "the file is UTF-16, not UTF-8");
  }
}

TEST_CASE("a dense paragraph keeps its markers and the boxes behind it") {
  const auto plan = parsed("- [ ] Dense " + repeated("*a_b`c[d]", 5'000) +
                           "` <!-- TASK: dense -->\n- [x] Next <!-- TASK: next -->\n");
  CHECK(task_ids(plan) == std::vector<std::string>{"dense", "next"});
}

TEST_CASE("a dense block of code or HTML still ends where it ends") {
  const std::string script = repeated("a[b]*c_d`e'\"&!", 20'000);
  const auto html = parsed("<script>\n" + script + "\n</script>\n\n- [ ] Behind <!-- TASK: behind -->\n");
  CHECK(task_ids(html) == std::vector<std::string>{"behind"});
  const auto fence = parsed("```\n" + script + "\n```\n- [ ] Behind <!-- TASK: behind -->\n");
  CHECK(task_ids(fence) == std::vector<std::string>{"behind"});
  const auto tilde =
      parsed("~~~~\n" + script + "\n~~~\n- [ ] In\n~~~~\n- [ ] Behind <!-- TASK: behind -->\n");
  CHECK(task_ids(tilde) == std::vector<std::string>{"behind"});
}

TEST_CASE("wide tables are read in linear time, and what stands behind them counts") {
  const std::string row = repeated("|", 20'000) + "\n";
  const std::string rule = repeated("|-", 20'000) + "\n\n";
  std::string text;
  for (int table = 0; table < 20; ++table) text += row + rule;
  CHECK(task_ids(parsed(text + "- [ ] Last\n")) == std::vector<std::string>{"last"});
  // A table that a person may have written stays one: its cells are no items.
  const std::string cells = repeated("| a ", 400) + "|\n" + repeated("| - ", 400) + "|\n";
  CHECK(task_ids(parsed(cells + "\n- [ ] Last\n")) == std::vector<std::string>{"last"});
}

TEST_CASE("one id again and again is one task, in linear time") {
  const auto tasks =
      parsed("# P\n<!-- CHECKPOINT: p -->\n" + repeated("- [x] t <!-- TASK: t -->\n", 2'000'000));
  REQUIRE(tasks.phases.size() == 1);
  CHECK(tasks.phases[0].tasks.size() == 1);
  CHECK(tasks.phases[0].tasks[0].boxes.size() > 70'000);
  const auto criteria =
      parsed("# P\n<!-- CHECKPOINT: p -->\n" + repeated("- [x] c <!-- ACCEPT: c -->\n", 2'000'000));
  CHECK(criteria.phases.at(0).acceptance.size() == 1);
}
