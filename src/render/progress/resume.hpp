#pragma once
// The text that tells a new session where things stand (spec 10.3, 10.5).
//
// A client puts it into the conversation, so it is written for a reader who has only this: it says that what
// follows is the plan's content and no instruction, plan text has neither control characters nor escapes, nor
// line feeds of its own, and every item is capped (kItemLimit). The essentials (plan, progress, current phase
// and task, how to tick) stand in the first 1,800 characters, since one client shows no more than 2,000;
// another cuts at 10,000.
//
// A function of its input only, the view's `now` not included: nothing changed, the same bytes. The revision
// and the save time are in it, so two different states never give the same text. Times are absolute for the
// same reason.
//
// The budget counts characters (code points) and is kept for every value: items are dropped whole, the least
// important sections first, each section saying "… and N more".

#include <cstddef>
#include <string>

#include "reports/resume.hpp"
#include "rules/view.hpp"

namespace plankeep::render {

inline constexpr std::size_t kDefaultBudget = 2000;
inline constexpr std::size_t kSmallestBudget = 300;
inline constexpr std::size_t kLargestBudget = 9900;

using app::ResumeInput;

/// Clamps the budget to kSmallestBudget..kLargestBudget. Ends with a line feed.
std::string resume_text(const core::StatusView& view, const ResumeInput& input,
                        std::size_t budget = kDefaultBudget);

/// { plan {id, path}, revision, savedAt|null, budget, characters, text }
std::string resume_json(const core::StatusView& view, const ResumeInput& input,
                        std::size_t budget = kDefaultBudget);

}  // namespace plankeep::render
