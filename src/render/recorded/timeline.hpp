#pragma once
// `plankeep timeline`: what happened to plan and work, a line each, oldest first. Times are UTC.
//
// JSON: { plan {id, path}, entries [ { time, kind: "event"|"checkpoint"|"commit", text, event? (the line of
// the history), checkpoint? {id, type, trigger, instance, phase?, note?, turn?,
// message_id?, prompt?, commit_sha?}, commit? {id, author, subject, milestone?,
// phase?, tier?} } ], warnings[] }.

#include <string>

#include "render/style.hpp"
#include "reports/timeline.hpp"

namespace plankeep::render {

std::string timeline_text(const app::Timeline& timeline, const Style& style);
std::string timeline_json(const app::PlanLocation& plan, const app::Timeline& timeline);

}  // namespace plankeep::render
