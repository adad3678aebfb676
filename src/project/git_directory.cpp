#include "project/git_directory.hpp"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <system_error>

#include "git_objects/index_file.hpp"

namespace plankeep::app {
namespace {

constexpr std::string_view kGitLink = "gitdir: ";
constexpr std::uint64_t kLongestGitLink = 4096;
constexpr std::uint64_t kLongestHead = 4096;
constexpr std::uint64_t kReflogRead = std::uint64_t{64} << 10;
constexpr std::uint64_t kIndexLimit = std::uint64_t{64} << 20;
constexpr std::int64_t kNanosecondsOfOne = 1'000'000;  // of a millisecond
constexpr std::int64_t kNanosecondsOfSecond = 1'000'000'000;
// From the first file that is written to the end of a pop.
constexpr std::int64_t kLongestPop = 5 * kNanosecondsOfSecond;

// "OLD NEW NAME <MAIL> SECONDS ZONE" TAB MESSAGE.
struct ReflogLine {
  std::int64_t second = 0;
  std::string_view message;
};

std::optional<ReflogLine> reflog_line(std::string_view line) {
  const auto tab = line.find('\t');
  if (tab == std::string_view::npos) return std::nullopt;
  ReflogLine read{0, line.substr(tab + 1)};
  const std::string_view who = line.substr(0, tab);
  const auto zone = who.rfind(' ');
  if (zone == std::string_view::npos || zone == 0) return std::nullopt;
  const auto before = who.rfind(' ', zone - 1);
  if (before == std::string_view::npos) return std::nullopt;
  const char* const end = who.data() + zone;
  const auto number = std::from_chars(who.data() + before + 1, end, read.second);
  if (number.ec != std::errc() || number.ptr != end) return std::nullopt;
  return read;
}

// Takes the last line off.
std::string_view last_line(std::string_view& text) {
  if (text.ends_with('\n')) text.remove_suffix(1);
  const auto end = text.rfind('\n');
  const std::size_t start = end == std::string_view::npos ? 0 : end + 1;
  const std::string_view line = text.substr(start);
  text = text.substr(0, start);
  return line;
}

// The commit of a merge brings what was merged.
bool is_plain_commit(std::string_view message) {
  return message.starts_with("commit: ") || message.starts_with("commit (amend): ") ||
         message.starts_with("commit (initial): ");
}

bool knows(const git::IndexEntry& entry, const system::FileInfo& file) {
  return entry.size == static_cast<std::uint32_t>(file.size) &&
         entry.mtime_seconds == static_cast<std::uint32_t>(file.mtime_ns / kNanosecondsOfSecond) &&
         entry.mtime_nanoseconds == static_cast<std::uint32_t>(file.mtime_ns % kNanosecondsOfSecond);
}

}  // namespace

bool holds_git(const Context& context, const std::string& folder) {
  const auto info = context.files.info(folder == "/" ? "/.git" : folder + "/.git");
  return info && info->kind != system::FileKind::missing;
}

std::optional<GitDirectory> git_directory_of(const Context& context, const std::string& folder) {
  const auto opened = context.files.open_folder(folder);
  if (!opened) return std::nullopt;
  const auto info = (*opened)->info(".git");
  if (!info) return std::nullopt;
  if (info->kind == system::FileKind::directory) return GitDirectory{(*opened)->path_of(".git"), false};
  if (info->kind != system::FileKind::regular) return std::nullopt;
  // "gitdir: /repository/.git/worktrees/x" LF
  const auto text = (*opened)->read(".git", kLongestGitLink);
  if (!text || !text->starts_with(kGitLink)) return std::nullopt;
  std::string path = text->substr(kGitLink.size());
  while (path.ends_with('\n') || path.ends_with('\r')) path.pop_back();
  if (!path.starts_with('/')) path = (folder == "/" ? "/" : folder + "/") + path;
  const auto real = context.files.real_path(path);
  return real ? std::optional(GitDirectory{*real, true}) : std::nullopt;
}

bool head_is_detached(const Context& context, const std::string& folder) {
  const auto directory = git_directory_of(context, folder);
  if (!directory) return false;
  const auto opened = context.files.open_folder(directory->path);
  if (!opened) return false;
  const auto head = (*opened)->read("HEAD", kLongestHead);
  return head && !head->starts_with("ref:");
}

bool head_was_moved(std::string_view reflog, base::Instant since) {
  while (!reflog.empty()) {
    const auto line = reflog_line(last_line(reflog));
    if (!line) continue;
    if (line->second < since.milliseconds / base::kSecond) return false;
    if (!is_plain_commit(line->message)) return true;
  }
  return false;
}

namespace {

// The stash's log loses the entry that is popped, and goes with the last one.
bool stash_popped(system::Folder& logs, const system::FileInfo& file, base::Instant since) {
  auto refs = logs.info("refs");
  if (!refs || refs->kind != system::FileKind::directory) return false;
  const auto folder = logs.open_folder("refs");
  const auto log = folder ? (*folder)->info("stash") : base::fail(folder.error());
  if (!log) return false;
  const std::int64_t changed = log->kind == system::FileKind::regular ? log->mtime_ns : refs->mtime_ns;
  return changed / kNanosecondsOfOne >= since.milliseconds && file.mtime_ns <= changed &&
         changed - file.mtime_ns <= kLongestPop;
}

}  // namespace

bool git_wrote(const Context& context, const std::string& top, const std::string& file, base::Instant since) {
  if (!file.starts_with(top + "/")) return false;
  const auto directory = git_directory_of(context, top);
  if (!directory) return false;
  const auto own = context.files.open_folder(directory->path);
  if (!own) return false;
  const auto logs = (*own)->open_folder("logs");
  if (!logs) return false;
  const auto info = context.files.info(file);
  if (!info) return false;
  if (stash_popped(**logs, *info, since)) return true;
  const auto log = (*logs)->info("HEAD");
  if (!log || log->kind != system::FileKind::regular) return false;
  if (log->mtime_ns / kNanosecondsOfOne < since.milliseconds) return false;
  const std::uint64_t start = log->size - std::min(log->size, kReflogRead);
  const auto reflog = (*logs)->read_range("HEAD", start, kReflogRead);
  if (!reflog || !head_was_moved(*reflog, since)) return false;
  const auto bytes = (*own)->read("index", kIndexLimit);
  if (!bytes) return false;
  for (const git::ObjectFormat format : {git::ObjectFormat::sha1, git::ObjectFormat::sha256}) {
    const auto index = git::read_index_file(format, *bytes);
    if (!index) continue;
    const std::string path = file.substr(top.size() + 1);
    const auto entry =
        std::lower_bound(index->entries.begin(), index->entries.end(), path,
                         [](const git::IndexEntry& one, const std::string& name) { return one.path < name; });
    return entry != index->entries.end() && entry->path == path && knows(*entry, *info);
  }
  return false;
}

}  // namespace plankeep::app
