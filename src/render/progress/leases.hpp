#pragma once
// How a lease is told. Private to this room.

#include <string>

#include "base/json_writer.hpp"
#include "rules/view.hpp"

namespace plankeep::render {

/// "claimed by kim until 2026-11-20 16:13 UTC"; "claim of kim ran out", "claim of kim: its holder is gone".
/// Safe to print.
std::string claim_words(const core::LeaseRow& lease);
/// The same in few columns: "claimed by kim, 29 min".
std::string claim_words(const core::LeaseRow& lease, base::Instant now);
/// "40 s", "29 min", "2 h", "3 days": what is left, rounded up; "0 s" when nothing is.
std::string time_left(base::Instant until, base::Instant now);
/// "2026-11-20 16:13 UTC"
std::string minute_of(base::Instant time);

/// by, fence, claimedAt, until, standing, sessionId?
void write_lease_fields(base::JsonWriter& out, const core::LeaseRow& lease);
/// The same as an object.
void write_lease(base::JsonWriter& out, const core::LeaseRow& lease);

}  // namespace plankeep::render
