#include "worktree/content_list.hpp"

#include "base/sha256.hpp"
#include "git/git_output.hpp"

namespace plankeep::git {
namespace {

constexpr std::string_view kHeader = "plankeep-files 1";
// A line of a path of usual length.
constexpr std::size_t kUsualLine = 160;

}  // namespace

std::string to_text(const KnownFiles& files) {
  std::string text(kHeader);
  text += '\0';
  text.reserve(files.size() * kUsualLine);
  for (const KnownFile& known : files) {
    text.append(known.mode).append(1, ' ').append(std::to_string(known.size)).append(1, ' ');
    text.append(std::to_string(known.mtime_ns)).append(1, ' ');
    text.append(std::to_string(known.ctime_ns)).append(1, ' ');
    text.append(std::to_string(known.inode)).append(1, ' ');
    text.append(known.id).append(1, ' ').append(known.path).append(1, '\0');
  }
  return text;
}

KnownFiles known_files(std::string_view text) {
  KnownFiles files;
  if (text.empty() || text.back() != '\0' || take_until(text, '\0') != kHeader) return files;
  files.reserve(text.size() / kUsualLine);
  while (!text.empty()) {
    std::string_view line = take_until(text, '\0');
    KnownFile known;
    known.mode = take_until(line, ' ');
    const bool numbers = read_number(take_until(line, ' '), known.size) &&
                         read_number(take_until(line, ' '), known.mtime_ns) &&
                         read_number(take_until(line, ' '), known.ctime_ns) &&
                         read_number(take_until(line, ' '), known.inode);
    known.id = take_until(line, ' ');
    known.path = line;
    if (!numbers || !is_id(known.id) || line.empty()) break;
    if (!files.empty() && files.back().path >= line) break;
    files.push_back(known);
  }
  return files;
}

std::string digest_of(const KnownFiles& files) {
  std::string list;
  list.reserve(files.size() * kUsualLine);
  for (const KnownFile& known : files)
    list.append(known.mode).append(1, ' ').append(known.id).append(1, ' ').append(known.path).append(1, '\0');
  return base::sha256_hex(list);
}

}  // namespace plankeep::git
