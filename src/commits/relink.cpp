#include "commits/relink.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "commits/bind_commits.hpp"
#include "commits/last_milestone.hpp"
#include "commits/successors.hpp"
#include "git/checkpoint_message.hpp"
#include "store/tracking_folder.hpp"
#include "tracking/show.hpp"

namespace plankeep::app {
namespace {

using base::Result;
using git::Reachability;

// So many sidecars `recent` looks at, and so many orphans are looked for, the best of them.
constexpr std::size_t kNewestSidecars = 200;
constexpr std::size_t kMostOrphans = 1000;

core::Sidecar moved(const core::Sidecar& old, const git::CommitFacts& commit, std::string patch_id,
                    bool same) {
  core::Sidecar sidecar = old;
  sidecar.relinked_from = old.sha;
  sidecar.sha = commit.sha;
  sidecar.tree = commit.tree;
  sidecar.patch_id = std::move(patch_id);
  if (!same) {
    sidecar.tier = core::Tier::tier0;
    sidecar.commands.clear();
  }
  return sidecar;
}

bool better(const core::Sidecar& a, const core::Sidecar& b) {
  return a.milestone != b.milestone ? a.milestone > b.milestone : a.created_at > b.created_at;
}

// Of several for one commit the best; in a fixed order.
std::vector<core::Sidecar> best_of_each(std::vector<core::Sidecar> all) {
  std::map<std::string, core::Sidecar> best;
  for (core::Sidecar& sidecar : all) {
    const auto [at, added] = best.try_emplace(sidecar.sha, sidecar);
    if (!added && better(sidecar, at->second)) at->second = std::move(sidecar);
  }
  std::vector<core::Sidecar> kept;
  kept.reserve(best.size());
  for (auto& [sha, sidecar] : best) kept.push_back(std::move(sidecar));
  return kept;
}

class LinkSearch {
 public:
  LinkSearch(const Context& context, const PlanLocation& plan, PlanRepository& repository,
             system::Folder& tracking)
      : context_(context),
        plan_(plan),
        repository_(repository),
        commits_(repository.commits()),
        sidecars_(tracking) {}

  Result<Links> run(LinkScope scope) {
    TRY_ASSIGN(plan_id_, repository_.plan_id(plan_));
    TRY_ASSIGN(query_, repository_.run_query(plan_, {}));
    TRY_ASSIGN(const std::vector<git::CommitFacts> recent, commits_.recent());
    for (const git::CommitFacts& commit : recent) recent_.insert(commit.sha);
    if (scope == LinkScope::all) {
      TRY(inspect_all());
    } else {
      TRY(inspect_newest());
    }
    TRY(find_homes());
    TRY(find_unlinked(recent));
    TRY(add_patch_ids());
    return std::move(links_);
  }

 private:
  base::Status inspect_all() {
    TRY_ASSIGN(store::SidecarList list, sidecars_.all());
    links_.malformed = std::move(list.malformed);
    std::vector<std::string> shas;
    std::map<std::string, std::string> follows;  // new to old
    shas.reserve(list.sidecars.size());
    for (const core::Sidecar& sidecar : list.sidecars) {
      shas.push_back(sidecar.sha);
      follows[sidecar.sha] = sidecar.relinked_from;
    }
    TRY_ASSIGN(const std::vector<Reachability> reachability, commits_.reachability(shas));
    std::set<std::string> replaced;
    for (std::size_t i = 0; i < shas.size(); ++i) {
      if (reachability[i] != Reachability::here) continue;
      ++links_.here;
      std::string from = follows[shas[i]];
      while (!from.empty() && replaced.insert(from).second) from = follows[from];
    }
    for (std::size_t i = 0; i < shas.size(); ++i) {
      if (reachability[i] == Reachability::here) continue;
      ++(reachability[i] == Reachability::gone ? links_.gone : links_.elsewhere);
      if (replaced.count(shas[i]) == 0) rewritten_.push_back(std::move(list.sidecars[i]));
    }
    return {};
  }

  // What git may have rewritten since the last commit of ours: the newest sidecars whose commits are not
  // among the last of this branch. The index knows them.
  base::Status inspect_newest() {
    TRY_ASSIGN(const store::SidecarSelection found,
               sidecars_.select({query_.run, query_.own, 0, kNewestSidecars}));
    std::set<std::string> replaced;
    for (const store::SidecarEntry& entry : found.newest) replaced.insert(entry.relinked_from);
    std::vector<std::string> unknown;
    for (const store::SidecarEntry& entry : found.newest) {
      if (recent_.count(entry.sha) == 0 && replaced.count(entry.sha) == 0) unknown.push_back(entry.sha);
    }
    TRY_ASSIGN(const std::vector<Reachability> reachability, commits_.reachability(unknown));
    for (std::size_t i = 0; i < unknown.size(); ++i) {
      if (reachability[i] == Reachability::here) continue;
      auto sidecar = sidecars_.read(unknown[i]);
      if (sidecar && *sidecar) rewritten_.push_back(std::move(**sidecar));
    }
    return {};
  }

  base::Status find_homes() {
    std::sort(rewritten_.begin(), rewritten_.end(), better);
    if (rewritten_.size() > kMostOrphans) rewritten_.resize(kMostOrphans);
    TRY_ASSIGN(const std::vector<Successor> successors,
               successors_of(commits_, rewritten_, sidecars_, query_.path));
    std::vector<core::Sidecar> found;
    for (const Successor& successor : successors) {
      const core::Sidecar& rewritten = rewritten_[successor.rewritten];
      const auto there = sidecars_.read(successor.commit.sha);
      if (there && *there && !better(rewritten, **there)) continue;
      found.push_back(moved(rewritten, successor.commit, successor.patch_id, successor.same));
    }
    links_.relinked = best_of_each(std::move(found));
    for (const core::Sidecar& sidecar : links_.relinked) known_.insert(sidecar.sha);
    return {};
  }

  base::Status find_unlinked(const std::vector<git::CommitFacts>& recent) {
    std::optional<core::Plan> read;
    for (std::size_t i = 0; i < recent.size(); ++i) {
      const git::CommitFacts& commit = recent[i];
      const auto message = best_message(commit);
      if (!message || known_.count(commit.sha) != 0) continue;
      const auto own = sidecars_.read(commit.sha);
      if (!own || *own) continue;
      if (!read) {
        auto shown = load_shown(context_, plan_, 0);
        if (!shown || !shown->plan) return {};  // a later look knows what the phases are called
        read = std::move(shown->plan);
      }
      links_.linked.push_back(made_from(commit, *message, *read, i == 0));
    }
    return {};
  }

  // The highest milestone of this plan that a commit tells of, whatever its run is called.
  std::optional<core::CheckpointMessage> best_message(const git::CommitFacts& commit) const {
    std::optional<core::CheckpointMessage> best;
    for (core::CheckpointMessage& message : messages_of(commit)) {
      const bool ours = message.plan.empty() ? core::answers(query_, message)
                                             : message.plan == plan_id_ || message.plan == plan_.folder_id();
      if (message.legacy || !ours || !core::is_run_id(message.run)) continue;
      if (!best || message.milestone > best->milestone) best = std::move(message);
    }
    return best;
  }

  core::Sidecar made_from(const git::CommitFacts& commit, const core::CheckpointMessage& message,
                          const core::Plan& read, bool head) const {
    core::Sidecar sidecar;
    sidecar.sha = commit.sha;
    sidecar.run = message.run;
    sidecar.milestone = message.milestone;
    sidecar.created_at = commit.time;
    sidecar.tree = commit.tree;
    sidecar.plan_id = plan_id_;
    sidecar.plan_path = query_.path;
    sidecar.phase = message.phase;
    const auto phase = core::phase_of(read, {core::CheckpointSource::git_log_run_specific,
                                             commit.sha,
                                             message.milestone,
                                             message.phase,
                                             {},
                                             commit.time});
    if (!phase) return sidecar;
    sidecar.phase = read.phases[*phase].id;
    sidecar.title = read.phases[*phase].title;
    if (head) {
      core::TierDecision decision = tier_now(context_, plan_, *phase);
      sidecar.tier = decision.tier;
      sidecar.commands = std::move(decision.commands);
    }
    return sidecar;
  }

  base::Status add_patch_ids() {
    std::vector<std::string> shas;
    for (const core::Sidecar& sidecar : links_.linked) shas.push_back(sidecar.sha);
    for (const core::Sidecar& sidecar : links_.relinked) {
      if (sidecar.patch_id.empty()) shas.push_back(sidecar.sha);
    }
    if (shas.empty()) return {};
    const auto ids = commits_.patch_ids(shas);
    if (!ids) return {};  // a difference that is too large: the tree has to do
    for (std::vector<core::Sidecar>* list : {&links_.linked, &links_.relinked}) {
      for (core::Sidecar& sidecar : *list) {
        const auto id = ids->find(sidecar.sha);
        if (id != ids->end()) sidecar.patch_id = id->second;
      }
    }
    return {};
  }

  const Context& context_;
  const PlanLocation& plan_;
  PlanRepository& repository_;
  git::Commits& commits_;
  store::Sidecars sidecars_;
  std::string plan_id_;  // what the plan is called in commits
  core::RunQuery query_;
  std::set<std::string> recent_;
  std::set<std::string> known_;
  std::vector<core::Sidecar> rewritten_;
  Links links_;
};

Result<std::unique_ptr<system::Folder>> tracking_folder(const Context& context, const PlanLocation& plan) {
  TRY_ASSIGN(const auto folder, context.files.open_folder(plan.folder));
  auto tracking = store::open_tracking(*folder, plan.name);
  if (!tracking && tracking.error().kind == base::ErrorKind::not_found)
    return std::unique_ptr<system::Folder>();
  return tracking;
}

base::Status write(const Context& context, const PlanLocation& plan, const Links& links) {
  if (links.empty()) return {};
  std::vector<core::Sidecar> all = links.relinked;
  all.insert(all.end(), links.linked.begin(), links.linked.end());
  std::sort(all.begin(), all.end(),
            [](const core::Sidecar& a, const core::Sidecar& b) { return better(b, a); });
  TRY_ASSIGN(const Outcome outcome, bind_commits(context, plan, all));
  return {};
}

}  // namespace

Result<Links> find_links(const Context& context, const PlanLocation& plan, PlanRepository& repository,
                         system::Folder& tracking, LinkScope scope) {
  return LinkSearch(context, plan, repository, tracking).run(scope);
}

Result<Links> link_commits(const Context& context, const PlanLocation& plan, PlanRepository& repository,
                           LinkScope scope) {
  TRY_ASSIGN(const auto tracking, tracking_folder(context, plan));
  if (!tracking) return Links();
  TRY_ASSIGN(Links links, find_links(context, plan, repository, *tracking, scope));
  TRY(write(context, plan, links));
  return links;
}

Result<Links> follow_rewritten(const Context& context, const PlanLocation& plan, PlanRepository& repository,
                               const std::vector<Rewritten>& rewritten) {
  TRY_ASSIGN(const auto tracking, tracking_folder(context, plan));
  if (!tracking) return Links();
  store::Sidecars sidecars(*tracking);
  std::vector<std::pair<core::Sidecar, std::string>> moves;  // the old one and where it goes
  std::set<std::string> targets;
  for (const auto& [from, to] : rewritten) {
    auto old = sidecars.read(from);
    if (!old || !*old || !core::is_commit_id(to)) continue;
    moves.emplace_back(std::move(**old), to);
    targets.insert(to);
  }
  Links links;
  if (moves.empty()) return links;
  TRY_ASSIGN(const auto facts, repository.commits().facts({targets.begin(), targets.end()}));
  const auto ids = repository.commits().patch_ids({targets.begin(), targets.end()});
  std::vector<core::Sidecar> found;
  for (const auto& [old, to] : moves) {
    const auto commit = std::find_if(facts.begin(), facts.end(),
                                     [&to = to](const git::CommitFacts& one) { return one.sha == to; });
    if (commit == facts.end()) continue;
    std::string patch_id;
    if (ids && ids->count(to) != 0) patch_id = ids->at(to);
    const bool same = commit->tree == old.tree || (!patch_id.empty() && patch_id == old.patch_id);
    core::Sidecar sidecar = moved(old, *commit, patch_id, same);
    const auto there = sidecars.read(to);
    if (there && *there) {
      const bool followed = !(*there)->relinked_from.empty() && better(**there, sidecar);
      if (followed || (*there)->milestone > sidecar.milestone) continue;
      // Made by post-commit a moment ago: it knows what is verified of the new content.
      if (!same && (*there)->relinked_from.empty()) {
        sidecar.tier = (*there)->tier;
        sidecar.commands = (*there)->commands;
      }
    }
    found.push_back(std::move(sidecar));
  }
  links.relinked = best_of_each(std::move(found));
  TRY(write(context, plan, links));
  return links;
}

}  // namespace plankeep::app
