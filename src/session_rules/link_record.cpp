#include "session_rules/link_record.hpp"

#include <algorithm>

#include "model/session.hpp"

namespace plankeep::core {
namespace {

constexpr std::size_t kDigestDigits = 64;

bool is_digest(std::string_view text) {
  return text.size() == kDigestDigits && text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

void add_once(std::vector<std::string>& list, std::string_view value) {
  if (std::find(list.begin(), list.end(), value) == list.end()) list.emplace_back(value);
}

}  // namespace

std::string encode_link_record(const LinkRecord& record) {
  std::string text;
  for (const std::string& id : record.checkpoints) text += "id " + id + "\n";
  for (const std::string& session : record.sessions) text += "session " + session + "\n";
  if (!record.untouched.empty()) text += "template " + record.untouched + "\n";
  return text;
}

LinkRecord read_link_record(std::string_view text) {
  LinkRecord record;
  for (std::size_t end = text.find('\n'); end != std::string_view::npos; end = text.find('\n')) {
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(end + 1);
    const std::size_t space = line.find(' ');
    if (space == std::string_view::npos) continue;
    const std::string_view word = line.substr(0, space);
    const std::string_view value = line.substr(space + 1);
    if (word == "id" && session_id_kind(value)) add_once(record.checkpoints, value);
    if (word == "session" && is_client_session(value)) add_once(record.sessions, value);
    if (word == "template" && is_digest(value)) record.untouched = value;
  }
  return record;
}

}  // namespace plankeep::core
