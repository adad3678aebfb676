#include "worktree/head_position.hpp"

#include <algorithm>
#include <charconv>
#include <utility>
#include <vector>

#include "base/sha256.hpp"
#include "git/git_output.hpp"

namespace plankeep::git {
namespace {

using base::ErrorKind;
using base::Result;
using base::Status;
using system::FileInfo;
using system::FileKind;

constexpr std::string_view kGitIndex = "index";
constexpr std::string_view kGitIndexLock = "index.lock";
constexpr std::string_view kNext = "next-index";           // in our own folder
constexpr std::string_view kNextLock = "next-index.lock";  // git's, while it writes the one above
constexpr std::uint64_t kLargestHeadIndex = std::uint64_t{1} << 30;
constexpr int kNo = 1;  // what git's commands answer that were asked not to complain
// Older than every file, so that git looks into each before it takes it for what the index says.
constexpr std::int64_t kLongAgo = 1'000'000'000;
constexpr const char* kReason = "plankeep rewind";

// A status of its own is an answer, and so is kNo; everything else (a signal, a broken repository) is not.
Result<std::string> answer(Snapshots& snapshots, const std::vector<std::string>& words) {
  TRY_ASSIGN(system::Finished finished, snapshots.run(words));
  if (finished.status == kNo) return std::string();
  if (finished.status != 0) return base::fail(refused(finished));
  return without_line_feed(std::move(finished.output));
}

Result<std::string> good(Snapshots& snapshots, const std::vector<std::string>& words,
                         const GitRun& how = {}) {
  TRY_ASSIGN(system::Finished finished, snapshots.run(words, {}, how));
  if (finished.status != 0) return base::fail(refused(finished));
  return std::move(finished.output);
}

// Of the index that `how` names, else the user's. In a sparse checkout git overlooks the skip-worktree bit of
// files that are there all the same; what the index itself says is asked here, whatever the work tree holds.
Result<std::string> entries_of(Snapshots& snapshots, const GitRun& how = {}) {
  return good(snapshots,
              {"-c", "sparse.expectFilesOutsideOfPatterns=true", "ls-files", "-z", "--stage", "-v"}, how);
}

Result<std::string> entries_digest(Snapshots& snapshots) {
  TRY_ASSIGN(const std::string entries, entries_of(snapshots));
  return base::sha256_hex(entries);
}

bool can_be_shared_index(std::string_view name) {
  constexpr std::string_view kSharedPrefix = "sharedindex.";
  return name.starts_with(kSharedPrefix) && is_id(name.substr(kSharedPrefix.size()));
}

Status remove_if_there(system::Folder& folder, std::string_view name) {
  Status removed = folder.remove(name);
  if (!removed && removed.error().kind == ErrorKind::not_found) return {};
  return removed;
}

Status write_next(system::Folder& own, const std::optional<FileInfo>& like, std::string_view bytes) {
  TRY(remove_if_there(own, kNext));
  TRY_ASSIGN(const auto file, like ? own.create_like(kNext, *like) : own.create_shared(kNext, false));
  TRY(file->write(bytes));
  return file->sync_data();
}

// The copy in our folder, for a git that is to look at it or change it; as old as what it is a copy of.
Result<GitRun> next_index(system::Folder& own, std::string_view bytes, std::int64_t mtime_ns) {
  TRY(remove_if_there(own, kNextLock));
  TRY(write_next(own, std::nullopt, bytes));
  TRY(own.set_modified(kNext, mtime_ns));
  GitRun how;
  how.variables = {"GIT_INDEX_FILE=" + own.path_of(kNext)};
  return how;
}

// nullopt: there is none.
Result<std::optional<system::FileContent>> index_file(Snapshots& snapshots, system::FileSystem& files) {
  TRY_ASSIGN(const auto git_dir, files.open_folder(snapshots.place().git_dir));
  auto content = git_dir->read_with_info(kGitIndex, kLargestHeadIndex);
  if (!content && content.error().kind == ErrorKind::not_found) return std::optional<system::FileContent>();
  if (!content) return base::fail(std::move(content.error()));
  return std::optional(std::move(*content));
}

}  // namespace

Result<HeadPosition> head_position(Snapshots& snapshots) {
  HeadPosition position;
  TRY_ASSIGN(position.branch, answer(snapshots, {"symbolic-ref", "--quiet", "HEAD"}));
  TRY_ASSIGN(position.commit, answer(snapshots, {"rev-parse", "--quiet", "--verify", "HEAD"}));
  TRY_ASSIGN(position.index, entries_digest(snapshots));
  return position;
}

Result<bool> has_commit(Snapshots& snapshots, const std::string& commit) {
  if (!is_id(commit)) return false;
  // "<id> commit <size>", "<id> missing".
  TRY_ASSIGN(const system::Finished finished, snapshots.run({"cat-file", "--batch-check"}, commit + "\n"));
  if (finished.status != 0) return base::fail(refused(finished));
  std::string_view line = finished.output;
  take_until(line, ' ');
  return line.starts_with("commit ");
}

Result<std::string> branch_at(Snapshots& snapshots, const std::string& branch, const std::string& commit) {
  if (branch.empty()) return std::string();
  TRY_ASSIGN(const std::string told,
             good(snapshots, {"for-each-ref",
                              "--format=%(refname)%00%(objectname)%00%(HEAD)%00%(worktreepath)", branch}));
  std::string_view line = told;
  if (take_until(line, '\0') != branch || take_until(line, '\0') != commit) return std::string();
  const bool here = take_until(line, '\0') == "*";
  const bool taken = !here && !take_until(line, '\n').empty();
  return taken ? std::string() : branch;
}

Result<std::size_t> commits_without_branch(Snapshots& snapshots, const std::string& commit,
                                           const std::string& keep) {
  std::vector<std::string> words{"rev-list", "--count",    commit,      "--not",
                                 keep,       "--branches", "--remotes", "--tags"};
  TRY_ASSIGN(const std::string told, good(snapshots, words));
  std::size_t count = 0;
  (void)std::from_chars(told.data(), told.data() + told.size(), count);
  return count;
}

Result<std::optional<std::string>> kept_index_file(Snapshots& snapshots, system::FileSystem& files,
                                                   const IndexCopy& copy) {
  if (copy.id.empty()) return std::optional<std::string>();
  if (!copy.shared_name.empty()) {
    if (!can_be_shared_index(copy.shared_name))
      return base::fail(ErrorKind::corrupt, "the snapshot names an invalid shared index");
    TRY_ASSIGN(const auto git_dir, files.open_folder(snapshots.place().git_dir));
    TRY_ASSIGN(const FileInfo there, git_dir->info(copy.shared_name));
    if (there.kind == FileKind::missing) {
      TRY_ASSIGN(const std::string shared, good(snapshots, {"cat-file", "blob", copy.shared_id}));
      TRY_ASSIGN(const auto own, snapshots.own_folder());
      TRY(write_next(*own, std::nullopt, shared));
      TRY(own->move(kNext, *git_dir, copy.shared_name));
    }
  }
  TRY_ASSIGN(std::string bytes, good(snapshots, {"cat-file", "blob", copy.id}));
  return std::optional(std::move(bytes));
}

Result<std::string> index_of_commit(Snapshots& snapshots, system::FileSystem& files,
                                    const std::string& commit) {
  TRY_ASSIGN(const auto own, snapshots.own_folder());
  TRY_ASSIGN(const auto present, index_file(snapshots, files));
  const system::FileContent empty;
  const system::FileContent& copied = present ? *present : empty;
  TRY_ASSIGN(const GitRun how, next_index(*own, copied.bytes, copied.info.mtime_ns));
  if (!present) TRY(own->remove(kNext));
  TRY(good(snapshots,
           {"-c", "core.splitIndex=false", "-c", "index.sparse=false", "read-tree", "-i", "--reset", commit},
           how));
  TRY_ASSIGN(std::string bytes, own->read(kNext, kLargestHeadIndex));
  TRY(own->remove(kNext));
  return bytes;
}

Result<std::optional<std::vector<std::string>>> kept_absent(Snapshots& snapshots, const IndexCopy& copy) {
  std::optional<std::vector<std::string>> paths;
  if (!copy.absent) return paths;
  paths.emplace();
  if (copy.absent->empty()) return paths;
  TRY_ASSIGN(const std::string listed, good(snapshots, {"cat-file", "blob", *copy.absent}));
  std::string_view rest = listed;
  while (!rest.empty()) paths->emplace_back(take_until(rest, '\0'));
  std::sort(paths->begin(), paths->end());
  return paths;
}

Result<IndexFacts> index_facts(Snapshots& snapshots, const std::optional<std::string>& bytes) {
  IndexFacts facts;
  facts.digest = base::sha256_hex("");
  if (!bytes) return facts;
  TRY_ASSIGN(const auto own, snapshots.own_folder());
  TRY_ASSIGN(const GitRun how, next_index(*own, *bytes, kLongAgo));
  TRY_ASSIGN(const std::string entries, entries_of(snapshots, how));
  TRY(own->remove(kNext));
  facts.digest = base::sha256_hex(entries);
  // "S 100644 <id> 0" TAB path NUL; "s" where it is assume-unchanged too.
  std::string_view rest = entries;
  while (!rest.empty()) {
    std::string_view path = take_until(rest, '\0');
    const std::string_view told = take_until(path, '\t');
    if (told.starts_with("S ") || told.starts_with("s ")) facts.skipped.emplace_back(path);
  }
  std::sort(facts.skipped.begin(), facts.skipped.end());
  return facts;
}

Status put_index(Snapshots& snapshots, system::FileSystem& files, const std::string& expected,
                 const std::optional<std::string>& bytes) {
  TRY_ASSIGN(const auto own, snapshots.own_folder());
  TRY_ASSIGN(const auto git_dir, files.open_folder(snapshots.place().git_dir));
  TRY_ASSIGN(const FileInfo there, git_dir->info(kGitIndex));
  const auto like = there.kind == FileKind::regular ? std::optional(there) : std::nullopt;
  TRY(write_next(*own, like, bytes.value_or(std::string())));
  TRY(own->set_modified(kNext, kLongAgo));
  Status locked = own->move(kNext, *git_dir, kGitIndexLock);
  if (!locked && locked.error().kind == ErrorKind::conflict)
    return base::fail(
        ErrorKind::busy, "git is running here: " + git_dir->path_of(kGitIndexLock) + " exists",
        "try again when it has finished; if git is not running, it is safe to remove that file");
  TRY(locked);
  const auto give_up = [&](base::Error error) -> Status {
    (void)git_dir->remove(kGitIndexLock);
    return base::fail(std::move(error));
  };
  const auto now = entries_digest(snapshots);
  if (!now) return give_up(now.error());
  if (*now != expected)
    return give_up({ErrorKind::conflict, "another program changed the index at the same time", {}, {}});
  Status done = bytes ? git_dir->rename(kGitIndexLock, kGitIndex) : remove_if_there(*git_dir, kGitIndex);
  if (!done) return give_up(done.error());
  if (!bytes) TRY(git_dir->remove(kGitIndexLock));
  return git_dir->sync();
}

Result<bool> remove_own_index_lock(Snapshots& snapshots, system::FileSystem& files, const std::string& one,
                                   const std::string& other) {
  TRY_ASSIGN(const auto own, snapshots.own_folder());
  for (const std::string_view name : {kNext, kNextLock}) TRY(remove_if_there(*own, name));
  TRY_ASSIGN(const auto git_dir, files.open_folder(snapshots.place().git_dir));
  const auto bytes = git_dir->read(kGitIndexLock, kLargestHeadIndex);
  if (!bytes && bytes.error().kind == ErrorKind::not_found) return false;
  if (!bytes) return base::fail(bytes.error());
  const std::string digest = base::sha256_hex(*bytes);
  if (digest != one && digest != other) return false;
  TRY(git_dir->remove(kGitIndexLock));
  return true;
}

Status put_head(Snapshots& snapshots, const HeadPosition& expected, const HeadPosition& to) {
  if (expected.same_head(to)) return {};
  HeadPosition now;
  TRY_ASSIGN(now.branch, answer(snapshots, {"symbolic-ref", "--quiet", "HEAD"}));
  TRY_ASSIGN(now.commit, answer(snapshots, {"rev-parse", "--quiet", "--verify", "HEAD"}));
  if (!now.same_head(expected))
    return base::fail(ErrorKind::conflict, "another program moved HEAD at the same time");
  if (to.branch.empty()) {
    TRY(good(snapshots, {"update-ref", "-m", kReason, "--no-deref", "HEAD", to.commit, now.commit}));
    return {};
  }
  TRY_ASSIGN(const std::string branch, branch_at(snapshots, to.branch, to.commit));
  if (branch.empty())
    return base::fail(ErrorKind::conflict, to.branch + " was moved by another program at the same time");
  TRY(good(snapshots, {"symbolic-ref", "-m", kReason, "HEAD", to.branch}));
  return {};
}

}  // namespace plankeep::git
