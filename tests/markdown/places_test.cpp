#include "markdown/places.hpp"

#include <catch2/catch.hpp>
#include <string>

#include "markdown/parse_plan.hpp"

namespace plankeep::markdown {
namespace {

std::string cut(std::string_view text, const Span& span) {
  return std::string(text.substr(span.begin, span.end - span.begin));
}

Places places_of(std::string_view text) {
  auto places = read_places(text);
  REQUIRE(places);
  return std::move(*places);
}

}  // namespace

TEST_CASE("the parts of a marker are where they stand") {
  const std::string text =
      "# Plan\n\n## Build\n<!-- CHECKPOINT: build -->\n- [ ] A <!--TASK: a-->\n"
      "- [x] B <!-- TASK : b | after: a, c-2 , a -->\n- [ ] C <!-- ACCEPT: ok | verify: make | tee -->\n";
  const Places places = places_of(text);
  REQUIRE(places.markers.size() == 4);
  CHECK(cut(text, places.markers[0].whole) == "<!-- CHECKPOINT: build -->");
  CHECK(cut(text, places.markers[0].id_at) == "build");
  REQUIRE(places.markers[0].heading == 1);
  CHECK(places.headings[1].title == "Build");
  CHECK(cut(text, places.markers[1].word) == "TASK");
  CHECK(cut(text, places.markers[1].id_at) == "a");
  const MarkerPlace& b = places.markers[2];
  CHECK(cut(text, b.key) == "after");
  REQUIRE(b.after.size() == 3);
  for (const NamedId& named : b.after) CHECK(cut(text, named.at) == named.id);
  CHECK(b.after[1].id == "c-2");
  CHECK(b.after[2].at.begin > b.after[0].at.begin);
  REQUIRE(b.box == 1);
  CHECK(text[places.boxes[1].offset] == '[');
  CHECK(text[places.boxes[1].character] == 'x');
  CHECK(cut(text, places.markers[3].key) == "verify");
}

TEST_CASE("full-width signs, line ends and a byte order mark move nothing") {
  const std::string text =
      "\xEF\xBB\xBF- [ ] A <!-- TASK\xEF\xBC\x9A a\r\n  | after\xEF\xBC\x9A b\xEF\xBC\x8C"
      "c\xE3\x80\x81 d -->\r\n"
      "- [ ] B <!-- TASK: b -->\r\n";
  const Places places = places_of(text);
  REQUIRE(places.markers.size() == 2);
  CHECK(cut(text, places.markers[0].id_at) == "a");
  REQUIRE(places.markers[0].after.size() == 3);
  for (const NamedId& named : places.markers[0].after) CHECK(cut(text, named.at) == named.id);
  CHECK(cut(text, places.markers[1].id_at) == "b");
}

TEST_CASE("every box of a task has its place, and what is in code has none") {
  const std::string text = "- [ ] A\n  - [ ] B\n\n```\n- [ ] C <!-- TASK: c -->\n```\n";
  const Places places = places_of(text);
  const auto plan = parse_plan(text);
  REQUIRE(plan);
  REQUIRE(places.boxes.size() == 2);
  CHECK(places.markers.empty());
  CHECK(places.boxes[1].parent == 0);
  CHECK(plan->phases[0].tasks[1].boxes[0].offset == places.boxes[1].character);
  CHECK(cut(text, {places.boxes[0].after_box, places.boxes[0].text_end}) == " A");
}

}  // namespace plankeep::markdown
