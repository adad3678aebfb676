#include "model/evidence.hpp"

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
    case Proof::unknown:
      return "unknown";
    case Proof::proven:
      return "proven";
  }
  return "no_command";
}

Proof judge(const std::optional<Evidence>& evidence, std::string_view command, const TreeNow& now) {
  if (command.empty()) return Proof::no_command;
  if (!evidence) return Proof::unproven;
  if (evidence->command != command) return Proof::stale;
  const Proof fresh = evidence->passed() ? Proof::proven : Proof::failed;
  switch (now.kind) {
    case TreeNow::Kind::not_looked:
      return evidence->changed_files ? Proof::stale : fresh;
    case TreeNow::Kind::unknown:
      return evidence->passed() ? Proof::unknown : Proof::failed;
    case TreeNow::Kind::known:
      return evidence->tree == now.digest ? fresh : Proof::stale;
  }
  return Proof::unknown;
}

std::string why_not_fresh(const std::optional<Evidence>& evidence, std::string_view command,
                          const TreeNow& now) {
  const Proof proof = judge(evidence, command, now);
  if (proof == Proof::unknown) return now.reason;
  if (proof != Proof::stale) return {};
  if (evidence->command != command) return "its command was changed";
  if (evidence->tree.empty()) return "what the files held was not recorded when it ran";
  const auto changes = now.changes.find(evidence->tree);
  return changes == now.changes.end() ? std::string() : changes->second;
}

void ProofCount::add(Proof proof) {
  if (proof == Proof::no_command) return;
  ++commands;
  if (proof == Proof::proven) ++proven;
  if (proof == Proof::unproven) ++unproven;
  if (proof == Proof::stale) ++stale;
  if (proof == Proof::failed) ++failed;
  if (proof == Proof::unknown) ++unknown;
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
