#include "session_rules/link_record.hpp"

#include <algorithm>

#include "model/session.hpp"
#include "session_rules/session_activity.hpp"

namespace plankeep::core {
namespace {

constexpr std::size_t kDigestDigits = 64;

bool is_digest(std::string_view text) {
  return text.size() == kDigestDigits && text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

void add_once(std::vector<std::string>& list, std::string_view value) {
  if (std::find(list.begin(), list.end(), value) == list.end()) list.emplace_back(value);
}

// Null: the id is none.
std::string* notes_of(std::string_view id, std::vector<LinkedSession>& sessions,
                      std::vector<std::string>& noted) {
  if (!is_client_session(id)) return nullptr;
  const auto known =
      std::find_if(sessions.begin(), sessions.end(), [id](const LinkedSession& one) { return one.id == id; });
  if (known != sessions.end()) return &noted[static_cast<std::size_t>(known - sessions.begin())];
  sessions.push_back({std::string(id), 0, {}});
  return &noted.emplace_back();
}

std::string encode(const LinkRecord& record, bool with_paths) {
  std::string text;
  for (const std::string& id : record.checkpoints) text += "id " + id + "\n";
  for (const LinkedSession& session : record.sessions) {
    text += "session " + session.id + "\n";
    SessionActivity noted;
    noted.touches = session.touches;
    if (with_paths) {
      for (const std::string& path : session.paths)
        noted.paths.push_back({path, Touch::written, noted.paths.size() + 1});
    }
    text += activity_text(noted);
  }
  if (!record.untouched.empty()) text += "template " + record.untouched + "\n";
  return text;
}

}  // namespace

std::string encode_link_record(const LinkRecord& record) {
  std::string text = encode(record, true);
  return text.size() <= kLargestLinkRecord ? text : encode(record, false);
}

LinkRecord read_link_record(std::string_view text) {
  LinkRecord record;
  std::vector<std::string> noted;  // of each session
  std::string* of_session = nullptr;
  for (std::size_t end = text.find('\n'); end != std::string_view::npos; end = text.find('\n')) {
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(end + 1);
    const std::size_t space = line.find(' ');
    if (space == std::string_view::npos) continue;
    const std::string_view word = line.substr(0, space);
    const std::string_view value = line.substr(space + 1);
    if (word == "id" && session_id_kind(value)) add_once(record.checkpoints, value);
    if (word == "session") of_session = notes_of(value, record.sessions, noted);
    if ((word == "w" || word == "N") && of_session != nullptr) of_session->append(line) += '\n';
    if (word == "template" && is_digest(value)) record.untouched = value;
  }
  for (std::size_t i = 0; i < noted.size(); ++i) {
    SessionActivity activity = fold_activity(noted[i]);
    record.sessions[i].touches = activity.touches;
    for (TouchedPath& touched : activity.paths) record.sessions[i].paths.push_back(std::move(touched.path));
  }
  return record;
}

}  // namespace plankeep::core
