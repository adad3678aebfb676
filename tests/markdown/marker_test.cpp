#include "markdown/marker.hpp"

#include <catch2/catch.hpp>

using plankeep::markdown::fold_space;
using plankeep::markdown::is_id;
using plankeep::markdown::MarkerKind;
using plankeep::markdown::MarkerReading;
using plankeep::markdown::read_marker;
using Result = plankeep::markdown::MarkerReading::Result;

TEST_CASE("a marker is a kind in capitals, a colon and a value") {
  const MarkerReading marker = read_marker(" TASK: parser ");
  CHECK(marker.result == Result::marker);
  CHECK(marker.kind == MarkerKind::task);
  CHECK(marker.id == "parser");
  CHECK(read_marker("CHECKPOINT:p1").id == "p1");
  CHECK(read_marker("\n\tACCEPT\n:\n green\n").id == "green");
}

TEST_CASE("the full-width colon and commas count as theirs") {
  const MarkerReading marker = read_marker(
      "TASK\xEF\xBC\x9A\xE7\x94\xB2 | "
      "after\xEF\xBC\x9A\xE4\xB9\x99\xE3\x80\x81\xE4\xB8\x99\xEF\xBC\x8C\xE4\xB8\x81");
  CHECK(marker.result == Result::marker);
  CHECK(marker.id == "\xE7\x94\xB2");
  CHECK(marker.after.size() == 3);
}

TEST_CASE("a bar cuts an attribute only when a key and a colon follow") {
  const MarkerReading pipe = read_marker("ACCEPT: suite | verify: ctest | tail -n 1");
  CHECK(pipe.verify == "ctest | tail -n 1");
  CHECK(read_marker("ACCEPT: either | verify: make || make test").verify == "make || make test");
  CHECK(read_marker("DECISION: Keep a | b in it").text == "Keep a | b in it");
  CHECK(read_marker("DECISION: Use it | reason: see http://example.org/a|b").reason ==
        "see http://example.org/a|b");
  CHECK(read_marker("DECISION: open | http://example.org").text == "open | http://example.org");
}

TEST_CASE("a bar in a text cuts it only between blanks, before the name of a known attribute") {
  const MarkerReading either = read_marker("ACCEPT: c | verify: make check || echo: no");
  CHECK(either.verify == "make check || echo: no");
  CHECK(either.unknown_attributes.empty());
  CHECK(read_marker("ACCEPT: d | verify: sed 's|a:b|c: d|'").verify == "sed 's|a:b|c: d|'");
  CHECK(read_marker("ACCEPT: e | verify: a |verify: b").verify == "a |verify: b");
  CHECK(read_marker("DECISION: Either |x: y or z").text == "Either |x: y or z");
  const MarkerReading owner = read_marker("ACCEPT: f | verify: make | owner: kim");
  CHECK(owner.verify == "make | owner: kim");
  CHECK(owner.keys_in_text == std::vector<std::string>{"owner"});
  const MarkerReading both = read_marker("DECISION: One | note: two | reason: three");
  CHECK(both.text == "One | note: two");
  CHECK(both.reason == "three");
  CHECK(read_marker("TASK: g|after: h").after == std::vector<std::string>{"h"});
}

TEST_CASE("an unknown attribute is told and left out, the marker counts") {
  const MarkerReading marker = read_marker("TASK: a | owner: kim | after: b");
  CHECK(marker.result == Result::marker);
  CHECK(marker.unknown_attributes == std::vector<std::string>{"owner"});
  CHECK(marker.after == std::vector<std::string>{"b"});
}

TEST_CASE("text behind an id that is no attribute makes the marker malformed") {
  for (const char* text :
       {"TASK: two words", "TASK: a/b", "TASK: -dash", "TASK: .dot", "TASK: half | after"}) {
    INFO(text);
    const MarkerReading marker = read_marker(text);
    CHECK(marker.result == Result::malformed);
    CHECK_FALSE(marker.problem.empty());
  }
}

TEST_CASE("a kind without a value is empty") {
  CHECK(read_marker("TASK:").result == Result::empty);
  CHECK(read_marker("DECISION: | reason: none given").result == Result::empty);
  CHECK(read_marker(" BLOCKER:   ").result == Result::empty);
}

TEST_CASE("near misses are told from ordinary comments") {
  for (const char* text : {"TSAK: one", "Task: two", "TASK three", "task: four", "CHEKPOINT: p2", "ACEPT: a",
                           "DESICION: b", "TASKS: c"}) {
    INFO(text);
    CHECK(read_marker(text).result == Result::near_miss);
  }
  for (const char* text :
       {"NOTE: only a note", "toc", "TODO: write more", "a task for later", "Task list below", "", "   ",
        "FIXME: x", "prettier-ignore", "markdownlint-disable MD013"}) {
    INFO(text);
    CHECK(read_marker(text).result == Result::none);
  }
}

TEST_CASE("an id is letters, marks and digits of any script, underscore, dash and dot") {
  CHECK(is_id("a"));
  CHECK(is_id("_private"));
  CHECK(is_id("2.3.1"));
  CHECK(is_id("\xE6\x95\xB0\xE6\x8D\xAE-\xE5\xBA\x93"));
  CHECK(is_id("e\xCC\x81t\xC3\xA9"));
  CHECK_FALSE(is_id(""));
  CHECK_FALSE(is_id("-a"));
  CHECK_FALSE(is_id(".a"));
  CHECK_FALSE(is_id("a b"));
  CHECK_FALSE(is_id("a\xFF"));
}

TEST_CASE("white space is folded to single blanks and trimmed") {
  CHECK(fold_space("") == "");
  CHECK(fold_space(" \n\t ") == "");
  CHECK(fold_space("a") == "a");
  CHECK(fold_space("  a  b\n\nc\t") == "a b c");
  CHECK(fold_space("a b") == "a b");
  CHECK(fold_space("a\tb") == "a b");
}

TEST_CASE("ill-formed bytes in a value come out as the replacement character") {
  CHECK(read_marker("BLOCKER: caf\xE9 is shut").text == "caf\xEF\xBF\xBD is shut");
}
