#pragma once
// Which commits the lines of a file come from: `git blame`.
//
//   TRY_ASSIGN(const auto line, blame_line(git, tree, "src/a.c", 12));   // of the work tree's file
//   TRY_ASSIGN(const auto parts, blame_file(git, tree, "src/a.c"));      // all lines, by commit
//
// Renames of whole files are followed, and blame.ignoreRevsFile counts, as git is configured. No textconv
// program is started, and nothing is fetched. One process. Git walks as much history as it takes: not for the
// way of a hook.
//
// Errors: not_found, git has no such file (ignored, new, not there); invalid_input, the file has fewer
// lines; busy, it took longer than kBlameTimeout; io, git's own words.

#include <chrono>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/instant.hpp"
#include "base/result.hpp"
#include "git/git.hpp"
#include "system/file_system.hpp"

namespace plankeep::git {

inline constexpr std::chrono::minutes kBlameTimeout{2};

/// Lines of a file that come from one commit. Names and subjects are strangers' text.
struct BlamedLines {
  std::string commit;      // full id; empty: not committed yet
  std::string path;        // of the file in that commit, relative to the top
  std::int64_t line = 0;   // the first of them in that commit, from 1
  std::int64_t count = 0;  // how many
  std::string author;      // the name alone
  base::Instant time;      // of the author
  std::string subject;
  std::string text;  // blame_line: the line without its line feed
};

/// `path` is relative to the work tree's top; `line` from 1.
[[nodiscard]] base::Result<BlamedLines> blame_line(Git& git, const WorkTree& tree, const std::string& path,
                                                   std::int64_t line);

/// One for each commit (and path in it), those with the most lines first.
[[nodiscard]] base::Result<std::vector<BlamedLines>> blame_file(Git& git, const WorkTree& tree,
                                                                const std::string& path);

/// The same from what `git blame --porcelain` or `--incremental` said. Pure. Lines that are not understood
/// are passed over.
std::vector<BlamedLines> read_blame(std::string_view told);

/// The last commit that changed a file, for files without lines; `line` is 0. not_found: none did.
[[nodiscard]] base::Result<BlamedLines> last_change(Git& git, const WorkTree& tree, const std::string& path);

/// The commits at which the history of a shallow clone ends: to git they made whatever they have, but older
/// ones may have. Empty: the clone is whole.
std::set<std::string> shallow_ends(system::FileSystem& files, const WorkTree& tree);

/// Author, time and subject of a commit; nullopt: git has none such.
[[nodiscard]] base::Result<std::optional<BlamedLines>> commit_words(Git& git, const WorkTree& tree,
                                                                    const std::string& sha);

}  // namespace plankeep::git
