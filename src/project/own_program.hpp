#pragma once
// The program itself as others find it: the one that runs, and the one that the name stands for on PATH.

#include <optional>
#include <string>

#include "base/result.hpp"
#include "project/context.hpp"

namespace plankeep::app {

inline constexpr std::string_view kProgramName = "plankeep";

/// How hooks are to call the program.
enum class ProgramName {
  automatic,  // the name where PATH finds the running program by it, else the path
  absolute,   // the path of the running program
  on_path,    // the name
};

/// The first executable of this name in $PATH, links not followed; nullopt when there is none.
std::optional<std::string> program_on_path(const Context& context, std::string_view name);

/// The program for fleets (src/fleet), a package of its own: beside the running program, else in $PATH.
/// nullopt: it is not installed.
inline constexpr std::string_view kFleetProgram = "plankeep-fleet";
std::optional<std::string> fleet_program(const Context& context);

/// Whether both are the same file, links followed.
bool same_program(const Context& context, const std::string& a, const std::string& b);

/// "plankeep" or an absolute path. invalid_input when the running file has another name, by which its entries
/// would not be known again.
[[nodiscard]] base::Result<std::string> program_for_hooks(const Context& context, ProgramName wanted);

/// What a program in a settings file leads to.
struct ProgramFound {
  std::optional<std::string> path;  // nullopt: not found, or not executable
  bool running = false;             // it is the program that runs now
};
ProgramFound find_program(const Context& context, const std::string& program);

/// What put the running program where it is.
struct ProgramOrigin {
  std::string package;  // "deb", "npm", "tarball", "source" (cmake --install), or what another packager wrote
  std::string commit;   // of the source; empty when it is not known
};

/// Read from ../share/plankeep/origin.json beside the running program, which every package of ours brings
/// (packaging/build.sh writes it). nullopt where there is none: a program in a build folder, or one that was
/// copied without its files. Also nullopt when the file is damaged, or speaks of another version than
/// `version`: it then belongs to a program that stood here before.
std::optional<ProgramOrigin> program_origin(const Context& context, std::string_view version);

/// The path of an installed document, such as "diagnostics.md": in ../share/doc/plankeep/docs beside the
/// running program. nullopt if it is not there.
std::optional<std::string> manual_page(const Context& context, std::string_view name);

/// Whether this is the path of a program in the cache of `npx`, which npm may empty at any time.
bool in_npx_cache(std::string_view program);

}  // namespace plankeep::app
