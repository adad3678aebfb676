#pragma once
// Where the tools that people use put their plans (spec 2.4): the one table of it. Pure.
//
// A path counts from the project's root. Letter case does not count anywhere. `*` stands for one name, or for
// a part of the last one; for a folder it does not stand for a hidden one. A layout that is a file name alone
// is known in every folder.

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace plankeep::app {

struct KnownLayout {
  std::string_view tool;  // for people
  std::string_view path;  // "openspec/changes/*/tasks.md"
};

std::span<const KnownLayout> known_layouts();

/// The layout that a file is in; nullptr: none. `path`: from the project's root, without "." and "..".
const KnownLayout* known_layout(std::string_view path);

/// Whether one name of a path is what a layout says in that place.
bool matches_name(std::string_view pattern, std::string_view name);

/// "a", "b", "c" of "a/b/c".
std::vector<std::string_view> path_parts(std::string_view path);

}  // namespace plankeep::app
