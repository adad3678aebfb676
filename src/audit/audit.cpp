#include "audit/audit.hpp"

#include <string>
#include <utility>

#include "audit/assertion_reader.hpp"
#include "audit/assertion_set.hpp"
#include "audit/message_lines.hpp"
#include "audit/task_names.hpp"

namespace plankeep::core {
namespace {

/// Names are sought in all parts at once.
std::string joined(const std::vector<MessagePart>& parts) {
  std::string text;
  for (const MessagePart& part : parts) text.append(part.text).append("\n");
  return text;
}

struct Found {
  std::vector<Assertion> assertions;
  bool everything = false;
};

Found find(std::string_view message, std::span<const AuditTask> tasks) {
  const std::vector<MessagePart> parts = audited_parts(message);
  const TaskNames names(tasks, parts.size() == 1 ? std::string_view(message) : joined(parts));
  AssertionSet assertions(tasks.size());
  for (const MessagePart& part : parts) {
    AssertionReader reader(names, assertions);
    for (MessageUnit& unit : split_message(part.text, Quotations::leave_out, JsonLines::apart)) {
      unit.line += part.lines_before;
      reader.read(unit);
    }
    reader.finish();
  }
  std::vector<Assertion> taken = assertions.take(tasks, names);
  return {std::move(taken), names.assigned().empty() && assertions.everything()};
}

}  // namespace

std::vector<Assertion> find_assertions(std::string_view message, std::span<const AuditTask> tasks) {
  return find(message, tasks).assertions;
}

Audit audit_message(std::string_view message, std::span<const AuditTask> tasks) {
  Audit audit;
  std::vector<bool> asserted(tasks.size(), false);
  Found found = find(message, tasks);
  audit.everything = found.everything;
  for (Assertion& assertion : found.assertions) {
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
