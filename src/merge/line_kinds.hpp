#pragma once
// What a line is by its characters alone. Private to this room.

#include <string_view>

namespace plankeep::markdown {

/// Block quote signs aside.
bool is_blank(std::string_view line);

/// Whether it begins a list item.
bool is_item(std::string_view line);

/// Whether it has letters or digits: it is more than a rule or a fence.
bool says_something(std::string_view line);

}  // namespace plankeep::markdown
