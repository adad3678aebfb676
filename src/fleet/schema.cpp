#include "fleet/schema.hpp"

#include <array>

#include "fleet/schema_sql.hpp"

namespace plankeep::fleet {
namespace {

using base::ErrorKind;
using base::Result;
using base::Status;

// The step at index i makes version i + 1.
constexpr std::array kSteps{kStep1, kStep2};
static_assert(kSteps.size() == kSchemaVersion);

// Serialises processes that create the schema at the same time.
constexpr std::string_view kBegin =
    "BEGIN;\nSELECT pg_catalog.pg_advisory_xact_lock(7165923405);\nSET LOCAL client_min_messages = "
    "warning;\n";

}  // namespace

std::string schema_script(int from) {
  std::string script(kBegin);
  script += kRoles;
  for (std::size_t step = static_cast<std::size_t>(from); step < kSteps.size(); ++step)
    script += kSteps[step];
  script += "COMMIT;\n";
  return script;
}

namespace {

// `before`: statements to run in the same round trip.
Result<int> ask_version(Connection& connection, const std::string& before) {
  const auto rows =
      connection.read_script(before + "SELECT coalesce(max(version), 0) FROM plankeep.schema_version");
  if (!rows && rows.error().kind == ErrorKind::not_found) return 0;
  if (!rows) return base::fail(rows.error());
  return rows->empty() ? 0 : static_cast<int>(number_in(rows->front().front()));
}

}  // namespace

Result<int> schema_version(Connection& connection) {
  return ask_version(connection, {});
}

Result<int> make_schema(Connection& connection) {
  const int server = connection.facts().version;
  if (server < kOldestServer) {
    return base::fail(ErrorKind::invalid_input, "the fleet needs PostgreSQL 13 or newer; this server is " +
                                                    std::to_string(server / 10000));
  }
  TRY_ASSIGN(const int before, schema_version(connection));
  if (before == kSchemaVersion) return before;
  if (before > kSchemaVersion) TRY(require_schema(connection));
  const Status made = connection.script(schema_script(before));
  if (made) return before;
  // Another process may have created it first.
  (void)connection.script("ROLLBACK");
  const auto now = schema_version(connection);
  if (now && *now == kSchemaVersion) return *now;
  base::Error error = made.error();
  if (error.kind == ErrorKind::io)
    error.hint = "an administrator can run what plankeep fleet init --print prints";
  return base::fail(std::move(error));
}

Status require_schema(Connection& connection, const std::string& before) {
  TRY_ASSIGN(const int version, ask_version(connection, before));
  if (version == kSchemaVersion) return {};
  if (version == 0) {
    return base::fail(ErrorKind::not_found,
                      "the fleet's database has no plankeep schema, or this login may not see it",
                      "plankeep fleet init makes it; GRANT plankeep_writer TO your_login lets you use it");
  }
  const std::string numbers = "the fleet's schema has version " + std::to_string(version) +
                              ", this program uses version " + std::to_string(kSchemaVersion);
  if (version > kSchemaVersion)
    return base::fail(ErrorKind::conflict, numbers, "install a newer plankeep-fleet");
  return base::fail(ErrorKind::conflict, numbers, "plankeep fleet upgrade");
}

}  // namespace plankeep::fleet
