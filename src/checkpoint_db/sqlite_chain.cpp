#include "checkpoint_db/sqlite_chain.hpp"

#include "base/sha256.hpp"

namespace plankeep::records {
namespace {

using base::Result;
using base::Status;

constexpr int kAdded = 1;  // in kChainedColumns
constexpr int kChain = kChainedCount;

// Walks along the numbers that rows got, those of deleted rows included.
class Walk {
 public:
  Walk(std::int64_t judged_from, std::size_t most) : judged_from_(judged_from), most_(most) {}

  void deleted(std::int64_t added, std::string id, std::string link) {
    step_to(added, id);
    id_ = std::move(id);
    link_ = std::move(link);
  }

  void row(std::int64_t added, const ChainedRow& row, std::string link) {
    const std::string id = row[0].value_or("");
    const bool gap = step_to(added, id);
    // Behind a gap the link before this one is not known.
    if (!gap && next_link(link_, row) != link) {
      add(id + " does not match the record: it was changed or added by something other than plankeep");
    }
    id_ = id;
    link_ = std::move(link);
  }

  void end(std::int64_t given) {
    if (given > last_ && given > judged_from_) add("what was added after " + name_of_last() + " was removed");
  }

  bool full() const { return found_.size() >= most_; }
  std::vector<std::string> take() { return std::move(found_); }

 private:
  // Whether rows are missing before this one.
  bool step_to(std::int64_t added, const std::string& id) {
    const bool gap = added != last_ + 1 && added > judged_from_ + 1;
    if (gap) add("what was added between " + name_of_last() + " and " + id + " was removed");
    last_ = added;
    return gap;
  }

  std::string name_of_last() const { return id_.empty() ? "the beginning" : id_; }
  void add(std::string sentence) {
    if (!full()) found_.push_back(std::move(sentence));
  }

  std::int64_t judged_from_;
  std::size_t most_;
  std::int64_t last_ = 0;
  std::string id_;
  std::string link_;
  std::vector<std::string> found_;
};

Result<std::int64_t> counter(const Connection& connection, std::string_view name) {
  TRY_ASSIGN(const Statement select, connection.prepare("SELECT value FROM counters WHERE name = ?"));
  Use use(connection, select);
  use.bind(1, name);
  TRY_ASSIGN(const bool row, use.step());
  return row ? use.number(0) : 0;
}

}  // namespace

std::string next_link(std::string_view previous, const ChainedRow& row) {
  // Lengths, so that no two rows have the same bytes.
  std::string bytes(previous);
  for (const std::optional<std::string>& column : row) {
    if (!column) {
      bytes += "-,";
      continue;
    }
    bytes += std::to_string(column->size()) + ":" + *column + ",";
  }
  return base::sha256_hex(bytes);
}

Result<std::string> last_link(const Connection& connection) {
  TRY_ASSIGN(
      const auto link,
      connection.text("SELECT chain FROM (SELECT * FROM (SELECT added, chain FROM checkpoints ORDER BY "
                      "added DESC LIMIT 1) UNION ALL SELECT * FROM (SELECT added, chain FROM cleaned "
                      "ORDER BY added DESC LIMIT 1)) ORDER BY added DESC LIMIT 1"));
  return link.value_or("");
}

Result<std::vector<std::string>> broken_links(const Connection& connection, std::size_t most) {
  TRY_ASSIGN(const std::int64_t judged_from, counter(connection, kUpgradedAt));
  TRY_ASSIGN(const std::int64_t given, counter(connection, "added"));
  TRY_ASSIGN(const Statement rows, connection.prepare("SELECT " + std::string(kChainedColumns) +
                                                      ", chain FROM checkpoints ORDER BY added"));
  TRY_ASSIGN(const Statement deleted,
             connection.prepare("SELECT added, checkpoint_id, chain FROM cleaned ORDER BY added"));
  Use row(connection, rows);
  Use gone(connection, deleted);
  Walk walk(judged_from, most);
  TRY_ASSIGN(bool has_row, row.step());
  TRY_ASSIGN(bool has_gone, gone.step());
  while (!walk.full() && (has_row || has_gone)) {
    if (has_gone && (!has_row || gone.number(0) <= row.number(kAdded))) {
      walk.deleted(gone.number(0), std::string(gone.text(1)), std::string(gone.text(2)));
      TRY_ASSIGN(has_gone, gone.step());
      continue;
    }
    ChainedRow columns;
    const std::int64_t added = row.number(kAdded);
    for (std::size_t i = 0; i < kChainedCount; ++i) {
      const int column = static_cast<int>(i);
      if (!row.is_null(column)) columns[i] = std::string(row.text(column));
    }
    walk.row(added, columns, std::string(row.text(kChain)));
    TRY_ASSIGN(has_row, row.step());
  }
  if (!walk.full()) walk.end(given);
  return walk.take();
}

}  // namespace plankeep::records
