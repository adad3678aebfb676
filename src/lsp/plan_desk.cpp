#include "lsp/plan_desk.hpp"

#include <algorithm>
#include <chrono>
#include <set>
#include <utility>

#include "base/text.hpp"
#include "checkpoints/job.hpp"
#include "editing/annotate_file.hpp"
#include "editing/claim.hpp"
#include "editing/complete.hpp"
#include "lsp/method_table.hpp"
#include "markdown/edits/annotate.hpp"
#include "markdown/parse_plan.hpp"
#include "model/item_key.hpp"
#include "project/known_layouts.hpp"
#include "project/listed/layout_plans.hpp"
#include "project/own_program.hpp"
#include "project/plan_secrets.hpp"
#include "project/project.hpp"
#include "project/project_plans.hpp"
#include "render/claim.hpp"
#include "render/progress/status.hpp"
#include "render/recorded/verify.hpp"
#include "render/style.hpp"
#include "reports/task_report.hpp"
#include "rules/match.hpp"
#include "rules/notice.hpp"
#include "store/paths.hpp"
#include "store/tracking_folder.hpp"
#include "tracking/lease_holders.hpp"
#include "tracking/loaded_state.hpp"
#include "tracking/plan_work.hpp"
#include "tracking/project_tree.hpp"
#include "tracking/show.hpp"
#include "tracking/track.hpp"
#include "verify/command_trust.hpp"

namespace plankeep::lsp {

using base::Result;

namespace {

// An editor waits for no answer to a save, but for what it asks next.
constexpr std::chrono::milliseconds kSaveTimeout{500};

// Changes whenever the file is written.
std::string stamp_of(const system::FileInfo& info) {
  return std::to_string(info.inode) + " " + std::to_string(info.size) + " " + std::to_string(info.mtime_ns) +
         " " + std::to_string(info.ctime_ns) + "\n";
}

bool takes_back(core::NoticeKind kind) {
  return kind == core::NoticeKind::task_reopened || kind == core::NoticeKind::task_removed ||
         kind == core::NoticeKind::criterion_unmet || kind == core::NoticeKind::criterion_removed ||
         kind == core::NoticeKind::plan_replaced || kind == core::NoticeKind::phase_reopened;
}

base::Error differs_from_buffer() {
  return {base::ErrorKind::conflict, "the file differs from the editor's text", {}, "save it first"};
}

}  // namespace

bool is_markdown_path(std::string_view path) {
  return app::is_markdown_name(path.substr(path.rfind('/') + 1));
}

app::PlanLocation PlanDesk::location(const std::string& path) {
  const std::string folder = app::parent_of(path);
  const auto real = context_.files.real_path(folder);
  return {real ? *real : folder, app::last_part(path)};
}

PlanDesk::Known& PlanDesk::known(const std::string& path) {
  const auto [at, fresh] = known_.try_emplace(path);
  Known& one = at->second;
  if (fresh) one.plan = location(path);
  const auto folder = context_.files.open_folder(one.plan.folder);
  const auto tracking = folder ? store::open_tracking(**folder, one.plan.name)
                               : Result<std::unique_ptr<system::Folder>>(base::fail(folder.error()));
  std::string stamp;
  if (tracking) {
    for (const std::string_view name : {store::kState, store::kHistory}) {
      const auto info = (*tracking)->info(name);
      if (!info) continue;
      stamp += stamp_of(*info);
    }
  }
  if (one.read && stamp == one.stamp) return one;
  one.read = true;
  one.stamp = std::move(stamp);
  one.records = {};
  one.records.age = ++age_;
  const app::Project project(context_, one.plan.folder);
  one.records.plan_by_place =
      app::known_layout(app::path_below(one.plan.path(), project.root())) != nullptr ||
      app::names_plan(project.settings(), one.plan.name);
  if (!tracking) return one;
  const auto loaded = app::load_state(**tracking, one.plan);
  if (!loaded || !loaded->tracked()) return one;
  one.records.tracked = one.records.plan_by_place = true;
  if (loaded->state) one.records.state = std::make_shared<const core::State>(*loaded->state);
  return one;
}

Records PlanDesk::records(const std::string& path) {
  Records records = known(path).records;
  records.now = context_.clock.now();
  if (records.state != nullptr) records.statuses = app::lease_statuses(context_, *records.state, records.now);
  return records;
}

std::vector<core::Diagnostic> PlanDesk::secrets(const std::string& path, std::string_view text) {
  return app::secrets_in_plan(context_, app::Project(context_, location(path).folder).settings(), text,
                              &secrets_);
}

core::TreeNow PlanDesk::tree(const std::string& path) {
  app::ProjectTree tree(context_, location(path));
  if (const auto state = known(path).records.state) {
    for (const core::PhaseState& phase : state->phases) {
      for (const core::CriterionState& criterion : phase.acceptance) tree.learn(criterion.evidence);
    }
  }
  return tree.now();
}

Result<std::string> PlanDesk::status(const std::string& path, const OpenPlan* open) {
  const app::PlanLocation plan = location(path);
  std::string read;
  if (open == nullptr) {
    TRY_ASSIGN(app::ReadFile file, app::read_plan(context_, plan));
    read = std::move(file.text);
  }
  TRY_ASSIGN(app::Shown shown, app::load_shown_of_text(context_, plan, open != nullptr ? open->text : read));
  if (open != nullptr) {
    shown.tree = open->tree;
  } else {
    app::inspect_tree(context_, shown);
  }
  return render::status_json(app::view_of(shown));
}

Desk::EarlierNames PlanDesk::earlier_names(const std::string& path, const core::PhaseId& phase,
                                           const std::string& id, const std::string& title) {
  if (!known(path).records.tracked) return {};
  auto history = app::HistoryReader::open(context_, location(path));
  if (!history) return {};
  app::ItemPast past = app::past_of(*history, phase, id, title);
  return {std::move(past.earlier_ids), std::move(past.earlier_titles)};
}

Result<std::string> PlanDesk::annotated(const std::string& path, const std::string& text) {
  TRY_ASSIGN(core::Plan plan, markdown::parse_plan(text));
  if (const auto state = known(path).records.state) core::keep_ids(*state, plan);
  TRY_ASSIGN(markdown::Annotated annotated, markdown::annotate(text, plan));
  return std::move(annotated.text);
}

std::vector<std::string> PlanDesk::lost_tasks(const std::string& path, const std::string& text) {
  if (!known(path).records.tracked) return {};
  const auto texts = app::earlier_texts(context_, location(path), text);
  const app::EarlierText* const newest = texts ? app::newest_with_lost(*texts) : nullptr;
  return newest == nullptr ? std::vector<std::string>() : newest->lost;
}

Result<std::string> PlanDesk::with_lost_tasks(const std::string& path, const std::string& text) {
  return app::with_lost_tasks(context_, location(path), text);
}

Result<std::string> PlanDesk::restore_lost(const std::string& path) {
  TRY_ASSIGN(const app::EarlierTexts texts, app::earlier_texts(context_, location(path)));
  const app::EarlierText* const newest = app::newest_with_lost(texts);
  if (newest == nullptr) return base::fail(app::nothing_lost());
  TRY_ASSIGN(const app::Restored back, app::restore_text(context_, location(path), newest->digits,
                                                         app::Restore::lost_tasks, actor_, false));
  app::spawn_job(context_, back.outcome, "lsp");
  return base::counted(back.from.lost.size(), "task is", "tasks are") + " back";
}

std::vector<std::string> PlanDesk::plans_around(const std::string& folder) {
  const auto real = context_.files.real_path(folder);
  if (!real) return {};
  const app::Project project(context_, *real);
  const app::ProjectPlans listed(context_, project);
  std::set<std::string> paths;
  for (const app::PlanLocation& plan : listed.all()) paths.insert(plan.path());
  for (const app::PlanLocation& plan :
       app::plans_in_known_layouts(context_, project.root(), kMostPlans, listed.folders()))
    paths.insert(plan.path());
  std::vector<std::string> all(paths.begin(), paths.end());
  if (all.size() > kMostPlans) all.resize(kMostPlans);
  return all;
}

Result<std::optional<std::string>> PlanDesk::text_of(const std::string& path, std::string& stamp) {
  const app::PlanLocation plan = location(path);
  TRY_ASSIGN(const auto folder, context_.files.open_folder(plan.folder));
  TRY_ASSIGN(const system::FileInfo info, folder->info(plan.name));
  if (std::string now = stamp_of(info); now != std::exchange(stamp, now)) {
    TRY_ASSIGN(app::ReadFile file, app::read_plan(context_, plan));
    return std::move(file.text);
  }
  return std::nullopt;
}

Result<std::string> PlanDesk::set_box(const std::string& path, const std::string& id, core::BoxState state) {
  TRY(app::require_trackable(context_, location(path)));
  TRY_ASSIGN(const app::Completed done, app::set_tasks(context_, location(path), {id}, state, {actor_}));
  app::spawn_job(context_, done.outcome, "lsp");
  return std::string(done.changed.empty() ? "nothing to change" : "changed");
}

Result<std::string> PlanDesk::annotate(const std::string& path) {
  TRY_ASSIGN(const app::AnnotatedFile done, app::annotate_file(context_, location(path), false, actor_));
  if (done.outcome) app::spawn_job(context_, *done.outcome, "lsp");
  return std::to_string(done.added.size()) + " markers";
}

Result<std::string> PlanDesk::claim(const std::string& path, const std::string& id) {
  TRY(app::require_trackable(context_, location(path)));
  app::ClaimRequest request;
  request.actor = actor_;
  TRY_ASSIGN(const app::ClaimAnswer claimed, app::claim_task(context_, location(path), id, request));
  app::spawn_job(context_, claimed.outcome, "lsp");
  if (!app::is_granted(claimed.result)) return base::fail(render::claim_refusal(claimed));
  return render::claim_text(claimed, {.columns = render::kUnlimited});
}

namespace {

// The criterion with this id, or all criteria if it is empty.
Result<app::Verification> verification_of(const app::Context& context, const app::PlanLocation& plan,
                                          const std::string& id) {
  TRY(app::require_trackable(context, plan));
  const std::vector<std::string> ids = id.empty() ? std::vector<std::string>() : std::vector{id};
  TRY_ASSIGN(app::Verification verification,
             app::Verification::begin(context, plan, ids, app::Verification::Which::all));
  TRY(verification.check_shown());
  return verification;
}

}  // namespace

Result<CriterionCommands> PlanDesk::commands_of(const std::string& path, const std::string& id,
                                                const std::string* text) {
  const app::PlanLocation plan = location(path);
  if (text != nullptr) {
    TRY_ASSIGN(const app::ReadFile file, app::read_plan(context_, plan));
    if (file.text != *text) return base::fail(differs_from_buffer());
  }
  TRY_ASSIGN(const app::Verification verification, verification_of(context_, plan, id));
  if (verification.commands().empty())
    return base::fail(base::ErrorKind::not_found, "no criterion of the plan has a command",
                      "to give one a command: <!-- ACCEPT: ID | verify: COMMAND -->");
  const auto trust = app::CommandTrust::read(context_, verification.root());
  CriterionCommands found{verification.root(), {}};
  for (const app::VerifyCommand& one : verification.commands()) {
    found.list.push_back(
        {core::key_of(one.phase, one.id), one.id.text, one.command, trust.trusts(one.command)});
  }
  return found;
}

Result<CommandResult> PlanDesk::run_command(const std::string& path, const CriterionCommand& command,
                                            bool trust, system::CommandWatch& watch) {
  TRY_ASSIGN(app::Verification verification, verification_of(context_, location(path), command.key));
  // A copy, since run() changes the list.
  const app::VerifyCommand wanted = verification.commands().front();
  if (wanted.command != command.command)
    return base::fail(base::ErrorKind::conflict, "the criterion's command has changed; nothing was run",
                      "try again");
  std::string warning;
  if (trust) {
    if (const base::Status kept = app::trust_commands(context_, verification.root(), {wanted.command}); !kept)
      warning = "could not remember the command as trusted: " + kept.error().message;
  }
  TRY_ASSIGN(const app::Verified verified, verification.run(wanted, app::kVerifyTimeout, watch, actor_));
  app::spawn_job(context_, verified.outcome, "lsp");
  render::VerifyRow row(wanted);
  row.take(verified);
  CommandResult done;
  done.result = app::name_of(verified.result);
  done.text = render::verified_text(row, true, {});
  if (!warning.empty()) done.text += "warning: " + warning + "\n";
  for (const std::string& one : verified.outcome.warnings) done.text += "warning: " + one + "\n";
  done.passed = verified.result == app::Verified::Result::passed;
  done.interrupted = verified.result == app::Verified::Result::interrupted;
  return done;
}

std::string PlanDesk::diagnostics_page() {
  return app::manual_page(context_, "diagnostics.md").value_or(std::string());
}

Result<std::vector<std::string>> PlanDesk::saved(const std::string& path) {
  std::vector<std::string> lines;
  if (!known(path).records.tracked) return lines;
  const app::Edit edit{actor_, true};
  TRY_ASSIGN(const app::Outcome outcome, app::track(context_, location(path), edit, kSaveTimeout));
  app::spawn_job(context_, outcome, "lsp");
  for (const core::Notice& notice : outcome.notices) {
    if (takes_back(notice.kind)) lines.push_back(render::safe_line(notice.text));
  }
  return lines;
}

}  // namespace plankeep::lsp
