// What somebody who goes on from a checkpoint is told (model/checkpoint.hpp).
#include <algorithm>

#include "base/text.hpp"
#include "base/utf8.hpp"
#include "model/checkpoint.hpp"

namespace plankeep::core {
namespace {

constexpr std::size_t kTitleBytes = 120;
constexpr std::size_t kNamed = 5;  // of finished tasks, of commands
constexpr std::size_t kCommitShown = 10;

// Text of a plan, on one line.
std::string line(std::string_view text) {
  std::string safe = base::printable(text);
  std::replace(safe.begin(), safe.end(), '\t', ' ');
  return base::fit_to_bytes(safe, kTitleBytes);
}

std::string quoted(const std::string& title, const std::string& id) {
  return title.empty() ? id : "\"" + line(title) + "\" (" + id + ")";
}

std::string tenths(std::int64_t number) {
  std::string text = std::to_string(number / 10);
  if (number % 10 != 0) text += "." + std::to_string(number % 10);
  return text;
}

std::string_view in_words(std::string_view status) {
  if (status == "in_progress") return "in progress";
  return status == "pending" ? "not started" : status;
}

struct Counts {
  std::int64_t done = 0;
  std::int64_t total = 0;
  void add(const TodoItem& item) {
    if (item.optional) return;
    ++total;
    if (item.state == BoxState::done) ++done;
  }
};

class Instructions {
 public:
  Instructions(const Checkpoint& checkpoint, const SinceThen& since)
      : checkpoint_(checkpoint),
        moment_(checkpoint.moment),
        epic_(checkpoint.work_state.current_epic),
        git_(checkpoint.work_state.git_status),
        since_(since) {
    for (const TodoItem& item : moment_.todo_snapshot) {
      all_.add(item);
      if (item.phase.text == epic_.epic_id) phase_.add(item);
    }
  }

  RecoveryInstructions run() {
    finished();
    facts();
    steps();
    return std::move(result_);
  }

 private:
  void finished() {
    std::vector<std::string>& out = result_.finished;
    if (moment_.todo_snapshot.empty()) {
      out.emplace_back("What was done is unknown: the plan could not be read then, or had no tasks.");
      return;
    }
    out.push_back(
        std::to_string(all_.done) + " of " + base::counted(all_.total, "task", "tasks") +
        (all_.total == 1 ? " was done" : " were done") +
        (moment_.knows_tasks() ? "." : ", as last recorded: this checkpoint has no readable plan."));
    // The last ones of the phase say most about what was just finished.
    std::vector<const TodoItem*> done;
    for (const TodoItem& item : moment_.todo_snapshot) {
      if (item.state == BoxState::done && item.phase.text == epic_.epic_id) done.push_back(&item);
    }
    const std::size_t shown = std::min(done.size(), kNamed);
    for (std::size_t i = done.size() - shown; i < done.size(); ++i) {
      out.push_back("Done: " + quoted(done[i]->title, done[i]->id.text));
    }
    if (done.size() > shown) {
      out.push_back("Done earlier in this phase: " +
                    base::counted(static_cast<std::int64_t>(done.size() - shown), "task", "tasks") + ".");
    }
  }

  void facts() {
    std::vector<std::string>& out = result_.facts;
    if (!epic_.epic_id.empty()) {
      out.push_back("Phase " + quoted(epic_.feature_name, epic_.epic_id) + " was " +
                    std::string(in_words(epic_.status)) +
                    (moment_.todo_snapshot.empty() ? ""
                                                   : ": " + std::to_string(phase_.done) + " of " +
                                                         base::counted(phase_.total, "task", "tasks")) +
                    ".");
    }
    if (moment_.criteria > 0) {
      out.push_back(criteria());
    }
    if (epic_.test_results) {
      out.push_back("Of the commands that prove them, " + std::to_string(epic_.test_results->passed) +
                    " passed and " + std::to_string(epic_.test_results->failed) +
                    " failed when they ran last.");
    }
    if (epic_.duration_tenths_hours) {
      const std::string hours = tenths(*epic_.duration_tenths_hours);
      out.push_back(
          "The phase was started " +
          (hours == "0" ? std::string("less than 6 minutes") : hours + (hours == "1" ? " hour" : " hours")) +
          " earlier.");
    }
    if (moment_.workspace_state != WorkspaceState::none) out.push_back(repository());
    for (const std::string& blocker : moment_.blockers) out.push_back("Blocked: " + line(blocker));
    if (!checkpoint_.head.metadata.note.empty())
      out.push_back("Note: " + line(checkpoint_.head.metadata.note));
    commands();
  }

  std::string criteria() const {
    if (moment_.criteria == 1)
      return moment_.criteria_met == 1 ? "Its acceptance criterion was met."
                                       : "Its acceptance criterion was not met.";
    const std::string met = moment_.criteria_met == 0 ? "None" : std::to_string(moment_.criteria_met);
    return met + " of its " + std::to_string(moment_.criteria) + " acceptance criteria" +
           (moment_.criteria_met < 2 ? " was met." : " were met.");
  }

  std::string repository() const {
    std::string text =
        git_.branch.empty() ? std::string("No branch (detached)") : "Branch " + line(git_.branch);
    text += moment_.commit_sha.empty() ? ", no commit yet"
                                       : " at " + line(moment_.commit_sha).substr(0, kCommitShown);
    if (git_.commit_count && *git_.commit_count > 0) {
      // The record does not say which of the two was counted.
      text += ", " + base::counted(*git_.commit_count, "commit", "commits") +
              " not in its upstream (without an upstream: made since tracking began)";
    }
    if (moment_.workspace_state == WorkspaceState::clean) return text + "; no uncommitted changes.";
    return text + "; uncommitted files: " + std::to_string(git_.staged_files) + " staged, " +
           std::to_string(git_.unstaged_files) + " modified, " + std::to_string(git_.untracked_files) +
           " new (untracked).";
  }

  void commands() {
    const std::vector<CommandUsed>& used = checkpoint_.work_state.last_commands;
    const std::size_t shown = std::min(used.size(), kNamed);
    for (std::size_t i = used.size() - shown; i < used.size(); ++i) {
      const std::string& what = used[i].target.empty() ? used[i].message : used[i].target;
      result_.facts.push_back("Last command: " + line(used[i].type) + (what.empty() ? "" : " ") + line(what));
    }
  }

  // What was being worked on, else what is next.
  const TodoItem* next_task() const {
    const std::vector<TodoItem>& todo = moment_.todo_snapshot;
    const auto find = [&todo](const auto& wanted) -> const TodoItem* {
      const auto found = std::find_if(todo.begin(), todo.end(), [&](const TodoItem& item) {
        return !item.optional && item.state != BoxState::done && wanted(item);
      });
      return found == todo.end() ? nullptr : &*found;
    };
    const auto here = [this](const TodoItem& item) { return item.phase.text == epic_.epic_id; };
    const TodoItem* task =
        find([&](const TodoItem& item) { return here(item) && item.state == BoxState::active; });
    if (task == nullptr) task = find(here);
    if (task == nullptr) task = find([](const TodoItem&) { return true; });
    return task;
  }

  void steps() {
    std::vector<std::string>& out = result_.steps;
    for (std::size_t i = 0; i < moment_.blockers.size(); ++i) {
      out.push_back("Resolve the blocker: " + line(moment_.blockers[i]) + " (plankeep unblock " +
                    std::to_string(i + 1) + " removes it from the plan)");
    }
    const std::string plan = since_.plan.empty() ? std::string("the plan") : line(since_.plan);
    std::string read = "Read " + plan;
    const std::string& next = checkpoint_.work_state.prd_status.next_epic;
    if (epic_.status == name_of(PhaseStatus::completed) && !next.empty()) {
      read += ", phase " + line(next);  // that one is finished
    } else if (!epic_.epic_id.empty()) {
      read += ", phase " + quoted(epic_.feature_name, epic_.epic_id);
    }
    if (since_.plan_changed && *since_.plan_changed) {
      read += "; it has changed since";
      if (since_.done_now)
        read += " and has " + base::counted(*since_.done_now, "task", "tasks") + " done now";
      read += " (for details: plankeep log)";
    }
    out.push_back(std::move(read));
    if (since_.head && !moment_.commit_sha.empty() && *since_.head != moment_.commit_sha) {
      const std::string then = line(moment_.commit_sha).substr(0, kCommitShown);
      out.push_back("See what was committed since: git log --oneline " + then + "..HEAD");
    }
    if (moment_.workspace_state == WorkspaceState::dirty) {
      out.emplace_back("Review uncommitted changes: git status");
    }
    work(out);
    if (moment_.snapshot && since_.snapshot_gone) {
      out.push_back(
          "The files of that time are no longer in git; to preview restoring only the plan: plankeep "
          "rewind " +
          checkpoint_.head.id.text + " --plan --dry-run");
    } else if (moment_.snapshot) {
      out.push_back("To preview restoring the files of that time: plankeep rewind " +
                    checkpoint_.head.id.text + " --dry-run");
    }
  }

  void work(std::vector<std::string>& out) const {
    const TodoItem* task = next_task();
    const bool unmet = moment_.criteria_met < moment_.criteria;
    // Of a phase whose tasks are done the criteria come before the next phase.
    const bool prove_first = unmet && (task == nullptr || task->phase.text != epic_.epic_id);
    // Which of them have a command is not kept.
    constexpr std::string_view kProve =
        "Meet the open criteria; to run the commands that prove them: plankeep verify";
    if (prove_first) out.emplace_back(kProve);
    if (task != nullptr) {
      out.push_back(
          std::string(task->state == BoxState::active ? "Continue with task " : "Start with task ") +
          quoted(task->title, task->id.text));
      out.push_back("When it is done: plankeep done " + task->id.text);
    } else if (moment_.todo_snapshot.empty()) {
      out.emplace_back("See what to do: plankeep next");
    }
    if (unmet && !prove_first) {
      out.emplace_back(kProve);
    } else if (!unmet && task == nullptr && !moment_.todo_snapshot.empty()) {
      out.emplace_back("Every task was done; check that this is still true: plankeep status");
    }
  }

  const Checkpoint& checkpoint_;
  const Moment& moment_;
  const CurrentEpic& epic_;
  const GitStatus& git_;
  const SinceThen& since_;
  Counts all_;
  Counts phase_;
  RecoveryInstructions result_;
};

}  // namespace

RecoveryInstructions recovery_instructions(const Checkpoint& checkpoint, const SinceThen& since) {
  return Instructions(checkpoint, since).run();
}

}  // namespace plankeep::core
