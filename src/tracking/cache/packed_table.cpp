#include "tracking/cache/packed_table.hpp"

#include <memory>
#include <utility>

#include "base/packing.hpp"
#include "tracking/cache/packed_records.hpp"

namespace plankeep::base::packing {

template <class Row>
void item(Packer& to, const core::PackedRows<Row>& rows) {
  to.number(rows.size());
  to.text(rows.bytes());
}
template <class Row>
void item(Unpacker& from, core::PackedRows<Row>& rows) {
  const std::uint64_t size = from.number();
  rows = core::PackedRows<Row>(size, from.text());
  // Each row takes at least one byte.
  if (size > rows.bytes().size()) from.fail();
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

}  // namespace plankeep::base::packing

namespace plankeep::app {

namespace packing = base::packing;

namespace {

// The phases of a large plan take most of the state's memory, so the copy is made without them.
core::State without_phases(const core::State& state) {
  const auto& [progress, phases, current_phase, current_task, blockers, decisions, skipped] =
      static_cast<const core::FromPlan&>(state);
  core::State rest;
  static_cast<core::FromPlan&>(rest) = {progress, {},        current_phase, current_task,
                                        blockers, decisions, skipped};
  static_cast<core::FromHistory&>(rest) = state;
  static_cast<core::Bookkeeping&>(rest) = state;
  static_cast<core::Stamp&>(rest) = state;
  return rest;
}

}  // namespace

std::string pack_table(const core::TaskTable& table, const core::State& state, std::string before) {
  packing::Packer to{std::move(before)};
  to.text(pack(core::Plan{}, without_phases(state)));
  fields(to, table);
  return std::move(to.out);
}

base::Result<TableRecords> unpack_table(std::string bytes) {
  const auto kept = std::make_shared<const std::string>(std::move(bytes));
  packing::Unpacker from(*kept);
  TRY_ASSIGN(PackedRecords records, unpack(from.text()));
  TableRecords found;
  fields(from, found.table);
  if (!from.good() || !from.at_end()) return base::fail(base::ErrorKind::corrupt, "not the table of a plan");
  found.table.source = kept;
  found.state = std::move(records.state);
  return found;
}

}  // namespace plankeep::app
