#include "project/plan_standing.hpp"

#include "base/json_reader.hpp"
#include "base/utf8.hpp"
#include "rules/listing/completion.hpp"
#include "store/brief_state.hpp"
#include "store/paths.hpp"

namespace plankeep::app {
namespace {

using base::Status;

using base::kDay;

Status read_instant(base::JsonReader& in, base::Instant& instant) {
  std::string text;
  TRY(in.string(text));
  const auto time = base::parse_iso8601(text);
  if (!time) return in.error("a time");
  instant = *time;
  return {};
}

Status read_progress(base::JsonReader& in, core::Progress& progress) {
  return in.object([&](std::string_view key) -> Status {
    if (key == "totalTasks") return in.integer(progress.total);
    if (key == "completedTasks") return in.integer(progress.completed);
    return in.skip();
  });
}

// Whether one of the phases is completed.
Status read_phases(base::JsonReader& in, bool& completed) {
  return in.object([&](std::string_view) -> Status {
    return in.object([&](std::string_view key) -> Status {
      if (key != "status") return in.skip();
      std::string status;
      TRY(in.string(status));
      completed = completed || status == core::name_of(core::PhaseStatus::completed);
      return {};
    });
  });
}

Status read_stamp(base::JsonReader& in, core::PlanStamp& stamp) {
  return in.object([&](std::string_view key) -> Status {
    if (key == "mtimeNs") return in.integer(stamp.mtime_ns);
    if (key == "size") return in.integer(stamp.size);
    if (key == "inode") return in.integer(stamp.inode);
    return in.skip();
  });
}

}  // namespace

PlanStanding standing_in(std::string_view state_json) {
  PlanStanding standing;
  bool completed = false;
  base::JsonReader in(state_json);
  const Status read = in.object([&](std::string_view key) -> Status {
    if (key == "lastCheckpoint") return read_instant(in, standing.last_saved);
    if (key == "progress") return read_progress(in, standing.progress);
    if (key == "phases") return read_phases(in, completed);
    if (key == "currentPhase") {
      std::string phase;
      return in.string_or_null(phase, standing.open);
    }
    if (key == "planStamp") return read_stamp(in, standing.plan_stamp.emplace());
    if (key == "archivedAt") {
      standing.archived = true;
      return in.skip();
    }
    return in.skip();
  });
  if (!read) return {};
  standing.recorded = true;
  standing.complete = core::is_complete(standing.progress, standing.open, completed);
  return standing;
}

PlanStanding standing_from(const core::State& state) {
  PlanStanding standing;
  standing.recorded = true;
  standing.progress = state.progress;
  standing.open = state.current_phase.has_value();
  standing.complete = core::is_complete(state);
  standing.archived = state.archived_at.has_value();
  standing.last_saved = state.last_saved;
  standing.plan_stamp = state.plan_stamp;
  return standing;
}

PlanStanding plan_standing(const Context& context, const PlanLocation& plan) {
  PlanStanding standing;
  if (const auto folder = context.files.open_folder(plan.folder)) {
    const auto place = store::find_tracking(**folder, plan.name);
    if (place && place->state) {
      standing = standing_in(place->state->bytes);
    } else if (const auto brief = place && place->folder ? store::read_brief(*place->folder) : std::nullopt) {
      standing = standing_from(*brief);
    } else if (place && place->folder) {
      const auto text = place->folder->read(store::kState, store::kJsonLimit);
      if (text) standing = standing_in(*text);
    }
    const auto file = (*folder)->info(plan.name);
    standing.missing = file && file->kind == system::FileKind::missing;
  }
  standing.archived = standing.archived || is_in_archive_folder(plan.folder);
  return standing;
}

bool is_over(const PlanStanding& standing, base::Instant now) {
  if (standing.archived) return true;
  return standing.complete &&
         now.milliseconds - standing.last_saved.milliseconds >= kFinishedAfterDays * kDay;
}

bool is_in_archive_folder(std::string_view path) {
  return (base::to_lower(path) + "/").find("/openspec/changes/archive/") != std::string::npos;
}

}  // namespace plankeep::app
