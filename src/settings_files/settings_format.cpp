#include "settings_files/settings_format.hpp"

#include <array>

namespace plankeep::clients {
namespace {

// Every event at which the plan may have changed unseen, and those that carry what we act on. MessageDisplay
// and the like fire all the time and tell nothing.
constexpr std::array kClaudeCode{
    HookEntry{"SessionStart"},
    HookEntry{"UserPromptSubmit"},
    HookEntry{"PreToolUse", "Agent|Task|Bash"},
    HookEntry{"PostToolUse", "Edit|Write|MultiEdit|NotebookEdit"},
    HookEntry{"PostToolBatch"},
    HookEntry{"SubagentStart"},
    HookEntry{"SubagentStop"},
    HookEntry{"PreCompact"},
    HookEntry{"Stop"},
    HookEntry{"StopFailure"},
    // An extra: the one event after a rewind or a command of the user's own. Here the matcher is the file.
    HookEntry{"FileChanged", "plan.md"},
    HookEntry{"SessionEnd", {}, 5},
};

constexpr std::array kCodex{
    HookEntry{"SessionStart"},
    HookEntry{"UserPromptSubmit"},
    HookEntry{"PreToolUse", ".*spawn_agent|Bash"},
    HookEntry{"PostToolUse", "apply_patch|Bash"},
    HookEntry{"SubagentStart"},
    HookEntry{"SubagentStop"},
    HookEntry{"PreCompact"},
    HookEntry{"Stop"},
    HookEntry{"SessionEnd", {}, 3},  // more is cut to 3 by the client
};

constexpr std::array kGemini{
    HookEntry{"SessionStart"},
    HookEntry{"BeforeAgent"},
    HookEntry{"BeforeTool", "invoke_agent|run_shell_command"},
    HookEntry{"AfterTool", "write_file|replace|run_shell_command|invoke_agent"},
    HookEntry{"AfterAgent"},
    HookEntry{"PreCompress"},
    HookEntry{"SessionEnd", {}, 5},
};

constexpr std::array kCopilot{
    HookEntry{"sessionStart"},
    HookEntry{"userPromptSubmitted"},
    HookEntry{"postToolUse", "create|edit|bash"},
    HookEntry{"subagentStart"},
    HookEntry{"subagentStop"},
    HookEntry{"agentStop"},
    HookEntry{"preCompact"},
    HookEntry{"sessionEnd", {}, 5},
};

constexpr std::array kQwen{
    HookEntry{"SessionStart"},
    HookEntry{"UserPromptSubmit"},
    HookEntry{"PreToolUse", "agent|run_shell_command"},
    HookEntry{"PostToolUse", "write_file|edit|run_shell_command"},
    HookEntry{"SubagentStart"},
    HookEntry{"SubagentStop"},
    HookEntry{"PreCompact"},
    HookEntry{"Stop"},
    HookEntry{"SessionEnd", {}, 5},
};

// postToolUse sees what shell commands did, and runs in print mode, where stop does not.
constexpr std::array kCursor{
    HookEntry{"sessionStart"},      HookEntry{"beforeSubmitPrompt"},
    HookEntry{"afterFileEdit"},     HookEntry{"postToolUse"},
    HookEntry{"subagentStart"},     HookEntry{"subagentStop"},
    HookEntry{"preCompact"},        HookEntry{"stop"},
    HookEntry{"sessionEnd", {}, 5},
};

constexpr std::array kSettingsFormats{
    SettingsFormat{.client = "claude-code",
                   .title = "Claude Code",
                   .status_line = true,
                   .project_path = ".claude/settings.json",
                   .user_variable = "CLAUDE_CONFIG_DIR",
                   .variable_path = "settings.json",
                   .home_path = ".claude/settings.json",
                   .entries = kClaudeCode,
                   .can_switch_off = true,
                   .local_path = ".claude/settings.local.json",
                   .project_note = "Claude Code asks before it runs the hooks of a new folder"},
    SettingsFormat{
        .client = "codex",
        .title = "Codex",
        .project_path = ".codex/hooks.json",
        .user_variable = "CODEX_HOME",
        .variable_path = "hooks.json",
        .home_path = ".codex/hooks.json",
        .entries = kCodex,
        .trust = TrustRecord::codex_config,
        .project_note = "Codex runs a project's hooks only if the project is trusted: it asks when "
                        "you start it there",
        .note = "Codex runs each hook only once you trust it: start codex and choose in \"Hooks need "
                "review\", or /hooks; codex exec silently skips the others"},
    SettingsFormat{.client = "gemini",
                   .title = "Gemini CLI",
                   .timeout_units = 1000,
                   .named = true,
                   .project_path = ".gemini/settings.json",
                   .user_variable = "GEMINI_CLI_HOME",
                   .variable_path = ".gemini/settings.json",
                   .home_path = ".gemini/settings.json",
                   .entries = kGemini,
                   .variable_folder = ".gemini",
                   .trust = TrustRecord::folder_list,
                   .project_note = "Gemini CLI loads a project's hooks only in a trusted folder: answer its "
                                   "question, or /permissions"},
    SettingsFormat{.client = "copilot",
                   .title = "GitHub Copilot CLI",
                   .layout = SettingsLayout::flat,
                   .command_key = "bash",
                   .timeout_key = "timeoutSec",
                   .versioned = true,
                   .project_path = ".github/hooks/plankeep.json",
                   .user_variable = "COPILOT_HOME",
                   .variable_path = "hooks/plankeep.json",
                   .home_path = ".copilot/hooks/plankeep.json",
                   .entries = kCopilot,
                   .trust = TrustRecord::copilot_config,
                   .also_runs = "claude-code",
                   .also_runs_advice = "plankeep uninstall copilot, if you use Copilot only in this project",
                   .project_note = "Copilot CLI loads a project's hooks only in a trusted folder: choose to "
                                   "remember it when it asks"},
    SettingsFormat{.client = "qwen",
                   .title = "Qwen Code",
                   .timeout_units = 1000,
                   .named = true,
                   .project_path = ".qwen/settings.json",
                   .home_path = ".qwen/settings.json",
                   .entries = kQwen,
                   .can_switch_off = true},
    SettingsFormat{.client = "opencode",
                   .title = "opencode",
                   .layout = SettingsLayout::plugin,
                   .project_path = ".opencode/plugins/plankeep.js",
                   .user_variable = "XDG_CONFIG_HOME",
                   .variable_path = "opencode/plugins/plankeep.js",
                   .home_path = ".config/opencode/plugins/plankeep.js"},
    SettingsFormat{.client = "cursor",
                   .title = "Cursor",
                   .layout = SettingsLayout::flat,
                   .typed = false,
                   .versioned = true,
                   .project_path = ".cursor/hooks.json",
                   .home_path = ".cursor/hooks.json",
                   .entries = kCursor,
                   .note = "Cursor's hooks follow its documentation; they have not been tested with Cursor "
                           "itself"},
};

}  // namespace

const SettingsFormat* find_settings_format(std::string_view client) {
  for (const SettingsFormat& format : kSettingsFormats) {
    if (format.client == client) return &format;
  }
  return nullptr;
}

std::span<const SettingsFormat> settings_formats() {
  return kSettingsFormats;
}

}  // namespace plankeep::clients
