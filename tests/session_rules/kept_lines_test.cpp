#include "session_rules/kept_lines.hpp"

#include <rapidcheck.h>

#include <catch2/catch.hpp>

#include "session_rules/line_changes.hpp"

using namespace plankeep::core;

TEST_CASE("lines that a tool call wrote are the agent's, the others are unknown") {
  CHECK(kept_lines({{"one\n", "one\ntwo\nthree\n", {{"", "two\n"}}, {}}}) == KeptLines{1, 0, 1});
  CHECK(kept_lines({{"one\n", "one\ntwo\nthree\n", {{"", "two\n"}}, {{"", "three\n"}}}}) ==
        KeptLines{1, 1, 0});
  CHECK(kept_lines({{"", "two\n", {}, {}}}) == KeptLines{0, 0, 1});
  CHECK(kept_lines({}) == KeptLines{});
}

TEST_CASE("the context of an edit was not written by it") {
  CHECK(kept_lines({{"", "before\nnew\nafter\n", {{"before\nafter\n", "before\nnew\nafter\n"}}, {}}}) ==
        KeptLines{1, 0, 2});
}

TEST_CASE("a written line counts for one line of the commit") {
  CHECK(kept_lines({{"", "x\nx\nx\n", {{"", "x\n"}}, {}}}) == KeptLines{1, 0, 2});
  CHECK(kept_lines({{"", "x\n", {{"", "x\n"}, {"", "x\n"}}, {}}}) == KeptLines{1, 0, 0});
}

TEST_CASE("a line that both wrote and the commit has once is nobody's") {
  CHECK(kept_lines({{"", "}\n", {{"", "}\n"}}, {{"", "}\n"}}}}) == KeptLines{0, 0, 1});
  CHECK(kept_lines({{"", "}\n}\n", {{"", "}\n"}}, {{"", "}\n"}}}}) == KeptLines{1, 1, 0});
}

TEST_CASE("a last line without a line feed is who wrote it, whatever feed follows") {
  CHECK(kept_lines({{"", "a\nb", {{"", "a\nb\n"}}, {}}}) == KeptLines{2, 0, 0});
}

TEST_CASE("a line whose line end git has converted is who wrote it") {
  CHECK(kept_lines({{"", "a\nb\n", {{"", "a\r\nb\r\n"}}, {}}}) == KeptLines{2, 0, 0});
  CHECK(kept_lines({{"", "a\r\n", {}, {{"", "a\n"}}}}) == KeptLines{0, 1, 0});
}

TEST_CASE("a line written into one file is not another file's") {
  CHECK(kept_lines({{"", "x\n", {}, {}}, {"", "y\n", {{"", "x\n"}}, {}}}) == KeptLines{0, 0, 2});
}

TEST_CASE("the three parts are the lines that the commit adds, and no more than was written") {
  CHECK(rc::check([] {
    const auto text = [] { return *rc::gen::container<std::string>(rc::gen::element('a', 'b', '\n')); };
    const std::string parent = text();
    const std::string commit = text();
    CommittedFile file{parent, commit, {{text(), text()}, {text(), text()}}, {{text(), text()}}};
    const KeptLines kept = kept_lines({file});
    RC_ASSERT(kept.agent >= 0 && kept.person >= 0 && kept.unknown >= 0);
    RC_ASSERT(kept.agent + kept.person + kept.unknown ==
              static_cast<std::int64_t>(added_lines(parent, commit).size()));
    std::size_t written = 0;
    for (const TextEdit& edit : file.agent) written += added_lines(edit.before, edit.after).size();
    RC_ASSERT(kept.agent <= static_cast<std::int64_t>(written));
  }));
}
