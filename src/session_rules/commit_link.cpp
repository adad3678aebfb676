#include "session_rules/commit_link.hpp"

#include <algorithm>
#include <charconv>
#include <optional>

#include "model/session.hpp"
#include "model/sidecar.hpp"

namespace plankeep::core {
namespace {

constexpr std::size_t kMostSquashed = 1000;

// Since 1970; what is later than the year 9999 is none.
std::optional<std::int64_t> seconds_in(std::string_view text) {
  constexpr std::int64_t kLatest = 253'402'300'799;
  std::int64_t seconds = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), seconds);
  if (error != std::errc{} || end != text.data() + text.size() || seconds < 0 || seconds > kLatest)
    return std::nullopt;
  return seconds;
}

class StagedPaths {
 public:
  explicit StagedPaths(std::vector<std::string> paths) : paths_(std::move(paths)) {
    std::sort(paths_.begin(), paths_.end());
  }
  bool has(const std::string& path) const { return std::binary_search(paths_.begin(), paths_.end(), path); }

 private:
  std::vector<std::string> paths_;
};

}  // namespace

bool may_link(const CommitAttempt& attempt) {
  if (attempt.disabled || attempt.entire_links || attempt.in_progress) return false;
  return attempt.source.empty() || attempt.source == "message" || attempt.source == "template" ||
         attempt.source == "squash" || attempt.source == "commit";
}

bool is_left_to_entire(const CommitAttempt& attempt) {
  CommitAttempt alone = attempt;
  alone.entire_links = false;
  return attempt.entire_links && may_link(alone);
}

std::string author_of_attempt(std::string_view name, std::string_view email, std::string_view date) {
  if (!date.starts_with('@')) return {};
  const std::string_view seconds = date.substr(1, date.find(' ') - 1);
  if (!seconds_in(seconds)) return {};
  return std::string(name).append(" <").append(email).append("> ").append(seconds);
}

bool may_amend(std::string_view author, base::Instant now) {
  const auto written = seconds_in(author.substr(author.rfind(' ') + 1));
  return written && now.milliseconds >= *written * base::kSecond + kSurelyLater;
}

bool is_revert(std::string_view message) {
  constexpr std::string_view kReverts = "This reverts commit ";
  while (!message.empty()) {
    const std::string_view line = message.substr(0, message.find('\n'));
    message.remove_prefix(std::min(line.size() + 1, message.size()));
    if (!line.starts_with(kReverts)) continue;
    // "<id>.", of a merge "<id>, reversing"
    const std::string_view rest = line.substr(kReverts.size());
    if (is_commit_id(rest.substr(0, rest.find_first_of(".,")))) return true;
  }
  return false;
}

std::vector<std::size_t> sessions_of_commit(const std::vector<SessionActivity>& sessions,
                                            std::vector<std::string> staged) {
  const StagedPaths paths(std::move(staged));
  std::vector<std::size_t> found;
  for (std::size_t i = 0; i < sessions.size(); ++i) {
    const auto& touched = sessions[i].paths;
    if (std::any_of(touched.begin(), touched.end(),
                    [&](const TouchedPath& one) { return paths.has(one.path); }))
      found.push_back(i);
  }
  return found;
}

std::vector<std::string> squashed_commits(std::string_view squash_message) {
  constexpr std::string_view kCommit = "commit ";
  std::vector<std::string> commits;
  while (!squash_message.empty() && commits.size() < kMostSquashed) {
    const std::string_view line = squash_message.substr(0, squash_message.find('\n'));
    squash_message.remove_prefix(std::min(line.size() + 1, squash_message.size()));
    if (line.starts_with(kCommit) && is_commit_id(line.substr(kCommit.size())))
      commits.emplace_back(line.substr(kCommit.size()));
  }
  return commits;
}

std::vector<std::string> inherited_checkpoints(const std::vector<SquashedCommit>& commits,
                                               std::vector<std::string> staged) {
  const StagedPaths paths(std::move(staged));
  std::vector<std::string> ids;
  for (auto commit = commits.rbegin(); commit != commits.rend(); ++commit) {
    if (std::none_of(commit->paths.begin(), commit->paths.end(),
                     [&](const std::string& path) { return paths.has(path); }))
      continue;
    for (const std::string& id : commit->checkpoints) {
      if (session_id_kind(id) && std::find(ids.begin(), ids.end(), id) == ids.end()) ids.push_back(id);
    }
  }
  return ids;
}

}  // namespace plankeep::core
