#pragma once
// What is kept of a commit that gets a session checkpoint, from the hook that gives it the id until its
// checkpoint is written. Pure.
//
//   <git-dir>/plankeep/commit-links/<id>   the commit's message has the id; its checkpoint has to be written
//   <git-dir>/plankeep/commit-msg          an editor is open: the id comes into the message behind it
//
// Lines "<word> <value>": "session <client's id>", one each; "id <checkpoint>", one each, and "template
// <SHA-256>" in commit-msg alone. What is none of these is passed over.

#include <string>
#include <string_view>
#include <vector>

namespace plankeep::core {

struct LinkRecord {
  std::vector<std::string> checkpoints;  // ids for the message
  std::vector<std::string> sessions;     // clients' ids, of those that worked on the commit
  /// SHA-256 of a template's text as git cleans it up (comments and blank lines at its ends gone): git makes
  /// no commit where it stays as it is. Empty: the message came from elsewhere.
  std::string untouched;
  bool operator==(const LinkRecord&) const = default;
};

std::string encode_link_record(const LinkRecord& record);
/// Whatever the text is: values that are no ids are left out.
LinkRecord read_link_record(std::string_view text);

}  // namespace plankeep::core
