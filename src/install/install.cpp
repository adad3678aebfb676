#include "install/install.hpp"

#include <algorithm>
#include <utility>

#include "base/text.hpp"
#include "install/settings_edit.hpp"
#include "project/plan_location.hpp"
#include "settings_files/plugin_file.hpp"
#include "settings_files/server_entry.hpp"

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
  const auto name = [](const SettingsFormat& format) { return format.client; };
  return base::fail(ErrorKind::invalid_input, "unknown client " + client,
                    "one of " + base::joined(clients::settings_formats(), ", ", name));
}

// Whether hooks of ours stand in a client's settings. A file that cannot be read has none.
bool installed(const Context& context, std::string_view client, Scope scope, const std::string& root) {
  const SettingsFormat* format = clients::find_settings_format(client);
  const auto text = settings_text(context, *format, scope, root);
  if (!text) return false;
  if (format->layout == SettingsLayout::plugin) return clients::is_our_plugin(*text);
  const auto survey = clients::survey_settings(*format, *text);
  return survey && !survey->hooks.empty();
}

class Work {
 public:
  Work(const SettingsFormat& format, SettingsEdit edit) : format_(format), edit_(std::move(edit)) {}

  Result<InstallReport> add() {
    TRY(edit_.begin_adding());
    if (format_.layout == SettingsLayout::plugin) {
      TRY(plan_plugin());
    } else {
      TRY(plan_hooks());
    }
    edit_.compare();
    TRY(edit_.write_added());
    return finish_install();
  }

  Result<InstallReport> take_out() {
    InstallReport& report = edit_.report;
    TRY(edit_.read());
    note_server();
    if (!report.before) return std::move(report);
    TRY_ASSIGN(const auto original, edit_.original());
    if (format_.layout == SettingsLayout::plugin) {
      report.after = report.before;
      if (!clients::is_our_plugin(*report.before)) return std::move(report);
      keep_additions();
      report.after.reset();
      report.entries.push_back({std::string(kPluginEntry), EntryState::removed});
    } else {
      TRY(plan_removal(original));
    }
    edit_.compare();
    TRY(edit_.write_removed(original));
    if (format_.layout != SettingsLayout::plugin) edit_.note_copy_stays(original);
    return std::move(report);
  }

 private:
  // Who uninstalls may not know that this is another part.
  void note_server() {
    const clients::ServerFormat* const server = clients::find_server_format(format_.client);
    if (server == nullptr) return;
    const auto text = settings_text(edit_.context(), server->file, edit_.request().scope, edit_.root());
    if (!text || !clients::has_our_server(*server, *text)) return;
    edit_.note("the MCP server stays registered; to remove it: plankeep uninstall " +
               std::string(format_.client) + " --mcp" + (edit_.of_project() ? "" : " --user"));
  }

  Status plan_plugin() {
    const std::string text = clients::plugin_text(edit_.report.program);
    if (text.empty()) return base::fail(ErrorKind::not_found, "this build contains no plugin for opencode");
    if (edit_.report.before && !clients::is_our_plugin(*edit_.report.before)) {
      return base::fail(ErrorKind::invalid_input, edit_.report.path + " already exists and is not plankeep's",
                        "move it away, then run this command again");
    }
    const EntryState state = !edit_.report.before           ? EntryState::added
                             : *edit_.report.before == text ? EntryState::present
                                                            : EntryState::updated;
    edit_.report.entries.push_back({std::string(kPluginEntry), state});
    edit_.report.after = text;
    if (state == EntryState::updated) keep_additions();
    return {};
  }

  // What somebody wrote into the plugin would go with it.
  void keep_additions() {
    if (clients::is_unchanged_plugin(*edit_.report.before)) return;
    edit_.want_copy();
    edit_.note("the plugin was changed by others; a copy of it is kept next to it");
  }

  Status plan_hooks() {
    clients::SettingsOptions options;
    options.program = edit_.report.program;
    options.wrap_status_line = edit_.request().wrap_status_line;
    options.hidden_status_line =
        hidden_status_line(edit_.context(), format_, edit_.request().scope, edit_.root());
    TRY_ASSIGN(auto change, edit_.named(clients::add_hooks(format_, edit_.report.before, options)));
    edit_.report.after = std::move(change.text);
    edit_.report.entries = std::move(change.entries);
    edit_.report.status_line = change.status_line;
    return edit_.want_copy_of_original();
  }

  Status plan_removal(const std::optional<std::string>& copy) {
    const auto hidden = hidden_status_line(edit_.context(), format_, edit_.request().scope, edit_.root());
    TRY_ASSIGN(auto change, edit_.named(clients::remove_hooks(format_, *edit_.report.before, copy, hidden)));
    edit_.report.entries = std::move(change.entries);
    edit_.report.status_line = change.status_line;
    edit_.report.after = std::move(change.text);
    const bool ours = !edit_.report.entries.empty() || edit_.report.status_line != StatusLineState::none;
    note_by_hand(copy, *edit_.report.after);
    edit_.end_as_before(copy, ours && clients::says_nothing(*edit_.report.after));
    return {};
  }

  // Entries that somebody wrote by hand: where they are now.
  void note_by_hand(const std::optional<std::string>& copy, const std::string& after) {
    std::string left;
    std::string back;
    std::string lost;
    const auto before = written_by_hand(edit_.report.before);
    const auto stays = written_by_hand(after);
    const auto holds = [](const auto& entries, const auto& entry) {
      return std::find(entries.begin(), entries.end(), entry) != entries.end();
    };
    for (const auto& entry : stays) base::append_listed(holds(before, entry) ? left : back, entry.first);
    for (const auto& entry : written_by_hand(copy)) {
      if (!holds(stays, entry)) base::append_listed(lost, entry.first);
    }
    if (!left.empty()) edit_.note("written by hand, so left in the file: " + left);
    if (!back.empty()) edit_.note("back as it was before plankeep was installed: " + back);
    if (!lost.empty() && !edit_.report.entries.empty())
      edit_.note("not put back, because the file was changed by others since: " + lost +
                 ", as somebody wrote it; it is in the backup (" + last_part(edit_.report.path) +
                 ".plankeep-backup)");
  }

  std::vector<std::pair<std::string, std::string>> written_by_hand(
      const std::optional<std::string>& text) const {
    if (!text) return {};
    const auto survey = clients::survey_settings(format_, *text);
    return survey ? survey->by_hand() : std::vector<std::pair<std::string, std::string>>();
  }

  Result<InstallReport> finish_install() {
    const bool project = edit_.of_project();
    if (edit_.request().wrap_status_line && !format_.status_line)
      edit_.note("--status-line does nothing here: " + std::string(format_.title) +
                 " has no status line that plankeep can fill");
    if (edit_.report.status_line == StatusLineState::other)
      edit_.note(
          "another status line is set and was not changed; to show the plan next to it: --status-line");
    std::string taken_over;
    for (const auto& entry : written_by_hand(edit_.report.before))
      base::append_listed(taken_over, entry.first);
    if (!taken_over.empty())
      edit_.note("taken over from what somebody wrote by hand: " + taken_over + "; uninstall puts it back");
    edit_.note_program("the hooks do nothing");
    note_trust(project);
    if (has_hooks(format_.client, edit_.other_scope()))
      edit_.note(std::string("also installed ") + (project ? "for the user" : "in this project") +
                 ": each event is handled once, so one of the two is enough");
    note_other_client(project);
    return std::move(edit_.report);
  }

  void note_trust(bool project) {
    if (project && !format_.project_note.empty()) edit_.note(std::string(format_.project_note));
    if (!format_.note.empty()) edit_.note(std::string(format_.note));
  }

  // Some clients run the hooks that a project has for another one.
  void note_other_client(bool project) {
    for (const SettingsFormat& other : clients::settings_formats()) {
      if (other.also_runs.empty()) continue;
      const bool theirs = project && other.also_runs == format_.client &&
                          (has_hooks(other.client, Scope::project) || has_hooks(other.client, Scope::user));
      const bool ours = other.client == format_.client && has_hooks(other.also_runs, Scope::project);
      const SettingsFormat* run = clients::find_settings_format(other.also_runs);
      if (run == nullptr || (!theirs && !ours)) continue;
      edit_.note(std::string(other.title) + " also runs the hooks of a project's " +
                 std::string(run->project_path) + ": each event is handled once");
    }
  }

  bool has_hooks(std::string_view client, Scope scope) const {
    return installed(edit_.context(), client, scope, edit_.root());
  }

  const SettingsFormat& format_;
  SettingsEdit edit_;
};

Result<Work> work_on(const Context& context, const InstallRequest& request) {
  TRY_ASSIGN(const SettingsFormat* format, format_for(request.client));
  TRY_ASSIGN(SettingsEdit edit, SettingsEdit::begin(context, request, *format));
  return Work(*format, std::move(edit));
}

}  // namespace

std::optional<std::string> hidden_status_line(const Context& context, const SettingsFormat& format,
                                              Scope scope, const std::string& root) {
  if (!format.status_line || scope != Scope::project) return std::nullopt;
  const auto text = settings_text(context, format, Scope::user, root);
  if (!text) return std::nullopt;
  const auto survey = clients::survey_settings(format, *text);
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
