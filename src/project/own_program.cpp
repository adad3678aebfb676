#include "project/own_program.hpp"

#include <algorithm>

#include "project/plan_location.hpp"

namespace plankeep::app {
namespace {

bool executable(const Context& context, const std::string& path) {
  constexpr std::uint32_t kExecute = 0111;
  const auto info = context.files.info(path);
  return info && info->kind == system::FileKind::regular && (info->mode & kExecute) != 0;
}

}  // namespace

std::optional<std::string> program_on_path(const Context& context, std::string_view name) {
  const std::string all = context.environment.variable("PATH").value_or("");
  for (std::size_t at = 0; at <= all.size();) {
    const std::size_t end = std::min(all.find(':', at), all.size());
    const std::string folder = all.substr(at, end - at);
    at = end + 1;
    // What a relative folder means changes with every cd.
    if (folder.empty() || folder.front() != '/') continue;
    const std::string path = (folder == "/" ? "" : folder) + "/" + std::string(name);
    if (executable(context, path)) return path;
  }
  return std::nullopt;
}

bool same_program(const Context& context, const std::string& a, const std::string& b) {
  const auto real_a = context.files.real_path(a);
  const auto real_b = context.files.real_path(b);
  return real_a && real_b && *real_a == *real_b;
}

base::Result<std::string> program_for_hooks(const Context& context, ProgramName wanted) {
  if (wanted == ProgramName::on_path) return std::string(kProgramName);
  const std::string running = context.environment.program();
  const auto found = program_on_path(context, kProgramName);
  if (wanted == ProgramName::automatic && found && same_program(context, *found, running))
    return std::string(kProgramName);
  if (!running.empty() && last_part(running) == kProgramName) return running;
  if (wanted == ProgramName::automatic && found) return std::string(kProgramName);
  return base::fail(base::ErrorKind::invalid_input,
                    running.empty()
                        ? "cannot find the path of this program"
                        : running + " is not named plankeep: its entries could not be recognized later",
                    "put it in PATH as plankeep and use --on-path");
}

ProgramFound find_program(const Context& context, const std::string& program) {
  ProgramFound found;
  if (program.find('/') == std::string::npos) {
    found.path = program_on_path(context, program);
  } else if (program.front() == '/' && executable(context, program)) {
    found.path = program;
  }
  found.running = found.path && same_program(context, *found.path, context.environment.program());
  return found;
}

}  // namespace plankeep::app
