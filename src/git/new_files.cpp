#include "git/new_files.hpp"

#include <algorithm>
#include <memory>
#include <set>
#include <utility>

#include "git/git_output.hpp"

namespace plankeep::git {
namespace {

using base::ErrorKind;
using base::Result;
using base::Status;

constexpr std::string_view kNames = "new-files";
constexpr std::string_view kIndex = "index";
constexpr std::string_view kIndexLock = "index.lock";
constexpr std::uint64_t kLargestIndex = std::uint64_t{2} << 30;
constexpr std::uint64_t kNamesLimit = std::uint64_t{1} << 30;

std::string ended_by_nul(const std::vector<std::string>& paths) {
  std::string text;
  for (const std::string& path : paths) text.append(path).push_back('\0');
  return text;
}

bool same_file(const system::FileInfo& a, const system::FileInfo& b) {
  return a.kind == b.kind && a.inode == b.inode && a.size == b.size && a.mtime_ns == b.mtime_ns;
}

}  // namespace

NewFiles::~NewFiles() {
  if (announced_) (void)take_back();
}

Result<std::unique_ptr<system::Folder>> NewFiles::own_folder() {
  TRY_ASSIGN(const auto git_dir, files_.open_folder(tree_.git_dir));
  return git_dir->make_folder(kOwnGitFolder);
}

Result<bool> NewFiles::left_over() {
  TRY_ASSIGN(const auto git_dir, files_.open_folder(tree_.git_dir));
  const auto own = git_dir->open_folder(kOwnGitFolder);
  if (!own && own.error().kind == ErrorKind::not_found) return false;
  if (!own) return base::fail(own.error());
  TRY_ASSIGN(const system::FileInfo info, (*own)->info(kNames));
  return info.kind != system::FileKind::missing;
}

Status NewFiles::announce(const std::vector<std::string>& paths) {
  if (paths.empty()) return {};
  TRY_ASSIGN(const auto git_dir, files_.open_folder(tree_.git_dir));
  auto index = git_dir->read(kIndex, kLargestIndex);
  if (!index && index.error().kind != ErrorKind::not_found) return base::fail(index.error());
  const std::string names = ended_by_nul(paths);
  {
    TRY_ASSIGN(const auto own, own_folder());
    TRY_ASSIGN(const auto file, own->create(kNames));
    TRY(file->write(names));
  }
  TRY_ASSIGN(const system::Finished added, git_.run(tree_.top,
                                                    {"--literal-pathspecs", "add", "--intent-to-add",
                                                     "--pathspec-from-file=-", "--pathspec-file-nul"},
                                                    names));
  TRY_ASSIGN(announced_, git_dir->info(kIndex));
  if (index) index_ = std::move(*index);
  if (added.status == 0) return {};
  const base::Error error = refused(added);
  TRY(take_back());
  return base::fail(error);
}

void NewFiles::settle() {
  announced_.reset();
  index_.reset();
  // What stays behind names files that are committed: nothing comes of it.
  if (const auto own = own_folder()) (void)(*own)->remove(kNames);
}

// Under git's own lock of the index.
Status NewFiles::put_back_index() {
  TRY_ASSIGN(const auto git_dir, files_.open_folder(tree_.git_dir));
  TRY_ASSIGN(auto lock, git_dir->create_shared(kIndexLock, false));
  const auto put_back = [&]() -> Status {
    TRY_ASSIGN(const system::FileInfo now, git_dir->info(kIndex));
    if (!same_file(now, *announced_))
      return base::fail(ErrorKind::conflict, "the index was changed at the same time");
    if (!index_) return git_dir->remove(kIndex);
    TRY(lock->write(*index_));
    lock.reset();
    return git_dir->rename(kIndexLock, kIndex);
  };
  Status done = put_back();
  if (!done || !index_) {
    Status removed = git_dir->remove(kIndexLock);
    if (done && !removed) return removed;
  }
  return done;
}

// Only those of our list that have no content in the index.
Status NewFiles::forget_announced() {
  TRY_ASSIGN(const auto own, own_folder());
  const auto names = own->read(kNames, kNamesLimit);
  if (!names && names.error().kind == ErrorKind::not_found) return {};
  if (!names) return base::fail(names.error());
  std::set<std::string_view> ours;
  std::string_view rest = *names;
  while (!rest.empty()) ours.insert(take_until(rest, '\0'));
  TRY_ASSIGN(const system::Finished told,
             git_.run(tree_.top, {"diff-files", "--name-only", "--diff-filter=A", "-z"}));
  if (told.status != 0) return base::fail(refused(told));
  std::string forget;
  rest = told.output;
  while (!rest.empty()) {
    const std::string_view path = take_until(rest, '\0');
    if (ours.count(path) != 0) forget.append(path).push_back('\0');
  }
  if (forget.empty()) return {};
  TRY_ASSIGN(const system::Finished done,
             git_.run(tree_.top, {"update-index", "--force-remove", "-z", "--stdin"}, forget));
  return done.status == 0 ? Status{} : Status(base::fail(refused(done)));
}

Status NewFiles::take_back() {
  if (!announced_ || !put_back_index()) TRY(forget_announced());
  settle();
  return {};
}

}  // namespace plankeep::git
