#include "session_rules/line_changes.hpp"

#include <rapidcheck.h>

#include <catch2/catch.hpp>

using namespace plankeep::core;

namespace {

std::string some_text() {
  return *rc::gen::container<std::string>(rc::gen::element('a', 'b', '\n', '\n'));
}

}  // namespace

TEST_CASE("added less removed is the difference of the numbers of lines") {
  CHECK(rc::check([] {
    const std::string before = some_text();
    const std::string after = some_text();
    const LineChanges changes = line_changes(before, after);
    const auto lines = [](const std::string& text) {
      return static_cast<std::int64_t>(text_lines(text).size());
    };
    RC_ASSERT(changes.added - changes.removed == lines(after) - lines(before));
    RC_ASSERT(changes.added >= 0 && changes.removed >= 0);
    RC_ASSERT(changes.added <= lines(after) && changes.removed <= lines(before));
    RC_ASSERT(line_changes(after, before) == (LineChanges{changes.removed, changes.added}));
    RC_ASSERT(static_cast<std::int64_t>(added_lines(before, after).size()) >= changes.added);
  }));
}

TEST_CASE("a last line without a line feed counts, and is another line than one with it") {
  CHECK(line_changes("", "a") == LineChanges{1, 0});
  CHECK(line_changes("a", "a\n") == LineChanges{1, 1});
  CHECK(line_changes("a\nb", "a\nb\nc") == LineChanges{2, 1});
  CHECK(line_changes("a\nb\n", "") == LineChanges{0, 2});
}

TEST_CASE("binary files have no lines") {
  const std::string binary("a\0b\n", 4);
  CHECK(line_changes("", binary) == LineChanges{});
  CHECK(line_changes(binary, "a\n") == LineChanges{});
  CHECK(added_lines("", binary).empty());
  // Where nobody looks, a NUL makes no binary.
  CHECK(line_changes("", std::string(8000, 'x') + std::string(1, '\0')) == LineChanges{1, 0});
}

TEST_CASE("the lines that were added come in their order") {
  const auto added = added_lines("one\ntwo\nthree\n", "zero\none\n2\nthree\nfour");
  CHECK(added == std::vector<std::string_view>{"zero\n", "2\n", "four"});
}

TEST_CASE("what a commit leaves to a later one is no part of the snapshot before it") {
  const std::string parent = "old\n";
  const std::string commit = "old\nagent\n}\n";
  const std::string snapshot = "old\nagent\nmine\n}\n";
  CHECK(without_lines_left_out(snapshot, parent, commit, snapshot) == commit);
  CHECK(without_lines_left_out(snapshot, parent, commit, "old\r\nagent\r\nmine\r\n}\r\n") == commit);
  // What is gone by then was taken out, by whomever.
  CHECK(without_lines_left_out(snapshot, parent, commit, commit) == snapshot);
  CHECK(without_lines_left_out(snapshot, parent, snapshot, snapshot + "later\n") == snapshot);
  // So was what the commit takes out of its parent, though the work tree has it still.
  CHECK(without_lines_left_out("old\nagent\n", parent, "agent\n", "old\nagent\n") == "old\nagent\n");
  // As often as it is there, and no line but these.
  CHECK(without_lines_left_out("a\nx\nb\nx\n", "", "a\nb\n", "a\nb\nx\n") == "a\nb\nx\n");
  CHECK(without_lines_left_out("a\nlast", "", "a\n", "a\nlast\n") == "a\n");
  CHECK(without_lines_left_out("", "", "", "").empty());
}
