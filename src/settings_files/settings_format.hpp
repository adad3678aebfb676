#pragma once
// Which hooks each client gets, where its settings stand and how they are written: a table.
//
// Facts were seen by running the clients (Claude Code 2.1.329, Gemini CLI 0.61.0, Codex CLI 0.169.0, GitHub
// Copilot CLI 1.0.102, Qwen Code 0.24.4, opencode 1.18.33); those of Cursor and the variables that move a
// user's folder come from the clients' documents. Cursor gets only event names that its documents have: one
// that it does not know makes it pass over the whole file.

#include <span>
#include <string>
#include <string_view>

namespace plankeep::clients {

enum class SettingsLayout {
  groups,  // "Event": [ { "matcher"?, "hooks": [ { "type", "command", "timeout" } ] } ]
  flat,    // "event": [ { "command", "timeout", "matcher"? } ]
  plugin,  // a file of ours that the client runs (settings_files/plugin_file)
};

struct HookEntry {
  std::string_view event;
  std::string_view matcher = {};  // empty: everything
  int seconds = 10;               // how long the client waits before it kills us; we never wait that long
};

/// Where the client notes which folders or hooks the user trusts (settings_files/trust).
enum class TrustRecord { none, codex_config, folder_list, copilot_config };

struct SettingsFormat {
  std::string_view client;  // as on the command line
  std::string_view title;   // for people
  SettingsLayout layout = SettingsLayout::groups;
  std::string_view command_key = "command";
  std::string_view timeout_key = "timeout";
  int timeout_units = 1;     // a second is so many of them
  bool typed = true;         // "type": "command" in each hook
  bool named = false;        // "name": "plankeep" in each hook: the client lists and trusts hooks by name
  bool versioned = false;    // "version": 1 at the top
  bool status_line = false;  // the client has one that a command fills
  std::string_view project_path = {};   // below the project's root
  std::string_view user_variable = {};  // moves the user's settings ...
  std::string_view variable_path = {};  // ... to this path below its value
  std::string_view home_path = {};      // else below $HOME
  std::span<const HookEntry> entries = {};

  std::string_view variable_folder = {};  // the client's own folder, below the value of user_variable
  TrustRecord trust = TrustRecord::none;
  bool can_switch_off = false;             // its settings have a switch that turns all hooks off
  std::string_view local_path = {};        // settings of one user beside the project's, below its root
  std::string_view also_runs = {};         // a client whose project hooks this one runs too
  std::string_view also_runs_advice = {};  // what to do when both are installed
  std::string_view project_note = {};      // said after installing for a project ...
  std::string_view note = {};              // ... and, behind it, after installing anywhere
};

/// nullptr when there is none of this name.
const SettingsFormat* find_settings_format(std::string_view client);
/// In the order of the help.
std::span<const SettingsFormat> settings_formats();

}  // namespace plankeep::clients
