#include "doctor/session_links_health.hpp"

#include <algorithm>

#include "base/text.hpp"
#include "commits/entire_hooks.hpp"
#include "commits/git_hook_files.hpp"
#include "commits/link_work.hpp"
#include "commits/session_message.hpp"
#include "git/commits.hpp"
#include "git/git.hpp"
#include "project/project.hpp"
#include "session_rules/commit_link.hpp"
#include "sessions/activity_files.hpp"
#include "sessions/export_sessions.hpp"
#include "sessions/recorded_links.hpp"

namespace plankeep::app {
namespace {

constexpr std::string_view kSessionsCheck = "sessions";
constexpr std::string_view kSetUp = "plankeep git-setup --sessions";

class Sessions {
 public:
  Sessions(const Context& context, const Project& project, ActivityFiles files)
      : context_(context),
        project_(project),
        files_(std::move(files)),
        git_(*context.processes, context.files) {}

  std::vector<Finding> run() {
    const auto setting = project_.settings().sessions.value_or(SessionsSetting::write);
    if (setting != SessionsSetting::write) {
      add(Condition::attention,
          std::string(
              "git-setup --sessions ran here, but commits are not linked: the setting \"sessions\" is ") +
              (setting == SessionsSetting::off ? "\"off\"" : "\"read\""),
          "set it to \"write\", or take the hooks out: plankeep git-setup --undo");
      return std::move(findings_);
    }
    const auto entire = entire_links_commits(context_, git_, files_.top());
    if (entire && *entire) {
      add(Condition::fine, "Entire's hooks link commits here; plankeep adds no trailer beside them");
    } else {
      inspect_hooks();
      inspect_last_commit();
      inspect_layout();
    }
    inspect_waiting();
    return std::move(findings_);
  }

 private:
  void add(Condition condition, std::string message, std::string remedy = {}) {
    findings_.push_back({std::string(kSessionsCheck), condition, std::move(message), std::move(remedy)});
  }

  void inspect_hooks() {
    const auto hooks = installed_git_hooks(context_, git_, files_.top());
    if (!hooks) return add(Condition::attention, hooks.error().message, hooks.error().hint);
    if (hooks->parts.sessions) {
      add(Condition::fine, "commits are linked to sessions (git-setup --sessions)");
    } else {
      add(Condition::attention, "not all of git's hooks call plankeep: commits are not linked to sessions",
          std::string(kSetUp));
    }
  }

  void inspect_layout() {
    const auto layout = layout_here(context_, git_, work_tree_of(files_));
    if (!layout || *layout == files_.layout()) return;
    const bool on_branch = *layout == core::SessionLayout::branch;
    add(Condition::attention,
        on_branch
            ? "session checkpoints are kept on the branch entire/checkpoints/v1 here by now, but "
              "plankeep still gives each a ref of its own"
            : "session checkpoints have refs of their own here by now, but plankeep still writes to the "
              "branch entire/checkpoints/v1",
        std::string(kSetUp));
  }

  void inspect_last_commit() {
    git::Commits commits(git_, context_.files, work_tree_of(files_));
    const auto head = commits.head();
    if (!head || !*head) return;
    LastCommitFacts facts;
    facts.merge = (*head)->parents.size() > 1;
    facts.revert = core::is_revert((*head)->message);
    const std::vector<std::string>& ids = (*head)->session_checkpoints;
    facts.named = !ids.empty();
    facts.waiting = facts.named && link_work_due(context_, files_.top(), ids.back());
    facts.recorded = !facts.named && RecordedLinks(context_).checkpoint_of((*head)->sha).has_value();
    facts.switched_off = is_trailer_switched_off(git_, files_.top()).value_or(false);
    std::vector<std::string> paths;
    if (const auto changes = commits.changed_by(**head)) {
      for (const git::CommitChange& change : *changes) paths.push_back(change.path);
    }
    facts.sessions = files_.touching(paths).size();
    findings_.push_back(last_commit_finding(facts));
  }

  void inspect_waiting() {
    const std::vector<WaitingSession> waiting = files_.waiting(context_.clock.now());
    const auto soon = std::count_if(waiting.begin(), waiting.end(), [](const WaitingSession& one) {
      return one.days_left <= kExpiryNoticeDays;
    });
    if (soon == 0) return;
    std::size_t paths = 0;
    for (auto one = waiting.begin(); one != waiting.begin() + soon; ++one) paths += one->paths;
    findings_.push_back({"session notes", Condition::attention,
                         base::counted(soon, "session", "sessions") + " that ended touched " +
                             base::counted(paths, "file", "files") + " that no commit has; forgotten in " +
                             base::counted(waiting.front().days_left, "day", "days") + " or less",
                         "commit the files to link them"});
  }

  const Context& context_;
  const Project& project_;
  ActivityFiles files_;
  git::Git git_;
  std::vector<Finding> findings_;
};

}  // namespace

Finding last_commit_finding(const LastCommitFacts& facts) {
  Finding finding{"last commit", Condition::fine, {}, {}};
  if (facts.named && !facts.waiting) {
    finding.message = "names a session checkpoint";
  } else if (facts.named) {
    finding.condition = Condition::attention;
    finding.message = "names a session checkpoint that is not written yet";
    finding.remedy = "wait a moment; the next commit or the end of the session's turn writes it, too";
  } else if (facts.recorded) {
    finding.message = "its message names no session checkpoint, but the plan's history does";
  } else if (facts.merge) {
    finding.message = "no session checkpoint: merges get none";
  } else if (facts.revert) {
    finding.message = "no session checkpoint: reverts get none";
  } else if (facts.switched_off) {
    finding.message = "no session checkpoint: commit.sessionTrailer is false";
  } else if (facts.sessions > 0) {
    finding.condition = Condition::attention;
    finding.message =
        "no session checkpoint, though a session wrote its files: made by git commit --no-verify in "
        "an editor, by a program that runs no hooks, in a rebase or cherry-pick, or before they did";
    finding.remedy = "the next commit that changes these files is linked";
  } else {
    finding.message = "no session checkpoint: no known session wrote its files";
  }
  return finding;
}

std::vector<Finding> examine_sessions(const Context& context, const PlanLocation& plan) {
  if (context.processes == nullptr) return {};
  const Project project(context, plan.folder);
  auto files = ActivityFiles::open(context, plan.folder);
  if (files) return Sessions(context, project, std::move(*files)).run();
  if (project.settings().sessions != SessionsSetting::write) return {};
  return {{std::string(kSessionsCheck), Condition::attention,
           "the setting \"sessions\" is \"write\", but commits are not linked here: git's hooks are missing",
           std::string(kSetUp)}};
}

}  // namespace plankeep::app
