#include "worktree/snapshot.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

#include "base/sha256.hpp"
#include "base/slug.hpp"
#include "base/utf8.hpp"
#include "git/folder_chain.hpp"
#include "git/git_output.hpp"
#include "worktree/capture.hpp"
#include "worktree/scratch.hpp"
#include "worktree/snapshot_message.hpp"
#include "worktree/view.hpp"

namespace plankeep::git {
namespace {

using base::ErrorKind;
using base::Result;
using base::Status;

constexpr std::string_view kLock = "lock";
constexpr std::string_view kIndexLock = "index.lock";
constexpr std::chrono::milliseconds kLockTimeout{2000};
constexpr std::size_t kPathDigits = 8;
constexpr std::size_t kPlanBytes = 100;

std::int64_t number_of(std::string_view text) {
  std::int64_t number = 0;
  (void)std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

// for-each-ref's lines of five facts and the first lines of the message, each with a NUL behind it.
std::vector<Snapshot> read_ref_list(std::string_view rest) {
  std::vector<Snapshot> all;
  while (!rest.empty()) {
    Snapshot& one = all.emplace_back();
    one.ref = std::string(take_until(rest, '\0'));
    one.commit = std::string(take_until(rest, '\0'));
    one.tree = std::string(take_until(rest, '\0'));
    std::string_view parents = take_until(rest, '\0');
    one.time.milliseconds = number_of(take_until(rest, '\0')) * base::kSecond;
    read_first_lines(take_until(rest, '\0'), one);
    const std::string_view first = take_until(parents, ' ');
    if (first != one.extra) one.head = std::string(first);
    take_until(rest, '\n');
  }
  return all;
}

// Those that git names in its warnings, since it cannot read them.
std::vector<std::string> broken_refs(std::string_view errors, const std::string& prefix) {
  constexpr std::string_view kWarning = "warning: ignoring broken ref ";
  std::vector<std::string> refs;
  while (!errors.empty()) {
    std::string_view line = take_until(errors, '\n');
    if (!line.starts_with(kWarning)) continue;
    line.remove_prefix(kWarning.size());
    if (line.starts_with(prefix)) refs.emplace_back(line);
  }
  return refs;
}

// The object is missing or damaged; not that git was killed, or could not be asked.
bool tells_of_damage(const system::Finished& finished) {
  constexpr int kFatal = 128;
  if (finished.status != kFatal) return false;
  for (const char* words : {"bad file", "corrupt", "is empty", "Not a valid object name", "missing object"}) {
    if (finished.errors.find(words) != std::string::npos) return true;
  }
  return false;
}

// Which linked work tree it is: "worktrees/x"; empty: the main one.
std::string work_tree_of(const SnapshotPlace& place) {
  std::string_view name = place.git_dir;
  if (!name.starts_with(place.common_dir + "/")) return {};
  name.remove_prefix(place.common_dir.size() + 1);
  return std::string(name);
}

}  // namespace

std::string snapshot_refs_of(const SnapshotPlace& place, const std::string& plan_path) {
  std::string_view path = plan_path;
  if (path.starts_with(place.top + "/")) path.remove_prefix(place.top.size() + 1);
  std::string_view work_tree = place.git_dir;  // "": the main one, "/worktrees/x"
  if (work_tree.starts_with(place.common_dir)) work_tree.remove_prefix(place.common_dir.size());
  const std::size_t slash = path.rfind('/');
  std::string_view name = path.substr(0, slash);
  if (slash == std::string_view::npos) {
    name = path.substr(0, path.rfind('.'));
  } else {
    name.remove_prefix(name.rfind('/') + 1);  // npos + 1 is 0
  }
  // Letters of every script are fine in a ref; a component of it is a file's name in the end.
  const std::string slug = base::fit_to_bytes(base::slug(name, "plan"), kPlanBytes);
  const std::string whose = std::string(work_tree) + '\n' + std::string(path);
  return std::string(kSnapshotRefs) + slug + "-" + base::sha256_hex(whose).substr(0, kPathDigits) + "/";
}

std::string snapshot_ref(const SnapshotPlace& place, const std::string& plan_path, const std::string& name) {
  return snapshot_refs_of(place, plan_path) + name;
}

namespace {

// Each path by itself, so that it is the whole answer.
Status ask_each(Git& git, const std::string& folder, SnapshotPlace& place) {
  for (const auto& [word, path] :
       {std::pair("--show-toplevel", &place.top), std::pair("--git-dir", &place.git_dir),
        std::pair("--git-common-dir", &place.common_dir)}) {
    TRY_ASSIGN(const system::Finished found, git.run(folder, {"rev-parse", "--path-format=absolute", word}));
    if (found.status != 0) return base::fail(refused(found));
    *path = without_line_feed(found.output);
    if (!path->starts_with('/')) return base::fail(ErrorKind::io, "unexpected output from git rev-parse");
  }
  return {};
}

}  // namespace

Result<std::optional<SnapshotPlace>> open_snapshots(system::Processes& processes, system::FileSystem& files,
                                                    const std::string& folder) {
  Git git(processes, files);
  TRY_ASSIGN(const system::Finished finished,
             git.run(folder, {"rev-parse", "--path-format=absolute", "--show-toplevel", "--git-dir",
                              "--git-common-dir", "--show-object-format", "--revs-only", "HEAD"}));
  if (finished.status != 0) {
    const bool none = finished.errors.find("not a git repository") != std::string::npos ||
                      finished.errors.find("must be run in a work tree") != std::string::npos;
    if (none) return std::optional<SnapshotPlace>();
    return base::fail(refused(finished));
  }
  SnapshotPlace place;
  std::string_view rest = finished.output;
  std::string last = take_last_line(rest);
  if (is_id(last)) {
    place.head = std::move(last);
    last = take_last_line(rest);
  }
  place.object_format = std::move(last);
  place.common_dir = take_last_line(rest);
  place.git_dir = take_last_line(rest);
  place.top = take_last_line(rest);
  const bool paths = place.top.starts_with('/') && place.git_dir.starts_with('/') &&
                     place.common_dir.starts_with('/') && place.object_format.starts_with("sha");
  // A line feed in a folder's name makes these the ends of paths.
  if (!paths || !rest.empty()) TRY(ask_each(git, folder, place));
  return std::optional(std::move(place));
}

Snapshots::Snapshots(system::Processes& processes, system::FileSystem& files, SnapshotPlace place,
                     LeaveOut leave_out)
    : processes_(processes), files_(files), place_(std::move(place)), leave_out_(std::move(leave_out)) {}

Result<system::Finished> Snapshots::run(const std::vector<std::string>& words, std::string_view input,
                                        const GitRun& how) {
  TRY_ASSIGN(GitRunning running, start(words, input, how));
  return running.finish();
}

Result<GitRunning> Snapshots::start(const std::vector<std::string>& words, std::string_view input,
                                    const GitRun& how) {
  std::vector<std::string> all{"-c", "gc.auto=0",
                               "-c", "maintenance.auto=false",
                               "-c", "core.logAllRefUpdates=false",
                               "-c", "i18n.commitEncoding=UTF-8"};
  all.insert(all.end(), words.begin(), words.end());
  Git git(processes_, files_);
  return git.start(place_.top, all, input, how);
}

Result<system::Finished> Snapshots::run_synced(const std::vector<std::string>& words, std::string_view input,
                                               const GitRun& how) {
  std::vector<std::string> all{"-c", "core.fsync=loose-object,reference", "-c", "core.fsyncMethod=fsync"};
  all.insert(all.end(), words.begin(), words.end());
  return run(all, input, how);
}

Result<std::string> Snapshots::good(const std::vector<std::string>& words, std::string_view input) {
  TRY_ASSIGN(system::Finished finished, run(words, input));
  if (finished.status != 0) return base::fail(refused(finished));
  return std::move(finished.output);
}

Result<std::unique_ptr<system::Folder>> Snapshots::own_folder() {
  TRY_ASSIGN(const auto folder, files_.open_folder(place_.git_dir));
  return folder->make_folder(git::kOwnGitFolder);
}

GitRun Captured::seeing() const {
  GitRun how;
  if (scratch) how.variables = {"GIT_OBJECT_DIRECTORY=" + scratch->objects()};
  return how;
}

Result<Captured> Snapshots::capture(const SnapshotLimits& limits, const SafetyParts& parts,
                                    const std::optional<TextThen>& text_then) {
  TRY_ASSIGN(const auto own, own_folder());
  TRY_ASSIGN(const auto lock, own->lock(kLock, kLockTimeout));
  // We hold our own lock: git's belongs to a process that was killed.
  (void)own->remove(kIndexLock);
  auto captured = Capture(*this, files_, *own, leave_out_, limits, parts, nullptr).with(text_then).run();
  if (captured || captured.error().kind != ErrorKind::io) return captured;
  // A damaged index, or one whose objects git has cleaned away: it is only a memory.
  if (!own->remove(View::kIndex)) return captured;
  (void)own->remove(kIndexLock);
  return Capture(*this, files_, *own, leave_out_, limits, parts, nullptr).with(text_then).run();
}

Result<Captured> Snapshots::inspect(const SnapshotLimits& limits, const SafetyParts& parts) {
  TRY_ASSIGN(const auto own, own_folder());
  TRY_ASSIGN(const auto lock, own->lock(kLock, kLockTimeout));
  const auto once = [&]() -> Result<Captured> {
    TRY_ASSIGN(auto folder, own_folder());
    TRY_ASSIGN(auto scratch, Scratch::make(place_, std::move(folder)));
    return Capture(*this, files_, *own, leave_out_, limits, parts, std::move(scratch)).run();
  };
  auto captured = once();
  if (captured || captured.error().kind != ErrorKind::io || !own->remove(View::kIndex)) return captured;
  return once();
}

Result<Snapshot> Snapshots::keep(const Captured& captured, const std::string& ref, base::Instant when,
                                 const std::string& subject) {
  if (captured.scratch) return base::fail(ErrorKind::internal, "this view of the work tree cannot be saved");
  const std::int64_t seconds = when.milliseconds / base::kSecond;
  GitRun how;
  const std::string date = "@" + std::to_string(seconds) + " +0000";
  for (const std::string who : {"AUTHOR", "COMMITTER"}) {
    how.variables.push_back("GIT_" + who + "_NAME=plankeep");
    how.variables.push_back("GIT_" + who + "_EMAIL=plankeep@localhost");
    how.variables.push_back("GIT_" + who + "_DATE=" + date);
  }
  const auto commit = [&](const std::string& tree, const std::vector<std::string>& parents,
                          const std::string& message) -> Result<std::string> {
    std::vector<std::string> words{"commit-tree", tree};
    for (const std::string& parent : parents) words.insert(words.end(), {"-p", parent});
    TRY_ASSIGN(const system::Finished made, run_synced(words, message, how));
    if (made.status != 0) return base::fail(refused(made));
    std::string id = made.output.substr(0, made.output.find('\n'));
    if (!is_id(id)) return base::fail(ErrorKind::io, "unexpected output from git commit-tree");
    return id;
  };
  Snapshot snapshot;
  snapshot.work_tree = work_tree_of(place_);
  std::vector<std::string> parents;
  if (!captured.head.empty()) parents.push_back(captured.head);
  if (!captured.extra_tree.empty()) {
    TRY_ASSIGN(snapshot.extra, commit(captured.extra_tree, {}, subject + ": index\n"));
    parents.push_back(snapshot.extra);
  }
  TRY_ASSIGN(snapshot.commit,
             commit(captured.tree, parents,
                    snapshot_message(subject, captured, snapshot.extra, snapshot.work_tree)));
  if (captured.index) TRY(pack(snapshot.commit, captured.head));
  TRY_ASSIGN(const system::Finished kept,
             run_synced({"update-ref", "--stdin"}, "create " + ref + " " + snapshot.commit + "\n", {}));
  if (kept.status != 0) {
    base::Error error = refused(kept);
    if (kept.errors.find("already exists") != std::string::npos) error.kind = ErrorKind::conflict;
    return base::fail(std::move(error));
  }
  snapshot.ref = ref;
  snapshot.tree = captured.tree;
  snapshot.head = captured.head;
  snapshot.time.milliseconds = seconds * base::kSecond;
  snapshot.left_out = captured.left_out;
  snapshot.permissions = captured.permissions;
  snapshot.branch = captured.branch;
  snapshot.index = captured.index;
  return snapshot;
}

// A pack is on disk when it has its name, and git looks into packs first. So what the user's own git wrote a
// moment ago, and did not sync, is safe too.
Status Snapshots::pack(const std::string& commit, const std::string& head) {
  std::string revisions = commit + "\n";
  if (!head.empty()) revisions += "^" + head + "\n";
  TRY_ASSIGN(const system::Finished packed,
             run({"pack-objects", "--revs", "--unpacked", "--window=0", "--quiet", "--missing=allow-promisor",
                  place_.common_dir + "/objects/pack/pack"},
                 revisions));
  if (packed.status != 0) return base::fail(refused(packed));
  return {};
}

Result<Snapshot> Snapshots::find(const std::string& ref_or_commit) {
  if (ref_or_commit.find_first_of(" \n") != std::string::npos)
    return base::fail(ErrorKind::invalid_input, "\"" + ref_or_commit + "\" is not a snapshot name");
  TRY_ASSIGN(const std::string output, good({"cat-file", "--batch"}, ref_or_commit + "\n"));
  // "<id> commit <size>" LF content LF, or "<name> missing".
  std::string_view rest = output;
  std::string_view head = take_until(rest, '\n');
  if (head.ends_with(" missing"))
    return base::fail(ErrorKind::not_found, "no snapshot " + ref_or_commit + " in this repository");
  const std::string_view id = take_until(head, ' ');
  if (take_until(head, ' ') != "commit")
    return base::fail(ErrorKind::corrupt, ref_or_commit + " is not a snapshot made by plankeep");
  TRY_ASSIGN(Snapshot snapshot, read_snapshot(rest, ref_or_commit));
  snapshot.commit = std::string(id);
  if (ref_or_commit.starts_with(kSnapshotRefs)) snapshot.ref = ref_or_commit;
  return snapshot;
}

Result<std::vector<Snapshot>> Snapshots::list(const std::string& prefix) {
  TRY_ASSIGN(SnapshotList found, list_all(prefix));
  return std::move(found.snapshots);
}

Result<SnapshotList> Snapshots::list_all(const std::string& prefix) {
  const std::vector<std::string> words{"for-each-ref",
                                       "--format=%(refname)%00%(objectname)%00%(tree)%00%(parent)%00%("
                                       "committerdate:unix)%00%(contents:lines=" +
                                           std::to_string(kFirstLines) + ")%00",
                                       prefix};
  TRY_ASSIGN(const system::Finished listed, run(words));
  SnapshotList found;
  if (listed.status == 0) {
    found.snapshots = read_ref_list(listed.output);
    found.broken = broken_refs(listed.errors, prefix);
  } else {
    TRY_ASSIGN(found, list_each(prefix));
  }
  std::stable_sort(found.snapshots.begin(), found.snapshots.end(),
                   [](const Snapshot& a, const Snapshot& b) { return a.time < b.time; });
  return found;
}

// One commit at a time: some of them cannot be read.
Result<SnapshotList> Snapshots::list_each(const std::string& prefix) {
  SnapshotList found;
  TRY_ASSIGN(const system::Finished listed,
             run({"for-each-ref", "--format=%(refname)%00%(objectname)%00", prefix}));
  if (listed.status != 0) return base::fail(refused(listed));
  found.broken = broken_refs(listed.errors, prefix);
  std::string_view rest = listed.output;
  while (!rest.empty()) {
    const std::string ref(take_until(rest, '\0'));
    const std::string commit(take_until(rest, '\0'));
    take_until(rest, '\n');
    TRY_ASSIGN(const system::Finished shown, run({"cat-file", "commit", commit}));
    if (shown.status != 0 && !tells_of_damage(shown)) return base::fail(refused(shown));
    auto snapshot = shown.status == 0 ? read_snapshot(shown.output, ref)
                                      : Result<Snapshot>(base::fail(ErrorKind::corrupt, ref));
    if (!snapshot) {
      found.broken.push_back(ref);
      continue;
    }
    snapshot->ref = ref;
    snapshot->commit = commit;
    found.snapshots.push_back(std::move(*snapshot));
  }
  return found;
}

Status Snapshots::drop(const std::vector<std::string>& refs) {
  if (refs.empty()) return {};
  TRY_ASSIGN(const SnapshotList there, list_all(std::string(kSnapshotRefs)));
  const auto asked = [&refs](const std::string& ref) {
    return std::find(refs.begin(), refs.end(), ref) != refs.end();
  };
  std::string lines;
  std::size_t dropped = 0;
  for (const Snapshot& one : there.snapshots) {
    if (!asked(one.ref)) continue;
    lines.append("delete ").append(one.ref).append(1, ' ').append(one.commit).append(1, '\n');
    ++dropped;
  }
  if (!lines.empty()) TRY(good({"update-ref", "--stdin"}, lines));
  for (const std::string& ref : there.broken) {
    if (asked(ref)) TRY(drop_broken(ref));
  }
  if (lines.empty() || dropped < there.snapshots.size()) return {};
  // What the private index remembers may be gone with the next gc.
  TRY_ASSIGN(const auto own, own_folder());
  TRY_ASSIGN(const auto lock, own->lock(kLock, kLockTimeout));
  (void)own->remove(View::kIndex);
  return {};
}

Status Snapshots::drop_broken(const std::string& ref) {
  TRY_ASSIGN(const system::Finished named, run({"for-each-ref", "--format=%(objectname)", ref}));
  const std::string id = without_line_feed(named.output);
  TRY_ASSIGN(const system::Finished deleted, run({"update-ref", "--stdin"}, "delete " + ref + "\n"));
  if (deleted.status == 0) return is_id(id) ? remove_if_empty(id) : Status();
  // git deletes no ref that it cannot read: a file that a power cut left empty.
  FolderChain chain(files_, place_.common_dir);
  const auto folder = chain.folder_of(ref);
  if (!folder || !ref.starts_with(kSnapshotRefs)) return base::fail(refused(deleted));
  return (*folder)->remove(name_part(ref));
}

// An object that a power cut left empty: git gc fails because of it, reachable or not.
Status Snapshots::remove_if_empty(const std::string& id) {
  FolderChain chain(files_, place_.common_dir);
  const std::string path = "objects/" + id.substr(0, 2) + "/" + id.substr(2);
  TRY_ASSIGN(const system::FileInfo info, chain.info(path));
  if (info.kind != system::FileKind::regular || info.size != 0) return {};
  TRY_ASSIGN(system::Folder* const folder, chain.folder_of(path));
  return folder->remove(name_part(path));
}

Result<SnapshotSizes> Snapshots::sizes(const std::string& prefix) {
  SnapshotSizes sizes;
  TRY_ASSIGN(const std::vector<Snapshot> all, list(prefix));
  sizes.count = all.size();
  if (all.empty()) return sizes;
  std::string revisions;
  for (const Snapshot& one : all) revisions.append(one.commit).append(1, '\n');
  // What any of their parents holds is not held by them.
  std::string others;
  std::vector<std::string> heads;
  if (!place_.head.empty()) heads.push_back(place_.head);
  for (const Snapshot& one : all) {
    if (!one.head.empty()) heads.push_back(one.head);
  }
  std::sort(heads.begin(), heads.end());
  heads.erase(std::unique(heads.begin(), heads.end()), heads.end());
  for (const std::string& head : heads) others += "^" + head + "\n";
  TRY_ASSIGN(
      const std::string output,
      good({"rev-list", "--objects", "--disk-usage", "--missing=allow-any", "--stdin"}, revisions + others));
  sizes.bytes = static_cast<std::uint64_t>(std::max<std::int64_t>(number_of(output), 0));
  return sizes;
}

Result<std::string> Snapshots::operation_in_progress() {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 8> kSigns{
      {{"rebase-merge", "rebase"},
       {"rebase-apply/applying", "am"},
       {"rebase-apply", "rebase"},
       {"MERGE_HEAD", "merge"},
       {"CHERRY_PICK_HEAD", "cherry-pick"},
       {"REVERT_HEAD", "revert"},
       {"sequencer", "cherry-pick"},
       {"BISECT_LOG", "bisect"}}};
  for (const auto& [sign, name] : kSigns) {
    TRY_ASSIGN(const system::FileInfo info, files_.info(place_.git_dir + "/" + std::string(sign)));
    if (info.kind != system::FileKind::missing) return std::string(name);
  }
  return std::string();
}

}  // namespace plankeep::git
