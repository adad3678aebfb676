#include "worktree/capture.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "git/file_modes.hpp"
#include "git/git_output.hpp"
#include "git/stat_files.hpp"
#include "git_objects/object.hpp"
#include "secrets/secret_files.hpp"
#include "worktree/index_copy.hpp"
#include "worktree/permissions.hpp"
#include "worktree/restore_plan.hpp"

namespace plankeep::git {
namespace {

using base::ErrorKind;
using base::Result;
using base::Status;
using Clock = std::chrono::steady_clock;

// As many are written into a commit's message.
constexpr std::size_t kMostLeftOut = 10000;
// What one process stores, so that a time limit keeps what was done up to then.
constexpr std::size_t kChunkFiles = 2000;
constexpr std::uint64_t kChunkBytes = std::uint64_t{64} << 20;

}  // namespace

Capture::Capture(Snapshots& snapshots, system::FileSystem& files, system::Folder& own,
                 const LeaveOut& leave_out, const SnapshotLimits& limits, const SafetyParts& parts,
                 std::shared_ptr<Scratch> scratch)
    : snapshots_(snapshots),
      files_(files),
      own_(own),
      leave_out_(leave_out),
      limits_(limits),
      parts_(parts),
      scratch_(std::move(scratch)),
      start_(Clock::now()),
      chain_(files, snapshots.place().top) {}

Result<std::chrono::milliseconds> Capture::time_left() const {
  const auto spent = std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - start_);
  if (spent < limits_.budget) return limits_.budget - spent;
  return base::fail(ErrorKind::busy, "the snapshot took longer than " +
                                         std::to_string(limits_.budget.count()) + " ms and was abandoned");
}

Result<View::Use> Capture::use() const {
  View::Use use;
  if (scratch_) {
    use.index = scratch_->index();
    use.objects = scratch_->objects();
  }
  TRY_ASSIGN(use.timeout, time_left());
  return use;
}

Result<GitRunning> Capture::start_view(const std::vector<std::string>& words, std::string_view input) {
  TRY_ASSIGN(const View::Use how, use());
  return view_->start(words, input, how);
}

Result<system::Finished> Capture::finish(GitRunning& running) const {
  auto finished = running.finish();
  if (!finished && finished.error().kind == ErrorKind::busy) TRY(time_left());
  return finished;
}

Result<std::string> Capture::view(const std::vector<std::string>& words, std::string_view input) {
  TRY_ASSIGN(GitRunning running, start_view(words, input));
  TRY_ASSIGN(system::Finished finished, finish(running));
  return view_output(std::move(finished), words.front());
}

void Capture::remove(std::string_view path) {
  if (kept_.contains(path)) removed_.insert(path);
}

void Capture::leave(std::string_view path, LeftOut::Why why) {
  captured_.left_out.push_back({std::string(path), why});
}

Status Capture::list_all() {
  TRY_ASSIGN(GitRunning changed, start_view({"diff-files", "--raw", "-z", "--no-renames", "--no-ext-diff",
                                             "--ignore-submodules=all"}));
  TRY_ASSIGN(GitRunning own,
             start_view({"ls-files", "-z", "-t", "--stage", "--cached", "--others", "--exclude-standard"}));
  TRY_ASSIGN(GitRunning user, snapshots_.start({"ls-files", "-z", "-t", "--stage"}));
  for (const auto& [running, list] :
       {std::pair(&user, &user_list_), std::pair(&own, &own_list_), std::pair(&changed, &changed_list_)}) {
    TRY_ASSIGN(system::Finished finished, finish(*running));
    if (finished.status != 0) return base::fail(refused(finished));
    *list = std::move(finished.output);
  }
  return {};
}

// Before anything is stored. `candidates_` holds files that are not in the private index, and nothing else:
// in front of the first snapshot also those that git tracks.
Status Capture::check_new_files() const {
  if (candidates_.size() <= limits_.max_new_files) return {};
  std::map<std::string_view, std::size_t> folders;
  std::size_t count = 0;
  for (const std::string_view path : candidates_) {
    if (user_.contains(path)) continue;
    ++folders[path.substr(0, path.find('/') + 1)];
    ++count;
  }
  if (count <= limits_.max_new_files) return {};
  const auto most = std::max_element(folders.begin(), folders.end(),
                                     [](const auto& a, const auto& b) { return a.second < b.second; });
  const std::string where = most->first.empty() ? "the top of the work tree" : std::string(most->first);
  return base::fail(ErrorKind::conflict,
                    std::to_string(count) + " new files are too many for a snapshot (the limit is " +
                        std::to_string(limits_.max_new_files) + "), " + std::to_string(most->second) +
                        " of them in " + where + ": add it to .gitignore, or commit it");
}

Status Capture::read_lists() {
  // git-ls-files: "H 100644 <id> 0" TAB path NUL; an unmerged path ("M") comes up to three times. Others:
  // "? " path NUL, with a "/" at its end where it is a repository.
  const auto read_entry = [](std::string_view line, IndexEntries& into) {
    const bool sparse = line.starts_with('S');
    line.remove_prefix(std::min<std::size_t>(2, line.size()));
    std::string_view facts = take_until(line, '\t');
    Entry entry;
    entry.sparse = sparse;
    entry.mode = take_until(facts, ' ');
    entry.id = take_until(facts, ' ');
    entry.path = line;
    if (!line.empty()) into.add(entry);
  };
  std::string_view rest = user_list_;
  while (!rest.empty()) read_entry(take_until(rest, '\0'), user_);
  user_.sort();
  rest = own_list_;
  while (!rest.empty()) {
    std::string_view line = take_until(rest, '\0');
    if (!line.starts_with("? ")) {
      read_entry(line, kept_);
      continue;
    }
    line.remove_prefix(2);
    if (!line.ends_with('/')) {
      if (!ours(line)) candidates_.insert(line);
      continue;
    }
    line.remove_suffix(1);
    if (!ours(line)) repositories_.insert(line);
  }
  kept_.sort();
  find_nested_repositories();
  if (!repositories_.empty())
    std::erase_if(candidates_, [this](std::string_view path) { return in_nested_repository(path); });
  TRY(check_new_files());
  // gitdiff-core: ":100644 100644 <id> 000... M" NUL path NUL.
  rest = changed_list_;
  while (!rest.empty()) {
    const std::string_view facts = take_until(rest, '\0');
    const std::string_view path = take_until(rest, '\0');
    if (!facts.starts_with(':') || path.empty())
      return base::fail(ErrorKind::io, "unexpected output from git diff-files");
    candidates_.insert(path);
  }
  for (const std::string& path : parts_.also) {
    if (!can_stand_in_work_tree(path) || ours(path) || in_nested_repository(path)) continue;
    const Entry* const tracked = user_.find(path);
    if (tracked != nullptr && tracked->mode == kGitlinkMode) continue;
    also_.insert(path);
    candidates_.insert(path);
  }
  return {};
}

Result<bool> Capture::there(std::string_view path) {
  TRY_ASSIGN(const system::FileInfo info, chain_.info(path));
  return info.kind == system::FileKind::regular || info.kind == system::FileKind::symlink;
}

// What the user's index has to say beside the private one.
Status Capture::sort_out_tracked() {
  for (const Entry& entry : user_) {
    const std::string_view path = entry.path;
    if (ours(path)) continue;
    if (!repositories_.empty() && in_nested_repository(path)) {
      remove(path);
      candidates_.erase(path);
      continue;
    }
    const Entry* const kept = kept_.find(path);
    if (entry.mode == kGitlinkMode) {
      leave(path, LeftOut::Why::submodule);
      remove(path);
      continue;
    }
    bool sparse = entry.sparse;
    if (sparse) {
      // git takes it for the index's, whatever it holds: somebody put it there.
      TRY_ASSIGN(const bool present, there(path));
      sparse = !present;
    }
    if (sparse) {
      captured_.sparse.emplace_back(path);
      candidates_.erase(path);
      const bool same = kept != nullptr && kept->sparse && kept->id == entry.id && kept->mode == entry.mode;
      if (!same) sparse_.emplace(path, entry);
    } else if (kept == nullptr) {
      candidates_.insert(path);  // an ignored file that is tracked all the same
    } else if (kept->sparse) {
      remove(path);
      candidates_.insert(path);
    }
  }
  return {};
}

// A folder with entries in an index is no repository to git, whatever is in it: its listings go on into one
// that was made or cloned there later. To whom it belongs only its .git tells.
void Capture::find_nested_repositories() {
  std::vector<std::string> gits;
  std::string_view last;
  const auto look_above = [&](std::string_view path) {
    const std::string_view in = folder_part(path);
    if (in == last) return;
    last = in;
    for (std::size_t slash = path.rfind('/'); slash != std::string_view::npos && slash > 0;
         slash = path.rfind('/', slash - 1)) {
      const std::string_view folder = path.substr(0, slash);
      if (!nested_.emplace(folder, false).second) return;
      gits.push_back(std::string(folder) + "/.git");
    }
  };
  for (const IndexEntries* const entries : {&user_, &kept_}) {
    for (const Entry& entry : *entries) look_above(entry.path);
  }
  for (const std::string_view path : candidates_) look_above(path);
  std::sort(gits.begin(), gits.end());
  const auto infos = stat_files(files_, snapshots_.place().top, {gits.begin(), gits.end()});
  for (std::size_t i = 0; i < gits.size(); ++i) {
    if (!infos[i] || infos[i]->kind == system::FileKind::missing) continue;
    const auto found = nested_.find(folder_part(gits[i]));
    found->second = true;
    if (!ours(found->first)) repositories_.insert(found->first);
  }
  for (const std::string_view path : repositories_) {
    const Entry* const tracked = user_.find(path);
    const bool submodule = tracked != nullptr && tracked->mode == kGitlinkMode;
    if (!submodule && !in_nested_repository(path)) leave(path, LeftOut::Why::nested_repository);
  }
}

bool Capture::in_nested_repository(std::string_view path) {
  for (std::size_t slash = path.find('/'); slash != std::string_view::npos;
       slash = path.find('/', slash + 1)) {
    const std::string_view folder = path.substr(0, slash);
    const auto [known, fresh] = nested_.emplace(folder, false);
    if (fresh) {
      const auto info = chain_.info(std::string(folder) + "/.git");
      known->second = info && info->kind != system::FileKind::missing;
    }
    if (known->second) return true;
  }
  return false;
}

// Files of the private index that git does not track: they may have come to be ignored, or to lie in a
// repository of their own.
Status Capture::sort_out_untracked() {
  std::string paths;
  for (const Entry& entry : kept_) {
    const std::string_view path = entry.path;
    if (ours(path)) {
      remove(path);
      candidates_.erase(path);
    }
    if (user_.contains(path) || removed_.contains(path) || also_.contains(path)) continue;
    if (in_nested_repository(path)) {
      remove(path);
      candidates_.erase(path);
      continue;
    }
    if (entry.sparse) {
      // The index that left it out is gone. What stands there now is a new file like any other.
      remove(path);
      TRY_ASSIGN(const bool present, there(path));
      if (!present) continue;
      candidates_.insert(path);
    }
    // A snapshot of an earlier version, or with another setting, may have taken it.
    if (is_left_as_secret(path, {})) candidates_.insert(path);
    paths.append(path).append(1, '\0');
  }
  if (paths.empty()) return {};
  TRY_ASSIGN(ignored_list_, view({"check-ignore", "-z", "--stdin", "--no-index"}, paths));
  std::string_view rest = ignored_list_;
  while (!rest.empty()) {
    const std::string_view path = take_until(rest, '\0');
    const Entry* const kept = kept_.find(path);
    if (kept == nullptr) continue;
    remove(kept->path);
    candidates_.erase(path);
  }
  return {};
}

// What git tracks it holds anyway.
bool Capture::is_left_as_secret(std::string_view path, std::string_view beginning) const {
  if (limits_.secret_files || user_.contains(path)) return false;
  return secrets::is_secret_file(path) || secrets::begins_like_a_key(beginning);
}

void Capture::inspect_candidate(std::string_view path) {
  const auto unreadable = [&] {
    remove(path);
    leave(path, LeftOut::Why::unreadable);
  };
  const auto folder = chain_.folder_of(path);
  if (!folder) {
    // A file that is missing, or behind a link; or nobody can tell.
    if (folder.error().kind == ErrorKind::io) return unreadable();
    return remove(path);
  }
  const std::string_view name = name_part(path);
  const auto info = (*folder)->info(name);
  if (!info) return unreadable();
  const bool link = info->kind == system::FileKind::symlink;
  if (!link && info->kind != system::FileKind::regular) return remove(path);
  if (!can_stand_in_work_tree(path)) {
    remove(path);
    return leave(path, LeftOut::Why::refused);
  }
  if (!link && info->size > limits_.max_file_bytes && !also_.contains(path)) {
    remove(path);
    return leave(path, LeftOut::Why::too_large);
  }
  if (!link) {
    const auto beginning = (*folder)->read_range(name, 0, secrets::kKeyBeginning);
    if (!beginning) return unreadable();
    if (is_left_as_secret(path, *beginning)) {
      remove(path);
      return leave(path, LeftOut::Why::secret);
    }
  }
  stored_.emplace_back(path, *info);
}

Status Capture::inspect_candidates() {
  for (const std::string_view path : candidates_) inspect_candidate(path);
  if (captured_.left_out.size() <= kMostLeftOut) return {};
  return base::fail(ErrorKind::conflict,
                    "more than " + std::to_string(kMostLeftOut) + " files cannot be in a snapshot",
                    "let git ignore them");
}

// Of every regular file that will be in the tree.
Status Capture::read_permissions() {
  std::vector<std::pair<std::string_view, std::uint32_t>> all;
  all.reserve(stored_.size());
  std::set<std::string_view> fresh;
  for (const auto& [path, info] : stored_) {
    fresh.insert(path);
    if (info.kind == system::FileKind::regular) all.emplace_back(path, info.mode);
  }
  std::vector<std::string_view> unchanged;
  unchanged.reserve(kept_.size());
  for (const Entry& entry : kept_) {
    const bool elsewhere = entry.mode == kLinkMode || removed_.contains(entry.path) ||
                           sparse_.contains(entry.path) || fresh.contains(entry.path) || entry.sparse;
    if (!elsewhere) unchanged.push_back(entry.path);
  }
  const auto infos = stat_files(files_, snapshots_.place().top, unchanged);
  for (std::size_t i = 0; i < infos.size(); ++i) {
    system::FileInfo info;
    if (infos[i]) {
      info = *infos[i];
    } else {
      TRY_ASSIGN(info, chain_.info(unchanged[i]));
    }
    if (info.kind == system::FileKind::regular) all.emplace_back(unchanged[i], info.mode);
  }
  captured_.permissions = permissions_of(all);
  return {};
}

Status Capture::store() {
  const std::string zeros(snapshots_.place().object_format == "sha256" ? 64 : 40, '0');
  std::string entries;
  std::string sparse;
  // "0 000..." TAB path: out of the index; "100644 <id>" TAB path: as it is said.
  for (const std::string_view path : removed_)
    entries.append("0 ").append(zeros).append(1, '\t').append(path).append(1, '\0');
  for (const auto& [path, entry] : sparse_) {
    entries.append(entry.mode).append(1, ' ').append(entry.id).append(1, '\t').append(path).append(1, '\0');
    sparse.append(path).append(1, '\0');
  }
  if (!entries.empty()) TRY(view({"update-index", "-z", "--index-info"}, entries));
  if (!sparse.empty()) TRY(view({"update-index", "-z", "--skip-worktree", "--stdin"}, sparse));
  std::string paths;
  std::size_t files = 0;
  std::uint64_t bytes = 0;
  system::ProgressStage stage(limits_.progress, "storing files", stored_.size());
  const auto flush = [&]() -> Status {
    if (paths.empty()) return {};
    TRY(view({"update-index", "-z", "--add", "--remove", "--replace", "--stdin"}, paths));
    paths.clear();
    stage.add(files);
    files = 0;
    bytes = 0;
    return {};
  };
  for (const auto& [path, info] : stored_) {
    paths.append(path).append(1, '\0');
    bytes += info.size;
    if (++files >= kChunkFiles || bytes >= kChunkBytes) TRY(flush());
  }
  return flush();
}

// The private index remembers it without a stamp, so the next snapshot reads the file again.
Status Capture::store_text_then() {
  if (text_then_ == nullptr) return {};
  const auto& [path, bytes] = *text_then_;
  const auto format = object_format(snapshots_.place().object_format);
  if (!format) return {};
  const std::string id = object_id(*format, ObjectKind::blob, bytes);
  const bool stored = std::any_of(stored_.begin(), stored_.end(),
                                  [&path = path](const auto& one) { return one.first == path; });
  const Entry* const kept = kept_.find(path);
  if (!stored && (kept == nullptr || kept->id == id || removed_.contains(kept->path))) return {};
  // "100644 <id> 0" TAB path NUL.
  TRY_ASSIGN(const std::string listed,
             view({"--literal-pathspecs", "ls-files", "-z", "--stage", "--", path}));
  std::string_view rest = listed;
  const std::string_view mode = take_until(rest, ' ');
  if ((mode != kFileMode && mode != kExecutableMode) || take_until(rest, ' ') == id) return {};
  TRY_ASSIGN(const std::string written, view({"hash-object", "-w", "--stdin"}, bytes));
  if (without_line_feed(written) != id)
    return base::fail(ErrorKind::io, "unexpected output from git hash-object");
  std::string entry(mode);
  entry.append(1, ' ').append(id).append(1, '\t').append(path).append(1, '\0');
  TRY(view({"update-index", "-z", "--index-info"}, entry));
  return {};
}

Status Capture::keep_head_and_index() {
  TRY_ASSIGN(const system::Finished branch, snapshots_.run({"symbolic-ref", "--quiet", "HEAD"}));
  captured_.branch = branch.status == 0 ? without_line_feed(branch.output) : std::string();
  TRY_ASSIGN(const system::Finished head, snapshots_.run({"rev-parse", "--quiet", "--verify", "HEAD"}));
  captured_.head = head.status == 0 ? without_line_feed(head.output) : std::string();
  TRY_ASSIGN(KeptIndex kept, copy_index(snapshots_, *view_, files_, own_, captured_.sparse));
  captured_.index = std::move(kept.copy);
  captured_.extra_tree = std::move(kept.tree);
  return {};
}

Result<Captured> Capture::run() {
  TRY_ASSIGN(view_, View::open(snapshots_, files_, own_));
  TRY_ASSIGN(staging_, staging_beside(chain_));
  const system::ProgressStage stage(limits_.progress, "looking for changed files");
  TRY(list_all());
  TRY(read_lists());
  TRY(sort_out_tracked());
  TRY(sort_out_untracked());
  TRY(inspect_candidates());
  TRY(read_permissions());
  TRY(store());
  TRY(store_text_then());
  // git checks that every object is there, but for those that a partial clone was promised.
  TRY_ASSIGN(const std::string tree, view({"write-tree"}));
  captured_.tree = without_line_feed(tree);
  if (!is_id(captured_.tree)) return base::fail(ErrorKind::io, "unexpected output from git write-tree");
  captured_.head = snapshots_.place().head;
  if (parts_.index) TRY(keep_head_and_index());
  std::sort(captured_.left_out.begin(), captured_.left_out.end(),
            [](const LeftOut& a, const LeftOut& b) { return a.path < b.path; });
  captured_.scratch = scratch_;
  return std::move(captured_);
}

}  // namespace plankeep::git
