#pragma once
// A commit as git stores it: tree, parents, who and when, a message. No signature, no encoding header: the
// text is UTF-8.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace plankeep::git {

/// Who made a commit, and when.
struct Signature {
  std::string name;
  std::string email;
  std::int64_t seconds = 0;  // since 1970, UTC
  int zone_minutes = 0;      // east of Greenwich, only for show: -1439 to 1439
  bool operator==(const Signature&) const = default;
};

struct CommitObject {
  std::string tree;
  std::vector<std::string> parents;
  Signature author;
  Signature committer;
  std::string message;  // as it is, without a line feed added; a NUL in it is left out
  bool operator==(const CommitObject&) const = default;
};

/// "Test User <test@example.com> 1700000000 +0000". What would end a name or an address early (a line feed,
/// NUL, "<", ">") is left out, and so are blanks, dots, commas, quotes and the like around them, as git does
/// it; a name that is empty then is "Unknown". Moments before 1970 are 1970.
std::string signature_text(const Signature& signature);

std::string commit_bytes(const CommitObject& commit);

/// What a stored commit says of its place in the history. What is missing in damaged bytes is empty, or 0.
struct CommitHeader {
  std::string tree;
  std::vector<std::string> parents;
  std::int64_t committed = 0;  // seconds since 1970
  bool operator==(const CommitHeader&) const = default;
};
CommitHeader commit_header(std::string_view bytes);

/// A stored commit with another tree on another parent, with its author, committer and message. What was
/// signed was the old commit: the signature goes.
std::string moved_commit(std::string_view bytes, const std::string& tree, const std::string& parent);

}  // namespace plankeep::git
