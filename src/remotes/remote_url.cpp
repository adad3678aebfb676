#include "remotes/remote_url.hpp"

#include <algorithm>

namespace plankeep::git {
namespace {

constexpr std::string_view kSchemeEnd = "://";
// Only a blank surely ends a URL in a sentence: a password may hold a quote that nobody escaped.
constexpr std::string_view kBlanks = " \t\r\n";

std::string lower(std::string_view text) {
  std::string lowered(text);
  std::transform(lowered.begin(), lowered.end(), lowered.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  return lowered;
}

// "host" of "kim:pw@Host:22"
std::string host_of(std::string_view authority) {
  authority.remove_prefix(authority.rfind('@') + 1);  // npos + 1 is 0
  const std::size_t port =
      authority.starts_with('[') ? authority.find(':', authority.find(']')) : authority.find(':');
  return lower(authority.substr(0, port));
}

// "/srv/git" of "/srv/git/name.git/"
std::string folder_of(std::string_view path, bool keep_first_slash) {
  while (path.ends_with('/')) path.remove_suffix(1);
  path = path.substr(0, path.rfind('/') == std::string_view::npos ? 0 : path.rfind('/'));
  if (!keep_first_slash)
    while (path.starts_with('/')) path.remove_prefix(1);
  return std::string(path);
}

}  // namespace

RemoteOwner owner_of_url(std::string_view url) {
  const std::size_t scheme = url.find(kSchemeEnd);
  if (scheme != std::string_view::npos) {
    std::string_view rest = url.substr(scheme + kSchemeEnd.size());
    if (lower(url.substr(0, scheme)) == "file") return {{}, folder_of(rest, true)};
    // As curl reads it: after "?" or "#" an "@" does not end a user name.
    return {host_of(rest.substr(0, rest.find_first_of("/?#"))),
            folder_of(rest.substr(std::min(rest.find('/'), rest.size())), false)};
  }
  // A colon behind a slash belongs to a path of this machine.
  const std::size_t colon = url.find(':');
  if (colon == std::string_view::npos || url.find('/') < colon) return {{}, folder_of(url, true)};
  return {host_of(url.substr(0, colon)), folder_of(url.substr(colon + 1), false)};
}

std::string without_credentials(std::string_view text) {
  std::string shown;
  while (true) {
    const std::size_t scheme = text.find(kSchemeEnd);
    if (scheme == std::string_view::npos) break;
    const std::size_t start = scheme + kSchemeEnd.size();
    shown += text.substr(0, start);
    text.remove_prefix(start);
    // A password may hold a slash that nobody escaped, so the last "@" of the URL counts.
    const std::string_view url = text.substr(0, text.find_first_of(kBlanks));
    const std::size_t slash = std::min(url.find('/'), url.size());
    std::size_t at = url.substr(0, slash).rfind('@');
    if (at == std::string_view::npos && url.find(':') < slash) at = url.rfind('@');
    if (at != std::string_view::npos) text.remove_prefix(at + 1);
  }
  return shown.append(text);
}

}  // namespace plankeep::git
