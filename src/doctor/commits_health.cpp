#include "doctor/commits_health.hpp"

#include <algorithm>
#include <set>

#include "base/text.hpp"
#include "commits/bind_commits.hpp"
#include "commits/last_milestone.hpp"
#include "commits/relink.hpp"
#include "git/new_files.hpp"
#include "render/style.hpp"
#include "store/journal.hpp"
#include "store/paths.hpp"
#include "store/tracking_folder.hpp"
#include "tracking/show.hpp"

namespace plankeep::app {
namespace {

using base::counted;
using base::Result;

constexpr std::string_view kCommitsCheck = "commits";
constexpr std::string_view kRepairCommits = "plankeep doctor --repair";
constexpr std::size_t kMostNamed = 5;

// Null where nothing is tracked or no commit was ever bound.
Result<std::unique_ptr<system::Folder>> folder_with_commits(const Context& context,
                                                            const PlanLocation& plan) {
  TRY_ASSIGN(const auto folder, context.files.open_folder(plan.folder));
  auto tracking = store::open_tracking(*folder, plan.name);
  // What is wrong with the folder itself is said by doctor/doctor.
  if (!tracking) return std::unique_ptr<system::Folder>();
  TRY_ASSIGN(const bool there, store::Sidecars(**tracking).exist());
  if (!there) return std::unique_ptr<system::Folder>();
  return tracking;
}

void tell_malformed(const std::vector<store::MalformedSidecar>& malformed, std::vector<Finding>& findings) {
  for (std::size_t i = 0; i < malformed.size() && i < kMostNamed; ++i) {
    findings.push_back({std::string(kCommitsCheck) + "/" + render::short_commit(malformed[i].name),
                        Condition::attention, "is not a sidecar: " + malformed[i].reason,
                        "it is ignored; check it, then move it away"});
  }
  if (malformed.size() > kMostNamed) {
    findings.push_back({std::string(kCommitsCheck), Condition::attention,
                        counted(malformed.size() - kMostNamed, "more file that is no sidecar",
                                "more files that are no sidecars"),
                        ""});
  }
}

void tell_links(const Links& links, std::vector<Finding>& findings) {
  const auto report = [&findings](std::size_t count, std::string message) {
    if (count > 0)
      findings.push_back({std::string(kCommitsCheck), Condition::attention, std::move(message),
                          std::string(kRepairCommits)});
  };
  report(links.relinked.size(),
         counted(links.relinked.size(), "commit was", "commits were") +
             " rewritten by git (amend, rebase, squash, cherry-pick) and can be linked again");
  report(links.linked.size(), counted(links.linked.size(), "phase commit in the git log has",
                                      "phase commits in the git log have") +
                                  " no sidecar");
}

// The sidecars of commits that are here, and that no event tells of.
Result<std::vector<core::Sidecar>> untold(system::Folder& tracking, git::Commits& commits) {
  store::Sidecars sidecars(tracking);
  TRY_ASSIGN(store::SidecarList list, sidecars.all());
  std::set<std::string> told;
  TRY_ASSIGN(const auto scan,
             store::read_events(tracking, 0, [&told](const core::Event& event, const store::HistoryLine&) {
               if (event.kind == core::EventKind::checkpoint_complete) told.insert(event.commit);
               return true;
             }));
  (void)scan;
  std::vector<core::Sidecar> missing;
  std::vector<std::string> shas;
  for (core::Sidecar& sidecar : list.sidecars) {
    if (told.count(sidecar.sha) != 0) continue;
    shas.push_back(sidecar.sha);
    missing.push_back(std::move(sidecar));
  }
  TRY_ASSIGN(const auto reachability, commits.reachability(shas));
  std::vector<core::Sidecar> here;
  for (std::size_t i = 0; i < missing.size(); ++i) {
    if (reachability[i] == git::Reachability::here) here.push_back(std::move(missing[i]));
  }
  return here;
}

}  // namespace

std::vector<Finding> examine_commits(const Context& context, const PlanLocation& plan) {
  std::vector<Finding> findings;
  const auto broken = [&findings](const base::Error& error) {
    findings.push_back(
        {std::string(kCommitsCheck), Condition::attention, "cannot check: " + error.message, error.hint});
    return findings;
  };
  const auto tracking = folder_with_commits(context, plan);
  if (!tracking) return broken(tracking.error());
  if (!*tracking) return findings;
  const auto repository = PlanRepository::open(context, plan);
  if (!repository) return broken(repository.error());
  if (!*repository) {
    const auto list = store::Sidecars(**tracking).all();
    if (!list) return broken(list.error());
    tell_malformed(list->malformed, findings);
    findings.push_back(
        {std::string(kCommitsCheck), Condition::attention,
         counted(list->sidecars.size(), "sidecar", "sidecars") + ", but no git repository here",
         "restore the repository"});
    return findings;
  }
  const auto left_over =
      git::NewFiles((*repository)->git(), context.files, (*repository)->tree()).left_over();
  if (!left_over) return broken(left_over.error());
  if (*left_over) {
    findings.push_back({std::string(kCommitsCheck), Condition::attention,
                        "a commit was interrupted: new files are in the git index without their content",
                        std::string(kRepairCommits)});
  }
  const auto links = find_links(context, plan, **repository, **tracking, LinkScope::all);
  if (!links) return broken(links.error());
  tell_malformed(links->malformed, findings);
  tell_links(*links, findings);
  const auto shown = load_shown(context, plan, 0);
  if (shown && shown->plan) {
    const auto check = check_checkpoint(context, plan, *shown->plan);
    if (!check) return broken(check.error());
    if (check->drift) {
      findings.push_back(
          {std::string(kCommitsCheck), Condition::attention,
           "the plan is at " + check->drift->plan + ", the last phase commit at " + check->drift->checkpoint,
           check->drift->kind == core::Drift::Kind::ahead
               ? "plankeep commit, or plankeep commit --existing REV if it is already committed"
               : "restore the plan to what was committed, or commit the current plan"});
    }
  }
  if (!findings.empty()) return findings;
  std::string message = counted(links->here, "phase commit", "phase commits") + " on this branch";
  if (links->elsewhere > 0) message += ", " + std::to_string(links->elsewhere) + " elsewhere";
  if (links->gone > 0) message += ", " + std::to_string(links->gone) + " no longer in git";
  findings.push_back({std::string(kCommitsCheck), Condition::fine, std::move(message), ""});
  return findings;
}

Result<std::vector<std::string>> repair_commits(const Context& context, const PlanLocation& plan) {
  std::vector<std::string> done;
  TRY_ASSIGN(const auto tracking, folder_with_commits(context, plan));
  if (!tracking) return done;
  TRY_ASSIGN(const auto repository, PlanRepository::open(context, plan));
  if (!repository) return done;
  git::NewFiles new_files(repository->git(), context.files, repository->tree());
  TRY_ASSIGN(const bool left_over, new_files.left_over());
  if (left_over) {
    TRY(new_files.take_back());
    done.emplace_back("removed new files of an interrupted commit from the git index");
  }
  TRY_ASSIGN(const Links links, link_commits(context, plan, *repository, LinkScope::all));
  for (const core::Sidecar& sidecar : links.relinked) {
    done.push_back("commit " + render::short_commit(sidecar.relinked_from) + " is now " +
                   render::short_commit(sidecar.sha) + ": re-linked");
  }
  for (const core::Sidecar& sidecar : links.linked)
    done.push_back("commit " + render::short_commit(sidecar.sha) + " linked from its message");
  TRY_ASSIGN(const std::vector<core::Sidecar> missing, untold(*tracking, repository->commits()));
  std::vector<core::Event> events;
  const auto shown = load_shown(context, plan, 0);
  if (shown && shown->plan) {
    TRY_ASSIGN(const CheckpointCheck check, check_checkpoint(context, plan, *shown->plan));
    if (check.drift) {
      TRY_ASSIGN(auto event, drift_event(*tracking, *check.drift));
      if (event) events.push_back(std::move(*event));
    }
  }
  if (events.empty() && missing.empty()) return done;
  if (!missing.empty())
    done.push_back(counted(missing.size(), "commit", "commits") + " added to the history");
  if (!events.empty()) done.push_back("recorded drift between the plan and the last phase commit");
  TRY_ASSIGN(const Outcome outcome, bind_commits(context, plan, missing, std::move(events), false));
  return done;
}

}  // namespace plankeep::app
