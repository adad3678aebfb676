// Real processes: whether one is still there, and running one.

#include <sys/wait.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <climits>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <thread>

#include "support/temporary_folder.hpp"
#include "system/posix/posix_processes.hpp"

namespace plankeep::system {
namespace {

using base::ErrorKind;

// Long enough for the slowest machine: no test waits for it to pass.
constexpr std::chrono::milliseconds kLong = std::chrono::minutes(5);

Run shell(const std::string& script, std::string_view input = {}) {
  Run run;
  run.words = {"/bin/sh", "-c", script};
  run.input = input;
  run.timeout = kLong;
  return run;
}

Finished finished(const Run& run) {
  // As cli/main does it: who writes to a process that does not read must not die of it.
  (void)std::signal(SIGPIPE, SIG_IGN);
  PosixProcesses processes;
  auto result = processes.run(run);
  if (!result) FAIL(result.error().message);
  return std::move(*result);
}

}  // namespace

TEST_CASE("a process that runs has a name that stays, and another one has another") {
  PosixProcesses processes;
  const auto self = processes.identity(::getpid());
  REQUIRE(self);
  CHECK(self->starts_with(std::to_string(::getpid()) + ":"));
  CHECK(processes.identity(::getpid()) == self);
  const auto parent = processes.identity(::getppid());
  CHECK(parent != self);
}

TEST_CASE("a process that has ended has no name any more") {
  PosixProcesses processes;
  int ends[2];
  REQUIRE(::pipe(ends) == 0);
  const pid_t child = ::fork();
  if (child == 0) {
    ::close(ends[1]);
    char byte = 0;
    (void)!::read(ends[0], &byte, 1);
    ::_exit(0);
  }
  REQUIRE(child > 0);
  ::close(ends[0]);
  CHECK(processes.identity(child));
  ::close(ends[1]);
  REQUIRE(::waitpid(child, nullptr, 0) == child);
  CHECK_FALSE(processes.identity(child));
}

TEST_CASE("a process that ended and was not waited for has no name either") {
  PosixProcesses processes;
  int ends[2];
  REQUIRE(::pipe(ends) == 0);
  const pid_t child = ::fork();
  if (child == 0) ::_exit(0);
  REQUIRE(child > 0);
  ::close(ends[1]);
  // Its end of the pipe is closed when it ends, a moment before it counts as ended.
  char byte = 0;
  CHECK(::read(ends[0], &byte, 1) == 0);
  ::close(ends[0]);
  siginfo_t ended{};
  REQUIRE(::waitid(P_PID, static_cast<id_t>(child), &ended, WEXITED | WNOWAIT) == 0);
  CHECK_FALSE(processes.identity(child));
  REQUIRE(::waitpid(child, nullptr, 0) == child);
}

TEST_CASE("the ancestors begin with the parent and end, and the host has a name that stays") {
  PosixProcesses processes;
  const std::vector<std::int64_t> ancestors = processes.ancestors();
  REQUIRE_FALSE(ancestors.empty());
  CHECK(ancestors.front() == ::getppid());
  CHECK(ancestors.size() <= 64);
  for (const std::int64_t ancestor : ancestors) CHECK(processes.identity(ancestor));
  CHECK_FALSE(processes.host().empty());
  CHECK(processes.host() == processes.host());
}

TEST_CASE("numbers that no process has give none") {
  PosixProcesses processes;
  for (const std::int64_t number : {std::int64_t{0}, std::int64_t{-1}, std::int64_t{INT32_MAX},
                                    std::int64_t{1} << 40, INT64_MAX, INT64_MIN}) {
    CAPTURE(number);
    CHECK_FALSE(processes.identity(number));
  }
}

TEST_CASE("a program gets its input and gives its output and status") {
  const Finished done = finished(shell("tr a-z A-Z; exit 3", "hello\n"));
  CHECK(done.output == "HELLO\n");
  CHECK(done.status == 3);
  CHECK_FALSE(done.timed_out);
}

TEST_CASE("a program without input sees its end at once, and one without output has none") {
  CHECK(finished(shell("cat; echo end")).output == "end\n");
  CHECK(finished(shell("true")).output.empty());
  CHECK(finished(shell("true")).status == 0);
}

TEST_CASE("words reach the program as they are: no shell looks at them") {
  Run run;
  run.words = {"printf", "%s|", "a b", "$HOME", "; echo x", "*"};
  run.timeout = kLong;
  CHECK(finished(run).output == "a b|$HOME|; echo x|*|");
}

TEST_CASE("a program that is not there is not found, and no words are no program") {
  PosixProcesses processes;
  Run run;
  CHECK(processes.run(run).error().kind == ErrorKind::invalid_input);
  for (const char* name : {"/nowhere/at/all", "plankeep-no-such-program"}) {
    run.words = {name};
    const auto result = processes.run(run);
    REQUIRE_FALSE(result);
    CHECK(result.error().kind == ErrorKind::not_found);
    CHECK(result.error().message.find(name) != std::string::npos);
  }
}

TEST_CASE("a large input comes through whole, in step with the output") {
  const std::string input(std::size_t{4} << 20, 'x');
  Run run = shell("cat", input);
  run.output_limit = input.size();
  CHECK(finished(run).output == input);
}

TEST_CASE("programs run side by side, and each is asked for its end when it suits") {
  (void)std::signal(SIGPIPE, SIG_IGN);
  test::TemporaryFolder folder;
  PosixProcesses processes;
  // Each waits until the other is there: one after the other they would never end.
  const std::string mine = folder.path_of("a");
  const std::string other = folder.path_of("b");
  const auto script = [](const std::string& own, const std::string& wanted) {
    return ": >\"" + own + "\"; while [ ! -e \"" + wanted + "\" ]; do sleep 0.01; done; echo \"" + own + "\"";
  };
  auto first = processes.start(shell(script(mine, other)));
  auto second = processes.start(shell(script(other, mine)));
  REQUIRE(first);
  REQUIRE(second);
  const auto last = (*second)->finish();
  const auto before = (*first)->finish();
  REQUIRE(last);
  REQUIRE(before);
  CHECK(last->output == other + "\n");
  CHECK(before->output == mine + "\n");
  CHECK((*first)->finish().error().kind == ErrorKind::internal);
}

TEST_CASE("what a program says before anybody asks for it is not lost, however much it is") {
  PosixProcesses processes;
  const std::string input(std::size_t{3} << 20, 'y');
  Run run = shell("cat; echo sorry >&2; exit 3", input);
  run.output_limit = input.size();
  run.keep_errors = true;
  auto running = processes.start(run);
  REQUIRE(running);
  const auto ended = (*running)->finish();
  REQUIRE(ended);
  CHECK(ended->status == 3);
  CHECK(ended->output == input);
  CHECK(ended->errors == "sorry\n");
}

TEST_CASE("a program that waited for its reader until its time was over may still say all") {
  PosixProcesses processes;
  constexpr std::size_t kSaid = std::size_t{3} << 20;
  Run run = shell("head -c " + std::to_string(kSaid) + " /dev/zero");
  run.timeout = std::chrono::milliseconds(200);
  run.output_limit = kSaid;
  auto running = processes.start(run);
  REQUIRE(running);
  std::this_thread::sleep_for(2 * run.timeout);
  const auto ended = (*running)->finish();
  REQUIRE(ended);
  CHECK_FALSE(ended->timed_out);
  CHECK(ended->output.size() == kSaid);
}

TEST_CASE("a program that nobody waits for is ended, with what it started") {
  test::TemporaryFolder folder;
  PosixProcesses processes;
  const std::string pids = folder.path_of("pids");
  {
    Run run = shell("sleep 1000 & echo $$ $! >\"" + pids + ".new\"; mv \"" + pids + ".new\" \"" + pids +
                    "\"; wait");
    auto running = processes.start(run);
    REQUIRE(running);
    while (::access(pids.c_str(), F_OK) != 0) ::usleep(1000);
  }
  std::ifstream in(pids);
  std::int64_t one = 0;
  std::int64_t below = 0;
  REQUIRE(in >> one >> below);
  // Whoever inherits the one below may take a moment to notice its end.
  for (int i = 0; i < 5000 && (processes.identity(one) || processes.identity(below)); ++i) ::usleep(1000);
  CHECK_FALSE(processes.identity(one));
  CHECK_FALSE(processes.identity(below));
}

TEST_CASE("a program need not read what it is given") {
  const std::string input(std::size_t{4} << 20, 'x');
  const Finished done = finished(shell("echo short", input));
  CHECK(done.output == "short\n");
  CHECK(done.status == 0);
  const Finished closed = finished(shell("exec <&-; echo closed", input));
  CHECK(closed.output == "closed\n");
}

TEST_CASE("of an output without end only the beginning is kept, and the program ends by itself") {
  Run run = shell("yes | head -c 3000000; exit 5");
  run.output_limit = 1000;
  const Finished done = finished(run);
  CHECK(done.output.size() == 1000);
  CHECK(done.output.substr(0, 4) == "y\ny\n");
  CHECK(done.status == 5);
}

TEST_CASE("a program that takes too long is ended, and so is what it started") {
  std::string script;
  SECTION("one that obeys") {
    script = "sleep 600";
  }
  SECTION("one that does not want to") {
    script = "trap '' TERM; sleep 600; sleep 600; sleep 600";
  }
  SECTION("one that closed its output") {
    script = "exec >&-; sleep 600";
  }
  SECTION("one with children") {
    script = "sleep 600 | sleep 600; echo end";
  }
  Run run = shell(script);
  run.timeout = std::chrono::milliseconds(300);
  const Finished done = finished(run);
  CHECK(done.timed_out);
  CHECK(done.status > 128);
}

TEST_CASE("what a program leaves behind with its output is ended when the time is over") {
  Run run = shell("sleep 600 & echo $!; exit 3");
  run.timeout = std::chrono::milliseconds(300);
  const Finished done = finished(run);
  CHECK(done.timed_out);
  CHECK(done.status == 3);
  const pid_t left = static_cast<pid_t>(std::atol(done.output.c_str()));
  REQUIRE(left > 0);
  // Its new parent takes its end, which may take a moment.
  for (int i = 0; i < 500 && ::kill(left, 0) == 0; ++i) ::usleep(10'000);
  CHECK(::kill(left, 0) != 0);
}

TEST_CASE("a signal that ends a program shows in its status") {
  CHECK(finished(shell("kill -9 $$")).status == 128 + 9);
}

}  // namespace plankeep::system

namespace plankeep::system {

TEST_CASE("a program that is left behind has a session of its own and nothing of ours open") {
  test::TemporaryFolder place;
  const std::string told = place.path_of("told");
  int ends[2] = {-1, -1};
  REQUIRE(::pipe(ends) == 0);  // not closed by an exec: what a client reads our answer from
  PosixProcesses processes;
  // It says what it has open (the list is that of ls, which has it from the shell), and whether it leads a
  // session.
  const std::string script =
      "{ ls -l /proc/self/fd; [ \"$(cut -d' ' -f6 /proc/$$/stat)\" = $$ ] && echo leads; } > '" + told +
      ".new'; mv '" + told + ".new' '" + told + "'";
  REQUIRE(processes.start_detached({{"/bin/sh", "-c", script}}));
  // Whoever reads our end is not kept waiting by it.
  REQUIRE(::close(ends[1]) == 0);
  char byte = 0;
  CHECK(::read(ends[0], &byte, 1) == 0);
  ::close(ends[0]);
  for (int i = 0; i < 3000 && ::access(told.c_str(), F_OK) != 0; ++i) ::usleep(10'000);
  std::ifstream file(told);
  const std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  CHECK(text.find("0 -> /dev/null") != std::string::npos);
  CHECK(text.find("2 -> /dev/null") != std::string::npos);
  CHECK(text.find("pipe:") == std::string::npos);
  CHECK(text.find("leads") != std::string::npos);
}

TEST_CASE("a program that is left behind is given more than a pipe holds, and nobody waits for it") {
  test::TemporaryFolder place;
  const std::string told = place.path() + "/told";
  const std::string script = "wc -c > '" + told + ".new'; mv '" + told + ".new' '" + told + "'";
  PosixProcesses processes;
  system::Detached program{{"/bin/sh", "-c", script}, std::string(1'000'000, 'x')};
  REQUIRE(processes.start_detached(program));
  for (int i = 0; i < 3000 && ::access(told.c_str(), F_OK) != 0; ++i) ::usleep(10'000);
  std::ifstream file(told);
  std::size_t bytes = 0;
  file >> bytes;
  CHECK(bytes == 1'000'000);
}

TEST_CASE("a program that was left behind and has ended is no zombie for long") {
  test::TemporaryFolder place;
  const std::string told = place.path_of("told");
  PosixProcesses processes;
  processes.collect_ended();
  REQUIRE(processes.start_detached(
      {{"/bin/sh", "-c", "echo $$ > '" + told + ".new'; mv '" + told + ".new' '" + told + "'"}}));
  for (int i = 0; i < 3000 && ::access(told.c_str(), F_OK) != 0; ++i) ::usleep(10'000);
  std::ifstream file(told);
  std::string number;
  REQUIRE(std::getline(file, number));
  const std::string entry = "/proc/" + number;
  for (int i = 0; i < 3000 && ::access(entry.c_str(), F_OK) == 0; ++i) {
    processes.collect_ended();
    ::usleep(10'000);
  }
  CHECK(::access(entry.c_str(), F_OK) != 0);
}

TEST_CASE("a program that is not there cannot be left behind") {
  PosixProcesses processes;
  const auto started = processes.start_detached({{"/nowhere/at/all"}});
  REQUIRE_FALSE(started);
  CHECK(started.error().kind == base::ErrorKind::not_found);
  CHECK_FALSE(processes.start_detached({}).has_value());
}

}  // namespace plankeep::system
