#pragma once
// How a fleet calls a project, a machine and a tracking folder (spec 29.3). Pure.
//
// Clones of one repository must come to the same name, whatever way they reach it: so a name is made of
// origin's URL without what differs between clones (scheme, user, password, default port, letter case of the
// host, ".git"). Without an origin that others can reach, the root commit names the project; without a commit
// somebody has to (--project).

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace plankeep::fleet {

/// The longest name of a project and the longest path of a plan that the schema takes, in bytes.
inline constexpr std::size_t kLongestName = 1000;

/// "github.com/acme/shop" for "https://kim:pw@GitHub.com:443/acme/shop.git" and "git@github.com:acme/shop".
/// nullopt: the URL is a path of this machine, or cannot be read as an address; another machine would not
/// come to the same name.
std::optional<std::string> project_of_origin(std::string_view url);

/// "commit:<id>".
std::string project_of_commit(std::string_view root_commit);

/// What --project takes: 1 to 1000 bytes that can be shown. It becomes "name:<NAME>", so that it never meets
/// a name that an origin has.
std::optional<std::string> project_of_name(std::string_view name);

/// 16 hexadecimal digits: which machine it is, among those of one project and no other. `host`: its name;
/// `machine_id`: /etc/machine-id, empty where there is none.
std::string machine_of(std::string_view project, std::string_view host, std::string_view machine_id);

/// 16 hexadecimal digits: where a tracking folder stands. A copy on another machine, under another path or in
/// another directory entry has another place.
std::string place_of(std::string_view host, std::string_view machine_id, std::string_view path,
                     std::uint64_t device, std::uint64_t inode);

/// Whether a text can be a replica's id: 32 hexadecimal digits.
bool is_replica_id(std::string_view text);

}  // namespace plankeep::fleet
