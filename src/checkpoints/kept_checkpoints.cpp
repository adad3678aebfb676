#include "checkpoints/kept_checkpoints.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <functional>
#include <map>
#include <utility>

#include "checkpoint_db/sqlite_store.hpp"
#include "model/json/event_json.hpp"
#include "project/project.hpp"
#include "store/journal.hpp"
#include "store/paths.hpp"
#include "store/tracking_folder.hpp"
#include "system/atomic_file.hpp"
#include "tracking/kept_copies.hpp"
#include "tracking/plan_work.hpp"

namespace plankeep::app {
namespace {

using base::ErrorKind;
using base::Result;
using base::Status;
using records::Access;
using records::CheckpointStore;
using system::Folder;

const std::string kStore(store::kCheckpoints);
const std::string kLog = kStore + "-wal";

struct Copy {
  std::unique_ptr<Folder> files;
  KeptCheckpoints told;
  std::int64_t added = 0;
};

// How many were ever added; 0: there is no store.
Result<std::int64_t> added_here(Folder& tracking) {
  const auto opened = records::open_sqlite(tracking, kStore, Access::read);
  if (!opened && opened.error().kind == ErrorKind::not_found) return std::int64_t{0};
  if (!opened) return base::fail(opened.error());
  TRY_ASSIGN(const records::StoreStats stats, (*opened)->stats());
  return stats.added;
}

// nullopt: no copy has more. Copies that cannot be read are ignored.
Result<std::optional<Copy>> better_copy(const Context& context, const PlanLocation& plan, Folder& tracking) {
  std::optional<Copy> best;
  const Project project(context, plan.folder);
  const auto memory = open_memory(context, project, false);
  if (!memory) return best;
  const std::vector<KeptCopy> copies = kept_copies(**memory, copy_prefix(plan, project.root()));
  if (copies.empty()) return best;
  const auto history = history_name(tracking);
  if (!history) return best;
  TRY_ASSIGN(std::int64_t most, added_here(tracking));
  for (const KeptCopy& copy : copies) {
    const auto folder = (*memory)->open_folder(copy.name);
    if (!folder) continue;
    auto files = (*folder)->open_folder(std::to_string(copy.current.generation));
    if (!files) continue;
    const auto whose = history_name(**files);
    if (!whose || whose->id != history->id) continue;
    const auto opened = records::open_sqlite(**files, kStore, Access::read);
    const auto stats = opened ? (*opened)->stats() : base::fail(opened.error());
    if (!stats || stats->added <= most) continue;
    most = stats->added;
    best = Copy{std::move(*files), {copy.current.kept, stats->checkpoints}, stats->added};
  }
  return best;
}

// The log first, so that it never lies beside another database.
Result<bool> move_aside(Folder& tracking, const std::string& aside) {
  bool any = false;
  const std::vector<std::string> names = records::sqlite_file_names(kStore);
  for (auto name = names.rbegin(); name != names.rend(); ++name) {
    TRY_ASSIGN(const system::FileInfo info, tracking.info(*name));
    if (info.kind != system::FileKind::regular) continue;
    TRY(tracking.rename(*name, aside + name->substr(kStore.size())));
    TRY(tracking.sync());
    any = any || *name == kStore;
  }
  return any;
}

Status put_in_place(Folder& files, Folder& tracking) {
  for (const std::string& name : {kLog, kStore}) {
    TRY_ASSIGN(const system::FileInfo info, files.info(name));
    if (info.kind == system::FileKind::missing) continue;
    TRY_ASSIGN(const std::string bytes, files.read(name, kKeptFileLimit));
    TRY(system::write_file(tracking, name, bytes, system::Durability::durable));
  }
  return tracking.sync();
}

// Copies the checkpoints that only `from` has. Both may have used an id for different ones: their times
// differ.
Status add_missing(CheckpointStore& from, CheckpointStore& to) {
  Status added;
  TRY(from.for_each([&](const core::Checkpoint& one) {
    added = [&]() -> Status {
      const auto there = to.get(one.head.id);
      if (there && there->head.timestamp == one.head.timestamp) return {};
      if (!there && there.error().kind != ErrorKind::not_found) return base::fail(there.error());
      if (one.moment.plan_digest.empty()) {
        TRY(to.add(one, std::nullopt));
        return {};
      }
      TRY_ASSIGN(const std::string text, from.plan_text(one.moment.plan_digest));
      TRY(to.add(one, text));
      return {};
    }();
    return added.has_value();
  }));
  return added;
}

Status each_recorded(Folder& tracking, const std::function<void(const std::string& id)>& each) {
  const auto event = [&each](const core::Event& one, const store::HistoryLine&) {
    if (one.kind == core::EventKind::checkpoint_saved) each(one.checkpoint);
    return true;
  };
  // A long history is looked through under the lock: only these lines are decoded.
  const auto test = [](std::string_view line) {
    return core::can_contain(line, core::name_of(core::EventKind::checkpoint_saved));
  };
  TRY(store::read_events(tracking, 0, event, test));
  return {};
}

Status keep_recorded_ids(CheckpointStore& store, Folder& tracking) {
  std::map<std::string, std::int64_t> greatest;
  TRY(each_recorded(tracking, [&greatest](const std::string& id) {
    if (!core::is_checkpoint_id(id)) return;
    const std::size_t line = id.rfind('_');
    std::int64_t number = 0;
    (void)std::from_chars(id.data() + line + 1, id.data() + id.size(), number);
    std::int64_t& known = greatest[id.substr(0, line)];
    known = std::max(known, number);
  }));
  for (const auto& [prefix, number] : greatest) TRY(store.keep_number(prefix, number));
  return {};
}

}  // namespace

Result<std::optional<KeptCheckpoints>> kept_checkpoints(const Context& context, const PlanLocation& plan,
                                                        Folder& tracking) {
  TRY_ASSIGN(const auto copy, better_copy(context, plan, tracking));
  return copy ? std::optional(copy->told) : std::nullopt;
}

Result<bool> put_kept_checkpoints_back(const Context& context, const PlanLocation& plan, Folder& tracking,
                                       base::Instant now) {
  TRY_ASSIGN(const auto copy, better_copy(context, plan, tracking));
  if (!copy) return false;
  const std::string aside = kStore + ".set-aside-" + store::file_time(now);
  TRY_ASSIGN(const bool there, move_aside(tracking, aside));
  TRY(put_in_place(*copy->files, tracking));
  TRY_ASSIGN(const auto store, records::open_sqlite(tracking, kStore, Access::write));
  if (there) {
    const auto before = records::open_sqlite(tracking, aside, Access::read);
    const bool no_tables = !before && before.error().kind == ErrorKind::not_found;
    if (!before && !no_tables) return base::fail(before.error());
    // Before ids are reserved, so that most of them keep their ids.
    if (before) TRY(add_missing(**before, *store));
  }
  TRY(keep_recorded_ids(*store, tracking));
  return true;
}

Status mend_checkpoints(const Context& context, const PlanLocation& plan) {
  TRY_ASSIGN(const auto folder, context.files.open_folder(plan.folder));
  TRY_ASSIGN(const auto tracking, store::open_tracking(*folder, plan.name));
  TRY_ASSIGN(const auto kept, kept_checkpoints(context, plan, *tracking));
  if (!kept) return {};
  TRY_ASSIGN(const auto lock, store::lock_tracking(*tracking, kTimeout));
  TRY(put_kept_checkpoints_back(context, plan, *tracking, context.clock.now()));
  return {};
}

Result<std::unique_ptr<CheckpointStore>> open_checkpoints(const Context& context, const PlanLocation& plan,
                                                          Folder& tracking, base::Instant now,
                                                          std::vector<std::string>& warnings) {
  TRY_ASSIGN(const system::FileInfo info, tracking.info(kStore));
  const bool none = info.kind == system::FileKind::missing || info.size == 0;
  if (none) {
    TRY_ASSIGN(const bool put_back, put_kept_checkpoints_back(context, plan, tracking, now));
    if (put_back) warnings.emplace_back(kCheckpointsPutBack);
  }
  TRY_ASSIGN(auto store, records::open_sqlite(tracking, kStore, Access::write));
  TRY_ASSIGN(const auto latest, store->latest({}));
  if (!latest) TRY(keep_recorded_ids(*store, tracking));
  return store;
}

Result<std::int64_t> recorded_checkpoints(Folder& tracking) {
  std::int64_t count = 0;
  TRY(each_recorded(tracking, [&count](const std::string&) { ++count; }));
  return count;
}

}  // namespace plankeep::app
