#include "sessions/fetch_sessions.hpp"

#include <algorithm>
#include <memory>
#include <set>
#include <utility>

#include "base/text.hpp"
#include "base/utf8.hpp"
#include "checkpoint_db/session_cache.hpp"
#include "git/git_output.hpp"
#include "project/project.hpp"
#include "session_store/session_store.hpp"
#include "session_store/side_repository.hpp"
#include "sessions/own_folder.hpp"
#include "sessions/session_remote.hpp"
#include "system/atomic_file.hpp"

namespace plankeep::app {
namespace {

using base::ErrorKind;
using base::Result;
using base::Status;

constexpr std::chrono::milliseconds kSideTimeout{2000};
constexpr std::size_t kLargestTreeList = std::size_t{256} << 20;

std::string tracking_branch(const std::string& remote) {
  return "refs/remotes/" + remote + "/" + std::string(core::kSessionBranch);
}

// A repository and one of its remotes.
class Fetching {
 public:
  static Result<Fetching> open(const Context& context, std::chrono::milliseconds deadline) {
    Fetching fetching(context);
    TRY_ASSIGN(RepositoryHere here, open_repository_here(context));
    fetching.git_ = std::move(here.git);
    fetching.repository_ = std::make_unique<sessions::SessionRepository>(std::move(here.repository));
    fetching.repository_->side = sessions::side_repository(context.files, fetching.repository_->common_dir);
    // git reads a URL that is a relative path from the top of the work tree.
    TRY_ASSIGN(const auto tree, fetching.git_->work_tree(fetching.repository_->folder));
    fetching.remotes_ = std::make_unique<git::Remotes>(
        *fetching.git_, context.environment, tree ? tree->top : fetching.repository_->common_dir, deadline);
    return fetching;
  }

  Status choose(const std::optional<std::string>& named) {
    const std::optional<std::string> setting = Project::here(*context_).settings().sessions_push;
    TRY_ASSIGN(remote_, choose_session_remote(*remotes_, named, setting));
    return {};
  }

  Status ask() {
    TRY_ASSIGN(const auto refs, remotes_->list(remote_.remote, {std::string(core::kSessionRefs) + "*",
                                                                std::string(kSessionBranchRef)}));
    for (const git::AdvertisedRef& one : refs) {
      if (one.ref == kSessionBranchRef) {
        branch_ = one.object;
      } else if (const auto id = core::id_in_session_ref(one.ref)) {
        there_.emplace(*id, one.object);
      }
    }
    return {};
  }

  // "<object> <ref>" of all that is here: in the repository and beside it.
  Result<std::set<std::pair<std::string, std::string>>> here() {
    sessions::SessionObjects objects(*git_, *repository_);
    TRY_ASSIGN(const sessions::SessionRefs refs, sessions::read_refs(objects));
    std::set<std::pair<std::string, std::string>> found;
    for (const auto* list : {&refs.checkpoints, &refs.branches, &refs.side_checkpoints, &refs.side_branches})
      for (const sessions::SessionRef& ref : *list) found.emplace(ref.object, ref.name);
    return found;
  }

  Result<SessionFetched> fetch(const std::vector<std::string>& wanted);
  RemoteSessions listed(const std::set<std::pair<std::string, std::string>>& here) const;
  Result<std::vector<std::string>> remote_names() { return remotes_->names(); }

 private:
  explicit Fetching(const Context& context) : context_(&context) {}

  Status open_side();
  Status fetch_files(const std::vector<std::string>& folders, bool only_metadata, SessionFetched& done);
  Result<std::vector<std::string>> ids_on_branch();
  Result<system::Finished> run(const std::vector<std::string>& words, std::string_view input = {});
  Result<std::optional<std::string>> one_of(const std::vector<std::string>& ids, const std::string& text);
  Status forget_cache();

  const Context* context_;
  std::unique_ptr<git::Git> git_;
  std::unique_ptr<sessions::SessionRepository> repository_;
  std::unique_ptr<git::Remotes> remotes_;
  SessionRemote remote_;
  std::map<std::string, std::string> there_;  // the commit, by id
  std::string branch_;                        // its commit; empty: there is none
};

// In the side repository. git may not fetch missing objects on its own here.
Result<system::Finished> Fetching::run(const std::vector<std::string>& words, std::string_view input) {
  git::GitRun how;
  how.variables = {"GIT_DIR=" + repository_->side, "GIT_NO_LAZY_FETCH=1", "GIT_ALLOW_PROTOCOL=none",
                   "GIT_NO_REPLACE_OBJECTS=1"};
  how.output_limit = kLargestTreeList;
  TRY_ASSIGN(const system::Finished finished, git_->run(repository_->side, words, input, how));
  if (finished.status != 0) return base::fail(git::refused(finished));
  return finished;
}

// Every step can be repeated, so a fetch that is killed here does no harm.
Status Fetching::open_side() {
  TRY_ASSIGN(const auto ours, make_own_folder(context_->files, repository_->common_dir));
  TRY_ASSIGN(const auto lock, ours->lock("entire.git.lock", kSideTimeout));
  TRY_ASSIGN(const auto side, ours->make_folder(sessions::kSideRepository));
  const std::string path = side->path();
  TRY_ASSIGN(const auto config, side->info("config"));
  if (config.kind == system::FileKind::missing || repository_->side.empty()) {
    TRY_ASSIGN(const system::Finished made,
               git_->run(path, {"init", "--quiet", "--bare",
                                "--template=", "--object-format=" + repository_->object_format, "--", path}));
    if (made.status != 0) return base::fail(git::refused(made));
  }
  repository_->side = path;
  TRY_ASSIGN(const auto objects, side->make_folder("objects"));
  TRY_ASSIGN(const auto info, objects->make_folder("info"));
  constexpr std::string_view kAlternates = "../../../objects\n";
  const auto borrowed = info->read("alternates", kAlternates.size() + 1);
  if (!borrowed || *borrowed != kAlternates)
    TRY(system::write_file(*info, "alternates", kAlternates, system::Durability::durable));
  // Remotes, their URLs, proxies and credentials are the user's, and follow their changes. The file is named:
  // if git found no repository in this folder, it would change the user's configuration.
  const std::vector<std::string> its_file{"config", "--file", path + "/config"};
  const auto with = [&](std::vector<std::string> more) {
    more.insert(more.begin(), its_file.begin(), its_file.end());
    return more;
  };
  const std::string included = "../../config";
  TRY_ASSIGN(const system::Finished there, git_->run(path, with({"--get-all", "include.path"})));
  if (git::without_line_feed(there.output) != included) {
    TRY_ASSIGN(const system::Finished set,
               git_->run(path, with({"--replace-all", "include.path", included})));
    if (set.status != 0) return base::fail(git::refused(set));
  }
  return {};
}

Result<std::vector<std::string>> Fetching::ids_on_branch() {
  sessions::SessionObjects objects(*git_, *repository_);
  const auto store = sessions::make_branch_store(objects, {tracking_branch(remote_.remote.name), branch_});
  TRY_ASSIGN(const sessions::FoundSessions found, store->list());
  std::vector<std::string> ids;
  for (const sessions::FoundSession& one : found.found) ids.push_back(one.id);
  return ids;
}

// The id that the user means; nullopt: none of them.
Result<std::optional<std::string>> Fetching::one_of(const std::vector<std::string>& ids,
                                                    const std::string& text) {
  std::vector<std::string> meant;
  std::copy_if(ids.begin(), ids.end(), std::back_inserter(meant),
               [&](const std::string& id) { return core::means_session(text, id); });
  if (meant.empty()) return std::optional<std::string>();
  if (meant.size() == 1) return std::optional(meant.front());
  constexpr std::size_t kMostShown = 20;
  return base::fail(ErrorKind::ambiguous,
                    "\"" + text + "\" means several session checkpoints: " +
                        base::first_joined(meant, kMostShown, [](const std::string& id) { return id; }),
                    "give more of the id");
}

// What a list showed as missing may be here now.
Status Fetching::forget_cache() {
  TRY_ASSIGN(const auto ours, make_own_folder(context_->files, repository_->common_dir));
  TRY_ASSIGN([[maybe_unused]] const auto cache, records::SessionCache::anew(*ours));
  return {};
}

// Of these folders of the branch; empty: of the whole branch.
Status Fetching::fetch_files(const std::vector<std::string>& folders, bool only_metadata,
                             SessionFetched& done) {
  std::vector<std::string> trees;
  trees.reserve(folders.size() + 1);
  for (const std::string& folder : folders) trees.push_back(branch_ + ":" + folder);
  if (folders.empty()) trees.push_back(branch_ + "^{tree}");
  std::set<std::string> wanted;
  std::string asked;
  for (const std::string& tree : trees) {
    TRY_ASSIGN(const system::Finished listed, run({"ls-tree", "-r", "-z", "--full-tree", tree}));
    for (std::string_view rest = listed.output; !rest.empty();) {
      std::string_view line = git::take_until(rest, '\0');
      git::take_until(line, ' ');
      if (git::take_until(line, ' ') != "blob") continue;
      const std::string_view id = git::take_until(line, '\t');
      const bool metadata = line.ends_with("/metadata.json") || line.ends_with("/plankeep/plan.json");
      if (git::is_id(id) && (metadata || !only_metadata)) wanted.emplace(id);
    }
    asked += tree + '\n';
  }
  // git dies on a missing object that it could fetch; rev-list names all of them instead.
  TRY_ASSIGN(const system::Finished told, run({"rev-list", "--objects", "--no-walk=unsorted",
                                               "--missing=print", "--no-object-names", "--stdin"},
                                              asked));
  std::vector<std::string> missing;
  for (std::string_view rest = told.output; !rest.empty();) {
    std::string_view line = git::take_until(rest, '\n');
    if (!line.starts_with('?')) continue;
    line.remove_prefix(1);
    if (wanted.contains(std::string(line))) missing.emplace_back(line);
  }
  if (missing.empty()) return {};
  TRY(remotes_->fetch(remote_.remote, missing, {repository_->side, false, true}));
  done.files += missing.size();
  return {};
}

Result<SessionFetched> Fetching::fetch(const std::vector<std::string>& wanted) {
  SessionFetched done;
  done.remote = remote_.remote.name;
  done.url = remote_.shown_url;
  TRY(ask());
  TRY(open_side());
  TRY_ASSIGN(const auto known, here());

  std::vector<std::string> with_refs;
  for (const auto& [id, object] : there_) with_refs.push_back(id);
  std::vector<std::string> refs;
  std::vector<std::string> others;
  for (const std::string& text : wanted) {
    TRY_ASSIGN(const auto id, one_of(with_refs, text));
    if (id)
      refs.push_back(*id);
    else
      others.push_back(text);
  }
  if (wanted.empty()) refs = with_refs;
  std::erase_if(refs, [&](const std::string& id) {
    return known.contains({there_.at(id), core::session_ref(id)});
  });
  for (std::size_t at = 0; at < refs.size(); at += git::kRefsAtOnce) {
    std::vector<std::string> refspecs;
    for (std::size_t i = at; i < std::min(refs.size(), at + git::kRefsAtOnce); ++i) {
      const std::string ref = core::session_ref(refs[i]);
      refspecs.push_back("+" + ref + ":" + ref);
    }
    TRY(remotes_->fetch(remote_.remote, refspecs, {repository_->side, false, false}));
    done.fetched.insert(done.fetched.end(), refs.begin() + static_cast<std::ptrdiff_t>(at),
                        refs.begin() + static_cast<std::ptrdiff_t>(at + refspecs.size()));
  }

  const bool needs_branch = !branch_.empty() && (wanted.empty() || !others.empty());
  if (needs_branch) {
    const std::string tracking = tracking_branch(remote_.remote.name);
    done.branch = !known.contains({branch_, tracking});
    TRY(remotes_->fetch(remote_.remote, {"+" + std::string(kSessionBranchRef) + ":" + tracking},
                        {repository_->side, true, false}));
    // The branch may have moved since it was asked for.
    TRY_ASSIGN(const system::Finished tip, run({"rev-parse", "--verify", "--end-of-options", tracking}));
    branch_ = git::without_line_feed(tip.output);
  }
  std::vector<std::string> on_branch;
  if (!branch_.empty() && !others.empty()) {
    TRY_ASSIGN(on_branch, ids_on_branch());
  }
  std::vector<std::string> folders;
  for (const std::string& text : others) {
    TRY_ASSIGN(const std::optional<std::string> id, one_of(on_branch, text));
    if (!id) {
      return base::fail(
          ErrorKind::not_found,
          "remote " + done.remote + " has no session checkpoint " + base::printable(text),
          "to list what it has: plankeep session list --remote " + base::printable(done.remote));
    }
    folders.push_back(core::session_folder(*id));
  }
  if (needs_branch) TRY(fetch_files(folders, wanted.empty(), done));
  if (const Status forgotten = forget_cache(); !forgotten) done.warnings.push_back(forgotten.error().message);
  return done;
}

RemoteSessions Fetching::listed(const std::set<std::pair<std::string, std::string>>& here) const {
  RemoteSessions all;
  all.remote = remote_.remote.name;
  all.url = remote_.shown_url;
  for (const auto& [id, object] : there_)
    all.checkpoints.push_back(
        {id, core::time_in_id(id), object, here.contains({object, core::session_ref(id)})});
  // By the time, which ids begin with; nullopt is less than any time.
  std::stable_sort(all.checkpoints.begin(), all.checkpoints.end(),
                   [](const RemoteSession& a, const RemoteSession& b) {
                     return std::pair(b.time, b.id) < std::pair(a.time, a.id);
                   });
  all.has_branch = !branch_.empty();
  all.branch_is_here =
      std::any_of(here.begin(), here.end(), [&](const auto& one) { return one.first == branch_; });
  return all;
}

}  // namespace

Result<SessionFetched> fetch_sessions(const Context& context, const SessionFetchRequest& request) {
  TRY_ASSIGN(Fetching fetching, Fetching::open(context, request.deadline));
  std::vector<std::string> words = request.words;
  std::optional<std::string> named;
  TRY_ASSIGN(const std::vector<std::string> names, fetching.remote_names());
  if (!words.empty() && (std::find(names.begin(), names.end(), words.back()) != names.end() ||
                         !core::may_mean_session(words.back()))) {
    named = words.back();
    words.pop_back();
  }
  for (const std::string& text : words) {
    if (!core::may_mean_session(text))
      return base::fail(ErrorKind::invalid_input,
                        base::printable(text) + " is not the id of a session checkpoint",
                        "at least 4 first digits of an id in hex, or 6 last characters of a long one");
  }
  TRY(fetching.choose(named));
  return fetching.fetch(words);
}

Result<RemoteSessions> remote_sessions(const Context& context, const std::optional<std::string>& remote,
                                       std::chrono::milliseconds deadline) {
  TRY_ASSIGN(Fetching fetching, Fetching::open(context, deadline));
  TRY(fetching.choose(remote));
  TRY(fetching.ask());
  TRY_ASSIGN(const auto here, fetching.here());
  return fetching.listed(here);
}

}  // namespace plankeep::app
