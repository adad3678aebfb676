#include "markdown/edits/edit_check.hpp"

#include <algorithm>
#include <string_view>
#include <vector>

#include "base/unicode/composed.hpp"
#include "model/parents.hpp"

namespace plankeep::markdown {
namespace {

// Of what is read anew the text tells the form of an id, of what was tracked the records do.
bool same_id(std::string_view a, std::string_view b) {
  return a == b || base::composed(a) == base::composed(b);
}

bool same_after(const core::Task& a, const core::Task& b) {
  return std::equal(a.after.begin(), a.after.end(), b.after.begin(), b.after.end(),
                    [](const core::TaskId& x, const core::TaskId& y) { return same_id(x.text, y.text); });
}

bool same_task(const core::Task& a, const core::Task& b, bool ids) {
  return (!ids || same_id(a.id.text, b.id.text)) && a.marked == b.marked && a.title == b.title &&
         a.state == b.state && a.optional == b.optional && same_after(a, b) && a.section == b.section &&
         a.boxes.size() == b.boxes.size();
}

bool same_criterion(const core::Criterion& a, const core::Criterion& b) {
  return same_id(a.id.text, b.id.text) && a.title == b.title && a.met == b.met && a.verify == b.verify &&
         a.optional == b.optional && a.section == b.section;
}

bool same_phase(const core::Phase& a, const core::Phase& b) {
  return same_id(a.id.text, b.id.text) && a.title == b.title &&
         std::equal(a.tasks.begin(), a.tasks.end(), b.tasks.begin(), b.tasks.end(),
                    [](const auto& x, const auto& y) { return same_task(x, y, x.marked && y.marked); }) &&
         std::equal(a.acceptance.begin(), a.acceptance.end(), b.acceptance.begin(), b.acceptance.end(),
                    same_criterion) &&
         core::parents_of(a) == core::parents_of(b) &&
         core::criterion_parents_of(a) == core::criterion_parents_of(b);
}

}  // namespace

bool same_phases(const core::Plan& a, const core::Plan& b) {
  return a.title == b.title && a.skipped == b.skipped &&
         std::equal(a.phases.begin(), a.phases.end(), b.phases.begin(), b.phases.end(), same_phase);
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
