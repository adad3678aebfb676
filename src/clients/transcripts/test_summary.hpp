#pragma once
// How a run of tests ended, from what it printed: the summaries of some thirty runners (pytest, jest, ctest,
// cargo, go, Maven, TAP, ...). A pipe hides the exit status of a run, not its summary. Pure, any bytes, in
// time linear in the output.
//
//   const TestSummary summary = last_test_summary(output);
//   if (summary.sure) ...                               // this output is that of a test run
//   if (summary.end == TestSummary::End::failed) ...    // and its last run failed
//
// A line is a summary where all of its words are such as summaries consist of and it counts what passed or
// failed ("5 runs, 5 assertions, 1 failures"), or where it is one of a few fixed lines ("FAIL", "not ok 2").
// The last summary decides: tests that failed and were run again have passed.

#include <cstddef>
#include <string_view>

namespace plankeep::clients {

/// As much of an output's end as is looked at.
inline constexpr std::size_t kTestSummaryTail = std::size_t{64} << 10;

struct TestSummary {
  enum class End { unknown, passed, failed };
  End end = End::unknown;
  bool sure = false;  // a test run printed this; else "1 failed" may be of anything
  bool operator==(const TestSummary&) const = default;
};

TestSummary last_test_summary(std::string_view output);

}  // namespace plankeep::clients
