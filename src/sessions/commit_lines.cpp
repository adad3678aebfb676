#include "sessions/commit_lines.hpp"

#include <algorithm>
#include <set>

#include "git/git_output.hpp"

namespace plankeep::app {
namespace {

using base::Result;

// Entire's own folder is nobody's work.
bool is_entires(std::string_view path) {
  return path.starts_with(".entire/");
}

std::string name_in(const std::string& tree, const std::string& path) {
  return tree + ":" + path;
}

}  // namespace

CommitLines::CommitLines(git::Git& git, const git::WorkTree& tree, git::Commits& commits,
                         const git::CommitFacts& commit, std::vector<std::string> changed, FilesBehind behind)
    : git_(git),
      commits_(commits),
      top_(tree.top),
      commit_(commit.sha),
      time_(commit.time),
      parent_(commit.parents.empty() ? std::string() : commit.parents.front()),
      changed_(std::move(changed)),
      behind_(std::move(behind)) {
  std::erase_if(changed_, is_entires);
}

Result<std::optional<std::string>> CommitLines::load(const std::vector<Wanted>& wanted) {
  using Reason = std::optional<std::string>;
  std::set<std::string> names;
  for (const Wanted& one : wanted) {
    if (one.tree.empty()) continue;
    if (one.path.find('\n') != std::string::npos) return Reason("the name of a file has a line feed");
    std::string name = name_in(one.tree, one.path);
    if (!texts_.contains(name)) names.insert(std::move(name));
  }
  if (names.size() > 4 * kMostComparedFiles) return Reason("the commit changes too many files to compare");
  if (names.empty()) return Reason();
  std::string input;
  for (const std::string& name : names) input += name + "\n";
  // Sizes first: what is too large is not read at all.
  TRY_ASSIGN(const auto told, git_.run(top_, {"cat-file", "--batch-check=%(objectsize)"}, input));
  if (told.status != 0) return Reason("git cannot read the files of the commit");
  std::string_view lines = told.output;
  while (!lines.empty()) {
    const std::string_view line = git::take_until(lines, '\n');
    std::uint64_t size = 0;
    if (git::read_number(line, size)) bytes_ += size;  // else it is missing
  }
  if (bytes_ > kMostComparedBytes) return Reason("the files of the commit are too large to compare");
  const std::vector<std::string> list(names.begin(), names.end());
  TRY_ASSIGN(auto read, commits_.files_at(list));
  for (std::size_t i = 0; i < list.size(); ++i) texts_.emplace(list[i], std::move(read[i]));
  return Reason();
}

Result<std::optional<std::vector<std::string>>> CommitLines::paths_between(const std::string& from,
                                                                           const std::string& to) {
  using Paths = std::optional<std::vector<std::string>>;
  TRY_ASSIGN(const auto told, git_.run(top_, {"diff-tree", "-r", "-z", "--name-only", "--no-renames",
                                              "--end-of-options", from, to}));
  if (told.status != 0) return Paths();
  std::vector<std::string> paths;
  std::string_view rest = told.output;
  while (!rest.empty()) paths.emplace_back(git::take_until(rest, '\0'));
  return Paths(std::move(paths));
}

void CommitLines::convert_line_ends(const std::string& tree, const std::string& path) {
  constexpr std::string_view kLineEnd = "\r\n";
  const auto has_them = [&](const std::string& where) {
    return text_or_nothing(where, path).find(kLineEnd) != std::string_view::npos;
  };
  const bool is_snapshot = tree != parent_ && tree != commit_;
  if (!is_snapshot || !has_them(tree) || has_them(parent_) || has_them(commit_)) return;
  std::string& whole = *texts_.find(name_in(tree, path))->second;
  std::size_t kept = 0;
  for (std::size_t at = 0; at < whole.size(); ++at) {
    if (whole.compare(at, kLineEnd.size(), kLineEnd) != 0) whole[kept++] = whole[at];
  }
  whole.resize(kept);
}

void CommitLines::leave_out(const std::string& tree, const std::string& path) {
  const auto behind = behind_.texts.find(path);
  const std::string* commit = text(commit_, path);
  if (tree == parent_ || tree == commit_ || behind == behind_.texts.end() || commit == nullptr) return;
  const auto snapshot = texts_.find(name_in(tree, path));
  if (snapshot == texts_.end() || !snapshot->second || !without_left_out_.insert(snapshot->first).second)
    return;
  snapshot->second = core::without_lines_left_out(*snapshot->second, text_or_nothing(parent_, path), *commit,
                                                  behind->second);
}

const std::string* CommitLines::text(const std::string& tree, const std::string& path) const {
  const auto found = texts_.find(name_in(tree, path));
  return found == texts_.end() || !found->second ? nullptr : &*found->second;
}

std::string_view CommitLines::text_or_nothing(const std::string& tree, const std::string& path) const {
  const std::string* found = text(tree, path);
  return found == nullptr ? std::string_view() : std::string_view(*found);
}

std::vector<CommitLines::Wanted> CommitLines::of_commit(const std::vector<std::string>& paths) const {
  std::vector<Wanted> wanted;
  for (const std::string& path : paths) {
    wanted.push_back({parent_, path});
    wanted.push_back({commit_, path});
  }
  return wanted;
}

Result<CompatibleLines> CommitLines::compatible(const std::string& session, const core::SessionPart& part,
                                                const std::vector<core::WorkMoment>& moments,
                                                core::AttributionMetric metric) {
  CompatibleLines found;
  core::AttributionChoice chosen = core::choose_trees(moments, session, part, parent_, time_);
  if (!chosen.trees) {
    found.reason = std::move(chosen.reason);
    return found;
  }
  const core::AttributionTrees& trees = *chosen.trees;
  TRY_ASSIGN(const auto there, git_.run(top_, {"cat-file", "-e", trees.snapshot + "^{tree}"}));
  if (there.status != 0) {
    found.reason = "git no longer has the snapshot";
    return found;
  }
  const std::vector<std::string> touched(part.files.begin(), part.files.end());
  std::vector<std::string> others;
  for (const std::string& path : changed_)
    if (!part.files.contains(path)) others.push_back(path);
  std::vector<Wanted> wanted = of_commit(touched);
  for (const std::string& path : touched) wanted.push_back({trees.snapshot, path});
  for (const Wanted& one : of_commit(others)) wanted.push_back(one);
  if (!behind_.tree.empty())
    for (const std::string& path : changed_) wanted.push_back({behind_.tree, path});
  std::vector<std::vector<std::string>> edited;
  for (const core::EditedTrees& edit : trees.edits) {
    TRY_ASSIGN(auto paths, paths_between(edit.from, edit.to));
    if (!paths) {
      found.reason = "git no longer has a snapshot";
      return found;
    }
    for (const std::string& path : *paths) {
      wanted.push_back({edit.from, path});
      wanted.push_back({edit.to, path});
    }
    edited.push_back(std::move(*paths));
  }
  TRY_ASSIGN(auto reason, load(wanted));
  if (reason) {
    found.reason = std::move(*reason);
    return found;
  }
  for (const Wanted& one : wanted) convert_line_ends(one.tree, one.path);
  if (!behind_.tree.empty())
    for (const std::string& path : changed_)
      if (const std::string* known = text(behind_.tree, path)) behind_.texts.emplace(path, *known);
  for (const Wanted& one : wanted) leave_out(one.tree, one.path);
  std::vector<core::TouchedFile> files;
  for (const std::string& path : touched) {
    // A file that the snapshot left out is not one that was deleted.
    if (!trees.whole && text(trees.snapshot, path) == nullptr) {
      found.reason = "the snapshot left files out";
      return found;
    }
    files.push_back({path, text_or_nothing(parent_, path), text_or_nothing(trees.snapshot, path),
                     text_or_nothing(commit_, path)});
  }
  std::vector<core::UntouchedFile> untouched;
  for (const std::string& path : others) {
    const std::string_view before = text_or_nothing(parent_, path);
    untouched.push_back({path, before, before, text_or_nothing(commit_, path)});
  }
  std::vector<core::PromptEdits> edits;
  for (std::size_t i = 0; i < edited.size(); ++i) {
    const core::EditedTrees& between = trees.edits[i];
    core::PromptEdits& edit = edits.emplace_back();
    edit.checkpoint = between.checkpoint;
    for (const std::string& path : edited[i]) {
      if (is_entires(path)) continue;
      edit.files[path] =
          core::line_changes(text_or_nothing(between.from, path), text_or_nothing(between.to, path));
    }
  }
  found.lines = core::compatible_attribution(files, untouched, edits, metric);
  found.trees = std::move(chosen.trees);
  return found;
}

Result<KnownLines> CommitLines::kept(const std::vector<LinesOfSession>& sessions) {
  KnownLines found;
  const std::set<std::string_view> changed(changed_.begin(), changed_.end());
  std::vector<Wanted> wanted = of_commit(changed_);
  // What a person changed between two turns, by the path; each pair of trees once, whoever worked then.
  std::set<std::pair<std::string, std::string>> seen;
  std::map<std::string, std::vector<std::pair<std::string, std::string>>> edited;
  for (const LinesOfSession& session : sessions) {
    for (const core::EditedTrees& edit : session.edits) {
      const std::string& from = edit.left.empty() ? edit.from : edit.left;
      if (!seen.emplace(from, edit.to).second) continue;
      TRY_ASSIGN(const auto paths, paths_between(from, edit.to));
      for (const std::string& path : paths.value_or(std::vector<std::string>())) {
        if (!changed.contains(path)) continue;
        edited[path].emplace_back(from, edit.to);
        wanted.push_back({from, path});
        wanted.push_back({edit.to, path});
      }
    }
  }
  TRY_ASSIGN(auto reason, load(wanted));
  if (reason) {
    found.reason = std::move(*reason);
    return found;
  }
  std::vector<core::CommittedFile> files;
  for (const std::string& path : changed_) {
    core::CommittedFile& file = files.emplace_back();
    file.parent = text_or_nothing(parent_, path);
    file.commit = text_or_nothing(commit_, path);
    for (const LinesOfSession& session : sessions) {
      const auto edits = session.part->edits.find(path);
      if (edits != session.part->edits.end())
        file.agent.insert(file.agent.end(), edits->second.begin(), edits->second.end());
    }
    for (const auto& [from, to] : edited[path])
      file.person.push_back(
          {std::string(text_or_nothing(from, path)), std::string(text_or_nothing(to, path))});
  }
  found.lines = core::kept_lines(files);
  return found;
}

}  // namespace plankeep::app
