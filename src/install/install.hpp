#pragma once
// Putting our hooks into a client's settings, and taking them out (spec 9).
//
// Decides with settings_files/settings, writes with project/client_file: atomic, with a copy of what was
// there. With `write` false nothing is written and the report says what would be. What a client wants besides
// (trust, a restart, another client that runs the same hooks) stands in the notes.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "project/client_file.hpp"
#include "project/context.hpp"
#include "project/own_program.hpp"
#include "settings_files/settings.hpp"

namespace plankeep::app {

struct InstallRequest {
  std::string client;
  Scope scope = Scope::project;
  bool write = true;
  bool wrap_status_line = false;  // when another one is set
  ProgramName program = ProgramName::automatic;
};

enum class FileChange { none, created, changed, removed };
/// "none", "created", ... as it stands in --json output.
std::string_view name_of(FileChange change);

struct InstallReport {
  std::string client;
  std::string title;
  Scope scope = Scope::project;
  std::string path;     // of the settings file
  std::string shown;    // the same, as short as it is right
  std::string program;  // as hooks call it; empty for uninstall
  FileChange change = FileChange::none;
  bool written = false;
  std::optional<std::string> before;
  std::optional<std::string> after;  // nullopt: no file
  std::vector<clients::EntryChange> entries;
  clients::StatusLineState status_line = clients::StatusLineState::none;
  std::string copy;    // path of the copy that was made, or would be
  bool exact = false;  // uninstall gave back the very bytes from before
  std::vector<std::string> notes;

  /// Nothing was missing and nothing was old.
  bool complete() const { return clients::complete(entries, status_line); }
};

/// Errors: invalid_input (no such client, a settings file that cannot be read: with path, line and column),
/// those of project/client_file and project/own_program.
[[nodiscard]] base::Result<InstallReport> install(const Context& context, const InstallRequest& request);
[[nodiscard]] base::Result<InstallReport> uninstall(const Context& context, const InstallRequest& request);

/// A status line that one in the project's settings would hide: the user's own. nullopt when there is none.
std::optional<std::string> hidden_status_line(const Context& context, const clients::SettingsFormat& format,
                                              Scope scope, const std::string& root);

}  // namespace plankeep::app
