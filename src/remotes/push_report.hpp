#pragma once
// What `git push --porcelain` and `git ls-remote` say, line by line. Pure.

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace plankeep::git {

enum class PushOutcome {
  pushed,
  up_to_date,
  behind,   // the remote has commits that the pushed one lacks, or another push is under way
  refused,  // by the remote or by git; `reason` says why
};

struct PushedRef {
  std::string ref;  // at the remote
  PushOutcome outcome = PushOutcome::refused;
  std::string reason;  // in git's words; unsafe to print
  bool operator==(const PushedRef&) const = default;
};
/// Lines that are not about a ref are skipped. Format: git-push(1), OUTPUT.
std::vector<PushedRef> read_push_report(std::string_view said);

/// What the remote itself said (git shows it as "remote: ..."), without empty lines, the first
/// kMostLinesOfRemote; unsafe to print. `errors`: of git's standard error.
inline constexpr std::size_t kMostLinesOfRemote = 20;
std::vector<std::string> lines_of_remote(std::string_view errors);

struct AdvertisedRef {
  std::string ref;
  std::string object;
  bool operator==(const AdvertisedRef&) const = default;
};
/// Sorted by ref.
std::vector<AdvertisedRef> read_advertised_refs(std::string_view said);

}  // namespace plankeep::git
