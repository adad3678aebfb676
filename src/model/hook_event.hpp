#pragma once
// What a client's hook tells us, whatever the client (spec 10): one neutral event in, one answer out.
//
// The room clients/ turns a payload into a HookEvent and a HookAnswer into what that client honours; app/
// acts on the event. Every text is as the client sent it: input from strangers.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/instant.hpp"

namespace plankeep::core {

enum class HookKind {
  nothing,            // no business of ours: leave at once, say nothing
  session_start,      // a session began, goes on, was cleared or compacted: `source`
  prompt_submitted,   // `prompt`, or what finished in the background: `notified`
  file_written,       // a tool wrote `paths`
  tools_settled,      // a batch of tool calls is over; some may have changed files
  shell_started,      // a command is about to run, where the client says so; `paths`: of a patch in it
  shell_ran,          // a command ran; it may have changed files
  subagent_assigned,  // a subagent is about to be started with `prompt`; it has no id yet
  subagent_started,
  subagent_stopped,
  turn_ended,
  before_compact,
  session_ended,
};
/// "session_start"; the name that messages and the hook times use.
std::string_view name_of(HookKind kind);

/// A piece of background work that a prompt reports as over.
struct Notified {
  std::string task_id;  // a subagent's id, or that of a background command
  std::string status;   // "completed", "failed", "killed"
  bool operator==(const Notified&) const = default;
};

struct HookEvent {
  HookKind kind = HookKind::nothing;
  std::string client;        // "claude-code"
  std::string client_event;  // as the client calls it, "PostToolUse"
  std::string session_id;
  std::string cwd;         // absolute; empty when the payload has none
  std::string project;     // the project's root where the client says it (a subagent's worktree is elsewhere)
  std::string transcript;  // the session's transcript file; empty when there is none, may not exist yet
  /// session_start: "startup", "resume", "clear", "compact", "fork"; session_ended: the reason;
  /// before_compact: "auto" or "manual".
  std::string source;
  std::string prompt;              // prompt_submitted, subagent_assigned, subagent_started (where it is sent)
  std::vector<Notified> notified;  // prompt_submitted: then it is no person's prompt
  std::vector<std::string> paths;  // file_written: absolute, or relative to cwd
  std::string agent_id;            // empty: the main thread
  std::string agent_type;          // that subagent's; may be empty for a phantom (compaction sends such)
  std::string team;                // a teammate's name, where the payload says so
  std::string tool_use_id;         // subagent_assigned: ties the call to the agent it starts
  std::string started_type;        // subagent_assigned: the type asked for; agent_type is the caller's
  std::string agent_transcript;    // the subagent's own transcript file, where the payload names it
  std::string message;  // turn_ended, subagent_stopped: the last assistant message (failed: the error)
  /// turn_ended, subagent_stopped: a stop hook has sent it back already. Qwen Code says so from the first
  /// time on.
  bool stop_active = false;
  bool background = false;  // subagent_stopped: it ran beside its parent
  /// turn_ended, subagent_stopped: by an error (of the model's API, mostly). shell_ran: the command failed,
  /// where the client says so; it may have changed files before.
  bool failed = false;
  bool outside = false;                 // file_written: seen by a file watcher, nobody knows who wrote
  std::optional<std::int64_t> process;  // the client's process, where it is known
  std::optional<int> context_percent;   // how full the context window is, where the client says it
  std::optional<std::int64_t> context_tokens;
  std::optional<std::int64_t> context_window;

  bool operator==(const HookEvent&) const = default;
};

/// What those of an event's own calls of our MCP server did that named the same plan, and no actor. The
/// server took them for the main thread's.
struct OwnCalls {
  struct Claim {
    std::string id;          // as it was given; empty: the next task
    std::int64_t fence = 0;  // that the answer names; 0: it is not known
    bool operator==(const Claim&) const = default;
  };
  std::vector<std::string> ticked{};  // tasks, as they were named
  std::vector<Claim> claims{};
  std::string plan{};  // as it was given; empty: none was named
  bool empty() const { return ticked.empty() && claims.empty(); }
  bool operator==(const OwnCalls&) const = default;
};

/// Who acts: "main", "subagent:<type>", "team:<name>", "external" for what a watcher saw (spec 1). An agent
/// without a type is "subagent:unknown". Control characters and white space in a type become "-", and it is
/// cut at 64 characters.
std::string actor_of(const HookEvent& event);

/// Whether a person typed it: not empty, no notification.
bool real_prompt(const HookEvent& event);

/// What we say. All empty, the usual case: nothing at all is printed.
struct HookAnswer {
  std::string context;  // for the model: it is added to the conversation
  std::string block;    // for the model: it may not stop yet, and why
  std::string notice;   // for the person, one line; never reaches the model
  bool silent() const { return context.empty() && block.empty() && notice.empty(); }
  bool operator==(const HookAnswer&) const = default;
};

}  // namespace plankeep::core
