#include "commits/successors.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "git/checkpoint_message.hpp"
#include "markdown/parse_plan.hpp"
#include "model/progress.hpp"

namespace plankeep::app {
namespace {

using base::Result;
using base::Status;

// So many commits are looked at: all of their messages, the patches and the plans of the newest.
constexpr std::size_t kMostCommits = 2000;
constexpr std::size_t kMostPatches = 300;
constexpr std::size_t kMostPlans = 50;
// A rewritten commit is younger than the sidecar of the one before; clocks are not that exact.
constexpr std::int64_t kSlack = base::kDay;

std::set<std::string> completed_phases(const core::Plan& plan) {
  std::set<std::string> ids;
  for (const core::Phase& phase : plan.phases) {
    if (core::status_of(phase) == core::PhaseStatus::completed) ids.insert(phase.id.text);
  }
  return ids;
}

class HomeSearch {
 public:
  HomeSearch(git::Commits& commits, const std::vector<core::Sidecar>& rewritten, store::Sidecars& known,
             const std::string& plan_path)
      : commits_(commits), rewritten_(rewritten), known_(known), plan_path_(plan_path) {}

  Result<std::vector<Successor>> run() {
    since_ = rewritten_.front().created_at;
    for (const core::Sidecar& rewritten : rewritten_) since_ = std::min(since_, rewritten.created_at);
    since_.milliseconds = std::max<std::int64_t>(since_.milliseconds - kSlack, 0);
    TRY_ASSIGN(here_, commits_.since(since_, kMostCommits));
    index_trees_and_messages();
    read_patches();
    std::vector<Successor> successors;
    for (std::size_t i = 0; i < rewritten_.size(); ++i) {
      const auto [commit, same] = successor_of(rewritten_[i]);
      if (commit == nullptr) continue;
      const auto patch = patches_.find(commit->sha);
      successors.push_back({i, *commit, patch == patches_.end() ? std::string() : patch->second, same});
    }
    return successors;
  }

 private:
  using Commit = const git::CommitFacts*;

  bool has_sidecar(const git::CommitFacts& commit) {
    const auto own = known_.read(commit.sha);
    return !own || *own;
  }

  void index_trees_and_messages() {
    for (const git::CommitFacts& commit : here_) {
      by_tree_.emplace(commit.tree, &commit);        // the newest
      const bool merge = commit.parents.size() > 1;  // its commits are here themselves
      const auto messages = core::read_checkpoint_messages(commit.message);
      if (merge || messages.empty() || has_sidecar(commit)) continue;
      for (const core::CheckpointMessage& message : messages) {
        if (!message.legacy) by_message_.emplace(std::pair(message.run, message.milestone), &commit);
      }
    }
  }

  void read_patches() {
    const bool wanted =
        std::any_of(rewritten_.begin(), rewritten_.end(), [this](const core::Sidecar& rewritten) {
          return !rewritten.patch_id.empty() && by_tree_.find(rewritten.tree) == by_tree_.end();
        });
    if (!wanted) return;
    std::vector<std::string> shas;
    for (std::size_t i = 0; i < here_.size() && i < kMostPatches; ++i) shas.push_back(here_[i].sha);
    // Differences of hundreds of megabytes are not read: trees, messages and plans have to do then.
    if (auto told = commits_.patch_ids(shas)) patches_ = std::move(*told);
    for (const git::CommitFacts& commit : here_) {
      const auto patch = patches_.find(commit.sha);
      if (patch != patches_.end()) by_patch_.emplace(patch->second, &commit);
    }
  }

  // For each phase the newest commit in which it came to be completed.
  void read_plans() {
    if (plans_read_ || plan_path_.empty() || plan_path_.find('\n') != std::string::npos) return;
    plans_read_ = true;
    auto touching = commits_.touching(plan_path_, since_, kMostPlans);
    if (!touching) return;
    plan_commits_ = std::move(*touching);
    std::vector<std::string> names;
    for (const git::CommitFacts& commit : plan_commits_) {
      names.push_back(commit.sha + ":" + plan_path_);
      names.push_back(commit.sha + "^:" + plan_path_);
    }
    const auto texts = commits_.files_at(names);
    if (!texts) return;
    const auto completed_in = [&texts](std::size_t at) {
      if (!(*texts)[at]) return std::set<std::string>();
      const auto plan = markdown::parse_plan(*(*texts)[at]);
      return plan ? completed_phases(*plan) : std::set<std::string>();
    };
    for (std::size_t i = 0; i < plan_commits_.size(); ++i) {
      if (plan_commits_[i].parents.size() > 1) continue;
      const std::set<std::string> before = completed_in(2 * i + 1);
      for (const std::string& phase : completed_in(2 * i)) {
        if (before.count(phase) == 0) by_phase_.emplace(phase, &plan_commits_[i]);
      }
    }
  }

  std::pair<Commit, bool> successor_of(const core::Sidecar& rewritten) {
    if (const auto tree = by_tree_.find(rewritten.tree); tree != by_tree_.end()) return {tree->second, true};
    if (const auto patch = by_patch_.find(rewritten.patch_id); patch != by_patch_.end())
      return {patch->second, true};
    const auto message = by_message_.find(std::pair(rewritten.run, rewritten.milestone));
    if (message != by_message_.end()) return {message->second, false};
    if (rewritten.phase.empty() || !rewritten.phase_complete.value_or(true)) return {nullptr, false};
    read_plans();
    const auto phase = by_phase_.find(rewritten.phase.text);
    return {phase == by_phase_.end() ? nullptr : phase->second, false};
  }

  git::Commits& commits_;
  const std::vector<core::Sidecar>& rewritten_;
  store::Sidecars& known_;
  const std::string& plan_path_;
  base::Instant since_;
  std::vector<git::CommitFacts> here_;
  std::map<std::string_view, Commit> by_tree_;
  std::map<std::pair<std::string, std::int64_t>, Commit> by_message_;
  std::map<std::string, std::string> patches_;  // of commits
  std::map<std::string_view, Commit> by_patch_;
  bool plans_read_ = false;
  std::vector<git::CommitFacts> plan_commits_;
  std::map<std::string, Commit> by_phase_;
};

}  // namespace

Result<std::vector<Successor>> successors_of(git::Commits& commits,
                                             const std::vector<core::Sidecar>& rewritten,
                                             store::Sidecars& known, const std::string& plan_path) {
  if (rewritten.empty()) return std::vector<Successor>();
  return HomeSearch(commits, rewritten, known, plan_path).run();
}

std::optional<std::size_t> newly_completed(const core::Plan& plan, const core::Plan& before) {
  const std::set<std::string> old = completed_phases(before);
  for (std::size_t i = plan.phases.size(); i-- > 0;) {
    const core::Phase& phase = plan.phases[i];
    if (core::status_of(phase) == core::PhaseStatus::completed && old.count(phase.id.text) == 0) return i;
  }
  return std::nullopt;
}

}  // namespace plankeep::app
