#pragma once
// Putting the work tree back to a snapshot, all of it or nothing of it (spec 14).
//
//   git::TreeRestore restore(snapshots, files);
//   TRY(restore.begin());                                     // the only one that does; else busy
//   TRY_ASSIGN(auto plan, restore.preview(now, target, skip));
//   TRY(restore.stage(plan, note));                           // nothing of the user's is touched up to here
//   TRY_ASSIGN(auto same, restore.still_held(plan));          // else drop() and start over
//   TRY(restore.move());                                      // an error: all is back as it was
//   ... what belongs to it ... then TRY(restore.finish()), or TRY_ASSIGN(auto left, restore.undo())
//
// What is done: the difference between `now` (a snapshot that was just taken and kept) and `target`. So a
// file that came since goes only when the safety snapshot holds it, and what neither holds (ignored files,
// what was left out of either snapshot, submodules and nested repositories, `skip`) stays as it is, and what
// a sparse checkout leaves out stays out, unless another index comes with it (ComingIndex); where such a file
// stands in the way of one that should come back, that one is listed in `kept` and not put back. A file that
// came since also stays when the ignore rules of `target` (its .gitignore files, with the user's info/exclude
// and core.excludesFile) cover it: it may have been there then. Bytes, permission bits and links are as in
// the snapshot; of one that does not know the bits only the executable bit is, and a file that was there
// before keeps its other ones. No link on the way to a file is ever followed.
//
// How: contents are written into <git-dir>/plankeep/rewind/new (or, when that is another file system,
// <top>/.plankeep-rewind/new); a full disk shows here. A journal then says all that will be done. Then old
// files are renamed into old/, new ones out of new/: that takes no space, and every step can be seen and
// taken back. A file that is not the one that stage() saw, or a name that somebody took meanwhile, stops
// it: conflict, and all is put back.
//
// Killed: before the journal stands, nothing happened (drop() or the next stage() clears up); after it,
// unfinished() tells it with its note, and undo() puts everything back, or finish() lets it stand, as the
// caller knows. undo() and finish() can be killed and done again: the journal goes first of what is cleared
// up. What somebody changed after it was put there is left as it is and listed. Where undo() fails the
// journal stays, and with it all that can still be put back.
//
// The journal, <git-dir>/plankeep/rewind/journal, is text, one fact a line (schemas/README.md).

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "git/git.hpp"
#include "system/file_system.hpp"
#include "worktree/snapshot.hpp"

namespace plankeep::git {

struct TreeChange {
  enum class What { added, changed, mode, type, removed };  // what happens to the path
  What what = What::changed;
  std::string path;
  std::string mode;                            // "100644", "100755", "120000"; empty: removed
  std::string id;                              // of the content; empty: removed
  std::optional<std::uint32_t> permissions{};  // of a regular file; nullopt: the snapshot does not say
  std::string old_mode{};                      // of what goes, as the snapshot of now holds it; empty: added
  std::string old_id{};
  std::optional<std::uint32_t> old_permissions{};  // likewise
  bool operator==(const TreeChange&) const = default;
};
/// "added", "changed", "mode", "type", "removed".
std::string_view name_of(TreeChange::What what);

/// A path that differs between the snapshots and is left unchanged.
struct KeptPath {
  std::string path;
  std::string why;
  bool operator==(const KeptPath&) const = default;
};

struct RestorePlan {
  std::vector<TreeChange> changes;  // by path
  std::vector<KeptPath> kept;       // likewise; a folder that stays whole ends with "/"
  /// Files and links in the way that `now` does not hold, ignored ones mostly; what they are in the way of is
  /// in `kept`. A snapshot that holds them (SafetyParts::also) lets the next preview() replace them.
  std::vector<std::string> unheld;
  /// What is not in one of the two snapshots, whether it changed or not: it is left unchanged.
  std::vector<LeftOut> left_out;
  /// What the target left out and is not there now: it cannot be brought back.
  std::vector<LeftOut> gone;
};

/// The index that will take the place of the user's, and with it what a sparse checkout leaves out.
struct ComingIndex {
  std::vector<std::string> skipped;                // paths with the skip-worktree bit, sorted
  std::optional<std::vector<std::string>> absent;  // those of them that were not in the work tree then,
                                                   // sorted; nullopt: not known, and none goes
};

struct RestoreJournal;
class RestoreStaging;

/// Whether a restore was broken off by a kill or a power loss, told by the names in `own`, which is
/// <git-dir>/plankeep. False while one is at work. What it was: TreeRestore::unfinished.
bool is_restore_broken_off(system::Folder& own);

class TreeRestore {
 public:
  /// `progress` is told of what takes long; may be null.
  TreeRestore(Snapshots& snapshots, system::FileSystem& files, system::Progress* progress = nullptr);
  ~TreeRestore();

  /// Takes the lock of this work tree's restores, until the object goes; busy when another has it for longer
  /// than two seconds. Before everything but preview() and a look with unfinished().
  [[nodiscard]] base::Status begin();

  /// Changes nothing of the user's. `now` may be a preview. `coming`: null when the index does not change,
  /// and with it what a sparse checkout leaves out. corrupt when the snapshot holds paths that no work tree
  /// can have, not_found when git has one of the two trees no more.
  [[nodiscard]] base::Result<RestorePlan> preview(const Captured& now, const Snapshot& target,
                                                  const LeaveOut& skip, const ComingIndex* coming = nullptr);

  /// Writes what is needed, and the journal with `note`. conflict when an unfinished one is there, when a
  /// file that would go was changed meanwhile, and when the files are on several file systems; not_found when
  /// git has a content no more. After an error nothing is staged.
  [[nodiscard]] base::Status stage(const RestorePlan& plan, const std::string& note);
  /// After stage(): every file that will go is what the snapshot of now holds of it, bytes and permission
  /// bits. move() sees to it that none is changed after this. Reads these files only.
  [[nodiscard]] base::Result<bool> still_held(const RestorePlan& plan);
  /// After stage(), instead of move(); or where unfinished() found none, to clear up what was left.
  [[nodiscard]] base::Status drop() { return finish(); }
  /// conflict: somebody else changed one of the files meanwhile. After an error all was put back, unless its
  /// message says that not everything could be: then the journal stays.
  [[nodiscard]] base::Status move();
  /// Lets stand what was done and clears up.
  [[nodiscard]] base::Status finish();
  /// Puts everything back; gives the paths that somebody changed meanwhile, which stay.
  [[nodiscard]] base::Result<std::vector<std::string>> undo();

  /// After unfinished(): whether move() completed, so that undo() would have to revert all of it.
  [[nodiscard]] base::Result<bool> all_moved();

  /// Instead of finish() or undo(), when neither can be done: sets journal, new/ and old/ aside, so that they
  /// do no harm, and nothing of them is lost. Gives the folder.
  [[nodiscard]] base::Result<std::string> give_up();

  /// The note of one that was neither finished nor undone; reads it in, for undo() or finish(). corrupt when
  /// its journal cannot be read: then nothing is touched.
  [[nodiscard]] base::Result<std::optional<std::string>> unfinished();

 private:
  [[nodiscard]] base::Status open_staging();
  [[nodiscard]] base::Status inspect_targets(const RestorePlan& plan);
  [[nodiscard]] base::Status write_contents(const RestorePlan& plan);
  [[nodiscard]] base::Status move_all();
  [[nodiscard]] base::Status move_away();
  [[nodiscard]] base::Status put_new();
  [[nodiscard]] base::Status take_back_new(std::vector<std::string>& changed);
  [[nodiscard]] base::Status put_old_back(std::vector<std::string>& changed);
  [[nodiscard]] base::Status sync_folders();

  Snapshots& snapshots_;
  system::FileSystem& files_;
  system::Progress* progress_;
  std::unique_ptr<RestoreStaging> staging_;
  std::unique_ptr<system::Lock> lock_;
  std::unique_ptr<RestoreJournal> journal_;
  bool synced_ = false;  // all names of the journal are on disk as they are
};

}  // namespace plankeep::git
