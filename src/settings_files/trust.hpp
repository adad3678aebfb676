#pragma once
// Whether a client runs the hooks of a folder: what its own files of trust say. Read only; plankeep never
// grants trust.
//
// Every function takes the text of such a file as it is found; a text that cannot be read knows nothing.
// `folder` is absolute and free of symbolic links.

#include <string>
#include <string_view>
#include <vector>

namespace plankeep::clients {

enum class Trust { unknown, trusted, untrusted };

/// Gemini CLI and Qwen Code, trustedFolders.json: { "/path": "TRUST_FOLDER" | "TRUST_PARENT" |
/// "DO_NOT_TRUST" }. The longest path that holds the folder decides.
Trust trust_of_folder_list(std::string_view text, std::string_view folder);

/// GitHub Copilot CLI, config.json: "trustedFolders": [ "/path" ]; folders below are trusted with it.
Trust trust_of_copilot(std::string_view text, std::string_view folder);

/// Codex, config.toml. Of a file that is no TOML nothing is trusted and nothing known.
struct CodexTrust {
  Trust project = Trust::unknown;          // [projects."<path>"] trust_level
  std::vector<std::string> trusted_hooks;  // keys of hooks.state that have a trusted_hash
};
/// `project` decides by its own table, or the nearest one above.
CodexTrust trust_of_codex(std::string_view text, std::string_view project);

/// The key under which Codex keeps whether it trusts a hook: "<file>:<event_snake>:<group>:<index>".
std::string codex_hook_key(std::string_view file, std::string_view event, std::size_t group,
                           std::size_t index);

}  // namespace plankeep::clients
