#include "markdown/edit_check.hpp"

#include <algorithm>

namespace plankeep::markdown {
namespace {

using core::PlanMode;

bool same_task(const core::Task& a, const core::Task& b, bool ids) {
  return (!ids || a.id == b.id) && a.title == b.title && a.state == b.state && a.optional == b.optional &&
         a.after == b.after && a.steps == b.steps && a.boxes.size() == b.boxes.size();
}

bool same_criterion(const core::Criterion& a, const core::Criterion& b) {
  return a.id == b.id && a.title == b.title && a.met == b.met && a.verify == b.verify;
}

}  // namespace

bool same_phases(const core::Plan& a, const core::Plan& b) {
  const bool ids = a.mode == PlanMode::marked && b.mode == PlanMode::marked;
  if (a.mode != b.mode) return false;
  return std::equal(a.phases.begin(), a.phases.end(), b.phases.begin(), b.phases.end(),
                    [&](const core::Phase& p, const core::Phase& q) {
                      return p.id == q.id && p.title == q.title &&
                             std::equal(p.tasks.begin(), p.tasks.end(), q.tasks.begin(), q.tasks.end(),
                                        [&](const auto& x, const auto& y) { return same_task(x, y, ids); }) &&
                             std::equal(p.acceptance.begin(), p.acceptance.end(), q.acceptance.begin(),
                                        q.acceptance.end(), same_criterion);
                    });
}

bool same_decisions(const core::Plan& a, const core::Plan& b) {
  return std::equal(a.decisions.begin(), a.decisions.end(), b.decisions.begin(), b.decisions.end(),
                    [](const auto& x, const auto& y) { return x.text == y.text && x.reason == y.reason; });
}

bool same_blockers(const core::Plan& a, const core::Plan& b) {
  return std::equal(a.blockers.begin(), a.blockers.end(), b.blockers.begin(), b.blockers.end(),
                    [](const auto& x, const auto& y) { return x.text == y.text; });
}

}  // namespace plankeep::markdown
