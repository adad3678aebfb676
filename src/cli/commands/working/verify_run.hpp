#pragma once
// Running a verification for a person: consent, what is shown meanwhile, what came of it. Shared by `verify`
// and `commit --verify`.
//
//   VerifyView view = view_of(verification);
//   if (!agreed(program, options, view)) return ExitCode::no;
//   code = run_verification(program, options, verification, view);   // fine: every one is proven now

#include <cstddef>
#include <optional>
#include <string>

#include "cli/arguments.hpp"
#include "cli/program.hpp"
#include "render/recorded/verify.hpp"
#include "verify/verify.hpp"

namespace plankeep::cli {

struct VerifyRun {
  static constexpr std::size_t kTimeout = app::kVerifyTimeout.count();  // seconds
  std::string actor;  // of --by; filled in once the plan is known
  bool yes = false;
  bool trust = false;
  bool json = false;
  std::string command = "plankeep verify";  // that --yes is to be added to
  std::size_t timeout = kTimeout;
};

/// Nothing of it has run yet.
render::VerifyView view_of(const app::Verification& verification);

void verify_timeout(Arguments& arguments, VerifyRun& options);
/// The exit status to end with when the time limit cannot be; the mistake has been told.
std::optional<ExitCode> check_timeout(Program& program, const VerifyRun& options);

/// Whether the commands may run: trusted, --yes, or asked for at a terminal. Says why not; remembers them
/// where that is wanted.
bool agreed(Program& program, VerifyRun& options, const render::VerifyView& view);

/// Runs one after the other and fills the view's rows.
ExitCode run_verification(Program& program, const VerifyRun& options, app::Verification& verification,
                          render::VerifyView& view);

}  // namespace plankeep::cli
