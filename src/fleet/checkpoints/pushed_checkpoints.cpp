#include "fleet/checkpoints/pushed_checkpoints.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "base/json_writer.hpp"
#include "checkpoints/find_checkpoint.hpp"
#include "fleet/checkpoints/checkpoint_body.hpp"
#include "fleet/history_line.hpp"
#include "model/json/checkpoint_json.hpp"

namespace plankeep::fleet {
namespace {

using base::Result;
using base::Status;

constexpr std::size_t kAtOnce = 100;

std::string redacted_body(const core::Checkpoint& checkpoint, const secrets::Redactor& redactor) {
  base::JsonWriter out(base::JsonWriter::Layout::compact);
  core::write_checkpoint(out, checkpoint);
  return checkpoint_body(std::move(redactor.json(out.finish())).take());
}

}  // namespace

Result<std::int64_t> push_checkpoints(const app::Context& context, Connection& connection,
                                      const app::PlanLocation& plan, const std::string& replica,
                                      const secrets::Redactor& redactor) {
  TRY_ASSIGN(const Rows rows,
             connection.query("SELECT id FROM plankeep.checkpoint WHERE replica = $1", {replica}));
  std::vector<std::string> there;
  there.reserve(rows.size());
  for (const Row& row : rows) there.push_back(row.front().value_or(""));
  std::sort(there.begin(), there.end());
  std::string ids;
  std::string types;
  std::string times;
  std::string phases;
  std::string bodies;
  std::size_t gathered = 0;
  std::int64_t sent = 0;
  Status status;
  const auto flush = [&]() -> Status {
    if (gathered == 0) return {};
    for (std::string* const array : {&ids, &types, &times, &phases, &bodies}) *array += '}';
    TRY_ASSIGN(const std::int64_t added,
               connection.change(
                   "INSERT INTO plankeep.checkpoint (replica, id, type, ts, phase, body) "
                   "SELECT $1::uuid, * FROM unnest($2::text[], $3::text[], $4::timestamptz[], $5::text[], "
                   "$6::jsonb[]) ON CONFLICT (replica, id) DO NOTHING",
                   {replica, ids, types, times, phases, bodies}));
    sent += added;
    for (std::string* const array : {&ids, &types, &times, &phases, &bodies}) array->clear();
    gathered = 0;
    return {};
  };
  const auto read = app::export_checkpoints(context, plan, [&](const core::Checkpoint& checkpoint) {
    const core::CheckpointHead& head = checkpoint.head;
    if (std::binary_search(there.begin(), there.end(), head.id.text)) return true;
    append_array_element(ids, head.id.text);
    append_array_element(types, core::name_of(head.type));
    append_array_element(times, base::to_iso8601(head.timestamp));
    append_array_element(phases, column_text(redactor.plain(head.phase.text).text()));
    append_array_element(bodies, redacted_body(checkpoint, redactor));
    if (++gathered < kAtOnce) return true;
    status = flush();
    return status.has_value();
  });
  TRY(status);
  if (!read) return base::fail(read.error());
  TRY(flush());
  return sent;
}

}  // namespace plankeep::fleet
