#include "editing/find_boxes.hpp"

#include <algorithm>

#include "base/utf8.hpp"
#include "rules/match.hpp"

namespace plankeep::app {
namespace {

using base::ErrorKind;
using base::Result;

struct Wanted {
  std::string_view phase;  // empty: any
  std::string_view id;
  bool tasks = true;
  bool criteria = true;
};

Wanted split(std::string_view text) {
  Wanted wanted;
  constexpr std::string_view kTask = "task:";
  constexpr std::string_view kCriterion = "criterion:";
  if (text.substr(0, kTask.size()) == kTask) {
    wanted.criteria = false;
    text.remove_prefix(kTask.size());
  } else if (text.substr(0, kCriterion.size()) == kCriterion) {
    wanted.tasks = false;
    text.remove_prefix(kCriterion.size());
  }
  // No id holds a "/" (spec 7.1), so the first one divides.
  const std::size_t slash = text.find('/');
  if (slash == std::string_view::npos) {
    wanted.id = text;
  } else {
    wanted.phase = text.substr(0, slash);
    wanted.id = text.substr(slash + 1);
  }
  return wanted;
}

std::vector<Found> matches(const core::Plan& plan, const Wanted& wanted) {
  std::vector<Found> found;
  for (std::size_t p = 0; p < plan.phases.size(); ++p) {
    const core::Phase& phase = plan.phases[p];
    if (!wanted.phase.empty() && wanted.phase != phase.id.text) continue;
    for (std::size_t i = 0; wanted.tasks && i < phase.tasks.size(); ++i) {
      const core::Task& task = phase.tasks[i];
      if (task.id.text == wanted.id) found.push_back({phase.id.text, task.id.text, false, p, i, task.boxes});
    }
    for (std::size_t i = 0; wanted.criteria && i < phase.acceptance.size(); ++i) {
      const core::Criterion& criterion = phase.acceptance[i];
      if (criterion.id.text == wanted.id) {
        found.push_back({phase.id.text, criterion.id.text, true, p, i, criterion.boxes});
      }
    }
  }
  return found;
}

std::string form_of(const Found& found, const std::vector<Found>& all) {
  const bool both = std::any_of(all.begin(), all.end(), [&found](const Found& other) {
    return other.phase == found.phase && other.criterion != found.criterion;
  });
  std::string form = both ? (found.criterion ? "criterion:" : "task:") : "";
  return form + found.phase + "/" + found.id;
}

}  // namespace

std::vector<std::string> nearest_ids(const core::Plan& plan, std::string_view wanted) {
  struct Candidate {
    double likeness;
    std::string id;
  };
  // Ids are short: below a third in common a suggestion would only confuse.
  constexpr double kLikeEnough = 0.34;
  const std::string lower = base::to_lower(wanted);
  std::vector<Candidate> candidates;
  const auto consider = [&](const std::string& id) {
    const std::string other = base::to_lower(id);
    double likeness = core::similarity(lower, other);
    const bool inside = !lower.empty() && other.find(lower) != std::string::npos;
    if (inside) likeness = std::max(likeness, 0.9);
    if (likeness >= kLikeEnough) candidates.push_back({likeness, id});
  };
  for (const core::Phase& phase : plan.phases) {
    for (const core::Task& task : phase.tasks) consider(task.id.text);
    for (const core::Criterion& criterion : phase.acceptance) consider(criterion.id.text);
  }
  std::stable_sort(candidates.begin(), candidates.end(),
                   [](const Candidate& a, const Candidate& b) { return a.likeness > b.likeness; });
  std::vector<std::string> nearest;
  for (const Candidate& candidate : candidates) {
    if (nearest.size() == 3) break;
    if (std::find(nearest.begin(), nearest.end(), candidate.id) == nearest.end())
      nearest.push_back(candidate.id);
  }
  return nearest;
}

Result<Found> find_boxes(const core::Plan& plan, const core::Plan& as_written, std::string_view text) {
  const Wanted wanted = split(text);
  std::vector<Found> found = matches(plan, wanted);
  if (found.empty() && plan.mode == core::PlanMode::unmarked) {
    found = matches(as_written, wanted);
    // The same box under the name it is recorded by: keeping ids changes names, never the order.
    for (Found& one : found) {
      const core::Phase& phase = plan.phases[one.phase_index];
      one.phase = phase.id.text;
      one.id = one.criterion ? phase.acceptance[one.index].id.text : phase.tasks[one.index].id.text;
    }
  }
  if (found.size() == 1) return std::move(found.front());
  if (found.size() > 1) {
    std::string message = std::string(text) + " is ambiguous:";
    for (const Found& one : found) message += "\n" + form_of(one, found);
    return base::fail(ErrorKind::ambiguous, std::move(message), "give one of these");
  }

  std::string hint;
  for (const std::string& id : nearest_ids(plan, wanted.id))
    hint += (hint.empty() ? "did you mean " : ", ") + id;
  hint += hint.empty() ? "to list all ids: plankeep parse" : "? to list all ids: plankeep parse";
  return base::fail(ErrorKind::not_found, "no task or criterion " + std::string(text) + " in this plan",
                    std::move(hint));
}

}  // namespace plankeep::app
