#pragma once
// `plankeep log` for people: one event a line, "2026-11-20 15:43:50  main  done  auth  Add login". Times are
// UTC. (log --json passes the raw lines of history.jsonl through.)

#include <cstddef>
#include <string>

#include "model/event.hpp"
#include "render/style.hpp"

namespace plankeep::render {

/// The least width of the actor column, enough for "external".
inline constexpr std::size_t kActorColumns = 8;
/// A title on a terminal gets at least so much.
inline constexpr std::size_t kNarrowTitle = 12;

/// `width`, widened for this event's actor (up to 24 columns). Call it for every event of a list, starting
/// with kActorColumns, and pass the result to log_line().
std::size_t actor_columns(const core::Event& event, std::size_t width);

/// With its line feed. On a terminal what people wrote gives way (see below); the actor is whole.
std::string log_line(const core::Event& event, const Style& style, std::size_t actors = kActorColumns);

/// What happened, without time and actor, as a short phrase: "task auth done: Add login". Plan text in it is
/// already safe to print, on one line, not cut.
std::string describe(const core::Event& event);
/// The same in so many columns if that can be: title, decision, blocker or note are cut, to no less than
/// kNarrowTitle. Ids, paths and commands never are, so it may be wider.
std::string describe(const core::Event& event, std::size_t columns);

}  // namespace plankeep::render
