#pragma once
// Objects of a repository, many at once: their sizes first, then those that are small enough. Private to this
// room.
//
//   SessionObjects objects(git, repository);
//   TRY_ASSIGN(const auto found, objects.read({"<commit>^{tree}", "<id>"}, kLargestTree));
//
// A stranger may have made the repository, so git runs without hooks, without replacement refs, and without
// any way to the network: in a partial clone an object that is not there is `missing`, never fetched
// (spec 23.2). Two processes for a call, whatever the number of names; three more where a partial clone lacks
// something. What is read at once is bounded: a call gives at most kMostBytes, the rest is told as `skipped`
// and asked for with another call.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

#include "base/result.hpp"
#include "git/git.hpp"

namespace plankeep::sessions {

/// Where the objects are. Works in a bare repository too.
struct SessionRepository {
  std::string folder;         // git is run there; absolute
  std::string common_dir;     // absolute
  std::string object_format;  // "sha1", "sha256"
  std::string head;           // HEAD's commit; empty: there is none
  std::string side;           // of what was fetched (side_repository); absolute; empty: nothing was
  std::string elected{};      // the remote whose branch counts before origin's; empty: origin's comes first
};

struct SessionObject {
  enum class State { present, missing, too_large, skipped };
  State state = State::missing;
  std::string id;
  std::string type;  // "blob", "tree", "commit"
  std::uint64_t size = 0;
  std::string bytes;  // where it is present and was asked for
};

class SessionObjects {
 public:
  static constexpr std::uint64_t kMostBytes = std::uint64_t{128} << 20;

  /// Both outlive it.
  SessionObjects(git::Git& git, const SessionRepository& repository) : git_(git), repository_(repository) {}

  /// In the order of `names`, which are ids or "<id>^{tree}": nothing that a stranger chose.
  [[nodiscard]] base::Result<std::vector<SessionObject>> read(const std::vector<std::string>& names,
                                                              std::uint64_t largest);
  /// The same without the bytes.
  [[nodiscard]] base::Result<std::vector<SessionObject>> look(const std::vector<std::string>& names);
  /// One object of any size up to `largest`.
  [[nodiscard]] base::Result<SessionObject> read_one(const std::string& id, std::uint64_t largest);

  /// A plumbing command in the same surroundings.
  [[nodiscard]] base::Result<system::Finished> run(const std::vector<std::string>& words,
                                                   std::string_view input = {},
                                                   std::optional<std::size_t> output_limit = {});
  /// The same in the side repository, which has to be there.
  [[nodiscard]] base::Result<system::Finished> run_in_side(const std::vector<std::string>& words);
  /// Commits that lead to all that is asked for. In a partial clone what is not there is found from them.
  void set_tips(std::vector<std::string> tips) { tips_ = std::move(tips); }
  /// The bytes of an object's id: 20 or 32.
  std::size_t id_bytes() const { return repository_.object_format == "sha256" ? 32 : 20; }
  const SessionRepository& repository() const { return repository_; }

 private:
  [[nodiscard]] base::Result<std::string> ask(const std::string& how, const std::string& names,
                                              std::size_t limit);
  [[nodiscard]] base::Status find_absent();

  git::Git& git_;
  const SessionRepository& repository_;
  std::vector<std::string> tips_;
  std::optional<std::unordered_set<std::string>> absent_;  // once it was needed
};

}  // namespace plankeep::sessions
