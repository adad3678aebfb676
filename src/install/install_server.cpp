#include "install/install_server.hpp"

#include <utility>

#include "base/text.hpp"
#include "install/settings_edit.hpp"
#include "settings_files/server_entry.hpp"
#include "settings_files/server_format.hpp"

namespace plankeep::app {
namespace {

using base::ErrorKind;
using base::Result;
using clients::EntryState;
using clients::ServerFormat;

Result<const ServerFormat*> server_format_for(const std::string& client) {
  if (const ServerFormat* format = clients::find_server_format(client)) return format;
  const auto name = [](const ServerFormat& format) { return format.file.client; };
  return base::fail(ErrorKind::invalid_input,
                    "plankeep does not know where " + client + " keeps its MCP servers",
                    "configure it to run: plankeep mcp; known clients: " +
                        base::joined(clients::server_formats(), ", ", name));
}

class Registration {
 public:
  Registration(const ServerFormat& format, SettingsEdit edit) : format_(format), edit_(std::move(edit)) {}

  Result<InstallReport> add() {
    InstallReport& report = edit_.report;
    TRY(edit_.begin_adding());
    TRY_ASSIGN(auto change, edit_.named(clients::add_server(format_, report.before, report.program)));
    report.entries.push_back({std::string(kServerEntry), change.state.value_or(EntryState::present)});
    report.after = std::move(change.text);
    edit_.compare();
    TRY(edit_.want_copy_of_original());
    TRY(edit_.write_added());
    note_after_adding();
    return std::move(report);
  }

  Result<InstallReport> take_out() {
    InstallReport& report = edit_.report;
    TRY(edit_.read());
    if (!report.before) return std::move(report);
    TRY_ASSIGN(const auto original, edit_.original());
    TRY_ASSIGN(auto change, edit_.named(clients::remove_server(format_, *report.before, original)));
    report.after = report.before;
    if (!change.state) return std::move(report);
    report.entries.push_back({std::string(kServerEntry), *change.state});
    report.after = std::move(change.text);
    const bool empty = format_.layout == clients::ServerLayout::toml ? report.after->empty()
                                                                     : clients::says_nothing(*report.after);
    edit_.end_as_before(original, empty);
    edit_.compare();
    TRY(edit_.write_removed(original));
    if (!report.written) return std::move(report);
    edit_.note_copy_stays(original);
    note_shared_file();
    return std::move(report);
  }

 private:
  bool registered(Scope scope) const {
    const auto text = settings_text(edit_.context(), format_.file, scope, edit_.root());
    return text && clients::has_our_server(format_, *text);
  }

  void note_shared_file() {
    if (edit_.of_project() && !format_.shared_note.empty()) edit_.note(std::string(format_.shared_note));
  }

  void note_after_adding() {
    const bool project = edit_.of_project();
    edit_.note_program("the client cannot start it");
    const clients::SettingsFormat& file = format_.file;
    if (project && !file.project_note.empty()) edit_.note(std::string(file.project_note));
    if (!file.note.empty()) edit_.note(std::string(file.note));
    note_shared_file();
    if (registered(edit_.other_scope())) {
      edit_.note(std::string("also registered ") + (project ? "for the user" : "in this project") +
                 ": one of the two is enough");
    }
  }

  const ServerFormat& format_;
  SettingsEdit edit_;
};

Result<Registration> registration(const Context& context, const InstallRequest& request) {
  TRY_ASSIGN(const ServerFormat* format, server_format_for(request.client));
  TRY_ASSIGN(SettingsEdit edit, SettingsEdit::begin(context, request, format->file));
  return Registration(*format, std::move(edit));
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
