#include "install/settings_edit.hpp"

#include <utility>

#include "base/enum_names.hpp"
#include "project/plan_location.hpp"
#include "project/project.hpp"
#include "settings_files/server_entry.hpp"

namespace plankeep::app {

using base::Result;
using base::Status;

namespace {

constexpr auto kChanges = base::enum_names<FileChange>({{FileChange::none, "none"},
                                                        {FileChange::created, "created"},
                                                        {FileChange::changed, "changed"},
                                                        {FileChange::removed, "removed"}});

}  // namespace

std::string_view name_of(FileChange change) {
  return kChanges.name_of(change);
}

Result<SettingsEdit> SettingsEdit::begin(const Context& context, const InstallRequest& request,
                                         const clients::SettingsFormat& format) {
  std::string root = Project::here(context).root();
  TRY_ASSIGN(ClientFile file, ClientFile::find(context, format, request.scope, root));
  SettingsEdit edit(context, request, std::move(file), std::move(root));
  edit.report.client = std::string(format.client);
  edit.report.title = std::string(format.title);
  edit.report.scope = request.scope;
  edit.report.path = edit.file_.path();
  edit.report.shown = shown_path(context, edit.report.path);
  return edit;
}

Status SettingsEdit::read() {
  TRY_ASSIGN(report.before, file_.read());
  return {};
}

Status SettingsEdit::begin_adding() {
  TRY_ASSIGN(report.program, program_for_hooks(*context_, request_->program));
  return read();
}

base::Error SettingsEdit::named_error(base::Error error) const {
  if (error.kind == base::ErrorKind::invalid_input) {
    error.message = report.path + ": " + error.message;
    if (error.hint.empty()) error.hint = "nothing was changed; fix the file, then run this command again";
  }
  return error;
}

void SettingsEdit::compare() {
  if (report.before == report.after) {
    report.change = FileChange::none;
  } else if (!report.before) {
    report.change = FileChange::created;
  } else {
    report.change = report.after ? FileChange::changed : FileChange::removed;
  }
}

Status SettingsEdit::want_copy_of_original() {
  if (!report.before || report.after == report.before) return {};
  const bool takes_over = holds_hand_written(report.client, *report.before) &&
                          !holds_hand_written(report.client, report.after.value_or(""));
  if (!takes_over && holds_ours(report.client, *report.before)) return {};
  TRY_ASSIGN(const auto newest, original());
  if (newest != report.before) want_copy();
  return {};
}

void SettingsEdit::end_as_before(const std::optional<std::string>& original, bool empty) {
  if (empty && !original) report.after.reset();
}

Status SettingsEdit::write_added() {
  if (report.change == FileChange::none || !request_->write) return {};
  if (!report.copy.empty()) {
    TRY_ASSIGN(report.copy, file_.keep_original(*report.before));
  }
  TRY(file_.replace(report.before, *report.after));
  report.written = true;
  return {};
}

Status SettingsEdit::write_removed(const std::optional<std::string>& original) {
  report.exact = original && report.after == original;
  if (!request_->write) return {};
  if (!report.copy.empty()) {
    TRY_ASSIGN(report.copy, file_.keep_original(*report.before));
  }
  if (report.change == FileChange::removed) {
    TRY(file_.remove(*report.before));
  } else if (report.change == FileChange::changed) {
    TRY(file_.replace(report.before, *report.after));
  }
  report.written = report.change != FileChange::none;
  if (report.exact) TRY(file_.drop_original(*original));
  return {};
}

void SettingsEdit::note_program(std::string_view without) {
  if (of_project() && report.program.front() == '/') {
    note("the file names " + report.program + ", a path on this machine; for a shared file use --on-path");
  }
  if (in_npx_cache(report.program))
    note(
        "the file names a program in npx's cache, which npm may delete: npm install -g plankeep, then again");
  if (report.program.front() != '/' && !program_on_path(*context_, report.program))
    note("plankeep is not in your PATH: until it is, " + std::string(without));
}

void SettingsEdit::note_copy_stays(const std::optional<std::string>& original) {
  if (!report.written || !original || report.exact) return;
  if (holds_ours(report.client, report.after.value_or(""))) return;  // the last of ours to go tells
  note("the file was changed by others since; the backup is kept next to it (" + last_part(report.path) +
       ".plankeep-backup)");
}

bool holds_ours(std::string_view client, const std::string& text) {
  if (const clients::ServerFormat* server = clients::find_server_format(client);
      server != nullptr && clients::has_our_server(*server, text))
    return true;
  const clients::SettingsFormat* hooks = clients::find_settings_format(client);
  if (hooks == nullptr) return false;
  const auto survey = clients::survey_settings(*hooks, text);
  return survey && survey->any_ours();
}

bool holds_hand_written(std::string_view client, const std::string& text) {
  const clients::SettingsFormat* hooks = clients::find_settings_format(client);
  if (hooks == nullptr) return false;
  const auto survey = clients::survey_settings(*hooks, text);
  return survey && !survey->by_hand().empty();
}

std::optional<std::string> settings_text(const Context& context, const clients::SettingsFormat& format,
                                         Scope scope, const std::string& root) {
  const auto file = ClientFile::find(context, format, scope, root);
  if (!file) return std::nullopt;
  auto text = file->read();
  if (!text) return std::nullopt;
  return std::move(*text);
}

}  // namespace plankeep::app
