#include "fleet/checkpoints/server_clean_up.hpp"

#include <algorithm>
#include <set>

#include "fleet/checkpoints/checkpoint_body.hpp"
#include "fleet/checkpoints/server_rows.hpp"
#include "fleet/history_line.hpp"

namespace plankeep::fleet {
namespace {

using base::ErrorKind;
using base::Result;
using base::Status;
using records::CleanedUp;
using records::CleanUp;
using records::Deleted;

RowCondition old_rows(const std::string& replica, const CleanUp& rules) {
  RowCondition condition(replica);
  condition.add("c.ts < " + condition.parameter(base::to_iso8601(rules.older_than)) + "::timestamptz");
  std::string types;
  for (const core::CheckpointType type : rules.kept_types) append_array_element(types, core::name_of(type));
  condition.add("c.type <> ALL(" + condition.parameter(types.empty() ? "{}" : types + "}") + "::text[])");
  if (rules.newest_of_sessions) {
    condition.add(
        "EXISTS (SELECT FROM plankeep.checkpoint later WHERE later.replica = c.replica AND later.session = "
        "c.session AND (later.ts, later.added) > (c.ts, c.added))");
  }
  return condition;
}

Status name_rows(Connection& connection, const std::string& replica, const std::vector<std::int64_t>& numbers,
                 CleanedUp& cleaned) {
  return read_rows(connection, replica, numbers, [&](ServerRow& row) -> Result<bool> {
    Deleted& deleted = cleaned.deleted.emplace_back();
    deleted.id.text = row.id;
    // The snapshot of a record that cannot be read is unknown.
    if (row.checkpoint) deleted.snapshot = std::move(row.checkpoint->moment.snapshot);
    cleaned.freed_bytes += row.bytes;
    return true;
  });
}

// A snapshot that a remaining checkpoint uses must be kept.
Status keep_shared(Connection& connection, const std::string& replica, const std::string& numbers,
                   CleanedUp& cleaned) {
  TRY_ASSIGN(const Rows rows,
             connection.query("SELECT DISTINCT c.snapshot FROM plankeep.checkpoint c WHERE c.replica = "
                              "$1::uuid AND c.snapshot IS NOT NULL AND c.added <> ALL($2::bigint[])",
                              {replica, numbers}));
  std::set<std::string> left;
  for (const Row& row : rows) left.insert(row.front().value_or(""));
  for (Deleted& deleted : cleaned.deleted) {
    if (deleted.snapshot && left.contains(column_text(deleted.snapshot->ref))) deleted.snapshot.reset();
  }
  return {};
}

Status drop_rows(Connection& connection, const std::string& replica, const std::string& numbers) {
  TRY(connection.change(
      "DELETE FROM plankeep.checkpoint WHERE replica = $1::uuid AND added = ANY($2::bigint[])",
      {replica, numbers}));
  TRY(
      connection.change("DELETE FROM plankeep.checkpoint_text t WHERE t.replica = $1::uuid AND NOT EXISTS "
                        "(SELECT FROM plankeep.checkpoint c WHERE c.replica = t.replica AND c.text_digest = "
                        "t.digest)",
                        {replica}));
  return {};
}

}  // namespace

Result<CleanedUp> clean_up_on_server(Connection& connection, const std::string& replica, const CleanUp& rules,
                                     bool dry) {
  CleanedUp cleaned;
  const Status done = in_transaction(connection, replica, [&]() -> Result<Keep> {
    if (!dry) {
      // Deletes with the owner's role, even if the login is a superuser.
      const Status owner = connection.script("SET LOCAL ROLE plankeep_admin");
      if (!owner && owner.error().kind == ErrorKind::io) {
        return base::fail(ErrorKind::io,
                          "the fleet's server keeps what was recorded: this login may not delete",
                          "a member of plankeep_admin may");
      }
      TRY(owner);
    }
    TRY_ASSIGN(const std::vector<std::int64_t> numbers,
               row_numbers(connection, old_rows(replica, rules), "c.added"));
    TRY(name_rows(connection, replica, numbers, cleaned));
    cleaned.deleted_count = static_cast<std::int64_t>(cleaned.deleted.size());
    const std::string those = array_of(numbers);
    TRY(keep_shared(connection, replica, those, cleaned));
    TRY_ASSIGN(
        const Rows texts,
        connection.query("SELECT coalesce(sum(octet_length(t.content)), 0) FROM "
                         "plankeep.checkpoint_text t WHERE t.replica = $1::uuid AND NOT EXISTS (SELECT "
                         "FROM plankeep.checkpoint c WHERE c.replica = t.replica AND c.text_digest = "
                         "t.digest AND c.added <> ALL($2::bigint[]))",
                         {replica, those}));
    if (!texts.empty()) cleaned.freed_bytes += number_in(texts.front().front());
    if (dry) return Keep::no;
    TRY(drop_rows(connection, replica, those));
    return Keep::yes;
  });
  TRY(done);
  return cleaned;
}

}  // namespace plankeep::fleet
