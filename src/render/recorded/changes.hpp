#pragma once
// What a changing command recorded: sync, done, reopen, start, decide, block, unblock, note, init's
// follow-ups.
//
// JSON: { plan {id, path}, changed, revision, progress, events [as in history.jsonl], notices [ {kind, text}
// ], warnings[], error? (as in render/error: the plan could not be read) }.

#include <cstddef>
#include <limits>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "render/style.hpp"
#include "rules/reconcile.hpp"
#include "tracking/outcome.hpp"

namespace plankeep::render {

struct Changes {
  const app::Outcome& outcome;         // must outlive this
  std::vector<std::string> remarks{};  // plain lines ahead of the events: "login is done already"
  bool last_warning_apart = false;     // text: the caller says it as an error
  std::size_t newest =
      std::numeric_limits<std::size_t>::max();  // events in the JSON; a warning counts the rest
  std::string plan_id{};                        // text: what the plan is called; empty: by its id
};

/// A line an event, then notices, warnings and the progress. "nothing changed" when there are no events.
/// Housekeeping events (recovery_saved, checkpoint_saved) are not shown. In the JSON the remarks are
/// warnings.
std::string changes_text(const Changes& changes, const Style& style);
/// `error`: with which the command ends, and its exit status.
std::string changes_json(const Changes& changes, const base::Error* error = nullptr, int exit = 0);

/// "task_reopened", ...
std::string_view name_of(core::NoticeKind kind);

}  // namespace plankeep::render
