#include "sessions/session_remote.hpp"

#include <algorithm>

#include "base/sha256.hpp"
#include "base/text.hpp"
#include "base/utf8.hpp"
#include "git/git_output.hpp"
#include "remotes/remote_url.hpp"
#include "sessions/own_folder.hpp"
#include "system/atomic_file.hpp"

namespace plankeep::app {
namespace {

using base::ErrorKind;
using base::Result;

constexpr std::string_view kOrigin = "origin";
constexpr std::string_view kConsentFile = "sessions-pushed";
constexpr std::uint64_t kLargestConsent = std::uint64_t{1} << 20;

std::string owner_in_words(const git::RemoteOwner& owner) {
  if (owner.host.empty()) return owner.owner;
  return owner.owner + " on " + owner.host;
}

std::string consent_line(const git::Remote& remote) {
  std::string urls;
  for (const std::string& url : remote.push_urls) urls += git::without_credentials(url) + '\n';
  return remote.name + ' ' + base::sha256_hex(urls) + '\n';
}

}  // namespace

Result<RepositoryHere> open_repository_here(const Context& context) {
  if (context.processes == nullptr) return base::fail(ErrorKind::not_found, "git cannot be started here");
  auto git = std::make_unique<git::Git>(*context.processes, context.files);
  TRY_ASSIGN(auto repository, sessions::open_repository(*git, context.environment.working_directory()));
  if (!repository)
    return base::fail(ErrorKind::not_found, "not in a git repository",
                      "sessions are kept in git; run it inside a repository");
  return RepositoryHere{std::move(git), std::move(*repository)};
}

git::WorkTree writing_place(const sessions::SessionRepository& repository) {
  return {repository.folder, repository.object_format, repository.head, repository.common_dir,
          repository.common_dir};
}

Result<SessionRemote> choose_session_remote(git::Remotes& remotes, const std::optional<std::string>& named,
                                            const std::optional<std::string>& setting) {
  TRY_ASSIGN(const std::vector<std::string> all, remotes.names());
  const bool has_origin = std::find(all.begin(), all.end(), kOrigin) != all.end();
  std::string name;
  if (named) {
    name = *named;
  } else if (setting) {
    name = *setting;
  } else if (has_origin) {
    name = kOrigin;
  } else if (all.size() == 1) {
    name = all.front();
  } else if (all.empty()) {
    return base::fail(ErrorKind::not_found, "this repository has no remote",
                      "to add one: git remote add origin URL");
  } else {
    return base::fail(ErrorKind::ambiguous, "which remote? There are: " + base::joined(all),
                      "name one: plankeep session push REMOTE");
  }
  SessionRemote chosen;
  TRY_ASSIGN(chosen.remote, remotes.get(name));
  chosen.is_named = named.has_value();
  chosen.is_setting = setting == name;
  chosen.shown_url = git::without_credentials(chosen.remote.push_urls.front());
  if (!has_origin || name == kOrigin) return chosen;
  TRY_ASSIGN(const git::Remote origin, remotes.get(std::string(kOrigin)));
  const git::RemoteOwner usual = git::owner_of_url(origin.push_urls.front());
  for (const std::string& url : chosen.remote.push_urls)
    if (const git::RemoteOwner owner = git::owner_of_url(url); owner != usual)
      chosen.other_owner = owner_in_words(owner);
  return chosen;
}

bool PushConsent::given(const git::Remote& remote) {
  const auto folder = open_own_folder(files_, common_dir_);
  if (!folder) return false;
  const auto text = (*folder)->read(kConsentFile, kLargestConsent);
  return text && ("\n" + *text).find("\n" + consent_line(remote)) != std::string::npos;
}

base::Status PushConsent::remember(const git::Remote& remote) {
  if (given(remote)) return {};
  TRY_ASSIGN(const auto folder, make_own_folder(files_, common_dir_));
  std::string kept;
  if (const auto text = folder->read(kConsentFile, kLargestConsent)) {
    for (std::string_view rest = *text; !rest.empty();) {
      const std::string_view line = git::take_until(rest, '\n');
      if (!line.starts_with(remote.name + ' ')) kept.append(line).append("\n");
    }
  }
  return system::write_file(*folder, kConsentFile, kept + consent_line(remote), system::Durability::durable);
}

}  // namespace plankeep::app
