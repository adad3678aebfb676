#pragma once
// `plankeep timeline`: what happened to plan and work, a line each, oldest first. Times are UTC.
//
// JSON: { plan {id, path}, entries [ { time, kind: "event"|"checkpoint"|"commit", text, event? (the line of
// the history), checkpoint? {id, type, trigger, instance, phase?, note?, turn?,
// message_id?, prompt?, commit_sha?}, commit? {id, author, subject, milestone?,
// phase?, tier?} } ], warnings[] }.

#include <string>
#include <string_view>
#include <vector>

#include "render/style.hpp"
#include "rules/timeline.hpp"

namespace plankeep::render {

struct TimelineView {
  std::string plan_id;
  std::string path;
  std::vector<core::TimelineEntry> entries;
  std::vector<std::string> warnings;
};

std::string timeline_text(const TimelineView& view, const Style& style);
std::string timeline_json(const TimelineView& view);

}  // namespace plankeep::render
