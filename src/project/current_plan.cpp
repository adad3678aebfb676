#include "project/current_plan.hpp"

#include <map>

#include "base/json_reader.hpp"
#include "base/json_writer.hpp"
#include "base/utf8.hpp"
#include "project/project.hpp"
#include "project/state_home.hpp"
#include "store/paths.hpp"
#include "store/quarantine.hpp"
#include "system/atomic_file.hpp"

namespace plankeep::app {
namespace {

using base::ErrorKind;
using base::Result;

constexpr std::string_view kFile = "current-plans.json";
constexpr std::string_view kLockFile = "current-plans.lock";
constexpr std::chrono::seconds kTimeout{10};

using Choices = std::map<std::string, std::string>;

Result<Choices> decode(std::string_view json) {
  Choices choices;
  base::JsonReader in(json);
  const base::Status read = in.object([&](std::string_view key) -> base::Status {
    if (key != "projects") return in.skip();
    return in.object(
        [&](std::string_view project) -> base::Status { return in.string(choices[std::string(project)]); });
  });
  TRY(read);
  TRY(in.end());
  return choices;
}

std::string encode(const Choices& choices) {
  base::JsonWriter out(base::JsonWriter::Layout::indented);
  out.begin_object().key("projects").begin_object();
  for (const auto& [project, plan] : choices) out.key(project).value(plan);
  out.end_object().end_object();
  return out.finish();
}

std::string this_project(const Context& context) {
  return Project::here(context).root();
}

// Changes the choices under a lock: two `use` at once in two projects must not lose one.
template <class Change>
base::Status change_choices(const Context& context, const Change& change) {
  auto home = open_state_home(context, true);
  if (!home) {
    base::Error error = base::with_context(std::move(home.error()), "cannot store the choice");
    error.hint += error.hint.empty() ? "" : "; or ";
    error.hint += "give the plan with --plan or PLANKEEP_PLAN";
    return base::fail(std::move(error));
  }
  const auto folder = std::move(*home);
  TRY_ASSIGN(const auto lock, folder->lock(kLockFile, kTimeout));
  Choices choices;
  const auto text = folder->read(kFile, store::kJsonLimit);
  if (text) {
    auto decoded = decode(*text);
    if (decoded) {
      choices = std::move(*decoded);
    } else {
      TRY(store::quarantine(*folder, kFile, store::file_time(context.clock.now())));
    }
  } else if (text.error().kind != ErrorKind::not_found) {
    return base::fail(text.error());
  }
  if (!change(choices)) return {};
  return system::write_file(*folder, kFile, encode(choices), system::Durability::durable);
}

}  // namespace

std::string_view other_choice_words() {
  return "choose another: plankeep use PATH, or forget it: plankeep use --clear";
}

std::string gone_choice_words(const Context& context, const FoundPlan& found) {
  if (found.gone_choice.empty()) return {};
  return "the plan chosen with plankeep use is missing (" + shown_path(context, found.gone_choice) +
         "), so this is about " + shown_path(context, found.plan.path()) + "; " +
         std::string(other_choice_words());
}

Result<std::optional<CurrentPlan>> current_plan(const Context& context) {
  auto folder = open_state_home(context, false);
  if (!folder) return std::optional<CurrentPlan>{};
  const auto text = (*folder)->read(kFile, store::kJsonLimit);
  if (!text) return std::optional<CurrentPlan>{};
  const auto choices = decode(*text);
  if (!choices) return std::optional<CurrentPlan>{};
  const std::string project = this_project(context);
  const auto found = choices->find(project);
  if (found == choices->end()) return std::optional<CurrentPlan>{};
  return std::optional(CurrentPlan{project, found->second});
}

Result<CurrentPlan> choose_plan(const Context& context, const PlanLocation& plan) {
  CurrentPlan chosen{this_project(context), plan.path()};
  for (const std::string& text : {chosen.project, chosen.path}) {
    // JSON holds text: a path that is none would come back as another one.
    if (base::find_invalid_utf8(text) == std::string::npos) continue;
    return base::fail(ErrorKind::invalid_input,
                      "cannot store the choice of " + text + ": the path is not UTF-8",
                      "give the plan with --plan or PLANKEEP_PLAN");
  }
  TRY(change_choices(context, [&](Choices& choices) {
    std::string& path = choices[chosen.project];
    if (path == chosen.path) return false;
    path = chosen.path;
    return true;
  }));
  return chosen;
}

Result<bool> forget_plan(const Context& context) {
  TRY_ASSIGN(const auto current, current_plan(context));
  if (!current) return false;
  TRY(change_choices(context, [&](Choices& choices) { return choices.erase(current->project) > 0; }));
  return true;
}

}  // namespace plankeep::app
