#include "git/checkpoint_message.hpp"

#include <charconv>
#include <utility>

#include "base/utf8.hpp"

namespace plankeep::core {
namespace {

constexpr std::string_view kMilestone = " milestone ";
constexpr std::string_view kPhaseTrailer = "Plankeep-Phase: ";
constexpr std::string_view kPlanTrailer = "Plankeep-Plan: ";
constexpr std::string_view kPathTrailer = "Plankeep-Path: ";
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
  const auto [end, ec] = std::from_chars(text.data(), last, number);
  if (ec != std::errc{} || end != last || text.empty() || number < 0) return std::nullopt;
  return number;
}

std::string_view next_line(std::string_view& text) {
  const std::string_view line = first_line(text);
  const std::size_t end = text.find('\n');
  text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  return line;
}

// How a message stands in that of a squash: indented by git, behind a bullet by forges.
std::string_view without_margin(std::string_view line) {
  while (!line.empty() && (line.front() == ' ' || line.front() == '\t')) line.remove_prefix(1);
  if (line.starts_with("* ") || line.starts_with("- ")) line.remove_prefix(2);
  return line;
}

void read_trailer(std::string_view line, CheckpointMessage& message) {
  if (message.legacy) return;
  if (line.starts_with(kPhaseTrailer))
    message.phase = PhaseId(std::string(line.substr(kPhaseTrailer.size())));
  if (line.starts_with(kPlanTrailer)) message.plan = line.substr(kPlanTrailer.size());
  if (line.starts_with(kPathTrailer)) message.path = line.substr(kPathTrailer.size());
}

// nullopt: the line is none of the two patterns.
std::optional<CheckpointMessage> read_subject(std::string_view line) {
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
  return read;
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
  if (!message.path.empty()) out += std::string(kPathTrailer) + line_of(message.path) + "\n";
  return out;
}

std::optional<CheckpointMessage> read_checkpoint_message(std::string_view message) {
  auto read = read_subject(next_line(message));
  while (read && !message.empty()) read_trailer(next_line(message), *read);
  return read;
}

std::vector<CheckpointMessage> read_checkpoint_messages(std::string_view message) {
  std::vector<CheckpointMessage> all;
  while (!message.empty()) {
    const std::string_view line = without_margin(next_line(message));
    if (auto read = read_subject(line)) {
      all.push_back(std::move(*read));
    } else if (!all.empty()) {
      read_trailer(line, all.back());
    }
  }
  return all;
}

bool answers(const RunQuery& query, const CheckpointMessage& message) {
  if (message.legacy) return false;
  const bool path_known = query.own && !query.path.empty() && !message.path.empty() && message.plan.empty();
  if (path_known) return message.path == query.path;
  return names(query, message.run);
}

}  // namespace plankeep::core
