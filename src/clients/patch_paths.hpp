#pragma once
// The files that a patch in the format of the apply_patch tool names. Private to clients/*.cpp.

#include <string>
#include <string_view>
#include <vector>

namespace plankeep::clients {

/// The paths behind "*** Add File: ", "*** Update File: ", "*** Delete File: " and "*** Move to: ", in their
/// order, each once, as written. Lines of content begin with "+", "-", " " or "@@" and are never taken for
/// such a line.
std::vector<std::string> paths_in_patch(std::string_view patch);

}  // namespace plankeep::clients
