#pragma once
// Plans, states and views made by hand: what the renderers are shown.

#include <string>
#include <string_view>
#include <vector>

#include "model/event.hpp"
#include "model/plan.hpp"
#include "model/state.hpp"
#include "rules/next.hpp"
#include "rules/view.hpp"
#include "tracking/outcome.hpp"

namespace plankeep::render {

using core::choose, core::make_view, core::next_of, core::summarise, core::claimed_next, core::why_chosen;
using Source = core::StateSource;
using core::Choice, core::CriterionRow, core::DecisionRow, core::LeaseRow, core::Next, core::NextKind,
    core::PhaseRow, core::StatusView, core::TaskRow, core::ViewInput;

base::Instant at(std::string_view iso);

/// Three phases, the second one under way, everything that a plan can have.
core::Plan sample_plan();
/// The state that belongs to it, revision 12.
core::State sample_state();
std::vector<core::Event> sample_events();
StatusView sample_view();

/// The same plan in Chinese, with emoji.
core::Plan chinese_plan();

/// Two phases of `tasks` / 2 tasks each, every third done, every fifth waiting.
core::Plan large_plan(int tasks);

StatusView view_of(const core::Plan& plan, const core::State* state = nullptr);

core::Task task(std::string id, std::string title, core::BoxState state, std::int64_t line);
/// What a use case recorded.
app::Outcome outcome_of(app::PlanLocation plan, std::vector<core::Event> events, std::int64_t revision);
core::Event event(core::EventKind kind, std::string_view time, std::string by);

/// Lines without their line feeds; the text must end in one.
std::vector<std::string> lines_of(const std::string& text);

/// The text without the colours of paint().
std::string without_colours(const std::string& text);

}  // namespace plankeep::render
