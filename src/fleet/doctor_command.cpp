#include <algorithm>
#include <cstdlib>

#include "base/json_writer.hpp"
#include "fleet/fleet_session.hpp"
#include "fleet/fleet_text.hpp"
#include "fleet/local_history.hpp"
#include "fleet/push.hpp"
#include "fleet/schema.hpp"
#include "fleet/see_commands.hpp"
#include "project/project.hpp"
#include "project/project_plans.hpp"
#include "project/text_redactor.hpp"
#include "store/tracking_folder.hpp"

namespace plankeep::fleet {
namespace {

using base::Result;
using cli::ExitCode;
using cli::FleetOptions;

struct Line {
  std::string what;
  std::string text;
  bool good = true;
};

// With a larger difference the events of several machines cannot be ordered by time.
constexpr std::int64_t kClockApart = 2000;

std::int64_t count_lines(const app::Context& context, const app::PlanLocation& plan) {
  const auto folder = context.files.open_folder(plan.folder);
  if (!folder) return 0;
  const auto tracking = store::open_tracking(**folder, plan.name);
  if (!tracking) return 0;
  LocalHistory history(**tracking);
  std::int64_t lines = 0;
  std::uint64_t offset = 0;
  for (;;) {
    const auto piece = history.read(offset, 20'000, std::size_t{4} << 20);
    if (!piece || piece->lines == 0) return lines;
    lines += static_cast<std::int64_t>(piece->lines);
    offset = piece->end;
  }
}

void check_server(const app::Context& context, Connection& connection, std::vector<Line>& lines) {
  const ServerFacts facts = connection.facts();
  lines.push_back({"server", facts.address});
  const int major = facts.version / 10000;
  lines.push_back({"version",
                   "PostgreSQL " + std::to_string(major) + "." + std::to_string(facts.version % 10000),
                   facts.version >= kOldestServer});
  lines.push_back({"encrypted",
                   facts.local         ? "not needed: a Unix socket"
                   : facts.tls.empty() ? "no"
                                       : facts.tls,
                   facts.local || !facts.tls.empty()});
  const auto version = schema_version(connection);
  if (!version) {
    lines.push_back({"schema", version.error().message, false});
    return;
  }
  lines.push_back({"schema",
                   *version == 0 ? "none, or not to be seen by this login"
                                 : "version " + std::to_string(*version) + ", this program uses " +
                                       std::to_string(kSchemaVersion),
                   *version == kSchemaVersion});
  const auto roles = connection.query(
      "SELECT string_agg(r.rolname, ', ' ORDER BY r.rolname) FROM pg_roles r WHERE r.rolname IN "
      "('plankeep_reader', "
      "'plankeep_writer', 'plankeep_admin') AND pg_has_role(session_user, r.oid, 'USAGE')");
  const bool any = roles && !roles->empty() && roles->front().front();
  const std::string held = any ? *roles->front().front() : "none of plankeep's roles";
  const bool writes = held.find("writer") != std::string::npos || held.find("admin") != std::string::npos;
  lines.push_back(
      {"login", facts.user + ": " + held + (any && !writes ? ", may read, not write" : ""), writes});
  const auto time = connection.query("SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint");
  if (time && !time->empty()) {
    const std::int64_t apart = context.clock.now().milliseconds - number_in(time->front().front());
    const std::int64_t seconds = std::abs(apart) / 1000;
    lines.push_back(
        {"clock",
         std::abs(apart) <= kClockApart
             ? "agrees with the server's"
             : std::to_string(seconds) + " s " + (apart > 0 ? "ahead of" : "behind") + " the server's",
         std::abs(apart) <= kClockApart});
  }
}

std::string with_hint(const base::Error& error) {
  return error.message + (error.hint.empty() ? "" : "; " + error.hint);
}

Line check_plan(const app::Context& context, Connection* connection, const OwnPlace& place) {
  const std::int64_t here = count_lines(context, place.plan);
  Line line{"plan " + place.path, base::counted(here, "line", "lines") + " here"};
  if (connection == nullptr) return line;
  line.good = false;
  const auto outlook = [&]() -> Result<PushOutlook> {
    TRY_ASSIGN(const secrets::Redactor redactor,
               app::make_redactor(context, app::Project(context, place.plan.folder).settings()));
    return push_outlook(context, *connection, place, redactor);
  }();
  if (!outlook) {
    line.text += ", push would fail: " + with_hint(outlook.error());
    return line;
  }
  if (outlook->conflict) {
    line.text += ", push would fail: " + with_hint(conflict_error(place.path, *outlook->conflict));
    return line;
  }
  std::string behind;
  if (outlook->lines < here) base::append_listed(behind, std::to_string(here - outlook->lines) + " behind");
  if (outlook->text) base::append_listed(behind, "the plan's text is not sent");
  if (outlook->checkpoints) base::append_listed(behind, "checkpoints are not sent");
  line.good = behind.empty();
  line.text += ", " + (line.good ? std::string("all sent") : behind);
  return line;
}

void check_plans(const FleetProgram& fleet, const FleetOptions& options, Connection* connection,
                 std::vector<Line>& lines) {
  const app::Context& context = fleet.program.context;
  const app::Project project = app::Project::here(context);
  const auto name = project_name(context, project.root(), options.project);
  lines.push_back({"project", name ? *name : name.error().message, name.has_value()});
  if (!name) return;
  for (const app::PlanLocation& plan : app::ProjectPlans(context, project).all()) {
    const auto place = own_place(context, plan, options.project);
    if (!place) continue;
    lines.push_back(check_plan(context, connection, *place));
  }
}

}  // namespace

ExitCode run_doctor(const FleetProgram& fleet, const FleetOptions& options) {
  cli::Program& program = fleet.program;
  const app::Context& context = program.context;
  std::vector<Line> lines;
  const app::Project project = app::Project::here(context);
  for (const std::string& warning : project.settings().warnings) program.warn(warning);
  const auto redactor = app::make_redactor(context, project.settings());
  lines.push_back(
      {"redaction", redactor ? "its rules are in force" : redactor.error().message, redactor.has_value()});
  auto connection = connect(fleet, options, Schema::any);
  bool unreachable = false;
  bool usable = false;
  if (connection) {
    check_server(context, **connection, lines);
    usable = require_schema(**connection).has_value();
  } else {
    unreachable = connection.error().kind == base::ErrorKind::busy;
    lines.push_back({"server", with_hint(connection.error()), false});
  }
  check_plans(fleet, options, usable ? connection->get() : nullptr, lines);
  const bool good = std::all_of(lines.begin(), lines.end(), [](const Line& line) { return line.good; });
  const ExitCode code = good ? ExitCode::fine : unreachable ? ExitCode::busy : ExitCode::no;
  if (options.json) {
    base::JsonWriter out(base::JsonWriter::Layout::indented);
    out.begin_object();
    out.key("good").value(good);
    out.key("checks").begin_array();
    for (const Line& line : lines) {
      out.begin_object();
      out.key("what").value(line.what);
      out.key("text").value(line.text);
      out.key("good").value(line.good);
      out.end_object();
    }
    out.end_array();
    out.end_object();
    return program.print(out.finish(), code);
  }
  std::string text;
  for (const Line& line : lines) {
    text += std::string(line.good ? "ok    " : "check ") +
            render::pad_right(render::safe_line(line.what), 12) + "  " + render::safe_line(line.text) + "\n";
  }
  return program.print(text, code);
}

}  // namespace plankeep::fleet
