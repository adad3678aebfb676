#pragma once
// Where a report goes: a file of the user's choice, or one in a folder of ours among the temporary ones.

#include <string>
#include <string_view>

#include "base/result.hpp"
#include "project/context.hpp"

namespace plankeep::app {

/// Writes `content` by temporary file and rename, with mode 0600, and gives the file's absolute path. `path`
/// as the user named it, from the working directory; empty: plan-report.html in the folder plankeep-report
/// below $TMPDIR, else /tmp.
///
/// A link under the file's name is replaced, never followed. invalid_input: the path names a folder.
/// conflict: the folder below $TMPDIR belongs to somebody else, or others may write in it. io.
[[nodiscard]] base::Result<std::string> write_report(const Context& context, const std::string& path,
                                                     std::string_view content);

}  // namespace plankeep::app
