#include "app/install_server.hpp"

#include <utility>

#include "app/plan_location.hpp"
#include "clients/server_entry.hpp"
#include "clients/server_format.hpp"

namespace plankeep::app {
namespace {

using base::ErrorKind;
using base::Result;
using clients::EntryState;
using clients::ServerFormat;

Result<const ServerFormat*> format_for(const std::string& client) {
  if (const ServerFormat* format = clients::find_server_format(client)) return format;
  std::string names;
  for (const ServerFormat& format : clients::server_formats())
    names += (names.empty() ? "" : ", ") + std::string(format.file.client);
  return base::fail(ErrorKind::invalid_input, "it is not known where " + client + " keeps its MCP servers",
                    "tell it to start: plankeep mcp; known are " + names);
}

// The hooks, or the server, or both.
bool holds_ours(const ServerFormat& format, const std::string& text) {
  if (clients::has_our_server(format, text)) return true;
  const clients::SettingsFormat* hooks = clients::find_settings_format(format.file.client);
  if (hooks == nullptr) return false;
  const auto survey = clients::survey_settings(*hooks, text);
  return survey && (!survey->hooks.empty() || survey->status_line_is_ours);
}

bool registered(const Context& context, const ServerFormat& format, Scope scope, const std::string& root) {
  const auto file = ClientFile::find(context, format.file, scope, root);
  if (!file) return false;
  const auto text = file->read();
  return text && *text && clients::has_our_server(format, **text);
}

class Registration {
 public:
  Registration(const Context& context, const InstallRequest& request, const ServerFormat& format,
               ClientFile file, std::string root)
      : context_(context),
        request_(request),
        format_(format),
        file_(std::move(file)),
        root_(std::move(root)) {
    report_.client = std::string(format.file.client);
    report_.title = std::string(format.file.title);
    report_.scope = request.scope;
    report_.path = file_.path();
  }

  Result<InstallReport> add() {
    TRY_ASSIGN(report_.program, program_for_hooks(context_, request_.program));
    TRY_ASSIGN(report_.before, file_.read());
    TRY_ASSIGN(auto change, named(clients::add_server(format_, report_.before, report_.program)));
    report_.entries.push_back({std::string(kServerEntry), change.state.value_or(EntryState::present)});
    report_.after = std::move(change.text);
    compare();
    if (report_.change != FileChange::none) {
      TRY_ASSIGN(const auto original, file_.original());
      const bool first = report_.before && !holds_ours(format_, *report_.before);
      if (first && original != report_.before) report_.copy = report_.path + ".plankeep-backup";
      if (request_.write) {
        if (!report_.copy.empty()) {
          TRY_ASSIGN(report_.copy, file_.keep_original(*report_.before));
        }
        TRY(file_.replace(report_.before, *report_.after));
        report_.written = true;
      }
    }
    note_after_adding();
    return std::move(report_);
  }

  Result<InstallReport> take_out() {
    TRY_ASSIGN(report_.before, file_.read());
    if (!report_.before) return std::move(report_);
    TRY_ASSIGN(const auto original, file_.original());
    TRY_ASSIGN(auto change, named(clients::remove_server(format_, *report_.before, original)));
    report_.after = report_.before;
    if (!change.state) return std::move(report_);
    report_.entries.push_back({std::string(kServerEntry), *change.state});
    report_.after = std::move(change.text);
    // There was no file before we came.
    const bool empty = format_.layout == clients::ServerLayout::toml ? report_.after->empty()
                                                                     : clients::says_nothing(*report_.after);
    if (!original && empty) report_.after.reset();
    compare();
    report_.exact = original && report_.after == original;
    if (!request_.write) return std::move(report_);
    if (report_.change == FileChange::removed) {
      TRY(file_.remove(*report_.before));
    } else {
      TRY(file_.replace(report_.before, *report_.after));
    }
    report_.written = true;
    if (report_.exact) TRY(file_.drop_original(*original));
    if (original && !report_.exact && !holds_ours(format_, report_.after.value_or(""))) {
      note("the file was changed by others since; the copy from before stays beside it (" +
           last_part(report_.path) + ".plankeep-backup)");
    }
    note_shared_file();
    return std::move(report_);
  }

 private:
  template <class Change>
  Result<Change> named(Result<Change> change) const {
    if (change) return change;
    base::Error error = std::move(change.error());
    if (error.kind == ErrorKind::invalid_input) {
      error.message = report_.path + ": " + error.message;
      if (error.hint.empty()) error.hint = "nothing was changed; mend the file, then run this again";
    }
    return base::fail(std::move(error));
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

  void note_shared_file() {
    if (request_.scope != Scope::project) return;
    if (report_.client == "claude-code") note("GitHub Copilot CLI reads this file too");
    if (report_.client == "copilot") note("Claude Code reads this file too");
  }

  void note_after_adding() {
    const bool project = request_.scope == Scope::project;
    if (project && report_.program.front() == '/') {
      note("the file names " + report_.program +
           ", a path of this machine; for a file that others share use --on-path");
    }
    if (report_.program.front() != '/' && !program_on_path(context_, report_.program))
      note("plankeep is not on your PATH now: until it is, the client cannot start it");
    if (project && report_.client == "claude-code")
      note("Claude Code asks before it starts a server of a project's .mcp.json");
    if (project && report_.client == "codex")
      note("Codex reads a project's config.toml only when the project is trusted");
    if (project && report_.client == "gemini")
      note(
          "Gemini CLI loads a project's servers only in a trusted folder: answer its question, or "
          "/permissions");
    if (project && report_.client == "copilot")
      note(
          "Copilot CLI loads a project's servers only in a trusted folder: choose to remember it when it "
          "asks");
    if (report_.client == "cursor")
      note("Cursor's servers follow its documents; they were not tried with the program");
    note_shared_file();
    if (registered(context_, format_, project ? Scope::user : Scope::project, root_)) {
      note(std::string("also registered ") + (project ? "for the user" : "in this project") +
           ": one of the two is enough");
    }
  }

  const Context& context_;
  const InstallRequest& request_;
  const ServerFormat& format_;
  ClientFile file_;
  std::string root_;
  InstallReport report_;
};

Result<Registration> registration(const Context& context, const InstallRequest& request) {
  TRY_ASSIGN(const ServerFormat* format, format_for(request.client));
  std::string root = this_project_root(context);
  TRY_ASSIGN(ClientFile file, ClientFile::find(context, format->file, request.scope, root));
  return Registration(context, request, *format, std::move(file), std::move(root));
}

}  // namespace

Result<InstallReport> install_server(const Context& context, const InstallRequest& request) {
  TRY_ASSIGN(Registration work, registration(context, request));
  return work.add();
}

Result<InstallReport> uninstall_server(const Context& context, const InstallRequest& request) {
  TRY_ASSIGN(Registration work, registration(context, request));
  return work.take_out();
}

}  // namespace plankeep::app
