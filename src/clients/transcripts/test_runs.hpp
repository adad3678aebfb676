#pragma once
// Whether a conversation ran tests, and how the last run ended, from its transcript. Pure: the caller reads
// it.
//
// A command runs tests where its words say so or where its output holds the summary of a test run
// (test_summary.hpp: "make", "scripts/ci.sh"). Where such a command prints none, nobody knows. How it ended
// is told by that summary, since a pipe hides the exit status, and else by the exit status. What a program
// only shows out of a file ("tail ci.log") counts as a run that passed, never as one that failed: it may be
// of any day.
//
// Formats: Claude Code 2.1 (`tool_use` and `tool_result` blocks; seen), Codex 0.169 (`function_call` and
// `function_call_output` items; from its source). Other clients' transcripts are not read: `read` stays
// false. Lines that are cut or broken are passed over.

#include <string_view>

namespace plankeep::clients {

/// As much of a transcript's end as is looked at.
inline constexpr std::size_t kTestRunsTail = std::size_t{4} << 20;

struct TestRuns {
  bool read = false;       // lines of a known format were there
  bool ran = false;        // a command was run that runs tests, or printed that it did
  bool failed = false;     // the last of those is seen to have failed
  bool opaque = false;     // none of those, but one that may run some: "make", "./ci.sh"
  bool elsewhere = false;  // a subagent, a tool of its own or the person may have run some
  bool operator==(const TestRuns&) const = default;
};

TestRuns test_runs(std::string_view transcript);

/// Whether a command line runs tests: a program that does nothing else ("pytest", "jest"), or one that is
/// told to ("cargo test", "npm run test:unit", "make check", "bash tests/run.sh"). Commands that only look at
/// files
/// ("cat tests/a.py", "git add tests") do not.
bool runs_tests(std::string_view command);

/// Whether what a command line runs stands elsewhere, so that it may run tests: a script, a recipe, a program
/// in a container ("./ci.sh", "make", "npm run ci", "docker exec web ./run"). Recipes whose names say
/// something else ("make clean", "npm run build") do not.
bool may_run_tests(std::string_view command);

}  // namespace plankeep::clients
