#include "project/discover.hpp"

#include <algorithm>
#include <functional>
#include <set>

#include "base/error.hpp"
#include "git/git.hpp"
#include "markdown/parse_plan.hpp"
#include "model/progress.hpp"
#include "project/current_plan.hpp"
#include "project/known_layouts.hpp"
#include "project/listed/layout_plans.hpp"
#include "project/plan_id.hpp"
#include "project/project.hpp"
#include "project/project_plans.hpp"
#include "rules/listing/completion.hpp"
#include "store/paths.hpp"
#include "store/plan_file.hpp"

namespace plankeep::app {
namespace {

using base::ErrorKind;
using base::Result;

constexpr int kDeepest = 3;
// A search may find a whole collection, which nobody reads in a message.
constexpr std::size_t kMostChoicesListed = 20;

// Adds the plans in `path`, which is free of links, and below, except in the folders of `known`. Two files in
// one folder that both look like its plan make the whole question ambiguous, so that error is passed on.
base::Status collect(const Context& context, const std::string& path, int depth,
                     const std::set<std::string>& known, std::vector<PlanLocation>& plans) {
  if (!known.contains(path)) {
    TRY_ASSIGN(auto here, plans_in_real_folder(context, path));
    // What was opened is let go: there may be more plans than a process may have files open.
    for (FoundPlan& found : here) plans.push_back(std::move(found.plan));
  }
  if (depth == kDeepest) return {};
  auto folder = context.files.open_folder(path);
  if (!folder && folder.error().kind == base::ErrorKind::not_found) return {};
  if (!folder) return base::fail(std::move(folder.error()));
  TRY_ASSIGN(const auto entries, (*folder)->entries());
  for (const system::FolderEntry& entry : entries) {
    if (entry.kind != system::FileKind::directory || entry.name.starts_with('.')) continue;
    TRY(collect(context, path + "/" + entry.name, depth + 1, known, plans));
  }
  return {};
}

// Every plan below plans/ and docs/plans/ of `folder` that is in none of the folders of `known`, sorted by
// path.
Result<std::vector<PlanLocation>> plans_below(const Context& context, const std::string& folder,
                                              const std::set<std::string>& known) {
  std::vector<PlanLocation> plans;
  for (const char* below : {"/plans", "/docs/plans"}) {
    const std::string path = (folder == "/" ? std::string() : folder) + below;
    const auto info = context.files.info(path);
    if (!info || info->kind != system::FileKind::directory) continue;
    const auto real = context.files.real_path(path);
    if (!real && real.error().kind == ErrorKind::not_found) continue;
    if (!real) return base::fail(real.error());
    TRY(collect(context, *real, 0, known, plans));
  }
  sort_by_path(plans);  // docs/plans may be a link to plans
  return plans;
}

std::vector<PlanLocation> locations(const std::vector<FoundPlan>& plans) {
  std::vector<PlanLocation> all;
  all.reserve(plans.size());
  for (const FoundPlan& found : plans) all.push_back(found.plan);
  return all;
}

// The plan in an untracked file; nullopt if it cannot be read or has no box.
std::optional<core::Plan> plan_in_file(const Context& context, const PlanLocation& plan) {
  auto folder = context.files.open_folder(plan.folder);
  if (!folder) return std::nullopt;
  store::PlanFile file(context.files, **folder, plan.name);
  const auto text = file.read();
  if (!text) return std::nullopt;
  auto read = markdown::parse_plan(text->bytes);
  if (!read || !core::has_boxes(*read)) return std::nullopt;
  return std::move(*read);
}

// The file name of a layout: its last part.
std::string_view file_of(const KnownLayout& layout) {
  return layout.path.substr(layout.path.rfind('/') + 1);
}

// One of the untracked files of a folder that could be its plan.
struct Offer {
  FoundPlan found;
  bool added = false;  // its name alone does not make it a plan: it has to have boxes
  bool has_boxes = false;
  bool by_folder = false;  // its layout names the folder as well, not only the file
};

// Keeps those with the property, if there are any.
void prefer(std::vector<Offer>& offers, bool Offer::*property) {
  if (std::any_of(offers.begin(), offers.end(), std::mem_fn(property)))
    std::erase_if(offers, [property](const Offer& offer) { return !(offer.*property); });
}

// Reads the files, unless there is only one and no choice: a large plan would be read in vain.
void look_for_boxes(const Context& context, std::vector<Offer>& offers) {
  if (offers.size() == 1 && !offers.front().added) return;
  for (Offer& offer : offers) offer.has_boxes = plan_in_file(context, offer.found.plan).has_value();
  std::erase_if(offers, [](const Offer& offer) { return offer.added && !offer.has_boxes; });
}

std::string working_folder(const Context& context) {
  const std::string here = context.environment.working_directory();
  const auto real = context.files.real_path(here);
  return real ? *real : here;
}

// `known`: what the project's list has. Its plans are not looked for again.
Result<std::vector<PlanLocation>> all_plans(const Context& context, const std::string& here,
                                            const Project& project, const ProjectPlans& known) {
  std::vector<PlanLocation> plans = known.all();
  const std::set<std::string> folders = known.folders();
  std::set<std::string> whole;
  for (const PlanLocation& plan : plans) whole.insert(plan.folder);
  const auto has_known = [&whole](const std::string& at) {
    const std::string start = at == "/" ? at : at + "/";
    return std::any_of(whole.begin(), whole.end(), [&start](const std::string& folder) {
      return stands_in(folder, start + "plans") || stands_in(folder, start + "docs/plans");
    });
  };
  bool any = false;
  for (std::string at = here; !any; at = parent_of(at)) {
    TRY_ASSIGN(std::vector<PlanLocation> below, plans_below(context, at, whole));
    any = !below.empty() || has_known(at);
    for (PlanLocation& plan : below) plans.push_back(std::move(plan));
    if (at == project.root() || at == "/") break;
  }
  for (PlanLocation& plan : plans_in_known_layouts(context, project.root(), kMostKnownPlans, folders))
    plans.push_back(std::move(plan));
  for (PlanLocation& plan : known.untracked()) plans.push_back(std::move(plan));
  if (auto own = plans_in_real_folder(context, here)) {
    for (FoundPlan& found : *own) plans.push_back(std::move(found.plan));
  }
  sort_by_path(plans);
  return plans;
}

std::vector<PlanChoice> choices_of(const Context& context, const std::vector<PlanLocation>& plans) {
  std::vector<PlanChoice> choices;
  for (const PlanLocation& plan : plans) {
    PlanChoice choice{plan, {}, plan_standing(context, plan)};
    if (!choice.standing.recorded) {
      const auto read = plan_in_file(context, plan);
      if (!read) continue;
      choice.standing.progress = core::progress_of(*read);
      choice.standing.open = core::current_of(*read).phase.has_value();
      choice.standing.complete = core::is_complete(*read);
    }
    choices.push_back(std::move(choice));
  }
  std::vector<PlanLocation> left;
  left.reserve(choices.size());
  for (const PlanChoice& choice : choices) left.push_back(choice.plan);
  const std::vector<std::string> ids = distinct_ids(left);
  for (std::size_t i = 0; i < choices.size(); ++i) choices[i].id = ids[i];
  return choices;
}

base::Error several(const Context& context, const std::vector<PlanChoice>& choices) {
  base::Error error{ErrorKind::ambiguous, "several plans found:", {}, {}};
  error.message += "\n" + choice_lines(context, choices);
  error.hint = "give one with --plan, or choose one for this project: plankeep use " + choices.front().id;
  return error;
}

// "plan.md, plans/*/plan.md, ... and IMPLEMENTATION_PLAN.md".
std::string layout_list() {
  const auto layouts = known_layouts();
  std::string list;
  for (std::size_t i = 0; i < layouts.size(); ++i) {
    if (i > 0) list += i + 1 == layouts.size() ? " and " : ", ";
    list += layouts[i].path;
  }
  return list;
}

// What `plans` calls a plan where it lists the other work trees of the repository too.
std::optional<PlanLocation> named_among_work_trees(const Context& context, const std::string& name) {
  const Project here = Project::here(context);
  if (context.processes == nullptr || !here.in_git()) return std::nullopt;
  std::vector<PlanLocation> plans;
  for (const std::string& top : git::Git(*context.processes, context.files).work_trees(here.root())) {
    for (PlanLocation& plan : ProjectPlans(context, Project(context, top)).all())
      plans.push_back(std::move(plan));
  }
  const std::vector<std::string> ids = distinct_ids(plans);
  const auto meant = std::find(ids.begin(), ids.end(), name);
  if (meant == ids.end()) return std::nullopt;
  return std::move(plans[static_cast<std::size_t>(meant - ids.begin())]);
}

// Of the client's session below which we run.
std::optional<PlanLocation> session_plan(const Context& context, const ProjectPlans& plans) {
  return context.processes == nullptr ? std::nullopt : plans.of_session_around(*context.processes);
}

bool is_candidate(const PlanStanding& standing, Gone gone) {
  return standing.active() || (gone == Gone::as_others && standing.unfinished());
}

// Leaves out the plans whose files are gone, if others remain.
void prefer_present(std::vector<PlanChoice>& choices) {
  const auto is_missing = [](const PlanChoice& choice) { return choice.standing.missing; };
  if (!std::all_of(choices.begin(), choices.end(), is_missing)) std::erase_if(choices, is_missing);
}

// The highest rank of several active plans (ProjectPlans::rank), and the plan that has it, if it is `alone`.
struct Rivals {
  PlanLocation first{};
  int rank = 0;
  bool alone = false;

  // For commands that put files back, all tracked plans rank the same.
  void add(const PlanLocation& plan, const PlanStanding& standing, const ProjectPlans& known, Gone gone) {
    const int its_rank = gone == Gone::last ? known.rank(plan, standing) : standing.recorded ? 1 : 0;
    if (its_rank > rank) first = plan;
    alone = its_rank > rank || (alone && its_rank < rank);
    rank = std::max(rank, its_rank);
  }
};

// The plan of a folder that is offered by itself: the only active one, else the only one that nobody
// archived. One whose file is gone goes into `last_resort` unless it counts as others do.
Result<std::optional<FoundPlan>> offered(const Context& context, std::vector<FoundPlan> plans,
                                         const ProjectPlans& known, Gone gone,
                                         std::optional<FoundPlan>& last_resort) {
  std::vector<PlanLocation> active;
  std::vector<FoundPlan> missing;
  Rivals rivals;
  std::erase_if(plans, [&](FoundPlan& found) {
    const PlanStanding standing = plan_standing(context, found.plan);
    if (is_candidate(standing, gone)) {
      active.push_back(found.plan);
      rivals.add(found.plan, standing, known, gone);
    }
    const bool passed_over = standing.missing && !standing.archived && gone == Gone::last;
    if (passed_over) missing.push_back(std::move(found));
    return standing.archived || passed_over;
  });
  if (missing.size() == 1 && !last_resort) last_resort = std::move(missing.front());
  if (active.size() > 1 && rivals.alone) active = {rivals.first};
  if (active.size() > 1) return base::fail(several(context, choices_of(context, active)));
  if (active.empty() && plans.size() > 1) return std::optional<FoundPlan>();
  for (FoundPlan& found : plans) {
    if (active.empty() || found.plan == active.front()) return std::optional(std::move(found));
  }
  return std::optional<FoundPlan>();
}

Result<std::optional<FoundPlan>> nearest_plan(const Context& context, const std::string& here,
                                              const std::string& root, bool real, const ProjectPlans& known,
                                              Gone gone, std::optional<FoundPlan>& last_resort) {
  for (std::string at = here;; at = parent_of(at)) {
    // What is above a path without links has none either.
    const auto folder = real ? Result<std::string>(at) : context.files.real_path(at);
    auto found = folder ? plans_in_real_folder(context, *folder) : base::fail(folder.error());
    // A folder above that may not be read ends the way up: a plan above it is not taken for the nearest one.
    if (!found && at != here) break;
    if (!found && found.error().kind != ErrorKind::not_found) return base::fail(std::move(found.error()));
    if (found) {
      // At the project's root, a plan that is tracked anywhere in the project ranks above untracked files.
      if (at != root || known.count_unfinished() == 0) offer_untracked(context, *folder, *found);
      if (!found->empty() && found->front().tracked) known.take_in(locations(*found));
      TRY_ASSIGN(auto plan, offered(context, std::move(*found), known, gone, last_resort));
      if (plan) return plan;
    }
    if (at == root || at == "/") break;
  }
  return std::optional<FoundPlan>();
}

// Those of the plans that are active. What the list knows to be over is not opened.
std::vector<PlanChoice> active_of(const Context& context, const std::vector<PlanLocation>& plans,
                                  const ProjectPlans& known, Gone gone) {
  std::vector<PlanLocation> open;
  std::vector<PlanLocation> over;
  for (const PlanLocation& plan : plans) (known.is_over_as_listed(plan) ? over : open).push_back(plan);
  std::vector<PlanChoice> choices = choices_of(context, open);
  // What a plan is called depends on the others.
  for (const PlanChoice& choice : choices) over.push_back(choice.plan);
  const std::vector<std::string> ids = distinct_ids(over);
  const std::size_t first = over.size() - choices.size();
  for (std::size_t i = 0; i < choices.size(); ++i) choices[i].id = ids[first + i];
  std::erase_if(choices, [gone](const PlanChoice& choice) { return !is_candidate(choice.standing, gone); });
  return choices;
}

Result<std::optional<FoundPlan>> only_active(const Context& context, const std::vector<PlanLocation>& plans,
                                             const ProjectPlans& known, Gone gone) {
  if (plans.empty()) return std::optional<FoundPlan>();
  std::vector<PlanChoice> active = active_of(context, plans, known, gone);
  Rivals rivals;
  for (const PlanChoice& choice : active) rivals.add(choice.plan, choice.standing, known, gone);
  if (active.size() > 1 && rivals.alone) return std::optional(FoundPlan{std::move(rivals.first)});
  if (active.size() == 1) return std::optional(FoundPlan{std::move(active.front().plan)});
  if (active.size() > 1) return base::fail(several(context, active));
  // An archived one only where there is nothing else.
  std::vector<PlanChoice> choices = choices_of(context, plans);
  if (std::any_of(choices.begin(), choices.end(),
                  [](const PlanChoice& one) { return !one.standing.archived; }))
    std::erase_if(choices, [](const PlanChoice& choice) { return choice.standing.archived; });
  if (gone == Gone::last) prefer_present(choices);
  if (choices.size() == 1) return std::optional(FoundPlan{std::move(choices.front().plan)});
  if (choices.size() > 1) return base::fail(several(context, choices));
  if (plans.size() == 1) return std::optional(FoundPlan{plans.front()});
  return std::optional<FoundPlan>();
}

// Whether a plan that somebody tracks is active.
bool any_active(const Context& context, const ProjectPlans& known) {
  const std::vector<PlanLocation> plans = known.all();
  return std::any_of(plans.begin(), plans.end(), [&](const PlanLocation& plan) {
    return !known.is_over_as_listed(plan) && plan_standing(context, plan).active();
  });
}

bool is_missing(const Context& context, const std::string& path) {
  const auto file = context.files.info(path);
  return file ? file->kind == system::FileKind::missing : file.error().kind == ErrorKind::not_found;
}

// The plan of the place where we are, whatever was chosen.
Result<FoundPlan> plan_of_place(const Context& context, const std::string& here, bool real,
                                const Project& project, const ProjectPlans& known, Gone gone) {
  std::optional<FoundPlan> last_resort;
  TRY_ASSIGN(auto nearest, nearest_plan(context, here, project.root(), real, known, gone, last_resort));
  if (nearest) return std::move(*nearest);
  if (last_resort && !any_active(context, known)) return std::move(*last_resort);
  TRY_ASSIGN(const std::vector<PlanLocation> plans, all_plans(context, here, project, known));
  known.take_in(plans);
  TRY_ASSIGN(auto only, only_active(context, plans, known, gone));
  if (only) return std::move(*only);
  const auto foreign = context.files.info(here + "/" + std::string(store::kDefaultPlanName));
  if (foreign && foreign->kind == system::FileKind::regular)
    return base::fail(ErrorKind::not_found,
                      "no plan here: plan.md belongs to another user, and so does the folder",
                      "to use it anyway: --plan plan.md");
  return base::fail(
      ErrorKind::not_found,
      "no plan found in this folder, its parents or the project; plankeep looks for " + layout_list(),
      "to start one: plankeep new NAME; to track a file: plankeep init FILE; to name a plan: --plan PATH");
}

}  // namespace

void offer_untracked(const Context& context, const std::string& folder, std::vector<FoundPlan>& plans) {
  if (!plans.empty() && plans.front().tracked) return;
  const auto opened = context.files.open_folder(folder);
  if (!opened) return;
  const auto names = (*opened)->list();
  if (!names) return;
  const std::string root = Project(context, folder).root();
  std::vector<Offer> offers;
  for (const std::string& name : *names) {
    FoundPlan found{{folder, name}};
    const auto known = std::find_if(plans.begin(), plans.end(),
                                    [&name](const FoundPlan& plan) { return plan.plan.name == name; });
    const KnownLayout* const layout = known_layout(path_below(found.plan.path(), root));
    const bool named = layout != nullptr && file_of(*layout).find('*') == std::string_view::npos;
    const bool added = known == plans.end();
    if (added) {
      if (!named || is_default_plan_name(name) || !is_usable_file(context, found.plan).value_or(false))
        continue;
      identify(context, found.plan);
    } else {
      found = std::move(*known);
    }
    offers.push_back(
        {std::move(found), added, false, named && layout->path.find('/') != std::string_view::npos});
  }
  look_for_boxes(context, offers);
  prefer(offers, &Offer::has_boxes);
  prefer(offers, &Offer::by_folder);
  plans.clear();
  for (Offer& offer : offers) plans.push_back(std::move(offer.found));
}

std::string choice_lines(const Context& context, const std::vector<PlanChoice>& choices) {
  std::string lines;
  const std::size_t listed = std::min(choices.size(), kMostChoicesListed);
  for (std::size_t i = 0; i < listed; ++i) {
    const PlanChoice& choice = choices[i];
    const core::Progress& progress = choice.standing.progress;
    if (!lines.empty()) lines += '\n';
    lines += choice.id + "  " + shown_path(context, choice.plan.path()) + "  " +
             std::to_string(progress.completed) + " of " + std::to_string(progress.total) +
             (progress.total == 1 ? " task" : " tasks") +
             (choice.standing.open && progress.completed == progress.total ? ", criteria not met" : "") +
             (choice.standing.missing ? ", the file is missing" : "");
  }
  if (choices.size() > listed)
    lines += "\n… and " + std::to_string(choices.size() - listed) + " more, for all: plankeep plans";
  return lines;
}

std::vector<PlanChoice> plan_choices(const Context& context) {
  const std::string here = working_folder(context);
  const Project project(context, here);
  auto plans = all_plans(context, here, project, ProjectPlans(context, project));
  if (!plans) return {};
  return choices_of(context, *plans);
}

std::vector<PlanChoice> untracked_choices(const Context& context) {
  return untracked_choices(context, working_folder(context));
}

std::vector<PlanChoice> untracked_choices(const Context& context, const std::string& folder) {
  const Project project(context, folder);
  const ProjectPlans known(context, project);
  auto plans = all_plans(context, folder, project, known);
  if (!plans) return {};
  if (folder != project.root()) {
    for (PlanLocation& plan : plans_in_known_layouts(context, folder)) plans->push_back(std::move(plan));
    sort_by_path(*plans);
  }
  // The list may know one whose records are gone.
  std::vector<PlanChoice> choices = choices_of(context, *plans);
  std::erase_if(choices, [](const PlanChoice& choice) { return choice.standing.recorded; });
  return choices;
}

Result<FoundPlan> plan_named(const Context& context, const std::string& name) {
  auto plan = plan_at(context, name);
  if (plan) ProjectPlans(context, Project(context, plan->plan.folder)).take_in({plan->plan});
  if (plan || plan.error().kind != ErrorKind::not_found || name.empty()) return plan;
  if (auto known = ProjectPlans(context, Project(context, working_folder(context))).named(name))
    return FoundPlan{std::move(*known)};
  const std::vector<PlanChoice> choices = plan_choices(context);
  std::vector<PlanChoice> meant;
  for (const PlanChoice& choice : choices) {
    if (choice.id == name) return FoundPlan{choice.plan};
    if (choice.plan.plan_id() == name) meant.push_back(choice);
  }
  if (meant.size() == 1) return FoundPlan{std::move(meant.front().plan)};
  if (meant.size() > 1) return base::fail(several(context, meant));
  if (auto other = named_among_work_trees(context, name)) return FoundPlan{std::move(*other)};
  return plan;
}

Result<FoundPlan> discover(const Context& context, const std::optional<std::string>& named, Gone gone) {
  if (named) return plan_named(context, *named);
  if (const auto variable = context.environment.variable("PLANKEEP_PLAN"); variable && !variable->empty()) {
    auto plan = plan_named(context, *variable);
    if (!plan) return base::fail(base::with_context(std::move(plan.error()), "PLANKEEP_PLAN"));
    return plan;
  }

  std::string here = context.environment.working_directory();
  const auto real = context.files.real_path(here);
  if (real) here = *real;
  // What stands above the project belongs to somebody else.
  const Project project(context, here);
  const ProjectPlans known(context, project);
  // One whose file is gone, while another one is active.
  const auto passed_over = [&](const std::string& path) {
    return gone == Gone::last && is_missing(context, path) && any_active(context, known);
  };
  if (auto plan = session_plan(context, known); plan && !passed_over(plan->path()))
    return FoundPlan{std::move(*plan)};
  TRY_ASSIGN(const auto current, current_plan(context));
  if (!current) return plan_of_place(context, here, real.has_value(), project, known, gone);
  auto chosen = plan_at(context, current->path);
  if (chosen && !passed_over(current->path)) return chosen;
  if (chosen || chosen.error().kind == ErrorKind::not_found) {
    auto other = plan_of_place(context, here, real.has_value(), project, known, gone);
    if (other) other->gone_choice = current->path;
    if (other || (chosen && other.error().kind != ErrorKind::not_found)) return other;
  }
  if (chosen) return chosen;
  base::Error error = base::with_context(std::move(chosen.error()), "the plan chosen with plankeep use");
  error.hint = std::string(other_choice_words());
  return base::fail(std::move(error));
}

}  // namespace plankeep::app
