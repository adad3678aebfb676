#include "git/commit_log.hpp"

#include "git/git_output.hpp"

namespace plankeep::git {
base::Result<std::vector<LoggedCommit>> newest_commits(Git& git, const std::string& folder, std::size_t count,
                                                       std::optional<base::Instant> since) {
  std::vector<std::string> words{
      "log",        "-z",           "--no-show-signature",      "--no-color",
      "--no-notes", "--no-mailmap", "--format=%H %ct%n%an%n%s", "--max-count=" + std::to_string(count)};
  if (since) words.push_back("--since=@" + std::to_string(since->milliseconds / base::kSecond));
  words.insert(words.end(), {"HEAD", "--"});
  TRY_ASSIGN(const system::Finished finished, git.run(folder, words));
  std::vector<LoggedCommit> commits;
  // 128 is whatever stops git: here mostly that there is no repository, or nothing in it.
  const bool nothing = finished.errors.find("bad revision 'HEAD'") != std::string::npos ||
                       finished.errors.find("unknown revision") != std::string::npos ||
                       no_work_tree(finished);
  if (finished.status != 0 && nothing) return commits;
  if (finished.status != 0) return base::fail(refused(finished));
  std::string_view rest = finished.output;
  while (!rest.empty()) {
    std::string_view entry = take_until(rest, '\0');
    std::string_view facts = take_until(entry, '\n');
    LoggedCommit commit;
    commit.id = std::string(take_until(facts, ' '));
    const auto time = instant_of_seconds(facts);
    if (!is_id(commit.id) || !time) continue;
    commit.time = *time;
    commit.author = std::string(take_until(entry, '\n'));
    commit.subject = std::string(entry);
    commits.push_back(std::move(commit));
  }
  return commits;
}

}  // namespace plankeep::git
