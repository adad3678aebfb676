#include "worktree/restore_tree.hpp"

#include <algorithm>
#include <array>
#include <set>
#include <utility>

#include "base/enum_names.hpp"
#include "git/file_modes.hpp"
#include "git/folder_chain.hpp"
#include "git/git_output.hpp"
#include "worktree/blobs.hpp"
#include "worktree/restore_journal.hpp"
#include "worktree/restore_plan.hpp"
#include "worktree/restore_staging.hpp"

namespace plankeep::git {
namespace {

using base::ErrorKind;
using base::Result;
using base::Status;
using system::FileInfo;
using system::FileKind;

constexpr auto kNames = base::enum_names<TreeChange::What>({{TreeChange::What::added, "added"},
                                                            {TreeChange::What::changed, "changed"},
                                                            {TreeChange::What::mode, "mode"},
                                                            {TreeChange::What::type, "type"},
                                                            {TreeChange::What::removed, "removed"}});

// As git reads a path from its standard input, one a line.
std::string quoted(std::string_view path) {
  std::string text = "\"";
  for (const char c : path) {
    if (c == '\n') {
      text += "\\n";
      continue;
    }
    if (c == '"' || c == '\\') text += '\\';
    text += c;
  }
  return text + "\"";
}

bool same_file(const FileFacts& facts, const FileInfo& info) {
  const bool kind = info.kind == FileKind::regular || info.kind == FileKind::symlink;
  return kind && facts.inode == info.inode && facts.size == info.size && facts.mtime_ns == info.mtime_ns;
}

}  // namespace

std::string_view name_of(TreeChange::What what) {
  return kNames.name_of(what);
}

TreeRestore::TreeRestore(Snapshots& snapshots, system::FileSystem& files, system::Progress* progress)
    : snapshots_(snapshots), files_(files), progress_(progress) {}
TreeRestore::~TreeRestore() = default;

Status TreeRestore::open_staging() {
  TRY_ASSIGN(auto own, snapshots_.own_folder());
  staging_ = std::make_unique<RestoreStaging>(files_, snapshots_.place(), std::move(own));
  return {};
}

Status TreeRestore::begin() {
  TRY(open_staging());
  TRY_ASSIGN(lock_, staging_->lock());
  return {};
}

Result<RestorePlan> TreeRestore::preview(const Captured& now, const Snapshot& target, const LeaveOut& skip,
                                         const ComingIndex* coming) {
  return plan_restore(snapshots_, files_, now, target, skip, coming);
}

// What stands where something will be moved away, and which folders are there.
Status TreeRestore::inspect_targets(const RestorePlan& plan) {
  FolderChain chain(files_, snapshots_.place().top);
  std::set<std::string> made;
  std::set<std::string> left;
  for (const TreeChange& change : plan.changes) {
    RestoreOperation& operation = journal_->operations.emplace_back();
    operation.path = change.path;
    operation.mode = change.mode;
    operation.permissions = change.permissions;
    const auto folders = [&change](std::set<std::string>& into) {
      for (std::size_t slash = change.path.find('/'); slash != std::string::npos;
           slash = change.path.find('/', slash + 1))
        into.insert(change.path.substr(0, slash));
    };
    if (change.what == TreeChange::What::removed) folders(left);
    if (change.what == TreeChange::What::added) {
      std::set<std::string> all;
      folders(all);
      for (const std::string& folder : all) {
        TRY_ASSIGN(const FileInfo info, chain.info(folder));
        if (info.kind != FileKind::directory) made.insert(folder);
      }
      continue;
    }
    TRY_ASSIGN(const FileInfo info, chain.info(change.path));
    if (info.kind != FileKind::regular && info.kind != FileKind::symlink)
      return base::fail(ErrorKind::conflict,
                        change.path + " was changed by another program at the same time");
    operation.old_file = facts_of(info);
    if (info.kind == FileKind::regular) operation.like = info;
  }
  // A folder that something will be put into stays.
  for (const TreeChange& change : plan.changes) {
    if (change.id.empty()) continue;
    for (std::size_t slash = change.path.find('/'); slash != std::string::npos;
         slash = change.path.find('/', slash + 1))
      left.erase(change.path.substr(0, slash));
  }
  journal_->made.assign(made.begin(), made.end());
  journal_->emptied.assign(left.rbegin(), left.rend());
  return {};
}

Status TreeRestore::write_contents(const RestorePlan& plan) {
  std::vector<WantedBlob> wanted;
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < plan.changes.size(); ++i) {
    if (plan.changes[i].id.empty()) continue;
    wanted.push_back({plan.changes[i].id, plan.changes[i].path});
    places.push_back(i);
  }
  system::ProgressStage stage(progress_, "preparing files", wanted.size());
  TRY(read_blobs(snapshots_, wanted, [&](std::size_t blob, std::string_view content) {
    const std::size_t place = places[blob];
    stage.add(1);
    return staging_->write_content(place, content, journal_->operations[place]);
  }));
  return staging_->new_files().sync();
}

Status TreeRestore::stage(const RestorePlan& plan, const std::string& note) {
  TRY_ASSIGN(const auto waiting, unfinished());
  if (waiting)
    return base::fail(ErrorKind::conflict, "an earlier rewind was interrupted and has not been completed",
                      "for details: plankeep doctor");
  TRY(staging_->clear());
  journal_ = std::make_unique<RestoreJournal>();
  journal_->note = note;
  const auto all = [&]() -> Status {
    TRY(inspect_targets(plan));
    TRY_ASSIGN(journal_->beside, staging_->must_be_beside(journal_->operations));
    TRY(staging_->open(journal_->beside));
    TRY(write_contents(plan));
    return staging_->write_journal(*journal_);
  };
  Status staged = all();
  if (staged) return {};
  journal_.reset();
  (void)staging_->clear();
  return staged;
}

Result<bool> TreeRestore::still_held(const RestorePlan& plan) {
  FolderChain chain(files_, snapshots_.place().top);
  std::string paths;
  std::vector<std::string_view> ids;
  std::vector<WantedBlob> links;
  std::vector<std::string> targets;
  for (const TreeChange& change : plan.changes) {
    if (change.old_id.empty()) continue;
    TRY_ASSIGN(const FileInfo info, chain.info(change.path));
    const bool link = change.old_mode == kLinkMode;
    if (info.kind != (link ? FileKind::symlink : FileKind::regular)) return false;
    if (change.old_permissions && *change.old_permissions != info.mode) return false;
    if (link) {
      TRY_ASSIGN(system::Folder* const folder, chain.folder_of(change.path));
      TRY_ASSIGN(std::string target, folder->read_link(name_part(change.path)));
      targets.push_back(std::move(target));
      links.push_back({change.old_id, change.path});
    } else {
      paths += quoted(change.path) + "\n";
      ids.emplace_back(change.old_id);
    }
  }
  bool same = true;
  if (!links.empty()) {
    TRY(read_blobs(snapshots_, links, [&](std::size_t place, std::string_view content) -> Status {
      same = same && content == targets[place];
      return {};
    }));
  }
  if (ids.empty() || !same) return same;
  TRY_ASSIGN(const system::Finished hashed,
             snapshots_.run({"hash-object", "--no-filters", "--stdin-paths"}, paths));
  // One that was removed meanwhile.
  if (hashed.status != 0) return false;
  std::string_view rest = hashed.output;
  return std::all_of(ids.begin(), ids.end(),
                     [&](std::string_view id) { return take_until(rest, '\n') == id; });
}

Status TreeRestore::move_away() {
  FolderChain chain(files_, snapshots_.place().top);
  for (std::size_t i = 0; i < journal_->operations.size(); ++i) {
    const RestoreOperation& operation = journal_->operations[i];
    if (!operation.old_file) continue;
    const auto changed = [&operation] {
      return base::fail(ErrorKind::conflict,
                        operation.path + " was changed by another program at the same time",
                        "try again when the other program has finished");
    };
    const auto folder = chain.folder_of(operation.path);
    if (!folder) return changed();
    TRY_ASSIGN(const FileInfo info, (*folder)->info(name_part(operation.path)));
    if (!same_file(*operation.old_file, info)) return changed();
    TRY((*folder)->move(name_part(operation.path), staging_->old_files(), std::to_string(i)));
  }
  for (const std::string& path : journal_->emptied) {
    const auto folder = chain.folder_of(path);
    if (!folder) continue;
    // Levels below it are open: nothing is to be found through them any more.
    const Status removed = (*folder)->remove_folder(name_part(path));
    if (removed) chain.forget();
  }
  return {};
}

Status TreeRestore::put_new() {
  FolderChain chain(files_, snapshots_.place().top);
  for (std::size_t i = 0; i < journal_->operations.size(); ++i) {
    const RestoreOperation& operation = journal_->operations[i];
    if (!operation.new_file) continue;
    TRY_ASSIGN(system::Folder* const folder, chain.make_folder_of(operation.path));
    TRY(staging_->new_files().move(std::to_string(i), *folder, name_part(operation.path)));
  }
  return {};
}

Status TreeRestore::move_all() {
  TRY(move_away());
  return put_new();
}

Status TreeRestore::move() {
  const system::ProgressStage stage(progress_, "replacing files");
  Status moved = move_all();
  // On disk before anything else may say that the files are back.
  if (moved) moved = sync_folders();
  synced_ = moved.has_value();
  if (moved) return {};
  const auto undone = undo();
  if (undone) return moved;
  base::Error error = std::move(moved.error());
  error.message += "; and not everything could be restored: " + undone.error().message;
  error.hint = "for details: plankeep doctor";
  return base::fail(std::move(error));
}

// Names as they are now, on disk; before the journal goes.
Status TreeRestore::sync_folders() {
  FolderChain chain(files_, snapshots_.place().top);
  std::string last = "/";
  for (const RestoreOperation& operation : journal_->operations) {
    if (folder_part(operation.path) == last) continue;
    last = std::string(folder_part(operation.path));
    const auto folder = chain.folder_of(operation.path);
    if (folder) TRY((*folder)->sync());
  }
  return {};
}

Status TreeRestore::finish() {
  if (journal_ && !synced_) TRY(sync_folders());
  synced_ = false;
  const bool beside = journal_ && journal_->beside;
  journal_.reset();
  return staging_->clear(beside);
}

Status TreeRestore::take_back_new(std::vector<std::string>& changed) {
  FolderChain chain(files_, snapshots_.place().top);
  for (std::size_t i = journal_->operations.size(); i-- > 0;) {
    const RestoreOperation& operation = journal_->operations[i];
    if (!operation.new_file) continue;
    const std::string name = std::to_string(i);
    TRY_ASSIGN(const FileInfo staged, staging_->new_files().info(name));
    if (staged.kind != FileKind::missing) continue;  // it was not put there, or is back already
    TRY_ASSIGN(const FileInfo info, chain.info(operation.path));
    if (info.kind == FileKind::missing) continue;
    if (!same_file(*operation.new_file, info)) {
      // The old one, where an earlier undo came so far.
      if (!operation.old_file || !same_file(*operation.old_file, info)) changed.push_back(operation.path);
      continue;
    }
    TRY_ASSIGN(system::Folder* const folder, chain.folder_of(operation.path));
    TRY(folder->move(name_part(operation.path), staging_->new_files(), name));
  }
  for (std::size_t i = journal_->made.size(); i-- > 0;) {
    const std::string& path = journal_->made[i];
    const auto folder = chain.folder_of(path);
    if (folder && (*folder)->remove_folder(name_part(path))) chain.forget();
  }
  return {};
}

Status TreeRestore::put_old_back(std::vector<std::string>& changed) {
  FolderChain chain(files_, snapshots_.place().top);
  for (std::size_t i = 0; i < journal_->operations.size(); ++i) {
    const RestoreOperation& operation = journal_->operations[i];
    if (!operation.old_file) continue;
    const std::string name = std::to_string(i);
    TRY_ASSIGN(const FileInfo kept, staging_->old_files().info(name));
    if (kept.kind == FileKind::missing) continue;
    auto folder = chain.make_folder_of(operation.path);
    Status moved;
    if (folder) {
      moved = staging_->old_files().move(name, **folder, name_part(operation.path));
    } else {
      moved = base::fail(std::move(folder.error()));
    }
    if (moved) continue;
    const ErrorKind kind = moved.error().kind;
    if (kind != ErrorKind::conflict && kind != ErrorKind::corrupt) return moved;
    // Somebody took its place. Its content is in the safety snapshot.
    if (std::find(changed.begin(), changed.end(), operation.path) == changed.end())
      changed.push_back(operation.path);
  }
  return {};
}

Result<std::vector<std::string>> TreeRestore::undo() {
  std::vector<std::string> changed;
  if (journal_ == nullptr) return changed;
  synced_ = false;
  TRY(staging_->open(journal_->beside, true));
  TRY(take_back_new(changed));
  TRY(put_old_back(changed));
  TRY(finish());
  return changed;
}

Result<bool> TreeRestore::all_moved() {
  if (journal_ == nullptr) return false;
  TRY(staging_->open(journal_->beside));
  for (std::size_t i = 0; i < journal_->operations.size(); ++i) {
    const RestoreOperation& operation = journal_->operations[i];
    TRY_ASSIGN(const FileInfo staged, staging_->new_files().info(std::to_string(i)));
    TRY_ASSIGN(const FileInfo kept, staging_->old_files().info(std::to_string(i)));
    if (operation.new_file && staged.kind != FileKind::missing) return false;
    if (operation.old_file && kept.kind == FileKind::missing) return false;
  }
  return true;
}

Result<std::string> TreeRestore::give_up() {
  journal_.reset();
  return staging_->quarantine();
}

Result<std::optional<std::string>> TreeRestore::unfinished() {
  if (staging_ == nullptr) TRY(open_staging());
  TRY_ASSIGN(std::optional<RestoreJournal> journal, staging_->read_journal());
  if (!journal) return std::optional<std::string>();
  for (const RestoreOperation& operation : journal->operations) {
    if (!can_stand_in_work_tree(operation.path))
      return base::fail(ErrorKind::corrupt, "the journal of an unfinished rewind cannot be read");
  }
  journal_ = std::make_unique<RestoreJournal>(std::move(*journal));
  return std::optional(journal_->note);
}

}  // namespace plankeep::git
