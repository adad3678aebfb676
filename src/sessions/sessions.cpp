#include "sessions/sessions.hpp"

#include <algorithm>

#include "project/project.hpp"

namespace plankeep::app {

using base::ErrorKind;
using base::Result;
using base::Status;

const sessions::StoredSession* SessionView::session(const std::optional<std::string>& id) const {
  const auto& all = checkpoint.sessions;
  if (!id) return all.empty() ? nullptr : &all.back();
  const auto found = std::find_if(all.begin(), all.end(), [&](const sessions::StoredSession& one) {
    return one.metadata && one.metadata->session_id == *id;
  });
  return found == all.end() ? nullptr : &*found;
}

std::vector<std::string> SessionView::problems() const {
  std::vector<std::string> all = checkpoint.problems;
  for (const sessions::StoredSession& session : checkpoint.sessions)
    all.insert(all.end(), session.problems.begin(), session.problems.end());
  return all;
}

Result<Sessions> Sessions::open(const Context& context) {
  if (context.processes == nullptr) return base::fail(ErrorKind::not_found, "git cannot be started here");
  auto git = std::make_unique<git::Git>(*context.processes, context.files);
  TRY_ASSIGN(auto index,
             sessions::SessionIndex::open(*git, context.files, context.environment.working_directory(),
                                          Project::here(context).settings().sessions_push.value_or("")));
  if (!index)
    return base::fail(ErrorKind::not_found, "not in a git repository",
                      "sessions are kept in git; run it inside a repository");
  return Sessions(context, std::move(git), std::move(index));
}

Result<SessionList> Sessions::list(const SessionListRequest& request) {
  records::SessionQuery query;
  query.limit = request.count;
  query.branch = request.branch;
  query.agent = request.client;
  query.since = request.since;
  // Which plan a checkpoint belongs to may stand in our records alone, which the index does not know.
  if (request.plan) query.limit = std::size_t{1} << 30;
  SessionList list;
  TRY_ASSIGN(std::vector<core::SessionRow> rows, index_->list(query));
  std::optional<RecordedLinks> recorded;
  std::map<std::string, core::PhaseId> told;  // by the wanted plan's history
  if (request.plan) {
    recorded.emplace(*context_);
    told = recorded->linked_to(*request.plan);
  }
  for (core::SessionRow& row : rows) {
    if (list.items.size() == request.count) break;
    const auto known = told.find(row.id);
    if (request.plan && row.plan_id != *request.plan && known != told.end()) {
      row.plan_id = *request.plan;
      row.phase_id = known->second.text;
      row.phase_title.clear();
    }
    if (request.plan && !row.plan_id.empty() && row.plan_id != *request.plan) continue;
    SessionListItem item;
    TRY_ASSIGN(item.links, index_->links_of(row.id));
    if (row.plan_id.empty() && !item.links.empty()) {
      if (!recorded) recorded.emplace(*context_);
      if (const auto link = recorded->of_commits(item.links)) {
        row.plan_id = link->plan_id;
        row.phase_id = link->phase_id.value_or("");
        row.phase_title = link->phase_title.value_or("");
      }
    }
    if (request.plan && row.plan_id != *request.plan) continue;
    item.row = std::move(row);
    list.items.push_back(std::move(item));
  }
  TRY_ASSIGN(const std::vector<std::string> problems, index_->problems());
  if (!problems.empty()) {
    list.warnings.push_back(problems.front() + (problems.size() == 1
                                                    ? std::string()
                                                    : "; " + std::to_string(problems.size() - 1) +
                                                          " more like this: plankeep session check"));
  }
  return list;
}

Result<PendingSessions> Sessions::pending() {
  PendingSessions pending;
  TRY_ASSIGN(std::vector<sessions::ShadowSession> shadows, index_->shadows());
  for (sessions::ShadowSession& shadow : shadows) {
    PendingBranch& branch = pending.branches.emplace_back();
    branch.tip = std::move(shadow);
    if (pending.branches.size() > kMostPendingBranches) continue;
    TRY_ASSIGN(branch.history,
               sessions::read_shadow_history(index_->objects(), branch.tip.tip, kMostPendingSnapshots));
  }
  for (SeenSession& session : seen_sessions(*context_)) {
    if (session.running) pending.running.push_back(std::move(session));
  }
  return pending;
}

Result<std::string> Sessions::resolve(const std::string& which) {
  auto id = index_->resolve(which);
  if (id || id.error().kind != ErrorKind::not_found) return id;
  TRY_ASSIGN(const auto commit, index_->commit_named(which));
  if (!commit) return id;
  auto recorded = RecordedLinks(*context_).checkpoint_of(*commit);
  return recorded ? Result<std::string>(std::move(*recorded)) : id;
}

Result<SessionView> Sessions::show(const std::string& which) {
  TRY_ASSIGN(const std::string id, resolve(which));
  SessionView view;
  TRY_ASSIGN(view.checkpoint, index_->read(id));
  TRY_ASSIGN(view.links, index_->links_of(id));
  TRY_ASSIGN(view.author, index_->author(view.checkpoint.found));
  if (!view.checkpoint.plan) {
    RecordedLinks recorded(*context_);
    view.checkpoint.plan = recorded.of_commits(view.links);
    if (!view.checkpoint.plan) view.checkpoint.plan = recorded.in_history(id);
  }
  return view;
}

Status Sessions::transcript(const sessions::StoredSession& session,
                            const std::function<Status(std::string_view)>& take) {
  return sessions::read_transcript(index_->objects(), session, take);
}

Result<std::vector<std::string>> Sessions::ids(std::size_t most) {
  records::SessionQuery query;
  query.limit = most;
  TRY_ASSIGN(const std::vector<core::SessionRow> rows, index_->list(query));
  std::vector<std::string> ids;
  ids.reserve(rows.size());
  for (const core::SessionRow& row : rows) ids.push_back(row.id);
  return ids;
}

}  // namespace plankeep::app
