#include "tracking/memory_copy.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "base/sha256.hpp"
#include "git/git.hpp"
#include "project/known_folders.hpp"
#include "project/plan_standing.hpp"
#include "project/project.hpp"
#include "project/project_plans.hpp"
#include "project/state_home.hpp"
#include "store/paths.hpp"
#include "store/plan_file.hpp"
#include "store/plan_folders.hpp"
#include "store/tracking_folder.hpp"
#include "system/atomic_file.hpp"
#include "tracking/kept_copies.hpp"
#include "tracking/loaded_state.hpp"
#include "tracking/plan_work.hpp"
#include "tracking/predecessor.hpp"
#include "tracking/track.hpp"

namespace plankeep::app {
namespace {

using base::ErrorKind;
using base::Result;
using base::Status;
using system::FileInfo;
using system::FileKind;
using system::Folder;

constexpr std::string_view kCopyLock = "lock";
constexpr std::array<std::string_view, 2> kGenerations{"1", "2"};
// The database's log belongs to it: checkpoint_db/sqlite_store.
constexpr std::array<std::string_view, 5> kFiles{store::kHistory, store::kState, store::kRecovery,
                                                 store::kCheckpoints, "checkpoints.db-wal"};
constexpr std::string_view kPlanText = "plan-text";
constexpr std::size_t kCopiesKept = 3;
constexpr std::uint64_t kBytesPerMillisecond = 1049;  // a mebibyte a second
constexpr std::int64_t kWeek = 7 * base::kDay;

// Files only: nothing else is ever in it.
Status empty_folder(Folder& in, std::string_view name) {
  const auto folder = in.open_folder(name);
  if (!folder && folder.error().kind == ErrorKind::not_found) return {};
  if (!folder) return base::fail(folder.error());
  TRY_ASSIGN(const std::vector<std::string> names, (*folder)->list());
  for (const std::string& one : names) TRY((*folder)->remove(one));
  return {};
}

Status remove_copy(Folder& memory, const std::string& name) {
  {
    TRY_ASSIGN(const auto folder, memory.open_folder(name));
    Status gone = folder->remove(kCurrentCopy);
    if (!gone && gone.error().kind != ErrorKind::not_found) return gone;
    for (const std::string_view generation : kGenerations) {
      TRY(empty_folder(*folder, generation));
      (void)folder->remove_folder(generation);
    }
  }
  TRY(empty_folder(memory, name));
  return memory.remove_folder(name);
}

struct Held {
  std::vector<std::pair<std::string_view, std::string>> files;
  std::uint64_t bytes = 0;
  std::uint64_t history = 0;
};

// Everything of one moment, as long as nobody folds the database's log into it: then nullopt.
Result<std::optional<Held>> read_files(Folder& tracking) {
  TRY_ASSIGN(const auto lock, tracking.lock(store::kLock, kTimeout));
  Held held;
  std::vector<FileInfo> before;
  for (const std::string_view name : kFiles) {
    TRY_ASSIGN(const FileInfo info, tracking.info(name));
    before.push_back(info);
    if (info.kind != FileKind::regular || info.size > kKeptFileLimit) continue;
    TRY_ASSIGN(std::string bytes, tracking.read(name, kKeptFileLimit));
    held.bytes += bytes.size();
    if (name == store::kHistory) held.history = bytes.size();
    held.files.emplace_back(name, std::move(bytes));
  }
  for (std::size_t i = 0; i < kFiles.size(); ++i) {
    TRY_ASSIGN(const FileInfo now, tracking.info(kFiles[i]));
    const FileInfo& then = before[i];
    if (now.kind != then.kind || now.size != then.size || now.mtime_ns != then.mtime_ns ||
        now.inode != then.inode)
      return std::optional<Held>();
  }
  return std::optional(std::move(held));
}

// The plan's text, or if its file is gone or cannot be read, the text in the copy that is there.
void add_text(const Context& context, Folder& folder, const PlanLocation& plan, Folder& copy,
              const std::optional<CurrentCopy>& last, Held& held) {
  std::optional<std::string> text;
  if (auto read = store::PlanFile(context.files, folder, plan.name).read()) {
    text = std::move(read->bytes);
  } else if (last) {
    const auto files = copy.open_folder(std::to_string(last->generation));
    if (auto kept = files ? (*files)->read(kPlanText, kKeptFileLimit) : base::fail(files.error()))
      text = std::move(*kept);
  }
  if (!text) return;
  held.bytes += text->size();
  held.files.emplace_back(kPlanText, std::move(*text));
}

Status write_files(Folder& folder, const Held& held) {
  for (const auto& [name, bytes] : held.files) {
    TRY_ASSIGN(const auto file, folder.create(name));
    TRY(file->write(bytes));
    TRY(file->sync_data());
  }
  return folder.sync();
}

// Whether the history of a copy is what this one begins with.
Result<bool> goes_on(Folder& copy, const CurrentCopy& current, std::string_view history) {
  TRY_ASSIGN(const auto files, copy.open_folder(std::to_string(current.generation)));
  TRY_ASSIGN(const std::string before, files->read(store::kHistory, kKeptFileLimit));
  return history.starts_with(before);
}

bool is_due(const std::optional<CurrentCopy>& last, std::uint64_t history, base::Instant now) {
  if (!last) return true;
  if (history == last->history) return false;
  const auto wait = static_cast<std::int64_t>(last->bytes / kBytesPerMillisecond);
  const std::int64_t since = now.milliseconds - last->kept.milliseconds;
  return since < 0 || since >= wait;
}

// What a copy may be put back instead of: the history that is there, or nothing.
struct Present {
  std::unique_ptr<Folder> tracking;  // null: there is none
  std::optional<HistoryName> history;
};

Result<Present> present_of(const Context& context, const PlanLocation& plan) {
  Present present;
  const auto folder = context.files.open_folder(plan.folder);
  if (!folder && folder.error().kind == ErrorKind::not_found) return present;
  if (!folder) return base::fail(folder.error());
  auto tracking = store::open_tracking(**folder, plan.name);
  if (!tracking && tracking.error().kind == ErrorKind::not_found) return present;
  if (!tracking) return base::fail(std::move(tracking.error()));
  present.tracking = std::move(*tracking);
  present.history = history_name(*present.tracking);
  return present;
}

struct Chosen {
  std::unique_ptr<Folder> files;
  MemoryOffer offer;
};

// The newest copy of another history; nullopt: none.
Result<std::optional<Chosen>> newest_other(const Context& context, const PlanLocation& plan,
                                           const Present& present) {
  const Project project(context, plan.folder);
  const auto memory = open_memory(context, project, false);
  if (!memory && memory.error().kind == ErrorKind::not_found) return std::optional<Chosen>();
  if (!memory) return base::fail(memory.error());
  for (const KeptCopy& copy : kept_copies(**memory, copy_prefix(plan, project.root()))) {
    if (present.history && copy.id == present.history->id) continue;
    TRY_ASSIGN(const auto folder, (*memory)->open_folder(copy.name));
    TRY_ASSIGN(auto files, folder->open_folder(std::to_string(copy.current.generation)));
    if (!history_name(*files)) continue;
    MemoryOffer offer{copy.current.kept, copy.current.bytes, files->path(), false};
    return std::optional(Chosen{std::move(files), std::move(offer)});
  }
  return std::optional<Chosen>();
}

}  // namespace

Status keep_memory(const Context& context, const PlanLocation& plan) {
  TRY_ASSIGN(const auto folder, context.files.open_folder(plan.folder));
  TRY_ASSIGN(const auto tracking, store::open_tracking(*folder, plan.name));
  const auto history = history_name(*tracking);
  if (!history) return {};
  const Project project(context, plan.folder);
  const auto memory = open_memory(context, project, true);
  if (!memory && memory.error().kind == ErrorKind::not_found) return {};
  if (!memory) return base::fail(memory.error());
  const std::string prefix = copy_prefix(plan, project.root());
  TRY_ASSIGN(auto copy, (*memory)->make_folder(prefix + history->id));
  auto lock = copy->lock(kCopyLock, std::chrono::milliseconds{0});
  if (!lock) return {};  // another one is at it
  std::optional<CurrentCopy> last;
  if (const auto text = copy->read(kCurrentCopy, kSmallFile)) {
    const auto current = decode_current(*text);
    if (current) last = *current;
  }
  TRY_ASSIGN(const FileInfo info, tracking->info(store::kHistory));
  const base::Instant now = context.clock.now();
  if (!is_due(last, info.size, now)) return {};
  TRY_ASSIGN(auto held, read_files(*tracking));
  if (!held || held->history == 0) return {};  // the next one comes soon
  add_text(context, *folder, plan, *copy, last, *held);
  const auto same = last ? goes_on(*copy, *last, held->files.front().second) : true;
  if (same && !*same) {
    // It was cut, damaged or told again: what was kept of it before stays, as another history.
    const std::string other = base::sha256_hex(encode_current(*last)).substr(0, kHistoryDigits);
    TRY((*memory)->rename(prefix + history->id, prefix + other));
    TRY_ASSIGN(copy, (*memory)->make_folder(prefix + history->id));
    lock = copy->lock(kCopyLock, std::chrono::milliseconds{0});
    if (!lock) return {};
    last.reset();
  }

  CurrentCopy next;
  next.generation = last && last->generation == 1 ? 2 : 1;
  next.history = held->history;
  next.bytes = held->bytes;
  next.kept = now;
  const std::string generation = std::to_string(next.generation);
  TRY(empty_folder(*copy, generation));
  TRY_ASSIGN(const auto files, copy->make_folder(generation));
  TRY(write_files(*files, *held));
  TRY(system::write_file(*copy, kCurrentCopy, encode_current(next), system::Durability::durable));
  TRY((*memory)->sync());
  const std::vector<KeptCopy> copies = kept_copies(**memory, prefix);
  for (std::size_t i = kCopiesKept; i < copies.size(); ++i) TRY(remove_copy(**memory, copies[i].name));
  return {};
}

std::optional<MemoryOffer> memory_offer(const Context& context, const PlanLocation& plan) {
  // Usually there is no copy. Then the first line of the history, which may be long, need not be read.
  const Project project(context, plan.folder);
  const auto memory = open_memory(context, project, false);
  if (!memory || kept_copies(**memory, copy_prefix(plan, project.root())).empty()) return std::nullopt;
  const auto present = present_of(context, plan);
  if (!present) return std::nullopt;
  if (present->tracking) {
    const auto behind = kept_behind(context, plan, *present->tracking);
    if (behind && *behind) return MemoryOffer{(*behind)->kept, (*behind)->lines.size(), {}, true};
  }
  const auto chosen = newest_other(context, plan, *present);
  if (!chosen || !*chosen) return std::nullopt;
  const MemoryOffer& offer = (*chosen)->offer;
  if (present->history) {
    const base::Instant began = present->history->began;
    const bool before = offer.kept <= began;
    if (!before || context.clock.now().milliseconds - began.milliseconds > kWeek) return std::nullopt;
  }
  return offer;
}

std::string memory_facts(const MemoryOffer& offer) {
  // "2026-11-20T10:00"
  constexpr std::size_t kMinutes = 16;
  std::string time = base::to_iso8601(offer.kept).substr(0, kMinutes);
  std::replace(time.begin(), time.end(), 'T', ' ');
  if (offer.goes_on) {
    return "lines that are missing in the history of this plan are kept in the git directory, in a copy of " +
           time + " UTC";
  }
  return "an earlier history of this plan, of " + time + " UTC, is kept in the git directory";
}

std::string memory_remedy(const MemoryOffer& offer) {
  return offer.goes_on ? "plankeep doctor --repair" : "plankeep restore --memory";
}

std::string memory_words(const MemoryOffer& offer) {
  return memory_facts(offer) + "; to restore " + (offer.goes_on ? "them: " : "it: ") + memory_remedy(offer);
}

namespace {

// Whether the plan's files stand in .checkpoint itself.
bool is_of_folder(Folder& folder, const PlanLocation& plan, const Present& present) {
  if (present.tracking) return present.tracking->path() == folder.path_of(store::kTrackingFolder);
  const auto place = store::find_tracking(folder, plan.name);
  return is_default_plan_name(plan.name) && place && place->other.empty();
}

// `name` in `in`, made of a copy. Killed before, there is nothing of this name, or what was there.
Status put_in_place(Folder& in, std::string_view name, const Held& held, bool with_ignore,
                    const std::function<Status()>& make_room) {
  const std::string temporary = system::temporary_name(name);
  TRY(empty_folder(in, temporary));
  {
    TRY_ASSIGN(const auto made, in.make_folder(temporary));
    if (with_ignore) TRY(system::write_file(*made, store::kGitignore, "*\n", system::Durability::durable));
    TRY(write_files(*made, held));
  }
  TRY(make_room());
  TRY(in.rename(temporary, name));
  return in.sync();
}

// The whole .checkpoint, with the folders of the other plans taken over. Gives the old one's new name.
Result<std::string> replace_tracking(const Context& context, Folder& folder, const Held& held) {
  std::string aside;
  TRY(put_in_place(folder, store::kTrackingFolder, held, true, [&]() -> Status {
    // It may be there for other plans of the folder only.
    TRY_ASSIGN(const system::FileInfo there, folder.info(store::kTrackingFolder));
    if (there.kind == system::FileKind::missing) return {};
    TRY_ASSIGN(aside, quarantine_tracking(context, folder, kRestoreMemory));
    return {};
  }));
  if (aside.empty()) return aside;
  TRY_ASSIGN(const auto before, folder.open_folder(aside));
  TRY_ASSIGN(const auto now, folder.open_folder(store::kTrackingFolder));
  TRY_ASSIGN(const std::vector<std::string> files, store::files_below(*before));
  for (const std::string& file : files) TRY(before->move(file, *now, file));
  if (!files.empty()) TRY(now->sync());
  return aside;
}

// The folder of one plan in .checkpoint.
Result<std::string> replace_below(const Context& context, Folder& folder, const PlanLocation& plan,
                                  const Held& held, bool there) {
  TRY_ASSIGN(const auto top, folder.make_folder(store::kTrackingFolder));
  TRY(store::finish_tracking(folder, *top));
  std::string aside;
  TRY(put_in_place(*top, plan.name, held, false, [&]() -> Status {
    if (!there) return {};
    aside = plan.name + ".set-aside-" + store::file_time(context.clock.now());
    return top->rename(plan.name, aside);
  }));
  return aside;
}

// A copy of an earlier version holds no text. Where the file comes back from then; empty: git never had it.
std::string text_remedy(const Context& context, const PlanLocation& plan) {
  const Project project(context, plan.folder);
  const std::string path = path_below(plan.path(), project.root());
  if (context.processes == nullptr || path.empty()) return {};
  git::Git git(*context.processes, context.files);
  const auto found = git.run(project.root(), {"--literal-pathspecs", "log", "--format=%h",
                                              "--diff-filter=AMT", "--full-history", "--", path});
  if (!found || found->status != 0) return {};
  const std::string commit = found->output.substr(0, found->output.find('\n'));
  return commit.empty() ? commit : "git checkout " + commit + " -- " + shown_path(context, plan.path());
}

}  // namespace

Result<RestoredMemory> restore_memory(const Context& context, const PlanLocation& plan,
                                      const std::string& actor) {
  TRY_ASSIGN(Present present, present_of(context, plan));
  TRY_ASSIGN(const auto chosen, newest_other(context, plan, present));
  if (!chosen) {
    return base::fail(ErrorKind::not_found, present.history
                                                ? "there is no copy of an earlier history of this plan"
                                                : "there is no copy of this plan's history");
  }
  RestoredMemory restored;
  restored.from = chosen->offer;
  Held held;
  system::Folder& files = *(*chosen).files;
  for (const std::string_view name : kFiles) {
    TRY_ASSIGN(const FileInfo info, files.info(name));
    if (info.kind == FileKind::missing) continue;
    TRY_ASSIGN(std::string bytes, files.read(name, kKeptFileLimit));
    held.files.emplace_back(name, std::move(bytes));
  }
  TRY_ASSIGN(const auto folder, store::made_folder(context.files, plan.folder));
  // First, so that whoever is killed in between can do it again.
  if (const auto text = files.read(kPlanText, kKeptFileLimit)) {
    Status made = store::PlanFile(context.files, *folder, plan.name).create(*text);
    if (!made && made.error().kind != ErrorKind::conflict) return base::fail(made.error());
    restored.text = made.has_value();
  }
  std::unique_ptr<system::Lock> lock;
  if (present.tracking) {
    TRY_ASSIGN(lock, present.tracking->lock(store::kLock, kTimeout));
  }
  if (is_of_folder(*folder, plan, present)) {
    TRY_ASSIGN(restored.quarantined, replace_tracking(context, *folder, held));
  } else {
    TRY_ASSIGN(restored.quarantined,
               replace_below(context, *folder, plan, held, present.tracking != nullptr));
  }
  lock.reset();
  remember_tracking(context, plan.folder, *folder);
  PlanLocation fresh{plan.folder, plan.name};
  TRY_ASSIGN(restored.outcome, track(context, fresh, Edit{actor, true, true}));
  // The sync tells the project's list only what is new in the records, and the plan may have been forgotten.
  ProjectPlans::note(context, fresh, standing_from(restored.outcome.state));
  if (is_gone(*folder, plan.name)) restored.text_remedy = text_remedy(context, plan);
  return restored;
}

}  // namespace plankeep::app
