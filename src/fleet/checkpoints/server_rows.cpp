#include "fleet/checkpoints/server_rows.hpp"

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "fleet/checkpoints/checkpoint_body.hpp"

namespace plankeep::fleet {

using base::ErrorKind;
using base::Result;
using base::Status;

namespace {

// How many rows to read at once: first one, since most callers need no more.
constexpr std::size_t kFirstRows = 1;
constexpr std::size_t kMostRows = 32;

Result<core::Checkpoint> checkpoint_of(const std::string& id, const std::string& body) {
  auto checkpoint = checkpoint_in(body);
  if (!checkpoint) {
    base::Error error = base::with_context(checkpoint.error(), id);
    error.kind = ErrorKind::corrupt;
    return base::fail(std::move(error));
  }
  if (checkpoint->head.id.text != id || !core::is_checkpoint_id(id))
    return base::fail(ErrorKind::corrupt, id + ": the record has another id");
  return checkpoint;
}

}  // namespace

RowCondition::RowCondition(const std::string& replica, const records::CheckpointQuery& query)
    : RowCondition(replica) {
  if (query.type) add("c.type = " + parameter(std::string(core::name_of(*query.type))));
  if (query.phase) add("c.phase = " + parameter(column_text(query.phase->text)));
  if (query.instance) add("c.session = " + parameter(column_text(*query.instance)));
  if (query.since) add("c.ts >= " + parameter(base::to_iso8601(*query.since)) + "::timestamptz");
  if (query.with_snapshot) add("c.snapshot IS NOT NULL");
  if (query.turn_ends) add("c.turn > 0");
}

Result<std::vector<std::int64_t>> row_numbers(Connection& connection, const RowCondition& condition,
                                              const std::string& order, std::size_t limit) {
  RowCondition limited = condition;
  const std::string most = limited.parameter(std::to_string(limit));
  TRY_ASSIGN(const Rows rows,
             connection.query("SELECT c.added FROM plankeep.checkpoint c WHERE " + limited.sql() +
                                  " ORDER BY " + order + " LIMIT nullif(" + most + "::bigint, 0)",
                              limited.values()));
  std::vector<std::int64_t> numbers;
  numbers.reserve(rows.size());
  for (const Row& row : rows) numbers.push_back(number_in(row.front()));
  return numbers;
}

Status read_rows(Connection& connection, const std::string& replica, const std::vector<std::int64_t>& numbers,
                 const std::function<Result<bool>(ServerRow& row)>& each) {
  std::size_t at = 0;
  std::size_t count = kFirstRows;
  while (at < numbers.size()) {
    const auto begin = numbers.begin() + static_cast<std::ptrdiff_t>(at);
    count = std::min(count, numbers.size() - at);
    const std::vector<std::int64_t> wanted(begin, begin + static_cast<std::ptrdiff_t>(count));
    TRY_ASSIGN(const Rows rows,
               connection.query("SELECT c.added, c.id, octet_length(c.body::text), c.body, c.type, "
                                "(extract(epoch FROM c.ts) * 1000)::bigint FROM plankeep.checkpoint c WHERE "
                                "c.replica = $1::uuid AND c.added = "
                                "ANY($2::bigint[])",
                                {replica, array_of(wanted)}));
    std::unordered_map<std::int64_t, const Row*> found;
    for (const Row& row : rows) found.emplace(number_in(row[0]), &row);
    for (const std::int64_t number : wanted) {
      const auto row = found.find(number);
      if (row == found.end()) continue;
      const Row& values = *row->second;
      ServerRow read;
      read.added = number;
      read.id = values[1].value_or("");
      read.bytes = number_in(values[2]);
      read.type = values[4].value_or("");
      read.time = base::Instant{number_in(values[5])};
      read.checkpoint = checkpoint_of(read.id, values[3].value_or(""));
      TRY_ASSIGN(const bool more, each(read));
      if (!more) return {};
    }
    at += count;
    count = kMostRows;
  }
  return {};
}

std::string array_of(const std::vector<std::int64_t>& numbers) {
  std::string array = "{";
  for (const std::int64_t number : numbers) {
    if (array.size() > 1) array += ',';
    array += std::to_string(number);
  }
  return array + "}";
}

Status in_transaction(Connection& connection, const std::string& replica,
                      const std::function<Result<Keep>()>& work) {
  TRY(connection.script("BEGIN; SET LOCAL lock_timeout = '2s'; SET LOCAL synchronous_commit = on"));
  const auto done = [&]() -> Result<Keep> {
    // An advisory lock, since a writer may not lock rows of `replica`.
    TRY(connection.query("SELECT pg_advisory_xact_lock(hashtextextended('plankeep.checkpoint ' || $1, 0))",
                         {replica}));
    return work();
  }();
  const bool keep = done && *done == Keep::yes;
  Status ended = connection.script(keep ? "COMMIT" : "ROLLBACK");
  if (!done) return base::fail(done.error());
  return ended;
}

}  // namespace plankeep::fleet
