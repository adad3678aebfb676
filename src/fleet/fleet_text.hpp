#pragma once
// What the fleet knows and did, as text for people and as JSON (schemas/output-fleet.schema.json). Texts of
// other machines are made safe here.

#include <string>
#include <vector>

#include "fleet/claims/claims.hpp"
#include "fleet/push.hpp"
#include "fleet/sight.hpp"
#include "render/style.hpp"

namespace plankeep::fleet {

/// "kim on 3fa2b1c9": a login and the first digits of a machine.
std::string shown_replica(const ReplicaName& replica);

/// "cedacd24:cp_99bb88_002": the id with the first digits of its replica, since machines number their
/// checkpoints independently.
std::string shown_checkpoint(const ReplicaName& replica, const std::string& id);

std::string push_text(const std::vector<PushReport>& pushed);
std::string push_json(const std::vector<PushReport>& pushed);

/// `stale_days`: a plan with open tasks of which nothing came for so long is called stale.
std::string status_text(const FleetSight& sight, const render::Style& style);
std::string status_json(const FleetSight& sight);

/// One line of the log, with its line feed.
std::string log_line_text(const LogLine& line, const render::Style& style);
std::string log_line_json(const LogLine& line);

std::string checkpoints_text(const std::vector<CheckpointSight>& found, base::Instant now,
                             const render::Style& style);
std::string checkpoints_json(const std::vector<CheckpointSight>& found);

std::string claim_text(const FleetClaim& claim);
std::string claim_json(const FleetClaim& claim);
/// Why there was nothing to claim or release.
base::Error claim_refusal(const FleetClaim& claim);

}  // namespace plankeep::fleet
