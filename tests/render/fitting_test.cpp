#include "render/fitting.hpp"

#include <catch2/catch.hpp>

#include "base/text.hpp"

using plankeep::render::Begins;
using plankeep::render::with_title;
using plankeep::render::wrapped;

namespace {

const std::string kWideId = "a-task-with-an-id-that-is-wider-than-the-line";

}  // namespace

TEST_CASE("a title is cut to what is left of the line, an id never") {
  CHECK(with_title("id", "A short title", 40) == "id  A short title");
  CHECK(with_title("id", "A title that is a little too long", 20) == "id  A title that is…");
  CHECK(with_title(kWideId, "A title that is cut", 20) == kWideId + "  A title tha…");
  CHECK(with_title(kWideId, "", 20) == kWideId);
}

TEST_CASE("words go on below, and an id that is wider than the line stays whole") {
  CHECK(wrapped("two words", 40, 2) == "two words\n");
  CHECK(wrapped("one two three", 9, 2) == "one two\n  three\n");
  CHECK(wrapped(kWideId + ", last 3 h ago by main", 20, 2, Begins::with_id) ==
        kWideId + ",\n  last 3 h ago by\n  main\n");
  CHECK(wrapped(kWideId + "  A title", 20, 2, Begins::with_id) == kWideId + "\n  A title\n");
  CHECK(wrapped(kWideId, 20, 2, Begins::with_id) == kWideId + "\n");
  CHECK(wrapped("", 20, 2) == "\n");
  for (const std::string& line : plankeep::base::parts_of(wrapped(kWideId, 20, 2), '\n'))
    CHECK(line.size() <= 20);
}
