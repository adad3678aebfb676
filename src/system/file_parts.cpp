#include "system/file_parts.hpp"

namespace plankeep::system {
namespace {

std::string read_piece(FileSystem& files, const std::string& path, std::uint64_t limit, bool end) {
  if (!path.starts_with('/') || path.find('\0') != std::string::npos) return {};
  const std::size_t slash = path.rfind('/');
  const std::string name = path.substr(slash + 1);
  auto folder = files.open_folder(slash == 0 ? "/" : path.substr(0, slash));
  if (!folder || name.empty()) return {};
  const auto info = (*folder)->info(name);
  if (!info || info->kind != FileKind::regular) return {};
  const std::uint64_t from = end && info->size > limit ? info->size - limit : 0;
  auto text = (*folder)->read_range(name, from, limit);
  return text ? std::move(*text) : std::string();
}

}  // namespace

std::string read_tail(FileSystem& files, const std::string& path, std::uint64_t limit) {
  return read_piece(files, path, limit, true);
}

std::string read_start(FileSystem& files, const std::string& path, std::uint64_t limit) {
  return read_piece(files, path, limit, false);
}

}  // namespace plankeep::system
