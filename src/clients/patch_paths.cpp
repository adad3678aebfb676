#include "clients/patch_paths.hpp"

#include <algorithm>

#include "base/text.hpp"

namespace plankeep::clients {
std::vector<std::string> paths_in_patch(std::string_view patch) {
  std::vector<std::string> paths;
  while (!patch.empty()) {
    const std::size_t end = std::min(patch.find('\n'), patch.size());
    const std::string_view line = patch.substr(0, end);
    patch.remove_prefix(std::min(end + 1, patch.size()));
    for (const std::string_view sign :
         {"*** Add File: ", "*** Update File: ", "*** Delete File: ", "*** Move to: "}) {
      if (!line.starts_with(sign)) continue;
      const std::string_view path = base::trimmed(line.substr(sign.size()));
      if (!path.empty() && std::find(paths.begin(), paths.end(), path) == paths.end())
        paths.emplace_back(path);
    }
  }
  return paths;
}

}  // namespace plankeep::clients
