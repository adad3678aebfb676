#include "tracking/predecessor.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "base/sha256.hpp"
#include "rules/matching/predecessor.hpp"
#include "store/paths.hpp"
#include "store/tracking_folder.hpp"
#include "tracking/loaded_state.hpp"
#include "tracking/plan_work.hpp"

namespace plankeep::app {
namespace {

using base::ErrorKind;
using base::Result;
using base::Status;

base::Error several_gone(const std::vector<std::string>& names, const std::string& name) {
  std::string list;
  for (const std::string& gone : names) list += (list.empty() ? "" : ", ") + gone;
  return {ErrorKind::conflict,
          name + " may be any of these plans, which no longer exist: " + list,
          {},
          "archive those that are over, then try again: plankeep archive " + names.front()};
}

}  // namespace

bool is_gone(system::Folder& folder, std::string_view name) {
  const auto info = folder.info(name);
  return info && info->kind == system::FileKind::missing;
}

Result<std::vector<std::string>> gone_plans(system::Folder& folder) {
  TRY_ASSIGN(std::vector<std::string> names, store::tracked_files(folder));
  std::erase_if(names, [&folder](const std::string& name) { return !is_gone(folder, name); });
  return names;
}

Result<std::optional<std::string>> predecessor_of(system::Folder& folder, const PlanLocation& location,
                                                  const core::Plan& plan, const std::string& bytes) {
  std::vector<core::GonePlan> gone;
  TRY_ASSIGN(const std::vector<std::string> names, gone_plans(folder));
  for (const std::string& name : names) {
    const PlanLocation before{location.folder, name};
    const auto tracking = store::open_tracking(folder, name);
    // What cannot be read tells nothing, and stays as it is.
    if (!tracking) continue;
    auto loaded = load_state(**tracking, before);
    if (!loaded || !loaded->state || loaded->state->archived_at) continue;
    gone.push_back({name, std::move(*loaded->state)});
  }
  const std::vector<std::size_t> meant = core::predecessors_of(plan, base::short_checksum(bytes), gone);
  if (meant.empty()) return std::optional<std::string>();
  if (meant.size() == 1) return std::optional(gone[meant.front()].name);
  std::vector<std::string> several;
  several.reserve(meant.size());
  for (const std::size_t index : meant) several.push_back(gone[index].name);
  return base::fail(several_gone(several, location.name));
}

Status take_over_records(system::Folder& folder, const std::string& from, const std::string& to) {
  TRY_ASSIGN(const auto tracking, store::open_tracking(folder, from));
  TRY_ASSIGN(const auto top, store::open_top_tracking(folder));
  // Those of .checkpoint itself stay where they are; their state names the new file after the next save.
  if (tracking->path() == top->path()) return {};
  TRY_ASSIGN(const auto lock, tracking->lock(store::kLock, kTimeout));
  TRY_ASSIGN(const system::FileInfo there, top->info(to));
  if (there.kind != system::FileKind::missing)
    return base::fail(ErrorKind::conflict, top->path_of(to) + " already exists");
  TRY(top->move(from, *top, to));
  return top->sync();
}

}  // namespace plankeep::app
