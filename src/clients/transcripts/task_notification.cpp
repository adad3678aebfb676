#include "clients/transcripts/task_notification.hpp"

#include <algorithm>
#include <string>
#include <utility>

namespace plankeep::clients {
namespace {

constexpr std::string_view kOpening = "<task-notification>";
constexpr std::string_view kClosing = "</task-notification>";
constexpr std::string_view kBlank = " \t\r\n";

void skip_blanks(std::string_view& text) {
  text.remove_prefix(std::min(text.find_first_not_of(kBlank), text.size()));
}

/// Takes "<name>value</name>" from the front; false when something else stands there.
bool take_element(std::string_view& text, std::string_view& name, std::string_view& value) {
  if (!text.starts_with('<') || text.starts_with("</")) return false;
  const std::size_t end = text.find_first_of(">\n");
  if (end == std::string_view::npos || text[end] != '>') return false;
  name = text.substr(1, end - 1);
  const std::string closing = "</" + std::string(name) + ">";
  const std::size_t close = text.find(closing, end);
  if (close == std::string_view::npos) return false;
  value = text.substr(end + 1, close - end - 1);
  text.remove_prefix(close + closing.size());
  return true;
}

}  // namespace

std::vector<core::Notified> notifications_in(std::string_view prompt) {
  std::vector<core::Notified> found;
  while (prompt.starts_with(kOpening)) {
    prompt.remove_prefix(kOpening.size());
    core::Notified notified;
    bool told = false;  // the free texts have begun
    for (;;) {
      skip_blanks(prompt);
      std::string_view name;
      std::string_view value;
      if (!take_element(prompt, name, value)) break;
      if (name == "result" || name == "summary" || name == "note") told = true;
      if (told) continue;
      if (name == "task-id" && notified.task_id.empty()) notified.task_id = value;
      if (name == "status" && notified.status.empty()) notified.status = value;
    }
    found.push_back(std::move(notified));
    // Whatever stands where an element should: the block ends where it says so, or with the prompt.
    const std::size_t close = prompt.find(kClosing);
    if (close == std::string_view::npos) break;
    prompt.remove_prefix(close + kClosing.size());
    skip_blanks(prompt);
  }
  return found;
}

}  // namespace plankeep::clients
