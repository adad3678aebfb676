#pragma once
// New objects and refs written into the user's repository, without its index, work tree, HEAD, configuration
// or reflogs: for records that belong to nobody's branch (session checkpoints).
//
//   ObjectWriter writer(git, tree);
//   Pack pack(writer.format());
//   std::string commit = pack.add(...);                       // git_objects/
//   TRY(writer.store(std::move(pack)));                       // objects that no ref names yet
//   TRY_ASSIGN(RefOutcome outcome, writer.update({{ref, commit, old}}));
//
// One git process each, so a whole checkpoint costs two or three whatever it holds. The refs of one update
// change together or not at all, and only while each is what its `old` says. git/ref_writer does the whole
// turn with its repetitions.
//
// On disk: objects are synced before update() names them, and so is the ref. Killed before update() returns:
// objects that nobody names, which git's gc removes, or the refs with all they need. What git leaves when it
// is killed itself (a ref's .lock, a temporary pack) is git's own affair: a lock makes update() say `moved`.
//
// Errors: io, git's own words; busy, git took too long; not_found, there is no git.

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/result.hpp"
#include "git/git.hpp"
#include "git_objects/pack.hpp"

namespace plankeep::git {

/// One ref's way from `old_id` to `new_id`; `old_id` empty: it must not be there yet.
struct RefUpdate {
  std::string ref;
  std::string new_id;
  std::string old_id;
};

enum class RefOutcome {
  done,
  moved,  // one of the refs is not what its `old_id` says, is locked, or an object was collected meanwhile
};

struct ReadObject {
  std::string id;
  std::string kind;  // "blob", "tree", "commit", "tag"
  std::string bytes;
};

/// From so many objects or bytes on a pack is kept as it is; smaller ones are unpacked into loose objects.
inline constexpr std::size_t kKeepPackObjects = 100;
inline constexpr std::size_t kKeepPackBytes = std::size_t{8} << 20;

class ObjectWriter {
 public:
  /// `git` outlives it. corrupt when the repository's object format is one that we do not know.
  [[nodiscard]] static base::Result<ObjectWriter> open(Git& git, WorkTree tree);

  ObjectFormat format() const { return format_; }
  const WorkTree& tree() const { return tree_; }

  /// Objects by name ("<ref>", "<ref>^{tree}", "<ref>:<path>", an id), in their order; nullopt for one that
  /// is not there. No name may hold a line feed. Nothing is ever fetched from a remote for it. 256 MiB
  /// together.
  [[nodiscard]] base::Result<std::vector<std::optional<ReadObject>>> read(
      const std::vector<std::string>& names);

  /// An empty pack costs nothing.
  [[nodiscard]] base::Status store(Pack pack);

  /// Symbolic refs are not followed: one in the place of a ref becomes a ref. No reflog is begun.
  [[nodiscard]] base::Result<RefOutcome> update(const std::vector<RefUpdate>& updates);

  /// Of these commits those that none of the tips reaches; git must have all of them.
  [[nodiscard]] base::Result<std::vector<std::string>> unreached(const std::vector<std::string>& commits,
                                                                 const std::vector<std::string>& tips);
  /// The files that each of these commits changed against its first parent, in the order of the commits.
  [[nodiscard]] base::Result<std::vector<std::vector<std::string>>> changed_paths(
      const std::vector<std::string>& commits);

 private:
  ObjectWriter(Git& git, WorkTree tree, ObjectFormat format)
      : git_(git), tree_(std::move(tree)), format_(format) {}

  Git& git_;
  WorkTree tree_;
  ObjectFormat format_;
};

}  // namespace plankeep::git
