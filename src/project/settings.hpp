#pragma once
// What people can set (spec 10.9): `.plankeep.json` in the project's root, over
// `$XDG_CONFIG_HOME/plankeep/config.json` (~/.config where that is not set).
//
//   { "audit": "block", "gate": "off", "resumeBudget": 2000, "contextWindow": 200000,
//     "contextTrigger": 80, "checkpoints": true, "planNames": ["TODO.md"], "track": "known", "rewindOnEdit":
//     "ask", "snapshots": true, "snapshotFileLimit": 10485760, "snapshotBudget": 10000, "snapshotTotalLimit":
//     1073741824, "snapshotSecrets": false, "sessions": "read", "redaction": { "rules": [ { "id": "ticket",
//     "regex": "ACME-[0-9]+" } ], "files": [], "personal": false }, "sessionTranscripts": "full",
//     "sessionImages": "redact", "sessionsPush": "origin", "fleet": "service=plans", "fleetPush": true }
//
// A key that is not known, or has a value that cannot be, is a warning and changes nothing; a file that is no
// JSON object is reported and the defaults hold. Read only where a setting matters: never for an edit of a
// file that is no plan.

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/session.hpp"
#include "project/context.hpp"
#include "secrets/rule.hpp"

namespace plankeep::app {

/// What happens when a last message claims what is not ticked (spec 10.4).
enum class ClaimPolicy { off, warn, block };

/// What the model is told when a person edited an earlier message: nothing; which checkpoint fits, and to
/// ask; which one fits, and to go back to it at once.
enum class RewindOnEdit { off, ask, automatic };

/// What hooks begin to track by themselves (spec 2.5): files in a known layout (project/known_layouts) with a
/// box, and any with a marker; only those with a marker; nothing.
enum class FirstSight { off, marked, known };

/// What happens by itself with session checkpoints in git (spec 18.4). Commands do what they are told in any
/// case.
enum class SessionsSetting {
  off,    // nothing: no links in the plan's records either
  read,   // those that other tools write are read and linked
  write,  // commits are linked to sessions, and their checkpoints written, where git-setup --sessions ran
};

/// What context_trigger can be.
inline constexpr int kLeastContextTrigger = 50;
inline constexpr int kMostContextTrigger = 95;

/// What to redact besides the built-in rules. The rules of the person and of the project all apply: a project
/// can add rules, but not remove any.
struct RedactionSettings {
  std::vector<secrets::CustomRule> rules;
  std::vector<std::string> files;  // of rules (settings_files/rule_file); absolute
  bool personal = false;           // also redact e-mail addresses and telephone numbers
  std::string problem;             // what could not be understood; empty: nothing
  bool operator==(const RedactionSettings&) const = default;
};

struct Settings {
  ClaimPolicy audit = ClaimPolicy::block;      // of subagents: they are sent back once
  ClaimPolicy gate = ClaimPolicy::off;         // of the main thread, at the end of its turn
  std::size_t resume_budget = 2000;            // characters of the text for a new session
  std::optional<std::int64_t> context_window;  // tokens, for clients that do not say it
  bool checkpoints = true;                     // hooks make checkpoints of the work
  int context_trigger = 80;                    // percent of the context window that is worth one
  RewindOnEdit rewind_on_edit = RewindOnEdit::ask;
  std::vector<std::string> plan_names;  // files that are plans like those of a known layout
  FirstSight track = FirstSight::known;
  bool snapshots = true;                                        // checkpoints keep the work tree
  std::uint64_t snapshot_file_limit = std::uint64_t{10} << 20;  // bytes; larger files are left out
  std::uint64_t snapshot_total_limit = std::uint64_t{1} << 30;  // bytes, of one plan's snapshots together
  std::chrono::milliseconds snapshot_budget{10000};             // for one of them
  bool snapshot_secrets = false;  // snapshots also include files that look like keys or .env
  /// nullopt, the default: read, and write where git-setup --sessions ran.
  std::optional<SessionsSetting> sessions;
  RedactionSettings redaction;
  // What of a session goes into git. A project can have less kept than the person says, never more.
  core::TranscriptExtent session_transcripts = core::TranscriptExtent::full;
  bool session_images = false;  // pictures stay in transcripts
  /// The remote that `session push` takes without asking. Of the person's own file only: a cloned repository
  /// must not say where transcripts go.
  std::optional<std::string> sessions_push;
  /// Where the machines of a team meet (spec 29.2), as libpq takes it. A project's file may name a service
  /// (`service=NAME`) and nothing else.
  std::optional<std::string> fleet;
  /// The end of a turn leaves a push to the fleet behind. Of the person's own file only.
  bool fleet_push = false;
  std::vector<std::string> warnings;  // one line each, with the file's path
};

/// `project` is the project's root folder, absolute.
Settings read_settings(const Context& context, const std::string& project);

/// Where the user's own file stands; nullopt without a home folder.
std::optional<std::string> user_settings_folder(const Context& context);

/// Whether planNames names this file, letter case aside (spec 2.4).
bool names_plan(const Settings& settings, std::string_view file_name);

inline constexpr std::string_view kProjectSettings = ".plankeep.json";
inline constexpr std::string_view kUserSettings = "config.json";

}  // namespace plankeep::app
