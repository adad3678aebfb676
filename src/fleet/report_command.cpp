#include "cli/version.hpp"
#include "fleet/fleet_session.hpp"
#include "fleet/merged_history.hpp"
#include "fleet/see_commands.hpp"
#include "fleet/sight.hpp"
#include "model/json/event_json.hpp"
#include "project/plan_location.hpp"
#include "render/report/report.hpp"
#include "reports/plan_report.hpp"
#include "reports/report_file.hpp"
#include "store/paths.hpp"
#include "store/tracking_folder.hpp"
#include "system/atomic_file.hpp"

namespace plankeep::fleet {
namespace {

using base::ErrorKind;
using base::Result;
using cli::About;
using cli::ExitCode;
using cli::FleetOptions;

// A report is made from files: these are written for it, in a folder of its own, and taken away again.
class ScratchPlan {
 public:
  [[nodiscard]] static Result<ScratchPlan> make(const app::Context& context, const std::string& name) {
    const auto named = context.environment.variable("TMPDIR");
    const std::string around = named && named->starts_with('/') ? *named : "/tmp";
    TRY_ASSIGN(auto temporary, context.files.open_folder(around));
    TRY_ASSIGN(auto folder, temporary->make_folder(name));
    return ScratchPlan(std::move(temporary), std::move(folder), name);
  }
  ScratchPlan(ScratchPlan&&) = default;
  ScratchPlan& operator=(ScratchPlan&&) = delete;
  ScratchPlan(const ScratchPlan&) = delete;
  ~ScratchPlan() {
    if (!folder_) return;
    if (auto top = folder_->open_folder(store::kTrackingFolder)) {
      if (const auto names = (*top)->list()) {
        for (const std::string& file : *names) (void)(*top)->remove(file);
      }
    }
    (void)folder_->remove_folder(store::kTrackingFolder);
    (void)folder_->remove(store::kDefaultPlanName);
    (void)around_->remove_folder(name_);
  }

  [[nodiscard]] base::Status fill(std::string_view text, std::string_view history) {
    TRY(system::write_file(*folder_, store::kDefaultPlanName, text, system::Durability::cache));
    TRY_ASSIGN(const auto tracking, store::make_tracking(*folder_, store::kDefaultPlanName));
    return system::write_file(*tracking, store::kHistory, history, system::Durability::cache);
  }
  std::string path() const { return folder_->path(); }

 private:
  ScratchPlan(std::unique_ptr<system::Folder> around, std::unique_ptr<system::Folder> folder,
              std::string name)
      : around_(std::move(around)), folder_(std::move(folder)), name_(std::move(name)) {}

  std::unique_ptr<system::Folder> around_;
  std::unique_ptr<system::Folder> folder_;
  std::string name_;
};

Result<app::PlanReport> report_of(const app::Context& context, Connection& connection, const PlanThere& there,
                                  const std::string& backend) {
  TRY_ASSIGN(const auto text, newest_text(connection, there.number));
  if (!text)
    return base::fail(ErrorKind::not_found, "no machine has sent the text of " + there.path,
                      "plankeep fleet push");
  connection.set_answer_timeout(std::chrono::minutes{5});
  TRY_ASSIGN(const Rows rows,
             connection.query(
                 "SELECT e.body FROM plankeep.event e JOIN plankeep.replica r ON r.id = e.replica WHERE "
                 "r.plan = $1 AND jsonb_typeof(e.body) = 'object'",
                 {std::to_string(there.number)}));
  std::vector<core::Event> events;
  events.reserve(rows.size());
  for (const Row& row : rows) {
    auto event = core::decode_event(row.front().value_or(""));
    if (event) events.push_back(std::move(*event));
  }
  TRY_ASSIGN(ScratchPlan scratch, ScratchPlan::make(context, "plankeep-fleet-" + backend));
  TRY(scratch.fill(text->text, merged_history(std::move(events))));
  TRY_ASSIGN(const std::string folder, context.files.real_path(scratch.path()));
  app::PlanLocation plan{folder, std::string(store::kDefaultPlanName)};
  TRY_ASSIGN(app::PlanReport report, app::plan_report(context, plan, std::nullopt));
  report.view.path = there.path;
  report.view.file = there.path;
  report.view.plan_id = there.path;
  return report;
}

}  // namespace

ExitCode run_report(const FleetProgram& fleet, const FleetOptions& options, Connection& connection) {
  cli::Program& program = fleet.program;
  const auto there = plan_there(fleet, options, connection);
  if (!there) return program.fail(there.error(), About::plan);
  // The number of our session on the server names the scratch folder: no other call has it now.
  const auto backend = connection.query("SELECT pg_backend_pid()");
  if (!backend) return fail_server(program, backend.error());
  auto report = report_of(program.context, connection, *there, backend->front().front().value_or("0"));
  if (!report) return fail_server(program, report.error());
  std::vector<app::PlanReport> reports;
  reports.push_back(std::move(*report));
  if (options.json) return program.print(render::report_json(reports, false));
  const std::string page = render::report_html(reports, std::string(cli::kVersion));
  if (options.out == "-") return program.print_data(page);
  const auto path = app::write_report(program.context, options.out, page);
  if (!path) return program.fail(path.error(), About::request);
  return program.print(render::safe_line(*path) + "\n");
}

}  // namespace plankeep::fleet
