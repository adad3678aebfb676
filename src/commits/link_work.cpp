#include "commits/link_work.hpp"

#include <algorithm>
#include <chrono>
#include <map>
#include <memory>
#include <set>
#include <thread>
#include <utility>
#include <vector>

#include "base/limits.hpp"
#include "commits/bind_commits.hpp"
#include "commits/git_hook.hpp"
#include "commits/session_message.hpp"
#include "git/commits.hpp"
#include "model/session.hpp"
#include "project/project.hpp"
#include "project/project_plans.hpp"
#include "session_rules/link_record.hpp"
#include "session_store/session_index.hpp"
#include "sessions/activity_files.hpp"
#include "sessions/export_sessions.hpp"
#include "sessions/finish_session.hpp"
#include "sessions/write_session.hpp"
#include "store/journal.hpp"
#include "store/tracking_folder.hpp"
#include "system/atomic_file.hpp"
#include "tracking/loaded_state.hpp"

namespace plankeep::app {
namespace {

using base::Result;
using base::Status;

constexpr std::string_view kLock = "commit-links.lock";
constexpr std::chrono::milliseconds kLockTimeout{30'000};
constexpr std::string_view kVariable = "PLANKEEP_CHECKPOINTS";
// Clients write the end of a turn behind the hook that tells of it, about a tenth of a second.
constexpr std::chrono::milliseconds kLook{100};
constexpr int kMostLooks = 15;
constexpr int kQuietLooks = 3;

std::unique_ptr<system::Folder> links_folder(const Context& context, const ActivityFiles& files) {
  const auto own = context.files.open_folder(files.git_dir() + "/" + std::string(git::kOwnGitFolder));
  if (!own) return nullptr;
  auto links = (*own)->open_folder(kCommitLinks);
  return links ? std::move(*links) : nullptr;
}

// Ids of checkpoints, and parents of commits that Entire links.
std::vector<std::string> waiting_links(system::Folder* links) {
  std::vector<std::string> found;
  if (links == nullptr) return found;
  const auto names = links->list();
  if (!names) return found;
  for (const std::string& name : *names) {
    if (core::session_id_kind(name) || core::is_commit_id(name)) found.push_back(name);
  }
  return found;
}

bool is_told(system::Folder& tracking, const std::string& commit, const std::string& checkpoint) {
  const store::EventQuery query{.kinds = {core::EventKind::checkpoint_linked},
                                .texts = {commit, checkpoint},
                                .matches = [&](const core::Event& event) {
                                  return event.commit == commit && event.session_checkpoint == checkpoint;
                                }};
  const auto known = store::last_events(tracking, 1, query);
  return known && !known->empty();
}

// Null: it is not tracked.
std::unique_ptr<system::Folder> tracking_of(const Context& context, const PlanLocation& plan) {
  const auto folder = context.files.open_folder(plan.folder);
  if (!folder) return nullptr;
  auto tracking = store::open_tracking(**folder, plan.name);
  return tracking ? std::move(*tracking) : nullptr;
}

class LinkWork {
 public:
  LinkWork(const Context& context, ActivityFiles files, std::string version)
      : context_(context),
        files_(std::move(files)),
        version_(std::move(version)),
        git_(*context.processes, context.files) {}

  Status link_commits() {
    const auto links = links_folder(context_, files_);
    const std::vector<std::string> names = waiting_links(links.get());
    if (names.empty()) return {};
    const git::WorkTree tree = work_tree_of(files_);
    git::Commits commits(git_, context_.files, tree);
    TRY_ASSIGN(const auto recent, commits.recent());
    Status first;
    for (const std::string& name : names) {
      Status done = core::is_commit_id(name) ? follow_entire(commits, recent, *links, name)
                                             : link_one(commits, recent, *links, name);
      if (!done && first) first = std::move(done);
    }
    return first;
  }

  // For the next commits: somebody may have begun to keep session checkpoints in another way.
  void renew_layout() {
    if (const auto layout = layout_here(context_, git_, work_tree_of(files_));
        layout && *layout != files_.layout())
      (void)mark_linking(context_, files_.common_dir(), *layout);
  }

  // What a process that was killed while it wrote has left; the folder could not be removed.
  void drop_temporaries() {
    const auto links = links_folder(context_, files_);
    if (links == nullptr) return;
    const auto names = links->list();
    if (!names) return;
    for (const std::string& name : *names) {
      if (!name.ends_with(system::kTemporaryEnd)) continue;
      const auto info = links->info(name);
      if (info && context_.clock.now().milliseconds - info->modified().milliseconds > base::kHour)
        (void)links->remove(name);
    }
  }

  Status finish(const std::string& session) {
    TRY_ASSIGN(const auto activity, files_.read(session));
    if (!activity || activity->unfinished.empty()) return {};
    // Of slices the last gets the whole transcript, when the session is over.
    std::vector<std::string> unfinished = activity->unfinished;
    std::string lines;
    if (is_sliced(context_, files_.top())) {
      if (!activity->ended) return {};
      for (; unfinished.size() > 1; unfinished.erase(unfinished.begin()))
        lines += core::finished_line(unfinished.front());
    }
    RecordedSession known{session, activity->client, activity->transcript, {}, {}};
    await_end_of_turn(activity->transcript);
    Status first;
    for (const std::string& checkpoint : unfinished) {
      const auto done = finish_session(context_, files_.top(), known, checkpoint);
      if (done) {
        lines += core::finished_line(checkpoint);
      } else if (first) {
        first = base::fail(done.error());
      }
    }
    TRY(note(session, lines));
    return first;
  }

 private:
  Status link_one(git::Commits& commits, const std::vector<git::CommitFacts>& recent, system::Folder& links,
                  const std::string& id) {
    TRY_ASSIGN(const std::string text, links.read(id, base::kLargestSmallFile));
    const core::LinkRecord record = core::read_link_record(text);
    const auto commit = std::find_if(recent.begin(), recent.end(), [&id](const git::CommitFacts& one) {
      const std::vector<std::string>& named = one.session_checkpoints;
      return std::find(named.begin(), named.end(), id) != named.end();
    });
    if (commit == recent.end()) return forget_when_old(links, id);
    TRY(write_checkpoint(commits, *commit, id, record.sessions));
    (void)note_last_linked(*commit);  // without it an amendment may lose its trailer, and nothing else
    return links.remove(id);
  }

  Status note_last_linked(const git::CommitFacts& commit) const {
    TRY_ASSIGN(const auto own, files_.own_folder());
    const std::string seconds = commit.author.substr(commit.author.rfind(' ') + 1);
    return system::write_file(*own, kLastLinked, "@" + seconds + "\n", system::Durability::cache);
  }

  // An editor may be open still.
  Status forget_when_old(system::Folder& links, const std::string& name) const {
    TRY_ASSIGN(const system::FileInfo info, links.info(name));
    const std::int64_t age = context_.clock.now().milliseconds - info.modified().milliseconds;
    return age > base::kDay ? links.remove(name) : Status();
  }

  Status follow_entire(git::Commits& commits, const std::vector<git::CommitFacts>& recent,
                       system::Folder& links, const std::string& parent) {
    TRY_ASSIGN(const std::string text, links.read(parent, base::kLargestSmallFile));
    const core::LinkRecord record = core::read_link_record(text);
    const auto commit = std::find_if(recent.begin(), recent.end(), [&](const git::CommitFacts& one) {
      return one.parents.empty() ? parent == kNoParent : one.parents.front() == parent;
    });
    if (commit == recent.end()) return forget_when_old(links, parent);
    if (!commit->session_checkpoints.empty()) {
      TRY_ASSIGN(const std::set<std::string> changed, paths_of(commits, *commit));
      std::vector<std::string> names;
      for (const core::LinkedSession& session : record.sessions) names.push_back(session.id);
      for (const PlanLocation& plan : plans_of(names, changed))
        for (const std::string& id : commit->session_checkpoints)
          TRY(tell_history(commits, *commit, plan, changed, id));
      for (const core::LinkedSession& session : record.sessions) {
        std::string lines;
        for (const std::string& path : session.paths) {
          if (changed.contains(path)) lines += core::committed_line(session.touches, path);
        }
        TRY(note(session.id, lines));
      }
    }
    return links.remove(parent);
  }

  static Result<std::set<std::string>> paths_of(git::Commits& commits, const git::CommitFacts& commit) {
    TRY_ASSIGN(const auto changes, commits.changed_by(commit));
    std::set<std::string> changed;
    for (const git::CommitChange& change : changes) changed.insert(change.path);
    return changed;
  }

  Status write_checkpoint(git::Commits& commits, const git::CommitFacts& commit, const std::string& id,
                          const std::vector<core::LinkedSession>& linked) {
    TRY_ASSIGN(const std::set<std::string> changed, paths_of(commits, commit));
    ExportSources sources;
    std::vector<std::uint64_t> touches;  // of each session, when the commit began
    std::vector<std::string> names;
    for (const core::LinkedSession& session : linked) {
      names.push_back(session.id);
      TRY_ASSIGN(const auto activity, files_.read(session.id));
      if (!activity) continue;
      touches.push_back(session.touches > 0 ? session.touches : activity->touches);
      RecordedSession& one = sources.sessions.emplace_back();
      one.id = session.id;
      one.client = activity->client;
      one.transcript = activity->transcript;
      if (activity->first_prompt) one.started_at = *activity->first_prompt;
      one.ended = activity->ended.has_value();
      one.touched.insert(session.paths.begin(), session.paths.end());
      if (!session.paths.empty()) continue;
      for (const core::TouchedPath& touched : activity->paths) one.touched.insert(touched.path);
    }
    const std::vector<PlanLocation> plans = plans_of(names, changed);
    PlanLocation plan{files_.top(), ""};
    std::vector<RecordedSession> earlier;  // that the plan knows
    if (!plans.empty()) {
      plan = plans.front();
      if (auto known = export_sources(context_, plan)) {
        earlier = std::move(known->sessions);
        sources.events = std::move(known->events);
        sources.sidecars = std::move(known->sidecars);
        sources.moments = std::move(known->moments);
      }
    }
    TRY(add_recorded(id, earlier, changed, sources));
    SessionExportRequest request;
    request.commits = {commit.sha};
    request.sessions = names;
    request.version = version_;
    request.layout = layout_of_id(id);
    TRY_ASSIGN(const SessionExport done, export_sessions(context_, plan, sources, request));
    for (const PlanLocation& one : plans) TRY(tell_history(commits, commit, one, changed, id));
    for (std::size_t i = 0; i < touches.size(); ++i) {
      const RecordedSession& session = sources.sessions[i];
      std::string lines;
      for (const std::string& path : session.touched) {
        if (changed.contains(path)) lines += core::committed_line(touches[i], path);
      }
      const auto exported =
          std::find_if(done.sessions.begin(), done.sessions.end(),
                       [&](const ExportedSession& one) { return one.session == session.id; });
      if (exported != done.sessions.end()) {
        lines += core::position_line(exported->until);
        if (exported->has_transcript) lines += core::checkpoint_line(exported->checkpoint);
      }
      TRY(note(session.id, lines));
      // No end of a turn will come any more.
      if (session.ended) (void)finish(session.id);
    }
    return {};
  }

  // An amended commit has lines of sessions that wrote nothing for the amendment: their records stay as they
  // are, and their lines are counted with the others.
  Status add_recorded(const std::string& id, const std::vector<RecordedSession>& known,
                      const std::set<std::string>& changed, ExportSources& sources) {
    const std::string elected = Project(context_, files_.top()).settings().sessions_push.value_or("");
    TRY_ASSIGN(const auto index, sessions::SessionIndex::open(git_, context_.files, files_.top(), elected));
    if (!index) return {};
    const auto stored = index->read(id);
    // A new one; or it cannot be read, which the writer tells.
    if (!stored) return {};
    for (const sessions::StoredSession& one : stored->sessions) {
      if (!one.metadata) continue;
      const std::string& name = one.metadata->session_id;
      const auto is_it = [&name](const RecordedSession& session) { return session.id == name; };
      if (std::any_of(sources.sessions.begin(), sources.sessions.end(), is_it)) continue;
      RecordedSession session;
      const auto there = std::find_if(known.begin(), known.end(), is_it);
      const auto noted = files_.read(name);
      if (there != known.end()) {
        session = *there;
      } else if (noted && *noted) {
        session = {name, (*noted)->client, (*noted)->transcript, {}, false, {}};
      } else {
        continue;
      }
      for (const std::string& path : one.metadata->files_touched.value_or(core::Strings())) {
        if (changed.contains(path)) session.touched.insert(path);
      }
      sources.sessions.push_back(std::move(session));
    }
    return {};
  }

  // A session that ended, perhaps only a moment ago, stays ended: append() lets it go on.
  Status note(const std::string& session, const std::string& lines) const {
    TRY_ASSIGN(const auto activity, files_.read(session));
    if (!lines.empty()) TRY(files_.append(session, lines));
    return activity && activity->ended ? files_.end(session, *activity->ended) : Status();
  }

  // Those that keep records of one of the sessions come first, then those that the commit changes.
  std::vector<PlanLocation> plans_of(const std::vector<std::string>& sessions,
                                     const std::set<std::string>& changed) const {
    std::vector<PlanLocation> knowing;
    std::vector<PlanLocation> others;
    const Project project(context_, files_.top());
    for (const PlanLocation& plan : ProjectPlans(context_, project).all()) {
      const auto tracking = tracking_of(context_, plan);
      if (tracking == nullptr) continue;
      const auto loaded = load_state(*tracking, plan);
      if (!loaded || !loaded->state) continue;
      const bool knows = std::any_of(
          loaded->state->sessions.begin(), loaded->state->sessions.end(), [&](const core::SessionState& one) {
            return std::find(sessions.begin(), sessions.end(), one.id) != sessions.end();
          });
      if (knows) {
        knowing.push_back(plan);
      } else if (changed.contains(path_in_tree(plan))) {
        others.push_back(plan);
      }
    }
    knowing.insert(knowing.end(), others.begin(), others.end());
    return knowing;
  }

  std::string path_in_tree(const PlanLocation& plan) const {
    const std::string start = files_.top() == "/" ? "/" : files_.top() + "/";
    const std::string path = plan.path();
    return path.starts_with(start) ? path.substr(start.size()) : std::string();
  }

  Status tell_history(git::Commits& commits, const git::CommitFacts& commit, const PlanLocation& plan,
                      const std::set<std::string>& changed, const std::string& id) {
    const auto tracking = tracking_of(context_, plan);
    if (tracking == nullptr || is_told(*tracking, commit.sha, id)) return {};
    core::PhaseId phase;
    const std::string path = path_in_tree(plan);
    if (changed.contains(path)) {
      TRY_ASSIGN(phase, phase_ticked_by(commits, commit, path));
    }
    TRY_ASSIGN([[maybe_unused]] const Outcome outcome,
               bind_commits(context_, plan, {}, session_links({id}, commit.sha, phase)));
    return {};
  }

  void await_end_of_turn(const std::string& transcript) const {
    if (context_.environment.variable(std::string(kVariable)).value_or("") == "wait") return;
    std::uint64_t before = 0;
    int quiet = 0;
    for (int looks = 0; looks < kMostLooks && quiet < kQuietLooks; ++looks) {
      std::this_thread::sleep_for(kLook);
      const auto info = context_.files.info(transcript);
      const std::uint64_t now = info ? info->size : 0;
      quiet = now == before ? quiet + 1 : 0;
      before = now;
    }
  }

  const Context& context_;
  ActivityFiles files_;
  std::string version_;
  git::Git git_;
};

}  // namespace

bool is_sliced(const Context& context, const std::string& top) {
  return Project(context, top).settings().session_transcripts == core::TranscriptExtent::slice;
}

bool link_work_due(const Context& context, const std::string& folder, const std::string& id) {
  const auto files = ActivityFiles::open(context, folder);
  if (!files) return false;
  const std::vector<std::string> names = waiting_links(links_folder(context, *files).get());
  return id.empty() ? !names.empty() : std::find(names.begin(), names.end(), id) != names.end();
}

void spawn_link_work(const Context& context, const LinkJob& job, const std::string& version) {
  const auto how = context.environment.variable(std::string(kVariable));
  if (how && *how == "off") return;
  if (how && *how == "wait") {
    (void)do_link_work(context, job, version);
    return;
  }
  const std::string program = context.environment.program();
  if (program.empty() || context.processes == nullptr) return;
  (void)context.processes->start_detached({{program, std::string(kAfterCommit), job.top, job.session}, {}});
}

Status do_link_work(const Context& context, const LinkJob& job, const std::string& version) {
  if (context.processes == nullptr) return {};
  auto files = ActivityFiles::open(context, job.top);
  if (!files) return {};
  const Settings settings = Project(context, files->top()).settings();
  if (settings.sessions.value_or(SessionsSetting::write) != SessionsSetting::write) return {};
  TRY_ASSIGN(const auto own, files->own_folder());
  TRY_ASSIGN(const auto lock, own->lock(kLock, kLockTimeout));
  LinkWork work(context, *files, version);
  Status done = work.link_commits();
  if (!job.session.empty()) {
    Status finished = work.finish(job.session);
    if (done && !finished) done = std::move(finished);
  }
  work.renew_layout();
  work.drop_temporaries();
  // git's hooks look for the folder, to start nothing where nothing is to be done.
  (void)own->remove_folder(kCommitLinks);
  return done;
}

Status follow_session_links(const Context& context, std::string_view input) {
  constexpr std::size_t kMostFollowed = 10'000;
  std::map<std::string, std::string> rewritten;
  for (auto& [before, after] : rewritten_commits(input)) rewritten[before] = after;
  const auto files = ActivityFiles::open(context, context.environment.working_directory());
  if (rewritten.empty() || !files) return {};
  const Project project(context, files->top());
  Status first;
  for (const PlanLocation& plan : ProjectPlans(context, project).all()) {
    const auto tracking = tracking_of(context, plan);
    if (tracking == nullptr) continue;
    const store::EventQuery query{
        .kinds = {core::EventKind::checkpoint_linked},
        .matches = [&](const core::Event& event) { return rewritten.contains(event.commit); }};
    const auto told = store::last_events(*tracking, kMostFollowed, query);
    if (!told) continue;
    std::vector<core::Event> events;
    for (const store::TailLine& line : *told) {
      const std::string& after = rewritten.at(line.event.commit);
      if (is_told(*tracking, after, line.event.session_checkpoint)) continue;
      for (core::Event& event : session_links({line.event.session_checkpoint}, after, line.event.phase))
        events.push_back(std::move(event));
    }
    if (events.empty()) continue;
    if (const auto bound = bind_commits(context, plan, {}, std::move(events)); !bound && first)
      first = base::fail(bound.error());
  }
  return first;
}

}  // namespace plankeep::app
