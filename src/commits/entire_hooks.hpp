#pragma once
// Whether Entire's tools link commits in a repository themselves (spec 18.5). Then we add no trailer.

#include <optional>
#include <string>
#include <string_view>

#include "base/result.hpp"
#include "git/git.hpp"
#include "project/context.hpp"

namespace plankeep::app {

/// "enabled" of .entire/settings.local.json, else of .entire/settings.json; true where neither says it, as
/// Entire has it (0.5.1 to 0.11). nullopt: there is no such file.
bool entire_is_enabled(const std::optional<std::string>& local, const std::optional<std::string>& shared);

/// Whether it is a hook script that calls Entire. All its versions say "entire hooks git <hook>".
bool calls_entire(std::string_view script);

/// Its prepare-commit-msg hook is installed, and its settings do not say that it is off. git is asked only
/// where the work tree has a folder .entire.
[[nodiscard]] base::Result<bool> entire_links_commits(const Context& context, git::Git& git,
                                                      const std::string& top);

}  // namespace plankeep::app
