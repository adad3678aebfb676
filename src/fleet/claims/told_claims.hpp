#pragma once
// What became here of the fleet's claims, told to its server by a push: no hook and no edit waits for the
// network (spec 29.7).
//
//   TRY_ASSIGN(const ToldClaims told, tell_claims(context, connection, place, own));
//
// A claim that hooks renewed here is renewed there. One that is over here is given back: its task was ticked
// or removed, or it was released without --fleet. One that only ran out, or whose session ended, stays until
// the server's clock ends it.
//
// Between the server's grant and its record here a claim looks as if it were over. So one is given back only
// if the history has its record. After a crash on the way the next push does the rest.

#include <cstdint>
#include <string>

#include "base/result.hpp"
#include "fleet/own_place.hpp"
#include "fleet/postgres.hpp"
#include "project/context.hpp"

namespace plankeep::fleet {

/// The numbers of a plan and a replica on the server.
struct Registered {
  std::int64_t plan = 0;
  std::string replica;
};

struct ToldClaims {
  std::int64_t renewed = 0;
  std::int64_t ended = 0;

  bool any() const { return renewed > 0 || ended > 0; }
};

/// Nothing is told where the plan cannot be read. Errors of Connection.
[[nodiscard]] base::Result<ToldClaims> tell_claims(const app::Context& context, Connection& connection,
                                                   const OwnPlace& place, const Registered& own);

/// Only the second half: how many were given back.
[[nodiscard]] base::Result<std::int64_t> give_back_ended(const app::Context& context, Connection& connection,
                                                         const OwnPlace& place, const Registered& own);

}  // namespace plankeep::fleet
