#include "fleet/push_command.hpp"

#include <algorithm>
#include <random>

#include "fleet/fleet_session.hpp"
#include "fleet/fleet_text.hpp"
#include "fleet/push.hpp"
#include "project/project.hpp"
#include "project/state_home.hpp"
#include "project/text_redactor.hpp"
#include "store/capped_log.hpp"
#include "store/paths.hpp"
#include "store/tracking_folder.hpp"

namespace plankeep::fleet {
namespace {

using base::Result;
using cli::About;
using cli::ExitCode;
using cli::FleetOptions;
using std::chrono::milliseconds;

constexpr milliseconds kFirstPause{1000};
constexpr milliseconds kLongestPause{300'000};
// Also without a change: claims have to be renewed.
constexpr milliseconds kLookAgain{60'000};
constexpr milliseconds kBackgroundTimeout{120'000};

struct Pushed {
  std::vector<PushReport> reports;
  std::optional<base::Error> error;  // of the first plan that failed; the others were pushed anyway
  bool unreachable = false;
};

// A plan that cannot be read does not stop the others.
Pushed push_all(const FleetProgram& fleet, const FleetOptions& options,
                const std::vector<app::PlanLocation>& plans, Connection& connection) {
  Pushed pushed;
  const app::Context& context = fleet.program.context;
  for (const app::PlanLocation& plan : plans) {
    const auto report = [&]() -> Result<PushReport> {
      TRY_ASSIGN(const OwnPlace place, own_place(context, plan, options.project));
      // Without working redaction rules nothing is sent.
      TRY_ASSIGN(const secrets::Redactor redactor,
                 app::make_redactor(context, app::Project(context, plan.folder).settings()));
      return push_plan(context, connection, place, redactor, options.new_replica ? Renew::yes : Renew::no);
    }();
    if (report) {
      pushed.reports.push_back(*report);
      continue;
    }
    if (!pushed.error) pushed.error = report.error();
    if (report.error().kind == base::ErrorKind::busy) {
      pushed.unreachable = true;
      return pushed;
    }
  }
  return pushed;
}

const PushReport* conflict_in(const Pushed& pushed) {
  const auto found = std::find_if(pushed.reports.begin(), pushed.reports.end(),
                                  [](const PushReport& one) { return one.conflict.has_value(); });
  return found == pushed.reports.end() ? nullptr : &*found;
}

ExitCode push_once(const FleetProgram& fleet, const FleetOptions& options) {
  cli::Program& program = fleet.program;
  ExitCode code = ExitCode::fine;
  const auto plans = plans_of(program, options, code);
  if (!plans) return code;
  auto connection = connect(fleet, options, Schema::needed);
  if (!connection) return fail_server(program, connection.error());
  const Pushed pushed = push_all(fleet, options, *plans, **connection);
  const PushReport* const conflict = conflict_in(pushed);
  if (pushed.error) {
    if (!options.json) (void)program.report_change(push_text(pushed.reports));
    return fail_server(program, *pushed.error);
  }
  if (options.json)
    return program.print(push_json(pushed.reports), conflict != nullptr ? ExitCode::no : code);
  (void)program.report_change(push_text(pushed.reports));
  return conflict == nullptr
             ? code
             : program.fail(conflict_error(conflict->path, *conflict->conflict), ExitCode::no);
}

double random_part() {
  static std::mt19937 source{std::random_device{}()};
  return std::uniform_real_distribution<double>(0, 1)(source);
}

void follow(cli::Program& program, const std::vector<app::PlanLocation>& plans) {
  if (program.watch == nullptr) return;
  for (const app::PlanLocation& plan : plans) {
    const auto folder = program.context.files.open_folder(plan.folder);
    if (!folder) continue;
    const auto tracking = store::open_tracking(**folder, plan.name);
    if (tracking) (void)program.watch->add((*tracking)->path_of(store::kHistory));
    (void)program.watch->add(plan.path());
  }
}

ExitCode push_watching(const FleetProgram& fleet, const FleetOptions& options) {
  cli::Program& program = fleet.program;
  ExitCode code = ExitCode::fine;
  int failures = 0;
  bool connected_once = false;
  std::unique_ptr<Connection> connection;
  std::vector<std::string> told;  // conflicts, once each
  // From here on it ends between two looks, also before the first wait.
  if (program.console.interrupted()) return ExitCode::fine;
  for (;;) {
    const auto plans = plans_of(program, options, code);
    if (!plans) return code;
    follow(program, *plans);
    std::optional<base::Error> away;
    if (!connection) {
      auto opened = connect(fleet, options, Schema::needed);
      if (opened) {
        connection = std::move(*opened);
        connected_once = true;
      } else if (opened.error().kind != base::ErrorKind::busy && !connected_once) {
        // Only at the start, where somebody sees it: later the server may be under repair.
        return program.console.interrupted() ? ExitCode::fine : fail_server(program, opened.error());
      } else {
        away = opened.error();
      }
    }
    if (connection) {
      const Pushed pushed = push_all(fleet, options, *plans, *connection);
      std::vector<PushReport> news;
      std::copy_if(pushed.reports.begin(), pushed.reports.end(), std::back_inserter(news),
                   [](const PushReport& one) { return one.anything(); });
      const bool shown = !program.globals.quiet && !news.empty();
      if (shown && !program.console.write(options.json ? push_json(news) : push_text(news)))
        return ExitCode::fine;
      if (const PushReport* const conflict = conflict_in(pushed)) {
        base::Error error = conflict_error(conflict->path, *conflict->conflict);
        if (std::find(told.begin(), told.end(), error.message) == told.end()) {
          told.push_back(error.message);
          (void)program.fail(error, ExitCode::no);
        }
      }
      if (pushed.error) away = pushed.error;
    }
    // An interrupt also cuts short what the server is asked at that moment: that is no failure.
    if (program.console.interrupted()) return ExitCode::fine;
    milliseconds pause = kLookAgain;
    if (away) {
      // Drops a transaction that was begun.
      connection.reset();
      if (failures == 0) program.warn(away->message + ": trying again");
      pause = pause_after(failures++, random_part());
    } else {
      if (failures > 0) program.warn("the fleet's server is back");
      failures = 0;
    }
    // While the server is away, changes here do not shorten the pause.
    if (!program.console.wait(pause, away ? nullptr : program.watch)) return ExitCode::fine;
  }
}

void log_failure(const app::Context& context, const app::PlanLocation& plan, const base::Error& error) {
  const auto folder = context.files.open_folder(plan.folder);
  if (!folder) return;
  const auto tracking = store::open_tracking(**folder, plan.name);
  if (!tracking) return;
  (void)store::append_line(**tracking, store::kErrorLog,
                           base::to_iso8601(context.clock.now()) + " fleet push: " + error.message);
}

// At most one push runs and one waits for it: what was just recorded may have come too late for the running
// one. A third would have nothing to do.
ExitCode push_in_background(const FleetProgram& fleet, const FleetOptions& options) {
  cli::Program& program = fleet.program;
  const app::Context& context = program.context;
  ExitCode code = ExitCode::fine;
  const auto plans = plans_of(program, options, code);
  if (!plans) return code;
  const auto home = app::open_state_home(context, true);
  if (!home) return program.fail(home.error(), About::file);
  std::unique_ptr<system::Lock> running;
  {
    const auto next = (*home)->lock("fleet-push.next", milliseconds{0});
    if (!next) return ExitCode::fine;
    auto lock = (*home)->lock("fleet-push.lock", kBackgroundTimeout);
    if (!lock) return ExitCode::fine;
    running = std::move(*lock);
  }
  auto connection = connect(fleet, options, Schema::needed);
  if (!connection) {
    log_failure(context, plans->front(), connection.error());
    return fail_server(program, connection.error());
  }
  const Pushed pushed = push_all(fleet, options, *plans, **connection);
  if (pushed.error) log_failure(context, plans->front(), *pushed.error);
  if (const PushReport* const conflict = conflict_in(pushed))
    log_failure(context, plans->front(), conflict_error(conflict->path, *conflict->conflict));
  return pushed.error ? fail_server(program, *pushed.error) : ExitCode::fine;
}

}  // namespace

milliseconds pause_after(int failures, double random) {
  constexpr int kDoublings = 10;
  const milliseconds whole =
      std::min(kLongestPause, kFirstPause * (1 << std::min(std::max(failures, 0), kDoublings)));
  const auto half = whole.count() / 2;
  return milliseconds{half +
                      static_cast<milliseconds::rep>(random * static_cast<double>(whole.count() - half))};
}

ExitCode run_push(const FleetProgram& fleet, const FleetOptions& options) {
  if (options.watch) return push_watching(fleet, options);
  if (options.background) return push_in_background(fleet, options);
  return push_once(fleet, options);
}

}  // namespace plankeep::fleet
