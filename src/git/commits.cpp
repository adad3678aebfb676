#include "git/commits.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <set>
#include <utility>

#include "git/git_output.hpp"
#include "model/session.hpp"

namespace plankeep::git {
namespace {

using base::ErrorKind;
using base::Result;
using base::Status;

// Commits as facts_in reads them.
constexpr const char* kFormat =
    "--format=tformat:%H %T %ct %P%n%an <%ae> %at%n"
    "%(trailers:key=Entire-Checkpoint,valueonly,unfold,separator=%x20)%n%B";

std::vector<std::string> log_words() {
  return {"log", "-z", "--no-color", "--no-show-signature", "--encoding=UTF-8", kFormat};
}

// A hook may build and test the whole project.
constexpr std::chrono::hours kCommitTimeout{2};

// "%H %T %ct %P" LF, "%an <%ae> %at" LF, the values of the trailers LF, "%B", ended by NUL.
std::optional<CommitFacts> facts_in(std::string_view record) {
  std::string_view line = take_until(record, '\n');
  CommitFacts facts;
  facts.sha = take_until(line, ' ');
  facts.tree = take_until(line, ' ');
  facts.time = instant_of_seconds(take_until(line, ' ')).value_or(base::Instant{});
  while (!line.empty()) facts.parents.emplace_back(take_until(line, ' '));
  facts.author = take_until(record, '\n');
  line = take_until(record, '\n');
  facts.message = record;
  // git takes the key in any case; Entire does not.
  if (!line.empty() && core::mentioned_checkpoints(record).empty()) line = {};
  std::vector<std::string>& ids = facts.session_checkpoints;
  while (!line.empty()) {
    const std::string_view id = take_until(line, ' ');
    if (core::session_id_kind(id) && std::find(ids.begin(), ids.end(), id) == ids.end()) ids.emplace_back(id);
  }
  if (!is_id(facts.sha) || !is_id(facts.tree)) return std::nullopt;
  return facts;
}

Result<std::vector<CommitFacts>> commits_in(std::string_view output) {
  std::vector<CommitFacts> found;
  while (!output.empty()) {
    auto facts = facts_in(take_until(output, '\0'));
    if (!facts) return base::fail(ErrorKind::io, "unexpected output from git log");
    found.push_back(std::move(*facts));
  }
  return found;
}

std::string lines_of(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += word + "\n";
  return text;
}

// `--name-status -z`: kind NUL path NUL, both paths for renames, which nobody asks for.
std::vector<CommitChange> files_in(std::string_view output) {
  std::vector<CommitChange> files;
  while (!output.empty()) {
    const std::string_view kind = take_until(output, '\0');
    const std::string_view path = take_until(output, '\0');
    if (!kind.empty() && !path.empty()) files.push_back({kind.front(), std::string(path)});
  }
  return files;
}

// What stands in the git folder while something is in progress, and what git calls it.
struct Progress {
  std::string_view file;
  std::string_view words;
};
constexpr std::array kProgress{
    Progress{"MERGE_HEAD", "a merge is in progress"},
    Progress{"rebase-merge", "a rebase is in progress"},
    Progress{"rebase-apply", "a rebase or git am is in progress"},
    Progress{"CHERRY_PICK_HEAD", "a cherry-pick is in progress"},
    Progress{"REVERT_HEAD", "a revert is in progress"},
    Progress{"sequencer", "a sequence of cherry-picks or reverts is in progress"},
};

}  // namespace

Result<std::string> Commits::good(const std::vector<std::string>& words, std::string_view input) {
  TRY_ASSIGN(system::Finished finished, git_.run(tree_.top, words, input));
  if (finished.status == 0) return std::move(finished.output);
  return base::fail(refused(finished));
}

Result<std::optional<std::string>> Commits::in_progress() {
  for (const Progress& progress : kProgress) {
    TRY_ASSIGN(const system::FileInfo info, files_.info(tree_.git_dir + "/" + std::string(progress.file)));
    if (info.kind != system::FileKind::missing) return std::optional(std::string(progress.words));
  }
  return std::optional<std::string>();
}

Result<std::vector<CommitFacts>> Commits::log(const std::vector<std::string>& words, std::size_t count,
                                              const std::vector<std::string>& paths) {
  std::vector<std::string> all = log_words();
  all.insert(all.end(), {"-n", std::to_string(count)});
  all.insert(all.end(), words.begin(), words.end());
  all.insert(all.end(), {"HEAD", "--"});
  all.insert(all.end(), paths.begin(), paths.end());
  TRY_ASSIGN(const system::Finished finished, git_.run(tree_.top, all));
  if (finished.status == 0) return commits_in(finished.output);
  // A branch without a commit has no HEAD to log.
  TRY_ASSIGN(const system::Finished head, git_.run(tree_.top, {"rev-parse", "-q", "--verify", "HEAD"}));
  if (head.status != 0) return std::vector<CommitFacts>();
  return base::fail(ErrorKind::io, "git refused: " + finished.errors.substr(0, finished.errors.find('\n')));
}

Result<std::vector<CommitFacts>> Commits::facts(const std::vector<std::string>& shas) {
  TRY_ASSIGN(const std::vector<bool> there, are_commits(shas));
  std::vector<std::string> existing;
  for (std::size_t i = 0; i < shas.size(); ++i) {
    if (there[i]) existing.push_back(shas[i]);
  }
  return facts_of_existing(existing);
}

Result<std::vector<CommitFacts>> Commits::facts_of_existing(const std::vector<std::string>& shas) {
  if (shas.empty()) return std::vector<CommitFacts>();
  std::vector<std::string> all = log_words();
  all.insert(all.end(), {"--no-walk=unsorted", "--stdin"});
  TRY_ASSIGN(const std::string told, good(all, lines_of(shas)));
  return commits_in(told);
}

Result<std::vector<bool>> Commits::are_commits(const std::vector<std::string>& names) {
  std::vector<bool> there(names.size(), false);
  if (names.empty()) return there;
  // "commit" or another type, "<name> missing", in the order of the questions.
  TRY_ASSIGN(const std::string told, good({"cat-file", "--batch-check=%(objecttype)"}, lines_of(names)));
  std::string_view rest = told;
  for (std::size_t i = 0; i < names.size(); ++i) there[i] = take_until(rest, '\n') == "commit";
  return there;
}

Result<std::optional<CommitFacts>> Commits::head() {
  if (recent_ && !recent_->empty()) return std::optional(recent_->front());
  TRY_ASSIGN(std::vector<CommitFacts> found, log({}, 1));
  if (found.empty()) return std::optional<CommitFacts>();
  return std::optional(std::move(found.front()));
}

Result<std::vector<CommitFacts>> Commits::recent() {
  if (!recent_) {
    TRY_ASSIGN(recent_, log({}, kRecent));
  }
  return *recent_;
}

Result<std::vector<CommitFacts>> Commits::since(base::Instant time, std::size_t count) {
  return log({"--since=@" + std::to_string(time.milliseconds / base::kSecond)}, count);
}

Result<std::vector<CommitFacts>> Commits::saying(const std::string& text, std::size_t count) {
  return log({"--fixed-strings", "--grep=" + text}, count);
}

Result<std::vector<CommitFacts>> Commits::touching(const std::string& path, base::Instant time,
                                                   std::size_t count) {
  return log({"--since=@" + std::to_string(time.milliseconds / base::kSecond)}, count,
             {":(top,literal)" + path});
}

Result<std::optional<CommitFacts>> Commits::named(const std::string& revision) {
  TRY_ASSIGN(const system::Finished told, git_.run(tree_.top, {"rev-parse", "-q", "--verify",
                                                               "--end-of-options", revision + "^{commit}"}));
  const std::string sha = without_line_feed(told.output);
  if (told.status != 0 || !is_id(sha)) return std::optional<CommitFacts>();
  TRY_ASSIGN(std::vector<CommitFacts> found, facts_of_existing({sha}));
  if (found.empty()) return std::optional<CommitFacts>();
  return std::optional(std::move(found.front()));
}

Result<std::vector<Reachability>> Commits::reachability(const std::vector<std::string>& shas) {
  std::vector<Reachability> reachability(shas.size(), Reachability::gone);
  if (shas.empty()) return reachability;
  std::vector<std::string> names{"HEAD"};
  names.insert(names.end(), shas.begin(), shas.end());
  TRY_ASSIGN(const std::vector<bool> found, are_commits(names));
  const bool born = found.front();
  std::string there;
  for (std::size_t i = 0; i < shas.size(); ++i) {
    if (!found[i + 1]) continue;
    reachability[i] = Reachability::elsewhere;
    there += shas[i] + "\n";
  }
  if (there.empty() || !born) return reachability;
  // Of those that are there, the ones that HEAD does not come from are listed, with others before them.
  TRY_ASSIGN(const std::string others, good({"rev-list", "--stdin"}, "^HEAD\n" + there));
  std::set<std::string_view> not_here;
  std::string_view rest = others;
  while (!rest.empty()) not_here.insert(take_until(rest, '\n'));
  for (std::size_t i = 0; i < shas.size(); ++i) {
    if (reachability[i] == Reachability::elsewhere && not_here.find(shas[i]) == not_here.end())
      reachability[i] = Reachability::here;
  }
  return reachability;
}

Result<std::map<std::string, std::string>> Commits::patch_ids(const std::vector<std::string>& shas) {
  std::map<std::string, std::string> ids;
  if (shas.empty()) return ids;
  // diff-tree begins each patch with a line that holds the commit's id: patch-id knows it by that.
  TRY_ASSIGN(
      const std::string patches,
      good({"diff-tree", "--stdin", "-p", "--root", "--no-ext-diff", "--no-textconv"}, lines_of(shas)));
  TRY_ASSIGN(const std::string told, good({"patch-id", "--stable"}, patches));
  std::string_view rest = told;
  while (!rest.empty()) {
    std::string_view line = take_until(rest, '\n');
    const std::string_view id = take_until(line, ' ');
    if (is_id(id) && is_id(line)) ids.emplace(line, id);
  }
  return ids;
}

Result<std::vector<std::optional<std::string>>> Commits::files_at(const std::vector<std::string>& names) {
  std::vector<std::optional<std::string>> files;
  files.reserve(names.size());
  if (names.empty()) return files;
  // "<id> blob <size>" LF bytes LF, or a line that ends with "missing".
  TRY_ASSIGN(const std::string told, good({"cat-file", "--batch"}, lines_of(names)));
  std::string_view rest = told;
  for (std::size_t i = 0; i < names.size(); ++i) {
    files.emplace_back();
    std::string_view line = take_until(rest, '\n');
    const std::string_view id = take_until(line, ' ');
    const std::string_view type = take_until(line, ' ');
    std::uint64_t size = 0;
    const auto [end, ec] = std::from_chars(line.data(), line.data() + line.size(), size);
    if (!is_id(id) || ec != std::errc{} || size + 1 > rest.size()) continue;
    if (type == "blob") files.back() = std::string(rest.substr(0, size));
    rest.remove_prefix(size + 1);
  }
  return files;
}

Result<PendingChanges> Commits::pending(bool new_files) {
  TRY_ASSIGN(const std::string told,
             good({"status", "--porcelain", "-z", "--no-renames", "--ignore-submodules=dirty",
                   new_files ? "--untracked-files=all" : "--untracked-files=no"}));
  PendingChanges pending;
  std::string_view rest = told;
  while (!rest.empty()) {
    // "XY PATH": X against HEAD, Y against the index; "??" is new.
    const std::string_view entry = take_until(rest, '\0');
    if (entry.size() < 4) continue;
    const char index = entry[0];
    const char work = entry[1];
    std::string path(entry.substr(3));
    if (index == '?') {
      pending.all.push_back({'A', path});
      pending.new_files.push_back(std::move(path));
      continue;
    }
    pending.all.push_back({work != ' ' ? work : index, path});
    const bool both = index == work && (index == 'A' || index == 'D');
    if (both || index == 'U' || work == 'U') {
      pending.conflicts.push_back(std::move(path));
      continue;
    }
    if (index != ' ') pending.staged.push_back({index, path});
    if (work != ' ') pending.not_staged.push_back(std::move(path));
  }
  return pending;
}

Result<std::vector<CommitChange>> Commits::changed_by(const CommitFacts& commit) {
  std::vector<std::string> words{"diff-tree",      "-r",           "-z",           "--root",
                                 "--no-commit-id", "--no-renames", "--name-status"};
  if (!commit.parents.empty()) words.push_back(commit.parents.front());
  words.push_back(commit.sha);
  TRY_ASSIGN(const std::string told, good(words));
  return files_in(told);
}

Result<std::optional<std::string>> Commits::file_at(const std::string& sha, const std::string& path,
                                                    std::uint64_t limit) {
  // "100644 blob <id> <size>" TAB path.
  TRY_ASSIGN(const std::string entry,
             good({"--literal-pathspecs", "ls-tree", "-z", "--long", "--full-tree", sha, "--", path}));
  std::string_view rest = entry;
  const std::string_view mode = take_until(rest, ' ');
  take_until(rest, ' ');
  const std::string id(take_until(rest, ' '));
  while (rest.starts_with(' ')) rest.remove_prefix(1);
  const std::string_view number = take_until(rest, '\t');
  std::uint64_t size = 0;
  const auto [end, ec] = std::from_chars(number.data(), number.data() + number.size(), size);
  if (!mode.starts_with("100") || !is_id(id) || ec != std::errc{} || size > limit)
    return std::optional<std::string>();
  TRY_ASSIGN(std::string bytes, good({"cat-file", "blob", id}));
  return std::optional(std::move(bytes));
}

// Hooks may have made commits behind ours: it is the one on top of what HEAD was.
Result<CommitFacts> Commits::made_on(const std::optional<CommitFacts>& before, const std::string& message) {
  constexpr std::size_t kMostBehind = 50;
  TRY_ASSIGN(std::vector<CommitFacts> newest, log({}, kMostBehind));
  for (CommitFacts& commit : newest) {
    if (before && commit.sha == before->sha) break;
    const bool on_it =
        before ? !commit.parents.empty() && commit.parents.front() == before->sha : commit.parents.empty();
    if (on_it) return std::move(commit);
  }
  // A hook may have moved it elsewhere, as it is.
  for (CommitFacts& commit : newest) {
    const bool ours =
        commit.message.substr(0, commit.message.find('\n')) == message.substr(0, message.find('\n'));
    if (ours && !(before && commit.sha == before->sha)) return std::move(commit);
  }
  return base::fail(ErrorKind::conflict, "git commit did not make a commit");
}

std::string head_in_files(system::FileSystem& files, const WorkTree& tree) {
  constexpr std::uint64_t kLimit = 4096;
  constexpr std::string_view kRef = "ref: refs/heads/";
  const auto git_dir = files.open_folder(tree.git_dir);
  if (!git_dir) return {};
  auto head = (*git_dir)->read("HEAD", kLimit);
  if (!head) return {};
  std::string text = without_line_feed(std::move(*head));
  if (is_id(text)) return text;
  if (!text.starts_with(kRef)) return {};
  const std::string ref = "refs/heads/" + text.substr(kRef.size());
  const std::size_t slash = ref.rfind('/');
  const auto folder = files.open_folder(tree.common_dir + "/" + ref.substr(0, slash));
  if (!folder) return {};
  auto value = (*folder)->read(ref.substr(slash + 1), kLimit);
  if (!value) return {};
  text = without_line_feed(std::move(*value));
  return is_id(text) ? text : std::string();
}

Result<CommitFacts> Commits::commit(const std::string& message, bool all) {
  recent_.reset();
  std::optional<CommitFacts> before;
  if (std::string sha = head_in_files(files_, tree_); !sha.empty()) {
    before.emplace().sha = std::move(sha);
  } else {
    TRY_ASSIGN(before, head());
  }
  // The message is UTF-8, whatever the repository's own messages are written in.
  std::vector<std::string> words{"-c",      "i18n.commitEncoding=UTF-8", "commit",
                                 "--quiet", "--cleanup=whitespace",      "--file=-"};
  if (all) words.emplace_back("--all");
  TRY_ASSIGN(const system::Finished finished, git_.run_for_user(tree_.top, words, message, kCommitTimeout));
  if (finished.timed_out) return base::fail(ErrorKind::busy, "git commit took longer than two hours");
  if (finished.status != 0) {
    return base::fail(
        ErrorKind::conflict,
        "git commit failed with status " + std::to_string(finished.status) + ": nothing was committed",
        "see the output of git or its hooks above");
  }
  return made_on(before, message);
}

}  // namespace plankeep::git
