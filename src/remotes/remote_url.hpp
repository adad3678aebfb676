#pragma once
// What a remote's URL says, and URLs as they may be shown. Pure.
//
// Takes every spelling that git takes: "https://host/owner/name.git", "ssh://git@host:22/owner/name",
// "git@host:owner/name.git", "/srv/git/name.git", "file:///srv/git/name.git". Source: "GIT URLS" in
// git-fetch(1).

#include <string>
#include <string_view>

namespace plankeep::git {

/// Whose repository it is.
struct RemoteOwner {
  std::string host;   // lower case, without user and port; empty: this machine
  std::string owner;  // the path without its last part: "acme", "group/sub", "/srv/git"
  bool operator==(const RemoteOwner&) const = default;
};
RemoteOwner owner_of_url(std::string_view url);

/// `text`, a URL or a message with URLs in it, without their user names and passwords:
/// "https://kim:pw@host/x" becomes "https://host/x". Where that is unclear, more is removed rather than less.
std::string without_credentials(std::string_view text);

}  // namespace plankeep::git
