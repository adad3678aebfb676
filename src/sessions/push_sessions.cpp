#include "sessions/push_sessions.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "git/git_output.hpp"
#include "git/push_queue.hpp"
#include "project/project.hpp"
#include "sessions/merge_remote.hpp"
#include "sessions/write_session.hpp"

namespace plankeep::app {
namespace {

using base::ErrorKind;
using base::Result;
using base::Status;

// "refs/plankeep/remote/origin/entire/checkpoints/09/..."
std::string fetched_ref(const std::string& remote, const std::string& ref) {
  constexpr std::string_view kRefs = "refs/";
  return "refs/plankeep/remote/" + remote + "/" + ref.substr(kRefs.size());
}

std::vector<std::string> names_of(const std::vector<git::RefPush>& refs) {
  std::vector<std::string> names;
  names.reserve(refs.size());
  for (const git::RefPush& one : refs) names.push_back(one.ref);
  return names;
}

void add_new(std::vector<std::string>& lines, const std::vector<std::string>& more) {
  for (const std::string& line : more)
    if (std::find(lines.begin(), lines.end(), line) == lines.end()) lines.push_back(line);
}

}  // namespace

Result<SessionPush> SessionPush::open(const Context& context, const SessionPushRequest& request) {
  TRY_ASSIGN(RepositoryHere here, open_repository_here(context));
  TRY_ASSIGN(auto objects, git::ObjectWriter::open(*here.git, writing_place(here.repository)));
  git::Remotes remotes(*here.git, context.environment, here.repository.folder, request.deadline);
  SessionPush push(context, std::move(here.git), std::move(remotes), std::move(here.repository),
                   std::move(objects));
  const std::optional<std::string> setting = Project::here(context).settings().sessions_push;
  SessionPushView& view = push.view_;
  TRY_ASSIGN(view.remote, choose_session_remote(push.remotes_, request.remote, setting));
  if (!view.remote.is_named && !view.remote.other_owner.empty()) {
    return base::fail(
        ErrorKind::conflict,
        "remote " + view.remote.remote.name + " belongs to " + view.remote.other_owner +
            ", not to the owner of origin",
        "to push there all the same, name it: plankeep session push " + view.remote.remote.name);
  }
  push.repair_ = put_lost_records_back(context, *push.git_, writing_place(push.repository_));
  // What another program threw away could not be put back: only what is pushed itself leaves the list.
  if (push.repair_.warnings.empty()) {
    if (auto written = git::WrittenRefs(context.files, push.repository_.common_dir).all())
      push.written_before_ = std::move(*written);
  }
  TRY(push.compare());
  PushConsent consent(context.files, push.repository_.common_dir);
  view.needs_consent = !push.wanted_.empty() && !view.remote.is_setting && !consent.given(view.remote.remote);
  return push;
}

Result<std::vector<sessions::SessionRef>> SessionPush::local_refs() {
  sessions::SessionObjects objects(*git_, repository_);
  TRY_ASSIGN(const sessions::SessionRefs refs, sessions::read_refs(objects));
  std::vector<sessions::SessionRef> local = refs.checkpoints;
  for (const sessions::SessionRef& branch : refs.branches)
    if (branch.name == kSessionBranchRef) local.push_back(branch);
  return local;
}

// All refs, not only those in the queue: a line may have been lost (spec 21.5).
Status SessionPush::compare() {
  TRY_ASSIGN(const std::vector<sessions::SessionRef> local, local_refs());
  if (local.empty()) return {};
  TRY_ASSIGN(const auto theirs, remotes_.list(view_.remote.remote, {std::string(core::kSessionRefs) + "*",
                                                                    std::string(kSessionBranchRef)}));
  std::map<std::string, std::string> there;
  for (const git::AdvertisedRef& one : theirs) there.emplace(one.ref, one.object);
  for (const sessions::SessionRef& ref : local) {
    const auto same = there.find(ref.name);
    const bool is_same = same != there.end() && same->second == ref.object;
    (is_same ? same_ : wanted_).push_back({ref.object, ref.name});
  }
  view_.refs = wanted_.size();
  for (const git::RefPush& one : wanted_) {
    if (one.ref != kSessionBranchRef) {
      ++view_.checkpoints;
      continue;
    }
    sessions::SessionObjects objects(*git_, repository_);
    const auto store = sessions::make_branch_store(objects, {one.ref, one.commit});
    TRY_ASSIGN(const sessions::FoundSessions found, store->list());
    view_.checkpoints += found.found.size();
  }
  return {};
}

Result<SessionPushed> SessionPush::run() {
  SessionPushed done;
  done.remote = view_.remote.remote.name;
  done.url = view_.remote.shown_url;
  done.put_back = repair_.checkpoints;
  done.warnings = repair_.warnings;
  note_confirmed(same_, done);
  drop_dead_lines(done);
  if (!wanted_.empty()) {
    // Before the first byte leaves: whoever is killed then has agreed all the same.
    if (const Status kept =
            PushConsent(context_->files, repository_.common_dir).remember(view_.remote.remote);
        !kept)
      done.warnings.push_back(kept.error().message);
  }

  std::vector<git::RefPush> next = wanted_;
  for (int round = 1; !next.empty(); ++round) {
    git::PushTold told;
    const Status pushed = remotes_.push(view_.remote.remote, next, told);
    std::map<std::string, const git::RefPush*> asked;
    for (const git::RefPush& one : next) asked.emplace(one.ref, &one);
    std::vector<git::RefPush> confirmed;
    std::vector<git::RefPush> behind;
    for (const git::PushedRef& one : told.refs) {
      const auto found = asked.find(one.ref);
      if (found == asked.end()) continue;
      switch (one.outcome) {
        case git::PushOutcome::pushed:
          done.pushed.push_back(one.ref);
          confirmed.push_back(*found->second);
          break;
        case git::PushOutcome::up_to_date:
          done.already_there.push_back(one.ref);
          confirmed.push_back(*found->second);
          break;
        case git::PushOutcome::behind:
          behind.push_back(*found->second);
          if (round > kPushRounds) done.refused.push_back({one.ref, "others pushed to it each time"});
          break;
        case git::PushOutcome::refused:
          done.refused.push_back({one.ref, one.reason});
          break;
      }
    }
    // Of refs that are merged and pushed again nothing is left to tell.
    const bool refuses = std::any_of(told.refs.begin(), told.refs.end(), [](const git::PushedRef& one) {
      return one.outcome == git::PushOutcome::refused;
    });
    if (refuses || round > kPushRounds) add_new(done.remote_said, told.remote_said);
    note_confirmed(confirmed, done);
    if (!pushed) return base::fail(pushed.error());
    next.clear();
    if (behind.empty() || round > kPushRounds) break;
    TRY_ASSIGN(next, merge(behind, done));
  }

  drop_fetched(done);
  std::sort(done.merged.begin(), done.merged.end());
  done.merged.erase(std::unique(done.merged.begin(), done.merged.end()), done.merged.end());
  const auto waiting = git::PushQueue(context_->files, repository_.common_dir).refs();
  if (waiting) {
    done.waiting = waiting->size();
  } else {
    done.warnings.push_back(waiting.error().message);
  }
  return done;
}

// Those that are to be pushed again.
Result<std::vector<git::RefPush>> SessionPush::merge(const std::vector<git::RefPush>& behind,
                                                     SessionPushed& done) {
  const std::string& remote = view_.remote.remote.name;
  std::vector<std::string> refspecs;
  std::vector<std::string> fetched;
  for (const git::RefPush& one : behind) {
    fetched.push_back(fetched_ref(remote, one.ref));
    refspecs.push_back("+" + one.ref + ":" + fetched.back());
  }
  TRY(remotes_.fetch(view_.remote.remote, refspecs, {}));
  TRY_ASSIGN(const auto theirs, objects_.read(fetched));
  TRY_ASSIGN(const git::Signature author, session_author(*git_, repository_.folder, context_->clock.now()));

  SessionMerger merger(*git_, context_->files, objects_, author);
  std::vector<git::RefPush> again;
  for (std::size_t i = 0; i < behind.size(); ++i) {
    const std::string& ref = behind[i].ref;
    if (!theirs[i]) return base::fail(ErrorKind::io, "git did not keep " + fetched[i]);
    const auto merged = merger.merge(ref, theirs[i]->id);
    if (!merged) {
      // The others are no worse for it.
      done.refused.push_back({ref, merged.error().message});
      continue;
    }
    done.conflicts += merged->conflicts;
    if (merged->commit.empty()) continue;
    if (merged->commit == theirs[i]->id) {
      done.already_there.push_back(ref);
      note_confirmed({{merged->commit, ref}}, done);
      continue;
    }
    done.merged.push_back(ref);
    again.push_back({merged->commit, ref});
  }
  // Entire's own push reads nothing but the queue.
  std::vector<std::string> queued = names_of(again);
  std::erase(queued, kSessionBranchRef);
  if (const Status kept = git::PushQueue(context_->files, repository_.common_dir).append(queued); !kept)
    done.warnings.push_back(kept.error().message);
  return again;
}

// A ref leaves the queue when the remote has it as it is here, and not when it moved meanwhile.
void SessionPush::note_confirmed(const std::vector<git::RefPush>& pushed, SessionPushed& done) {
  if (pushed.empty()) return;
  git::PushQueue queue(context_->files, repository_.common_dir);
  const auto warn = [&](const base::Error& error) {
    if (std::find(done.warnings.begin(), done.warnings.end(), error.message) == done.warnings.end())
      done.warnings.push_back(error.message);
  };
  const auto queued = queue.refs();
  if (!queued) return warn(queued.error());
  const std::set<std::string> waiting(queued->begin(), queued->end());
  const bool any = std::any_of(pushed.begin(), pushed.end(),
                               [&](const git::RefPush& one) { return waiting.contains(one.ref); });
  if (any) {
    const Status removed = queue.remove_confirmed([&]() -> Result<std::vector<std::string>> {
      TRY_ASSIGN(const std::vector<sessions::SessionRef> local, local_refs());
      std::set<std::pair<std::string, std::string>> now;
      for (const sessions::SessionRef& ref : local) now.emplace(ref.name, ref.object);
      std::vector<std::string> same;
      for (const git::RefPush& one : pushed)
        if (now.contains({one.ref, one.commit})) same.push_back(one.ref);
      return same;
    });
    if (!removed) warn(removed.error());
  }
  git::WrittenRefs written(context_->files, repository_.common_dir);
  auto noted = written.all();
  if (!noted) return warn(noted.error());
  // A ref that went up took with it all that was written to it before.
  std::map<std::string, std::string> there;
  for (const git::RefPush& one : pushed) there.emplace(one.ref, one.commit);
  std::erase_if(*noted, [&](const git::WrittenRef& one) {
    const auto tip = there.find(one.ref);
    if (tip == there.end()) return true;
    return tip->second != one.commit &&
           std::find(written_before_.begin(), written_before_.end(), one) == written_before_.end();
  });
  if (noted->empty()) return;
  if (const Status removed = written.remove(*noted); !removed) warn(removed.error());
}

// Lines of refs that are not here any more, as `session clean` leaves them when it is killed: they can never
// be pushed. A writer appends a line after it has made the ref, so none of a new ref is taken.
void SessionPush::drop_dead_lines(SessionPushed& done) {
  git::PushQueue queue(context_->files, repository_.common_dir);
  const auto dead = [&](const std::vector<std::string>& queued) -> Result<std::vector<std::string>> {
    TRY_ASSIGN(const std::vector<sessions::SessionRef> local, local_refs());
    std::set<std::string> here;
    for (const sessions::SessionRef& ref : local) here.insert(ref.name);
    std::vector<std::string> gone;
    std::copy_if(queued.begin(), queued.end(), std::back_inserter(gone), [&](const std::string& ref) {
      return core::id_in_session_ref(ref).has_value() && !here.contains(ref);
    });
    return gone;
  };
  const auto queued = queue.refs();
  if (!queued || queued->empty()) return;  // note_confirmed has told what is wrong
  const auto gone = dead(*queued);
  if (!gone || gone->empty()) return;
  if (const Status removed = queue.remove_confirmed([&] { return dead(*gone); }); !removed)
    done.warnings.push_back(removed.error().message);
}

// What was fetched for a merge, also by a push that was killed.
void SessionPush::drop_fetched(SessionPushed& done) {
  const auto listed = git_->run(repository_.folder, {"for-each-ref", "--format=delete %(refname)",
                                                     fetched_ref(view_.remote.remote.name, "refs/")});
  if (!listed || listed->status != 0 || listed->output.empty()) return;
  const auto dropped = git_->run(repository_.folder, {"update-ref", "--no-deref", "--stdin"}, listed->output);
  if (!dropped) {
    done.warnings.push_back(dropped.error().message);
  } else if (dropped->status != 0) {
    done.warnings.push_back(git::refused(*dropped).message);
  }
}

}  // namespace plankeep::app
