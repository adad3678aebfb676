#include "git/restore_tree.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <map>
#include <set>
#include <utility>

#include "git/folder_chain.hpp"
#include "git/git_words.hpp"
#include "git/restore_journal.hpp"

namespace plankeep::git {
namespace {

using base::ErrorKind;
using base::Result;
using base::Status;
using system::FileInfo;
using system::FileKind;

constexpr std::string_view kStaging = "rewind";
constexpr std::string_view kLock = "rewind.lock";
constexpr std::string_view kJournal = "journal";
constexpr std::string_view kJournalNew = "journal.new";
constexpr std::string_view kNew = "new";
constexpr std::string_view kOld = "old";
constexpr std::string_view kGitlink = "160000";
constexpr std::string_view kLink = "120000";
constexpr std::string_view kExecutable = "100755";
constexpr std::chrono::milliseconds kPatience{2000};
constexpr std::uint64_t kJournalLimit = std::uint64_t{256} << 20;
// Contents asked of git at once; a larger one comes alone.
constexpr std::uint64_t kChunkBytes = std::uint64_t{32} << 20;
constexpr std::size_t kChunkFiles = 1000;
constexpr std::uint32_t kPermissions = 0777;
constexpr std::uint32_t kRun = 0111;
constexpr std::uint32_t kRead = 0444;
constexpr std::size_t kDeepest = 64;

constexpr std::array<std::pair<TreeChange::What, std::string_view>, 5> kNames{
    {{TreeChange::What::added, "added"},
     {TreeChange::What::changed, "changed"},
     {TreeChange::What::mode, "mode"},
     {TreeChange::What::type, "type"},
     {TreeChange::What::removed, "removed"}}};

bool is_git_folder(std::string_view name) {
  if (name.size() != 4) return false;
  constexpr std::string_view kGit = ".git";
  for (std::size_t i = 0; i < kGit.size(); ++i) {
    const char c = name[i];
    if ((c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c) != kGit[i]) return false;
  }
  return true;
}

// git itself lets no such path into a tree; a tree can be made without it.
bool acceptable(std::string_view path) {
  if (path.empty() || path.starts_with('/') || path.ends_with('/')) return false;
  while (!path.empty()) {
    const std::string_view part = take_until(path, '/');
    if (part.empty() || part == "." || part == ".." || is_git_folder(part)) return false;
  }
  return true;
}

bool within(std::string_view path, std::string_view top) {
  return path == top || (path.starts_with(top) && path.size() > top.size() && path[top.size()] == '/');
}

// The entry that `path` is, or lies in.
const LeftOut* covering(const std::vector<LeftOut>& left_out, std::string_view path) {
  const auto one = std::find_if(left_out.begin(), left_out.end(),
                                [path](const LeftOut& left) { return within(path, left.path); });
  return one == left_out.end() ? nullptr : &*one;
}

// Which paths can be put back when these are taken away.
class Obstacles {
 public:
  Obstacles(FolderChain& chain, const std::set<std::string_view>& leaving)
      : chain_(chain), leaving_(leaving) {}

  /// Why a new file cannot take its place; empty: it can.
  [[nodiscard]] Result<std::string> of(std::string_view path) {
    for (std::size_t slash = path.find('/'); slash != std::string_view::npos;
         slash = path.find('/', slash + 1)) {
      const std::string_view above = path.substr(0, slash);
      TRY_ASSIGN(const FileInfo info, chain_.info(above));
      if (info.kind == FileKind::missing) return std::string();
      if (info.kind != FileKind::directory) {
        if (leaving_.contains(above)) return std::string();
        return std::string(above) + " is in the way";
      }
      const std::string git = std::string(above) + "/.git";
      TRY_ASSIGN(const FileInfo nested, chain_.info(git));
      if (nested.kind != FileKind::missing) return std::string(above) + " is a repository of its own";
    }
    TRY_ASSIGN(const FileInfo info, chain_.info(path));
    if (info.kind == FileKind::missing || leaving_.contains(path)) return std::string();
    if (info.kind != FileKind::directory)
      return std::string("another file stands there that no snapshot holds");
    TRY_ASSIGN(const bool goes, vanishes(std::string(path), 0));
    return goes ? std::string() : std::string("a folder with other files stands there");
  }

 private:
  // Whether nothing is in a folder but what is taken away.
  Result<bool> vanishes(const std::string& folder, std::size_t depth) {
    if (depth > kDeepest) return false;
    TRY_ASSIGN(system::Folder* const parent, chain_.folder_of(folder + "/x"));
    TRY_ASSIGN(const std::vector<system::FolderEntry> entries, parent->entries());
    if (entries.empty()) return false;  // it was empty before: somebody wants it
    for (const system::FolderEntry& entry : entries) {
      const std::string path = folder + "/" + entry.name;
      bool goes = leaving_.contains(path);
      if (!goes && entry.kind == FileKind::directory) {
        TRY_ASSIGN(goes, vanishes(path, depth + 1));
      }
      if (!goes) return false;
    }
    return true;
  }

  FolderChain& chain_;
  const std::set<std::string_view>& leaving_;
};

bool same_file(const FileFacts& facts, const FileInfo& info) {
  const bool kind = info.kind == FileKind::regular || info.kind == FileKind::symlink;
  return kind && facts.inode == info.inode && facts.size == info.size && facts.mtime_ns == info.mtime_ns;
}

FileFacts facts_of(const FileInfo& info) {
  return {info.inode, info.size, info.mtime_ns};
}

}  // namespace

std::string_view name_of(TreeChange::What what) {
  for (const auto& [one, name] : kNames) {
    if (one == what) return name;
  }
  return {};
}

TreeRestore::TreeRestore(Snapshots& snapshots, system::FileSystem& files)
    : snapshots_(snapshots), files_(files) {}
TreeRestore::~TreeRestore() = default;

Status TreeRestore::begin() {
  TRY_ASSIGN(own_, snapshots_.own_folder());
  TRY_ASSIGN(lock_, own_->lock(kLock, kPatience));
  return {};
}

Result<RestorePlan> TreeRestore::preview(const Captured& now, const Snapshot& target, const LeaveOut& skip) {
  RestorePlan plan;
  TRY_ASSIGN(const system::Finished finished,
             snapshots_.run({"diff-tree", "-r", "-z", "--raw", "--no-renames", "--no-abbrev", "--no-ext-diff",
                             now.tree, target.tree}));
  if (finished.status != 0) {
    base::Error error = refused(finished);
    if (error.message.find("bad object") != std::string::npos ||
        error.message.find("unable to read") != std::string::npos)
      error.kind = ErrorKind::not_found;
    return base::fail(std::move(error));
  }
  TRY_ASSIGN(const std::vector<std::string> sparse, snapshots_.sparse_paths());
  std::string_view rest = finished.output;
  while (!rest.empty()) {
    // gitdiff-core: ":100644 100755 <id> <id> M" NUL path NUL.
    std::string_view facts = take_until(rest, '\0');
    const std::string path(take_until(rest, '\0'));
    if (!facts.starts_with(':') || path.empty())
      return base::fail(ErrorKind::io, "git diff-tree says something else than files");
    facts.remove_prefix(1);
    const std::string_view old_mode = take_until(facts, ' ');
    const std::string_view new_mode = take_until(facts, ' ');
    const std::string_view old_id = take_until(facts, ' ');
    const std::string_view new_id = take_until(facts, ' ');
    if (!acceptable(path))
      return base::fail(ErrorKind::corrupt, "the snapshot holds a path that no work tree can have: " + path);
    if (old_mode == kGitlink || new_mode == kGitlink) continue;
    if (skip && skip(path)) continue;
    if (path.starts_with(kStagingBeside)) continue;
    if (std::binary_search(sparse.begin(), sparse.end(), path)) {
      plan.kept.push_back({path, "a sparse checkout leaves it out"});
      continue;
    }
    const LeftOut* left = covering(now.left_out, path);
    const bool then = left == nullptr;
    if (then) left = covering(target.left_out, path);
    if (left != nullptr) {
      plan.kept.push_back({path, std::string(name_of(left->why)) +
                                     (then ? ": not in the snapshot" : ": no snapshot holds it as it is")});
      continue;
    }
    TreeChange change;
    change.path = path;
    change.mode = std::string(new_mode);
    change.id = std::string(new_id);
    const bool link = old_mode == kLink || new_mode == kLink;
    if (new_mode == "000000") {
      change.what = TreeChange::What::removed;
      change.mode.clear();
      change.id.clear();
    } else if (old_mode == "000000") {
      change.what = TreeChange::What::added;
    } else if (old_mode != new_mode && link) {
      change.what = TreeChange::What::type;
    } else if (old_id == new_id) {
      change.what = TreeChange::What::mode;
    }
    plan.changes.push_back(std::move(change));
  }
  std::sort(plan.changes.begin(), plan.changes.end(),
            [](const TreeChange& a, const TreeChange& b) { return a.path < b.path; });

  std::set<std::string_view> leaving;
  for (const TreeChange& change : plan.changes) {
    if (change.what != TreeChange::What::added) leaving.insert(change.path);
  }
  FolderChain chain(files_, snapshots_.place().top);
  Obstacles obstacles(chain, leaving);
  std::vector<TreeChange> possible;
  possible.reserve(plan.changes.size());
  for (TreeChange& change : plan.changes) {
    std::string why;
    if (change.what == TreeChange::What::added) {
      TRY_ASSIGN(why, obstacles.of(change.path));
    }
    if (why.empty()) {
      possible.push_back(change);
    } else {
      plan.kept.push_back({change.path, std::move(why)});
    }
  }
  plan.changes = std::move(possible);
  std::sort(plan.kept.begin(), plan.kept.end(),
            [](const KeptPath& a, const KeptPath& b) { return a.path < b.path; });
  return plan;
}

// The folder whose file system both the staging and the targets are on.
Status TreeRestore::choose_staging() {
  const SnapshotPlace& place = snapshots_.place();
  TRY_ASSIGN(const FileInfo git_dir, files_.info(place.git_dir));
  TRY_ASSIGN(const FileInfo top, files_.info(place.top));
  FolderChain chain(files_, place.top);
  std::set<std::uint64_t> devices{top.device};
  for (const RestoreOperation& operation : journal_->operations) {
    const std::string_view path = operation.path;
    for (std::size_t slash = path.find('/'); slash != std::string_view::npos;
         slash = path.find('/', slash + 1)) {
      TRY_ASSIGN(const FileInfo info, chain.info(path.substr(0, slash)));
      if (info.kind != FileKind::directory) break;
      devices.insert(info.device);
    }
  }
  if (devices.size() > 1)
    return base::fail(ErrorKind::conflict, "the files that would change are on several file systems",
                      "git itself can do it: plankeep rewind --head");
  journal_->beside = git_dir.device != top.device;
  return {};
}

Status TreeRestore::open_staging(bool make) {
  const auto open = [make](system::Folder& in, std::string_view name) {
    return make ? in.make_folder(name) : in.open_folder(name);
  };
  std::unique_ptr<system::Folder> base;
  if (journal_->beside) {
    TRY_ASSIGN(const auto top, files_.open_folder(snapshots_.place().top));
    TRY_ASSIGN(base, open(*top, kStagingBeside.substr(0, kStagingBeside.size() - 1)));
  } else {
    TRY_ASSIGN(base, open(*own_, kStaging));
  }
  TRY_ASSIGN(new_, open(*base, kNew));
  TRY_ASSIGN(old_, open(*base, kOld));
  return {};
}

// The journal goes first: without it there is only something to be cleared away.
Status TreeRestore::clear_staging() {
  new_.reset();
  old_.reset();
  const auto empty = [](system::Folder& in) -> Status {
    for (const std::string_view part : {kNew, kOld}) {
      auto folder = in.open_folder(part);
      if (!folder && folder.error().kind == ErrorKind::not_found) continue;
      if (!folder) return base::fail(std::move(folder.error()));
      TRY_ASSIGN(const std::vector<std::string> names, (*folder)->list());
      for (const std::string& name : names) TRY((*folder)->remove(name));
      TRY(in.remove_folder(part));
    }
    return {};
  };
  auto staging = own_->open_folder(kStaging);
  if (staging) {
    for (const std::string_view name : {kJournal, kJournalNew}) {
      const Status removed = (*staging)->remove(name);
      if (!removed && removed.error().kind != ErrorKind::not_found) return base::fail(removed.error());
      if (name == kJournal) TRY((*staging)->sync());
    }
    TRY(empty(**staging));
    TRY(own_->remove_folder(kStaging));
  }
  TRY_ASSIGN(const auto top, files_.open_folder(snapshots_.place().top));
  const std::string_view beside = kStagingBeside.substr(0, kStagingBeside.size() - 1);
  auto other = top->open_folder(beside);
  if (!other) return {};
  TRY(empty(**other));
  return top->remove_folder(beside);
}

// What stands where something will be moved away, and which folders are there.
Status TreeRestore::look_at_targets(const RestorePlan& plan) {
  FolderChain chain(files_, snapshots_.place().top);
  std::set<std::string> made;
  std::set<std::string> left;
  for (const TreeChange& change : plan.changes) {
    RestoreOperation& operation = journal_->operations.emplace_back();
    operation.path = change.path;
    operation.mode = change.mode;
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
      return base::fail(ErrorKind::conflict, change.path + " was changed by somebody else meanwhile");
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

Status TreeRestore::write_one(std::size_t place, std::string_view content) {
  RestoreOperation& operation = journal_->operations[place];
  const std::string name = std::to_string(place);
  if (operation.mode == kLink) {
    if (content.empty() || content.find('\0') != std::string_view::npos)
      return base::fail(ErrorKind::corrupt, operation.path + " is a link that no system can have");
    TRY(new_->create_link(name, std::string(content)));
  } else {
    const bool executable = operation.mode == kExecutable;
    std::unique_ptr<system::WritableFile> file;
    if (operation.like) {
      FileInfo like = *operation.like;
      like.mode &= kPermissions;
      like.mode = executable ? like.mode | ((like.mode & kRead) >> 2U) : like.mode & ~kRun;
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

Status TreeRestore::write_contents(const RestorePlan& plan) {
  // Ids in the order of the changes, each with its size: "<id> blob <size>" or "<id> missing".
  std::string ids;
  std::vector<std::size_t> wanted;
  for (std::size_t i = 0; i < plan.changes.size(); ++i) {
    if (plan.changes[i].id.empty()) continue;
    ids.append(plan.changes[i].id).append(1, '\n');
    wanted.push_back(i);
  }
  TRY_ASSIGN(const system::Finished looked, snapshots_.run({"cat-file", "--batch-check"}, ids));
  if (looked.status != 0) return base::fail(refused(looked));
  std::vector<std::uint64_t> sizes;
  std::string_view rest = looked.output;
  for (const std::size_t i : wanted) {
    std::string_view line = take_until(rest, '\n');
    take_until(line, ' ');
    if (take_until(line, ' ') != "blob")
      return base::fail(ErrorKind::not_found,
                        "the content of " + plan.changes[i].path + " is no longer in the repository");
    std::uint64_t size = 0;
    (void)std::from_chars(line.data(), line.data() + line.size(), size);
    sizes.push_back(size);
  }
  std::size_t first = 0;
  while (first < wanted.size()) {
    std::size_t end = first;
    std::uint64_t bytes = 0;
    std::string some;
    while (end < wanted.size() && end - first < kChunkFiles &&
           (end == first || bytes + sizes[end] <= kChunkBytes)) {
      bytes += sizes[end];
      some.append(plan.changes[wanted[end]].id).append(1, '\n');
      ++end;
    }
    TRY_ASSIGN(const system::Finished given, snapshots_.run({"cat-file", "--batch"}, some));
    if (given.status != 0) return base::fail(refused(given));
    std::string_view contents = given.output;
    for (std::size_t i = first; i < end; ++i) {
      const std::string_view head = take_until(contents, '\n');
      const bool whole = head.starts_with(plan.changes[wanted[i]].id) && contents.size() > sizes[i] &&
                         contents[sizes[i]] == '\n';
      if (!whole) return base::fail(ErrorKind::io, "git cat-file gives something else than was asked for");
      TRY(write_one(wanted[i], contents.substr(0, sizes[i])));
      contents.remove_prefix(sizes[i] + 1);
    }
    first = end;
  }
  return new_->sync();
}

Status TreeRestore::write_journal() {
  TRY_ASSIGN(const auto staging, own_->make_folder(kStaging));
  TRY_ASSIGN(const auto file, staging->create(kJournalNew));
  TRY(file->write(to_text(*journal_)));
  TRY(file->sync_data());
  TRY(staging->rename(kJournalNew, kJournal));
  TRY(staging->sync());
  return own_->sync();
}

Status TreeRestore::stage(const RestorePlan& plan, const std::string& note) {
  TRY_ASSIGN(const auto waiting, unfinished());
  if (waiting)
    return base::fail(ErrorKind::conflict, "an earlier rewind was broken off and is not cleared up",
                      "plankeep doctor says what it left");
  TRY(clear_staging());
  journal_ = std::make_unique<RestoreJournal>();
  journal_->note = note;
  const auto all = [&]() -> Status {
    TRY(look_at_targets(plan));
    TRY(choose_staging());
    TRY(open_staging(true));
    TRY(write_contents(plan));
    return write_journal();
  };
  Status staged = all();
  if (staged) return {};
  journal_.reset();
  (void)clear_staging();
  return staged;
}

Status TreeRestore::move_away() {
  FolderChain chain(files_, snapshots_.place().top);
  for (std::size_t i = 0; i < journal_->operations.size(); ++i) {
    const RestoreOperation& operation = journal_->operations[i];
    if (!operation.old_file) continue;
    const auto changed = [&operation] {
      return base::fail(ErrorKind::conflict, operation.path + " was changed by somebody else meanwhile",
                        "try again when the other program is done");
    };
    const auto folder = chain.folder_of(operation.path);
    if (!folder) return changed();
    TRY_ASSIGN(const FileInfo info, (*folder)->info(name_part(operation.path)));
    if (!same_file(*operation.old_file, info)) return changed();
    TRY((*folder)->move(name_part(operation.path), *old_, std::to_string(i)));
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
    TRY(new_->move(std::to_string(i), *folder, name_part(operation.path)));
  }
  return {};
}

Status TreeRestore::move_all() {
  TRY(move_away());
  return put_new();
}

Status TreeRestore::move() {
  Status moved = move_all();
  if (moved) return {};
  const auto undone = undo();
  if (undone) return moved;
  base::Error error = std::move(moved.error());
  error.message += "; and not everything could be put back: " + undone.error().message;
  error.hint = "plankeep doctor says what is left to do";
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
  if (journal_) TRY(sync_folders());
  journal_.reset();
  return clear_staging();
}

Status TreeRestore::take_back_new(std::vector<std::string>& changed) {
  FolderChain chain(files_, snapshots_.place().top);
  for (std::size_t i = journal_->operations.size(); i-- > 0;) {
    const RestoreOperation& operation = journal_->operations[i];
    if (!operation.new_file) continue;
    const std::string name = std::to_string(i);
    TRY_ASSIGN(const FileInfo staged, new_->info(name));
    if (staged.kind != FileKind::missing) continue;  // it was not put there, or is back already
    TRY_ASSIGN(const FileInfo info, chain.info(operation.path));
    if (info.kind == FileKind::missing) continue;
    if (!same_file(*operation.new_file, info)) {
      // The old one, where an earlier undo came so far.
      if (!operation.old_file || !same_file(*operation.old_file, info)) changed.push_back(operation.path);
      continue;
    }
    TRY_ASSIGN(system::Folder* const folder, chain.folder_of(operation.path));
    TRY(folder->move(name_part(operation.path), *new_, name));
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
    TRY_ASSIGN(const FileInfo kept, old_->info(name));
    if (kept.kind == FileKind::missing) continue;
    auto folder = chain.make_folder_of(operation.path);
    Status moved;
    if (folder) {
      moved = old_->move(name, **folder, name_part(operation.path));
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
  TRY(open_staging(true));
  TRY(take_back_new(changed));
  TRY(put_old_back(changed));
  TRY(finish());
  return changed;
}

Result<std::optional<std::string>> TreeRestore::unfinished() {
  if (own_ == nullptr) {
    TRY_ASSIGN(own_, snapshots_.own_folder());
  }
  const auto staging = own_->open_folder(kStaging);
  if (!staging && staging.error().kind == ErrorKind::not_found) return std::optional<std::string>();
  if (!staging) return base::fail(staging.error());
  const auto text = (*staging)->read(kJournal, kJournalLimit);
  if (!text && text.error().kind == ErrorKind::not_found) return std::optional<std::string>();
  if (!text) return base::fail(text.error());
  TRY_ASSIGN(RestoreJournal journal, restore_journal(*text));
  for (const RestoreOperation& operation : journal.operations) {
    if (!acceptable(operation.path))
      return base::fail(ErrorKind::corrupt, "the journal of an unfinished rewind cannot be read");
  }
  journal_ = std::make_unique<RestoreJournal>(std::move(journal));
  return std::optional(journal_->note);
}

}  // namespace plankeep::git
