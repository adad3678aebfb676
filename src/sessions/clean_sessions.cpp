#include "sessions/clean_sessions.hpp"

#include <algorithm>
#include <map>
#include <memory>
#include <set>
#include <unordered_set>
#include <utility>

#include "base/enum_names.hpp"
#include "base/json_reader.hpp"
#include "base/text.hpp"
#include "git/git_output.hpp"
#include "git/push_queue.hpp"
#include "git/ref_writer.hpp"
#include "session_rules/shadow_branches.hpp"
#include "sessions/own_folder.hpp"
#include "sessions/session_remote.hpp"
#include "sessions/write_session.hpp"
#include "store/paths.hpp"

namespace plankeep::app {
namespace {

using base::ErrorKind;
using base::Result;
using base::Status;
using git::take_until;
using sessions::ShadowHistory;
using sessions::ShadowSession;

constexpr std::string_view kRemovedFolder = "removed";
constexpr std::size_t kMostCommits = 10'000;  // of a shadow branch
constexpr std::string_view kCache = records::kSessionCacheName;

// Entire's own state of a session, <git-common-dir>/entire-sessions/<id>.json: whether it has not ended.
bool is_open_in_entire(system::FileSystem& files, const std::string& common_dir, const std::string& session) {
  const auto common = files.open_folder(common_dir);
  if (!common) return true;
  const auto folder = (*common)->open_folder("entire-sessions");
  if (!folder) return folder.error().kind != ErrorKind::not_found;
  const auto text = (*folder)->read(session + ".json", store::kJsonLimit);
  if (!text) return text.error().kind != ErrorKind::not_found;
  std::string ended;
  std::string phase;
  base::JsonReader in(*text);
  const Status read = in.object([&](std::string_view key) -> Status {
    const bool wanted = key == "ended_at" || key == "phase";
    if (!wanted || in.peek() != base::JsonType::string) return in.skip();
    return in.string(key == "phase" ? phase : ended);
  });
  // What cannot be read may be open.
  return !read || (ended.empty() && phase != "ended");
}

class Cleaner {
 public:
  Cleaner(const Context& context, Sessions& sessions, const CleanRequest& request)
      : context_(context),
        sessions_(sessions),
        request_(request),
        objects_(sessions.index().objects()),
        common_dir_(objects_.repository().common_dir) {}

  Result<SessionClean> run() {
    if (!request_.ids.empty()) {
      TRY(find_checkpoints());
    } else {
      TRY(find_shadows());
      if (!request_.pending) find_cache();
    }
    if (!request_.act) return std::move(done_);
    done_.acted = true;
    TRY(write_bundle());
    for (CleanedItem& item : done_.items) {
      if (item.kept.empty()) TRY(remove(item));
    }
    return std::move(done_);
  }

 private:
  // --- what can go ---------------------------------------------------------------------------------------

  Status find_shadows() {
    TRY_ASSIGN(const std::vector<ShadowSession> shadows, sessions::read_shadows(objects_));
    if (shadows.empty()) return {};
    TRY_ASSIGN(const std::set<std::string> checked_out, checked_out_branches());
    const std::vector<SeenSession> seen = seen_sessions(context_);
    for (const ShadowSession& shadow : shadows) {
      CleanedItem& item = done_.items.emplace_back();
      item.name = shadow.branch;
      item.ref = std::string(git::kBranchRefs) + shadow.branch;
      item.commit = shadow.tip;
      item.time = shadow.time;
      TRY_ASSIGN(const ShadowHistory history,
                 sessions::read_shadow_history(objects_, shadow.tip, kMostCommits));
      core::ShadowFacts facts;
      facts.only_snapshots = history.from_root && history.others == 0 && !history.snapshots.empty();
      facts.checked_out = checked_out.contains(item.ref);
      std::map<std::string, base::Instant> newest;  // snapshot of each session
      bool dated = shadow.time.has_value();
      for (const auto& snapshot : history.snapshots) {
        dated = dated && snapshot.time;
        base::Instant& time = newest[snapshot.session_id];
        time = std::max(time, snapshot.time.value_or(base::Instant{}));
      }
      for (const auto& [session, time] : newest) {
        facts.running =
            facts.running || std::any_of(seen.begin(), seen.end(), [&id = session](const SeenSession& one) {
              return one.id == id && one.running;
            });
        facts.open_in_entire =
            facts.open_in_entire || is_open_in_entire(context_.files, common_dir_, session);
      }
      facts.old_enough =
          dated && std::all_of(newest.begin(), newest.end(), [&](const auto& one) {
            return one.second.milliseconds + request_.older_than <= context_.clock.now().milliseconds;
          });
      // The most expensive questions last, and only where they decide.
      facts.recorded = true;
      facts.committed = true;
      if (!core::why_kept(facts)) {
        TRY_ASSIGN(facts.recorded, all_recorded(newest));
      }
      if (!core::why_kept(facts)) {
        const Result<bool> committed = files_are_committed(shadow);
        // What fails now may work the next time. Anything else is how the branch is.
        if (!committed && committed.error().kind == ErrorKind::io) return base::fail(committed.error());
        if (!committed) {
          item.kept = "it cannot be checked whether its files are in commits: " + committed.error().message;
          continue;
        }
        facts.committed = *committed;
      }
      item.kept = core::why_kept(facts).value_or("");
    }
    return {};
  }

  Result<std::set<std::string>> checked_out_branches() {
    TRY_ASSIGN(const auto told, objects_.run({"worktree", "list", "--porcelain", "-z"}));
    if (told.status != 0) return base::fail(git::refused(told));
    std::set<std::string> branches;
    std::string_view rest = told.output;
    while (!rest.empty()) {
      std::string_view line = take_until(rest, '\0');
      constexpr std::string_view kBranch = "branch ";
      if (line.starts_with(kBranch)) branches.emplace(line.substr(kBranch.size()));
    }
    return branches;
  }

  Result<bool> all_recorded(const std::map<std::string, base::Instant>& newest) {
    records::SessionQuery query;
    query.limit = std::size_t{1} << 30;
    if (!rows_) {
      TRY_ASSIGN(rows_, sessions_.index().list(query));
    }
    for (const auto& [session, time] : newest) {
      bool recorded = false;
      constexpr int kMostRead = 10;
      int read = 0;
      for (const core::SessionRow& row : *rows_) {
        const bool has =
            std::any_of(row.sessions.begin(), row.sessions.end(),
                        [&id = session](const core::ListedSession& one) { return one.session_id == id; });
        if (!has || recorded || read == kMostRead) continue;
        ++read;
        TRY_ASSIGN(const sessions::StoredCheckpoint stored, sessions_.index().read(row.id));
        for (const sessions::StoredSession& one : stored.sessions) {
          if (!one.metadata || one.metadata->session_id != session || one.transcript.empty()) continue;
          const auto created = base::parse_iso8601(one.metadata->created_at);
          recorded = recorded || (created && *created >= time);
        }
      }
      if (!recorded) return false;
    }
    return true;
  }

  // Contents count, not paths: a file may have been renamed before it was committed. An error other than io
  // says why it cannot be known.
  Result<bool> files_are_committed(const ShadowSession& shadow) {
    TRY_ASSIGN(const auto tip, objects_.run({"rev-parse", "-q", "--verify", shadow.tip + "^{tree}"}));
    if (tip.status != 0) return base::fail(git::refused(tip));
    const std::string tree = git::without_line_feed(tip.output);
    TRY_ASSIGN(const sessions::ShadowFiles files, sessions::read_shadow_files(objects_, tree));
    if (!files.refused.empty())
      return base::fail(ErrorKind::invalid_input,
                        files.refused.front().path + " " + files.refused.front().why);
    std::unordered_set<std::string> wanted;
    for (const sessions::ShadowFile& file : files.files) wanted.insert(file.id);
    TRY_ASSIGN(const auto base, objects_.run({"rev-parse", "-q", "--verify", "--end-of-options",
                                              shadow.parts.commit + "^{commit}"}));
    const std::string commit = git::without_line_feed(base.output);
    if (base.status != 0 || !commit.starts_with(shadow.parts.commit))
      return base::fail(ErrorKind::not_found,
                        "the commit it began at, " + shadow.parts.commit + ", is not in the repository");
    // The commit that the session began at counts only where a branch or tag still leads to it.
    TRY_ASSIGN(const auto kept,
               objects_.run({"for-each-ref", "--count=1", "--format=%(refname)", "--contains", commit,
                             "refs/heads/", "refs/remotes/", "refs/tags/"}));
    if (kept.status != 0) return base::fail(git::refused(kept));
    if (kept.output.empty())
      return base::fail(ErrorKind::not_found,
                        "no branch or tag leads to the commit it began at, " + shadow.parts.commit);
    TRY_ASSIGN(const auto there, objects_.run({"ls-tree", "-r", "-z", "--full-tree", commit}));
    if (there.status != 0) return base::fail(git::refused(there));
    std::string_view rest = there.output;
    while (!rest.empty()) {
      std::string_view entry = take_until(rest, '\0');
      take_until(entry, ' ');
      take_until(entry, ' ');
      wanted.erase(std::string(take_until(entry, '\t')));
    }
    if (wanted.empty()) return true;
    TRY_ASSIGN(const auto later, objects_.run({"log", "--raw", "-z", "--no-abbrev", "--no-renames", "-m",
                                               "--root", "--format=", "--no-show-signature", "--no-color",
                                               "--exclude=entire/*", "--branches", "--exclude=*/entire/*",
                                               "--remotes", "--tags", "--not", commit, "--"}));
    if (later.status != 0) return base::fail(git::refused(later));
    // ":100644 100644 <old> <new> M" NUL path NUL
    rest = later.output;
    while (!rest.empty()) {
      std::string_view entry = take_until(rest, '\0');
      if (!entry.starts_with(':')) continue;
      for (int i = 0; i < 3; ++i) take_until(entry, ' ');
      wanted.erase(std::string(take_until(entry, ' ')));
    }
    return wanted.empty();
  }

  // The cache of a list that has nothing to list.
  void find_cache() {
    if (!sessions_.index().is_empty()) return;
    const auto folder = open_own_folder(context_.files, common_dir_);
    if (!folder) return;
    const auto info = (*folder)->info(kCache);
    if (!info || info->kind != system::FileKind::regular) return;
    CleanedItem& item = done_.items.emplace_back();
    item.kind = CleanedItem::Kind::cache;
    item.name = (*folder)->path_of(kCache);
  }

  Status find_checkpoints() {
    TRY_ASSIGN(const sessions::FoundSessions all, sessions_.index().all());
    std::set<std::string> seen;
    for (const std::string& typed : request_.ids) {
      if (!core::may_mean_session(typed))
        return base::fail(ErrorKind::invalid_input, "\"" + typed + "\" is not the id of a session checkpoint",
                          "to list them: plankeep session list --all");
      std::vector<const sessions::FoundSession*> meant;
      for (const sessions::FoundSession& one : all.found) {
        if (core::means_session(typed, one.id)) meant.push_back(&one);
      }
      if (meant.empty()) return base::fail(ErrorKind::not_found, "checkpoint not found: " + typed);
      if (meant.size() > 1) {
        constexpr std::size_t kMostShown = 20;
        return base::fail(ErrorKind::ambiguous,
                          "\"" + typed + "\" means several session checkpoints: " +
                              base::first_joined(meant, kMostShown, [](const auto* one) { return one->id; }));
      }
      const sessions::FoundSession& one = *meant.front();
      const bool is_local =
          one.layout == core::SessionLayout::refs || one.source.starts_with(git::kBranchRefs);
      TRY_ASSIGN(const auto tip, objects_.run({"rev-parse", "-q", "--verify", one.source}));
      const std::string commit = git::without_line_feed(tip.output);
      if (!is_local || tip.status != 0 || !git::is_id(commit))
        return base::fail(ErrorKind::invalid_input,
                          is_local ? "checkpoint " + one.id + " is not in this repository, only fetched"
                                   : "only " + one.source + " has checkpoint " + one.id,
                          "it can be deleted on the remote");
      if (!seen.insert(one.id).second) continue;
      CleanedItem& item = done_.items.emplace_back();
      item.kind = CleanedItem::Kind::checkpoint;
      item.name = one.id;
      item.ref = one.source;
      item.commit = commit;
    }
    return {};
  }

  // --- the bundle ----------------------------------------------------------------------------------------

  Status write_bundle() {
    std::set<std::string> refs;
    for (const CleanedItem& item : done_.items) {
      if (item.kept.empty() && !item.ref.empty()) refs.insert(item.ref);
    }
    if (refs.empty()) return {};
    TRY_ASSIGN(const auto own, make_own_folder(context_.files, common_dir_));
    TRY_ASSIGN(const auto folder, own->make_folder(kRemovedFolder));
    const std::string time = store::file_time(context_.clock.now());
    std::string name = time + ".bundle";
    constexpr int kNames = 100;
    for (int i = 2;; ++i) {
      TRY_ASSIGN(const system::FileInfo info, folder->info(name));
      if (info.kind == system::FileKind::missing) break;
      if (i > kNames) return base::fail(ErrorKind::conflict, folder->path_of(name) + " is there already");
      name = time + "-" + std::to_string(i) + ".bundle";
    }
    const std::string path = folder->path_of(name);
    std::string input;
    for (const std::string& ref : refs) input += ref + "\n";
    TRY_ASSIGN(const auto made, objects_.run({"bundle", "create", "-q", path, "--stdin"}, input));
    if (made.status != 0) {
      (void)folder->remove(name);
      return base::fail(git::refused(made));
    }
    {
      TRY_ASSIGN(const auto file, folder->open_append(name));
      TRY(file->sync_data());
    }
    TRY(folder->sync());
    TRY(check_bundle(path));
    done_.bundle = path;
    return {};
  }

  // It is whole, and has each ref as it was looked at.
  Status check_bundle(const std::string& path) {
    TRY_ASSIGN(const auto sound, objects_.run({"bundle", "verify", "-q", path}));
    TRY_ASSIGN(const auto heads, objects_.run({"bundle", "list-heads", path}));
    if (sound.status != 0 || heads.status != 0)
      return base::fail(ErrorKind::conflict, "the bundle " + path + " cannot be read back");
    for (CleanedItem& item : done_.items) {
      if (!item.kept.empty() || item.ref.empty()) continue;
      if (("\n" + heads.output).find("\n" + item.commit + " " + item.ref + "\n") == std::string::npos)
        item.kept = "somebody changed it meanwhile";
    }
    return {};
  }

  // --- taking away ---------------------------------------------------------------------------------------

  Status remove(CleanedItem& item) {
    if (item.kind == CleanedItem::Kind::cache) return remove_cache(item);
    if (item.kind == CleanedItem::Kind::checkpoint && item.ref.starts_with(git::kBranchRefs))
      return remove_folder(item);
    TRY_ASSIGN(const auto deleted,
               objects_.run({"update-ref", "--no-deref", "--stdin"},
                            "start\ndelete " + item.ref + " " + item.commit + "\nprepare\ncommit\n"));
    if (deleted.status != 0) {
      item.kept = "git did not delete it: " + git::words_of(deleted);
      return {};
    }
    item.removed = true;
    if (item.kind == CleanedItem::Kind::checkpoint) forget(item.ref);
    return {};
  }

  // Neither a push nor the repair of lost writes brings it back.
  void forget(const std::string& ref) {
    git::WrittenRefs written(context_.files, common_dir_);
    if (const auto all = written.all()) {
      std::vector<git::WrittenRef> gone;
      std::copy_if(all->begin(), all->end(), std::back_inserter(gone),
                   [&](const git::WrittenRef& one) { return one.ref == ref; });
      if (!gone.empty()) note(written.remove(gone));
    }
    git::PushQueue queue(context_.files, common_dir_);
    const auto waiting = queue.refs();
    if (waiting && std::find(waiting->begin(), waiting->end(), ref) != waiting->end())
      note(queue.remove({ref}));
  }

  void note(const Status& status) {
    if (!status) done_.warnings.push_back(status.error().message);
  }

  // On the branch a commit takes the folder away.
  Status remove_folder(CleanedItem& item) {
    git::Git& git = sessions_.git();
    const sessions::SessionRepository& repository = objects_.repository();
    TRY_ASSIGN(const git::Signature author, session_author(git, repository.folder, context_.clock.now()));
    TRY_ASSIGN(auto objects, git::ObjectWriter::open(git, writing_place(repository)));
    const std::string folder = core::session_folder(item.name);
    git::RefWriter refs(objects, context_.files);
    const auto written = refs.write(
        {item.ref, {folder.substr(0, folder.find('/')), folder}},
        [&](const git::RefState& now, git::Pack& pack) -> Result<std::string> {
          git::TreeChanges changes;
          changes.remove(folder);
          TRY_ASSIGN(const std::string changed, git::change_tree(now.tree, changes, now.trees, pack));
          if (changed == now.tree) return std::string();
          return pack.add(
              git::ObjectKind::commit,
              git::commit_bytes(
                  {changed, {now.tip}, author, author, "Remove checkpoint: " + item.name + "\n"}));
        });
    if (!written) return base::fail(written.error());
    item.removed = true;
    return {};
  }

  Status remove_cache(CleanedItem& item) {
    TRY_ASSIGN(const auto folder, open_own_folder(context_.files, common_dir_));
    for (const char* end : {"-journal", "-wal", "-shm", ""}) {
      const std::string name = std::string(kCache) + end;
      TRY_ASSIGN(const system::FileInfo info, folder->info(name));
      if (info.kind == system::FileKind::regular) TRY(folder->remove(name));
    }
    item.removed = true;
    return {};
  }

  const Context& context_;
  Sessions& sessions_;
  const CleanRequest& request_;
  sessions::SessionObjects& objects_;
  std::string common_dir_;
  std::optional<std::vector<core::SessionRow>> rows_;
  SessionClean done_;
};

constexpr auto kKinds =
    base::enum_names<CleanedItem::Kind>({{CleanedItem::Kind::shadow_branch, "shadow_branch"},
                                         {CleanedItem::Kind::cache, "cache"},
                                         {CleanedItem::Kind::checkpoint, "checkpoint"}});

}  // namespace

std::string_view name_of(CleanedItem::Kind kind) {
  return kKinds.name_of(kind);
}

Result<SessionClean> clean_sessions(const Context& context, Sessions& sessions, const CleanRequest& request) {
  return Cleaner(context, sessions, request).run();
}

}  // namespace plankeep::app
