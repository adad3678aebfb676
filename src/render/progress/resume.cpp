#include "render/progress/resume.hpp"

#include <algorithm>
#include <utility>

#include "base/json_writer.hpp"
#include "base/slug.hpp"
#include "base/utf8.hpp"
#include "render/json_parts.hpp"
#include "render/progress/leases.hpp"
#include "render/progress/resume_fit.hpp"
#include "render/progress/resume_tasks.hpp"
#include "render/progress/resume_words.hpp"
#include "render/progress/vanished.hpp"
#include "render/recorded/commit.hpp"
#include "render/recorded/log.hpp"
#include "render/style.hpp"
#include "rules/next.hpp"

namespace plankeep::render {
namespace {

constexpr std::size_t kNoteLimit = 500;
// The essentials are kept below this whatever the budget: one client shows 2,000 characters at most.
constexpr std::size_t kEssentialLimit = 1800;
// No section shows more items than this, however great the budget: status shows the rest.
constexpr std::size_t kBlockersShown = 10;
constexpr std::size_t kDecisionsShown = 3;
constexpr std::size_t kChangesShown = 20;
constexpr std::size_t kWarningsShown = 5;
constexpr std::size_t kPlansShown = 10;
constexpr std::size_t kStepsShown = 5;
constexpr std::size_t kAgentsShown = 10;

// An id that was made of the title says nothing beside it, and is cut inside words; both are taken by every
// command.
std::string phase_words(const core::PhaseRow& phase, std::size_t limit) {
  const std::string made = base::slug(phase.title, "phase");
  const bool is_made = phase.id.text == made || phase.id.text.starts_with(made + "-");
  if (is_made && !phase.title.empty()) return resume_item(phase.title, limit);
  return resume_name(phase.id.text, phase.title, limit);
}

/// The end of a path says more than its start.
std::string end_of(std::string_view file, std::size_t limit) {
  const std::size_t enough = 8 * limit + 64;
  if (file.size() > enough) file.remove_prefix(file.size() - enough);
  return fit_end_to_characters(safe_line(file), limit);
}

std::string short_place(std::string_view file, std::int64_t line, std::size_t limit) {
  return place(end_of(file, limit), line);
}

/// Outermost first. Their lengths are bounded where they are read.
std::string headings(const std::vector<std::string>& section) {
  std::string text;
  for (const std::string& title : section) text += (text.empty() ? "" : " / ") + title;
  return text;
}

std::string now_line(const core::StatusView& view, std::size_t limit, bool terse) {
  const core::PhaseRow* phase = view.phase();
  const core::TaskRow* task = view.task();
  if (phase == nullptr) {
    if (!core::was_complete(view)) return "Now: the plan has no tasks yet.";
    if (!view.unreadable.empty()) return "Now: not known; everything was done when it was last recorded.";
    if (core::lost_open_tasks(view.vanished)) return "Now: " + core::why_vanished(view.vanished) + ".";
    return "Now: nothing left to do; " + core::why_done(view) + ".";
  }
  if (core::is_archived_unfinished(view))
    return "Now: nothing to do; " + std::string(core::kWhyArchived) + ".";
  if (task == nullptr) return "Now: the phase's tasks are done, but its criteria are not proven yet.";
  std::string text = "Now: " + resume_name(task->id.text, task->title, limit) + " (" +
                     short_place(view.file, task->line, limit);
  if (terse) return text + ")";
  if (!view.current_section.empty())
    text += ", section " + resume_item(headings(view.current_section), limit);
  for (const core::TaskRow& around : phase->tasks) {
    if (around.id == task->parent && !task->parent.empty())
      text += ", a step of " + resume_name(around.id.text, around.title, limit);
  }
  if (task->state == core::BoxState::active) text += ", in progress";
  if (core::only_to_tick(*task)) {
    text += ", all its steps are done: tick it";
  } else if (task->children > 0) {
    text += ", " + std::to_string(task->children_done) + " of " + std::to_string(task->children) + " steps";
  }
  if (!task->waiting_for.empty()) text += ", waits for " + resume_names(task->waiting_for, limit);
  if (stands(task->lease.get())) text += ", " + resume_claim(*task->lease, limit);
  return text + ")";
}

// There is nothing left to tick.
bool finished(const core::StatusView& view) {
  return view.phase() == nullptr && view.progress.total > 0 && view.progress.optional_open == 0 &&
         view.unreadable.empty() && view.vanished.empty();
}

std::string how_to_tick(const core::StatusView& view, bool several, std::size_t limit, bool terse) {
  const core::TaskRow* task = view.task();
  std::string shown = task == nullptr ? "ID" : core::name_for_command(view, *view.phase(), *task);
  // A cut id would name nothing.
  shown = shown.size() > 4 * limit ? "ID" : safe_line(shown);
  if (count_characters(shown) > limit) shown = "ID";
  // Where there are several plans the program would ask which one is meant.
  const std::string file = safe_line(view.file);
  if (several && file.size() <= limit && file.find(' ') == std::string::npos) shown += " --plan " + file;
  if (terse) return "Tick: [x] in the plan, or plankeep done " + shown;
  return "When a task is done, set its box to [x] in the plan, or run: plankeep done " + shown;
}

/// Every line that must be there, with each piece of the plan's text at most `limit` characters long. `terse`
/// is for budgets that leave no room for whole sentences.
std::string essentials(const core::StatusView& view, bool several, std::size_t limit, bool terse) {
  std::string text = "[plankeep] Plan " + resume_item(view.plan_id, limit);
  // What is put together from several machines has no revision.
  if (view.revision > 0 || !view.last_saved) text += ", revision " + std::to_string(view.revision);
  text += view.last_saved ? ", saved " + base::to_iso8601(*view.last_saved) : ", not saved yet";
  text += ": " + std::to_string(view.progress.completed) + " of " +
          counted(view.progress.total, "task", "tasks") + " done (" + percent(view.progress.percent_tenths) +
          "%).\n";
  if (!finished(view) && !core::is_archived_unfinished(view))
    text += how_to_tick(view, several, limit, terse) + "\n";
  text += terse ? kTerseFrame : kResumeFrame;
  if (!terse && !view.title.empty()) text += "Title: " + resume_item(view.title, limit) + "\n";
  if (const core::PhaseRow* phase = view.phase()) {
    text += terse ? std::string("Phase: ")
                  : "Phase " + std::to_string(*view.current_phase + 1) + " of " +
                        std::to_string(view.phases.size()) + ": ";
    text += phase_words(*phase, limit) + " (" + std::to_string(phase->done) + "/" +
            std::to_string(phase->total) + ")\n";
  }
  text += now_line(view, limit, terse) + "\n";
  return text;
}

std::string fitted_essentials(const core::StatusView& view, bool several, std::size_t budget) {
  struct Form {
    std::size_t limit;
    bool terse;
  };
  static constexpr Form kForms[] = {{kItemLimit, false}, {120, false}, {80, false}, {60, false},
                                    {60, true},          {40, true},   {30, true},  {24, true},
                                    {18, true},          {12, true},   {8, true}};
  const std::size_t room = std::min(budget, kEssentialLimit);
  std::string text;
  for (const Form& form : kForms) {
    text = essentials(view, several, form.limit, form.terse);
    if (count_characters(text) <= room) return text;
  }
  // Numbers of 19 digits everywhere: lines go from the end.
  while (count_characters(text) > room) {
    const std::size_t cut = text.size() < 2 ? std::string::npos : text.rfind('\n', text.size() - 2);
    if (cut == std::string::npos) return fit_to_characters(text, room - 1) + "\n";
    text.resize(cut + 1);
  }
  return text;
}

Section blockers_of(const core::StatusView& view, std::size_t limit) {
  Section section{"Blockers", {}, view.blockers.size(), 3};
  for (std::size_t i = 0; i < view.blockers.size() && i < kBlockersShown; ++i) {
    section.items.push_back(resume_item(view.blockers[i], limit));
  }
  return section;
}

Section edits_of(const ResumeInput& input) {
  Section section{"", {}, 0, 1};
  if (input.outside_edit) {
    section.items.emplace_back(
        "The plan has been edited since then and no session reported it; review it before you continue.");
  }
  section.total = section.items.size();
  return section;
}

Section decisions_of(const core::StatusView& view, std::size_t limit) {
  Section section{"Last decisions", {}, 0, kDecisionsShown};
  // The newest first, so that it stays longest when the budget is small.
  for (std::size_t i = view.decisions.size(); i-- > 0 && section.items.size() < kDecisionsShown;) {
    const core::DecisionRow& decision = view.decisions[i];
    std::string text = resume_item(decision.decision, limit);
    if (!decision.reason.empty()) text += " (" + resume_item(decision.reason, limit) + ")";
    section.items.push_back(std::move(text));
  }
  section.total = section.items.size();
  return section;
}

Section note_of(const core::StatusView& view, std::size_t limit) {
  Section section{"", {}, 0, 1};
  if (view.session_note && !view.session_note->empty()) {
    section.items.push_back(
        "Session note: " + resume_item(*view.session_note, std::max(limit, kNoteLimit * limit / kItemLimit)));
  }
  section.total = section.items.size();
  return section;
}

bool worth_telling(const core::Event& event) {
  switch (event.kind) {
    case core::EventKind::unknown:
    case core::EventKind::recovery_saved:
    case core::EventKind::checkpoint_saved:
    case core::EventKind::tasks_ordered:
    case core::EventKind::boxes_skipped:      // the tasks that were left out are told
    case core::EventKind::checksum_mismatch:  // the outside-edit line says it
    case core::EventKind::note_saved:
    case core::EventKind::session_started:
    case core::EventKind::session_ended:
    case core::EventKind::session_crash:
    case core::EventKind::session_recovered:
    case core::EventKind::subagent_started:
    case core::EventKind::task_claimed:  // the tasks themselves say who has them
    case core::EventKind::task_released:
      return false;
    case core::EventKind::subagent_stopped:
      return !event.unverified.empty();
    default:
      return true;
  }
}

Section changes_of(const core::StatusView& view, const ResumeInput& input, std::size_t limit) {
  Section section{"Since the last session, newest first", {}, 0, 5};
  for (std::size_t i = input.since.size(); i-- > 0;) {
    const core::Event& event = input.since[i];
    if (!worth_telling(event)) continue;
    // The warning says it.
    if (event.kind == core::EventKind::parse_error && !view.unreadable.empty()) continue;
    ++section.total;
    if (section.items.size() == kChangesShown) continue;
    std::string time = base::to_iso8601(event.time).substr(0, 16);
    if (time.size() == 16) time[10] = ' ';
    std::string text = time + " UTC, ";
    if (!event.by.empty()) text += resume_item(event.by, limit) + ": ";
    section.items.push_back(text + fit_to_characters(describe(event), limit));
  }
  return section;
}

Section lost_of(const ResumeInput& input, std::size_t limit) {
  Section section{"Subagents that ended before reporting", {}, input.lost.size(), 3};
  for (const app::LostAgent& agent : input.lost) {
    if (section.items.size() == kAgentsShown) break;
    std::string text = resume_item(agent.type, limit);
    text += !agent.open.empty()   ? ": still open " + resume_names(agent.open, limit)
            : !agent.plan.empty() ? ": worked on " + resume_item(agent.plan, limit)
                                  : ": given no task of the plan";
    section.items.push_back(std::move(text));
  }
  return section;
}

Section checkpoint_of(const ResumeInput& input, std::size_t limit) {
  if (!input.checkpoint) return {};
  const app::ResumeCheckpoint& checkpoint = *input.checkpoint;
  Section section{"To continue from checkpoint " + resume_item(checkpoint.id, limit) +
                      ", made when the context window was full",
                  {},
                  checkpoint.steps.size(),
                  4};
  for (std::size_t i = 0; i < checkpoint.steps.size() && i < kStepsShown; ++i)
    section.items.push_back(resume_item(checkpoint.steps[i], limit));
  return section;
}

Section crash_of(const ResumeInput& input) {
  Section section{"", {}, 0, 1};
  if (input.crashed) {
    section.items.emplace_back("The last session ended unexpectedly. No tick was lost.");
  }
  section.total = section.items.size();
  return section;
}

// First of all: the rest may not hold any more.
Section unreadable_of(const core::StatusView& view, std::size_t limit) {
  Section section{"", {}, 0, 1};
  if (!view.unreadable.empty())
    section.items.push_back("Warning: " + resume_item(view.unreadable, 2 * limit));
  section.total = section.items.size();
  return section;
}

Section vanished_of(const core::StatusView& view, std::size_t limit) {
  Section section{"", {}, 0, 1};
  if (!view.vanished.empty())
    section.items.push_back(fit_to_characters(vanished_words(view.vanished, limit / 2), 2 * limit) +
                            "; to put " + std::string(them(view.vanished)) +
                            " back: plankeep restore --lost");
  section.total = section.items.size();
  return section;
}

Section warnings_of(const core::StatusView& view, std::size_t limit) {
  Section section{"Warnings", {}, 0, 2};
  for (const std::string& warning : view.warnings) {
    if (warning == view.unreadable) continue;
    ++section.total;
    if (section.items.size() < kWarningsShown) section.items.push_back(resume_item(warning, limit));
  }
  return section;
}

// One line each, from what the history knows: nothing here may start git.
Section drift_of(const core::StatusView& view, std::size_t limit) {
  Section section{"", {}, 0, 1};
  if (view.drift)
    section.items.push_back("Drift: " + fit_to_characters(drift_words(*view.drift), 2 * limit) +
                            " (to check against git: plankeep status --check)");
  section.total = section.items.size();
  return section;
}

Section last_commit_of(const core::StatusView& view, std::size_t limit) {
  Section section{"", {}, 0, 1};
  if (view.last_commit)
    section.items.push_back("Commit " + fit_to_characters(last_commit_words(*view.last_commit), 2 * limit) +
                            ", " + minute_of(view.last_commit->time));
  section.total = section.items.size();
  return section;
}

Section phase_note_of(const ResumeInput& input, std::size_t limit) {
  Section section{"", {}, 0, 1};
  if (!input.phase_note.empty())
    section.items.push_back("Notes of the phase: " + resume_item(input.phase_note, limit));
  section.total = section.items.size();
  return section;
}

Section others_of(const ResumeInput& input, std::size_t limit) {
  Section section{"Other active plans", {}, input.others.size(), 3};
  for (std::size_t i = 0; i < input.others.size() && i < kPlansShown; ++i) {
    const app::OtherPlan& other = input.others[i];
    section.items.push_back(resume_item(other.id, limit) + " (" + end_of(other.file, limit) +
                            "): " + std::to_string(other.progress.completed) + " of " +
                            counted(other.progress.total, "task", "tasks") +
                            (other.progress.completed == other.progress.total ? ", criteria not met" : "") +
                            (other.missing ? ", but its file is missing" : ""));
  }
  return section;
}

}  // namespace

std::string resume_text(const core::StatusView& view, const ResumeInput& input, std::size_t budget) {
  budget = std::clamp(budget, kSmallestBudget, kLargestBudget);
  // Small budgets get shorter items rather than fewer of them.
  const std::size_t limit = std::clamp<std::size_t>(budget / 8, 40, kItemLimit);
  // In the order in which they are shown; the rank says who gets room first.
  std::vector<Section> sections;
  const auto add = [&sections](Section section, int rank) {
    if (section.items.empty()) return;
    section.rank = rank;
    sections.push_back(std::move(section));
  };
  add(unreadable_of(view, limit), 0);
  add(vanished_of(view, limit), 0);
  add(blockers_of(view, limit), 1);
  add(crash_of(input), 2);
  add(checkpoint_of(input, limit), 3);
  add(lost_of(input, limit), 3);
  add(edits_of(input), 4);
  add(drift_of(view, limit), 4);
  if (!view.archived_at) {
    add(open_tasks_of(view, limit), 5);
    add(later_tasks_of(view, limit), 5);
    add(criteria_of(view, limit), 6);
  }
  add(phase_note_of(input, limit), 7);
  add(note_of(view, limit), 8);
  add(decisions_of(view, limit), 9);
  add(last_commit_of(view, limit), 9);
  add(changes_of(view, input, limit), 10);
  add(warnings_of(view, limit), 11);
  add(others_of(input, limit), 12);
  std::string text = fitted_essentials(view, !input.others.empty(), budget);
  append_sections(text, std::move(sections), budget);
  text = without_tags(std::move(text));
  // A rule of the settings may look over the items' ends.
  return input.redactor ? fit_to_characters((*input.redactor)(text), budget) : text;
}

std::string resume_json(const core::StatusView& view, const ResumeInput& input, std::size_t budget) {
  const std::string text = resume_text(view, input, budget);
  base::JsonWriter out(base::JsonWriter::Layout::indented);
  out.begin_object();
  write_plan_reference(out, view.plan_id, view.path, view.title);
  out.key("revision").value(view.revision);
  out.key("savedAt");
  if (view.last_saved) {
    out.value(base::to_iso8601(*view.last_saved));
  } else {
    out.null();
  }
  out.key("budget").value(std::clamp(budget, kSmallestBudget, kLargestBudget));
  out.key("characters").value(count_characters(text));
  out.key("text").value(text);
  out.end_object();
  return out.finish();
}

}  // namespace plankeep::render
