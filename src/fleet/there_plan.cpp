#include "fleet/there_plan.hpp"

#include <algorithm>
#include <unordered_map>

#include "base/text.hpp"
#include "base/utf8.hpp"
#include "project/plan_location.hpp"
#include "store/plan_file.hpp"

namespace plankeep::fleet {
namespace {

using base::ErrorKind;
using base::Result;

bool leads_inside(std::string_view path) {
  if (path.empty() || path.starts_with('/') || path.ends_with('/') || base::printable(path) != path)
    return false;
  while (true) {
    const std::size_t end = std::min(path.find('/'), path.size());
    const std::string_view part = path.substr(0, end);
    // Nothing of git's, of ours or of another tool's that hides its files.
    if (part.empty() || part.starts_with(".git") || part == "." || part == ".." || part == ".checkpoint")
      return false;
    if (end == path.size()) return true;
    path.remove_prefix(end + 1);
  }
}

}  // namespace

void take_words(core::Plan& plan, const PlanSight& sight) {
  std::unordered_map<std::string_view, const TaskWord*> words;
  for (const TaskWord& word : sight.tasks) words.emplace(word.task, &word);
  for (core::Phase& phase : plan.phases) {
    for (core::Task& task : phase.tasks) {
      const auto word = words.find(task.id.text);
      if (word == words.end()) continue;
      const std::string& state = word->second->state;
      task.state = state == "done"     ? core::BoxState::done
                   : state == "active" ? core::BoxState::active
                                       : core::BoxState::open;
    }
  }
}

void take_leases(core::StatusView& view, const PlanSight& sight) {
  for (const FleetLease& lease : sight.leases) {
    if (!lease.stands) continue;
    for (core::PhaseRow& phase : view.phases) {
      for (core::TaskRow& task : phase.tasks) {
        if (task.id.text != lease.task) continue;
        core::LeaseRow row;
        row.by = lease.holder;
        row.fence = lease.fence;
        row.since = lease.since;
        row.until = lease.until;
        task.lease = std::make_shared<const core::LeaseRow>(row);
      }
    }
  }
}

Result<std::optional<std::string>> write_plan_text(const app::Context& context, const std::string& root,
                                                   const std::string& path, std::string_view text) {
  const std::string name = app::last_part("/" + path);
  if (!leads_inside(path) || !app::is_markdown_name(name))
    return base::fail(ErrorKind::invalid_input, path + " cannot be a plan of this project");
  TRY_ASSIGN(auto folder, context.files.open_folder(root));
  std::string_view rest = path;
  while (rest.find('/') != std::string_view::npos) {
    const std::string part(rest.substr(0, rest.find('/')));
    rest.remove_prefix(part.size() + 1);
    TRY_ASSIGN(const system::FileInfo info, folder->info(part));
    if (info.kind == system::FileKind::missing) TRY(folder->create_shared_folder(part));
    TRY_ASSIGN(folder, folder->open_folder(part));
  }
  TRY_ASSIGN(const system::FileInfo there, folder->info(name));
  if (there.kind == system::FileKind::regular || there.kind == system::FileKind::symlink)
    return std::optional<std::string>{};
  TRY(store::PlanFile(context.files, *folder, name).create(text));
  return std::optional(folder->path_of(name));
}

}  // namespace plankeep::fleet
