#include "render/lint.hpp"

#include "base/text.hpp"
#include "base/utf8.hpp"
#include "cli/arguments.hpp"
#include "cli/commands/all.hpp"
#include "cli/locate.hpp"
#include "cli/own_actor.hpp"
#include "cli/version.hpp"
#include "editing/annotate_file.hpp"
#include "markdown/places.hpp"
#include "project/plan_secrets.hpp"
#include "project/project.hpp"
#include "render/line_diff.hpp"
#include "tracking/project_tree.hpp"
#include "tracking/show.hpp"

namespace plankeep::cli {
namespace {

render::LintedFile lint_file(const app::Context& context, const std::string& path) {
  render::LintedFile linted;
  linted.path = path;
  const auto plan = app::plan_at(context, path);
  const auto read =
      plan ? app::read_plan(context, plan->plan) : base::Result<app::ReadFile>(base::fail(plan.error()));
  if (!read) {
    linted.error = read.error();
    return linted;
  }
  // A folder was named: the lines are its plan's.
  if (const auto info = context.files.info(app::absolute_path(context, path));
      info && info->kind == system::FileKind::directory) {
    linted.path = app::shown_path(context, plan->plan.path());
  }
  linted.diagnostics = read->plan.diagnostics;
  if (const auto places = markdown::read_places(read->text)) {
    linted.diagnostics.insert(linted.diagnostics.end(), places->lookalikes.begin(), places->lookalikes.end());
  }
  const std::vector<core::Diagnostic> unproven = app::unproven_criteria(context, plan->plan);
  linted.diagnostics.insert(linted.diagnostics.end(), unproven.begin(), unproven.end());
  const std::vector<core::Diagnostic> secrets =
      app::secrets_in_plan(context, app::Project(context, plan->plan.folder).settings(), read->text);
  linted.diagnostics.insert(linted.diagnostics.end(), secrets.begin(), secrets.end());
  core::sort_diagnostics(linted.diagnostics);
  return linted;
}

// "; left, because a fix would bring another problem: line 7"
std::string not_fixed(const std::vector<markdown::Fix>& left) {
  if (left.empty()) return {};
  constexpr std::size_t kMostLines = 5;
  return "; left, because a fix would bring another problem: " +
         std::string(left.size() == 1 ? "line " : "lines ") +
         base::first_joined(left, kMostLines,
                            [](const markdown::Fix& fix) { return std::to_string(fix.line); });
}

// Mends the files, or shows how. What cannot be mended is for the lint behind it to tell.
std::optional<ExitCode> fix_files(Program& program, const std::vector<std::string>& files, bool dry_run,
                                  bool silent) {
  for (const std::string& file : files) {
    const auto plan = app::plan_at(program.context, file);
    if (!plan) continue;
    const auto fixed =
        app::fix_file(program.context, plan->plan, dry_run, own_actor(program, plan->plan, {}));
    if (!fixed) return program.fail(fixed.error(), About::file);
    if (silent || (fixed->fixes.empty() && fixed->left.empty())) continue;
    const std::string path = base::printable(app::shown_path(program.context, plan->plan.path()));
    const std::string done =
        path + ": " +
        (fixed->fixes.empty() ? std::string("nothing")
                              : base::counted(fixed->fixes.size(), "problem", "problems")) +
        (dry_run ? " would be fixed" : " fixed") + not_fixed(fixed->left) + "\n";
    if (!dry_run) {
      program.report_change(done);
      continue;
    }
    program.print(done);
    if (fixed->fixes.empty()) continue;
    program.print(render::line_diff(fixed->before, fixed->after, program.style));
  }
  return std::nullopt;
}

}  // namespace

ExitCode run_lint(Program& program, const Words& words) {
  std::vector<std::string> files;
  std::optional<std::string> named;
  std::string format;
  bool strict = false;
  bool fix = false;
  bool dry_run = false;
  bool json = false;
  Arguments arguments(
      program, "lint",
      "Checks plans for mistakes that would make the counts wrong: duplicate ids, boxes without markers,\n"
      "markers without boxes, unknown dependencies. Warns of passwords, tokens and keys in them. Exit status "
      "1\n"
      "if there are errors.");
  arguments.positionals("FILE", files,
                        "Markdown files, or folders that contain a plan (default: the plan found here)",
                        Arguments::Need::optional);
  arguments.plan(named);
  arguments.flag("--strict", strict, "Treat warnings as errors");
  arguments.flag("--fix", fix,
                 "First fix what has one right answer: no space after a checkbox, a checkbox with a wrong "
                 "space in it or "
                 "none, a marker's kind in lower case or without its colon");
  arguments.flag("--dry-run", dry_run, "With --fix: only show what would change, as a diff");
  arguments.choice("--format", format, {"text", "json", "sarif"}, "The output format (default: text)");
  arguments.json(json);
  if (const auto stop = arguments.parse(words)) return *stop;
  if (const auto stop = arguments.settle_format("--format", format, json, "text")) return *stop;

  if (dry_run && !fix) {
    return program.fail({base::ErrorKind::invalid_input, "--dry-run needs --fix", {}, {}}, About::request);
  }
  if (files.empty()) {
    ExitCode code = ExitCode::fine;
    const auto plan = locate(program, named, code);
    if (!plan) return code;
    files.push_back(app::shown_path(program.context, plan->path()));
  }
  if (fix) {
    if (const auto failed = fix_files(program, files, dry_run, format != "text")) return *failed;
  }
  std::vector<render::LintedFile> linted;
  bool unreadable = false;
  ExitCode failed = ExitCode::no_plan;
  for (const std::string& file : files) {
    linted.push_back(lint_file(program.context, file));
    if (!linted.back().error) continue;
    unreadable = true;
    if (exit_code(*linted.back().error, About::plan) != failed) failed = ExitCode::cannot_access;
    if (format != "text") continue;
    // For people an error is an error, on standard error; programs find it in their format.
    program.fail(*linted.back().error, About::plan);
    linted.pop_back();
  }
  const render::LintCounts counts = render::count(linted);
  ExitCode code = counts.errors > 0 || (strict && counts.warnings > 0) ? ExitCode::no : ExitCode::fine;
  if (unreadable) code = failed;
  if (format == "sarif") return program.print_data(render::lint_sarif(linted, kVersion), code);
  if (format == "json")
    return program.print_data(render::lint_json(linted, unreadable ? static_cast<int>(code) : 0), code);
  return linted.empty() ? code : program.print(render::lint_text(linted, program.style), code);
}

}  // namespace plankeep::cli
