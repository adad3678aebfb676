#include "core/evidence.hpp"

#include <algorithm>

#include "base/utf8.hpp"

namespace plankeep::core {

std::string_view name_of(Proof proof) {
  switch (proof) {
    case Proof::no_command:
      return "no_command";
    case Proof::unproven:
      return "unproven";
    case Proof::stale:
      return "stale";
    case Proof::failed:
      return "failed";
    case Proof::proven:
      return "proven";
  }
  return "no_command";
}

Proof judge(const std::optional<Evidence>& evidence, std::string_view command, const TreeNow& now) {
  if (command.empty()) return Proof::no_command;
  if (!evidence) return Proof::unproven;
  if (evidence->command != command) return Proof::stale;
  if (now.kind != TreeNow::Kind::not_looked) {
    // Without a repository nothing was seen of files, and nothing can be said of them.
    const std::string_view digest =
        now.kind == TreeNow::Kind::known ? std::string_view(now.digest) : std::string_view();
    if (evidence->tree != digest) return Proof::stale;
  } else if (evidence->changed_files) {
    return Proof::stale;
  }
  return evidence->passed() ? Proof::proven : Proof::failed;
}

void ProofCount::add(Proof proof) {
  if (proof == Proof::no_command) return;
  ++commands;
  if (proof == Proof::proven) ++proven;
  if (proof == Proof::unproven) ++unproven;
  if (proof == Proof::stale) ++stale;
  if (proof == Proof::failed) ++failed;
}

bool can_be_shown(std::string_view command) {
  return !command.empty() && command.find_first_of("\t\n") == std::string_view::npos &&
         base::printable(command) == command;
}

std::string last_lines_of(std::string_view output) {
  std::string safe = base::printable(output, true);
  while (safe.ends_with('\n')) safe.pop_back();
  std::string_view rest = safe;
  std::size_t start = rest.size();
  for (std::size_t lines = 0; lines < kLastLines && start > 0; ++lines) {
    const std::size_t before = rest.rfind('\n', start - 1);
    start = before == std::string_view::npos ? 0 : before;
  }
  if (start > 0) rest.remove_prefix(start + 1);
  // Whole lines, as long as there are some.
  while (rest.size() > kLastBytes) {
    const std::size_t line = rest.find('\n');
    if (line == std::string_view::npos) return base::fit_to_bytes(rest, kLastBytes);
    rest.remove_prefix(line + 1);
  }
  return std::string(rest);
}

}  // namespace plankeep::core
