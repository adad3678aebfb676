#include "commits/git_hook.hpp"

#include "base/limits.hpp"
#include "cli/arguments.hpp"
#include "cli/commands/all.hpp"
#include "cli/version.hpp"
#include "commits/link_work.hpp"
#include "commits/session_message.hpp"

namespace plankeep::cli {
namespace {

constexpr std::size_t kMostInput = base::kLargestForeignFile;
constexpr std::chrono::milliseconds kTimeout{2000};

constexpr std::string_view kPrepare = "prepare-commit-msg";
constexpr std::string_view kMessage = "commit-msg";

base::Status handle_message(const Program& program, const std::string& event, const Words& given) {
  const std::string file = given.empty() ? std::string() : given.front();
  if (file.empty()) return base::fail(base::ErrorKind::invalid_input, "which file has the message?");
  if (event == kMessage) return app::finish_commit_message(program.context, file);
  return app::prepare_commit_message(program.context, {file, given.size() > 1 ? given[1] : std::string()});
}

// A hook that failed is no failed commit.
ExitCode link_message(Program& program, const std::string& event, const Words& given) {
  const base::Status done = handle_message(program, event, given);
  if (!done) program.warn("could not link the commit to its session: " + done.error().message);
  return ExitCode::fine;
}

// What stands behind a commit: `commits` for plans, `sessions` for what sessions did.
void handle_commit(Program& program, const std::string& event, bool commits, bool sessions) {
  const auto warn = [&program](const char* what, const base::Status& done) {
    if (!done) program.warn(std::string("could not ") + what + ": " + done.error().message);
  };
  constexpr const char* kSidecar = "write the commit's sidecar";
  if (event == "post-commit") {
    if (commits) warn(kSidecar, app::after_commit(program.context));
    const std::string folder = program.context.environment.working_directory();
    if (sessions && app::link_work_due(program.context, folder))
      app::spawn_link_work(program.context, {folder, {}}, std::string(kVersion));
    return;
  }
  const std::string input = read_all(program.console, kMostInput, kTimeout);
  if (commits) warn(kSidecar, app::after_rewrite(program.context, input));
  if (sessions)
    warn("link the rewritten commits to their sessions", app::follow_session_links(program.context, input));
}

bool is_off(const Program& program) {
  return program.context.environment.variable("PLANKEEP_DISABLE").value_or("") == "1";
}

}  // namespace

ExitCode run_git_hook(Program& program, const Words& words) {
  // The everyday call goes past the parser of options: each commit waits for it.
  const bool plain = words.size() >= 2 && (words[0] == kPrepare || words[0] == kMessage) &&
                     !words[1].starts_with('-') && program.sketches == nullptr;
  if (plain)
    return is_off(program) ? ExitCode::fine
                           : link_message(program, words[0], {words.begin() + 1, words.end()});
  const bool both = words == Words{"post-commit", "--commits", "--sessions"};
  if (both || words == Words{"post-commit", "--sessions"}) {
    if (!is_off(program)) handle_commit(program, words[0], both, true);
    return ExitCode::fine;
  }
  std::string event;
  std::vector<std::string> given;
  bool commits = false;
  bool sessions = false;
  Arguments arguments(
      program, "git-hook",
      "Handles a git hook; plankeep git-setup installs the calls. After a commit that completes a\n"
      "phase of a plan it writes the commit's sidecar file (.checkpoint/commits); after an amend\n"
      "or rebase it updates the sidecars. After git-setup --sessions it also adds the trailer\n"
      "Entire-Checkpoint to commits that AI sessions worked on, and records these sessions in the\n"
      "background. Called for one of these hooks it always exits with 0, so it never makes a\n"
      "commit fail. PLANKEEP_DISABLE=1 turns it off.");
  arguments.positional("EVENT", event, "prepare-commit-msg, commit-msg, post-commit or post-rewrite",
                       Arguments::Need::required);
  arguments.positionals("ARGUMENT", given, "The arguments that git passes to the hook",
                        Arguments::Need::optional);
  arguments.flag("--commits", commits, "Link the commit to its phase (also without --sessions)");
  arguments.flag("--sessions", sessions, "Link the commit to its sessions");
  if (const auto stop = arguments.parse(words)) return *stop;
  if (is_off(program)) return ExitCode::fine;
  if (event == kPrepare || event == kMessage) return link_message(program, event, given);
  if (event != "post-commit" && event != "post-rewrite") {
    return program.fail({base::ErrorKind::invalid_input,
                         "unknown hook: " + event,
                         {},
                         "prepare-commit-msg, commit-msg, post-commit or post-rewrite"},
                        About::request);
  }
  handle_commit(program, event, commits || !sessions, sessions);
  return ExitCode::fine;
}

}  // namespace plankeep::cli
