#pragma once
// Our lines in a hook script of git's that may be somebody else's (post-commit, post-rewrite). Pure.
//
// They stand at the end, between two marks, so that they come after what was there and can be taken out to
// the byte. The first mark says what else came with them: a line feed, where the script did not end with one,
// or the whole file.

#include <string>
#include <string_view>

namespace plankeep::core {

enum class HookScript {
  absent,      // there is none: one can be made
  shell,       // a shell script that a line can be added to
  ends_early,  // one that always exits before our line, or before its end where our line is missing
  other,       // another language, or no script at all
};
HookScript kind_of_script(std::string_view text);

bool has_hook_block(std::string_view text);
/// Our line in it; empty: there is none.
std::string hook_block_line(std::string_view text);

/// The script with our line in it, in place of an earlier one. `text` is absent (empty) or shell.
std::string with_hook_block(std::string_view text, std::string_view line);

/// What was there before; empty where nothing but ours is left of a script that we made.
std::string without_hook_block(std::string_view text);

}  // namespace plankeep::core
