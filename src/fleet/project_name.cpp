#include "fleet/project_name.hpp"

#include <algorithm>
#include <array>

#include "base/sha256.hpp"
#include "base/text.hpp"
#include "base/utf8.hpp"

namespace plankeep::fleet {
namespace {

constexpr std::size_t kNameDigits = 16;
constexpr std::size_t kReplicaDigits = 32;

std::string lower(std::string_view text) {
  std::string lowered(text);
  std::transform(lowered.begin(), lowered.end(), lowered.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  return lowered;
}

struct DefaultPort {
  std::string_view scheme;
  std::string_view port;
};
constexpr std::array kDefaultPorts{DefaultPort{"https", "443"},  DefaultPort{"http", "80"},
                                   DefaultPort{"ssh", "22"},     DefaultPort{"git", "9418"},
                                   DefaultPort{"git+ssh", "22"}, DefaultPort{"ssh+git", "22"}};

// "host" or "host:2222" of "kim:pw@Host:2222".
std::string host_of(std::string_view authority, std::string_view scheme) {
  authority.remove_prefix(authority.rfind('@') + 1);  // npos + 1 is 0
  const std::size_t colon =
      authority.starts_with('[') ? authority.find(':', authority.find(']')) : authority.find(':');
  std::string host = lower(authority.substr(0, colon));
  if (colon == std::string_view::npos) return host;
  const std::string_view port = authority.substr(colon + 1);
  const bool usual = port.empty() || std::any_of(kDefaultPorts.begin(), kDefaultPorts.end(), [&](auto& one) {
                       return one.scheme == scheme && one.port == port;
                     });
  return usual ? host : host + ":" + std::string(port);
}

// "acme/shop" of "//acme//shop.git/".
std::string path_of(std::string_view path) {
  path = path.substr(0, path.find_first_of("?#"));
  std::string clean;
  for (const std::string& part : base::parts_of(path, '/')) {
    if (part == ".") continue;
    if (!clean.empty()) clean += '/';
    clean += part;
  }
  if (clean.ends_with(".git")) clean.resize(clean.size() - 4);
  while (clean.ends_with('/')) clean.pop_back();
  return clean;
}

std::optional<std::string> address_name(std::string host, const std::string& path) {
  if (host.empty() || path.empty()) return std::nullopt;
  std::string name = std::move(host) + "/" + path;
  if (name.size() > kLongestName || base::printable(name) != name) return std::nullopt;
  return name;
}

// Lengths in front, so that no two lists of texts have the same digest.
std::string digest_of(std::initializer_list<std::string_view> parts) {
  base::Sha256 digest;
  for (const std::string_view part : parts) {
    digest.add(std::to_string(part.size()) + ":");
    digest.add(part);
  }
  return digest.hex().substr(0, kNameDigits);
}

}  // namespace

std::optional<std::string> project_of_origin(std::string_view url) {
  url = base::trimmed(url);
  constexpr std::string_view kSchemeEnd = "://";
  const std::size_t scheme_end = url.find(kSchemeEnd);
  if (scheme_end != std::string_view::npos) {
    const std::string scheme = lower(url.substr(0, scheme_end));
    if (scheme == "file") return std::nullopt;
    const std::string_view rest = url.substr(scheme_end + kSchemeEnd.size());
    const std::size_t slash = std::min(rest.find('/'), rest.size());
    return address_name(host_of(rest.substr(0, slash), scheme), path_of(rest.substr(slash)));
  }
  // "git@host:acme/shop". A colon behind a slash belongs to a path of this machine.
  const std::size_t bracket = url.find(']');
  const std::size_t colon = url.find(':', bracket == std::string_view::npos ? 0 : bracket);
  if (colon == std::string_view::npos || url.find('/') < colon) return std::nullopt;
  return address_name(host_of(url.substr(0, colon), "ssh"), path_of(url.substr(colon + 1)));
}

std::string project_of_commit(std::string_view root_commit) {
  return "commit:" + std::string(root_commit);
}

std::optional<std::string> project_of_name(std::string_view name) {
  name = base::trimmed(name);
  constexpr std::string_view kPrefix = "name:";
  if (name.empty() || name.size() > kLongestName - kPrefix.size() || base::printable(name) != name)
    return std::nullopt;
  return std::string(kPrefix) + std::string(name);
}

std::string machine_of(std::string_view project, std::string_view host, std::string_view machine_id) {
  return digest_of({"machine", project, host, base::trimmed(machine_id)});
}

std::string place_of(std::string_view host, std::string_view machine_id, std::string_view path,
                     std::uint64_t device, std::uint64_t inode) {
  return digest_of(
      {"place", host, base::trimmed(machine_id), path, std::to_string(device), std::to_string(inode)});
}

bool is_replica_id(std::string_view text) {
  return text.size() == kReplicaDigits &&
         text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

}  // namespace plankeep::fleet
