#pragma once
// Objects of a git repository as bytes, and the names that git gives them.
//
// An object is a kind and bytes; its name is the SHA-1 or SHA-256 (as the repository was made) of
// "<kind> <size>\0<bytes>", in lower-case hexadecimal. Nothing here reads or writes a repository: git/ does.
// Format: gitformat-pack(5), gitdatamodel(7).

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace plankeep::git {

enum class ObjectFormat { sha1, sha256 };

/// From "sha1" and "sha256", as git says it (git/git.hpp, WorkTree::object_format); nullopt for another one.
std::optional<ObjectFormat> object_format(std::string_view name);

/// How many hexadecimal digits a name has: 40, 64.
std::size_t id_length(ObjectFormat format);

/// So many digits, lower case.
bool is_object_id(ObjectFormat format, std::string_view id);

/// All zeros: what a ref that is not there has for its old value.
std::string no_object(ObjectFormat format);

/// Those that we make; a tag is none of them.
enum class ObjectKind { commit, tree, blob };

/// "commit", "tree", "blob".
std::string_view name_of(ObjectKind kind);

std::string object_id(ObjectFormat format, ObjectKind kind, std::string_view bytes);

}  // namespace plankeep::git
