#include "commits/session_message.hpp"

#include <algorithm>
#include <charconv>
#include <random>
#include <set>
#include <string_view>

#include "base/limits.hpp"
#include "base/sha256.hpp"
#include "base/ulid.hpp"
#include "commits/entire_hooks.hpp"
#include "git/commits.hpp"
#include "git/git_output.hpp"
#include "git/session_trailer.hpp"
#include "git/staged_paths.hpp"
#include "model/session.hpp"
#include "project/plan_location.hpp"
#include "project/project.hpp"
#include "session_rules/commit_link.hpp"
#include "session_rules/link_record.hpp"
#include "sessions/activity_files.hpp"
#include "sessions/export_sessions.hpp"
#include "system/atomic_file.hpp"

namespace plankeep::app {
namespace {

using base::Result;
using base::Status;

constexpr std::string_view kTrailerVariable = "sessiontrailer";  // commit.sessionTrailer, in lower case
constexpr std::uint64_t kMessageLimit = base::kLargestForeignFile;
constexpr std::uint64_t kRecordLimit = base::kLargestSmallFile;

std::string absolute(const Context& context, const std::string& path) {
  return path.starts_with('/') ? path : context.environment.working_directory() + "/" + path;
}

std::string new_checkpoint_id(core::SessionLayout layout, base::Instant now) {
  std::random_device device;
  base::UlidRandom bits{};
  for (std::uint8_t& byte : bits) byte = static_cast<std::uint8_t>(device());
  if (layout == core::SessionLayout::refs) return base::make_ulid(now, bits);
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string id;
  for (std::size_t i = 0; i < 6; ++i) {
    id += kDigits[bits[i] >> 4U];
    id += kDigits[bits[i] & 0xFU];
  }
  return id;
}

class Linking {
 public:
  Linking(const Context& context, ActivityFiles files)
      : context_(context), files_(std::move(files)), git_(*context.processes, context.files) {}

  Status prepare(const CommitMessage& message) {
    TRY(forget_open_message());
    const bool squashes = is_squash(message.source);
    TRY_ASSIGN(const std::vector<std::string> kept, ids_of_amended(message));
    if (!squashes && kept.empty() && !files_.any()) return {};
    TRY_ASSIGN(const core::CommitAttempt attempt, attempt_of(message));
    const bool is_entires = core::is_left_to_entire(attempt);
    if (!core::may_link(attempt) && !is_entires) return {};
    TRY(read_message(message.file));
    if (core::is_revert(text_)) return {};
    if (is_entires) return expect_entires();
    TRY_ASSIGN(const core::LinkRecord found, record_for(squashes, kept));
    if (found.checkpoints.empty()) return {};
    if (!git::is_surely_unset(context_.files, context_.environment, work_tree_of(files_), kTrailerVariable)) {
      TRY_ASSIGN(const bool off, is_trailer_switched_off(git_, files_.top()));
      if (off) return {};
    }
    // git says so to its hooks where it starts no editor.
    if (context_.environment.variable("GIT_EDITOR").value_or("") == ":") return put(found, true);
    core::LinkRecord open = found;
    if (message.source == "template") {
      TRY_ASSIGN(open.untouched, digest());
    }
    TRY_ASSIGN(const auto own, files_.own_folder());
    return system::write_file(*own, kOpenMessage, core::encode_link_record(open), system::Durability::cache);
  }

  Status finish(const std::string& file) {
    TRY_ASSIGN(const auto own, files_.own_folder());
    TRY_ASSIGN(const system::FileInfo info, own->info(kOpenMessage));
    if (info.kind == system::FileKind::missing) return {};
    TRY_ASSIGN(const std::string noted, own->read(kOpenMessage, kRecordLimit));
    TRY(own->remove(kOpenMessage));
    const core::LinkRecord open = core::read_link_record(noted);
    TRY(read_message(file));
    if (!open.untouched.empty()) {
      TRY_ASSIGN(const std::string now, digest());
      if (now == open.untouched) return {};
    }
    return put(open, false);
  }

 private:
  Status forget_open_message() {
    const auto own = context_.files.open_folder(files_.git_dir() + "/" + std::string(git::kOwnGitFolder));
    if (!own) return {};
    // Not every commit writes one, so what a killed write left would stay.
    for (const std::string& name : {system::temporary_name(kOpenMessage), std::string(kOpenMessage)}) {
      TRY_ASSIGN(const system::FileInfo info, (*own)->info(name));
      if (info.kind != system::FileKind::missing) TRY((*own)->remove(name));
    }
    return {};
  }

  // Where the message does not come from SQUASH_MSG (-m, -F, -C), the file is still there.
  bool is_squash(const std::string& source) const {
    if (source == "squash") return true;
    const auto info = context_.files.info(files_.git_dir() + "/" + std::string(kSquashMessage));
    return info && info->kind == system::FileKind::regular;
  }

  // As far as it has to be known.
  Result<core::CommitAttempt> attempt_of(const CommitMessage& message) {
    core::CommitAttempt attempt;
    attempt.source = message.source;
    const Settings settings = Project(context_, files_.top()).settings();
    attempt.disabled = settings.sessions.value_or(SessionsSetting::write) != SessionsSetting::write;
    if (!core::may_link(attempt)) return attempt;
    git::Commits commits(git_, context_.files, work_tree_of(files_));
    TRY_ASSIGN(const auto progress, commits.in_progress());
    attempt.in_progress = progress.has_value();
    if (!core::may_link(attempt)) return attempt;
    TRY_ASSIGN(attempt.entire_links, entire_links_commits(context_, git_, files_.top()));
    return attempt;
  }

  // Their id may come into the message later than this.
  Status expect_entires() {
    core::LinkRecord record;
    TRY_ASSIGN(const std::vector<std::string> paths, staged());
    record.sessions = sessions_of(paths);
    if (record.sessions.empty()) return {};
    std::string head = git::head_in_files(context_.files, work_tree_of(files_));
    if (head.empty()) {
      TRY_ASSIGN(const auto commit, git::Commits(git_, context_.files, work_tree_of(files_)).head());
      head = commit ? commit->sha : std::string(kNoParent);
    }
    return write_link(head, record);
  }

  Status read_message(const std::string& file) {
    message_ = absolute(context_, file);
    TRY_ASSIGN(const auto folder, context_.files.open_folder(parent_of(message_)));
    TRY_ASSIGN(text_, folder->read(last_part(message_), kMessageLimit));
    return {};
  }

  // Of the text as git cleans it up.
  Result<std::string> digest() {
    TRY_ASSIGN(const auto told, git_.run(files_.top(), {"stripspace", "--strip-comments"}, text_));
    if (told.status != 0) return base::fail(git::refused(told));
    return base::sha256_hex(told.output);
  }

  // The paths that the commit changes, of renamed files both. git has an index of its own for `commit -a` and
  // for `commit FILE`, which it tells its hooks.
  Result<std::vector<std::string>> staged() {
    const auto given = context_.environment.variable("GIT_INDEX_FILE");
    const std::string index = given ? absolute(context_, *given) : files_.git_dir() + "/index";
    if (auto paths = git::staged_paths(context_.files, work_tree_of(files_), index)) return std::move(*paths);
    git::GitRun how;
    if (given) how.variables.push_back("GIT_INDEX_FILE=" + index);
    TRY_ASSIGN(const auto told, git_.run(files_.top(),
                                         {"diff", "--cached", "--name-only", "-z", "--no-renames",
                                          "--no-ext-diff", "--ignore-submodules=none"},
                                         {}, how));
    std::vector<std::string> paths;
    if (told.status != 0) return base::fail(git::refused(told));
    std::string_view rest = told.output;
    while (!rest.empty()) paths.emplace_back(git::take_until(rest, '\0'));
    return paths;
  }

  // Those that HEAD names, where the commit amends it with another message.
  Result<std::vector<std::string>> ids_of_amended(const CommitMessage& message) {
    const std::vector<std::string> none;
    const system::Environment& environment = context_.environment;
    // Who gives commits times of their own may give several the same.
    if (message.source != "message" || environment.variable("GIT_COMMITTER_DATE")) return none;
    const std::string author = core::author_of_attempt(environment.variable("GIT_AUTHOR_NAME").value_or(""),
                                                       environment.variable("GIT_AUTHOR_EMAIL").value_or(""),
                                                       environment.variable("GIT_AUTHOR_DATE").value_or(""));
    if (!core::may_amend(author, context_.clock.now())) return none;
    TRY_ASSIGN(const auto head, git::Commits(git_, context_.files, work_tree_of(files_)).head());
    return head && head->author == author ? head->session_checkpoints : none;
  }

  Result<std::vector<std::string>> inherited(const std::vector<std::string>& paths) {
    std::vector<std::string> ids;
    const auto folder = context_.files.open_folder(files_.git_dir());
    if (!folder) return ids;
    const auto text = (*folder)->read(kSquashMessage, kMessageLimit);
    if (!text || core::mentioned_checkpoints(*text).empty()) return ids;
    git::Commits commits(git_, context_.files, work_tree_of(files_));
    TRY_ASSIGN(const auto facts, commits.facts(core::squashed_commits(*text)));
    std::vector<core::SquashedCommit> squashed;
    for (const git::CommitFacts& commit : facts) {
      core::SquashedCommit one;
      one.checkpoints = commit.session_checkpoints;
      if (one.checkpoints.empty()) continue;
      TRY_ASSIGN(const auto changes, commits.changed_by(commit));
      for (const git::CommitChange& change : changes) one.paths.push_back(change.path);
      squashed.push_back(std::move(one));
    }
    return core::inherited_checkpoints(squashed, paths);
  }

  // The branch may have been begun since the layout was noted (entire enable): a name that Entire cannot read
  // would be no link for it. git is asked only where a loose ref says so; what is packed meets
  // renew_layout().
  core::SessionLayout layout() {
    const core::SessionLayout noted = files_.layout();
    const auto is_there = [&](const std::string& name) {
      const auto info = context_.files.info(files_.common_dir() + "/" + name);
      return info && info->kind != system::FileKind::missing;
    };
    const std::string branch(core::kSessionBranch);
    if (noted == core::SessionLayout::branch || is_there("refs/entire/checkpoints") ||
        (!is_there("refs/heads/" + branch) && !is_there("refs/remotes/origin/" + branch)))
      return noted;
    const auto now = layout_here(context_, git_, work_tree_of(files_));
    if (!now || *now == noted) return noted;
    (void)mark_linking(context_, files_.common_dir(), *now);
    return *now;
  }

  // Those that touched one of the paths, each with those that it touched.
  std::vector<core::LinkedSession> sessions_of(const std::vector<std::string>& paths) const {
    std::vector<core::LinkedSession> found;
    const std::set<std::string_view> changed(paths.begin(), paths.end());
    for (const NotedSession& session : files_.touching(paths)) {
      core::LinkedSession& linked = found.emplace_back();
      linked.id = session.id;
      linked.touches = session.activity.touches;
      for (const core::TouchedPath& touched : session.activity.paths) {
        if (changed.contains(touched.path)) linked.paths.push_back(touched.path);
      }
    }
    return found;
  }

  // No ids: nothing to link. `kept`: the ids that the commit has already.
  Result<core::LinkRecord> record_for(bool squashes, const std::vector<std::string>& kept) {
    core::LinkRecord record;
    record.checkpoints = kept;
    TRY_ASSIGN(const std::vector<std::string> paths, staged());
    if (paths.empty()) return record;
    if (squashes && kept.empty()) {
      TRY_ASSIGN(record.checkpoints, inherited(paths));
      if (!record.checkpoints.empty()) return record;
    }
    record.sessions = sessions_of(paths);
    if (!record.sessions.empty() && kept.empty())
      record.checkpoints = {new_checkpoint_id(layout(), context_.clock.now())};
    return record;
  }

  Status write_link(const std::string& name, const core::LinkRecord& record) const {
    TRY_ASSIGN(const auto own, files_.own_folder());
    TRY_ASSIGN(const auto links, own->make_folder(kCommitLinks));
    return system::write_file(*links, name, core::encode_link_record(record), system::Durability::cache);
  }

  // The note of the checkpoint that is to be written comes first: without a trailer it means nothing.
  Status put(const core::LinkRecord& record, bool final) {
    TRY_ASSIGN(const auto text,
               git::with_session_trailers(git_, files_.top(), text_, record.checkpoints, final));
    std::vector<std::string> named = record.checkpoints;
    if (!text) named = core::mentioned_checkpoints(git::above_scissors(text_));
    if (named.empty()) return {};
    if (!record.sessions.empty()) TRY(write_link(named.back(), record));
    if (!text) return {};
    TRY_ASSIGN(const auto folder, context_.files.open_folder(parent_of(message_)));
    TRY_ASSIGN(const system::FileInfo info, folder->info(last_part(message_)));
    return system::write_file_like(*folder, last_part(message_), *text, info, system::Durability::cache);
  }

  const Context& context_;
  ActivityFiles files_;
  git::Git git_;
  std::string message_;  // the file, absolute
  std::string text_;
};

std::optional<Linking> linking_here(const Context& context) {
  if (context.processes == nullptr) return std::nullopt;
  auto files = ActivityFiles::open(context, context.environment.working_directory());
  if (!files) return std::nullopt;
  return std::optional<Linking>(std::in_place, context, std::move(*files));
}

}  // namespace

git::WorkTree work_tree_of(const ActivityFiles& files) {
  git::WorkTree tree;
  tree.top = files.top();
  tree.git_dir = files.git_dir();
  tree.common_dir = files.common_dir();
  return tree;
}

Result<bool> is_trailer_switched_off(git::Git& git, const std::string& top) {
  TRY_ASSIGN(const auto told, git.run(top, {"config", "--type=bool", "--get", "commit.sessionTrailer"}));
  return git::without_line_feed(told.output) == "false";
}

Status prepare_commit_message(const Context& context, const CommitMessage& message) {
  auto linking = linking_here(context);
  return linking ? linking->prepare(message) : Status();
}

Status finish_commit_message(const Context& context, const std::string& file) {
  auto linking = linking_here(context);
  return linking ? linking->finish(file) : Status();
}

}  // namespace plankeep::app
