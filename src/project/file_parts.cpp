#include "project/file_parts.hpp"

#include "project/plan_location.hpp"

namespace plankeep::app {

namespace {

std::string read_piece(const Context& context, const std::string& path, std::uint64_t limit, bool end) {
  if (!path.starts_with('/') || path.find('\0') != std::string::npos) return {};
  const std::string name = last_part(path);
  auto folder = context.files.open_folder(parent_of(path));
  if (!folder || name.empty()) return {};
  const auto info = (*folder)->info(name);
  if (!info || info->kind != system::FileKind::regular) return {};
  const std::uint64_t from = end && info->size > limit ? info->size - limit : 0;
  auto text = (*folder)->read_range(name, from, limit);
  return text ? std::move(*text) : std::string();
}

}  // namespace

std::string read_tail(const Context& context, const std::string& path, std::uint64_t limit) {
  return read_piece(context, path, limit, true);
}

std::string read_start(const Context& context, const std::string& path, std::uint64_t limit) {
  return read_piece(context, path, limit, false);
}

}  // namespace plankeep::app
