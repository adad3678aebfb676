#include "project/own_program.hpp"

#include <algorithm>

#include "base/json_reader.hpp"
#include "base/text.hpp"
#include "project/plan_location.hpp"

namespace plankeep::app {
namespace {

bool executable(const Context& context, const std::string& path) {
  constexpr std::uint32_t kExecute = 0111;
  const auto info = context.files.info(path);
  return info && info->kind == system::FileKind::regular && (info->mode & kExecute) != 0;
}

// A few lines; what is larger is not ours.
constexpr std::uint64_t kLargestOrigin = 4096;
constexpr std::size_t kLongestWord = 64;

// What is printed of the file: a word of letters, digits and a few signs.
bool is_plain_word(std::string_view text) {
  const auto plain = [](char c) {
    return base::is_letter(c) || base::is_digit(c) ||
           std::string_view(".-_+").find(c) != std::string_view::npos;
  };
  return text.size() <= kLongestWord && std::all_of(text.begin(), text.end(), plain);
}

// "/usr/share" for "/usr/bin/plankeep"; nullopt if the program's path is not known.
std::optional<std::string> share_folder(const Context& context) {
  const std::string program = context.environment.program();
  if (program.empty()) return std::nullopt;
  const std::string prefix = parent_of(parent_of(program));
  return (prefix == "/" ? "" : prefix) + "/share";
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

std::optional<std::string> fleet_program(const Context& context) {
  const std::string running = context.environment.program();
  if (!running.empty()) {
    const std::string folder = parent_of(running);
    std::string beside = (folder == "/" ? "" : folder) + "/" + std::string(kFleetProgram);
    if (executable(context, beside)) return beside;
  }
  return program_on_path(context, kFleetProgram);
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

std::optional<ProgramOrigin> program_origin(const Context& context, std::string_view version) {
  const auto share = share_folder(context);
  if (!share) return std::nullopt;
  const auto folder = context.files.open_folder(*share + "/plankeep");
  if (!folder) return std::nullopt;
  const auto text = (*folder)->read("origin.json", kLargestOrigin);
  if (!text) return std::nullopt;

  ProgramOrigin origin;
  std::string of_version;
  base::JsonReader in(*text);
  const auto read = in.object([&](std::string_view key) -> base::Status {
    if (key == "package") return in.string(origin.package);
    if (key == "version") return in.string(of_version);
    if (key == "commit") return in.string(origin.commit);
    return in.skip();
  });
  if (!read || !in.end() || of_version != version) return std::nullopt;
  if (origin.package.empty() || !is_plain_word(origin.package) || !is_plain_word(origin.commit))
    return std::nullopt;
  return origin;
}

std::optional<std::string> manual_page(const Context& context, std::string_view name) {
  const auto share = share_folder(context);
  if (!share) return std::nullopt;
  const std::string pages = *share + "/doc/plankeep/docs";
  const auto folder = context.files.open_folder(pages);
  if (!folder) return std::nullopt;
  const auto page = (*folder)->info(std::string(name));
  if (!page || page->kind != system::FileKind::regular) return std::nullopt;
  return pages + "/" + std::string(name);
}

bool in_npx_cache(std::string_view program) {
  return program.find("/_npx/") != std::string_view::npos;
}

}  // namespace plankeep::app
