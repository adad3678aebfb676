#include "reports/why_sessions.hpp"

#include <algorithm>
#include <utility>

#include "project/project.hpp"
#include "project/text_redactor.hpp"
#include "session_rules/session_part.hpp"
#include "sessions/seen_sessions.hpp"
#include "system/file_parts.hpp"

namespace plankeep::app {
namespace {

using base::Result;
using base::Status;
using sessions::StoredSession;

bool touched(const StoredSession& session, const std::string& path) {
  if (!session.metadata || !session.metadata->files_touched) return false;
  const core::Strings& files = *session.metadata->files_touched;
  return std::find(files.begin(), files.end(), path) != files.end();
}

WhySession session_of(const StoredSession& stored, const std::string& checkpoint, bool mentioned) {
  WhySession session;
  session.checkpoint = checkpoint;
  session.mentioned = mentioned;
  if (stored.metadata) {
    session.session = stored.metadata->session_id;
    session.client = stored.metadata->agent.value_or("");
    session.model = stored.metadata->model.value_or("");
  }
  session.all_prompts = stored.prompts.size();
  const std::size_t first = stored.prompts.size() - std::min(stored.prompts.size(), kMostWhyPrompts);
  for (std::size_t i = first; i < stored.prompts.size(); ++i)
    session.prompts.push_back({stored.prompts[i], {}});
  return session;
}

void put_proof(WhySession& session, const core::WrittenLine& written) {
  session.proof = WhyProof::tool_call;
  session.tool = written.tool;
  session.subagent = written.subagent;
  // A call without a prompt in front of it (a part of a transcript) leaves the checkpoint's prompts.
  if (!written.prompt.empty()) session.prompts = {{written.prompt, written.prompt_time}};
}

}  // namespace

WhySessions::WhySessions(const Context& context, git::WorkTree tree)
    : context_(context),
      git_(*context.processes, context.files),
      tree_(std::move(tree)),
      commits_(git_, context.files, tree_) {}

void WhySessions::warn_once(std::string text) {
  if (std::find(warnings_.begin(), warnings_.end(), text) == warnings_.end())
    warnings_.push_back(std::move(text));
}

Sessions* WhySessions::sessions() {
  if (!sessions_tried_) {
    sessions_tried_ = true;
    auto opened = Sessions::open(context_);
    if (opened) {
      sessions_.emplace(std::move(*opened));
    } else {
      warn_once("session checkpoints cannot be read: " + opened.error().message);
    }
  }
  return sessions_ ? &*sessions_ : nullptr;
}

std::string WhySessions::text_at(const std::string& commit, const std::string& path) {
  auto text = commits_.file_at(commit, path, core::kLargestReplayed);
  return text && *text ? std::move(**text) : std::string();
}

Result<std::vector<WhySessions::Named>> WhySessions::checkpoints_of(const std::string& sha) {
  TRY_ASSIGN(const auto facts, commits_.facts({sha}));
  std::vector<Named> named;
  if (facts.empty()) return named;
  for (const std::string& id : facts.front().session_checkpoints) named.push_back({id, false});
  if (!named.empty()) return named;
  if (!recorded_) recorded_.emplace(context_);
  if (auto recorded = recorded_->checkpoint_of(sha)) {
    named.push_back({std::move(*recorded), false});
    return named;
  }
  for (const std::string& id : core::mentioned_checkpoints(facts.front().message))
    named.push_back({id, true});
  return named;
}

std::optional<core::WrittenLine> WhySessions::search(const StoredSession& session,
                                                     const core::WantedLine& wanted) {
  if (session.transcript.empty() || !core::can_be_searched(wanted.text)) return std::nullopt;
  core::LineSearch search(wanted);
  const Status read = sessions()->transcript(session, [&search](std::string_view part) -> Status {
    search.add(part);
    return {};
  });
  if (!read) warn_once("a transcript cannot be read whole: " + read.error().message);
  return search.finish();
}

void WhySessions::add_checkpoint(WhyCommit& commit, const Named& named,
                                 const std::optional<core::WantedLine>& wanted, const std::string& path) {
  const auto fail = [&](std::string why) {
    WhySession missing;
    missing.checkpoint = named.id;
    missing.mentioned = named.mentioned;
    missing.missing = std::move(why);
    commit.sessions.push_back(std::move(missing));
  };
  Sessions* const all = sessions();
  if (all == nullptr) return fail("it cannot be read");
  const auto view = all->show(named.id);
  if (!view)
    return fail(view.error().kind == base::ErrorKind::not_found ? "it is not in this repository"
                                                                : view.error().message);
  for (const std::string& problem : view->problems()) warn_once(named.id + ": " + problem);
  if (!commit.plan) commit.plan = view->checkpoint.plan;
  const std::vector<StoredSession>& stored = view->checkpoint.sessions;
  const std::size_t first = stored.size() - std::min(stored.size(), kMostWhySessions);
  if (first > 0)
    warn_once(named.id + ": only the last " + std::to_string(kMostWhySessions) + " sessions were looked at");
  std::vector<WhySession> proven;
  std::vector<WhySession> others;
  std::vector<WhySession> of_file;
  for (std::size_t i = first; i < stored.size(); ++i) {
    WhySession session = session_of(stored[i], named.id, named.mentioned);
    if (const auto written = wanted ? search(stored[i], *wanted) : std::nullopt) {
      put_proof(session, *written);
      proven.push_back(std::move(session));
    } else {
      (touched(stored[i], path) ? of_file : others).push_back(std::move(session));
    }
  }
  std::vector<WhySession>& best = !proven.empty() ? proven : !of_file.empty() ? of_file : others;
  std::move(best.begin(), best.end(), std::back_inserter(commit.sessions));
}

Status WhySessions::of_commit(WhyCommit& commit, const std::optional<core::WantedLine>& wanted,
                              const std::string& path) {
  TRY_ASSIGN(const std::vector<Named> named, checkpoints_of(commit.lines.commit));
  for (const Named& one : named) add_checkpoint(commit, one, wanted, path);
  // Of a squash that names several, those that wrote the line are the answer.
  const auto proven = [](const WhySession& session) { return session.proof == WhyProof::tool_call; };
  if (std::any_of(commit.sessions.begin(), commit.sessions.end(), proven))
    std::erase_if(commit.sessions, [&](const WhySession& session) { return !proven(session); });
  if (!commit.plan) {
    if (!recorded_) recorded_.emplace(context_);
    commit.plan = recorded_->of_commits({{std::string(), commit.lines.commit, false}});
  }
  commit.history_ends = is_end(commit);
  if (commit.history_ends) {
    std::erase_if(commit.sessions, [&](const WhySession& session) { return !proven(session); });
    if (commit.sessions.empty()) commit.plan.reset();
  }
  return {};
}

// Whether the commit was found as the last one that changed something, and older ones are not here.
bool WhySessions::is_end(const WhyCommit& commit) {
  if (commit.link == WhyLink::plan_link || commit.link == WhyLink::phase) return false;
  if (!ends_) ends_ = git::shallow_ends(context_.files, tree_);
  return ends_->contains(commit.lines.commit);
}

std::vector<WhySession> WhySessions::of_live_transcripts(const core::WantedLine& wanted) {
  std::vector<std::pair<base::Instant, WhySession>> found;
  if (!core::can_be_searched(wanted.text)) return {};
  std::optional<TextRedactor> redact;
  std::size_t looked_at = 0;
  for (const SeenSession& seen : seen_sessions(context_)) {
    if (seen.transcript.empty()) continue;
    if (looked_at++ == kMostWhySessions) break;
    core::LineSearch search(wanted);
    search.add(system::read_tail(context_.files, seen.transcript, kLargestLiveTranscript));
    auto written = search.finish();
    if (!written) continue;
    if (!redact) redact.emplace(context_, Project::here(context_).settings());
    if (!redact->problem().empty()) warn_once(redact->problem());
    written->prompt = (*redact)(written->prompt);
    WhySession session;
    session.session = seen.id;
    session.client = seen.client;
    put_proof(session, *written);
    session.all_prompts = session.prompts.size();
    found.emplace_back(written->time.value_or(base::Instant{}), std::move(session));
  }
  std::stable_sort(found.begin(), found.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  std::vector<WhySession> sessions;
  sessions.reserve(found.size());
  for (auto& [time, session] : found) sessions.push_back(std::move(session));
  return sessions;
}

}  // namespace plankeep::app
