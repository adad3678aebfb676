#include "worktree/permissions.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <string>

#include "git/file_modes.hpp"

namespace plankeep::git {
namespace {

constexpr std::uint32_t kOwnerRuns = 0100;  // what git calls executable
constexpr std::uint32_t kPlain = 0644;
constexpr std::uint32_t kExecutable = 0755;

}  // namespace

Permissions permissions_of(const std::vector<std::pair<std::string_view, std::uint32_t>>& files) {
  std::array<std::map<std::uint32_t, std::size_t>, 2> counts;
  for (const auto& [path, bits] : files) ++counts[(bits & kOwnerRuns) != 0 ? 1 : 0][bits];
  const auto commonest = [](const std::map<std::uint32_t, std::size_t>& of, std::uint32_t otherwise) {
    const auto most = std::max_element(of.begin(), of.end(),
                                       [](const auto& a, const auto& b) { return a.second < b.second; });
    return most == of.end() ? otherwise : most->first;
  };
  Permissions permissions;
  permissions.plain = commonest(counts[0], kPlain);
  permissions.executable = commonest(counts[1], kExecutable);
  // 0 stands for "not known".
  if (permissions.plain == 0) permissions.plain = kPlain;
  for (const auto& [path, bits] : files) {
    if (bits != ((bits & kOwnerRuns) != 0 ? permissions.executable : permissions.plain))
      permissions.others.emplace(path, bits);
  }
  return permissions;
}

std::optional<std::uint32_t> Permissions::of(std::string_view path, std::string_view mode) const {
  if (plain == 0 || mode.empty() || mode == kLinkMode || mode == kGitlinkMode || mode == kNoFileMode)
    return std::nullopt;
  const auto other = others.find(path);
  if (other != others.end()) return other->second;
  return mode == kExecutableMode ? executable : plain;
}

}  // namespace plankeep::git
