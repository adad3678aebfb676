#include <chrono>

#include "cli/version.hpp"
#include "fleet/fleet_session.hpp"
#include "fleet/merged_history.hpp"
#include "fleet/see_commands.hpp"
#include "fleet/sight.hpp"
#include "model/json/event_json.hpp"
#include "project/plan_location.hpp"
#include "project/state_home.hpp"
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

constexpr std::string_view kScratch = "fleet-report";
constexpr std::chrono::milliseconds kScratchTimeout{60'000};

// A report is made from files. They are written into a folder of the user's own, one report at a time, and
// removed again; what a killed report left there goes with the next one.
class ScratchPlan {
 public:
  [[nodiscard]] static Result<ScratchPlan> make(const app::Context& context) {
    TRY_ASSIGN(auto home, app::open_state_home(context, true));
    TRY_ASSIGN(auto lock, home->lock(std::string(kScratch) + ".lock", kScratchTimeout));
    TRY_ASSIGN(auto folder, home->make_folder(kScratch));
    return ScratchPlan(std::move(home), std::move(lock), std::move(folder));
  }
  ScratchPlan(ScratchPlan&&) = default;
  ScratchPlan& operator=(ScratchPlan&&) = delete;
  ScratchPlan(const ScratchPlan&) = delete;
  ~ScratchPlan() {
    if (!folder_) return;
    clear();
    (void)home_->remove_folder(kScratch);
  }

  [[nodiscard]] base::Status fill(std::string_view text, std::string_view history) {
    clear();
    TRY(system::write_file(*folder_, store::kDefaultPlanName, text, system::Durability::cache));
    TRY_ASSIGN(const auto tracking, store::make_tracking(*folder_, store::kDefaultPlanName));
    return system::write_file(*tracking, store::kHistory, history, system::Durability::cache);
  }
  std::string path() const { return folder_->path(); }

 private:
  ScratchPlan(std::unique_ptr<system::Folder> home, std::unique_ptr<system::Lock> lock,
              std::unique_ptr<system::Folder> folder)
      : home_(std::move(home)), lock_(std::move(lock)), folder_(std::move(folder)) {}

  void clear() {
    if (auto tracking = folder_->open_folder(store::kTrackingFolder)) {
      if (const auto names = (*tracking)->list()) {
        for (const std::string& file : *names) (void)(*tracking)->remove(file);
      }
    }
    (void)folder_->remove_folder(store::kTrackingFolder);
    (void)folder_->remove(store::kDefaultPlanName);
  }

  std::unique_ptr<system::Folder> home_;
  std::unique_ptr<system::Lock> lock_;
  std::unique_ptr<system::Folder> folder_;
};

Result<app::PlanReport> report_of(const app::Context& context, Connection& connection,
                                  const PlanThere& there) {
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
  TRY_ASSIGN(ScratchPlan scratch, ScratchPlan::make(context));
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
  auto report = report_of(program.context, connection, *there);
  if (!report) return fail_server(program, report.error());
  std::vector<app::PlanReport> reports;
  reports.push_back(std::move(*report));
  if (options.json) return program.print(render::report_json(reports, false));
  const std::string page = render::report_html(reports, std::string(cli::kVersion));
  if (options.out == "-") return program.print_data(page);
  const auto path = app::write_report(program.context, options.out, page);
  if (!path) return program.fail(path.error(), About::file);
  return program.print(render::safe_line(*path) + "\n");
}

}  // namespace plankeep::fleet
