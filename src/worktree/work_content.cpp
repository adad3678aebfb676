#include "worktree/work_content.hpp"

#include <algorithm>
#include <functional>
#include <utility>

#include "base/sha256.hpp"
#include "git/file_modes.hpp"
#include "git/git_output.hpp"
#include "git/stat_files.hpp"
#include "system/atomic_file.hpp"
#include "worktree/view.hpp"

namespace plankeep::git {
namespace {

using base::ErrorKind;
using base::Result;
using base::Status;
using system::FileInfo;
using system::FileKind;

constexpr int kDeepestSubmodule = 8;
constexpr std::uint64_t kChunk = std::uint64_t{4} << 20;
constexpr std::uint64_t kCacheLimit = std::uint64_t{512} << 20;
constexpr std::size_t kRemembered = 8;
constexpr std::size_t kDigestDigits = 64;
// Some file systems keep whole or even seconds only.
constexpr std::int64_t kUnreliableNs = 2'000'000'000;

constexpr const char* kCacheFolder = "files";
constexpr const char* kLast = "last";

const std::vector<std::string>& list_words() {
  static const std::vector<std::string> kWords{
      "ls-files", "-z", "-t", "--stage", "--cached", "--others", "--exclude-standard"};
  return kWords;
}

}  // namespace

WorkContent::WorkContent(system::Processes& processes, system::FileSystem& files,
                         std::chrono::milliseconds budget)
    : processes_(processes), files_(files), git_(processes, files), budget_(budget) {}

// The files of the work tree and of its submodules, as git lists them.
struct WorkContent::Lister {
  WorkContent& content;
  const LeaveOut& leave_out;
  std::vector<Listed> files;

  [[nodiscard]] Status add(const std::string& prefix, std::string output, int depth);
  [[nodiscard]] Status add_submodule(std::string_view path, std::string_view commit, int depth);
  void sort();
};

Status WorkContent::check_time() const {
  if (std::chrono::steady_clock::now() - start_ < budget_) return {};
  return base::fail(ErrorKind::busy,
                    "reading the files took longer than " + std::to_string(budget_.count()) + " ms");
}

void WorkContent::begin_look() {
  start_ = std::chrono::steady_clock::now();
  const auto wall = std::chrono::system_clock::now().time_since_epoch();
  reliable_before_ns_ = std::chrono::duration_cast<std::chrono::nanoseconds>(wall).count() - kUnreliableNs;
  read_some_ = false;
  now_.clear();
  texts_.clear();
  digest_.clear();
}

Result<std::optional<std::string>> WorkContent::digest(const std::string& folder, const LeaveOut& leave_out) {
  begin_look();
  in_repository_ = true;
  TRY_ASSIGN(GitRunning listing, git_.start(folder, list_words()));
  TRY_ASSIGN(auto place, open_snapshots(processes_, files_, folder));
  if (!place) return std::optional<std::string>();
  place_ = std::move(*place);
  chain_ = std::make_unique<FolderChain>(files_, place_.top);
  const Before before = look_ahead();
  chain_->forget();
  TRY_ASSIGN(system::Finished listed, listing.finish());
  const auto real = files_.real_path(folder);
  // core.worktree: the listing is of the folder alone.
  if (!real || *real != place_.top) {
    TRY_ASSIGN(listed, git_.run(place_.top, list_words()));
  }
  if (listed.status != 0) return base::fail(refused(listed));
  return finish_look(std::move(listed.output), before, leave_out);
}

Result<std::string> WorkContent::digest_without_repository(const std::string& folder,
                                                           const std::string& git_dir,
                                                           const LeaveOut& leave_out) {
  begin_look();
  in_repository_ = false;
  TRY_ASSIGN(const auto own, files_.open_folder(git_dir));
  TRY(own->make_folder("objects"));
  TRY(make_git_dir(*own, "[core]\n\trepositoryformatversion = 0\n\tbare = false\n"));
  place_ = SnapshotPlace();
  TRY_ASSIGN(place_.top, files_.real_path(folder));
  place_.git_dir = place_.common_dir = git_dir;
  chain_ = std::make_unique<FolderChain>(files_, place_.top);
  GitRun how;
  how.variables = {"GIT_DIR=" + git_dir, "GIT_WORK_TREE=" + place_.top};
  how.timeout = budget_;
  TRY_ASSIGN(GitRunning listing, git_.start(place_.top, list_words(), {}, how));
  const Before before = look_ahead();
  chain_->forget();
  TRY_ASSIGN(system::Finished listed, listing.finish());
  if (listed.status != 0) return base::fail(refused(listed));
  return finish_look(std::move(listed.output), before, leave_out);
}

Result<std::string> WorkContent::finish_look(std::string listing, const Before& before,
                                             const LeaveOut& leave_out) {
  Lister lister{*this, leave_out, {}};
  TRY(lister.add({}, std::move(listing), 0));
  lister.sort();
  const Status looked = inspect_all(lister.files, before);
  if (read_some_) (void)write_cache(kLast);
  TRY(looked);
  digest_ = digest_of(now_);
  return digest_;
}

std::string_view WorkContent::keep(std::string text) {
  texts_.push_back(std::move(text));
  return texts_.back();
}

// git's listing takes about as long as a stat of every file: both go on at once. What is found changed here
// is looked at again behind the listing.
WorkContent::Before WorkContent::look_ahead() {
  Before before;
  before.files = known_files(keep(read_cache(kLast)));
  std::vector<std::string_view> paths;
  paths.reserve(before.files.size());
  for (const KnownFile& known : before.files) paths.push_back(known.path);
  const auto infos = stat_files(files_, place_.top, paths);
  before.unchanged.reserve(infos.size());
  for (std::size_t i = 0; i < infos.size(); ++i)
    before.unchanged.push_back(infos[i] && is_unchanged(before.files[i], *infos[i]));
  return before;
}

bool WorkContent::is_unchanged(const KnownFile& last, const FileInfo& info) const {
  return last.inode != 0 && last.inode == info.inode && info.mtime_ns < reliable_before_ns_ &&
         last.size == info.size && last.mtime_ns == info.mtime_ns && last.ctime_ns == info.ctime_ns &&
         last.mode == mode_of(info);
}

Status WorkContent::inspect_all(const std::vector<Listed>& listing, const Before& before) {
  now_.reserve(listing.size());
  system::ProgressStage stage(progress_, "comparing files", listing.size());
  auto last = before.files.begin();
  const auto end = before.files.end();
  for (const Listed& listed : listing) {
    stage.add(1);
    while (last != end && last->path < listed.path) ++last;
    const bool known = last != end && last->path == listed.path;
    if (known && before.unchanged[static_cast<std::size_t>(last - before.files.begin())]) {
      now_.push_back(*last);
      continue;
    }
    Status looked = inspect(listed, known ? &*last : nullptr);
    if (looked) continue;
    // What was not reached is taken as it was, for the next look to begin with.
    now_.insert(now_.end(), last, end);
    return looked;
  }
  return {};
}

void WorkContent::Lister::sort() {
  const auto by_path = [](const Listed& a, const Listed& b) { return a.path < b.path; };
  if (!std::is_sorted(files.begin(), files.end(), by_path))
    std::stable_sort(files.begin(), files.end(), by_path);
  const auto same_path = [](const Listed& a, const Listed& b) { return a.path == b.path; };
  files.erase(std::unique(files.begin(), files.end(), same_path), files.end());
}

// git-ls-files: "H 100644 <id> 0" TAB path NUL; "S": skip-worktree; an unmerged path ("M") up to three times.
// Others: "? " path NUL, with a "/" at its end where it is a repository.
Status WorkContent::Lister::add(const std::string& prefix, std::string text, int depth) {
  std::string_view output = content.keep(std::move(text));
  while (!output.empty()) {
    std::string_view line = take_until(output, '\0');
    if (line.size() < 3 || line[1] != ' ')
      return base::fail(ErrorKind::io, "unexpected output from git ls-files");
    const char tag = line.front();
    line.remove_prefix(2);
    Listed listed;
    if (tag != '?') {
      std::string_view facts = take_until(line, '\t');
      listed.mode = take_until(facts, ' ');
      listed.id = take_until(facts, ' ');
      listed.sparse = tag == 'S';
    }
    const bool repository = line.ends_with('/');
    if (repository && content.in_repository_) continue;
    if (repository) line.remove_suffix(1);
    listed.path = prefix.empty() ? line : content.keep(prefix + std::string(line));
    if (listed.path.starts_with(kStagingBeside) || (leave_out && leave_out(listed.path))) continue;
    if (repository || listed.mode == kGitlinkMode) {
      TRY(add_submodule(listed.path, listed.id, depth));
    } else {
      files.push_back(listed);
    }
  }
  return {};
}

Status WorkContent::Lister::add_submodule(std::string_view place, std::string_view commit, int depth) {
  const std::string path(place);
  TRY_ASSIGN(const FileInfo git, content.chain_->info(path + "/.git"));
  if (git.kind == FileKind::missing) {
    files.push_back({place, kGitlinkMode, commit, false});
    return {};
  }
  if (depth >= kDeepestSubmodule)
    return base::fail(ErrorKind::io, path + " is a submodule nested too deeply");
  TRY(content.check_time());
  const std::string folder = content.place_.top + "/" + path;
  GitRun how;
  // A damaged submodule must not be taken for a folder of the repository around it.
  how.variables = {"GIT_CEILING_DIRECTORIES=" + folder.substr(0, folder.rfind('/'))};
  TRY_ASSIGN(system::Finished listed, content.git_.run(folder, list_words(), {}, how));
  if (listed.status != 0) return base::fail(base::with_context(refused(listed), "submodule " + path));
  return add(path + "/", std::move(listed.output), depth + 1);
}

Status WorkContent::inspect(const Listed& listed, const KnownFile* last) {
  const KnownFile as_listed{listed.path, listed.mode, listed.id};
  if (listed.mode == kGitlinkMode) {
    now_.push_back(as_listed);
    return {};
  }
  TRY_ASSIGN(const FileInfo info, chain_->info(listed.path));
  if (info.kind == FileKind::missing && listed.sparse) {
    now_.push_back(as_listed);
    return {};
  }
  const bool link = info.kind == FileKind::symlink;
  if (!link && info.kind != FileKind::regular) return {};
  if (last != nullptr && is_unchanged(*last, info)) {
    now_.push_back(*last);
    return {};
  }
  KnownFile known;
  known.path = listed.path;
  known.mode = mode_of(info);
  known.size = info.size;
  known.mtime_ns = info.mtime_ns;
  known.ctime_ns = info.ctime_ns;
  known.inode = info.mtime_ns < reliable_before_ns_ ? info.inode : 0;
  TRY(check_time());
  TRY_ASSIGN(system::Folder* const folder, chain_->folder_of(listed.path));
  const std::string name(name_part(listed.path));
  auto id = link ? folder->read_link(name).map(base::sha256_hex) : read_id(*folder, name, info.size);
  if (!id && id.error().kind == ErrorKind::not_found) return {};  // it went just now
  if (!id) return base::fail(std::move(id.error()));
  known.id = keep(std::move(*id));
  read_some_ = read_some_ || known.inode != 0;
  now_.push_back(known);
  return {};
}

Result<std::string> WorkContent::read_id(system::Folder& folder, const std::string& name,
                                         std::uint64_t size) const {
  base::Sha256 digest;
  for (std::uint64_t offset = 0;; offset += kChunk) {
    TRY_ASSIGN(const std::string bytes, folder.read_range(name, offset, kChunk));
    digest.add(bytes);
    if (bytes.size() < kChunk || offset + kChunk > 2 * size + kChunk) break;  // it grows while we read
    TRY(check_time());
  }
  return digest.hex();
}

Result<std::unique_ptr<system::Folder>> WorkContent::cache_folder() {
  Snapshots snapshots(processes_, files_, place_, {});
  TRY_ASSIGN(const auto own, snapshots.own_folder());
  return own->make_folder(kCacheFolder);
}

// Empty when it cannot be read: then nothing is known.
std::string WorkContent::read_cache(const std::string& name) {
  auto folder = files_.open_folder(place_.git_dir + "/plankeep/" + kCacheFolder);
  if (!folder) return {};
  auto text = (*folder)->read(name, kCacheLimit);
  return text ? std::move(*text) : std::string();
}

Status WorkContent::write_cache(const std::string& name) {
  TRY_ASSIGN(const auto folder, cache_folder());
  return system::write_file(*folder, name, to_text(now_), system::Durability::cache);
}

Status WorkContent::remember() {
  if (digest_.empty()) return base::fail(ErrorKind::internal, "nothing was read");
  TRY_ASSIGN(const auto folder, cache_folder());
  TRY_ASSIGN(const system::FileInfo there, folder->info(digest_));
  if (there.kind == FileKind::regular) return {};
  TRY(write_cache(digest_));
  TRY_ASSIGN(const std::vector<std::string> names, folder->list());
  std::vector<std::pair<std::int64_t, std::string>> looks;
  for (const std::string& name : names) {
    if (name.size() != kDigestDigits || !is_id(name)) continue;
    TRY_ASSIGN(const system::FileInfo info, folder->info(name));
    looks.emplace_back(info.mtime_ns, name);
  }
  std::sort(looks.begin(), looks.end(), std::greater<>());
  for (std::size_t i = kRemembered; i < looks.size(); ++i) TRY(folder->remove(looks[i].second));
  return {};
}

std::optional<std::vector<ContentChange>> WorkContent::changes_since(const std::string& digest) {
  if (digest_.empty() || digest.size() != kDigestDigits || !is_id(digest)) return std::nullopt;
  const std::string text = read_cache(digest);
  const KnownFiles before = known_files(text);
  if (digest_of(before) != digest) return std::nullopt;
  std::vector<ContentChange> changes;
  using Kind = ContentChange::Kind;
  auto old = before.begin();
  for (const KnownFile& known : now_) {
    for (; old != before.end() && old->path < known.path; ++old)
      changes.push_back({Kind::removed, std::string(old->path)});
    if (old == before.end() || old->path != known.path) {
      changes.push_back({Kind::added, std::string(known.path)});
      continue;
    }
    if (old->id != known.id || old->mode != known.mode)
      changes.push_back({Kind::changed, std::string(known.path)});
    ++old;
  }
  for (; old != before.end(); ++old) changes.push_back({Kind::removed, std::string(old->path)});
  return changes;
}

}  // namespace plankeep::git
