#include "sessions/activity_files.hpp"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <map>
#include <set>

#include "base/sha256.hpp"
#include "model/session.hpp"
#include "project/git_directory.hpp"
#include "project/plan_location.hpp"
#include "project/project.hpp"
#include "sessions/own_folder.hpp"
#include "system/atomic_file.hpp"

namespace plankeep::app {
namespace {

using base::Result;
using base::Status;

constexpr std::string_view kMark = "link-sessions";
constexpr std::string_view kEnded = "ended-sessions";
constexpr std::string_view kLockFile = "sessions.lock";
constexpr std::string_view kTidied = "sessions.tidied";
constexpr std::chrono::milliseconds kLockTimeout{500};
// A file may have grown past kLargestActivity before it was compacted.
constexpr std::uint64_t kReadLimit = 4 * core::kLargestActivity;
constexpr std::uint64_t kPathsLimit = std::uint64_t{64} << 20;
using base::kDay;
constexpr std::uint64_t kLongestLink = 4096;
constexpr std::string_view kRefsWord = "refs\n";
constexpr std::string_view kBranchWord = "branch\n";

bool is_missing(system::Folder& folder, std::string_view name) {
  const auto info = folder.info(name);
  return !info || info->kind == system::FileKind::missing;
}

// Null: it is not there.
std::unique_ptr<system::Folder> opened(const Context& context, const std::string& git_dir) {
  auto own = open_own_folder(context.files, git_dir);
  return own ? std::move(*own) : nullptr;
}

std::unique_ptr<system::Folder> inside(system::Folder& own, std::string_view name) {
  auto folder = own.open_folder(name);
  return folder ? std::move(*folder) : nullptr;
}

// The file in ended-paths that a path is listed in.
std::string shelf_of(const std::string& path) {
  return base::sha256_hex(path).substr(0, 2);
}

// "<session>\t<touched line>": an id has no control characters.
std::string shelf_line(const std::string& session, const std::string& path) {
  return session + "\t" + core::touched_line(core::Touch::written, path);
}

template <class Use>
void each_line(std::string_view text, Use use) {
  for (std::size_t end = text.find('\n'); end != std::string_view::npos; end = text.find('\n')) {
    use(text.substr(0, end + 1));
    text.remove_prefix(end + 1);
  }
}

std::optional<core::SessionActivity> read_in(system::Folder* folder, const std::string& session) {
  if (folder == nullptr) return std::nullopt;
  const auto text = folder->read(session, kReadLimit);
  return text ? std::optional(core::fold_activity(*text)) : std::nullopt;
}

bool touches(const core::SessionActivity& activity, const std::set<std::string, std::less<>>& paths) {
  return std::any_of(activity.paths.begin(), activity.paths.end(),
                     [&](const core::TouchedPath& one) { return paths.contains(one.path); });
}

std::vector<std::string> sessions_in(system::Folder* folder) {
  std::vector<std::string> names;
  if (folder == nullptr) return names;
  const auto all = folder->list();
  if (!all) return names;
  for (const std::string& name : *all) {
    if (core::is_client_session(name) && !name.ends_with(system::kTemporaryEnd)) names.push_back(name);
  }
  return names;
}

std::int64_t milliseconds_of(const system::FileInfo& info) {
  return info.modified().milliseconds;
}

// Under the lock. A folder that holds something stays.
void drop_if_empty(system::Folder& own, std::string_view name) {
  (void)own.remove_folder(name);
}

// One write, on a line of its own whatever a crash left in front of it. Returns the file's new size.
Result<std::uint64_t> add_text(system::Folder& folder, const std::string& name, std::string text) {
  TRY_ASSIGN(const auto file, folder.open_append(name));
  TRY_ASSIGN(const std::uint64_t size, file->size());
  if (size > 0) {
    TRY_ASSIGN(const std::string last, folder.read_range(name, size - 1, 1));
    if (!last.ends_with('\n')) text.insert(text.begin(), '\n');
  }
  TRY(file->write(text));
  return size + text.size();
}

}  // namespace

std::string linking_mark_path(const std::string& common_dir) {
  return common_dir + "/" + std::string(git::kOwnGitFolder) + "/" + std::string(kMark);
}

std::optional<core::SessionLayout> linking_mark(const Context& context, const std::string& common_dir) {
  const auto own = opened(context, common_dir);
  if (own == nullptr || is_missing(*own, kMark)) return std::nullopt;
  const auto text = own->read(kMark, 64);
  return text && *text == kBranchWord ? core::SessionLayout::branch : core::SessionLayout::refs;
}

Status mark_linking(const Context& context, const std::string& common_dir,
                    std::optional<core::SessionLayout> layout) {
  if (!layout) {
    const auto own = opened(context, common_dir);
    if (own == nullptr || is_missing(*own, kMark)) return {};
    return own->remove(kMark);
  }
  TRY_ASSIGN(const auto own, make_own_folder(context.files, common_dir));
  const std::string_view word = *layout == core::SessionLayout::branch ? kBranchWord : kRefsWord;
  const auto before = own->read(kMark, 64);
  if (before && *before == word) return {};
  return system::write_file(*own, kMark, word, system::Durability::durable);
}

bool ActivityFiles::possible(const Context& context, std::string folder) {
  while (folder.size() > 1) {
    const auto info = context.files.info(folder + "/.git");
    if (info && info->kind == system::FileKind::directory) {
      const auto mark = context.files.info(linking_mark_path(folder + "/.git"));
      return mark && mark->kind != system::FileKind::missing;
    }
    // A file: of a linked work tree, or a submodule.
    if (info && info->kind != system::FileKind::missing) return true;
    folder = parent_of(folder);
  }
  return false;
}

std::optional<ActivityFiles> ActivityFiles::open(const Context& context, const std::string& folder) {
  const Project project(context, folder);
  auto git_dir = project.git_directory();
  if (!git_dir) return std::nullopt;
  ActivityFiles files(context);
  files.common_dir_ = common_git_directory(context, *git_dir);
  const auto layout = linking_mark(context, files.common_dir_);
  if (!layout) return std::nullopt;
  files.layout_ = *layout;
  files.top_ = project.root();
  files.git_dir_ = std::move(*git_dir);
  return files;
}

std::vector<ActivityFiles> ActivityFiles::all_work_trees() const {
  std::vector<ActivityFiles> all{*this};
  const auto add = [&](std::string git_dir, std::string top) {
    if (git_dir == git_dir_) return;
    all.push_back(*this);
    all.back().git_dir_ = std::move(git_dir);
    all.back().top_ = std::move(top);
  };
  if (common_dir_.ends_with("/.git")) add(common_dir_, parent_of(common_dir_));
  const auto linked = context_->files.open_folder(common_dir_ + "/worktrees");
  if (!linked) return all;
  const auto names = (*linked)->list();
  if (!names) return all;
  for (const std::string& name : *names) {
    const auto folder = (*linked)->open_folder(name);
    if (!folder) continue;
    // "/work/tree/.git" LF
    auto text = (*folder)->read("gitdir", kLongestLink);
    if (!text) continue;
    while (text->ends_with('\n')) text->pop_back();
    if (text->starts_with('/')) add((*folder)->path(), parent_of(*text));
  }
  return all;
}

Result<std::unique_ptr<system::Folder>> ActivityFiles::own_folder() const {
  return make_own_folder(context_->files, git_dir_);
}

bool ActivityFiles::knows(const std::string& session) const {
  if (!core::is_client_session(session)) return false;
  const auto own = opened(*context_, git_dir_);
  if (own == nullptr) return false;
  for (const std::string_view name : {kRunningSessions, kEnded}) {
    const auto folder = inside(*own, name);
    if (folder != nullptr && !is_missing(*folder, session)) return true;
  }
  return false;
}

Status ActivityFiles::append(const std::string& session, const std::string& lines) const {
  if (!core::is_client_session(session))
    return base::fail(base::ErrorKind::invalid_input, "a session's id that can be no file name");
  if (lines.empty()) return {};
  TRY_ASSIGN(const auto own, own_folder());
  TRY_ASSIGN(const auto lock, own->lock(kLockFile, kLockTimeout));
  TRY_ASSIGN(const auto running, own->make_folder(kRunningSessions));
  if (is_missing(*running, session)) {
    const auto ended = inside(*own, kEnded);
    if (ended != nullptr && !is_missing(*ended, session)) TRY(ended->move(session, *running, session));
  }
  TRY_ASSIGN(const std::uint64_t size, add_text(*running, session, lines));
  if (size <= core::kLargestActivity) return {};
  TRY_ASSIGN(const std::string text, running->read(session, kReadLimit));
  return system::write_file(*running, session, core::activity_text(core::fold_activity(text)),
                            system::Durability::cache);
}

Result<std::optional<core::SessionActivity>> ActivityFiles::read(const std::string& session) const {
  std::optional<core::SessionActivity> found;
  const auto own = core::is_client_session(session) ? opened(*context_, git_dir_) : nullptr;
  if (own == nullptr) return found;
  for (const std::string_view name : {kRunningSessions, kEnded}) {
    const auto folder = inside(*own, name);
    if (folder == nullptr || is_missing(*folder, session)) continue;
    TRY_ASSIGN(const std::string text, folder->read(session, kReadLimit));
    found = core::fold_activity(text);
    return found;
  }
  return found;
}

bool ActivityFiles::any() const {
  const auto own = opened(*context_, git_dir_);
  if (own == nullptr) return false;
  if (!sessions_in(inside(*own, kRunningSessions).get()).empty()) return true;
  const auto shelves = inside(*own, kEndedPaths);
  if (shelves == nullptr) return false;
  const auto names = shelves->list();
  return names && !names->empty();
}

std::vector<NotedSession> ActivityFiles::touching(const std::vector<std::string>& paths) const {
  std::vector<NotedSession> found;
  const auto own = opened(*context_, git_dir_);
  if (own == nullptr) return found;
  const std::set<std::string, std::less<>> wanted(paths.begin(), paths.end());
  const auto running = inside(*own, kRunningSessions);
  for (const std::string& session : sessions_in(running.get())) {
    auto activity = read_in(running.get(), session);
    if (activity && touches(*activity, wanted)) found.push_back({session, std::move(*activity)});
  }
  const auto shelves = inside(*own, kEndedPaths);
  const auto ended = inside(*own, kEnded);
  if (shelves == nullptr || ended == nullptr) return found;
  std::map<std::string, std::vector<std::string>> by_shelf;
  for (const std::string& path : wanted) by_shelf[shelf_of(path)].push_back(path);
  std::set<std::string, std::less<>> candidates;
  for (const auto& [shelf, on_it] : by_shelf) {
    const auto text = shelves->read(shelf, kPathsLimit);
    if (!text) continue;
    std::set<std::string, std::less<>> lines;
    for (const std::string& path : on_it) lines.insert(core::touched_line(core::Touch::written, path));
    each_line(*text, [&](std::string_view line) {
      const std::size_t tab = line.find('\t');
      if (tab != std::string_view::npos && lines.contains(line.substr(tab + 1)))
        candidates.emplace(line.substr(0, tab));
    });
  }
  for (const std::string& session : candidates) {
    if (!core::is_client_session(session)) continue;
    // What was committed meanwhile stands in the session's own file.
    auto activity = read_in(ended.get(), session);
    if (activity && touches(*activity, wanted)) found.push_back({session, std::move(*activity)});
  }
  return found;
}

Status ActivityFiles::end_locked(system::Folder& own, const std::string& session) const {
  const auto running = inside(own, kRunningSessions);
  if (running == nullptr || is_missing(*running, session)) return {};
  TRY_ASSIGN(const std::string text, running->read(session, kReadLimit));
  const core::SessionActivity activity = core::fold_activity(text);
  if (activity.paths.empty() && activity.unfinished.empty()) {
    TRY(running->remove(session));
    drop_if_empty(own, kRunningSessions);
    return {};
  }
  TRY_ASSIGN(const auto shelves, own.make_folder(kEndedPaths));
  std::map<std::string, std::string> by_shelf;
  for (const core::TouchedPath& one : activity.paths)
    by_shelf[shelf_of(one.path)] += shelf_line(session, one.path);
  for (const auto& [shelf, lines] : by_shelf) {
    TRY_ASSIGN([[maybe_unused]] const std::uint64_t size, add_text(*shelves, shelf, lines));
  }
  TRY_ASSIGN(const auto ended, own.make_folder(kEnded));
  TRY(running->move(session, *ended, session));
  drop_if_empty(own, kRunningSessions);
  return {};
}

Status ActivityFiles::end(const std::string& session, base::Instant now) const {
  if (!knows(session)) return {};
  TRY(append(session, core::ended_line(now)));
  TRY_ASSIGN(const auto own, own_folder());
  TRY_ASSIGN(const auto lock, own->lock(kLockFile, kLockTimeout));
  return end_locked(*own, session);
}

Status ActivityFiles::forget_old(system::Folder& own, base::Instant now) const {
  const auto ended = inside(own, kEnded);
  if (ended == nullptr) return {};
  std::set<std::string, std::less<>> left;
  for (const std::string& session : sessions_in(ended.get())) {
    TRY_ASSIGN(const system::FileInfo info, ended->info(session));
    const auto activity = read_in(ended.get(), session);
    const bool done = activity && activity->paths.empty() && activity->unfinished.empty();
    if (done || now.milliseconds - milliseconds_of(info) > kKeptDays * kDay) {
      TRY(ended->remove(session));
    } else {
      left.insert(session);
    }
  }
  const auto shelves = inside(own, kEndedPaths);
  if (shelves == nullptr) return {};
  TRY_ASSIGN(const std::vector<std::string> names, shelves->list());
  for (const std::string& name : names) {
    const auto text = shelves->read(name, kPathsLimit);
    if (!text) continue;
    std::set<std::string, std::less<>> kept;
    each_line(*text, [&](std::string_view line) {
      if (left.contains(line.substr(0, line.find('\t')))) kept.emplace(line);
    });
    if (kept.empty()) {
      TRY(shelves->remove(name));
      continue;
    }
    std::string shorter;
    for (const std::string& line : kept) shorter += line;
    if (shorter.size() != text->size())
      TRY(system::write_file(*shelves, name, shorter, system::Durability::cache));
  }
  drop_if_empty(own, kEndedPaths);
  return {};
}

Status ActivityFiles::tidy(base::Instant now) const {
  const auto own = opened(*context_, git_dir_);
  if (own == nullptr) return {};
  TRY_ASSIGN(const system::FileInfo tidied, own->info(kTidied));
  // A clock that was put back by more than a day does not stop it.
  const bool lately =
      tidied.kind == system::FileKind::regular && std::abs(now.milliseconds - milliseconds_of(tidied)) < kDay;
  if (lately) return {};
  TRY_ASSIGN(const auto lock, own->lock(kLockFile, kLockTimeout));
  TRY(system::write_file(*own, kTidied, "", system::Durability::cache));
  Status first_error;
  const auto note = [&first_error](Status done) {
    if (first_error && !done) first_error = std::move(done);
  };
  const auto running = inside(*own, kRunningSessions);
  for (const std::string& session : sessions_in(running.get())) {
    const auto info = running->info(session);
    if (info && now.milliseconds - milliseconds_of(*info) > kDay) note(end_locked(*own, session));
  }
  drop_if_empty(*own, kRunningSessions);
  note(forget_old(*own, now));
  return first_error;
}

std::vector<WaitingSession> ActivityFiles::waiting(base::Instant now) const {
  std::vector<WaitingSession> found;
  const auto own = opened(*context_, git_dir_);
  if (own == nullptr) return found;
  const auto ended = inside(*own, kEnded);
  for (const std::string& session : sessions_in(ended.get())) {
    const auto info = ended->info(session);
    const auto activity = read_in(ended.get(), session);
    if (!info || !activity || activity->paths.empty()) continue;
    const std::int64_t age = (now.milliseconds - milliseconds_of(*info)) / kDay;
    found.push_back({session, activity->paths.size(), std::max<std::int64_t>(0, kKeptDays - age)});
  }
  std::stable_sort(found.begin(), found.end(), [](const WaitingSession& a, const WaitingSession& b) {
    return a.days_left < b.days_left;
  });
  return found;
}

}  // namespace plankeep::app
