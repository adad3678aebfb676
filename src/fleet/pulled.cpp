#include "fleet/pulled.hpp"

#include <algorithm>

#include "base/json_reader.hpp"
#include "checkpoints/fleet_checkpoints.hpp"
#include "fleet/fleet_text.hpp"
#include "model/json/checkpoint_json.hpp"
#include "render/recorded/checkpoint.hpp"
#include "tracking/plan_work.hpp"

namespace plankeep::fleet {
namespace {

// As PostgreSQL writes it: 8f14e45f-ceea-….
std::string plain_id(std::string id) {
  std::erase(id, '-');
  return id;
}

std::string own_id(const app::Context& context, const app::PlanLocation& plan) {
  app::PlanWork work(context, plan);
  if (!work.open(app::PlanWork::Create::if_plan)) return {};
  if (!work.unchanged_in_brief()) return {};
  return work.state().replica ? work.state().replica->id : std::string();
}

}  // namespace

base::Result<std::int64_t> keep_pulled(const app::Context& context, const app::PlanLocation& plan,
                                       const std::vector<CheckpointSight>& found) {
  const std::string own = own_id(context, plan);
  std::string lines;
  std::int64_t kept = 0;
  for (const CheckpointSight& one : found) {
    // What is none would spoil the line; a server can hold anything.
    if (plain_id(one.replica.id) == own || !core::decode_checkpoint(one.body)) continue;
    if (one.body.find('\n') != std::string::npos) continue;
    lines += app::fleet_checkpoint_line(plain_id(one.replica.id), one.replica.login, one.replica.machine,
                                        one.body);
    ++kept;
  }
  TRY(app::write_fleet_checkpoints(context, plan, lines));
  return kept;
}

bool is_own(const app::Context& context, const app::PlanLocation& plan, const ReplicaName& replica) {
  return plain_id(replica.id) == own_id(context, plan);
}

std::string checkpoint_text(const CheckpointSight& found, Whose whose, base::Instant now,
                            const render::Style& style) {
  const std::string where =
      shown_checkpoint(found.replica, found.id) + ", pushed by " + shown_replica(found.replica) + "\n";
  auto checkpoint = core::decode_checkpoint(found.body);
  if (!checkpoint) return where + "it cannot be read by this version\n";
  app::CheckpointAnswer answer;
  answer.checkpoint = std::move(*checkpoint);
  if (whose == Whose::other) answer.checkpoint.moment.snapshot.reset();
  answer.instructions = core::recovery_instructions(answer.checkpoint, {});
  return where + render::checkpoint_text(answer, now, style);
}

}  // namespace plankeep::fleet
