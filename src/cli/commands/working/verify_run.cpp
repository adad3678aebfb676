#include "cli/commands/working/verify_run.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "base/utf8.hpp"
#include "checkpoints/job.hpp"
#include "verify/command_trust.hpp"

namespace plankeep::cli {
namespace {

constexpr std::size_t kLongestTimeout = 604'800;  // a week

// Shows on a terminal what a command says, as it comes, with a line below it that says how long it has run.
class Live : public system::CommandWatch {
 public:
  Live(Program& program, const render::VerifyRow& row, bool shown)
      : program_(program), row_(row), shown_(shown) {
    const auto terminal = program.context.environment.variable("TERM");
    // Where lines cannot be drawn over, there is no such line.
    draws_ = shown_ && terminal && !terminal->empty() && *terminal != "dumb";
  }

  void said(std::string_view bytes) override {
    if (!shown_) return;
    pending_.append(bytes);
    const std::size_t end = pending_.rfind('\n');
    if (end != std::string::npos) {
      print(std::string_view(pending_).substr(0, end + 1));
      pending_.erase(0, end + 1);
    }
    // A line without an end is shown in pieces.
    if (pending_.size() > kLongestLine) print(std::exchange(pending_, {}));
  }

  bool go_on(std::chrono::milliseconds elapsed) override {
    const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(elapsed).count();
    if (draws_ && seconds >= 1 && seconds != drawn_) {
      drawn_ = seconds;
      program_.console.write("\r\x1b[2K" + render::progress_text(row_, seconds, program_.style.columns));
    }
    return !program_.console.interrupted();
  }

  void finish() {
    if (!pending_.empty()) print(std::exchange(pending_, {}) + "\n");
    clear();
  }

 private:
  static constexpr std::size_t kLongestLine = std::size_t{64} << 10;

  void clear() {
    if (drawn_ > 0) program_.console.write("\r\x1b[2K");
    drawn_ = 0;
  }
  void print(std::string_view text) {
    clear();
    program_.console.write(base::printable(text, true));
  }

  Program& program_;
  const render::VerifyRow& row_;
  bool shown_;
  bool draws_ = false;
  std::int64_t drawn_ = 0;
  std::string pending_;
};

// Whether the commands may run. Says why not.
bool consent(Program& program, VerifyRun& options, const std::string& root,
             const std::vector<render::VerifyRow>& rows) {
  if (options.yes) return true;
  const auto trust = app::CommandTrust::read(program.context, root);
  if (!trust.warning().empty()) program.warn(trust.warning());
  std::vector<render::VerifyRow> unknown;
  std::copy_if(rows.begin(), rows.end(), std::back_inserter(unknown),
               [&](const render::VerifyRow& row) { return !trust.trusts(row.command); });
  if (unknown.empty()) return true;
  program.console.write_error(render::commands_text(root, unknown, program.error_style));
  if (!program.console.can_ask()) {
    (void)program.fail(
        {base::ErrorKind::invalid_input,
         "these commands are not trusted yet; nothing was run",
         {},
         "review them, then: " + options.command + " --yes (add --trust to trust them from now on)"},
        ExitCode::no);
    return false;
  }
  const std::string answer = program.console.ask("Run them? [y]es, [t]rust and run, [N]o: ");
  const bool trusted = answer == "t" || answer == "T";
  options.trust = options.trust || trusted;
  if (trusted || answer == "y" || answer == "Y" || answer == "yes") return true;
  program.console.write_error("Nothing was run.\n");
  return false;
}

void remember(Program& program, const std::string& root, const std::vector<render::VerifyRow>& rows) {
  std::vector<std::string> commands;
  commands.reserve(rows.size());
  for (const render::VerifyRow& row : rows) commands.push_back(row.command);
  const base::Status kept = app::trust_commands(program.context, root, commands);
  if (kept) return;
  const std::string context = kept.error().context.empty() ? "" : kept.error().context + ": ";
  program.warn("could not remember the commands as trusted: " + context + kept.error().message);
}

}  // namespace

render::VerifyView view_of(const app::Verification& verification) {
  render::VerifyView view;
  view.plan = verification.plan();
  view.root = verification.root();
  for (const app::VerifyCommand& command : verification.commands()) view.rows.emplace_back(command);
  return view;
}

void verify_timeout(Arguments& arguments, VerifyRun& options) {
  arguments.number("--timeout", options.timeout, "SECONDS",
                   "Time limit for each command (default: " + std::to_string(VerifyRun::kTimeout) + ")");
}

std::optional<ExitCode> check_timeout(Program& program, const VerifyRun& options) {
  if (options.timeout > 0 && options.timeout <= kLongestTimeout) return std::nullopt;
  return program.fail({base::ErrorKind::invalid_input,
                       "--timeout must be 1 to " + std::to_string(kLongestTimeout) + " seconds",
                       {},
                       {}},
                      About::request);
}

bool agreed(Program& program, VerifyRun& options, const render::VerifyView& view) {
  // From here on an interrupt ends a command, not us.
  (void)program.console.interrupted();
  if (!consent(program, options, view.root, view.rows)) return false;
  if (options.trust) remember(program, view.root, view.rows);
  return true;
}

ExitCode run_verification(Program& program, const VerifyRun& options, app::Verification& verification,
                          render::VerifyView& view) {
  const bool live = program.on_terminal && !options.json;
  bool interrupted = false;
  for (std::size_t i = 0; i < view.rows.size() && !interrupted; ++i) {
    render::VerifyRow& row = view.rows[i];
    Live watch(program, row, live);
    const auto verified = verification.run(verification.commands()[i], std::chrono::seconds(options.timeout),
                                           watch, options.actor);
    watch.finish();
    if (!verified) return program.fail(verified.error(), About::plan);
    row.take(*verified);
    for (const std::string& warning : verified->outcome.warnings) view.warnings.push_back(warning);
    interrupted = verified->result == app::Verified::Result::interrupted;
    app::spawn_job(program.context, verified->outcome, "verify");
    if (!options.json) program.console.write(render::verified_text(row, !live, program.style));
  }
  if (interrupted) return ExitCode::interrupted;
  // A command may have changed files that those before it had seen.
  for (render::VerifyRow& row : view.rows) {
    row.proof = core::judge(row.evidence, row.command, verification.now());
    row.why = core::why_not_fresh(row.evidence, row.command, verification.now());
  }
  if (view.unknown()) {
    view.warnings.push_back("cannot tell whether criteria are proven: " + verification.now().reason);
    return ExitCode::cannot_access;
  }
  const bool all = std::all_of(view.rows.begin(), view.rows.end(), [](const render::VerifyRow& row) {
    return row.proof == core::Proof::proven && row.result == app::Verified::Result::passed;
  });
  return all ? ExitCode::fine : ExitCode::no;
}

}  // namespace plankeep::cli
