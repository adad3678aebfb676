#include "project/git_directory.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <system_error>

#include "base/hex.hpp"
#include "base/text.hpp"
#include "git_objects/index_file.hpp"

namespace plankeep::app {
namespace {

constexpr std::string_view kGitLink = "gitdir: ";
constexpr std::uint64_t kLongestGitLink = 4096;
constexpr std::uint64_t kLongestHead = 4096;
constexpr std::uint64_t kReflogRead = std::uint64_t{64} << 10;
constexpr std::uint64_t kIndexLimit = std::uint64_t{64} << 20;
constexpr std::int64_t kNanosecondsOfSecond = 1'000'000'000;
// From the first file that git writes to the index, or to what says that it stopped.
constexpr std::int64_t kLongestWork = 5 * kNanosecondsOfSecond;
// From the log of the stash to the first file that is taken back.
constexpr std::int64_t kStashToFile = kNanosecondsOfSecond / 2;

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

namespace {

// A path in a file of git's, against that file's folder; nullopt if there is none.
std::optional<std::string> path_in(const Context& context, const std::string& folder, std::string_view file) {
  const auto opened = context.files.open_folder(folder);
  const auto text = opened ? (*opened)->read(file, kLongestGitLink) : base::fail(opened.error());
  if (!text) return std::nullopt;
  const std::string_view path = base::trimmed(*text);
  return path.starts_with('/') ? std::string(path) : folder + "/" + std::string(path);
}

}  // namespace

std::string common_git_directory(const Context& context, const std::string& git_directory) {
  const auto real =
      context.files.real_path(path_in(context, git_directory, "commondir").value_or(git_directory));
  return real ? *real : git_directory;
}

std::vector<std::string> other_work_trees(const Context& context, const std::string& top) {
  std::vector<std::string> tops;
  const auto own = git_directory_of(context, top);
  if (!own) return tops;
  constexpr std::string_view kMain = "/.git";
  const std::string common = common_git_directory(context, own->path);
  const auto add = [&](const std::string& path) {
    const auto real = context.files.real_path(path);
    const auto git = real && *real != top ? git_directory_of(context, *real) : std::nullopt;
    if (git && common_git_directory(context, git->path) == common) tops.push_back(*real);
  };
  // A bare repository has no main one.
  if (common.ends_with(kMain))
    add(common.size() == kMain.size() ? "/" : common.substr(0, common.size() - kMain.size()));
  const std::string linked = common + "/worktrees";
  const auto opened = context.files.open_folder(linked);
  const auto names = opened ? (*opened)->list() : base::fail(opened.error());
  if (!names) return tops;
  for (const std::string& name : *names) {
    if (tops.size() == kMostWorkTrees) break;
    const auto git = path_in(context, linked + "/" + name, "gitdir");  // "/path/to/tree/.git"
    if (git && git->ends_with(kMain)) add(git->substr(0, git->size() - kMain.size()));
  }
  return tops;
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

// Whether git wrote the file last of all that it did by then.
bool just_before(const system::FileInfo& file, std::int64_t then_ns) {
  return file.mtime_ns <= then_ns && then_ns - file.mtime_ns <= kLongestWork;
}

// What a merge leaves that a conflict stopped, or that is not to be committed yet. It has written what it
// could.
bool has_stopped(system::Folder& own, const system::FileInfo& file, base::Instant since) {
  constexpr std::array<const char*, 6> kLeft{"MERGE_HEAD",  "CHERRY_PICK_HEAD", "REVERT_HEAD",
                                             "REBASE_HEAD", "MERGE_MSG",        "SQUASH_MSG"};
  return std::any_of(kLeft.begin(), kLeft.end(), [&](const char* name) {
    const auto left = own.info(name);
    return left && left->kind == system::FileKind::regular && left->modified() >= since &&
           just_before(file, left->mtime_ns);
  });
}

bool moved_since(system::Folder& own, base::Instant since) {
  auto logs = own.info("logs");
  if (!logs || logs->kind != system::FileKind::directory) return false;
  const auto folder = own.open_folder("logs");
  const auto log = folder ? (*folder)->info("HEAD") : base::fail(folder.error());
  if (!log || log->kind != system::FileKind::regular) return false;
  if (log->modified() < since) return false;
  const std::uint64_t start = log->size - std::min(log->size, kReflogRead);
  const auto reflog = (*folder)->read_range("HEAD", start, kReflogRead);
  return reflog && head_was_moved(*reflog, since);
}

// `git add` stores the text of a file behind it, or notes that it has it already, and a commit comes behind
// that. A text that git wrote was there before; in a pack that cannot be told. Times may be the same where a
// program and git follow each other at once, and where a stash has just noted the text that it goes back to.
bool others_wrote(const Context& context, const std::string& git_directory, std::string_view raw_id,
                  const system::FileInfo& file) {
  const auto head = context.files.info(git_directory + "/logs/HEAD");
  if (head && head->mtime_ns > file.mtime_ns) return true;
  const std::string id = base::to_hex({reinterpret_cast<const unsigned char*>(raw_id.data()), raw_id.size()});
  const std::string common = common_git_directory(context, git_directory);
  const auto object = context.files.info(common + "/objects/" + id.substr(0, 2) + "/" + id.substr(2));
  if (!object || object->kind != system::FileKind::regular || object->mtime_ns < file.mtime_ns) return false;
  const auto stash = context.files.info(common + "/logs/refs/stash");
  const bool stashed = stash && stash->kind == system::FileKind::regular &&
                       stash->mtime_ns <= file.mtime_ns && file.mtime_ns - stash->mtime_ns <= kStashToFile;
  return !stashed || object->mtime_ns > file.mtime_ns;
}

struct KnownEntry {
  bool current = false;  // the file is as git last wrote or read it
  bool unseen = false;   // git made the entry from a tree and has not read the file since
  std::string raw_id;
};

std::optional<KnownEntry> index_entry(system::Folder& own, const std::string& path,
                                      const system::FileInfo& file) {
  const auto bytes = own.read("index", kIndexLimit);
  if (!bytes) return std::nullopt;
  for (const git::ObjectFormat format : {git::ObjectFormat::sha1, git::ObjectFormat::sha256}) {
    const auto index = git::read_index_file(format, *bytes);
    if (!index) continue;
    const auto entry =
        std::lower_bound(index->entries.begin(), index->entries.end(), path,
                         [](const git::IndexEntry& one, const std::string& name) { return one.path < name; });
    if (entry == index->entries.end() || entry->path != path) return std::nullopt;
    return KnownEntry{knows(*entry, file), entry->mtime_seconds == 0, std::string(entry->raw_id)};
  }
  return std::nullopt;
}

}  // namespace

GitWrote git_wrote(const Context& context, const std::string& top, const std::string& file,
                   base::Instant since) {
  if (!file.starts_with(top + "/")) return GitWrote::no;
  const auto directory = git_directory_of(context, top);
  if (!directory) return GitWrote::no;
  const auto own = context.files.open_folder(directory->path);
  if (!own) return GitWrote::no;
  const auto info = context.files.info(file);
  if (!info) return GitWrote::no;
  if (has_stopped(**own, *info, since)) return GitWrote::with_head;
  const bool moved = moved_since(**own, since);
  const auto index = (*own)->info("index");
  if (!index || index->kind != system::FileKind::regular) return GitWrote::no;
  const bool behind = index->modified() >= since && just_before(*info, index->mtime_ns);
  if (!moved && !behind) return GitWrote::no;
  const auto entry = index_entry(**own, file.substr(top.size() + 1), *info);
  if (!entry) return GitWrote::no;
  if (moved && entry->current) return GitWrote::with_head;
  if (!behind) return GitWrote::no;
  if (entry->unseen) return GitWrote::from_stash;
  const bool checked_out = entry->current && !others_wrote(context, directory->path, entry->raw_id, *info);
  return checked_out ? GitWrote::alone : GitWrote::no;
}

}  // namespace plankeep::app
