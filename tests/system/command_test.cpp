// A person's command lines: how they end, and that nothing of them is left.

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "support/temporary_folder.hpp"
#include "system/posix/posix_processes.hpp"

namespace plankeep::system {
namespace {

using base::ErrorKind;

// Long enough for the slowest machine: no test waits for it to pass.
constexpr std::chrono::milliseconds kLong = std::chrono::minutes(5);

class Listener : public CommandWatch {
 public:
  std::string heard;
  std::string stop_after;  // ends the command when this was said
  void said(std::string_view bytes) override { heard.append(bytes); }
  bool go_on(std::chrono::milliseconds) override {
    return stop_after.empty() || heard.find(stop_after) == std::string::npos;
  }
};

struct Told {
  Ended ended;
  std::string heard;
};

Told report(const Command& command, const std::string& stop_after = {}) {
  (void)std::signal(SIGPIPE, SIG_IGN);
  PosixProcesses processes;
  Listener listener;
  listener.stop_after = stop_after;
  auto ended = processes.run_command(command, listener);
  if (!ended) FAIL(ended.error().message);
  return {*ended, listener.heard};
}

Command line(const std::string& text) {
  Command command;
  command.line = text;
  command.folder = "/";
  command.timeout = kLong;
  return command;
}

// Where a handler of ours writes.
volatile std::sig_atomic_t woken = -1;

// The process that said its number as the first line.
pid_t first_number(const std::string& text) {
  return static_cast<pid_t>(std::atol(text.c_str()));
}

bool is_gone(pid_t process) {
  // A new parent takes its end, which may take a moment; where none does, it stays as a zombie.
  for (int i = 0; i < 3000; ++i) {
    if (::kill(process, 0) != 0) return true;
    std::ifstream stat("/proc/" + std::to_string(process) + "/stat");
    std::string all;
    std::getline(stat, all);
    if (all.find(") Z ") != std::string::npos) return true;
    ::usleep(10'000);
  }
  return false;
}

}  // namespace

TEST_CASE("a command gives its status and both its outputs in order") {
  const Told told = report(line("echo one; echo two >&2; echo three; exit 3"));
  CHECK(told.ended.status == 3);
  CHECK_FALSE(told.ended.timed_out);
  CHECK_FALSE(told.ended.interrupted);
  CHECK(told.heard == "one\ntwo\nthree\n");
}

TEST_CASE("a command runs in its folder and reads nothing") {
  test::TemporaryFolder folder;
  Command command = line("pwd -P; cat; echo end");
  command.folder = folder.path();
  CHECK(report(command).heard == folder.path() + "\nend\n");
}

TEST_CASE("a signal that ends the shell shows in the status") {
  CHECK(report(line("kill -9 $$")).ended.status == 128 + 9);
}

TEST_CASE("a folder that is not there is an error, and so is a zero byte") {
  PosixProcesses processes;
  Listener listener;
  Command command = line("true");
  command.folder = "/no/such/folder";
  CHECK(processes.run_command(command, listener).error().kind == ErrorKind::not_found);
  CHECK(processes.run_command(line(std::string("true\0x", 6)), listener).error().kind ==
        ErrorKind::invalid_input);
}

TEST_CASE("a command that takes too long is ended with everything that it started") {
  std::string text;
  SECTION("one that obeys") {
    text = "sleep 600 & echo $!; wait";
  }
  SECTION("one that does not want to") {
    text = "trap '' TERM; sleep 600 & echo $!; while :; do wait; done";
  }
  SECTION("one with its output closed") {
    text = "sleep 600 & echo $!; exec >&- 2>&-; wait";
  }
  SECTION("one that never stops talking") {
    text = "sleep 600 & echo $!; yes";
  }
  Command command = line(text);
  command.timeout = std::chrono::milliseconds(300);
  command.grace = std::chrono::milliseconds(200);
  const Told told = report(command);
  CHECK(told.ended.timed_out);
  CHECK(told.ended.status > 128);
  REQUIRE(first_number(told.heard) > 0);
  CHECK(is_gone(first_number(told.heard)));
}

TEST_CASE("a command is ended when its watch says so") {
  const Told told = report(line("sleep 600 & echo $!; echo ready; wait"), "ready");
  CHECK(told.ended.interrupted);
  CHECK_FALSE(told.ended.timed_out);
  CHECK(is_gone(first_number(told.heard)));
}

TEST_CASE("a command has ended when its shell has, and what it left is ended too") {
  std::string text;
  SECTION("with the output still open") {
    text = "sleep 600 & echo $!; exit 4";
  }
  SECTION("without it") {
    text = "sleep 600 >/dev/null 2>&1 & echo $!; exit 4";
  }
  SECTION("and not willing to") {
    text = "(trap '' TERM; sleep 600; sleep 600) >/dev/null 2>&1 & echo $!; exit 4";
  }
  Command command = line(text);
  command.grace = std::chrono::milliseconds(300);
  const Told told = report(command);
  CHECK(told.ended.status == 4);
  CHECK_FALSE(told.ended.timed_out);
  CHECK(is_gone(first_number(told.heard)));
}

TEST_CASE("ending a command's group never runs our own signal handlers") {
  std::array<int, 2> ends{};
  REQUIRE(::pipe2(ends.data(), O_NONBLOCK) == 0);
  woken = ends[1];
  struct sigaction action {};
  struct sigaction before {};
  action.sa_handler = [](int) { (void)!::write(woken, "", 1); };
  REQUIRE(::sigaction(SIGTERM, &action, &before) == 0);
  for (int i = 0; i < 300; ++i) CHECK(report(line(":")).ended.status == 0);
  (void)::sigaction(SIGTERM, &before, nullptr);
  char byte = 0;
  CHECK(::read(ends[0], &byte, 1) < 0);
  for (const int end : ends) (void)::close(end);
}

TEST_CASE("what is said at the very end is heard") {
  const Told told = report(line("head -c 300000 /dev/zero | tr '\\0' x; echo end"));
  CHECK(told.heard.size() == 300004);
  CHECK(told.heard.substr(300000) == "end\n");
}

TEST_CASE("a command dies with us, even when nobody can say goodbye") {
  int ends[2];
  REQUIRE(::pipe(ends) == 0);
  const pid_t we = ::fork();
  if (we == 0) {
    class Passing : public CommandWatch {
     public:
      explicit Passing(int to) : to_(to) {}
      void said(std::string_view bytes) override { (void)!::write(to_, bytes.data(), bytes.size()); }
      bool go_on(std::chrono::milliseconds) override { return true; }

     private:
      int to_;
    } passing(ends[1]);
    PosixProcesses processes;
    Command command = line("echo $$; trap '' TERM; sleep 600 & echo $!; wait; sleep 600");
    command.grace = std::chrono::milliseconds(100);
    (void)processes.run_command(command, passing);
    ::_exit(0);
  }
  REQUIRE(we > 0);
  ::close(ends[1]);
  std::string heard;
  char byte = 0;
  while (std::count(heard.begin(), heard.end(), '\n') < 2 && ::read(ends[0], &byte, 1) == 1) heard += byte;
  ::close(ends[0]);
  REQUIRE(::kill(we, SIGKILL) == 0);
  REQUIRE(::waitpid(we, nullptr, 0) == we);
  const pid_t shell = first_number(heard);
  const pid_t child = first_number(heard.substr(heard.find('\n') + 1));
  REQUIRE(shell > 0);
  REQUIRE(child > 0);
  CHECK(is_gone(shell));
  CHECK(is_gone(child));
}

TEST_CASE("variables of a program are set, replaced and left out, and its errors kept") {
  (void)std::signal(SIGPIPE, SIG_IGN);
  ::setenv("PLANKEEP_TEST_A", "ours", 1);
  ::setenv("PLANKEEP_TEST_B", "ours", 1);
  PosixProcesses processes;
  Run run;
  run.words = {"/bin/sh", "-c", "echo $PLANKEEP_TEST_A-$PLANKEEP_TEST_B-$PLANKEEP_TEST_C; echo no >&2"};
  run.timeout = kLong;
  run.variables = {"PLANKEEP_TEST_A=theirs", "PLANKEEP_TEST_C=new"};
  run.without = {"PLANKEEP_TEST_B"};
  run.keep_errors = true;
  const auto done = processes.run(run);
  ::unsetenv("PLANKEEP_TEST_A");
  ::unsetenv("PLANKEEP_TEST_B");
  REQUIRE(done);
  CHECK(done->output == "theirs--new\n");
  CHECK(done->errors == "no\n");
  CHECK_FALSE(done->cut);
  run.words = {"/bin/sh", "-c", "head -c 100000 /dev/zero >&2; echo 12345"};
  run.output_limit = 3;
  const auto much = processes.run(run);
  REQUIRE(much);
  CHECK(much->errors.size() == kErrorLimit);
  CHECK(much->output == "123");
  CHECK(much->cut);
}

}  // namespace plankeep::system
