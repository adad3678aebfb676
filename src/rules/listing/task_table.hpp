#pragma once
// A plan's boxes as a table, for commands that go through all of them: `list`, `search`, `show`.
//
//   TaskTable table = make_table(view_of(shown), shown.plan);
//   for (const TablePhase& phase : table.phases) {
//     for (const TableTask& task : phase.tasks) ...
//   }
//
// Tasks and criteria are kept as bytes and decoded one at a time, and their texts are string views into
// `source`, which also holds the bytes: those of a cache (tracking/cache/packed_table), or what the table was
// made from. A table of thousands of rows then takes no more memory than its text: to touch fresh memory for
// each row takes longer than to decode it. Copies of a table share the source. All text stays as the plan has
// it.
//
// Without a plan (its file cannot be read) the rows come from the state, as in a view: they have no line (0),
// no `after` and no section.

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/instant.hpp"
#include "base/packing.hpp"
#include "model/plan.hpp"
#include "model/progress.hpp"
#include "rules/view.hpp"

namespace plankeep::core {

struct TableTask {
  std::string_view id;
  std::string_view title;
  BoxState state = BoxState::open;
  bool optional = false;
  bool id_in_text = false;  // as Task::id_in_text
  std::int64_t line = 0;    // 0: not known
  std::string_view parent;  // its id; empty: none
  /// The place of the parent among the phase's tasks plus 1; 0: none.
  std::size_t parent_place = 0;
  std::vector<std::string_view> after;
  std::vector<std::string_view> waiting_for;  // as TaskRow::waiting_for
  std::vector<std::string_view> section;      // the headings below the phase's
  std::optional<base::Instant> completed_at;
  std::string_view completed_by;
};

struct TableCriterion {
  std::string_view id;
  std::string_view title;
  bool met = false;
  std::int64_t line = 0;
  std::string_view parent;
  std::vector<std::string_view> section;
};

/// The tasks or the criteria of a phase. Damaged bytes end the rows early, whatever size() is.
template <class Row>
class PackedRows {
 public:
  class Iterator {
   public:
    using iterator_category = std::input_iterator_tag;
    using value_type = Row;
    using difference_type = std::ptrdiff_t;
    using pointer = const Row*;
    using reference = const Row&;

    explicit Iterator(const PackedRows& rows);

    const Row& operator*() const { return row_; }
    const Row* operator->() const { return &row_; }
    Iterator& operator++();
    bool operator==(std::default_sentinel_t) const { return left_ == 0; }

   private:
    void read();

    base::packing::Unpacker from_;
    std::size_t size_ = 0;
    std::size_t left_ = 0;  // this row included
    Row row_;
  };

  PackedRows() = default;
  /// `bytes`: from pack_rows(); must stay as they are.
  PackedRows(std::size_t size, std::string_view bytes) : size_(size), bytes_(bytes) {}

  Iterator begin() const { return Iterator(*this); }
  std::default_sentinel_t end() const { return {}; }
  std::size_t size() const { return size_; }
  std::string_view bytes() const { return bytes_; }
  /// Decodes all rows before it. An empty row if there is none.
  Row at(std::size_t place) const;

 private:
  std::size_t size_ = 0;
  std::string_view bytes_;
};

/// Of TableTask or TableCriterion.
template <class Row>
std::string pack_rows(const std::vector<Row>& rows);

struct TablePhase {
  std::string_view id;
  std::string_view title;
  std::int64_t line = 0;
  std::int64_t total = 0;  // as in PhaseRow
  std::int64_t done = 0;
  PackedRows<TableTask> tasks;
  PackedRows<TableCriterion> acceptance;
};

/// A decision or a blocker.
struct TableRemark {
  std::string_view text;
  std::string_view reason;
  std::int64_t line = 0;
};

/// The claim of an open task.
struct TableLease {
  std::size_t phase = 0;
  std::size_t task = 0;
  std::shared_ptr<const LeaseRow> lease;
};

struct TaskTable {
  std::string plan_id;
  std::string path;  // absolute
  std::string file;  // for people
  base::Instant now;
  std::string unreadable;  // as in a view
  Progress progress;
  std::int64_t skipped = 0;
  std::vector<TablePhase> phases;
  std::vector<TableRemark> decisions;  // of the plan, document order; none without it
  std::vector<TableRemark> blockers;   // likewise
  std::optional<std::string_view> note;
  std::vector<TableLease> leases;  // mostly none, tasks may be many
  std::shared_ptr<const void> source;

  /// Null: nobody claimed it.
  std::shared_ptr<const LeaseRow> lease_of(std::size_t phase, std::size_t task) const;
};

/// `plan`: what the view was made from; nullopt: it was made without one.
TaskTable make_table(StatusView view, std::optional<Plan> plan);
/// The same with a plan that is shared or lent (null: none): not copied.
TaskTable make_table(StatusView view, std::shared_ptr<const Plan> plan);

/// Replaces the table's claims with those that the state has of its open tasks. `statuses`: of the state's
/// leases, in their order.
void put_leases(TaskTable& table, const State& state, const std::vector<LeaseStatus>& statuses);

/// One task or phase as a view has it. Of a task `children`, `work` and what other work trees say are not
/// filled in, of a phase only names, line and totals.
TaskRow task_row(const TaskTable& table, std::size_t phase, std::size_t task);
PhaseRow phase_row(const TablePhase& phase);

}  // namespace plankeep::core
