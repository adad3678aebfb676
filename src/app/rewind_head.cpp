#include "app/rewind_head.hpp"

#include <optional>
#include <utility>
#include <vector>

#include "store/plan_file.hpp"

namespace plankeep::app {
namespace {

using base::ErrorKind;
using base::Result;
using base::Status;

constexpr std::string_view kBranches = "refs/heads/";
constexpr std::string_view kLabel = "plankeep rewind ";

base::Error refused(std::string_view doing, const system::Finished& finished) {
  std::string said = finished.errors.substr(0, finished.errors.find('\n'));
  return {ErrorKind::conflict, "git refuses to " + std::string(doing) + ": " + said, {}, {}};
}

std::string first_line(const std::string& text) {
  return text.substr(0, text.find('\n'));
}

Result<std::string> good(git::Snapshots& snapshots, std::string_view doing,
                         const std::vector<std::string>& words) {
  TRY_ASSIGN(system::Finished finished, snapshots.run(words));
  if (finished.status != 0) return base::fail(refused(doing, finished));
  return std::move(finished.output);
}

// A path in no pattern language, from the work tree's top; empty when it is outside.
std::string pathspec(const git::Snapshots& snapshots, const PlanLocation& plan) {
  const std::string top = snapshots.place().top + "/";
  const std::string path = plan.path();
  return path.starts_with(top) ? path.substr(top.size()) : std::string();
}

// The stash entry with this label: "stash@{0}".
Result<std::optional<std::string>> find_stash(git::Snapshots& snapshots, const std::string& label) {
  TRY_ASSIGN(const std::string list, good(snapshots, "list stashes", {"stash", "list", "--format=%gd %s"}));
  std::string_view rest = list;
  while (!rest.empty()) {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(line.size() + 1, rest.size()));
    if (line.ends_with(std::string(kLabel) + label))
      return std::optional(std::string(line.substr(0, line.find(' '))));
  }
  return std::optional<std::string>();
}

Result<bool> stash(git::Snapshots& snapshots, const std::string& label, const PlanLocation& plan) {
  const std::string path = pathspec(snapshots, plan);
  std::vector<std::string> words{
      "stash", "push", "--quiet", "--include-untracked", "-m", std::string(kLabel) + label};
  if (!path.empty()) {
    // git names nothing in a pathspec, not even to leave it out, that it ignores.
    TRY_ASSIGN(const std::string untracked,
               good(snapshots, "look at the plan",
                    {"ls-files", "--others", "--exclude-standard", "--", ":(top,literal)" + path}));
    if (!untracked.empty()) words.insert(words.end(), {"--", ":(top)", ":(top,literal,exclude)" + path});
  }
  TRY(good(snapshots, "stash what is not committed", words));
  TRY_ASSIGN(const auto made, find_stash(snapshots, label));
  return made.has_value();
}

Status unstash(git::Snapshots& snapshots, const std::string& label) {
  TRY_ASSIGN(const auto entry, find_stash(snapshots, label));
  if (!entry) return {};
  TRY(good(snapshots, "take the stash back", {"stash", "pop", "--quiet", "--index", *entry}));
  return {};
}

Status put_text(const Context& context, const PlanLocation& plan, std::string_view text) {
  TRY_ASSIGN(const auto folder, context.files.open_folder(plan.folder));
  store::PlanFile file(context.files, *folder, plan.name);
  const auto now = file.read();
  if (now && now->bytes == text) return {};
  if (now) return file.replace(now->bytes, text);
  // An empty text stands for a plan that was gone, too.
  if (now.error().kind == ErrorKind::not_found) return text.empty() ? Status() : file.create(text);
  return base::fail(now.error());
}

Status check_out(git::Snapshots& snapshots, const HeadStanding& to) {
  std::vector<std::string> words{"checkout", "--quiet", "--detach", to.commit, "--"};
  if (!to.branch.empty())
    words = {"checkout", "--quiet", "--no-guess", to.branch.substr(kBranches.size()), "--"};
  auto done = good(snapshots, "switch back", words);
  if (done) return {};
  base::Error error = std::move(done.error());
  error.hint = "commit or stash what was changed since, then plankeep doctor --repair";
  return base::fail(std::move(error));
}

}  // namespace

Result<HeadStanding> head_standing(git::Snapshots& snapshots) {
  HeadStanding standing;
  TRY_ASSIGN(const system::Finished branch, snapshots.run({"symbolic-ref", "--quiet", "HEAD"}));
  if (branch.status == 0) standing.branch = first_line(branch.output);
  TRY_ASSIGN(const system::Finished commit, snapshots.run({"rev-parse", "--quiet", "--verify", "HEAD"}));
  if (commit.status == 0) standing.commit = first_line(commit.output);
  return standing;
}

Status require_commit(git::Snapshots& snapshots, const std::string& commit) {
  if (commit.empty()) return base::fail(ErrorKind::not_found, "there was no commit yet");
  TRY_ASSIGN(const system::Finished there, snapshots.run({"cat-file", "-e", commit + "^{commit}"}));
  if (there.status == 0) return {};
  return base::fail(ErrorKind::not_found, "the commit " + commit + " is no longer in the repository",
                    "without --head the files come from the checkpoint's own snapshot");
}

Status settle(git::Snapshots& snapshots, HeadSwitch& to) {
  if (!to.branch.empty()) {
    TRY_ASSIGN(const system::Finished points,
               snapshots.run({"rev-parse", "--quiet", "--verify", std::string(kBranches) + to.branch}));
    if (points.status != 0 || first_line(points.output) != to.commit) to.branch.clear();
  }
  if (!to.popped.empty()) {
    TRY_ASSIGN(const auto entry, find_stash(snapshots, to.popped));
    if (!entry) to.popped.clear();
  }
  return {};
}

Result<bool> switch_head(const Context& context, git::Snapshots& snapshots, const HeadSwitch& to,
                         std::string_view plan_text) {
  TRY_ASSIGN(const bool stashed, stash(snapshots, to.label, to.plan));
  std::vector<std::string> words{"checkout", "--quiet", "--detach", to.commit, "--"};
  if (!to.branch.empty()) words = {"checkout", "--quiet", "--no-guess", to.branch, "--"};
  TRY(good(snapshots, "switch to " + to.commit, words));
  if (!to.popped.empty()) TRY(unstash(snapshots, to.popped));
  TRY(put_text(context, to.plan, plan_text));
  return stashed;
}

Result<bool> is_switched(git::Snapshots& snapshots, const HeadSwitch& to) {
  TRY_ASSIGN(const HeadStanding now, head_standing(snapshots));
  if (now.commit != to.commit || now.branch != (to.branch.empty() ? "" : std::string(kBranches) + to.branch))
    return false;
  if (to.popped.empty()) return true;
  TRY_ASSIGN(const auto entry, find_stash(snapshots, to.popped));
  return !entry;
}

Status switch_back(const Context& context, git::Snapshots& snapshots, const HeadStanding& before,
                   const HeadSwitch& to, std::string_view plan_text, std::string_view popped_text) {
  if (!to.popped.empty()) {
    TRY_ASSIGN(const auto popped, find_stash(snapshots, to.popped));
    if (!popped) {
      TRY(put_text(context, to.plan, popped_text));
      TRY(stash(snapshots, to.popped, to.plan));
    }
  }
  TRY_ASSIGN(const HeadStanding now, head_standing(snapshots));
  const std::string path = pathspec(snapshots, to.plan);
  TRY_ASSIGN(const auto entry, find_stash(snapshots, to.label));
  const bool elsewhere = now.branch != before.branch || now.commit != before.commit;
  if (!path.empty() && (entry || elsewhere)) {
    // A tracked plan as the commit has it, or git would refuse to go over it.
    TRY_ASSIGN(const system::Finished tracked, snapshots.run({"ls-files", "--", ":(top,literal)" + path}));
    if (!tracked.output.empty())
      TRY(good(snapshots, "put the plan aside", {"checkout", "--quiet", "--", ":(top,literal)" + path}));
  }
  if (elsewhere) TRY(check_out(snapshots, before));
  TRY(unstash(snapshots, to.label));
  return put_text(context, to.plan, plan_text);
}

}  // namespace plankeep::app
