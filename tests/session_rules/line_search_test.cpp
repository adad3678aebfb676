#include "session_rules/line_search.hpp"

#include <rapidcheck.h>

#include <catch2/catch.hpp>

#include "base/json_writer.hpp"

using namespace plankeep;
using namespace plankeep::core;

namespace {

std::string quoted(std::string_view text) {
  base::JsonWriter out(base::JsonWriter::Layout::compact);
  out.value(text);
  std::string json = out.finish();
  json.pop_back();  // the line feed
  return json;
}

std::string prompt(std::string_view text, std::string_view time = "2026-11-20T10:00:00.000Z") {
  return R"({"timestamp":")" + std::string(time) + R"(","type":"user","message":{"role":"user","content":)" +
         quoted(text) + "}}\n";
}

// A call that succeeded at once.
std::string call(std::string_view tool, const std::string& input,
                 std::string_view time = "2026-11-20T10:01:00.000Z") {
  static int number = 0;
  const std::string id = "t" + std::to_string(++number);
  const std::string stamp = R"({"timestamp":")" + std::string(time) + "\",";
  return stamp + R"("type":"assistant","message":{"role":"assistant","id":"m)" + id +
         R"(","content":[{"type":"tool_use","id":")" + id + R"(","name":")" + std::string(tool) +
         R"(","input":)" + input + "}]}}\n" + stamp +
         R"("type":"user","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":")" + id +
         R"(","content":"ok"}]}})" + "\n";
}

std::string write_call(const std::string& path, const std::string& content,
                       std::string_view time = "2026-11-20T10:01:00.000Z") {
  return call("Write", R"({"file_path":)" + quoted(path) + R"(,"content":)" + quoted(content) + "}", time);
}

std::string edit_call(const std::string& path, const std::string& before, const std::string& after) {
  return call("Edit", R"({"file_path":)" + quoted(path) + R"(,"old_string":)" + quoted(before) +
                          R"(,"new_string":)" + quoted(after) + "}");
}

std::optional<WrittenLine> searched(const std::string& transcript, const std::string& line,
                                    const std::string& path = "src/a.c",
                                    std::optional<base::Instant> until = std::nullopt,
                                    std::size_t piece = 1'000'000) {
  LineSearch search({path, line, "/w", until});
  for (std::size_t at = 0; at < transcript.size(); at += piece)
    search.add(std::string_view(transcript).substr(at, piece));
  return search.finish();
}

std::string prompt_for(const std::string& transcript, const std::string& line,
                       const std::string& path = "src/a.c") {
  const auto written = searched(transcript, line, path);
  return written ? written->prompt : "none";
}

}  // namespace

TEST_CASE("the last prompt before the call that wrote the line is the one that led to it") {
  const std::string transcript = prompt("make a") + write_call("/w/src/a.c", "int a;\nint b;\n") +
                                 prompt("rename b") + edit_call("/w/src/a.c", "int b;", "int beta;") +
                                 prompt("thanks");
  CHECK(prompt_for(transcript, "int a;") == "make a");
  CHECK(prompt_for(transcript, "int beta;") == "rename b");
  CHECK(prompt_for(transcript, "  int beta;\r") == "rename b");
  CHECK(prompt_for(transcript, "int gamma;") == "none");
  CHECK(prompt_for(transcript, "int a;", "src/other.c") == "none");
  const auto written = searched(transcript, "int beta;");
  REQUIRE(written);
  CHECK(written->tool == "Edit");
  CHECK(written->prompt_time == base::parse_iso8601("2026-11-20T10:00:00.000Z"));
  CHECK_FALSE(written->subagent);
}

TEST_CASE("a line that an edit only left standing is not its own") {
  const std::string transcript = prompt("make it") + write_call("/w/src/a.c", "int a;\n") + prompt("add b") +
                                 edit_call("/w/src/a.c", "int a;\n", "int a;\nint b;\n");
  CHECK(prompt_for(transcript, "int a;") == "make it");
  CHECK(prompt_for(transcript, "int b;") == "add b");
}

TEST_CASE("an edit in the middle of a line counts, a piece that fits anywhere does not") {
  const std::string made = prompt("make it") + write_call("/w/src/a.c", "total = first + second;\n");
  CHECK(prompt_for(made + prompt("multiply") + edit_call("/w/src/a.c", "first + second", "first * second"),
                   "total = first * second;") == "multiply");
  CHECK(prompt_for(made + prompt("shorten") + edit_call("/w/src/a.c", "x", "="), "total = first + second;") ==
        "make it");
}

TEST_CASE("where the file's text is known, an edit that changed the line wrote it, however short") {
  const auto told = [](const std::string& transcript, const std::string& file, const std::string& line) {
    LineSearch search({"src/a.c", line, "/w", std::nullopt, file});
    search.add(transcript);
    const auto written = search.finish();
    return written ? written->prompt : "none";
  };
  const auto edit = [](const std::string& before, const std::string& after) {
    return prompt(before + " to " + after) + edit_call("/w/src/a.c", before, after);
  };
  const std::string file = "a = 1;\nlimit = 3;\ntotal = first + third;\n";
  CHECK(told(edit("2", "3"), file, "limit = 3;") == "2 to 3");
  CHECK(told(edit("first", "first + third"), file, "total = first + third;") == "first to first + third");
  CHECK(told(edit("2", "3"), file, "a = 1;") == "none");
  // A later edit of another line does not hide the earlier one.
  CHECK(told(edit("2", "3") + edit("b = ", "a = "), file, "limit = 3;") == "2 to 3");
  // Twice in the file: which of the two it was nobody knows.
  CHECK(told(edit("2", "3"), file + "b = 3;\n", "limit = 3;") == "none");
  // Somebody else has written since: the text that it put in is not there.
  CHECK(told(edit("2", "3") + edit("x", "y"), file, "limit = 3;") == "none");
  // A line taken out beside it, and context in both texts, change nothing.
  CHECK(told(edit("a = 1;\nb\n", "a = 1;\n"), file, "limit = 3;") == "none");
  CHECK(told(edit("a = 1;\nlimit", "a = 1;\nlimit"), file, "a = 1;") == "none");
}

TEST_CASE("nothing is claimed for a line without a letter or digit") {
  const std::string transcript = prompt("make it") + write_call("/w/src/a.c", "{\n}\n\n");
  for (const char* line : {"}", "", "   ", "-----"}) {
    CHECK_FALSE(can_be_searched(line));
    CHECK(prompt_for(transcript, line) == "none");
  }
  CHECK(can_be_searched("// \xE4\xBD\xA0"));
}

TEST_CASE("a path below the top counts before one that only ends alike") {
  const std::string transcript = prompt("ours") + write_call("/w/a.c", "int a;\n") + prompt("theirs") +
                                 write_call("/w/lib/a.c", "int a;\n");
  CHECK(prompt_for(transcript, "int a;", "a.c") == "ours");
  CHECK(prompt_for(transcript, "int a;", "lib/a.c") == "theirs");
  // Made on another machine.
  CHECK(prompt_for(prompt("there") + write_call("/home/kim/w/src/a.c", "int a;\n"), "int a;") == "there");
  CHECK(prompt_for(prompt("there") + write_call("/home/kim/w/xsrc/a.c", "int a;\n"), "int a;") == "none");
}

TEST_CASE("what was written after the commit does not count") {
  const std::string transcript = prompt("first") + write_call("/w/src/a.c", "int a;\n") + prompt("second") +
                                 write_call("/w/src/a.c", "int a;\n", "2026-11-20T12:00:00.000Z");
  const auto written = searched(transcript, "int a;", "src/a.c", base::parse_iso8601("2026-11-20T11:00:00Z"));
  REQUIRE(written);
  CHECK(written->prompt == "first");
}

TEST_CASE("the answer does not depend on the pieces and no text makes the search stumble") {
  const std::string transcript = prompt("make a") + write_call("/w/src/a.c", "int a;\nint b;\n") +
                                 prompt("more") + edit_call("/w/src/a.c", "int b;", "int beta;");
  CHECK(rc::check([&transcript] {
    const auto size = *rc::gen::inRange<std::size_t>(1, 200);
    const auto found = searched(transcript, "int beta;", "src/a.c", std::nullopt, size);
    RC_ASSERT(found);
    RC_ASSERT(found->prompt == "more");
  }));
  CHECK(rc::check([&transcript] {
    std::string damaged = transcript;
    damaged[*rc::gen::inRange<std::size_t>(0, transcript.size())] = *rc::gen::arbitrary<char>();
    (void)searched(damaged, "int beta;");
  }));
}
