#pragma once
// Our hooks in a client's settings file: text in, text out (spec 9, install and uninstall).
//
//   TRY_ASSIGN(auto change, add_hooks(format, text, options));      // text: nullopt, there is no file
//   if (change.text != text) write(change.text);
//   ...
//   TRY_ASSIGN(auto back, remove_hooks(format, text, original, {}));
//
// Every byte that is not ours stays: other hooks, their order, comments, indentation, line ends. New entries
// come last and look like the rest of the file. Adding twice changes nothing; removing what adding put in
// gives the bytes from before. An entry of ours that calls another path, or has another matcher or time
// limit, is corrected in place and keeps what else somebody wrote into it; a second entry for the same event,
// or one for an event that is not in the table, is taken out.
//
// An entry is ours when its command is `plankeep hook CLIENT ...`, or, for the status line, `plankeep
// statusline CLIENT ...`, with any path before "plankeep", quoted or not. One that somebody wrote by hand,
// with other arguments or with "|| true" behind it, is taken over by adding like any other. Removing leaves
// such entries alone, and where nothing else happened to the file since they were taken over, puts them back.
//
// After every change the new text is read again and held against the old one: apart from our entries both
// must say the same and hold the same comments, else the change is refused (internal). Errors otherwise:
// invalid_input with line and column, for text that cannot be read (settings_files/json_tree) or where
// something else stands than the client expects.

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.hpp"
#include "settings_files/settings_format.hpp"

namespace plankeep::clients {

enum class EntryState { present, added, updated, removed };
std::string_view name_of(EntryState state);

struct EntryChange {
  std::string event;
  EntryState state = EntryState::present;
  bool operator==(const EntryChange&) const = default;
};

enum class StatusLineState {
  none,      // the client has none, or removing found none of ours
  present,   // ours is there
  added,     // there was none
  updated,   // ours, with another path
  wrapped,   // another one was there: ours calls it
  other,     // another one is there and was left alone
  removed,   // ours was taken out
  restored,  // the one that ours called is back
};
std::string_view name_of(StatusLineState state);

struct SettingsOptions {
  std::string program = "plankeep";  // a name on PATH or an absolute path; quoted for the shell where needed
  bool wrap_status_line = false;     // when another one is set
  /// A status line of another file (the user's) that one in this file would hide.
  std::optional<std::string> hidden_status_line;
};

/// Whether nothing was missing or old.
bool complete(const std::vector<EntryChange>& entries, StatusLineState status_line);

struct SettingsChange {
  std::string text;
  std::vector<EntryChange> entries;  // in the order of the table; taken out ones behind them
  StatusLineState status_line = StatusLineState::none;
  bool complete() const { return clients::complete(entries, status_line); }
};

[[nodiscard]] base::Result<SettingsChange> add_hooks(const SettingsFormat& format,
                                                     const std::optional<std::string>& text,
                                                     const SettingsOptions& options);

/// `original`: the file from before we came, where a copy is there; it tells which empty objects and lists
/// are somebody else's. One that held entries of ours tells only of those that somebody had written by hand.
[[nodiscard]] base::Result<SettingsChange> remove_hooks(const SettingsFormat& format, const std::string& text,
                                                        const std::optional<std::string>& original,
                                                        const std::optional<std::string>& hidden_status_line);

/// Whether a file holds nothing but white space and perhaps a byte order mark: no settings, nothing to lose.
bool is_blank_settings(std::string_view text);

/// Whether nothing is left in a file but what adding to no file at all would begin with.
bool says_nothing(std::string_view text);

struct FoundHook {
  std::string event;
  std::string command;
  std::string program;    // the first word of it
  std::size_t group = 0;  // where it stands in the event's list, and in the group; from 0
  std::size_t index = 0;
  bool by_hand = false;  // the command says more than add_hooks writes
};

struct SettingsSurvey {
  std::vector<FoundHook> hooks;            // ours
  std::optional<std::string> status_line;  // the command, ours or not
  bool status_line_is_ours = false;
  std::optional<std::string> status_line_then;  // the one that ours calls
  std::string status_line_program;              // when it is ours
  bool status_line_by_hand = false;             // as FoundHook::by_hand
  bool disabled = false;                        // "disableAllHooks": true

  bool any_ours() const { return !hooks.empty() || status_line_is_ours; }
  /// What somebody wrote by hand, by event; a status line as "statusLine".
  std::vector<std::pair<std::string, std::string>> by_hand() const;
};

/// What stands in a file, for checks. Errors as above, for text that cannot be read only.
[[nodiscard]] base::Result<SettingsSurvey> survey_settings(const SettingsFormat& format,
                                                           std::string_view text);

/// "plankeep hook codex Stop"
std::string hook_command(const SettingsFormat& format, std::string_view program, std::string_view event);

}  // namespace plankeep::clients
