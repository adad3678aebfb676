#include "app/install.hpp"

#include <algorithm>

#include "app/discover.hpp"
#include "app/plan_location.hpp"
#include "clients/plugin_file.hpp"
#include "clients/server_entry.hpp"

namespace plankeep::app {
namespace {

using base::ErrorKind;
using base::Result;
using base::Status;
using clients::EntryState;
using clients::SettingsFormat;
using clients::SettingsLayout;
using clients::StatusLineState;

constexpr std::string_view kPluginEntry = "plugin";

Result<const SettingsFormat*> format_for(const std::string& client) {
  if (const SettingsFormat* format = clients::find_settings_format(client)) return format;
  std::string names;
  for (const SettingsFormat& format : clients::settings_formats())
    names += (names.empty() ? "" : ", ") + std::string(format.client);
  return base::fail(ErrorKind::invalid_input, "no client named " + client, "one of " + names);
}

// Whether hooks of ours stand in a client's settings. A file that cannot be read has none.
bool installed(const Context& context, std::string_view client, Scope scope, const std::string& root) {
  const SettingsFormat* format = clients::find_settings_format(client);
  const auto file = ClientFile::find(context, *format, scope, root);
  if (!file) return false;
  const auto text = file->read();
  if (!text || !*text) return false;
  if (format->layout == SettingsLayout::plugin) return clients::is_our_plugin(**text);
  const auto survey = clients::survey_settings(*format, **text);
  return survey && !survey->hooks.empty();
}

class Work {
 public:
  Work(const Context& context, const InstallRequest& request, const SettingsFormat& format, ClientFile file,
       std::string root)
      : context_(context),
        request_(request),
        format_(format),
        file_(std::move(file)),
        root_(std::move(root)) {
    report_.client = std::string(format.client);
    report_.title = std::string(format.title);
    report_.scope = request.scope;
    report_.path = file_.path();
  }

  Result<InstallReport> add() {
    TRY_ASSIGN(report_.program, program_for_hooks(context_, request_.program));
    TRY_ASSIGN(report_.before, file_.read());
    if (format_.layout == SettingsLayout::plugin) {
      TRY(plan_plugin());
    } else {
      TRY(plan_hooks());
    }
    compare();
    if (report_.change == FileChange::none || !request_.write) return finish_install();
    if (!report_.copy.empty()) {
      TRY_ASSIGN(report_.copy, file_.keep_original(*report_.before));
    }
    TRY(file_.replace(report_.before, *report_.after));
    report_.written = true;
    return finish_install();
  }

  Result<InstallReport> take_out() {
    TRY_ASSIGN(report_.before, file_.read());
    if (!report_.before) return std::move(report_);
    TRY_ASSIGN(const auto original, file_.original());
    if (format_.layout == SettingsLayout::plugin) {
      report_.after = report_.before;
      if (!clients::is_our_plugin(*report_.before)) return std::move(report_);
      report_.after.reset();
      report_.entries.push_back({std::string(kPluginEntry), EntryState::removed});
    } else {
      TRY(plan_removal(original));
    }
    compare();
    report_.exact = original && report_.after == original;
    if (!request_.write) return std::move(report_);
    if (report_.change == FileChange::removed) {
      TRY(file_.remove(*report_.before));
    } else if (report_.change == FileChange::changed) {
      TRY(file_.replace(report_.before, *report_.after));
    }
    report_.written = report_.change != FileChange::none;
    // A copy of exactly what stands there now is of no use to anybody.
    if (report_.exact) TRY(file_.drop_original(*original));
    if (report_.written && original && !report_.exact)
      report_.notes.push_back("the file was changed by others since; the copy from before stays beside it (" +
                              last_part(report_.path) + ".plankeep-backup)");
    return std::move(report_);
  }

 private:
  template <class Change>
  Result<Change> readable(Result<Change> change) const {
    if (change) return change;
    base::Error error = std::move(change.error());
    if (error.kind == ErrorKind::invalid_input) {
      error.message = report_.path + ": " + error.message;
      if (error.hint.empty()) error.hint = "nothing was changed; mend the file, then run this again";
    }
    return base::fail(std::move(error));
  }

  Status plan_plugin() {
    const std::string text = clients::plugin_text(report_.program);
    if (text.empty()) return base::fail(ErrorKind::not_found, "this build carries no plugin for opencode");
    if (report_.before && !clients::is_our_plugin(*report_.before)) {
      return base::fail(ErrorKind::invalid_input, report_.path + " is there and not ours",
                        "move it away, then run this again");
    }
    const EntryState state = !report_.before           ? EntryState::added
                             : *report_.before == text ? EntryState::present
                                                       : EntryState::updated;
    report_.entries.push_back({std::string(kPluginEntry), state});
    report_.after = text;
    return {};
  }

  Status plan_hooks() {
    clients::SettingsOptions options;
    options.program = report_.program;
    options.wrap_status_line = request_.wrap_status_line;
    options.hidden_status_line = hidden_status_line(context_, format_, request_.scope, root_);
    TRY_ASSIGN(auto change, readable(clients::add_hooks(format_, report_.before, options)));
    report_.after = std::move(change.text);
    report_.entries = std::move(change.entries);
    report_.status_line = change.status_line;
    if (!report_.before || report_.after == report_.before) return {};
    TRY_ASSIGN(const auto survey, clients::survey_settings(format_, *report_.before));
    TRY_ASSIGN(const auto original, file_.original());
    // Our MCP server may stand in the same file (app/install_server).
    const clients::ServerFormat* server = clients::find_server_format(format_.client);
    const bool server_inside = server != nullptr && clients::has_our_server(*server, *report_.before);
    const bool ours_inside = !survey.hooks.empty() || survey.status_line_is_ours || server_inside;
    if (!original || (!ours_inside && *original != *report_.before))
      report_.copy = report_.path + ".plankeep-backup";
    return {};
  }

  Status plan_removal(const std::optional<std::string>& copy) {
    // A copy that holds entries of ours is from after we came: it says nothing of before.
    std::optional<std::string> original = copy;
    if (original) {
      const auto survey = clients::survey_settings(format_, *original);
      if (!survey || !survey->hooks.empty() || survey->status_line_is_ours) original.reset();
    }
    const auto hidden = hidden_status_line(context_, format_, request_.scope, root_);
    TRY_ASSIGN(auto change, readable(clients::remove_hooks(format_, *report_.before, original, hidden)));
    report_.entries = std::move(change.entries);
    report_.status_line = change.status_line;
    report_.after = std::move(change.text);
    const bool ours = !report_.entries.empty() || report_.status_line != StatusLineState::none;
    // There was no file before we came.
    if (ours && !copy && clients::says_nothing(*report_.after)) report_.after.reset();
    return {};
  }

  void compare() {
    if (report_.before == report_.after) {
      report_.change = FileChange::none;
    } else if (!report_.before) {
      report_.change = FileChange::created;
    } else {
      report_.change = report_.after ? FileChange::changed : FileChange::removed;
    }
  }

  void note(std::string text) { report_.notes.push_back(std::move(text)); }

  Result<InstallReport> finish_install() {
    const bool project = request_.scope == Scope::project;
    if (report_.status_line == StatusLineState::other)
      note("another status line is set and was left alone; --status-line shows the plan beside it");
    if (project && report_.program.front() == '/')
      note("the file names " + report_.program +
           ", a path of this machine; for a file that others share use --on-path");
    if (report_.program.front() != '/' && !program_on_path(context_, report_.program))
      note("plankeep is not on your PATH now: until it is, the hooks do nothing");
    note_trust(project);
    const Scope other = project ? Scope::user : Scope::project;
    if (installed(context_, format_.client, other, root_))
      note(std::string("also installed ") + (project ? "for the user" : "in this project") +
           ": each event is answered once, one of the two is enough");
    const bool claude = format_.client == "claude-code" && project;
    const bool both =
        claude ? installed(context_, "copilot", Scope::project, root_) ||
                     installed(context_, "copilot", Scope::user, root_)
               : format_.client == "copilot" && installed(context_, "claude-code", Scope::project, root_);
    if (both)
      note(
          "GitHub Copilot CLI also runs the hooks of a project's .claude/settings.json: each event is "
          "answered once");
    return std::move(report_);
  }

  void note_trust(bool project) {
    if (format_.client == "codex") {
      if (project)
        note(
            "Codex runs a project's hooks only when the project is trusted: it asks when it is started "
            "there");
      note(
          "Codex runs each hook only once you trust it: start codex and choose in \"Hooks need review\", or "
          "/hooks; "
          "codex exec skips the others without a word");
    }
    if (format_.client == "gemini" && project)
      note(
          "Gemini CLI loads a project's hooks only in a trusted folder: answer its question, or "
          "/permissions");
    if (format_.client == "copilot" && project)
      note(
          "Copilot CLI loads a project's hooks only in a trusted folder: choose to remember it when it asks");
    if (format_.client == "claude-code" && project)
      note("Claude Code asks before it runs the hooks of a folder that is new to it");
    if (format_.client == "cursor")
      note("Cursor's hooks follow its documents; they were not tried with the program");
  }

  const Context& context_;
  const InstallRequest& request_;
  const SettingsFormat& format_;
  ClientFile file_;
  std::string root_;
  InstallReport report_;
};

Result<Work> work_on(const Context& context, const InstallRequest& request) {
  TRY_ASSIGN(const SettingsFormat* format, format_for(request.client));
  std::string root = this_project_root(context);
  TRY_ASSIGN(ClientFile file, ClientFile::find(context, *format, request.scope, root));
  return Work(context, request, *format, std::move(file), std::move(root));
}

}  // namespace

std::string this_project_root(const Context& context) {
  std::string here = context.environment.working_directory();
  if (const auto real = context.files.real_path(here)) here = *real;
  return project_root(context, here);
}

std::optional<std::string> hidden_status_line(const Context& context, const SettingsFormat& format,
                                              Scope scope, const std::string& root) {
  if (!format.status_line || scope != Scope::project) return std::nullopt;
  const auto file = ClientFile::find(context, format, Scope::user, root);
  if (!file) return std::nullopt;
  const auto text = file->read();
  if (!text || !*text) return std::nullopt;
  const auto survey = clients::survey_settings(format, **text);
  if (!survey || !survey->status_line) return std::nullopt;
  if (survey->status_line_is_ours) return survey->status_line_then;
  if (survey->status_line->empty()) return std::nullopt;
  return survey->status_line;
}

Result<InstallReport> install(const Context& context, const InstallRequest& request) {
  TRY_ASSIGN(Work work, work_on(context, request));
  return work.add();
}

Result<InstallReport> uninstall(const Context& context, const InstallRequest& request) {
  TRY_ASSIGN(Work work, work_on(context, request));
  return work.take_out();
}

}  // namespace plankeep::app
