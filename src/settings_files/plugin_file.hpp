#pragma once
// The plugin that opencode runs: it has no hooks that are commands, so a file of ours calls the program. Its
// text is hooks/opencode/plankeep.js, carried inside the program.

#include <string>
#include <string_view>

namespace plankeep::clients {

/// The file with the program's name or path in it; empty when this build carries none.
std::string plugin_text(std::string_view program);

/// Whether a file is some version of it: its first line says so.
bool is_our_plugin(std::string_view text);

/// Whether it is one of ours to the byte, of whatever version and with whatever program: by the checksum in
/// its last line.
bool is_unchanged_plugin(std::string_view text);

/// The program that the file calls; empty when it does not say.
std::string program_of_plugin(std::string_view text);

}  // namespace plankeep::clients
