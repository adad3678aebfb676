#pragma once
// Sends what this machine has and the fleet's server does not have yet (spec 29.5).
//
//   TRY_ASSIGN(const PushReport told, push_plan(context, connection, place, redactor));
//
// Only the server remembers how far a push got: the last line of this replica that it has, and where that
// line ends in our file. So nothing needs repair after a crash. At most kRowsAtOnce lines go in one
// transaction, together with the row that says so; a line that is there already is not sent twice. Lines are
// redacted before they are sent, and are otherwise as they stand.
//
// A line that differs on the server is a conflict: the history here was rebuilt, restored or edited since it
// was sent. Nothing is overwritten and no further line is sent; the report has the first line that differs.
// Renew::yes gives the folder a new replica id.
//
// Also sent: the plan's text if it changed, new checkpoints, and what became of the fleet's claims here
// (claims/told_claims).

#include <cstdint>
#include <optional>
#include <string>

#include "base/result.hpp"
#include "fleet/claims/told_claims.hpp"
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
  ToldClaims claims;
  std::size_t redacted = 0;  // findings in lines that were sent

  bool anything() const { return sent > 0 || text_sent || checkpoints > 0 || claims.any(); }
};

[[nodiscard]] base::Result<PushReport> push_plan(const app::Context& context, Connection& connection,
                                                 const OwnPlace& place, const secrets::Redactor& redactor,
                                                 Renew renew = Renew::no);

/// What a push now would find, for `doctor`. Nothing is changed, here or on the server. Fails with what push
/// would say where the server, or its rules, do not take what is to be sent.
struct PushOutlook {
  std::int64_t lines = 0;                // that the server has
  std::optional<std::int64_t> conflict;  // as in PushReport
  bool text = false;                     // the plan's text would be sent
  bool checkpoints = false;              // and some checkpoint
};
[[nodiscard]] base::Result<PushOutlook> push_outlook(const app::Context& context, Connection& connection,
                                                     const OwnPlace& place,
                                                     const secrets::Redactor& redactor);

base::Error conflict_error(const std::string& path, std::int64_t line);

/// For claims, which may come before the first push. conflict: the replica belongs to another login.
[[nodiscard]] base::Result<Registered> register_replica(const app::Context& context, Connection& connection,
                                                        const OwnPlace& place);

}  // namespace plankeep::fleet
