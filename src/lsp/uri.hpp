#pragma once
// Addresses of documents: "file:///home/kim/plan.md" and the path it names. Pure.

#include <optional>
#include <string>
#include <string_view>

namespace plankeep::lsp {

/// The absolute path of a file: URI without a host (or of localhost); nullopt for any other address, for
/// escapes that are none, and for a path that holds NUL.
std::optional<std::string> path_of(std::string_view uri);

/// The other way round. Everything but letters, digits, "-._~/" is escaped.
std::string uri_of(std::string_view path);

}  // namespace plankeep::lsp
