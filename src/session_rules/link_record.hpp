#pragma once
// What is stored about a commit that gets a session checkpoint, from the hook that gives it the id until the
// checkpoint is written. Pure.
//
//   <git-dir>/plankeep/commit-links/<id>   the commit's message has the id; its checkpoint has to be written
//   <git-dir>/plankeep/commit-msg          an editor is open: the id is added to the message when it closes
//
// Lines "<word> <value>": "session <client's id>" for each session; in commit-msg also "id <checkpoint>" for
// each id, and "template <SHA-256>". Other lines are ignored.

#include <string>
#include <string_view>
#include <vector>

namespace plankeep::core {

struct LinkRecord {
  std::vector<std::string> checkpoints;  // ids for the message
  std::vector<std::string> sessions;     // clients' ids, of those that worked on the commit
  /// SHA-256 of a template's text as git cleans it up (without comments, and blank lines at its ends): git
  /// makes no commit if the text is left unchanged. Empty: the message is not from a template.
  std::string untouched;
  bool operator==(const LinkRecord&) const = default;
};

std::string encode_link_record(const LinkRecord& record);
/// Any text is accepted: invalid values are left out.
LinkRecord read_link_record(std::string_view text);

}  // namespace plankeep::core
