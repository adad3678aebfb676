#pragma once
// A repository whose work tree is snapshotted and put back.

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "git/repository.hpp"
#include "worktree/restore_tree.hpp"
#include "worktree/snapshot.hpp"

namespace plankeep::test {

namespace fs = std::filesystem;

inline constexpr base::Instant kTime{1'795'189'430'000};

inline std::string file_text(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return std::string(std::istreambuf_iterator<char>(in), {});
}

// Every file below `top` but the repository's own: "x", "l" or "f" and the content.
inline std::map<std::string, std::string> everything(const std::string& top) {
  std::map<std::string, std::string> found;
  for (auto it = fs::recursive_directory_iterator(top); it != fs::recursive_directory_iterator(); ++it) {
    const std::string path = fs::relative(it->path(), top).string();
    if (path == ".git") {
      it.disable_recursion_pending();
      continue;
    }
    if (it->is_symlink()) {
      found[path] = "l" + fs::read_symlink(it->path()).string();
    } else if (it->is_regular_file()) {
      const bool runs = (it->status().permissions() & fs::perms::owner_exec) != fs::perms::none;
      found[path] = (runs ? "x" : "f") + file_text(it->path());
    } else if (it->is_directory() && fs::is_empty(it->path())) {
      found[path] = "d";
    }
  }
  return found;
}

// All that belongs to the user in the repository: what must be the same before and after.
inline std::map<std::string, std::string> users_own(const std::string& top) {
  std::map<std::string, std::string> found;
  const std::string git = top + "/.git";
  for (auto it = fs::recursive_directory_iterator(git); it != fs::recursive_directory_iterator(); ++it) {
    const std::string path = fs::relative(it->path(), git).string();
    if (path == "objects" || path == "plankeep" || path == "refs/plankeep") {
      it.disable_recursion_pending();
      continue;
    }
    if (it->is_regular_file()) found[path] = file_text(it->path());
  }
  return found;
}

class World : public Repository {
 public:
  explicit World(bool init = true) : Repository(init) {}

  git::Snapshots snapshots(const std::string& below = {}, git::LeaveOut leave_out = {}) {
    auto place = git::open_snapshots(processes, files, below.empty() ? folder.path() : folder.path_of(below));
    if (!place) FAIL(place.error().message);
    REQUIRE(*place);
    return git::Snapshots(processes, files, **place, std::move(leave_out));
  }

  git::Captured capture(const git::SnapshotLimits& limits = {}) {
    git::Snapshots all = snapshots();
    auto captured = all.capture(limits);
    if (!captured) FAIL(captured.error().message);
    return *captured;
  }

  git::Snapshot take(const std::string& name, const git::SnapshotLimits& limits = {}) {
    git::Snapshots all = snapshots();
    auto captured = all.capture(limits);
    if (!captured) FAIL(captured.error().message);
    auto kept =
        all.keep(*captured, git::snapshot_ref(all.place(), folder.path_of("p/plan.md"), name), kTime, name);
    if (!kept) FAIL(kept.error().message);
    return *kept;
  }

  // The whole way back, as the caller does it.
  git::RestorePlan go_back(const git::Snapshot& target, const git::LeaveOut& skip = {}) {
    git::Snapshots all = snapshots();
    git::TreeRestore restore(all, files);
    REQUIRE(restore.begin());
    const git::Captured now = capture();
    auto plan = restore.preview(now, target, skip);
    if (!plan) FAIL(plan.error().message);
    const auto staged = restore.stage(*plan, "a note");
    if (!staged) FAIL(staged.error().message);
    CHECK(capture().tree == now.tree);
    const auto moved = restore.move();
    if (!moved) FAIL(moved.error().message);
    REQUIRE(restore.finish());
    CHECK_FALSE(fs::exists(all.place().git_dir + "/plankeep/rewind"));
    return *plan;
  }

  std::vector<std::string> paths_of(const std::string& tree) {
    std::vector<std::string> paths;
    std::string_view rest;
    const auto listed = git({"ls-tree", "-r", "-z", "--name-only", tree});
    rest = listed.output;
    while (!rest.empty()) {
      paths.emplace_back(rest.substr(0, rest.find('\0')));
      rest.remove_prefix(paths.back().size() + 1);
    }
    return paths;
  }

  std::string content_of(const std::string& tree, const std::string& path) {
    return git({"cat-file", "blob", tree + ":" + path}).output;
  }
};

}  // namespace plankeep::test
