#include "render/progress/resume_tasks.hpp"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "base/text.hpp"
#include "render/progress/resume_words.hpp"
#include "render/recorded/verify.hpp"

namespace plankeep::render {
namespace {

// No section shows more items than this, however great the budget: status shows the rest.
constexpr std::size_t kTasksShown = 40;
constexpr std::size_t kCriteriaShown = 20;

std::string open_task_text(const core::TaskRow& task, std::size_t limit) {
  std::string text = resume_name(task.id.text, task.title, limit);
  std::string extra;
  if (task.line > 0) extra = "line " + std::to_string(task.line);
  if (task.optional) base::append_listed(extra, "optional");
  if (task.state == core::BoxState::active) base::append_listed(extra, "in progress");
  if (!task.waiting_for.empty()) base::append_listed(extra, "after " + resume_names(task.waiting_for, limit));
  if (stands(task.lease.get())) {
    base::append_listed(extra, resume_claim(*task.lease, limit));
  } else if (task.lease) {
    base::append_listed(extra, "was claimed by " + resume_item(task.lease->by, limit) + ", which has ended");
  }
  if (!extra.empty()) text += " (" + extra + ")";
  return text;
}

// What is open, and what is ticked and not proven.
bool is_unproven(const core::CriterionRow& criterion) {
  return !criterion.met ||
         (criterion.proof != core::Proof::no_command && criterion.proof != core::Proof::proven);
}

std::string unproven_text(const core::CriterionRow& criterion, std::size_t limit) {
  std::string text = resume_name(criterion.id.text, criterion.title, limit);
  std::string extra = criterion.met ? "ticked" : "";
  const auto add = [&extra](const std::string& part) { base::append_listed(extra, part); };
  const bool told = criterion.met || criterion.proof != core::Proof::unproven;
  if (told && criterion.proof != core::Proof::no_command)
    add(proof_text(criterion.proof, criterion.failed_before, resume_item(criterion.why, limit)));
  if (!criterion.verify.empty()) add("verify: " + resume_item(criterion.verify, limit));
  if (!extra.empty()) text += " (" + extra + ")";
  return text;
}

}  // namespace

Section open_tasks_of(const core::StatusView& view, std::size_t limit) {
  Section section{"Other open tasks of the phase", {}, 0, 6};
  const core::PhaseRow* phase = view.phase();
  if (phase == nullptr) return section;
  for (const core::TaskRow& task : phase->tasks) {
    if (&task == view.task() || task.state == core::BoxState::done) continue;
    ++section.total;
    if (section.items.size() < kTasksShown) section.items.push_back(open_task_text(task, limit));
  }
  return section;
}

// What somebody is at goes before what nobody has begun: a phase is an order, not a barrier.
Section later_tasks_of(const core::StatusView& view, std::size_t limit) {
  const bool none_here = view.task() == nullptr;
  Section section{none_here ? "Open tasks of later phases" : "In progress in later phases", {}, 0, 4};
  if (view.phase() == nullptr) return section;
  std::vector<const core::TaskRow*> begun;
  std::vector<const core::TaskRow*> others;
  for (std::size_t p = *view.current_phase + 1; p < view.phases.size(); ++p) {
    const bool next = none_here && others.empty();
    for (const core::TaskRow& task : view.phases[p].tasks) {
      if (task.state == core::BoxState::done) continue;
      if (task.state == core::BoxState::active || task.lease) {
        begun.push_back(&task);
      } else if (next && !task.optional) {
        others.push_back(&task);
      }
    }
  }
  begun.insert(begun.end(), others.begin(), others.end());
  section.total = begun.size();
  begun.resize(std::min(begun.size(), kTasksShown));
  for (const core::TaskRow* task : begun) section.items.push_back(open_task_text(*task, limit));
  return section;
}

Section criteria_of(const core::StatusView& view, std::size_t limit) {
  Section section{"Criteria not proven", {}, 0, 4};
  const core::PhaseRow* current = view.phase();
  const auto take = [&](const core::PhaseRow& phase) {
    for (const core::CriterionRow& criterion : phase.acceptance) {
      if (!is_unproven(criterion) || (&phase != current && !criterion.met)) continue;
      ++section.total;
      if (section.items.size() == kCriteriaShown) continue;
      std::string text = unproven_text(criterion, limit);
      if (&phase != current) text = resume_item(phase.id.text, limit) + "/" + text;
      section.items.push_back(std::move(text));
    }
  };
  if (current != nullptr) take(*current);
  for (const core::PhaseRow& phase : view.phases) {
    if (&phase != current) take(phase);
  }
  return section;
}

}  // namespace plankeep::render
