#pragma once
// One metadata file out of two versions of it, key by key. Private to this room.

#include <set>
#include <string>
#include <string_view>

namespace plankeep::core {

/// Where the value of a key comes from when both have one.
enum class KeyRule {
  newer,    // `a` is the newer one
  neither,  // none is newer: the greater text counts
};

/// An object with the keys of both. Keys of `from_a` and `from_b` come from that side alone: the other's are
/// left out. Equal to one of the texts, byte for byte, where that one has everything at its values; else the
/// text is any JSON text of the object, in the order of `a` (of the one with more keys where none is newer).
/// A text that is no object gives the other one.
std::string merge_objects(std::string_view a, std::string_view b, KeyRule rule,
                          const std::set<std::string_view>& from_a = {},
                          const std::set<std::string_view>& from_b = {});

}  // namespace plankeep::core
