#include "git/folder_chain.hpp"

#include <algorithm>
#include <utility>

namespace plankeep::git {
namespace {

using base::ErrorKind;
using base::Result;

// Paths are as long as 4,096 bytes; as many descriptors are not to be had.
constexpr std::size_t kDeepest = 256;

}  // namespace

std::string_view folder_part(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string_view::npos ? std::string_view() : path.substr(0, slash);
}

std::string_view name_part(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string_view::npos ? path : path.substr(slash + 1);
}

Result<system::Folder*> FolderChain::walk(std::string_view folder, bool make) {
  if (root_ == nullptr) {
    TRY_ASSIGN(root_, files_.open_folder(top_));
  }
  std::size_t level = 0;
  std::size_t start = 0;
  while (start < folder.size()) {
    const std::size_t end = std::min(folder.find('/', start), folder.size());
    const std::string_view name = folder.substr(start, end - start);
    if (level < levels_.size() && levels_[level].name == name) {
      ++level;
      start = end + 1;
      continue;
    }
    levels_.resize(level);
    if (level >= kDeepest)
      return base::fail(ErrorKind::io, std::string(folder) + " has too many folders above it");
    system::Folder& parent = level == 0 ? *root_ : *levels_[level - 1].folder;
    auto opened = parent.open_folder(name);
    if (!opened && make && opened.error().kind == ErrorKind::not_found) {
      TRY(parent.create_shared_folder(name));
      opened = parent.open_folder(name);
    }
    if (!opened) return base::fail(std::move(opened.error()));
    levels_.push_back({std::string(name), std::move(*opened)});
    ++level;
    start = end + 1;
  }
  levels_.resize(level);
  return level == 0 ? root_.get() : levels_[level - 1].folder.get();
}

Result<system::Folder*> FolderChain::folder_of(std::string_view path) {
  return walk(folder_part(path), false);
}

Result<system::Folder*> FolderChain::make_folder_of(std::string_view path) {
  return walk(folder_part(path), true);
}

Result<system::FileInfo> FolderChain::info(std::string_view path) {
  const auto folder = folder_of(path);
  if (folder) return (*folder)->info(name_part(path));
  const ErrorKind kind = folder.error().kind;
  if (kind == ErrorKind::not_found || kind == ErrorKind::corrupt) return system::FileInfo{};
  return base::fail(folder.error());
}

void FolderChain::forget() {
  levels_.clear();
}

}  // namespace plankeep::git
