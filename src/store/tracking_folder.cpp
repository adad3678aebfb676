#include "store/tracking_folder.hpp"

#include <algorithm>
#include <array>
#include <cstdint>

#include "base/json_reader.hpp"
#include "rules/recovery_policy.hpp"
#include "store/brief_state.hpp"
#include "store/journal.hpp"
#include "store/paths.hpp"
#include "store/quarantine.hpp"
#include "store/running_shells.hpp"
#include "system/atomic_file.hpp"

namespace plankeep::store {

using base::ErrorKind;
using base::Result;
using base::Status;
using system::FileKind;
using system::Folder;

namespace {

constexpr int kAttempts = 100;
// Of larger ones and of recovery copies only the beginning: planPath is the third key that we write. A file
// in which something else put more than this in front is read whole.
constexpr std::uint64_t kFirstLook = 4096;
// More plans than a folder of people has.
constexpr std::size_t kMostPlans = 1000;

// The value of planPath, at the top or inside "state" (recovery copies). The reader stops there: what follows
// may be long, or damaged.
std::optional<std::string> find_plan_path(std::string_view json, bool inside_state) {
  std::optional<std::string> found;
  base::JsonReader in(json);
  const auto stop = [&in] { return Status(in.error("nothing more")); };
  const auto field = [&](std::string_view key) -> Status {
    if (key != "planPath") return in.skip();
    std::string value;
    TRY(in.string(value));
    found = std::move(value);
    return stop();
  };
  const Status read = in.object([&](std::string_view key) -> Status {
    if (!inside_state) return field(key);
    return key == "state" ? in.object(field) : in.skip();
  });
  // Stopping is an error to the reader; a damaged file simply names nothing.
  (void)read;
  return found;
}

// The last part of a planPath that can be one; empty otherwise.
std::string name_in_path(const std::optional<std::string>& path) {
  if (!path || !path->starts_with('/')) return {};
  std::string name = path->substr(path->rfind('/') + 1);
  if (name == "." || name == ".." || name.find('\0') != std::string::npos) return {};
  return name;
}

std::string name_in_file(Folder& tracking, std::string_view file, bool inside_state) {
  const auto head = tracking.read_range(file, 0, kFirstLook);
  if (!head) return {};
  auto path = find_plan_path(*head, inside_state);
  if (!path && head->size() == kFirstLook) {
    const auto whole = tracking.read(file, kJsonLimit);
    if (whole) path = find_plan_path(*whole, inside_state);
  }
  return name_in_path(path);
}

std::optional<system::FileContent> small_state(Folder& tracking) {
  auto state = tracking.read_with_info(kState, kSmallState);
  return state ? std::optional(std::move(*state)) : std::nullopt;
}

// Where both are lost, the history knows the file if it was ever moved.
std::string name_in_history(Folder& top) {
  const auto moved = last_events(top, 1, {.kinds = {core::EventKind::plan_moved}});
  return moved && !moved->empty() ? name_in_path(moved->front().event.to) : std::string();
}

// The file that .checkpoint itself says it tracks; empty when it does not.
std::string name_in_top(Folder& top, const std::optional<system::FileContent>& state) {
  std::string name =
      state ? name_in_path(find_plan_path(state->bytes, false)) : name_in_file(top, kState, false);
  for (int generation = 0; generation < core::kRecoveryGenerations && name.empty(); ++generation)
    name = name_in_file(top, recovery_name(generation), true);
  return name.empty() ? name_in_history(top) : name;
}

bool is_there(Folder& folder, std::string_view name) {
  const auto info = folder.info(name);
  return info && info->kind != FileKind::missing;
}

// Whether a file or folder of ours in .checkpoint is called so.
bool is_own_name(std::string_view name) {
  constexpr std::array kNames{kState, kHistory, kLock,  kGitignore, kErrorLog, kCleanUpLog,  kHookLog,
                              kNext,  kBrief,   kShown, kPlanTexts, kCommits,  kCommitIndex, kCommitStamp};
  if (name.empty() || name == "." || name == ".." || name.find('/') != std::string_view::npos) return true;
  if (std::find(kNames.begin(), kNames.end(), name) != kNames.end()) return true;
  if (name.starts_with(kCheckpoints) || name.ends_with(system::kTemporaryEnd)) return true;
  if (name.starts_with("recovery.") && name.ends_with(".json")) return true;
  return name.find(".damaged-") != std::string_view::npos ||
         name.find(".set-aside-") != std::string_view::npos;
}

// A .checkpoint of an earlier version whose state is lost says no more whose it is: then it is plan.md's, and
// where there is none, that of the file that is asked for.
Result<bool> may_be_of(Folder& plan_folder, Folder& top, std::string_view name) {
  const bool records = is_there(top, kState) || is_there(top, kHistory);
  if (is_default_plan_name(name)) {
    if (records) return true;
    // A .checkpoint that was made for other files of the folder.
    TRY_ASSIGN(const std::vector<std::string> others, files_below(top));
    return others.empty();
  }
  if (!records) return false;
  TRY_ASSIGN(const std::vector<std::string> files, plan_folder.list());
  return std::none_of(files.begin(), files.end(), is_default_plan_name);
}

Status finish_top(Folder& plan_folder, Folder& top) {
  // No lock can be had yet, so of two that begin at the same moment one may find its temporary file taken or
  // put in place by the other.
  for (int attempt = 0;; ++attempt) {
    TRY_ASSIGN(const system::FileInfo ignore, top.info(kGitignore));
    if (ignore.kind != FileKind::missing) return {};
    TRY(plan_folder.sync());
    Status written = system::write_file(top, kGitignore, "*\n", system::Durability::durable);
    const bool taken = !written && written.error().kind == ErrorKind::not_found;
    if (!taken || attempt == kAttempts) return written;
  }
}

}  // namespace

bool is_default_plan_name(std::string_view name) {
  return std::equal(name.begin(), name.end(), kDefaultPlanName.begin(), kDefaultPlanName.end(),
                    [](char a, char b) {
                      const char lower = a >= 'A' && a <= 'Z' ? static_cast<char>(a - 'A' + 'a') : a;
                      return lower == b;
                    });
}

Result<std::unique_ptr<Folder>> open_top_tracking(Folder& plan_folder) {
  return plan_folder.open_folder(kTrackingFolder);
}

Result<TrackingPlace> find_tracking(Folder& plan_folder, std::string_view name) {
  TrackingPlace place;
  auto top = plan_folder.open_folder(kTrackingFolder);
  if (!top && top.error().kind == ErrorKind::not_found) return place;
  if (!top) return base::fail(std::move(top.error()));
  if (!is_own_name(name)) {
    auto below = (*top)->open_folder(name);
    if (below) {
      place.state = small_state(**below);
      place.folder = std::move(*below);
      return place;
    }
    if (below.error().kind != ErrorKind::not_found) return base::fail(std::move(below.error()));
  }
  place.state = small_state(**top);
  place.other = name_in_top(**top, place.state);
  bool own = place.other == name;
  if (place.other.empty()) {
    TRY_ASSIGN(own, may_be_of(plan_folder, **top, name));
  }
  if (own) {
    place.other.clear();
    place.folder = std::move(*top);
  } else {
    place.state.reset();
  }
  return place;
}

Result<std::unique_ptr<Folder>> open_tracking(Folder& plan_folder, std::string_view name) {
  TRY_ASSIGN(TrackingPlace place, find_tracking(plan_folder, name));
  if (place.folder) return std::move(place.folder);
  return base::fail(ErrorKind::not_found, plan_folder.path_of(name) + " is not tracked yet",
                    "to start: plankeep init");
}

Result<std::unique_ptr<Folder>> make_tracking(Folder& plan_folder, std::string_view name) {
  TRY_ASSIGN(TrackingPlace place, find_tracking(plan_folder, name));
  if (!place.folder) {
    TRY_ASSIGN(auto top, plan_folder.make_folder(kTrackingFolder));
    if (is_default_plan_name(name) && place.other.empty()) {
      place.folder = std::move(top);
    } else {
      if (is_own_name(name)) {
        return base::fail(ErrorKind::invalid_input,
                          "a plan cannot have the name " + std::string(name) + ", which plankeep uses itself",
                          "rename the file, for example to " + std::string(name) + ".md");
      }
      TRY(finish_top(plan_folder, *top));
      TRY_ASSIGN(place.folder, top->make_folder(name));
    }
  }
  TRY(finish_tracking(plan_folder, *place.folder));
  return std::move(place.folder);
}

Status finish_tracking(Folder& plan_folder, Folder& tracking) {
  if (tracking.path().ends_with("/" + std::string(kTrackingFolder))) return finish_top(plan_folder, tracking);
  TRY_ASSIGN(const auto top, plan_folder.open_folder(kTrackingFolder));
  TRY(finish_top(plan_folder, *top));
  return is_there(tracking, kHistory) ? Status{} : top->sync();
}

Result<std::vector<std::string>> files_below(Folder& top) {
  std::vector<std::string> files;
  TRY_ASSIGN(const auto entries, top.entries());
  for (const system::FolderEntry& entry : entries) {
    if (entry.kind != FileKind::directory || is_own_name(entry.name)) continue;
    const auto below = top.open_folder(entry.name);
    if (!below || (!is_there(**below, kState) && !is_there(**below, kHistory))) continue;
    files.push_back(entry.name);
    if (files.size() == kMostPlans) break;
  }
  return files;
}

Result<std::unique_ptr<system::Lock>> lock_tracking(Folder& tracking, std::chrono::milliseconds timeout) {
  auto lock = tracking.lock(kLock, timeout);
  if (!lock && lock.error().kind == ErrorKind::corrupt) lock.error().hint = kSetsAside;
  return lock;
}

Result<std::vector<std::string>> own_entries(Folder& top) {
  std::vector<std::string> names;
  TRY_ASSIGN(const auto entries, top.entries());
  for (const system::FolderEntry& entry : entries) {
    const bool folder = entry.kind == FileKind::directory;
    if (entry.name == kGitignore || (folder && !is_own_name(entry.name) && entry.name != kShells)) continue;
    names.push_back(entry.name);
  }
  const auto rank = [](const std::string& name) { return name == kHistory ? 0 : name == kLock ? 2 : 1; };
  std::stable_sort(names.begin(), names.end(),
                   [&rank](const std::string& a, const std::string& b) { return rank(a) < rank(b); });
  return names;
}

Result<std::vector<std::string>> tracked_files(Folder& plan_folder, TrackingPlace* top_place) {
  std::vector<std::string> files;
  auto top = plan_folder.open_folder(kTrackingFolder);
  if (!top && top.error().kind == ErrorKind::io) return base::fail(top.error());
  if (!top) return files;
  auto state = small_state(**top);
  const std::string own = name_in_top(**top, state);
  if (!own.empty()) files.push_back(own);
  TRY_ASSIGN(const std::vector<std::string> below, files_below(**top));
  files.insert(files.end(), below.begin(), below.end());
  std::sort(files.begin(), files.end());
  files.erase(std::unique(files.begin(), files.end()), files.end());
  const bool own_in_top = !own.empty() && std::find(below.begin(), below.end(), own) == below.end();
  if (top_place != nullptr && own_in_top) *top_place = {std::move(*top), std::move(state), {}};
  return files;
}

}  // namespace plankeep::store
