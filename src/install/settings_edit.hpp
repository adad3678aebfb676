#pragma once
// One edit of a client's file, with its report: what `install` and `uninstall` do alike, be it hooks or a
// server that is put in or taken out. Private to install/install*.
//
//   TRY_ASSIGN(auto edit, SettingsEdit::begin(context, request, format));
//   TRY(edit.begin_adding());                   // or TRY(edit.read())
//   ... decide, into edit.report: entries, after, copy (where one is wanted) ...
//   edit.compare();
//   TRY(edit.write_added());                    // or TRY(edit.write_removed(original))
//   ... notes ...; return std::move(edit.report)
//
// With request.write false nothing is written, and the report says what would be. Errors, and what is on disk
// after one: project/client_file.

#include <optional>
#include <string>
#include <string_view>

#include "install/install.hpp"

namespace plankeep::app {

class SettingsEdit {
 public:
  /// The file of request.scope; errors of ClientFile::find. Context and request must outlive it.
  [[nodiscard]] static base::Result<SettingsEdit> begin(const Context& context, const InstallRequest& request,
                                                        const clients::SettingsFormat& format);

  const Context& context() const { return *context_; }
  const InstallRequest& request() const { return *request_; }
  const std::string& root() const { return root_; }  // of the project
  bool of_project() const { return request_->scope == Scope::project; }
  Scope other_scope() const { return of_project() ? Scope::user : Scope::project; }

  InstallReport report;

  /// report.before.
  [[nodiscard]] base::Status read();
  /// report.program, then read().
  [[nodiscard]] base::Status begin_adding();
  [[nodiscard]] base::Result<std::optional<std::string>> original() const { return file_.original(); }
  /// That before the edit a copy is to be kept.
  void want_copy() { report.copy = report.path + ".plankeep-backup"; }
  /// The same if the edit is the first of ours and changes something, or takes over what somebody wrote by
  /// hand: other copies would hold entries of ours.
  [[nodiscard]] base::Status want_copy_of_original();
  /// For removing, where nothing is left in report.after (`empty`): no file where there was none before we
  /// came.
  void end_as_before(const std::optional<std::string>& original, bool empty);

  /// A text that cannot be read is told with the file's path.
  template <class Change>
  [[nodiscard]] base::Result<Change> named(base::Result<Change> change) const {
    if (change) return change;
    return base::fail(named_error(std::move(change.error())));
  }

  /// report.change, from `before` and `after`.
  void compare();
  /// The copy, if one is wanted, then `after`.
  [[nodiscard]] base::Status write_added();
  /// The copy, if one is wanted; report.exact; then `after`, or no file. A copy of exactly what stands there
  /// now is of no use to anybody and goes.
  [[nodiscard]] base::Status write_removed(const std::optional<std::string>& original);

  void note(std::string text) { report.notes.push_back(std::move(text)); }
  /// How report.program is called. `without`: what comes of it when PATH does not find it.
  void note_program(std::string_view without);
  /// That uninstall did not give back the bytes of `original`, once nothing of ours is left.
  void note_copy_stays(const std::optional<std::string>& original);

 private:
  SettingsEdit(const Context& context, const InstallRequest& request, ClientFile file, std::string root)
      : context_(&context), request_(&request), file_(std::move(file)), root_(std::move(root)) {}
  base::Error named_error(base::Error error) const;

  const Context* context_;
  const InstallRequest* request_;
  ClientFile file_;
  std::string root_;
};

/// Whether hooks, a status line or a server of ours stand in a client's file.
bool holds_ours(std::string_view client, const std::string& text);

/// Whether hooks or a status line of ours were written by hand there.
bool holds_hand_written(std::string_view client, const std::string& text);

/// What stands in a client's file; nullopt also when it cannot be read: then nothing of ours does.
std::optional<std::string> settings_text(const Context& context, const clients::SettingsFormat& format,
                                         Scope scope, const std::string& root);

}  // namespace plankeep::app
