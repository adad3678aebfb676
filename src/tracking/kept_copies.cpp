#include "tracking/kept_copies.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include "base/json_reader.hpp"
#include "base/json_writer.hpp"
#include "base/sha256.hpp"
#include "base/slug.hpp"
#include "base/utf8.hpp"
#include "git/git.hpp"
#include "model/chain.hpp"
#include "project/plan_id.hpp"
#include "project/project_plans.hpp"
#include "store/journal.hpp"
#include "store/paths.hpp"
#include "store/tracking_folder.hpp"
#include "tracking/loaded_state.hpp"

namespace plankeep::app {

using base::ErrorKind;
using base::Result;
using base::Status;
using system::Folder;

namespace {

constexpr std::string_view kMemory = "memory";
constexpr std::uint64_t kFirstLineLimit = std::uint64_t{64} << 10;
constexpr std::size_t kPlanBytes = 100;

// The newest chain in whole lines; empty: none.
std::string_view newest_chain(std::string_view lines) {
  while (!lines.empty()) {
    lines.remove_suffix(1);
    const std::size_t feed = lines.rfind('\n');
    const std::size_t start = feed == std::string_view::npos ? 0 : feed + 1;
    if (const std::string_view chain = core::chain_of(lines.substr(start)); !chain.empty()) return chain;
    lines = lines.substr(0, start);
  }
  return {};
}

// Whether this is the history that a state has folded in, or an earlier part of it.
bool fits(std::string_view history, const core::State& state) {
  if (!state.history_offset_known || history.size() < state.history_offset) return true;
  const std::string_view folded = history.substr(0, state.history_offset);
  if (folded.empty() || !folded.ends_with('\n')) return false;
  return state.history_chain.empty() || newest_chain(folded) == state.history_chain;
}

}  // namespace

std::string encode_current(const CurrentCopy& current) {
  base::JsonWriter out(base::JsonWriter::Layout::compact);
  out.begin_object();
  out.key("generation").value(current.generation);
  out.key("history").value(static_cast<std::int64_t>(current.history));
  out.key("bytes").value(static_cast<std::int64_t>(current.bytes));
  out.key("kept").value(base::to_iso8601(current.kept));
  out.end_object();
  return out.finish() + "\n";
}

Result<CurrentCopy> decode_current(std::string_view text) {
  CurrentCopy current;
  std::string kept;
  base::JsonReader in(text);
  TRY(in.object([&](std::string_view key) -> Status {
    if (key == "generation") return in.integer(current.generation);
    if (key == "history") return in.integer(current.history);
    if (key == "bytes") return in.integer(current.bytes);
    if (key == "kept") return in.string(kept);
    return in.skip();
  }));
  TRY(in.end());
  const auto time = base::parse_iso8601(kept);
  if (!time || current.generation < 1 || current.generation > 2)
    return base::fail(ErrorKind::corrupt, "the copy's description cannot be read");
  current.kept = *time;
  return current;
}

std::optional<HistoryName> history_name(Folder& folder) {
  const auto start = folder.read_range(store::kHistory, 0, kFirstLineLimit);
  if (!start) return std::nullopt;
  const std::size_t end = start->find('\n');
  if (end == std::string::npos) return std::nullopt;
  const std::string_view line = std::string_view(*start).substr(0, end);
  HistoryName history;
  history.id = base::sha256_hex(line).substr(0, kHistoryDigits);
  std::string time;
  base::JsonReader in(line);
  const Status read =
      in.object([&](std::string_view key) -> Status { return key == "ts" ? in.string(time) : in.skip(); });
  const auto began = read ? base::parse_iso8601(time) : std::nullopt;
  if (began) history.began = *began;
  return history;
}

std::string copy_prefix(const PlanLocation& plan, const std::string& root) {
  std::string_view path = plan.folder;
  if (path.starts_with(root)) path.remove_prefix(root.size());
  const std::string whose = std::string(path) + "\n" + plan.name;
  // By the folder, whatever the plan is called: a name may change, and its copies have to be found.
  return base::fit_to_bytes(base::slug(last_part(plan.folder), "plan"), kPlanBytes) + "-" +
         base::sha256_hex(whose).substr(0, kHistoryDigits) + "-";
}

Result<std::unique_ptr<Folder>> open_memory(const Context& context, const Project& project, bool make) {
  const auto git_dir = project.git_directory();
  if (!git_dir) return base::fail(ErrorKind::not_found, "the plan is not in a git work tree");
  TRY_ASSIGN(const auto git, context.files.open_folder(*git_dir));
  TRY_ASSIGN(const auto own,
             make ? git->make_folder(git::kOwnGitFolder) : git->open_folder(git::kOwnGitFolder));
  return make ? own->make_folder(kMemory) : own->open_folder(kMemory);
}

std::vector<KeptCopy> kept_copies(Folder& memory, const std::string& prefix) {
  std::vector<KeptCopy> copies;
  const auto names = memory.list();
  if (!names) return copies;
  for (const std::string& name : *names) {
    if (!name.starts_with(prefix) || name.size() != prefix.size() + kHistoryDigits) continue;
    const auto folder = memory.open_folder(name);
    if (!folder) continue;
    const auto text = (*folder)->read(kCurrentCopy, kSmallFile);
    if (!text) continue;
    auto current = decode_current(*text);
    if (current) copies.push_back({name, name.substr(prefix.size()), *current});
  }
  std::sort(copies.begin(), copies.end(),
            [](const KeptCopy& a, const KeptCopy& b) { return a.current.kept > b.current.kept; });
  return copies;
}

namespace {

// `present`: ids of histories that are in use.
std::optional<LostPlan> lost_in(Folder& memory, const Project& project, const PlanLocation& plan,
                                const std::set<std::string>& present) {
  for (const KeptCopy& copy : kept_copies(memory, copy_prefix(plan, project.root()))) {
    if (present.contains(copy.id)) return std::nullopt;
    const auto folder = memory.open_folder(copy.name);
    const auto files =
        folder ? (*folder)->open_folder(std::to_string(copy.current.generation)) : base::fail(folder.error());
    if (files && history_name(**files)) return LostPlan{plan, copy.current.kept, (*files)->path()};
  }
  return std::nullopt;
}

// Where a plan is that this path names.
std::optional<PlanLocation> location_of(const Context& context, const std::string& path) {
  std::string at = absolute_path(context, path);
  while (at.size() > 1 && at.ends_with('/')) at.pop_back();
  std::string below;
  auto real = context.files.real_path(at);
  while (!real && real.error().kind == ErrorKind::not_found && at != "/") {
    below = "/" + last_part(at) + below;
    at = parent_of(at);
    real = context.files.real_path(at);
  }
  if (!real || (below + "/").find("/../") != std::string::npos) return std::nullopt;
  const std::string whole = (*real == "/" ? std::string() : *real) + below;
  if (whole.empty()) return std::nullopt;
  return PlanLocation{parent_of(whole), last_part(whole)};
}

}  // namespace

std::vector<LostPlan> lost_plans(const Context& context, const Project& project,
                                 const std::vector<PlanLocation>& present) {
  std::vector<LostPlan> lost;
  const auto memory = open_memory(context, project, false);
  if (!memory) return lost;
  const std::vector<PlanLocation> gone = ProjectPlans(context, project).without_anything();
  if (gone.empty()) return lost;
  std::set<std::string> histories;
  for (const PlanLocation& plan : present) {
    const auto folder = context.files.open_folder(plan.folder);
    const auto tracking = folder ? store::open_tracking(**folder, plan.name) : base::fail(folder.error());
    const auto history = tracking ? history_name(**tracking) : std::nullopt;
    if (history) histories.insert(history->id);
  }
  for (const PlanLocation& plan : gone) {
    if (auto one = lost_in(**memory, project, plan, histories)) lost.push_back(std::move(*one));
  }
  return lost;
}

std::optional<LostPlan> lost_plan(const Context& context, const std::optional<std::string>& named) {
  const Project here = Project::here(context);
  std::vector<LostPlan> lost = lost_plans(context, here, ProjectPlans(context, here).all());
  if (!named) return lost.size() == 1 ? std::optional(std::move(lost.front())) : std::nullopt;
  const auto place = location_of(context, *named);
  const std::string path = place ? place->path() : std::string();
  std::vector<PlanLocation> plans;
  plans.reserve(lost.size());
  for (const LostPlan& one : lost) plans.push_back(one.plan);
  const std::vector<std::string> ids = distinct_ids(plans);
  std::vector<LostPlan> meant;
  for (std::size_t i = 0; i < lost.size(); ++i) {
    if (ids[i] == *named || plans[i].plan_id() == *named || plans[i].folder == path ||
        plans[i].path() == path)
      meant.push_back(lost[i]);
  }
  if (meant.size() == 1) return std::move(meant.front());
  if (!meant.empty() || !place || !is_wholly_gone(context, *place)) return std::nullopt;
  const Project project(context, place->folder);
  const auto memory = open_memory(context, project, false);
  return memory ? lost_in(**memory, project, *place, {}) : std::nullopt;
}

Result<std::optional<KeptLines>> kept_behind(const Context& context, const PlanLocation& plan,
                                             Folder& tracking) {
  const std::optional<KeptLines> none;
  TRY_ASSIGN(const std::uint64_t size, store::history_size(tracking));
  const Project project(context, plan.folder);
  const auto memory = open_memory(context, project, false);
  if (!memory && memory.error().kind == ErrorKind::not_found) return none;
  if (!memory) return base::fail(memory.error());
  std::optional<std::string> there;
  std::optional<core::State> state;
  for (const KeptCopy& copy : kept_copies(**memory, copy_prefix(plan, project.root()))) {
    if (copy.current.history <= size) continue;
    if (!there) {
      there.emplace();
      if (size > 0) {
        TRY_ASSIGN(there, tracking.read(store::kHistory, kKeptFileLimit));
      }
      TRY_ASSIGN(LoadedState loaded, load_state(tracking, plan));
      state = std::move(loaded.state);
    }
    // Nothing tells whose history this was.
    if (there->empty() && !state) return none;
    TRY_ASSIGN(const auto folder, (*memory)->open_folder(copy.name));
    TRY_ASSIGN(const auto files, folder->open_folder(std::to_string(copy.current.generation)));
    TRY_ASSIGN(const std::string history, files->read(store::kHistory, kKeptFileLimit));
    if (!history.starts_with(*there) || (there->empty() && !fits(history, *state))) continue;
    return std::optional(KeptLines{copy.current.kept, history.substr(there->size())});
  }
  return none;
}

Result<bool> put_kept_lines_back(const Context& context, const PlanLocation& plan, Folder& tracking) {
  const auto found = kept_behind(context, plan, tracking);
  // What cannot be read gives nothing back.
  if (!found || !*found) return false;
  const std::optional<KeptLines>& kept = *found;
  TRY_ASSIGN(const auto file, tracking.open_append(store::kHistory));
  TRY(tracking.sync());
  TRY(file->write(kept->lines));
  TRY(file->sync_data());
  return true;
}

}  // namespace plankeep::app
