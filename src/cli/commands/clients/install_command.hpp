#pragma once
// What `install` and `uninstall` share. Private to cli/commands.

#include <string>
#include <vector>

#include "cli/arguments.hpp"
#include "cli/program.hpp"
#include "install/install.hpp"
#include "render/install.hpp"

namespace plankeep::cli {

struct InstallFlags {
  std::string client;
  bool mcp = false;
  bool user = false;
  bool project = false;
  bool dry_run = false;
  bool json = false;
};

void add_install_flags(Arguments& arguments, InstallFlags& flags);
/// usage when both scopes are asked for; nullopt: go on.
std::optional<ExitCode> check_scope(Program& program, const InstallFlags& flags);
ExitCode show_report(Program& program, const app::InstallReport& report, const InstallFlags& flags,
                     render::InstallAction action, ExitCode code);

}  // namespace plankeep::cli
