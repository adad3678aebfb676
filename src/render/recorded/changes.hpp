#pragma once
// What a changing command recorded: sync, done, reopen, start, decide, block, unblock, note, init's
// follow-ups.
//
// JSON: { plan {id, path}, changed, revision, progress, events [as in history.jsonl], notices [ {kind, text}
// ], warnings[] }.

#include <cstdint>
#include <string>
#include <vector>

#include "model/event.hpp"
#include "model/progress.hpp"
#include "render/style.hpp"
#include "rules/reconcile.hpp"

namespace plankeep::render {

struct Changes {
  std::string plan_id;
  std::string path;  // absolute
  std::vector<core::Event> events;
  std::vector<core::Notice> notices;
  std::vector<std::string> warnings;
  std::vector<std::string> remarks;  // plain lines ahead of the events: "login is done already"
  bool edited = false;               // the plan's text was changed, with or without an event
  core::Progress progress;           // after the change
  std::int64_t revision = 0;
};

/// A line an event, then notices, warnings and the progress. "nothing changed" when there are no events.
/// Housekeeping events (recovery_saved, checkpoint_saved) are not shown.
std::string changes_text(const Changes& changes, const Style& style);
std::string changes_json(const Changes& changes);

/// "task_reopened", ...
std::string_view name_of(core::NoticeKind kind);

}  // namespace plankeep::render
