#include "base/text_change.hpp"

#include <rapidcheck.h>

#include <catch2/catch.hpp>
#include <string>

using plankeep::base::change_between;
using plankeep::base::TextChange;

TEST_CASE("the change between two texts is the smallest range") {
  CHECK(change_between("", "") == TextChange{0, 0, 0});
  CHECK(change_between("same", "same") == TextChange{4, 4, 4});
  CHECK(change_between("one two", "one 2 two") == TextChange{4, 4, 6});
  CHECK(change_between("one 2 two", "one two") == TextChange{4, 6, 4});
  CHECK(change_between("aaa", "aa") == TextChange{2, 3, 2});
  CHECK(change_between("abc", "xbz") == TextChange{0, 3, 3});
  CHECK(change_between("same", "same").empty());
}

TEST_CASE("the texts are equal around the change, and differ at its ends") {
  CHECK(rc::check("change", [] {
    // Longer than what is compared at once.
    const auto text = [] { return *rc::gen::container<std::string>(rc::gen::inRange('a', 'c')); };
    const std::string head(*rc::gen::inRange<std::size_t>(0, 9000), 'h');
    const std::string tail(*rc::gen::inRange<std::size_t>(0, 9000), 't');
    const std::string before = head + text() + tail;
    const std::string after = head + text() + tail;
    const TextChange change = change_between(before, after);
    RC_ASSERT(change.begin <= change.old_end && change.old_end <= before.size());
    RC_ASSERT(change.begin <= change.new_end && change.new_end <= after.size());
    RC_ASSERT(before.substr(0, change.begin) == after.substr(0, change.begin));
    RC_ASSERT(before.substr(change.old_end) == after.substr(change.new_end));
    RC_ASSERT(change.empty() == (before == after));
    if (change.old_end > change.begin && change.new_end > change.begin) {
      RC_ASSERT(before[change.begin] != after[change.begin]);
      RC_ASSERT(before[change.old_end - 1] != after[change.new_end - 1]);
    }
  }));
}
