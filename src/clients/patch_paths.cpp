#include "clients/patch_paths.hpp"

#include <algorithm>

namespace plankeep::clients {
namespace {

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kBlank = " \t\r";
  const std::size_t begin = text.find_first_not_of(kBlank);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kBlank) - begin + 1);
}

}  // namespace

std::vector<std::string> paths_in_patch(std::string_view patch) {
  std::vector<std::string> paths;
  while (!patch.empty()) {
    const std::size_t end = std::min(patch.find('\n'), patch.size());
    const std::string_view line = patch.substr(0, end);
    patch.remove_prefix(std::min(end + 1, patch.size()));
    for (const std::string_view sign :
         {"*** Add File: ", "*** Update File: ", "*** Delete File: ", "*** Move to: "}) {
      if (!line.starts_with(sign)) continue;
      const std::string_view path = trimmed(line.substr(sign.size()));
      if (!path.empty() && std::find(paths.begin(), paths.end(), path) == paths.end())
        paths.emplace_back(path);
    }
  }
  return paths;
}

}  // namespace plankeep::clients
