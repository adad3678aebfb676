#include "cli/commands/clients/install_command.hpp"

#include "project/plan_location.hpp"
#include "settings_files/settings_format.hpp"

namespace plankeep::cli {
namespace {

std::string name_of(app::FileChange change) {
  switch (change) {
    case app::FileChange::none:
      return "none";
    case app::FileChange::created:
      return "created";
    case app::FileChange::changed:
      return "changed";
    case app::FileChange::removed:
      return "removed";
  }
  return "none";
}

}  // namespace

void add_install_flags(Arguments& arguments, InstallFlags& flags) {
  std::vector<std::string> names;
  for (const clients::SettingsFormat& format : clients::settings_formats()) names.emplace_back(format.client);
  arguments.choice("CLIENT", flags.client, names, "The client");
  arguments.flag("--mcp", flags.mcp, "The MCP server (plankeep mcp) instead of the hooks");
  arguments.flag("--project", flags.project, "In this project's settings (default)");
  arguments.flag("--user", flags.user, "In your user settings, for every project");
  arguments.flag("--dry-run", flags.dry_run, "Print what would change; write nothing");
  arguments.json(flags.json);
}

std::optional<ExitCode> check_scope(Program& program, const InstallFlags& flags) {
  if (!flags.user || !flags.project) return std::nullopt;
  return program.fail(
      {base::ErrorKind::invalid_input, "--user and --project cannot be used together", {}, {}},
      About::request);
}

render::InstallView view_of(const Program& program, const app::InstallReport& report,
                            const InstallFlags& flags, render::InstallView::Action action) {
  render::InstallView view;
  view.action = action;
  view.dry_run = flags.dry_run;
  view.client = report.client;
  view.title = report.title;
  view.scope = report.scope == app::Scope::user ? "user" : "project";
  view.path = report.path;
  view.shown = app::shown_path(program.context, report.path);
  view.program = report.program;
  view.change = name_of(report.change);
  view.written = report.written;
  for (const clients::EntryChange& entry : report.entries)
    view.entries.push_back({entry.event, std::string(clients::name_of(entry.state))});
  view.status_line = clients::name_of(report.status_line);
  if (report.written) view.copy = report.copy;
  view.exact = report.exact;
  view.notes = report.notes;
  view.before = report.before.value_or("");
  view.after = report.after.value_or("");
  return view;
}

}  // namespace plankeep::cli
