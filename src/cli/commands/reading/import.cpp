#include "base/json_writer.hpp"
#include "base/text.hpp"
#include "base/utf8.hpp"
#include "cli/arguments.hpp"
#include "cli/commands/all.hpp"
#include "editing/import_plan.hpp"
#include "project/plan_location.hpp"

namespace plankeep::cli {
namespace {

std::string json_of(const markdown::ImportedPlan& plan, const std::string& path, bool written) {
  base::JsonWriter out(base::JsonWriter::Layout::indented);
  out.begin_object();
  out.key("path").value(path);
  out.key("written").value(written);
  out.key("tasks").value(plan.tasks);
  out.key("done").value(plan.done);
  out.key("criteria").value(plan.criteria);
  out.key("notes").begin_array();
  for (const std::string& note : plan.notes) out.value(note);
  out.end_array();
  out.end_object();
  return out.finish();
}

}  // namespace

ExitCode run_import(Program& program, const Words& words) {
  app::ImportRequest request;
  bool dry_run = false;
  bool json = false;
  Arguments arguments(
      program, "import",
      "Converts a prd.json, as used by Ralph loops, to a plan with markers: each story becomes a phase\n"
      "with a task and its criteria. Reports what it could not convert. Does not overwrite an existing\n"
      "plan.");
  arguments.positional("FILE", request.file, "The prd.json", Arguments::Need::required);
  arguments.option("--to", request.to, "FILE", "The plan to write (default: plan.md)");
  arguments.flag("--force", request.force, "Overwrite an existing plan");
  arguments.flag("--dry-run", dry_run, "Print the plan; write nothing");
  arguments.json(json);
  if (const auto stop = arguments.parse(words)) return *stop;
  request.write = !dry_run;

  const auto plan = app::import_plan(program.context, request);
  if (!plan) return program.fail(plan.error(), About::file);
  const std::string path = app::absolute_path(program.context, request.to);
  if (json) return program.print(json_of(*plan, path, request.write));
  for (const std::string& note : plan->notes) program.warn(note);
  if (dry_run) return program.print_data(plan->text);
  return program.report_change(base::printable(app::shown_path(program.context, path)) + ": " +
                               base::counted(plan->tasks, "task", "tasks") + ", " +
                               std::to_string(plan->done) + " done, " +
                               base::counted(plan->criteria, "criterion", "criteria") +
                               "\nTrack it with plankeep init (plankeep sync if it is already tracked).\n");
}

}  // namespace plankeep::cli
