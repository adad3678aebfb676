#pragma once
// What a machine has and the fleet's server has not (spec 29.5).
//
//   TRY_ASSIGN(const PushReport told, push_plan(context, connection, place, redactor));
//
// The server is the only offset: it says which line of this replica it got last and where that line ended in
// our file, so nothing is remembered here and nothing needs repair, whatever died in between. At most
// kRowsAtOnce lines go in one transaction, together with the row that says so; a line that is there already
// is not sent twice. Lines are redacted before they are sent, and are otherwise as they stand.
//
// A line that is there with another content is a conflict: the history here is not the one that was sent (it
// was rebuilt, restored or edited). Nothing is overwritten and nothing more is sent of it; the report says
// from which line on. Renew::yes gives the folder a new name among the replicas.
//
// Besides the history: the plan's text, when it is another than the newest that was sent, and checkpoints.
// Claims of the fleet whose local lease still stands are renewed.

#include <cstdint>
#include <optional>
#include <string>

#include "base/result.hpp"
#include "fleet/own_place.hpp"
#include "fleet/postgres.hpp"
#include "project/context.hpp"
#include "secrets/redactor.hpp"

namespace plankeep::fleet {

inline constexpr std::size_t kRowsAtOnce = 5000;
/// Of history text in one transaction; a single longer line goes alone.
inline constexpr std::size_t kBytesAtOnce = std::size_t{16} << 20;
/// A larger plan text stays here.
inline constexpr std::size_t kLargestPlanText = std::size_t{1} << 20;

struct PushReport {
  std::string path;                      // the plan's, in its project
  std::string replica;                   // its id
  std::int64_t plan = 0;                 // the plan's number on the server
  std::int64_t sent = 0;                 // lines that the server did not have
  std::int64_t lines = 0;                // lines that it has now
  std::optional<std::int64_t> conflict;  // the first line that is another than the server's
  bool text_sent = false;
  std::int64_t checkpoints = 0;  // sent
  std::int64_t renewed = 0;      // claims
  std::size_t redacted = 0;      // findings in lines that were sent

  bool anything() const { return sent > 0 || text_sent || checkpoints > 0 || renewed > 0; }
};

[[nodiscard]] base::Result<PushReport> push_plan(const app::Context& context, Connection& connection,
                                                 const OwnPlace& place, const secrets::Redactor& redactor,
                                                 Renew renew = Renew::no);

/// The numbers of a plan and a replica on the server, which are made where they are missing.
struct Registered {
  std::int64_t plan = 0;
  std::string replica;
};
/// For claims, which may come before the first push. conflict: the replica belongs to another login.
[[nodiscard]] base::Result<Registered> register_replica(const app::Context& context, Connection& connection,
                                                        const OwnPlace& place);

}  // namespace plankeep::fleet
