#include "worktree/work_status.hpp"

#include <algorithm>
#include <charconv>
#include <optional>

#include "git/git_output.hpp"

namespace plankeep::git {
namespace {

using base::ErrorKind;
using base::Result;
using base::Status;
using core::FileChange;

std::optional<std::int64_t> number_in(std::string_view text) {
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size() || text.empty()) return std::nullopt;
  return number;
}

void read_header(std::string_view line, WorkStatus& work) {
  constexpr std::string_view kHead = "branch.oid ";
  constexpr std::string_view kBranch = "branch.head ";
  constexpr std::string_view kAhead = "branch.ab +";
  if (line.starts_with(kHead)) {
    const std::string_view head = line.substr(kHead.size());
    if (head != "(initial)") work.head = std::string(head);
  } else if (line.starts_with(kBranch)) {
    const std::string_view branch = line.substr(kBranch.size());
    if (branch != "(detached)") work.status.branch = std::string(branch);
  } else if (line.starts_with(kAhead)) {
    line.remove_prefix(kAhead.size());
    work.status.commit_count = number_in(take_until(line, ' '));
  }
}

// Of the letters for the index and for the work tree.
std::string_view status_of(char index, char tree) {
  if (index == 'D' || tree == 'D') return "deleted";
  if (index == 'A' || tree == 'A') return "added";
  if (index == 'T' || tree == 'T') return "type_changed";
  return "modified";
}

}  // namespace

Result<WorkStatus> read_work_status(std::string_view output) {
  WorkStatus work;
  while (!output.empty()) {
    // git-status(1), porcelain format version 2: "# ", "1 XY" and seven more fields, "u XY" and nine more,
    // "? ", the path last.
    std::string_view entry = take_until(output, '\0');
    if (entry.size() < 3 || entry[1] != ' ') {
      return base::fail(ErrorKind::io, "unexpected output from git status");
    }
    const char kind = entry.front();
    entry.remove_prefix(2);
    if (kind == '#') {
      read_header(entry, work);
    } else if (kind == '?') {
      ++work.status.untracked_files;
      work.files.push_back({std::string(entry), "untracked", std::nullopt, std::nullopt});
    } else if (kind == '1' || kind == 'u') {
      const char index = entry[0];
      const char tree = entry[1];
      for (int fields = kind == 'u' ? 9 : 7; fields > 0; --fields) take_until(entry, ' ');
      if (entry.empty()) return base::fail(ErrorKind::io, "unexpected output from git status: no file name");
      if (kind == 'u') {
        work.both = true;
        ++work.status.unstaged_files;
        work.files.push_back({std::string(entry), "unmerged", std::nullopt, std::nullopt});
        continue;
      }
      if (index != '.') ++work.status.staged_files;
      if (tree != '.') ++work.status.unstaged_files;
      (tree == '.' ? work.staged : index == '.' ? work.changed : work.both) = true;
      work.files.push_back(
          {std::string(entry), std::string(status_of(index, tree)), std::nullopt, std::nullopt});
    }
  }
  std::sort(work.files.begin(), work.files.end(),
            [](const FileChange& a, const FileChange& b) { return a.path < b.path; });
  return work;
}

void read_numstat(std::string_view output, std::vector<FileChange>& files) {
  while (!output.empty()) {
    // "<added> TAB <removed> TAB <path>", "-" for what is no text.
    std::string_view entry = take_until(output, '\0');
    const auto added = number_in(take_until(entry, '\t'));
    const auto removed = number_in(take_until(entry, '\t'));
    if (!added || !removed) continue;
    const auto file =
        std::lower_bound(files.begin(), files.end(), entry,
                         [](const FileChange& a, std::string_view path) { return a.path < path; });
    if (file != files.end() && file->path == entry) file->lines_changed = *added + *removed;
  }
}

Result<WorkStatusQuestion> WorkStatusQuestion::ask(Git& git, const std::string& folder) {
  TRY_ASSIGN(GitRunning running,
             git.start(folder, {"status", "--porcelain=v2", "--branch", "--ahead-behind", "-z",
                                "--untracked-files=all", "--no-renames", "--ignore-submodules=dirty"}));
  return WorkStatusQuestion(git, folder, std::move(running));
}

Status WorkStatusQuestion::count_lines(WorkStatus& work) {
  const auto ask = [&](std::vector<std::string> words, const std::vector<std::string>& rest) {
    words.insert(words.end(), {"--numstat", "-z", "--no-renames", "--no-ext-diff", "--no-textconv",
                               "--ignore-submodules=dirty"});
    words.insert(words.end(), rest.begin(), rest.end());
    return git_->start(folder_, words);
  };
  std::vector<Result<GitRunning>> running;
  if (work.both) {
    running.push_back(ask({"diff-index"}, {work.head, "--"}));
  } else {
    if (work.staged) running.push_back(ask({"diff-index", "--cached"}, {work.head, "--"}));
    std::vector<std::string> paths{"--"};
    for (const FileChange& file : work.files) {
      if (file.status != "untracked" && paths.size() <= kMostCounted)
        paths.push_back(":(top,literal)" + file.path);
    }
    if (work.changed) running.push_back(ask({"diff-files"}, paths));
  }
  for (Result<GitRunning>& one : running) {
    if (!one) return base::fail(std::move(one.error()));
    TRY_ASSIGN(const system::Finished lines, one->finish());
    if (lines.status != 0) return base::fail(refused(lines));
    read_numstat(lines.output, work.files);
  }
  return {};
}

Result<std::optional<WorkStatus>> WorkStatusQuestion::answer() {
  TRY_ASSIGN(const system::Finished finished, status_.finish());
  if (finished.status != 0) {
    if (no_work_tree(finished)) return std::optional<WorkStatus>();
    return base::fail(refused(finished));
  }
  TRY_ASSIGN(WorkStatus work, read_work_status(finished.output));
  if (!work.head.empty()) TRY(count_lines(work));
  return std::optional(std::move(work));
}

}  // namespace plankeep::git
