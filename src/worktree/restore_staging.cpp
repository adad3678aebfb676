#include "worktree/restore_staging.hpp"

#include <algorithm>
#include <chrono>
#include <set>
#include <utility>

#include "git/file_modes.hpp"
#include "git/folder_chain.hpp"
#include "system/atomic_file.hpp"
#include "worktree/restore_tree.hpp"
#include "worktree/scratch.hpp"

namespace plankeep::git {
namespace {

using base::ErrorKind;
using base::Result;
using base::Status;
using system::FileInfo;
using system::FileKind;

constexpr std::string_view kStaging = "rewind";
constexpr std::string_view kRewindLock = "rewind.lock";
constexpr std::string_view kJournal = "journal";
constexpr std::string_view kNew = "new";
constexpr std::string_view kOld = "old";
constexpr std::string_view kGivenUp = "given-up-";
constexpr std::chrono::milliseconds kTimeout{2000};
constexpr std::uint64_t kJournalLimit = std::uint64_t{256} << 20;
constexpr std::uint32_t kPermissions = 0777;
constexpr std::uint32_t kRun = 0111;
constexpr std::uint32_t kRead = 0444;

// The name of the one beside, in the work tree's top.
constexpr std::string_view kBeside = kStagingBeside.substr(0, kStagingBeside.size() - 1);

// Removes new/ and old/ with what is in them.
Status empty_staging(system::Folder& in) {
  for (const std::string_view part : {kNew, kOld}) TRY(remove_tree(in, part, 0));
  return {};
}

}  // namespace

bool is_restore_broken_off(system::Folder& own) {
  const auto staging = own.open_folder(kStaging);
  if (!staging) return false;
  const auto journal = (*staging)->info(kJournal);
  if (!journal || journal->kind != FileKind::regular) return false;
  // Whoever is at it holds the lock.
  const auto lock = own.lock(kRewindLock, std::chrono::milliseconds{0});
  return lock || lock.error().kind != ErrorKind::busy;
}

Result<std::unique_ptr<system::Lock>> RestoreStaging::lock() {
  return own_->lock(kRewindLock, kTimeout);
}

Result<bool> RestoreStaging::must_be_beside(const std::vector<RestoreOperation>& operations) {
  TRY_ASSIGN(const FileInfo git_dir, files_.info(place_.git_dir));
  TRY_ASSIGN(const FileInfo top, files_.info(place_.top));
  FolderChain chain(files_, place_.top);
  std::set<std::uint64_t> devices{top.device};
  for (const RestoreOperation& operation : operations) {
    const std::string_view path = operation.path;
    for (std::size_t slash = path.find('/'); slash != std::string_view::npos;
         slash = path.find('/', slash + 1)) {
      TRY_ASSIGN(const FileInfo info, chain.info(path.substr(0, slash)));
      if (info.kind != FileKind::directory) break;
      devices.insert(info.device);
    }
  }
  if (devices.size() > 1)
    return base::fail(ErrorKind::conflict, "the files to change are on several file systems",
                      "use git itself: plankeep rewind --head");
  return git_dir.device != top.device;
}

Result<std::unique_ptr<system::Folder>> RestoreStaging::open_beside(bool journaled) {
  TRY_ASSIGN(const auto top, files_.open_folder(place_.top));
  TRY_ASSIGN(auto folder, top->make_folder(kBeside));
  TRY_ASSIGN(const std::vector<std::string> names, folder->list());
  const bool marked = std::find(names.begin(), names.end(), kStagingMark) != names.end();
  if (!marked && !journaled && !names.empty())
    return base::fail(ErrorKind::conflict, folder->path() + " is in the way and is not plankeep's",
                      "rename it, or keep the git directory on the work tree's file system");
  if (!marked) {
    TRY_ASSIGN(const auto mark, folder->create(kStagingMark));
    TRY(mark->sync_data());
  }
  return folder;
}

Status RestoreStaging::open(bool beside, bool journaled) {
  std::unique_ptr<system::Folder> base;
  if (beside) {
    TRY_ASSIGN(base, open_beside(journaled));
  } else {
    TRY_ASSIGN(base, own_->make_folder(kStaging));
  }
  TRY_ASSIGN(new_, base->make_folder(kNew));
  TRY_ASSIGN(old_, base->make_folder(kOld));
  return {};
}

Status RestoreStaging::write_content(std::size_t place, std::string_view content,
                                     RestoreOperation& operation) {
  const std::string name = std::to_string(place);
  if (operation.mode == kLinkMode) {
    if (content.empty() || content.find('\0') != std::string_view::npos)
      return base::fail(ErrorKind::corrupt, operation.path + " has an invalid symlink target");
    TRY(new_->create_link(name, std::string(content)));
  } else {
    const bool executable = operation.mode == kExecutableMode;
    std::unique_ptr<system::WritableFile> file;
    if (operation.like || operation.permissions) {
      // One that was not there belongs to whom the git directory does.
      FileInfo like;
      if (operation.like) {
        like = *operation.like;
      } else {
        TRY_ASSIGN(like, files_.info(place_.git_dir));
      }
      like.mode &= kPermissions;
      like.mode = executable ? like.mode | ((like.mode & kRead) >> 2U) : like.mode & ~kRun;
      if (operation.permissions) like.mode = *operation.permissions;
      TRY_ASSIGN(file, new_->create_like(name, like));
    } else {
      TRY_ASSIGN(file, new_->create_shared(name, executable));
    }
    TRY(file->write(content));
    TRY(file->sync_data());
  }
  TRY_ASSIGN(const FileInfo info, new_->info(name));
  operation.new_file = facts_of(info);
  return {};
}

Status RestoreStaging::write_journal(const RestoreJournal& journal) {
  TRY_ASSIGN(const auto staging, own_->make_folder(kStaging));
  TRY(system::write_file(*staging, kJournal, to_text(journal), system::Durability::durable));
  return own_->sync();
}

Result<std::optional<RestoreJournal>> RestoreStaging::read_journal() {
  const auto staging = own_->open_folder(kStaging);
  if (!staging && staging.error().kind == ErrorKind::not_found) return std::optional<RestoreJournal>();
  if (!staging) return base::fail(staging.error());
  const auto text = (*staging)->read(kJournal, kJournalLimit);
  if (!text && text.error().kind == ErrorKind::not_found) return std::optional<RestoreJournal>();
  if (!text) return base::fail(text.error());
  TRY_ASSIGN(RestoreJournal journal, restore_journal(*text));
  return std::optional(std::move(journal));
}

Result<std::string> RestoreStaging::quarantine() {
  new_.reset();
  old_.reset();
  const auto top = files_.open_folder(place_.top);
  for (int number = 1;; ++number) {
    const std::string name = std::string(kGivenUp) + std::to_string(number);
    const std::string beside = std::string(kBeside) + "-" + name;
    TRY_ASSIGN(const FileInfo taken, own_->info(name));
    if (taken.kind != FileKind::missing) continue;
    if (top) {
      TRY_ASSIGN(const FileInfo other, (*top)->info(beside));
      if (other.kind != FileKind::missing) continue;
      const auto contents = (*top)->open_folder(kBeside);
      const auto mark = contents ? (*contents)->info(kStagingMark) : Result<FileInfo>(FileInfo{});
      // Without the mark it is a folder of the user's own.
      if (mark && mark->kind != FileKind::missing) TRY((*top)->rename(kBeside, beside));
    }
    TRY(own_->rename(kStaging, name));
    TRY(own_->sync());
    return own_->path_of(name);
  }
}

Status RestoreStaging::clear_beside(bool journaled) {
  TRY_ASSIGN(const auto top, files_.open_folder(place_.top));
  const auto folder = top->open_folder(kBeside);
  if (!folder) return {};
  TRY_ASSIGN(const std::vector<std::string> names, (*folder)->list());
  const bool marked = std::find(names.begin(), names.end(), kStagingMark) != names.end();
  if (!marked && names.empty()) {
    // Made, and killed before it was marked; or the user's, where none of ours would be.
    TRY_ASSIGN(const FileInfo git_dir, files_.info(place_.git_dir));
    TRY_ASSIGN(const FileInfo work_tree, files_.info(place_.top));
    if (git_dir.device == work_tree.device) return {};
  } else if (!marked && !journaled) {
    return {};
  }
  TRY(empty_staging(**folder));
  if (marked) TRY((*folder)->remove(kStagingMark));
  return top->remove_folder(kBeside);
}

Status RestoreStaging::clear(bool journaled_beside) {
  new_.reset();
  old_.reset();
  auto staging = own_->open_folder(kStaging);
  if (staging) {
    // The journal first, and for good; then what a write of it may have left.
    for (const std::string& name : {std::string(kJournal), system::temporary_name(kJournal)}) {
      const Status removed = (*staging)->remove(name);
      if (!removed && removed.error().kind != ErrorKind::not_found) return base::fail(removed.error());
      if (name == kJournal) TRY((*staging)->sync());
    }
    TRY(empty_staging(**staging));
    TRY(own_->remove_folder(kStaging));
  }
  return clear_beside(journaled_beside);
}

}  // namespace plankeep::git
