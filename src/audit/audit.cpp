#include "audit/audit.hpp"

#include <algorithm>
#include <utility>

#include "audit/assertion_reader.hpp"
#include "audit/assertion_set.hpp"
#include "audit/message_lines.hpp"
#include "audit/task_names.hpp"

namespace plankeep::core {
namespace {

/// The last bytes of a message, from the start of a line, and how many lines stand before them.
struct Tail {
  std::string_view text;
  std::size_t lines_before = 0;
};

Tail tail_of(std::string_view message) {
  if (message.size() <= kAuditedBytes) return {message, 0};
  std::size_t start = message.size() - kAuditedBytes;
  const auto line_end = message.find('\n', start);
  if (line_end != std::string_view::npos) start = line_end + 1;
  const std::string_view before = message.substr(0, start);
  return {message.substr(start), static_cast<std::size_t>(std::count(before.begin(), before.end(), '\n'))};
}

}  // namespace

std::vector<Assertion> find_assertions(std::string_view message, std::span<const AuditTask> tasks) {
  const Tail tail = tail_of(message);
  const TaskNames names(tasks, tail.text);
  AssertionSet assertions(tasks.size());
  AssertionReader reader(names, assertions);
  for (const MessageUnit& unit : split_message(tail.text, Quotations::leave_out)) reader.read(unit);
  reader.finish();
  std::vector<Assertion> found = assertions.take(tasks, names);
  for (Assertion& assertion : found) assertion.line += tail.lines_before;
  return found;
}

Audit audit_message(std::string_view message, std::span<const AuditTask> tasks) {
  Audit audit;
  std::vector<bool> asserted(tasks.size(), false);
  for (Assertion& assertion : find_assertions(message, tasks)) {
    if (assertion.task)
      asserted[*assertion.task] = true;
    else
      audit.unknown.push_back(std::move(assertion.id));
  }
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    if (asserted[i])
      (tasks[i].done ? audit.confirmed : audit.unverified).push_back(tasks[i].id);
    else if (tasks[i].done_by_this_agent)
      audit.unasserted.push_back(tasks[i].id);
  }
  return audit;
}

}  // namespace plankeep::core
