#include "board/plan_items.hpp"

#include <catch2/catch.hpp>

#include "board/sample_board.hpp"

namespace plankeep::board {
namespace {

const Item& item_named(const std::vector<Item>& items, const std::string& key) {
  for (const Item& item : items)
    if (item.key == key) return item;
  throw std::logic_error("no item " + key);
}

TEST_CASE("items stand in document order, steps behind their task, criteria behind tasks") {
  const auto items = items_of(view_of_text(kPlan));
  std::vector<std::string> keys;
  for (const Item& item : items) keys.push_back(item.key);
  CHECK(keys == std::vector<std::string>{"schema", "task:schema/T001", "task:schema/T002", "login",
                                         "task:login/T003", "task:login/T004", "task:login/T005",
                                         "task:login/T006", "task:login/T007", "criterion:login/tests",
                                         "logout", "task:logout/T008", "task:logout/T009"});
  CHECK(item_named(items, "task:login/T005").depth == 2);
  CHECK(item_named(items, "task:login/T005").parent_task == "task:login/T004");
  CHECK(item_named(items, "task:login/T004").facts == "1/2");
  CHECK(item_named(items, "task:login/T007").facts == "after T004");
  CHECK(item_named(items, "login").facts == "2/5, 0/1 criterion");
  CHECK(item_named(items, "criterion:login/tests").verify == "make test");
  CHECK(item_named(items, "task:login/T006").current);
}

TEST_CASE("a filter without a match shows nothing") {
  const auto items = items_of(view_of_text(kPlan));
  CHECK(shown_items(items, {}, "no such thing").empty());
  CHECK(shown_items(items, {}, "HASH").size() == 3);
  CHECK(shown_items(items, {}, "").size() == items.size());
}

}  // namespace
}  // namespace plankeep::board
