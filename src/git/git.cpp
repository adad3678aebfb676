#include "git/git.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "base/sha256.hpp"

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

// The tree without files: its id is the same in every repository of a format.
constexpr std::string_view kEmptyTree = "4b825dc642cb6eb9a060e54bf8d69288fbee4904";
constexpr std::string_view kEmptyTreeSha256 =
    "6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321";

bool is_id(std::string_view text) {
  return (text.size() == 40 || text.size() == 64) &&
         text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

bool is_zero(std::string_view id) {
  return id.find_first_not_of('0') == std::string_view::npos;
}

// The first line of what git said.
std::string words_of(const system::Finished& finished) {
  std::string_view said = finished.errors;
  said = said.substr(0, said.find('\n'));
  if (said.empty()) return "it ended with status " + std::to_string(finished.status);
  return std::string(said);
}

base::Error refused(const system::Finished& finished) {
  return {ErrorKind::io, "git refuses: " + words_of(finished), {}, {}};
}

// Takes the part up to `end` off the front of `text`; all of it when there is no `end`.
std::string_view take_until(std::string_view& text, char end) {
  const std::size_t at = text.find(end);
  const std::string_view part = text.substr(0, at);
  text.remove_prefix(at == std::string_view::npos ? text.size() : at + 1);
  return part;
}

std::string without_line_feed(std::string text) {
  if (text.ends_with('\n')) text.pop_back();
  return text;
}

std::string parent_of(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  return slash == 0 ? "/" : path.substr(0, slash);
}

}  // namespace

// A tracked file whose content in the work tree is not the one in the index.
struct Git::Changed {
  std::size_t entry = 0;  // its place in the list
  std::string mode;
  std::string path;
  std::string id;
};

Result<system::Finished> Git::run(const std::string& folder, const std::vector<std::string>& words,
                                  std::string_view input) {
  std::vector<std::string> all{"-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null"};
  all.insert(all.end(), words.begin(), words.end());
  return ask(folder, all, input);
}

Result<system::Finished> Git::ask(const std::string& folder, const std::vector<std::string>& words,
                                  std::string_view input) {
  system::Run run;
  run.words = {"git", "--no-pager", "-C", folder};
  run.words.insert(run.words.end(), words.begin(), words.end());
  run.input = input;
  run.patience = patience_;
  run.output_limit = kOutputLimit;
  run.keep_errors = true;
  // Its messages in one language: they are passed on, and some are recognised.
  run.variables = {"GIT_OPTIONAL_LOCKS=0", "GIT_TERMINAL_PROMPT=0", "LC_ALL=C"};
  run.without.assign(kOfOtherRepositories.begin(), kOfOtherRepositories.end());
  TRY_ASSIGN(system::Finished finished, processes_.run(run));
  if (finished.timed_out) {
    return base::fail(ErrorKind::busy, "git took longer than " + std::to_string(patience_.count()) + " ms");
  }
  if (finished.cut) return base::fail(ErrorKind::io, "git said too much");
  return finished;
}

Result<std::string> Git::good(const std::string& folder, const std::vector<std::string>& words,
                              std::string_view input) {
  TRY_ASSIGN(system::Finished finished, run(folder, words, input));
  if (finished.status != 0) return base::fail(refused(finished));
  return std::move(finished.output);
}

Result<std::optional<WorkTree>> Git::work_tree(const std::string& folder) {
  TRY_ASSIGN(const system::Finished finished,
             run(folder, {"rev-parse", "--show-toplevel", "--show-object-format", "--revs-only", "HEAD"}));
  if (finished.status != 0) {
    const bool none = finished.errors.find("not a git repository") != std::string::npos ||
                      finished.errors.find("must be run in a work tree") != std::string::npos;
    if (none) return std::optional<WorkTree>();
    return base::fail(refused(finished));
  }
  // From the end: a folder's name may hold a line feed.
  WorkTree tree;
  std::string_view rest = finished.output;
  const auto take_last = [&rest] {
    if (rest.ends_with('\n')) rest.remove_suffix(1);
    const std::size_t start = rest.rfind('\n') + 1;  // npos + 1 is 0
    const std::string_view line = rest.substr(start);
    rest = rest.substr(0, start);
    return std::string(line);
  };
  std::string last = take_last();
  if (is_id(last)) {
    tree.head = std::move(last);
    last = take_last();
  }
  tree.object_format = std::move(last);
  if (rest.ends_with('\n')) rest.remove_suffix(1);
  tree.top = std::string(rest);
  if (!tree.top.starts_with('/') || !tree.object_format.starts_with("sha"))
    return base::fail(ErrorKind::io, "git says something else than where its work tree is");
  return std::optional(std::move(tree));
}

Result<std::string> Git::tracked_digest(const WorkTree& tree, const LeaveOut& leave_out) {
  // Compared with a tree without files every tracked file is new: one process lists all of them, with the id
  // of the content where the index is right about it, and zeros where the file was changed since. A file that
  // is gone is not listed.
  const std::string_view empty = tree.object_format == "sha256" ? kEmptyTreeSha256 : kEmptyTree;
  TRY_ASSIGN(const std::string output,
             good(tree.top, {"diff-index", "--raw", "-z", "--no-renames", "--no-ext-diff",
                             "--ignore-submodules=dirty", std::string(empty)}));
  struct Entry {
    std::string_view mode;
    std::string_view id;
    std::string_view path;
  };
  std::vector<Entry> entries;
  std::vector<Changed> changed;
  std::string_view rest = output;
  while (!rest.empty()) {
    // gitdiff-core, raw output: ":000000 100644 000… <id> A" NUL path NUL.
    std::string_view facts = take_until(rest, '\0');
    const std::string_view path = take_until(rest, '\0');
    if (!facts.starts_with(':') || path.empty())
      return base::fail(ErrorKind::io, "git diff-index says something else than files");
    if (leave_out && leave_out(path)) continue;
    take_until(facts, ' ');
    const std::string_view mode = take_until(facts, ' ');
    take_until(facts, ' ');
    const std::string_view id = take_until(facts, ' ');
    // An unmerged path comes once as such ("U") and once more with its file, where there is one.
    if (facts.starts_with('U')) continue;
    if (is_zero(id)) changed.push_back({entries.size(), std::string(mode), std::string(path), {}});
    entries.push_back({mode, id, path});
  }
  TRY(identify(tree, changed));
  for (const Changed& file : changed) entries[file.entry].id = file.id;

  std::string list;
  list.reserve(output.size());
  for (const Entry& entry : entries) {
    if (entry.id.empty()) continue;  // it went while we looked
    list.append(entry.mode).append(1, ' ').append(entry.id).append(1, ' ').append(entry.path).append(1, '\0');
  }
  return base::sha256_hex(list);
}

// The ids that git would give to the changed files.
Status Git::identify(const WorkTree& tree, std::vector<Changed>& changed) {
  std::string paths;
  std::vector<Changed*> together;
  together.reserve(changed.size());
  for (Changed& file : changed) {
    // hash-object follows links, reads a path a line, and stops at the first that is not there.
    const bool regular = file.mode.starts_with("100") && file.path.find('\n') == std::string::npos &&
                         !file.path.starts_with('"');
    if (regular) {
      paths += file.path + "\n";
      together.push_back(&file);
    } else {
      TRY_ASSIGN(file.id, identify_one(tree, file));
    }
  }
  if (together.empty()) return {};
  TRY_ASSIGN(const system::Finished finished, run(tree.top, {"hash-object", "--stdin-paths"}, paths));
  std::string_view rest = finished.output;
  if (finished.status == 0) {
    for (Changed* file : together) file->id = std::string(take_until(rest, '\n'));
    return {};
  }
  for (Changed* file : together) {
    TRY_ASSIGN(file->id, identify_one(tree, *file));
  }
  return {};
}

// Empty when the file is not there.
Result<std::string> Git::identify_one(const WorkTree& tree, const Changed& file) {
  const std::string path = tree.top + "/" + file.path;
  if (file.mode == "160000") {
    TRY_ASSIGN(const auto submodule, work_tree(path));
    return submodule ? submodule->head : std::string();
  }
  if (file.mode == "120000") {
    auto folder = files_.open_folder(parent_of(path));
    if (!folder) return std::string();
    auto target = (*folder)->read_link(path.substr(path.rfind('/') + 1));
    if (!target) return std::string();
    TRY_ASSIGN(std::string id, good(tree.top, {"hash-object", "--stdin", "--no-filters"}, *target));
    return without_line_feed(std::move(id));
  }
  TRY_ASSIGN(system::Finished finished, run(tree.top, {"hash-object", "--", file.path}));
  if (finished.status == 0) return without_line_feed(std::move(finished.output));
  const auto info = files_.info(path);
  if (info && info->kind == system::FileKind::missing) return std::string();
  return base::fail(refused(finished));
}

Result<bool> Git::dirty(const WorkTree& tree, const LeaveOut& leave_out) {
  TRY_ASSIGN(const Standing now, standing(tree, leave_out));
  return now.dirty;
}

Result<Standing> Git::standing(const WorkTree& tree, const LeaveOut& leave_out) {
  TRY_ASSIGN(const std::string output,
             good(tree.top, {"status", "--porcelain=v2", "--branch", "--no-ahead-behind", "-z",
                             "--untracked-files=no", "--no-renames", "--ignore-submodules=dirty"}));
  Standing now;
  std::string_view rest = output;
  while (!rest.empty()) {
    // git-status, porcelain format version 2: "# branch.oid <id>" or "(initial)"; "1" and eight fields, "u"
    // and ten, the path last.
    std::string_view entry = take_until(rest, '\0');
    constexpr std::string_view kHead = "# branch.oid ";
    if (entry.starts_with(kHead)) {
      entry.remove_prefix(kHead.size());
      if (is_id(entry)) now.head = std::string(entry);
      continue;
    }
    if (entry.starts_with('#')) continue;
    for (int fields = entry.starts_with('u') ? 10 : 8; fields > 0; --fields) take_until(entry, ' ');
    if (!entry.empty() && !(leave_out && leave_out(entry))) now.dirty = true;
  }
  return now;
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

}  // namespace plankeep::git
