#include "store/brief_state.hpp"

#include <chrono>
#include <string>
#include <string_view>

#include "base/json_reader.hpp"
#include "base/json_writer.hpp"
#include "model/json/state_json.hpp"
#include "store/journal.hpp"
#include "store/paths.hpp"
#include "system/atomic_file.hpp"

namespace plankeep::store {
namespace {

using base::Status;

constexpr std::int64_t kBriefVersion = 2;
constexpr std::uint64_t kBriefLimit = std::uint64_t{64} << 10;

// A state without its tasks. The parts are taken apart by structured bindings: a new field does not compile
// before it is listed here, so that somebody decides whether a brief has it.
core::State without_tasks(const core::State& state) {
  const auto& [progress, phases, current_phase, current_task, blockers, decisions, skipped] =
      static_cast<const core::FromPlan&>(state);
  const auto& [session_notes, note_is_automatic, agents, sessions, leases, last_fence, removed,
               latest_checkpoint, last_commit, archived_at, replica, vanished_at] =
      static_cast<const core::FromHistory&>(state);
  const auto& [plan_id, plan_path, last_saved, checksum, lint_errors, every_box, revision, history_offset,
               history_offset_known, history_chain, plan_stamp, unknown] =
      static_cast<const core::Stamp&>(state);
  return {{progress, {}, current_phase, {}, {}, {}, skipped},
          {{},
           false,
           agents,
           sessions,
           leases,
           last_fence,
           {},
           latest_checkpoint,
           last_commit,
           archived_at,
           replica,
           vanished_at},
          state,
          {plan_id,
           plan_path,
           last_saved,
           checksum,
           {},
           every_box,
           revision,
           history_offset,
           history_offset_known,
           history_chain,
           plan_stamp,
           {}}};
}

void write(system::Folder& tracking, const core::State& brief) {
  const auto info = tracking.info(kState);
  if (!info || info->kind != system::FileKind::regular) return;
  base::JsonWriter out(base::JsonWriter::Layout::compact);
  out.begin_object();
  out.key("version").value(kBriefVersion);
  out.key("state").begin_object();
  out.key("mtimeNs").value(info->mtime_ns);
  out.key("size").value(info->size);
  out.key("inode").value(info->inode);
  out.end_object();
  out.key("brief").raw(core::encode_state(brief));
  out.end_object();
  const std::string text = out.finish();
  if (text.size() <= kBriefLimit) (void)system::write_file(tracking, kBrief, text, system::Durability::cache);
}

}  // namespace

void write_brief(system::Folder& tracking, const core::State& saved, std::uint64_t state_size) {
  if (state_size > kSmallState) write(tracking, without_tasks(saved));
}

std::optional<core::State> read_brief(system::Folder& tracking) {
  const auto text = tracking.read(kBrief, kBriefLimit);
  if (!text) return std::nullopt;
  std::int64_t version = 0;
  core::PlanStamp of;
  std::string_view json;
  base::JsonReader in(*text);
  const Status read = in.object([&](std::string_view name) -> Status {
    if (name == "version") return in.integer(version);
    if (name == "brief") return in.raw(json);
    if (name != "state") return in.skip();
    return in.object([&](std::string_view key) -> Status {
      if (key == "mtimeNs") return in.integer(of.mtime_ns);
      if (key == "size") return in.integer(of.size);
      if (key == "inode") return in.integer(of.inode);
      return in.skip();
    });
  });
  if (!read || !in.end() || version != kBriefVersion) return std::nullopt;
  const auto info = tracking.info(kState);
  if (!info || info->kind != system::FileKind::regular) return std::nullopt;
  if (info->inode != of.inode || info->size != of.size || info->mtime_ns != of.mtime_ns) return std::nullopt;
  auto brief = core::decode_state(json);
  if (!brief || !brief->history_offset_known) return std::nullopt;
  const auto history = history_size(tracking);
  if (!history || *history != brief->history_offset) return std::nullopt;
  return std::move(*brief);
}

void note_plan_stamp(system::Folder& tracking, const core::State& brief, const core::PlanStamp& stamp) {
  const auto lock = tracking.lock(kLock, std::chrono::milliseconds(0));
  if (!lock) return;
  // A save may have come between.
  const auto now = read_brief(tracking);
  if (!now || !(*now == brief)) return;
  core::State stamped = brief;
  stamped.plan_stamp = stamp;
  write(tracking, stamped);
}

}  // namespace plankeep::store
