#include "markdown/plain_marker.hpp"

#include <rapidcheck.h>

#include <array>
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "markdown/marker.hpp"

using plankeep::markdown::is_plain_marker;
using plankeep::markdown::MarkerKind;
using plankeep::markdown::MarkerReading;
using plankeep::markdown::name_of;
using plankeep::markdown::plain_attribute;
using plankeep::markdown::plain_header;
using plankeep::markdown::read_marker;
using plankeep::markdown::read_marker_by_patterns;

namespace {

using Pieces = std::vector<std::string>;

std::string joined(const Pieces& pieces) {
  std::string text;
  for (const std::string& piece : pieces) text += piece;
  return text;
}

// Everything the patterns look at, and what comes close to it.
Pieces near_markers() {
  return {"TASK",
          "CHECKPOINT",
          "ACCEPT",
          "DECISION",
          "BLOCKER",
          "task",
          "TSAK",
          "NOTE",
          "a",
          "after",
          "verify",
          "reason",
          "owner",
          "k-2_x",
          "2b",
          "_id",
          "v1.0",
          ":",
          ": ",
          " :",
          " : ",
          "::",
          "|",
          " | ",
          "||",
          "| ",
          " |",
          " ",
          "  ",
          "\n",
          "\t",
          ",",
          ", ",
          "-",
          ".",
          "/",
          "a: b",
          "x:y",
          "| a:",
          "| a :",
          "\xC3\xA9",
          "\xE7\x94\xB2",
          "\xE3\x80\x81",
          "\xEF\xBC\x8C",
          "\xEF\xBC",
          "\xFF",
          std::string(1, '\0')};
}

Pieces with_full_width_colon() {
  Pieces pieces = near_markers();
  pieces.insert(pieces.end(), {"\xEF\xBC\x9A", "\xEF\xBC\x9A ", " \xEF\xBC\x9A"});
  return pieces;
}

std::string generated_text(const Pieces& pieces) {
  return joined(*rc::gen::container<Pieces>(rc::gen::elementOf(pieces)));
}

std::string generated_id() {
  const std::string first = "abcXYZ019_";
  const std::string rest = first + "-.";
  std::string id(1, *rc::gen::elementOf(first));
  return id + *rc::gen::container<std::string>(rc::gen::elementOf(rest));
}

std::string blanks() {
  return *rc::gen::elementOf(Pieces{"", " ", "\n", "  "});
}

std::string contents_of(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace

TEST_CASE("a marker read by hand is the marker that the patterns read") {
  CHECK(rc::check("comments that begin with a kind", [] {
    const std::string kind =
        *rc::gen::elementOf(Pieces{"TASK", "CHECKPOINT", "ACCEPT", "DECISION", "BLOCKER"});
    const std::string text =
        kind + *rc::gen::elementOf(Pieces{":", ": ", " : ", ""}) + generated_text(near_markers());
    RC_ASSERT(is_plain_marker(text));
    const MarkerReading reading = read_marker(text);
    RC_CLASSIFY(reading.result == MarkerReading::Result::marker, "marker");
    RC_CLASSIFY(!reading.unknown_attributes.empty(), "attribute");
    RC_ASSERT(reading == read_marker_by_patterns(text));
  }));
  CHECK(rc::check("any comment, with the full-width colon too", [] {
    const std::string text = generated_text(with_full_width_colon());
    RC_CLASSIFY(is_plain_marker(text), "by hand");
    RC_ASSERT(read_marker(text) == read_marker_by_patterns(text));
  }));
  CHECK(rc::check("any bytes", [] {
    const auto text = *rc::gen::arbitrary<std::string>();
    RC_ASSERT(read_marker(text) == read_marker_by_patterns(text));
  }));
}

TEST_CASE("the ordinary forms are read by hand, and say what was put into them") {
  CHECK(rc::check("a task with what comes before it", [] {
    const std::string id = generated_id();
    Pieces after;
    std::string list;
    for (int count = *rc::gen::inRange(0, 4); count > 0; --count) {
      after.push_back(generated_id());
      list += (list.empty() ? "" : *rc::gen::elementOf(Pieces{",", ", "})) + after.back();
    }
    std::string text = blanks() + "TASK:" + blanks() + id;
    if (!after.empty()) text += " | after: " + list;
    text += blanks();
    RC_ASSERT(is_plain_marker(text));
    MarkerReading expected;
    expected.result = MarkerReading::Result::marker;
    expected.id = id;
    expected.after = after;
    RC_ASSERT(read_marker(text) == expected);
  }));
  CHECK(rc::check("a criterion with its command line, pipes in it", [] {
    const std::string id = generated_id();
    const std::string command = *rc::gen::elementOf(
        Pieces{"ctest", "ctest | tail -n 1", "make || make test", "a|b", "curl http://example.org/a:b"});
    MarkerReading expected;
    expected.result = MarkerReading::Result::marker;
    expected.kind = MarkerKind::accept;
    expected.id = id;
    expected.verify = command;
    const std::string text = " ACCEPT: " + id + " | verify: " + command + " ";
    RC_ASSERT(is_plain_marker(text));
    RC_ASSERT(read_marker(text) == expected);
  }));
  CHECK(rc::check("a decision in any script", [] {
    const std::string what =
        *rc::gen::elementOf(Pieces{"Use SQLite", "a | b", "\xE7\x94\xA8 SQLite", "x: y"});
    const std::string why = *rc::gen::elementOf(Pieces{"", "it is there", "\xE5\xBF\xAB"});
    MarkerReading expected;
    expected.result = MarkerReading::Result::marker;
    expected.kind = MarkerKind::decision;
    expected.text = what;
    expected.reason = why;
    const std::string text = "DECISION: " + what + (why.empty() ? "" : " | reason: " + why);
    RC_ASSERT(is_plain_marker(text));
    RC_ASSERT(read_marker(text) == expected);
  }));
}

TEST_CASE("the markers of the example plans are read by hand as by the patterns") {
  int plain = 0;
  int patterns = 0;
  int markers = 0;
  for (const char* folder : {"/fixtures/plans", "/../examples/plans"}) {
    for (const auto& entry :
         std::filesystem::recursive_directory_iterator(std::string(PLANKEEP_TESTS_DIR) + folder)) {
      if (entry.path().extension() != ".md") continue;
      const std::string text = contents_of(entry.path());
      for (std::size_t at = text.find("<!--"); at != std::string::npos; at = text.find("<!--", at + 4)) {
        const std::string inside = text.substr(at + 4, text.find("-->", at) - at - 4);
        INFO(entry.path() << ": " << inside);
        const MarkerReading reading = read_marker(inside);
        CHECK(reading == read_marker_by_patterns(inside));
        ++(is_plain_marker(inside) ? plain : patterns);
        if (reading.result == MarkerReading::Result::marker) ++markers;
      }
    }
  }
  CHECK(plain > 100);
  CHECK(patterns > 0);
  CHECK(markers > 100);
}

TEST_CASE("a header found by hand ends where the value begins") {
  CHECK(plain_header("TASK: a") == plankeep::markdown::MarkerHeader{4, true, 5});
  CHECK(plain_header("TASK : a") == plankeep::markdown::MarkerHeader{4, true, 6});
  CHECK(plain_header("TASK a") == plankeep::markdown::MarkerHeader{4, false, 5});
  CHECK_FALSE(plain_header(""));
  CHECK_FALSE(plain_header(" TASK: a"));
  CHECK_FALSE(plain_header("1TASK: a"));
}

TEST_CASE("an attribute found by hand is the first behind the place that was asked for") {
  const std::string value = "a | b | key : v |x:";
  const auto first = plain_attribute(value, 0);
  REQUIRE(first);
  CHECK(first->begin == 6);
  CHECK(first->key == "key");
  CHECK(value.substr(first->end) == "v |x:");
  const auto second = plain_attribute(value, first->end);
  REQUIRE(second);
  CHECK(second->key == "x");
  CHECK(second->end == value.size());
  CHECK_FALSE(plain_attribute(value, second->end));
  CHECK_FALSE(plain_attribute("a | http://example.org", 0));
}
