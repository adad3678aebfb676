// How a test run ended, from what its runner printed.
#include "clients/transcripts/test_summary.hpp"

#include <rapidcheck.h>

#include <catch2/catch.hpp>
#include <string>
#include <vector>

using namespace plankeep::clients;
using End = TestSummary::End;

namespace {

End end_of(const std::string& output) {
  return last_test_summary(output).end;
}

}  // namespace

TEST_CASE("the summaries of test runners that failed are known") {
  for (const std::string output : {
           "95% tests passed, 1 tests failed out of 20",
           "The following tests FAILED:\n\t  2 - store (Failed)\nErrors while running CTest",
           "--- FAIL: TestX (0.00s)\nFAIL\nFAIL\tx/y\t0.003s",
           "FAIL\tx/y\t0.003s\nok  \tx/z\t0.003s\nFAIL",
           "[ERROR] Tests run: 5, Failures: 1, Errors: 0, Skipped: 0",
           "[ERROR] Tests run: 5, Failures: 0, Errors: 1, Skipped: 0, Time elapsed: 0.1 s <<< FAILURE! - in "
           "a.BTest",
           "Ran 5 tests in 0.001s\n\nFAILED (failures=1)",
           "FAILED (errors=2)",
           "# tests 4\n# suites 0\n# pass 3\n# fail 1\n# cancelled 0\n# skipped 0",
           "\u2139 tests 4\n\u2139 pass 3\n\u2139 fail 1\n\u2139 cancelled 0",
           "5 examples, 1 failure",
           "5 examples, 1 failure, 1 pending",
           "FAILURES!\nTests: 5, Assertions: 5, Failures: 1.",
           "ERRORS!\nTests: 5, Assertions: 4, Errors: 1.",
           "ok 1 adds\nnot ok 2 takes away\nok 3 divides",
           "not ok 2",
           "1..2\nok 1 - a\nnot ok 2 - b\n# Failed test 'b'",
           "Failed!  - Failed:     1, Passed:     4, Skipped:     0, Total:     5, Duration: 2 ms - "
           "Api.Tests.dll (net8.0)",
           "Total tests: 5\n     Passed: 4\n     Failed: 1\n Total time: 1.2 Seconds",
           "Test summary: total: 5, failed: 1, succeeded: 4, skipped: 0, duration: 1.2s",
           "test result: FAILED. 3 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out; finished in "
           "0.01s",
           "test result: FAILED. 1 failed\ntest result: ok. 3 passed; 0 failed\nerror: 1 target failed:\n    "
           "`--lib`",
           "     Summary [   0.012s] 5 tests run: 4 passed, 1 failed, 0 skipped",
           "5 runs, 5 assertions, 1 failures, 0 errors, 0 skips",
           "5 runs, 4 assertions, 0 failures, 1 errors, 0 skips",
           "5 tests, 1 failure",
           "Files=2, Tests=5,  1 wallclock secs\nResult: FAIL",
           "=== 2 failed, 5 passed in 1.02s ===",
           "1 failed in 0.02s",
           "==== 1 error in 0.12s ====",
           "3 passed, 1 error in 0.12s",
           "FAILED tests/a.py::test_x - assert 1 == 2",
           "Test Suites: 1 failed, 1 passed, 2 total\nTests:       1 failed, 5 passed, 6 total\nSnapshots:   "
           "0 total\nTime:        1.2 s",
           "Test Suites: 1 failed, 1 passed, 2 total\nTests:       5 passed, 5 total",
           " Test Files  1 failed | 2 passed (3)\n      Tests  1 failed | 10 passed (11)\n   Duration  312ms",
           "  5 passing (20ms)\n  1 failing",
           "  1 failed\n    [chromium] > a.spec.ts:3:5 > signs in\n  4 passed (3.2s)",
           " 5 pass\n 1 fail\n 10 expect() calls\nRan 6 tests across 2 files. [10.00ms]",
           "FAILED | 4 passed | 1 failed (12ms)",
           "[  PASSED  ] 4 tests.\n[  FAILED  ] 1 test, listed below:\n[  FAILED  ] A.b\n\n 1 FAILED TEST",
           "test cases: 5 | 4 passed | 1 failed\nassertions: 9 | 8 passed | 1 failed",
           "5 tests completed, 1 failed",
           "BUILD FAILED in 3s",
           "[error] Failed: Total 5, Failed 1, Errors 0, Passed 4",
           "Executed 5 tests, with 1 failure (0 unexpected) in 0.2 (0.3) seconds",
           "** TEST FAILED **",
           "00:05 +4 -1: Some tests failed.",
           "2 scenarios (1 failed, 1 passed)\n6 steps (1 failed, 5 passed)",
           "# PASS:  4\n# FAIL:  1\n# XPASS: 0\n# ERROR: 0",
           "Ok:                 5\nExpected Fail:      0\nFail:               1\nUnexpected Pass:    0",
           "npm ERR! Test failed.  See above for more details.",
           "make: *** [Makefile:3: test] Error 1",
           "\x1b[31m\x1b[1m1 failed\x1b[0m, \x1b[32m3 passed\x1b[0m in 0.1s\r\n",
           "web:test: Tests:       1 failed, 5 passed, 6 total",
       }) {
    INFO(output);
    CHECK(end_of(output) == End::failed);
  }
}

TEST_CASE("the summaries of test runners that passed are known, and that they are such") {
  for (const std::string output : {
           "100% tests passed, 0 tests failed out of 12",
           "ok  \tx/y\t0.003s\nok  \tx/z\t(cached)",
           "[INFO] Tests run: 5, Failures: 0, Errors: 0, Skipped: 0\n[INFO] BUILD SUCCESS",
           "Ran 5 tests in 0.001s\n\nOK",
           "Ran 5 tests in 0.001s\n\nOK (skipped=1)",
           "# tests 3\n# suites 0\n# pass 3\n# fail 0\n# cancelled 0\n# skipped 0",
           "5 examples, 0 failures",
           "OK (5 tests, 10 assertions)",
           "ok 1 adds\nnot ok 2 takes away # TODO later\nok 3 divides",
           "Passed!  - Failed:     0, Passed:     5, Skipped:     0, Total:     5, Duration: 2 ms - "
           "Api.Tests.dll (net8.0)",
           "test result: ok. 5 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s",
           "5 runs, 5 assertions, 0 failures, 0 errors, 0 skips",
           "==== 5 passed in 0.10s ====",
           "5 passed, 1 skipped, 2 warnings in 0.10s (0:00:01)",
           "Tests: 5 passed, 5 total",
           "Test Suites: 2 passed, 2 total\nTests:       1 skipped, 5 passed, 6 total\nRan all test suites.",
           " Test Files  3 passed (3)\n      Tests  11 passed (11)",
           "  5 passing (20ms)\n  1 pending",
           "  5 passed (3.2s)",
           "ok | 5 passed | 0 failed (12ms)",
           "[==========] 4 tests from 1 test suite ran. (0 ms total)\n[  PASSED  ] 4 tests.",
           "All tests passed (5 assertions in 2 test cases)",
           "test cases: 3 | 2 passed | 1 failed as expected",
           "All 5 tests passed",
           "00:02 +5: All tests passed!",
           "Executed 5 tests, with 0 failures (0 unexpected) in 0.2 (0.3) seconds",
           "** TEST SUCCEEDED **",
           "Tests: 18/18 passed",
           "\x1b[32m5 passed\x1b[0m in 0.1s",
       }) {
    INFO(output);
    CHECK(last_test_summary(output) == TestSummary{End::passed, true});
  }
}

TEST_CASE("what is no summary of tests says nothing of them") {
  for (const std::string output : {
           "",
           "\n",
           "no tests ran in 0.01s",
           "1 error",
           "2 errors generated.",
           "Found 3 errors.",
           "2 errors in 1 file",
           "0 errors, 3 warnings",
           "5 problems (5 errors, 0 warnings)",
           "error: could not compile `x` (lib) due to 2 previous errors",
           "========== Build: 1 succeeded, 0 failed, 0 up-to-date ==========",
           "ok=5 changed=1 unreachable=0 failed=1 skipped=0",
           "1 of 1 criterion proven",
           "5 files",
           "5 tests collected in 0.01s",
           "The test failed because the limiter was off.",
           "  5. run the tests until all passed",
           "src/a.py:3: 1 failed attempt",
           "FAIL Required test coverage of 90% not reached.",
           "Tests: pending",
       }) {
    INFO(output);
    CHECK(end_of(output) == End::unknown);
  }
  // Of a tool that may have run something else.
  CHECK_FALSE(last_test_summary("3 failed").sure);
  CHECK_FALSE(last_test_summary("BUILD FAILED in 3s").sure);
}

TEST_CASE("the last summary of an output decides") {
  const std::string failed = "1 failed, 2 passed in 0.10s\n", passed = "3 passed in 0.10s\n";
  CHECK(end_of(failed + "Dropped refs/stash@{0}\n" + passed) == End::passed);
  CHECK(end_of(failed + passed) == End::passed);
  CHECK(end_of(passed + failed) == End::failed);
  CHECK(end_of("Tests run: 5, Failures: 1\nTests run: 5, Failures: 0") == End::passed);
  CHECK(end_of("ok 1 a\nnot ok 2 b\nok 1 a\nok 2 b\n") == End::passed);
  CHECK(end_of("  1 failed\n    a.spec.ts\n  4 passed (3s)\n\nRunning 5 tests using 1 worker\n  5 passed "
               "(3s)\n") == End::passed);
  CHECK(end_of("FAIL\tx/y\t0.1s\nFAIL\nok  \tx/y\t0.1s\n") == End::passed);
  CHECK(end_of("5 runs, 5 assertions, 1 failures, 0 errors, 0 skips\n5 runs, 5 assertions, 0 failures, 0 "
               "errors, 0 skips") == End::passed);
  // Behind it anything may stand.
  CHECK(end_of(passed + "Found 3 errors.\nBUILD FAILED in 1s\n") == End::passed);
  CHECK(end_of(failed + std::string(kTestSummaryTail, '\n')) == End::unknown);
}

TEST_CASE("any bytes can be looked at for a summary, and lines that say nothing change nothing") {
  CHECK(rc::check("bytes", [] {
    const auto bytes = *rc::gen::arbitrary<std::string>();
    (void)last_test_summary(bytes);
    std::string one_line = "Note: " + bytes;
    std::erase(one_line, '\n');
    if (end_of(one_line) == End::unknown)
      RC_ASSERT(end_of("=== 1 failed, 2 passed in 1s ===\n" + one_line) == End::failed);
  }));
  CHECK(rc::check("pieces", [] {
    const std::vector<std::string> pieces = {"1 ", "0 ", "5/5 ", "failed",  "passed", "tests ", ": ",
                                             ", ", "\n", "ok ",  "not ok ", "FAIL",   "\x1b[3", "m",
                                             "=",  "(",  ")",    "\xff",    "%",      "."};
    std::string output;
    const auto count = *rc::gen::inRange<std::size_t>(0, 30);
    for (std::size_t i = 0; i < count; ++i)
      output += pieces[*rc::gen::inRange<std::size_t>(0, pieces.size())];
    (void)last_test_summary(output);
  }));
}
