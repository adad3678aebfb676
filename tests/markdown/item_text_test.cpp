#include "markdown/item_text.hpp"

#include <catch2/catch.hpp>

using plankeep::markdown::text_below_box;

TEST_CASE("the text below a box ends where another box or the list goes on") {
  const char* plan =
      "- [ ] a\n  one\n\n    code\n  - note\n  - [ ] step\n    its own\n- [ ] b\ntext\n\n- [ ] c\r\n  x\r\n";
  CHECK(text_below_box(plan, 1) == "one\n\n  code\n- note\n");
  CHECK(text_below_box(plan, 6) == "its own\n");
  CHECK(text_below_box(plan, 8).empty());
  CHECK(text_below_box(plan, 11) == "x\n");
  CHECK(text_below_box(plan, 0).empty());
  CHECK(text_below_box(plan, 99).empty());
}
