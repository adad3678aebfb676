#pragma once
// The sessions behind a commit, or behind a line that no commit has yet. Private to reports/session_why.

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "git/commits.hpp"
#include "reports/session_why.hpp"
#include "session_rules/line_search.hpp"
#include "sessions/recorded_links.hpp"
#include "sessions/sessions.hpp"

namespace plankeep::app {

class WhySessions {
 public:
  /// The context outlives it.
  WhySessions(const Context& context, git::WorkTree tree);

  git::Git& git() { return git_; }
  const git::WorkTree& tree() const { return tree_; }

  /// Fills in the commit's sessions and plan. `wanted`: the line that the prompt is looked for; nullopt: the
  /// checkpoints' prompts are enough. `path`: of the file in that commit, to choose among several sessions;
  /// empty: all are meant. Sets `history_ends`.
  [[nodiscard]] base::Status of_commit(WhyCommit& commit, const std::optional<core::WantedLine>& wanted,
                                       const std::string& path);

  /// The sessions seen here whose transcripts have the call that wrote the line, the latest call first, at
  /// most one for each session.
  std::vector<WhySession> of_live_transcripts(const core::WantedLine& wanted);

  /// A file as a commit has it; empty: not known, or too large to be looked through.
  std::string text_at(const std::string& commit, const std::string& path);

  /// nullptr: there is no repository, or it cannot be read (`warnings` says why).
  Sessions* sessions();

  std::vector<std::string> take_warnings() { return std::move(warnings_); }

 private:
  struct Named {
    std::string id;
    bool mentioned = false;
  };
  [[nodiscard]] base::Result<std::vector<Named>> checkpoints_of(const std::string& sha);
  void add_checkpoint(WhyCommit& commit, const Named& named, const std::optional<core::WantedLine>& wanted,
                      const std::string& path);
  std::optional<core::WrittenLine> search(const sessions::StoredSession& session,
                                          const core::WantedLine& wanted);
  bool is_end(const WhyCommit& commit);
  void warn_once(std::string text);

  const Context& context_;
  git::Git git_;
  git::WorkTree tree_;
  git::Commits commits_;
  std::optional<Sessions> sessions_;
  bool sessions_tried_ = false;
  std::optional<RecordedLinks> recorded_;
  std::optional<std::set<std::string>> ends_;  // of a shallow clone's history
  std::vector<std::string> warnings_;
};

}  // namespace plankeep::app
