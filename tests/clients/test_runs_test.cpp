// Whether a conversation ran tests, and how the last run ended.
#include "clients/transcripts/test_runs.hpp"

#include <rapidcheck.h>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <string>

using namespace plankeep::clients;
using Json = nlohmann::ordered_json;

namespace {

std::string said(const std::string& text) {
  const Json block = {{"type", "text"}, {"text", text}};
  return Json{{"type", "assistant"}, {"message", {{"role", "assistant"}, {"content", Json::array({block})}}}}
             .dump() +
         "\n";
}

std::string called(const std::string& id, const std::string& command, const std::string& tool = "Bash") {
  const Json block = {{"type", "tool_use"}, {"id", id}, {"name", tool}, {"input", {{"command", command}}}};
  return Json{{"type", "assistant"}, {"message", {{"role", "assistant"}, {"content", Json::array({block})}}}}
             .dump() +
         "\n";
}

std::string ended(const std::string& id, const std::string& output, bool error = false) {
  const Json block = {{"type", "tool_result"}, {"tool_use_id", id}, {"content", output}, {"is_error", error}};
  return Json{{"type", "user"}, {"message", {{"role", "user"}, {"content", Json::array({block})}}}}.dump() +
         "\n";
}

std::string codex(const Json& payload) {
  return Json{{"type", "response_item"}, {"payload", payload}}.dump() + "\n";
}

}  // namespace

TEST_CASE("commands that run tests are known from those that look at them") {
  for (const std::string command : {
           "pytest -q",
           "python -m pytest tests/a.py",
           "cargo test",
           "cd api && go test ./...",
           "npm test",
           "npm t",
           "npm run test:unit",
           "pnpm -C web test",
           "yarn test --watch=false",
           "npx jest",
           "npx vitest run",
           "./mvnw -q verify",
           "mvn install",
           "./gradlew build",
           "make check",
           "make test | tail -5",
           "ctest --test-dir build",
           "dotnet test",
           "bundle exec rspec",
           "vendor/bin/phpunit",
           "bats tests",
           "tox -e py",
           "bash tests/run.sh",
           "CI=1 timeout 60 npm test",
           "docker compose run web pytest",
           "bash -lc 'cargo test'",
           "bash -c \"npm test\"",
           "./run_tests.sh",
           "just test",
           "python3 -m unittest",
           "ginkgo -r",
           "rails t",
           "bin/rails t",
           "bundle exec rails t",
           "poetry run pytest",
           "cargo t",
       }) {
    INFO(command);
    CHECK(runs_tests(command));
  }
  for (const std::string command : {
           "cat tests/a.py",
           "git add tests && git commit -m 'add tests'",
           "ls",
           "",
           "grep -rn test src",
           "mkdir -p tests",
           "npm install",
           "cargo build",
           "rm -rf tests/tmp",
           "echo all tests pass",
           "gh pr checks",
       }) {
    INFO(command);
    CHECK_FALSE(runs_tests(command));
  }
}

TEST_CASE("a command whose content stands elsewhere may run tests") {
  for (const std::string command : {
           "./ci.sh",
           "make",
           "make ci",
           "make -j4",
           "npm run ci",
           "yarn ci:all",
           "rake",
           "bundle exec rake",
           "just t",
           "bash scripts/all.sh",
           "cd api && ./build",
           "python scripts/all.py",
           "sh -e ci.sh",
           "docker compose run web ./all",
           "gradle",
           "bash -lc './ci.sh'",
           "ci/all.sh | tail",
           "python -m tools.all",
       }) {
    INFO(command);
    CHECK(may_run_tests(command));
    CHECK(test_runs(called("1", command) + ended("1", "done")) == TestRuns{.read = true, .opaque = true});
  }
  for (const std::string command : {
           "",
           "ls -la",
           "cat ci.sh",
           "git commit -m 'make it so'",
           "make clean",
           "npm run build",
           "npm install",
           "npm ci",
           "yarn add left-pad",
           "gcc -o a a.c",
           "/usr/bin/env",
           "node -v",
           "python -m pip install -e .",
           "python -c 'print(1.5)'",
           "node_modules/.bin/tsc",
           "docker build .",
           "chmod +x ci.sh",
       }) {
    INFO(command);
    CHECK_FALSE(may_run_tests(command));
  }
  // What it printed tells more.
  CHECK(test_runs(called("1", "make") + ended("1", "5 passed in 0.1s")).ran);
}

TEST_CASE("a conversation without a test run is told from one that ran some, and the last run counts") {
  CHECK(test_runs(said("All tests pass.")) == TestRuns{.read = true});
  CHECK(test_runs(called("1", "ls") + ended("1", "a")) == TestRuns{.read = true});
  const std::string good = called("1", "npm test") + ended("1", "47 passed, 0 failed");
  CHECK(test_runs(good) == TestRuns{.read = true, .ran = true});
  const std::string bad = called("2", "npm test") + ended("2", "Exit code 1", true);
  CHECK(test_runs(good + bad) == TestRuns{.read = true, .ran = true, .failed = true});
  CHECK(test_runs(bad + good) == TestRuns{.read = true, .ran = true});
  // Its end hidden behind a pipe.
  CHECK(test_runs(called("1", "pytest | tail -3") + ended("1", "=== 2 failed, 5 passed in 1s ===")).failed);
  CHECK(test_runs(called("1", "cargo test 2>&1 | tail") + ended("1", "test result: FAILED. 3 passed; 1 x"))
            .failed);
  // What another command printed is another matter.
  CHECK_FALSE(test_runs(good + called("3", "ls nowhere") + ended("3", "Exit code 2", true)).failed);
}

TEST_CASE(
    "the summary tells of a failure that a pipe hides, and of a run that no word of the command names") {
  const auto run = [](const std::string& command, const std::string& output, bool error = false) {
    return called("1", command) + ended("1", output, error);
  };
  const TestRuns passed{.read = true, .ran = true}, failed{.read = true, .ran = true, .failed = true};
  const TestRuns none{.read = true}, unknown{.read = true, .opaque = true};
  CHECK(test_runs(run("ctest | tail -3", "95% tests passed, 1 tests failed out of 20")) == failed);
  CHECK(test_runs(run("python -m unittest 2>&1 | tail -3", "FAILED (failures=1)")) == failed);
  CHECK(test_runs(run("pytest -q; git stash pop; pytest -q",
                      "1 failed in 0.1s\nDropped\n1 passed in 0.1s")) == passed);
  // The innocent.
  CHECK(test_runs(run("plankeep verify --yes", "1 of 1 criterion proven")) == passed);
  CHECK(test_runs(run("plankeep verify", "1 of 2 criteria proven", true)) == passed);
  CHECK(test_runs(run("scripts/ci.sh", "==== 5 passed in 0.10s ====")) == passed);
  CHECK(test_runs(run("npm run ci", "Tests: 5 passed, 5 total")) == passed);
  CHECK(test_runs(run("rake", "5 runs, 5 assertions, 0 failures")) == passed);
  CHECK(test_runs(run("make", "100% tests passed, 0 tests failed out of 12\nmake: *** [pack] Error 1",
                      true)) == passed);
  CHECK(test_runs(run("git push", "5 passed in 0.1s\nTo github.com:a/b")) == passed);
  CHECK(test_runs(run("tail -3 /tmp/ci.log", "5 passed in 0.1s")) == passed);
  CHECK(test_runs(run("make", "gcc a.c\n1 error generated.", true)) == unknown);
  CHECK(test_runs(run("echo '5 passed in 0.1s'", "5 passed in 0.1s")) == none);
  // The guilty.
  CHECK(test_runs(run("make", "5 runs, 5 assertions, 1 failures, 0 errors, 0 skips")) == failed);
  CHECK(test_runs(run("plankeep verify --yes", "1 failed, 2 passed in 0.1s", true)) == failed);
  // A file may tell of any run.
  CHECK(test_runs(run("npm test", "5 passed") + called("2", "cat old.log") +
                  ended("2", "1 failed, 2 passed")) == passed);
  // The exit status may be that of something else.
  CHECK(test_runs(run("pytest -q 2>&1 && ruff check", "5 passed in 0.1s\nFound 3 errors.", true)) == passed);
  CHECK(test_runs(run("cd api && pytest -q 2>&1", "5 passed in 0.1s", true)) == failed);
  CHECK(test_runs(run("pytest -q", "tests/a.py: Exit code 1 is what it gives\n5 passed in 0.1s")) == passed);
  // In the background.
  CHECK(test_runs(run("scripts/ci.sh", "Command running in background with ID: b1") +
                  called("2", "", "BashOutput") + ended("2", "1 failed, 2 passed in 1s")) == failed);
}

TEST_CASE("tests that somebody else may have run are told apart") {
  CHECK(test_runs(called("1", "", "Task")).elsewhere);
  CHECK(test_runs(called("1", "", "runTests")).elsewhere);
  CHECK(test_runs("{\"type\":\"user\",\"message\":{\"content\":\"<bash-input>npm test</bash-input>\"}}\n")
            .elsewhere);
  CHECK_FALSE(test_runs(called("1", "npm test")).elsewhere);
  // Clients whose calls are not read.
  CHECK(test_runs("{\"type\":\"assistant\",\"message\":{\"parts\":[{\"functionCall\":{}}]}}\n").elsewhere);
}

TEST_CASE("a rollout of Codex tells the same") {
  const auto call = [](const std::string& arguments) {
    return codex({{"type", "function_call"}, {"name", "shell"}, {"arguments", arguments}, {"call_id", "c1"}});
  };
  const auto result = [](const std::string& output) {
    return codex({{"type", "function_call_output"}, {"call_id", "c1"}, {"output", output}});
  };
  const std::string list = call("{\"command\":[\"bash\",\"-lc\",\"cargo test\"]}");
  CHECK(test_runs(list + result("{\"output\":\"ok\",\"metadata\":{\"exit_code\":0}}")) ==
        TestRuns{.read = true, .ran = true});
  CHECK(test_runs(list + result("{\"output\":\"no\",\"metadata\":{\"exit_code\":101}}")).failed);
  CHECK(test_runs(list + result("{\"output\":\"test result: FAILED. 1 passed; 1 failed\\n\",\"metadata\":"
                                "{\"exit_code\":0}}"))
            .failed);
  CHECK_FALSE(test_runs(list + result("{\"output\":\"1 failed in 1s\\n2 passed in 1s\\n\",\"metadata\":"
                                      "{\"exit_code\":0}}"))
                  .failed);
  CHECK(test_runs(call("{\"cmd\":\"make check\"}") + result("Process exited with code 2")).failed);
  CHECK(test_runs(call("{\"cmd\":\"ls\"}")) == TestRuns{.read = true});
}

TEST_CASE("a transcript of another kind says nothing, whatever its bytes are") {
  CHECK(test_runs("") == TestRuns{});
  CHECK(test_runs("{\"sessionId\":\"x\"}\nnot json\n") == TestRuns{});
  CHECK(rc::check("bytes", [] {
    const auto bytes = *rc::gen::arbitrary<std::string>();
    RC_ASSERT(!test_runs(bytes).ran);
    (void)runs_tests(bytes);
    (void)test_runs(called("1", "npm test").substr(0, bytes.size()) + bytes);
  }));
}
