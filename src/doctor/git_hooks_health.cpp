#include "doctor/git_hooks_health.hpp"

#include "commits/git_hook_files.hpp"
#include "git/git.hpp"
#include "project/project.hpp"

namespace plankeep::app {

std::vector<Finding> examine_git_hooks(const Context& context, const std::string& folder) {
  const Project project(context, folder);
  if (context.processes == nullptr || !project.git_directory()) return {};
  git::Git git(*context.processes, context.files);
  const auto hooks = installed_git_hooks(context, git, project.root());
  std::vector<Finding> findings;
  // Hooks that cannot be read are no trouble of plankeep's before it has lines there.
  if (!hooks) return findings;
  for (const base::Error& error : hooks->never_run)
    findings.push_back({"git hooks", Condition::attention, error.message, error.hint});
  return findings;
}

}  // namespace plankeep::app
