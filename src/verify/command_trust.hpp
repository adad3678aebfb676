#pragma once
// Which commands the user trusts, per repository and exact text (spec 11):
// `$XDG_CONFIG_HOME/plankeep/trusted-commands.json` (~/.config where that is not set).
//
//   { "version": 1, "repositories": { "/home/kim/app": { "<SHA-256 of the text>": "ctest" } } }
//
// A command is trusted only if digest and text agree. The file is ours alone: a symbolic link, another kind
// of file, one that others may write, or one that cannot be read as this, trusts nothing, and `warning` says
// so. Writing: under a lock, 0600, replaced by rename, so a reader sees the old file or the new one; refused
// where reading warns, since nothing that the user may have put there is to be overwritten.

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "project/context.hpp"

namespace plankeep::app {

class CommandTrust {
 public:
  /// What is trusted in the repository at `root` (absolute, free of symbolic links).
  static CommandTrust read(const Context& context, const std::string& root);

  bool trusts(std::string_view command) const { return commands_.find(command) != commands_.end(); }
  /// Empty while all is well; a missing file is.
  const std::string& warning() const { return warning_; }

 private:
  std::set<std::string, std::less<>> commands_;
  std::string warning_;
};

/// Remembers the commands. invalid_input: the root's path cannot be written as JSON; not_found: no home
/// folder; corrupt: the file is not one that we may write.
[[nodiscard]] base::Status trust_commands(const Context& context, const std::string& root,
                                          const std::vector<std::string>& commands);

inline constexpr std::string_view kTrustFile = "trusted-commands.json";

}  // namespace plankeep::app
