#pragma once
// What is stored about a commit that gets a session checkpoint, from the hook that gives it the id until the
// checkpoint is written. Pure.
//
//   <git-dir>/plankeep/commit-links/<id>   the commit's message has the id; its checkpoint has to be written
//   <git-dir>/plankeep/commit-msg          an editor is open: the id is added to the message when it closes
//
// Lines "<word> <value>": "session <client's id>" for each session, and behind it, as in its own notes
// (session_rules/session_activity), a line "w <path>" for each path of the commit that it touched, and "N
// <touches>", how many touches of it were noted by then; in commit-msg also "id <checkpoint>" for each id,
// and "template <SHA-256>". Other lines are ignored.
//
// The session goes on while its checkpoint is written: what it touches then is not in the commit.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace plankeep::core {

struct LinkedSession {
  std::string id;  // the client's
  /// Noted of it when the commit began; 0: not known.
  std::uint64_t touches = 0;
  /// Of the commit, that it touched by then; empty: not known.
  std::vector<std::string> paths;
  bool operator==(const LinkedSession&) const = default;
};

struct LinkRecord {
  std::vector<std::string> checkpoints;  // ids for the message
  std::vector<LinkedSession> sessions;   // that worked on the commit, each once
  /// SHA-256 of a template's text as git cleans it up (without comments, and blank lines at its ends): git
  /// makes no commit if the text is left unchanged. Empty: the message is not from a template.
  std::string untouched;
  bool operator==(const LinkRecord&) const = default;
};

/// Longer ones leave the paths out.
inline constexpr std::size_t kLargestLinkRecord = std::size_t{1} << 19;
std::string encode_link_record(const LinkRecord& record);
/// Any text is accepted: invalid values are left out.
LinkRecord read_link_record(std::string_view text);

}  // namespace plankeep::core
