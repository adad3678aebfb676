#include "doctor/session_refs_health.hpp"

#include <set>
#include <string>
#include <vector>

#include "base/text.hpp"
#include "git/push_queue.hpp"
#include "project/git_directory.hpp"
#include "project/project.hpp"
#include "sessions/lost_records.hpp"

namespace plankeep::app {
namespace {

const std::string kRefsCheck = "session checkpoints";

// Files below refs/entire/checkpoints/: packed refs are none.
std::size_t loose_refs(const Context& context, const std::string& common_dir) {
  auto folder = context.files.open_folder(common_dir);
  for (const char* name : {"refs", "entire", "checkpoints"}) {
    if (!folder) return 0;
    folder = (*folder)->open_folder(name);
  }
  if (!folder) return 0;
  const auto shards = (*folder)->list();
  if (!shards) return 0;
  std::size_t count = 0;
  for (const std::string& shard : *shards) {
    const auto refs = (*folder)->open_folder(shard);
    if (!refs) continue;
    if (const auto names = (*refs)->list()) count += names->size();
  }
  return count;
}

void add_lost_records(const Context& context, const std::string& folder, std::vector<Finding>& findings) {
  if (context.processes == nullptr) return;
  git::Git git(*context.processes, context.files);
  const auto tree = git.work_tree(folder);
  if (!tree || !*tree) return;
  const auto lost = find_lost_records(context, git, **tree);
  if (!lost) {
    findings.push_back({kRefsCheck, Condition::attention,
                        "whether another program threw any away cannot be seen: " + lost.error().message,
                        lost.error().hint});
    return;
  }
  std::set<std::string> ids;
  for (const LostRecord& one : *lost) ids.insert(one.checkpoint);
  if (ids.empty()) return;
  findings.push_back({kRefsCheck, Condition::attention,
                      "another program threw away " +
                          base::counted(ids.size(), "session checkpoint", "session checkpoints") +
                          " of plankeep's: " + base::joined(std::vector<std::string>(ids.begin(), ids.end())),
                      "plankeep checkpoint export --to entire --commit HEAD puts them back, as the next "
                      "linked commit does"});
}

}  // namespace

std::vector<Finding> examine_session_refs(const Context& context, const std::string& folder) {
  std::vector<Finding> findings;
  const std::optional<std::string> git = Project(context, folder).git_directory();
  if (!git) return findings;
  const std::string common_dir = common_git_directory(context, *git);
  const std::size_t loose = loose_refs(context, common_dir);
  if (loose >= kManyLooseRefs) {
    findings.push_back({kRefsCheck, Condition::attention,
                        std::to_string(loose) +
                            " refs of session checkpoints are files of their own, which makes "
                            "git slow",
                        "git pack-refs --all"});
  }
  const auto waiting = git::PushQueue(context.files, common_dir).refs();
  if (!waiting) {
    findings.push_back({kRefsCheck, Condition::attention,
                        "the push queue cannot be read: " + waiting.error().message, waiting.error().hint});
  } else if (!waiting->empty()) {
    findings.push_back(
        {kRefsCheck,
         Condition::fine,
         base::counted(waiting->size(), "waits", "wait") + " for a push (plankeep session push)",
         {}});
  }
  add_lost_records(context, folder, findings);
  return findings;
}

}  // namespace plankeep::app
