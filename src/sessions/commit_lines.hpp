#pragma once
// Whose lines a commit has (spec 26): Entire's compatible numbers of one session, and what is known for
// certain of all of them together.
//
//   CommitLines lines(git, tree, commits, commit, changed);
//   TRY_ASSIGN(const auto compatible, lines.compatible(session, part, moments, metric));
//   TRY_ASSIGN(const auto kept, lines.kept(parts));
//
// Only reads. Where an input is missing a number is absent and the reason is given: git no longer has a
// snapshot, the snapshot left a file out, the commit is too large to compare. Errors are those of git.

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "git/commits.hpp"
#include "session_rules/attribution_trees.hpp"
#include "session_rules/compatible_attribution.hpp"
#include "session_rules/kept_lines.hpp"
#include "session_rules/session_part.hpp"
#include "session_rules/work_moment.hpp"

namespace plankeep::app {

struct CompatibleLines {
  std::optional<core::CompatibleAttribution> lines;
  std::string reason;                           // why there are none
  std::optional<core::AttributionTrees> trees;  // that were compared
};

struct KnownLines {
  std::optional<core::KeptLines> lines;
  std::string reason;
};

/// A session's part in the commit, and the trees between which a person changed something in it.
struct LinesOfSession {
  const core::SessionPart* part = nullptr;
  std::vector<core::EditedTrees> edits;
};

/// A commit that changes more files, or whose texts are larger in total, is not compared.
inline constexpr std::size_t kMostComparedFiles = 2'000;
inline constexpr std::uint64_t kMostComparedBytes = std::uint64_t{64} << 20;

/// The commit's files as they were right behind it, as far as that is known: a later commit may get more of
/// them (git add -p, edits behind git add).
struct FilesBehind {
  std::string tree;                          // a snapshot that has them; empty: there is none
  std::map<std::string, std::string> texts;  // else these, by path
};

class CommitLines {
 public:
  /// `git` and `commits` outlive it. `changed`: the paths that the commit changes against its first parent.
  CommitLines(git::Git& git, const git::WorkTree& tree, git::Commits& commits, const git::CommitFacts& commit,
              std::vector<std::string> changed, FilesBehind behind = {});

  [[nodiscard]] base::Result<CompatibleLines> compatible(const std::string& session,
                                                         const core::SessionPart& part,
                                                         const std::vector<core::WorkMoment>& moments,
                                                         core::AttributionMetric metric);
  [[nodiscard]] base::Result<KnownLines> kept(const std::vector<LinesOfSession>& sessions);

 private:
  struct Wanted {
    std::string tree;
    std::string path;
  };
  // nullopt: all of them were read; else why not.
  [[nodiscard]] base::Result<std::optional<std::string>> load(const std::vector<Wanted>& wanted);
  [[nodiscard]] base::Result<std::optional<std::vector<std::string>>> paths_between(const std::string& from,
                                                                                    const std::string& to);
  // A snapshot has a file as the work tree had it. Where git makes LF of its CR LF, the commit has other
  // lines.
  void convert_line_ends(const std::string& tree, const std::string& path);
  // What the commit leaves to a later one is no part of a snapshot either.
  void leave_out(const std::string& tree, const std::string& path);
  const std::string* text(const std::string& tree, const std::string& path) const;
  std::string_view text_or_nothing(const std::string& tree, const std::string& path) const;
  std::vector<Wanted> of_commit(const std::vector<std::string>& paths) const;

  git::Git& git_;
  git::Commits& commits_;
  std::string top_;
  std::string commit_;
  base::Instant time_;
  std::string parent_;  // empty: there is none
  std::vector<std::string> changed_;
  FilesBehind behind_;
  std::set<std::string> without_left_out_;                   // of texts_
  std::map<std::string, std::optional<std::string>> texts_;  // by "<tree>:<path>"
  std::uint64_t bytes_ = 0;
};

}  // namespace plankeep::app
