#include "project/known_layouts.hpp"

#include <algorithm>
#include <array>

#include "base/utf8.hpp"

namespace plankeep::app {
namespace {

// docs/files.md has the same table; a test compares them.
constexpr std::array kLayouts{
    KnownLayout{"plankeep", "plan.md"},
    KnownLayout{"plankeep", "plans/*/plan.md"},
    KnownLayout{"plankeep", "docs/plans/*/plan.md"},
    KnownLayout{"spec-kit", "specs/*/tasks.md"},
    KnownLayout{"OpenSpec", "openspec/changes/*/tasks.md"},
    KnownLayout{"Kiro", ".kiro/specs/*/tasks.md"},
    KnownLayout{"superpowers", "docs/superpowers/plans/*.md"},
    KnownLayout{"superpowers", "docs/plans/*.md"},
    KnownLayout{"superpowers", "plans/*.md"},
    KnownLayout{"planning-with-files", "task_plan.md"},
    KnownLayout{"planning-with-files", ".planning/*/task_plan.md"},
    KnownLayout{"conductor", "conductor/tracks/*/plan.md"},
    KnownLayout{"ralph", "fix_plan.md"},
    KnownLayout{"ralph", "@fix_plan.md"},
    KnownLayout{"ralph", ".ralph/fix_plan.md"},
    KnownLayout{"ralph", "IMPLEMENTATION_PLAN.md"},
};

bool matches(const KnownLayout& layout, const std::vector<std::string_view>& path) {
  const std::vector<std::string_view> wanted = path_parts(layout.path);
  if (wanted.size() == 1) return matches_name(wanted.front(), path.back());
  return std::equal(wanted.begin(), wanted.end(), path.begin(), path.end(), matches_name);
}

// OpenSpec moves what is over to a folder among those of the changes.
bool is_archive(const std::vector<std::string_view>& path) {
  constexpr std::array<std::string_view, 3> kArchive{"openspec", "changes", "archive"};
  return path.size() > kArchive.size() &&
         std::equal(kArchive.begin(), kArchive.end(), path.begin(), matches_name);
}

}  // namespace

std::span<const KnownLayout> known_layouts() {
  return kLayouts;
}

std::vector<std::string_view> path_parts(std::string_view path) {
  std::vector<std::string_view> parts;
  while (!path.empty()) {
    const std::size_t slash = std::min(path.find('/'), path.size());
    if (slash > 0) parts.push_back(path.substr(0, slash));
    path.remove_prefix(std::min(slash + 1, path.size()));
  }
  return parts;
}

bool matches_name(std::string_view pattern, std::string_view name) {
  const std::size_t star = pattern.find('*');
  if (star == std::string_view::npos) return base::to_lower(pattern) == base::to_lower(name);
  if (name.empty() || name.front() == '.') return false;
  const std::string_view end = pattern.substr(star + 1);
  if (name.size() <= end.size()) return false;
  return base::to_lower(end) == base::to_lower(name.substr(name.size() - end.size()));
}

const KnownLayout* known_layout(std::string_view path) {
  const std::vector<std::string_view> parts = path_parts(path);
  if (parts.empty() || is_archive(parts)) return nullptr;
  for (const KnownLayout& layout : kLayouts) {
    if (matches(layout, parts)) return &layout;
  }
  return nullptr;
}

}  // namespace plankeep::app
