#include "core/checkpoint_message.hpp"

#include <charconv>

#include "base/utf8.hpp"

namespace plankeep::core {
namespace {

constexpr std::string_view kMilestone = " milestone ";
constexpr std::string_view kPhaseTrailer = "Plankeep-Phase: ";
constexpr std::string_view kPlanTrailer = "Plankeep-Plan: ";
constexpr std::size_t kMostTasks = 20;
constexpr std::size_t kLongestLine = 200;

std::string line_of(std::string_view text) {
  return base::fit_to_bytes(base::printable(text), kLongestLine);
}

std::string_view first_line(std::string_view text) {
  std::string_view line = text.substr(0, text.find('\n'));
  while (!line.empty() && (line.back() == '\r' || line.back() == ' ')) line.remove_suffix(1);
  return line;
}

std::optional<std::int64_t> number_in(std::string_view text) {
  std::int64_t number = 0;
  const char* const last = text.data() + text.size();
  const auto [end, trouble] = std::from_chars(text.data(), last, number);
  if (trouble != std::errc{} || end != last || text.empty() || number < 0) return std::nullopt;
  return number;
}

// The value of the last such line.
std::string trailer(std::string_view message, std::string_view name) {
  std::string value;
  while (!message.empty()) {
    const std::string_view line = first_line(message);
    if (line.starts_with(name)) value = line.substr(name.size());
    const std::size_t end = message.find('\n');
    message.remove_prefix(end == std::string_view::npos ? message.size() : end + 1);
  }
  return value;
}

}  // namespace

std::string message_start(std::string_view run) {
  std::string start(kMessageStart);
  start.append(run).append(kMilestone);
  return start;
}

std::string checkpoint_message(const CheckpointMessage& message, const Phase& phase,
                               const std::vector<std::size_t>& done, std::string_view text) {
  std::string out = message_start(message.run) + std::to_string(message.milestone) + "\n";
  const std::string title = line_of(phase.title);
  if (!title.empty()) out += "\n" + title + "\n";
  if (!text.empty()) {
    out += "\n" + base::printable(text, true) + "\n";
  } else if (!done.empty()) {
    out += "\n";
    for (std::size_t i = 0; i < done.size() && i < kMostTasks; ++i) {
      const Task& task = phase.tasks[done[i]];
      const std::string words = line_of(task.title);
      out += "- [x] " + (words.empty() ? task.id.text : words + " (" + task.id.text + ")") + "\n";
    }
    if (done.size() > kMostTasks) out += "- and " + std::to_string(done.size() - kMostTasks) + " more\n";
  }
  out += "\n" + std::string(kPhaseTrailer) + phase.id.text + "\n";
  if (!message.plan.empty() && message.plan != message.run)
    out += std::string(kPlanTrailer) + line_of(message.plan) + "\n";
  return out;
}

std::optional<CheckpointMessage> read_checkpoint_message(std::string_view message) {
  std::string_view line = first_line(message);
  CheckpointMessage read;
  if (line.starts_with(kMessageStart)) {
    line.remove_prefix(kMessageStart.size());
  } else if (line.starts_with(kLegacyStart)) {
    read.legacy = true;
    line.remove_prefix(kLegacyStart.size());
  } else {
    return std::nullopt;
  }
  // Without a run the word follows at once.
  constexpr std::string_view kBare = "milestone ";
  const std::size_t at = line.rfind(kMilestone);
  std::string_view number;
  if (at != std::string_view::npos) {
    read.run = line.substr(0, at);
    number = line.substr(at + kMilestone.size());
  } else if (read.legacy && line.starts_with(kBare)) {
    number = line.substr(kBare.size());
  } else {
    return std::nullopt;
  }
  const auto milestone = number_in(number);
  if (!milestone || (!read.legacy && read.run.empty())) return std::nullopt;
  read.milestone = *milestone;
  if (!read.legacy) {
    read.phase = PhaseId(trailer(message, kPhaseTrailer));
    read.plan = trailer(message, kPlanTrailer);
  }
  return read;
}

}  // namespace plankeep::core
