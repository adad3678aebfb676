#pragma once
// From errno to base::Error, in one place. Private to system/posix.

#include <string>
#include <string_view>

#include "base/result.hpp"

namespace plankeep::system {

/// "cannot <verb> <path>: <system message>". ENOENT is not_found; what says "this is no regular file" (ELOOP,
/// ENXIO, EISDIR, ENOTDIR) is corrupt; the rest is io. A hint where there is something to be done.
[[nodiscard]] base::Error system_error(std::string_view verb, const std::string& path, int error_number);

/// corrupt: "<path> is a symbolic link, not a regular file".
[[nodiscard]] base::Error wrong_kind(const std::string& path, std::string_view what_it_is,
                                     std::string_view wanted);

}  // namespace plankeep::system
