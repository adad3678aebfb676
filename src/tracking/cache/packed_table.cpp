#include "tracking/cache/packed_table.hpp"

#include <algorithm>
#include <memory>
#include <utility>

#include "tracking/cache/packed_records.hpp"
#include "tracking/cache/packing.hpp"

namespace plankeep::app {
namespace packing {

template <class A, IsA<core::TableTask> T>
void fields(A& a, T& v) {
  auto& [id, title, state, optional, id_in_text, line, parent, parent_place, after, waiting_for, section,
         completed_at, completed_by] = v;
  each(a, id, title, state, optional, id_in_text, line, parent, parent_place, after, waiting_for, section,
       completed_at, completed_by);
}
template <class A, IsA<core::TableCriterion> T>
void fields(A& a, T& v) {
  auto& [id, title, met, line, parent, section] = v;
  each(a, id, title, met, line, parent, section);
}
template <class A, IsA<core::TablePhase> T>
void fields(A& a, T& v) {
  auto& [id, title, line, total, done, tasks, acceptance] = v;
  each(a, id, title, line, total, done, tasks, acceptance);
}
template <class A, IsA<core::TableRemark> T>
void fields(A& a, T& v) {
  auto& [text, reason, line] = v;
  each(a, text, reason, line);
}
template <class A, IsA<core::TaskTable> T>
void fields(A& a, T& v) {
  auto& [plan_id, path, file, now, unreadable, progress, skipped, phases, decisions, blockers, note, leases,
         source] = v;
  auto& [total, completed, percent_tenths, optional, optional_open] = progress;
  each(a, total, completed, percent_tenths, optional, optional_open, skipped, phases, decisions, blockers,
       note);
}

}  // namespace packing

std::string pack_table(const core::TaskTable& table, const core::State& state) {
  core::State without_phases = state;
  without_phases.phases.clear();
  packing::Packer to;
  to.text(pack(core::Plan{}, without_phases));
  fields(to, table);
  return std::move(to.out);
}

base::Result<TableRecords> unpack_table(std::string bytes) {
  const auto kept = std::make_shared<const std::string>(std::move(bytes));
  packing::Unpacker from(*kept);
  TRY_ASSIGN(PackedRecords records, unpack(from.text()));
  TableRecords found;
  fields(from, found.table);
  const auto places_exist = [](const core::TablePhase& phase) {
    return std::all_of(phase.tasks.begin(), phase.tasks.end(), [&phase](const core::TableTask& task) {
      return task.parent_place <= phase.tasks.size();
    });
  };
  const auto& phases = found.table.phases;
  if (!from.good() || !from.at_end() || !std::all_of(phases.begin(), phases.end(), places_exist))
    return base::fail(base::ErrorKind::corrupt, "not the table of a plan");
  found.table.source = kept;
  found.state = std::move(records.state);
  return found;
}

}  // namespace plankeep::app
