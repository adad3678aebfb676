#pragma once
// The work tree at a moment, as a commit that no branch leads to (spec 14): what `rewind` goes back to.
//
//   TRY_ASSIGN(auto opened, git::open_snapshots(processes, files, folder));   // nullopt: nothing to take
//   git::Snapshots snapshots(processes, files, *opened, leave_out);
//   TRY_ASSIGN(auto captured, snapshots.capture(limits));   // objects that no ref keeps from git's gc
//   TRY_ASSIGN(auto kept, snapshots.keep(captured, ref, when, "turn cp_0a1b2c_004"));
//   TRY_ASSIGN(auto seen, snapshots.inspect(limits));          // only to compare with: leaves no object
//   behind
//
// In it: every file that git tracks and every one that it neither tracks nor ignores, with the exact bytes,
// all permission bits, and links as links. Not in it (Snapshot::left_out, and in the commit's message, so
// that going back does not take them for files that were not there): what git ignores and `leave_out`;
// submodules and nested repositories, whole (any folder with a .git in it, also one with tracked files);
// files over the size limit; what cannot be read; files that look like keys or .env, unless git tracks them.
// Files that a sparse checkout leaves out of the work tree are as the index has them; one that is there all
// the same is as it is there.
//
// A safety snapshot, the one that a rewind can be undone with, holds more (SafetyParts):
//
//   TRY_ASSIGN(auto seen, snapshots.inspect(limits));
//   TRY_ASSIGN(auto plan, restore.preview(seen, target, skip));      // plan.unheld: ignored files in the way
//   TRY_ASSIGN(auto safety, snapshots.capture(limits, {.also = plan.unheld, .index = true}));
//   TRY_ASSIGN(auto kept, snapshots.keep(safety, ref, when, "..."));
//   TRY_ASSIGN(plan, restore.preview(safety, target, skip));         // now these files are replaced too
//   ...
//   TRY_ASSIGN(auto before, snapshots.find(kept.commit));            // later, to undo it
//   ... before.head, before.branch, before.index: worktree/head_position puts them back ...
//
// A private index, <git-dir>/plankeep/index, remembers what was captured last: unchanged files cost a stat,
// a changed one its content. Nothing of the user's is touched: index, HEAD, branches, stash, reflogs; no
// hook, filter, file system monitor or gc is started. What is written: loose objects in the repository's
// store, our folder in the git directory (of the linked work tree, where it is one), and refs under
// refs/plankeep/, which branches, pushes and clones do not carry (`push --mirror` does).
//
// Exact bytes: git's filters (autocrlf, LFS, ident, encodings) would store something else than what stands in
// the work tree, and what they give back need not be the same bytes. So git runs with a git directory of its
// own (<git-dir>/plankeep/view) whose info/attributes, stronger than every .gitattributes, switches all of
// them off; it shares the object store and nothing else. An LFS file is stored as itself.
//
// Times: `Limits::budget` is for all of capture(). A first snapshot that does not end in time (busy) has
// filled the private index as far as it came, and the next one goes on there.
//
// On disk: every object that we write is synced before it gets its name, then the commit, then the ref (git
// 2.36 or newer). Objects that the user's git wrote before may not be: of a safety snapshot everything that
// HEAD does not hold is in a synced pack, too.
//
// Errors: not_found, no git program; conflict, more new files than `Limits::max_new_files` or more left out
// than a message has room for (nothing was stored; the words name the folder); busy, another process takes
// one (two seconds are waited) or the time is over; io, git's own words. Nothing is half there: without its
// ref a snapshot is not, and one update-ref makes it, which fails when the ref exists. Killed: loose objects,
// which git's gc removes, an index.lock of our own index and the scratch folder of a look, which the next
// call removes.

#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/instant.hpp"
#include "base/result.hpp"
#include "git/git.hpp"
#include "system/file_system.hpp"
#include "system/processes.hpp"
#include "system/progress.hpp"

namespace plankeep::git {

inline constexpr std::string_view kSnapshotRefs = "refs/plankeep/";

/// Where worktree/restore_tree puts files ready when the git directory is on another file system than the
/// work tree. Never part of a snapshot, as long as the mark is in it; without it a folder of this name is the
/// user's.
inline constexpr std::string_view kStagingBeside = ".plankeep-rewind/";
inline constexpr std::string_view kStagingMark = ".plankeep-staging";

struct SnapshotLimits {
  std::uint64_t max_file_bytes = std::uint64_t{10} << 20;
  /// Files that git neither tracks nor ignores and no snapshot has seen yet: more of them are a folder that
  /// somebody forgot to ignore, and would take minutes to store.
  std::size_t max_new_files = 50000;
  std::chrono::milliseconds budget{10000};
  /// Also files that look like keys or .env (secrets/secret_files) and that git does not track. Without it
  /// they are left out, even of a safety snapshot, so that a rewind neither overwrites nor removes them.
  bool secret_files = false;
  /// Told what is being done; may be null.
  system::Progress* progress = nullptr;
};

/// What a safety snapshot holds beside what every snapshot does.
struct SafetyParts {
  /// Files and links that are held although git ignores them, or in spite of their size; relative to the
  /// top. What is no file or link there is passed over.
  std::vector<std::string> also{};
  /// The user's index file, byte for byte (flags, intent-to-add, conflicts; of a split index both parts), the
  /// objects that it names, and where HEAD is.
  bool index = false;
};

/// What a file held at the moment that a snapshot is about, where it may have been written since. Where the
/// work tree has another text under this name, the snapshot holds this one; a name that the snapshot would
/// not hold as a regular file stays out of it.
struct TextThen {
  std::string path;  // relative to the top
  std::string bytes;
};

struct LeftOut {
  enum class Why { too_large, nested_repository, submodule, unreadable, refused, secret, foreign };
  std::string path;  // relative to the work tree's top; a repository's without a "/" at its end
  Why why = Why::too_large;
  bool operator==(const LeftOut&) const = default;
};
/// "too large", "nested repository", "submodule", "unreadable", "name refused by git", "looks like a secret",
/// "belongs to another tool".
std::string_view name_of(LeftOut::Why why);

/// What a folder's repository is, for snapshots.
struct SnapshotPlace {
  std::string top;            // of the work tree, absolute
  std::string git_dir;        // absolute; of a linked work tree its own
  std::string common_dir;     // absolute; where objects and refs are
  std::string object_format;  // "sha1", "sha256"
  std::string head;           // commit; empty while there is none
};

/// nullopt: no repository, none with a work tree (bare), or inside its .git.
[[nodiscard]] base::Result<std::optional<SnapshotPlace>> open_snapshots(system::Processes& processes,
                                                                        system::FileSystem& files,
                                                                        const std::string& folder);

/// The permission bits (07777) of a snapshot's regular files: the two commonest, and what differs from them.
struct Permissions {
  std::uint32_t plain = 0;  // 0: not known (a snapshot of an earlier version)
  std::uint32_t executable = 0;
  std::map<std::string, std::uint32_t, std::less<>> others;  // by path

  /// Of a path with this mode in the tree ("100644", "100755"); nullopt: not known, or no regular file.
  std::optional<std::uint32_t> of(std::string_view path, std::string_view mode) const;
  bool operator==(const Permissions&) const = default;
};

/// The user's index file as blobs.
struct IndexCopy {
  std::string id;           // empty: there was no index file
  std::string shared_name;  // "sharedindex.<id>" of a split index; empty: it was not split
  std::string shared_id;
  // Blob of the paths, each with a NUL behind it, that the index marks as skip-worktree and that were not in
  // the work tree; empty: none; nullopt: not recorded (a snapshot of an earlier version).
  std::optional<std::string> absent{};
  bool operator==(const IndexCopy&) const = default;
};

class Scratch;

/// A tree in the object store that no ref keeps yet; of a look, in a store of its own that goes with the last
/// copy of this.
struct Captured {
  std::string tree;
  std::string head;  // as it was then; empty without one
  std::vector<LeftOut> left_out;
  Permissions permissions;
  std::vector<std::string> sparse;  // sorted: held as the index has them, and not in the work tree
  // With SafetyParts::index:
  std::optional<std::string> branch;  // "refs/heads/main"; empty: HEAD was detached
  std::optional<IndexCopy> index;
  std::string extra_tree;  // the copies, and what the index names
  // Of a look:
  std::shared_ptr<Scratch> scratch;

  /// How to run git so that it finds the tree.
  GitRun seeing() const;
};

/// One that a ref keeps.
struct Snapshot {
  std::string ref;     // "refs/plankeep/<plan>/<checkpoint>"
  std::string commit;  // its parents are `head` and `extra`, which it keeps too
  std::string tree;
  std::string head;
  std::string extra;      // a commit of Captured::extra_tree; empty: there is none
  std::string work_tree;  // of a linked work tree, "worktrees/<name>"; empty: the main one, or not recorded
  base::Instant time;     // seconds; of the snapshot
  // Not in a list:
  std::vector<LeftOut> left_out;
  Permissions permissions;
  std::optional<std::string> branch;  // as in Captured; nullopt: not recorded
  std::optional<IndexCopy> index;     // nullopt: none is held
};

struct SnapshotList {
  std::vector<Snapshot> snapshots;
  std::vector<std::string> broken;  // refs
};

struct SnapshotSizes {
  std::size_t count = 0;
  std::uint64_t bytes = 0;  // on disk, of objects that only snapshots hold
};

class Snapshots {
 public:
  /// `leave_out`: paths relative to the top that are none of a snapshot's business and never touched.
  Snapshots(system::Processes& processes, system::FileSystem& files, SnapshotPlace place, LeaveOut leave_out);

  const SnapshotPlace& place() const { return place_; }

  /// Its objects are on disk when it returns.
  [[nodiscard]] base::Result<Captured> capture(const SnapshotLimits& limits, const SafetyParts& parts = {},
                                               const std::optional<TextThen>& text_then = std::nullopt);

  /// The same tree, for comparing: for TreeRestore::preview, or to see that nothing changed. Nothing of it
  /// stays in the repository; keep() refuses it.
  [[nodiscard]] base::Result<Captured> inspect(const SnapshotLimits& limits, const SafetyParts& parts = {});

  /// `ref` as snapshot_ref makes it; conflict when it exists. `subject`: one line for `git log`. Commit and
  /// ref are on disk when it returns.
  [[nodiscard]] base::Result<Snapshot> keep(const Captured& captured, const std::string& ref,
                                            base::Instant when, const std::string& subject);

  /// By ref or by commit; not_found when git has neither, corrupt when it is not one of ours.
  [[nodiscard]] base::Result<Snapshot> find(const std::string& ref_or_commit);

  /// All below a prefix ("refs/plankeep/", "refs/plankeep/my-plan-0a1b2c3d/"), oldest first; of what their
  /// messages say only `extra` and `work_tree`.
  [[nodiscard]] base::Result<std::vector<Snapshot>> list(const std::string& prefix);

  /// The same, and the refs whose commit git cannot read: missing, damaged, or no snapshot. list() passes
  /// over them.
  [[nodiscard]] base::Result<SnapshotList> list_all(const std::string& prefix);

  /// Drops refs, broken ones too, so that git's own gc can reclaim what only they held. One that is gone is
  /// fine. All or none.
  [[nodiscard]] base::Status drop(const std::vector<std::string>& refs);

  /// What they hold below a prefix. Walks what no branch reaches: milliseconds for some hundred snapshots.
  [[nodiscard]] base::Result<SnapshotSizes> sizes(const std::string& prefix);

  /// "merge", "rebase", "cherry-pick", "revert", "bisect", "am": what git is in the middle of; empty:
  /// nothing.
  [[nodiscard]] base::Result<std::string> operation_in_progress();

  /// <git-dir>/plankeep, made (0700) when missing.
  [[nodiscard]] base::Result<std::unique_ptr<system::Folder>> own_folder();

  /// git in the repository, without hooks, signatures, reflogs, gc. A status other than 0 is no error here.
  [[nodiscard]] base::Result<system::Finished> run(const std::vector<std::string>& words,
                                                   std::string_view input = {}, const GitRun& how = {});
  [[nodiscard]] base::Result<GitRunning> start(const std::vector<std::string>& words,
                                               std::string_view input = {}, const GitRun& how = {});

 private:
  [[nodiscard]] base::Result<SnapshotList> list_each(const std::string& prefix);
  [[nodiscard]] base::Status drop_broken(const std::string& ref);
  [[nodiscard]] base::Status remove_if_empty(const std::string& id);
  [[nodiscard]] base::Status pack(const std::string& commit, const std::string& head);
  // What it writes is on disk when it returns.
  [[nodiscard]] base::Result<system::Finished> run_synced(const std::vector<std::string>& words,
                                                          std::string_view input, const GitRun& how);
  [[nodiscard]] base::Result<std::string> good(const std::vector<std::string>& words,
                                               std::string_view input = {});

  system::Processes& processes_;
  system::FileSystem& files_;
  SnapshotPlace place_;
  LeaveOut leave_out_;
};

/// "refs/plankeep/<plan>-<8 digits>/<name>". The plan is called after its folder, or as its file at the work
/// tree's top; the digits are of the SHA-256 of its path from there and of which linked work tree this is. So
/// two plans of one name, and the same plan in two linked work trees, which share refs, stay apart, and a
/// repository that is moved or renamed keeps what it has. `plan_path` absolute.
std::string snapshot_refs_of(const SnapshotPlace& place, const std::string& plan_path);
std::string snapshot_ref(const SnapshotPlace& place, const std::string& plan_path, const std::string& name);

}  // namespace plankeep::git
