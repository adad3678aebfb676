#include "git/git.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "git/git_output.hpp"

namespace plankeep::git {
namespace {

using base::ErrorKind;
using base::Result;
using base::Status;

// 256 MiB hold the names of more than a million files.
constexpr std::size_t kOutputLimit = std::size_t{256} << 20;

// Of `git rev-parse --local-env-vars` those that say where a repository, its index or its objects are, and
// what changes how paths and differences are read. Configuration by variables is the user's and stays.
constexpr std::array<std::string_view, 19> kOfOtherRepositories{"GIT_ALTERNATE_OBJECT_DIRECTORIES",
                                                                "GIT_CONFIG",
                                                                "GIT_OBJECT_DIRECTORY",
                                                                "GIT_DIR",
                                                                "GIT_WORK_TREE",
                                                                "GIT_IMPLICIT_WORK_TREE",
                                                                "GIT_GRAFT_FILE",
                                                                "GIT_INDEX_FILE",
                                                                "GIT_NO_REPLACE_OBJECTS",
                                                                "GIT_REPLACE_REF_BASE",
                                                                "GIT_PREFIX",
                                                                "GIT_SHALLOW_FILE",
                                                                "GIT_COMMON_DIR",
                                                                "GIT_LITERAL_PATHSPECS",
                                                                "GIT_GLOB_PATHSPECS",
                                                                "GIT_NOGLOB_PATHSPECS",
                                                                "GIT_ICASE_PATHSPECS",
                                                                "GIT_EXTERNAL_DIFF",
                                                                "GIT_DIFF_OPTS"};

}  // namespace

Result<system::Finished> GitRunning::finish() {
  TRY_ASSIGN(system::Finished finished, running_->finish());
  if (finished.timed_out) {
    return base::fail(ErrorKind::busy, "git took longer than " + std::to_string(timeout_.count()) + " ms");
  }
  if (finished.cut) return base::fail(ErrorKind::io, "git printed too much output");
  return finished;
}

Result<system::Finished> Git::run(const std::string& folder, const std::vector<std::string>& words,
                                  std::string_view input, const GitRun& how) {
  TRY_ASSIGN(GitRunning running, start(folder, words, input, how));
  return running.finish();
}

Result<GitRunning> Git::start(const std::string& folder, const std::vector<std::string>& words,
                              std::string_view input, const GitRun& how) {
  std::vector<std::string> all{"-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null"};
  all.insert(all.end(), words.begin(), words.end());
  return begin(folder, all, input, how);
}

Result<system::Finished> Git::run_for_user(const std::string& folder, const std::vector<std::string>& words,
                                           std::string_view input, std::chrono::milliseconds timeout) {
  system::Run run;
  run.words = {"git", "--no-pager", "-C", folder};
  run.words.insert(run.words.end(), words.begin(), words.end());
  run.input = input;
  run.timeout = timeout;
  run.own_group = false;
  run.without.assign(kOfOtherRepositories.begin(), kOfOtherRepositories.end());
  return processes_.run(run);
}

Result<system::Finished> Git::ask(const std::string& folder, const std::vector<std::string>& words,
                                  std::string_view input, const GitRun& how) {
  TRY_ASSIGN(GitRunning running, begin(folder, words, input, how));
  return running.finish();
}

Result<GitRunning> Git::begin(const std::string& folder, const std::vector<std::string>& words,
                              std::string_view input, const GitRun& how) {
  const std::chrono::milliseconds timeout = how.timeout.value_or(timeout_);
  system::Run run;
  run.words = {"git", "--no-pager", "-C", folder};
  run.words.insert(run.words.end(), words.begin(), words.end());
  run.input = input;
  run.timeout = timeout;
  run.output_limit = how.output_limit.value_or(kOutputLimit);
  run.keep_errors = true;
  // Its messages in one language: they are passed on, and some are recognised.
  run.variables = {"GIT_OPTIONAL_LOCKS=0", "GIT_TERMINAL_PROMPT=0", "LC_ALL=C"};
  run.variables.insert(run.variables.end(), how.variables.begin(), how.variables.end());
  run.without.assign(kOfOtherRepositories.begin(), kOfOtherRepositories.end());
  TRY_ASSIGN(auto running, processes_.start(run));
  return GitRunning(std::move(running), timeout);
}

Result<std::string> Git::good(const std::string& folder, const std::vector<std::string>& words,
                              std::string_view input) {
  TRY_ASSIGN(system::Finished finished, run(folder, words, input));
  if (finished.status != 0) return base::fail(refused(finished));
  return std::move(finished.output);
}

// Of three paths on a line each. One that holds a line feed itself is asked for alone.
Status Git::read_places(const std::string& folder, std::string_view told, WorkTree& tree) {
  if (std::count(told.begin(), told.end(), '\n') == 3) {
    tree.git_dir = take_until(told, '\n');
    tree.common_dir = take_until(told, '\n');
    tree.top = take_until(told, '\n');
  } else {
    constexpr std::string_view kAbsolute = "--path-format=absolute";
    const auto path = [&](const char* which) {
      return good(folder, {"rev-parse", std::string(kAbsolute), which});
    };
    TRY_ASSIGN(std::string git_dir, path("--git-dir"));
    TRY_ASSIGN(std::string common_dir, path("--git-common-dir"));
    TRY_ASSIGN(std::string top, path("--show-toplevel"));
    tree.git_dir = without_line_feed(std::move(git_dir));
    tree.common_dir = without_line_feed(std::move(common_dir));
    tree.top = without_line_feed(std::move(top));
  }
  const bool paths =
      tree.git_dir.starts_with('/') && tree.common_dir.starts_with('/') && tree.top.starts_with('/');
  if (paths && tree.object_format.starts_with("sha")) return {};
  return base::fail(ErrorKind::io, "unexpected output from git rev-parse");
}

Result<std::optional<WorkTree>> Git::work_tree(const std::string& folder) {
  TRY_ASSIGN(const system::Finished finished,
             run(folder, {"rev-parse", "--path-format=absolute", "--git-dir", "--git-common-dir",
                          "--show-toplevel", "--show-object-format", "--revs-only", "HEAD"}));
  if (finished.status != 0) {
    if (no_work_tree(finished)) return std::optional<WorkTree>();
    return base::fail(refused(finished));
  }
  WorkTree tree;
  std::string_view rest = finished.output;
  std::string last = take_last_line(rest);
  if (is_id(last)) {
    tree.head = std::move(last);
    last = take_last_line(rest);
  }
  tree.object_format = std::move(last);
  TRY(read_places(folder, rest, tree));
  return std::optional(std::move(tree));
}

Result<std::vector<std::string>> Git::config_values(const std::string& folder, const std::string& key) {
  TRY_ASSIGN(const system::Finished finished, ask(folder, {"config", "--null", "--get-all", key}));
  std::vector<std::string> values;
  if (finished.status == 1 && finished.errors.empty()) return values;
  if (finished.status != 0) return base::fail(refused(finished));
  std::string_view rest = finished.output;
  while (!rest.empty()) values.emplace_back(take_until(rest, '\0'));
  return values;
}

Result<std::optional<std::string>> Git::config(const std::string& folder, const std::string& key) {
  TRY_ASSIGN(std::vector<std::string> values, config_values(folder, key));
  if (values.empty()) return std::optional<std::string>();
  return std::optional(std::move(values.back()));
}

Result<std::optional<Git::Configured>> Git::configured(const std::string& folder, const std::string& key) {
  TRY_ASSIGN(const system::Finished finished,
             ask(folder, {"config", "--null", "--show-scope", "--get", key}));
  if (finished.status == 1 && finished.errors.empty()) return std::optional<Configured>();
  if (finished.status != 0) return base::fail(refused(finished));
  std::string_view rest = finished.output;
  Configured configured;
  configured.scope = take_until(rest, '\0');
  configured.value = take_until(rest, '\0');
  return std::optional(std::move(configured));
}

Status Git::set_config(const std::string& folder, const std::string& key,
                       const std::optional<std::string>& value) {
  if (value) {
    TRY_ASSIGN(const system::Finished finished,
               ask(folder, {"config", "--local", "--replace-all", key, *value}));
    if (finished.status != 0) return base::fail(refused(finished));
    return {};
  }
  TRY_ASSIGN(const system::Finished finished, ask(folder, {"config", "--local", "--unset-all", key}));
  constexpr int kNotSet = 5;  // git-config(1)
  if (finished.status != 0 && finished.status != kNotSet) return base::fail(refused(finished));
  return {};
}

Result<std::string> Git::git_path(const std::string& folder, const std::string& name) {
  TRY_ASSIGN(system::Finished finished,
             ask(folder, {"rev-parse", "--path-format=absolute", "--git-path", name}));
  if (finished.status != 0) return base::fail(refused(finished));
  return without_line_feed(std::move(finished.output));
}

std::vector<std::string> Git::work_trees(const std::string& folder) {
  std::vector<std::string> tops;
  const auto list = run(folder, {"worktree", "list", "--porcelain", "-z"});
  if (!list || list->status != 0) return tops;
  for (std::string_view rest = list->output; !rest.empty();) {
    constexpr std::string_view kKey = "worktree ";
    const std::string_view line = take_until(rest, '\0');
    if (!line.starts_with(kKey)) continue;
    auto real = files_.real_path(std::string(line.substr(kKey.size())));
    if (real) tops.push_back(std::move(*real));
  }
  return tops;
}

}  // namespace plankeep::git
