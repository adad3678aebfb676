#pragma once
// What a final message says of files and of tests (spec 10.4): the files that it says were created or
// changed, and whether it says that tests pass.
//
//   const ClaimedWork claimed = claimed_work(message);
//   for (const ClaimedFile& file : claimed.files) ...      // hooks/ looks whether they are there
//   if (claimed.tests != TestsClaim::none) ...             // and whether a transcript shows a run
//
// Both lean to silence, more so than the audit of tasks: a file is claimed where its path stands in backticks
// or reads like one, beside a verb that says that it was made or changed ("Created `src/a.ts`", "Added a test
// to `tests/a.py`", "`a.ts` wurde angelegt"), or begins an item under "Files changed". A sentence with a
// negation, a condition, a plan, or a removal in it claims no file; nor is one claimed that is only pointed
// to, put on a list, or written by what was made ("a link to a.md", "added a.py to .gitignore", "a rule that
// creates b.js"). In ten languages. What may lie outside of the project ("~/a.md", "../b.md", "$HOME/c.md")
// is no path here.
//
// "All tests pass" is not a claim in a goal, a criterion, a request to check, a quotation or an open box, or
// under "Acceptance criteria". Neither is "the tests pass the object".
//
// Pure, any bytes, in time linear in the message.

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace plankeep::core {

inline constexpr std::size_t kMostClaimedFiles = 50;

struct ClaimedFile {
  std::string path;      // as written, "./" taken away
  bool created = false;  // else changed, or it does not say which
  bool operator==(const ClaimedFile&) const = default;
};

enum class TestsClaim {
  none,
  some,  // "the unit tests pass"
  all,   // "all tests pass", "the suite is green"
};

struct ClaimedWork {
  /// Each path once, in the order of the message, at most kMostClaimedFiles.
  std::vector<ClaimedFile> files{};
  TestsClaim tests = TestsClaim::none;
};

ClaimedWork claimed_work(std::string_view message);
std::vector<ClaimedFile> claimed_files(std::string_view message);
TestsClaim claimed_tests(std::string_view message);

/// What was claimed of files and tests and does not hold. Said once, as a notice.
struct WorkDoubts {
  enum class Tests { none, not_run, failed };
  std::vector<std::string> missing{};    // said to be made or changed, not there
  std::vector<std::string> unchanged{};  // said to be changed, older than the session
  Tests tests = Tests::none;             // said to pass, none were run; the last run failed
  bool empty() const { return missing.empty() && unchanged.empty() && tests == Tests::none; }
  bool operator==(const WorkDoubts&) const = default;
};

}  // namespace plankeep::core
