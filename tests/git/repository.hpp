#pragma once
// A real repository in a temporary folder, with a configuration of its own.

#include <catch2/catch.hpp>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "git/git.hpp"
#include "support/temporary_folder.hpp"
#include "system/posix/posix_file_system.hpp"
#include "system/posix/posix_processes.hpp"
#include "worktree/work_content.hpp"

namespace plankeep::test {

class Repository {
 public:
  explicit Repository(bool init = true) {
    (void)std::signal(SIGPIPE, SIG_IGN);
    ::setenv("HOME", folder.path().c_str(), 1);
    ::setenv("GIT_CONFIG_NOSYSTEM", "1", 1);
    ::setenv("GIT_CONFIG_GLOBAL", "/dev/null", 1);
    ::setenv("GIT_CEILING_DIRECTORIES", "/tmp", 1);
    for (const char* who : {"AUTHOR", "COMMITTER"}) {
      ::setenv((std::string("GIT_") + who + "_NAME").c_str(), "Kim", 1);
      ::setenv((std::string("GIT_") + who + "_EMAIL").c_str(), "kim@example.org", 1);
    }
    if (init) git({"init", "-q", "-b", "main"});
  }

  system::Finished git(const std::vector<std::string>& words) {
    system::Finished done = try_git(words);
    INFO(done.errors);
    REQUIRE(done.status == 0);
    return done;
  }

  // One that may fail.
  system::Finished try_git(const std::vector<std::string>& words) {
    system::Run run;
    run.words = {"git", "-C", folder.path()};
    run.words.insert(run.words.end(), words.begin(), words.end());
    run.timeout = std::chrono::minutes(2);
    run.keep_errors = true;
    auto done = processes.run(run);
    REQUIRE(done);
    return std::move(*done);
  }

  void write(const std::string& name, const std::string& text) const {
    const std::filesystem::path path = folder.path_of(name);
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path, std::ios::binary) << text;
  }

  void commit_all(const std::string& message = "work") {
    git({"add", "-A"});
    git({"commit", "-q", "--allow-empty", "-m", message});
  }

  // A file that differs in the commit, the index and the work tree.
  void leave_changes() {
    write("a.txt", "committed\n");
    commit_all();
    write("a.txt", "staged\n");
    git({"add", "a.txt"});
    write("a.txt", "edited\n");
  }

  // Everything that must not change when something is written beside the user's work.
  std::string users_own() {
    // First: it may write down in the index what it has seen of files.
    const std::string status = git({"status", "--porcelain=v2", "--branch"}).output;
    return status + bytes_of(".git/index") + bytes_of(".git/config") + bytes_of(".git/HEAD") +
           git({"reflog", "--all"}).output;
  }

  git::WorkTree tree() {
    auto found = ask.work_tree(folder.path());
    REQUIRE(found);
    REQUIRE(*found);
    return **found;
  }

  std::string digest(const git::LeaveOut& leave_out = {}) {
    git::WorkContent content(processes, files, std::chrono::minutes(2));
    auto found = content.digest(folder.path(), leave_out);
    if (!found) FAIL(found.error().message);
    REQUIRE(*found);
    return **found;
  }

  bool dirty(const git::LeaveOut& leave_out = {}) {
    auto found = ask.dirty(tree(), leave_out);
    REQUIRE(found);
    return *found;
  }

  std::string bytes_of(const std::string& name) const {
    std::ifstream in(folder.path_of(name), std::ios::binary);
    return std::string(std::istreambuf_iterator<char>(in), {});
  }

  test::TemporaryFolder folder;
  system::PosixProcesses processes;
  system::PosixFileSystem files;
  git::Git ask{processes, files, std::chrono::minutes(2)};
};

}  // namespace plankeep::test
