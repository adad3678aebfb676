#include "git/capture.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "git/file_modes.hpp"
#include "git/git_words.hpp"

namespace plankeep::git {
namespace {

using base::ErrorKind;
using base::Result;
using base::Status;
using Clock = std::chrono::steady_clock;

constexpr std::string_view kIndex = "index";
constexpr std::string_view kView = "view";
constexpr std::uint64_t kExcludeLimit = std::uint64_t{16} << 20;
// As many are written into a commit's message.
constexpr std::size_t kMostLeftOut = 10000;
// What one process stores, so that a time limit keeps what was done up to then.
constexpr std::size_t kChunkFiles = 2000;
constexpr std::uint64_t kChunkBytes = std::uint64_t{64} << 20;

// Stronger than every .gitattributes: the bytes are stored as they are.
constexpr std::string_view kNoFilters = "* -text !eol -filter -ident !working-tree-encoding -crlf\n";

// Of the user's configuration, what says how to look at files and how to store objects.
constexpr std::string_view kTaken =
    "^core\\.(ignorecase|precomposeunicode|excludesfile|trustctime|checkstat|sharedrepository|compression|"
    "loosecompression|bigfilethreshold|protecthfs|protectntfs)$";

Status put(system::Folder& folder, std::string_view name, std::string_view bytes) {
  const auto there = folder.read(name, kExcludeLimit);
  if (there && *there == bytes) return {};
  const std::string temporary = std::string(name) + ".new";
  TRY_ASSIGN(const auto file, folder.create(temporary));
  TRY(file->write(bytes));
  return folder.rename(temporary, name);
}

}  // namespace

Capture::Capture(Snapshots& snapshots, system::FileSystem& files, system::Folder& own,
                 const LeaveOut& leave_out, const SnapshotLimits& limits)
    : snapshots_(snapshots),
      files_(files),
      own_(own),
      leave_out_(leave_out),
      limits_(limits),
      start_(Clock::now()),
      chain_(files, snapshots.place().top) {}

Result<std::chrono::milliseconds> Capture::time_left() const {
  const auto spent = std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - start_);
  if (spent < limits_.budget) return limits_.budget - spent;
  return base::fail(ErrorKind::busy, "the snapshot took longer than " +
                                         std::to_string(limits_.budget.count()) + " ms and was not taken");
}

// A git directory that knows the object store, the formats and what is ignored, and no filters.
Status Capture::prepare_view() {
  const SnapshotPlace& place = snapshots_.place();
  TRY_ASSIGN(const auto view, own_.make_folder(kView));
  TRY_ASSIGN(const auto info, view->make_folder("info"));
  TRY_ASSIGN(const auto refs, view->make_folder("refs"));
  TRY(put(*info, "attributes", kNoFilters));
  std::string exclude;
  auto common = files_.open_folder(place.common_dir + "/info");
  if (common) {
    auto text = (*common)->read("exclude", kExcludeLimit);
    if (text) exclude = std::move(*text);
  }
  TRY(put(*info, "exclude", exclude));
  std::string config = "[core]\n\trepositoryformatversion = 1\n\tbare = false\n";
  if (place.object_format != "sha1") config += "[extensions]\n\tobjectFormat = " + place.object_format + "\n";
  TRY(put(*view, "config", config));
  return put(*view, "HEAD", "ref: refs/heads/none\n");
}

Status Capture::read_settings() {
  TRY_ASSIGN(const system::Finished found,
             snapshots_.run({"config", "--null", "--get-regexp", std::string(kTaken)}));
  std::string_view rest = found.output;
  while (!rest.empty()) {
    std::string_view one = take_until(rest, '\0');
    const std::string_view key = take_until(one, '\n');
    settings_.insert(settings_.end(), {"-c", std::string(key) + "=" + std::string(one)});
  }
  // What is there, not what git was told to make of it.
  for (const char* one : {"core.fileMode=true", "core.symlinks=true", "core.autocrlf=false",
                          "core.safecrlf=false", "core.sparseCheckout=false", "core.untrackedCache=false",
                          "core.splitIndex=false", "index.sparse=false", "core.commitGraph=false"})
    settings_.insert(settings_.end(), {"-c", one});
  if (limits_.durable) {
    for (const char* one : {"core.fsync=loose-object,reference", "core.fsyncMethod=batch"})
      settings_.insert(settings_.end(), {"-c", one});
  }
  return {};
}

Result<GitRunning> Capture::start_view(const std::vector<std::string>& words, std::string_view input) {
  const SnapshotPlace& place = snapshots_.place();
  GitRun how;
  how.variables = {"GIT_DIR=" + own_.path_of(kView), "GIT_WORK_TREE=" + place.top,
                   "GIT_INDEX_FILE=" + own_.path_of(kIndex),
                   "GIT_OBJECT_DIRECTORY=" + place.common_dir + "/objects"};
  TRY_ASSIGN(how.patience, time_left());
  std::vector<std::string> all = settings_;
  all.insert(all.end(), words.begin(), words.end());
  return snapshots_.start(all, input, how);
}

Result<system::Finished> Capture::finish(GitRunning& running) const {
  auto finished = running.finish();
  if (!finished && finished.error().kind == ErrorKind::busy) TRY(time_left());
  return finished;
}

Result<std::string> Capture::view(const std::vector<std::string>& words, std::string_view input) {
  TRY_ASSIGN(GitRunning running, start_view(words, input));
  TRY_ASSIGN(system::Finished finished, finish(running));
  // check-ignore says with 1 that nothing is ignored.
  const bool fine = finished.status == 0 || (finished.status == 1 && words.front() == "check-ignore");
  if (!fine) return base::fail(refused(finished));
  return std::move(finished.output);
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
  std::vector<std::string_view> others;
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
    others.push_back(line);
  }
  kept_.sort();
  for (const std::string_view path : others) {
    const Entry* const tracked = user_.find(path);
    const bool submodule = tracked != nullptr && tracked->mode == kGitlinkMode;
    if (!submodule && !ours(path)) leave(path, LeftOut::Why::nested_repository);
  }
  // gitdiff-core: ":100644 100644 <id> 000... M" NUL path NUL.
  rest = changed_list_;
  while (!rest.empty()) {
    const std::string_view facts = take_until(rest, '\0');
    const std::string_view path = take_until(rest, '\0');
    if (!facts.starts_with(':') || path.empty())
      return base::fail(ErrorKind::io, "git diff-files says something else than files");
    candidates_.insert(path);
  }
  return {};
}

// What the user's index has to say beside the private one.
Status Capture::sort_out_sparse() {
  for (const Entry& entry : user_) {
    const std::string_view path = entry.path;
    if (ours(path)) continue;
    const Entry* const kept = kept_.find(path);
    if (entry.mode == kGitlinkMode) {
      leave(path, LeftOut::Why::submodule);
      remove(path);
    } else if (entry.sparse) {
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
    if (user_.contains(path) || removed_.contains(path)) continue;
    if (entry.sparse || in_nested_repository(path)) {
      remove(path);
      candidates_.erase(path);
      continue;
    }
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

Status Capture::look_at_candidates() {
  for (const std::string_view path : candidates_) {
    const auto folder = chain_.folder_of(path);
    if (!folder) {
      remove(path);
      // A file that is missing, or behind a link; or nobody can tell.
      if (folder.error().kind == ErrorKind::io) leave(path, LeftOut::Why::unreadable);
      continue;
    }
    const std::string_view name = name_part(path);
    const auto info = (*folder)->info(name);
    if (!info) {
      remove(path);
      leave(path, LeftOut::Why::unreadable);
      continue;
    }
    if (info->kind == system::FileKind::symlink) {
      stored_.emplace_back(path, 0);
    } else if (info->kind != system::FileKind::regular) {
      remove(path);
    } else if (info->size > limits_.max_file_bytes) {
      remove(path);
      leave(path, LeftOut::Why::too_large);
    } else if (!(*folder)->read_range(name, 0, 1)) {
      remove(path);
      leave(path, LeftOut::Why::unreadable);
    } else {
      stored_.emplace_back(path, info->size);
    }
  }
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
  const auto flush = [&]() -> Status {
    if (paths.empty()) return {};
    TRY(view({"update-index", "-z", "--add", "--remove", "--replace", "--stdin"}, paths));
    paths.clear();
    files = 0;
    bytes = 0;
    return {};
  };
  for (const auto& [path, size] : stored_) {
    paths.append(path).append(1, '\0');
    bytes += size;
    if (++files >= kChunkFiles || bytes >= kChunkBytes) TRY(flush());
  }
  return flush();
}

Result<Captured> Capture::run() {
  TRY(prepare_view());
  TRY(read_settings());
  TRY(list_all());
  TRY(read_lists());
  TRY(sort_out_sparse());
  TRY(sort_out_untracked());
  TRY(look_at_candidates());
  if (captured_.left_out.size() > kMostLeftOut)
    return base::fail(ErrorKind::io,
                      "more than " + std::to_string(kMostLeftOut) + " files cannot be in a snapshot",
                      "have git ignore them");
  TRY(store());
  std::vector<std::string> write{"write-tree"};
  // What a sparse checkout leaves out may not even have been fetched.
  const bool sparse = std::any_of(user_.begin(), user_.end(), [](const Entry& one) { return one.sparse; });
  if (sparse) write.emplace_back("--missing-ok");
  TRY_ASSIGN(const std::string tree, view(write));
  captured_.tree = tree.substr(0, tree.find('\n'));
  if (!is_id(captured_.tree)) return base::fail(ErrorKind::io, "git write-tree gives no tree");
  captured_.head = snapshots_.place().head;
  std::sort(captured_.left_out.begin(), captured_.left_out.end(),
            [](const LeftOut& a, const LeftOut& b) { return a.path < b.path; });
  return std::move(captured_);
}

}  // namespace plankeep::git
