#include "store/capped_log.hpp"

#include "base/utf8.hpp"

namespace plankeep::store {
namespace {

constexpr std::size_t kLongestLogLine = 1000;

std::string older(std::string_view name) {
  return std::string(name) + ".1";
}

base::Status collect(system::Folder& folder, const std::string& name, std::vector<std::string>& lines) {
  TRY_ASSIGN(const system::FileInfo info, folder.info(name));
  if (info.kind == system::FileKind::missing) return {};
  // One line may have been added behind the limit by each of many processes.
  TRY_ASSIGN(const std::string text, folder.read(name, 16 * kLogLimit));
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = text.find('\n', at);
    if (end == std::string::npos) break;  // half a line of a process that died
    lines.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return {};
}

}  // namespace

base::Status append_line(system::Folder& folder, std::string_view name, std::string_view line) {
  TRY_ASSIGN(const system::FileInfo info, folder.info(name));
  if (info.kind == system::FileKind::regular && info.size > kLogLimit)
    TRY(folder.rename_cache(name, older(name)));
  TRY_ASSIGN(const auto file, folder.open_append(name));
  return file->write(base::fit_to_bytes(base::printable(line), kLongestLogLine) + "\n");
}

base::Result<std::vector<std::string>> read_lines(system::Folder& folder, std::string_view name) {
  std::vector<std::string> lines;
  TRY(collect(folder, older(name), lines));
  TRY(collect(folder, std::string(name), lines));
  return lines;
}

}  // namespace plankeep::store
