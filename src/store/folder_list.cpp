#include "store/folder_list.hpp"

#include <algorithm>
#include <vector>

#include "base/limits.hpp"
#include "base/text.hpp"
#include "system/atomic_file.hpp"

namespace plankeep::store {
namespace {

std::vector<std::string> read_list(system::Folder& own, std::string_view list) {
  const auto text = own.read(list, base::kLargestSmallFile);
  if (!text) return {};
  std::vector<std::string> paths;
  for (std::size_t at = 0; at < text->size();) {
    const std::size_t end = std::min(text->find('\0', at), text->size());
    paths.push_back(text->substr(at, end - at));
    at = end + 1;
  }
  return paths;
}

base::Status write_list(system::Folder& own, std::string_view list, const std::vector<std::string>& paths) {
  if (paths.empty()) return own.remove(list);
  std::string text;
  for (const std::string& path : paths) text.append(path).push_back('\0');
  return system::write_file(own, list, text, system::Durability::cache);
}

}  // namespace

base::Status list_folder(system::Folder& own, std::string_view list, std::string_view path) {
  std::vector<std::string> paths = read_list(own, list);
  if (std::find(paths.begin(), paths.end(), path) != paths.end()) return {};
  paths.emplace_back(path);
  return write_list(own, list, paths);
}

bool unlist_folder(system::Folder& own, std::string_view list, std::string_view path) {
  std::vector<std::string> paths = read_list(own, list);
  if (std::erase(paths, path) == 0) return false;
  (void)write_list(own, list, paths);
  return true;
}

}  // namespace plankeep::store
