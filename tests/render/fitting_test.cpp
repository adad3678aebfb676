#include "render/fitting.hpp"

#include <catch2/catch.hpp>

#include "base/text.hpp"

using plankeep::render::Begins;
using plankeep::render::with_title;
using plankeep::render::wrapped;

namespace {

const std::string kLongId = "a-task-with-an-id-that-is-wider-than-the-line";

}  // namespace

TEST_CASE("a title is cut to what is left of the line, an id never") {
  CHECK(with_title("id", "A short title", 40) == "id  A short title");
  CHECK(with_title("id", "A title that is a little too long", 20) == "id  A title that is…");
  CHECK(with_title(kLongId, "A title that is cut", 20) == kLongId + "  A title tha…");
  CHECK(with_title(kLongId, "", 20) == kLongId);
}

TEST_CASE("words go on below, and an id that is wider than the line stays whole") {
  CHECK(wrapped("two words", 40, 2) == "two words\n");
  CHECK(wrapped("one two three", 9, 2) == "one two\n  three\n");
  CHECK(wrapped(kLongId + ", last 3 h ago by main", 20, 2, Begins::with_id) ==
        kLongId + ",\n  last 3 h ago by\n  main\n");
  CHECK(wrapped(kLongId + "  A title", 20, 2, Begins::with_id) == kLongId + "\n  A title\n");
  CHECK(wrapped(kLongId, 20, 2, Begins::with_id) == kLongId + "\n");
  CHECK(wrapped("", 20, 2) == "\n");
  for (const std::string& line : plankeep::base::parts_of(wrapped(kLongId, 20, 2), '\n'))
    CHECK(line.size() <= 20);
}
