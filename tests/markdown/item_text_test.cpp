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

TEST_CASE("a box in a code fence is part of the text, and what stands behind it too") {
  const char* plan =
      "- [ ] a\n\n  Put this:\n\n  ```yaml\n  - [ ] example\n  ~~~\n  key: value\n  ````\n\n  Then restart.\n"
      "  - [ ] step\n\n    ~~~\n    - [ ] more\n    ~~~ not closed\n";
  CHECK(text_below_box(plan, 1) ==
        "Put this:\n\n```yaml\n- [ ] example\n~~~\nkey: value\n````\n\nThen restart.\n");
  CHECK(text_below_box(plan, 12) == "~~~\n- [ ] more\n~~~ not closed\n");
  // Code within a line opens nothing.
  CHECK(text_below_box("- [ ] a\n  ```x``` y\n  - [ ] b\n", 1) == "```x``` y\n");
}
