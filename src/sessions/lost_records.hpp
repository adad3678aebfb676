#pragma once
// Records that plankeep wrote and that another program threw away again (spec 21.5). Entire up to 0.8 sets
// its branch without looking whether it has moved, so a commit of ours in between drops out.
//
//   LostRecords records(git, files, objects, author, now);
//   TRY_ASSIGN(const std::vector<LostRecord> lost, records.find());      // changes nothing
//   TRY_ASSIGN(const LostRepair done, records.put_back());               // and shortens the list
//
// git::WrittenRefs names what we wrote. A commit counts as thrown away if git still has it, its ref exists,
// and the ref does not reach it. Its record is lost if the checkpoint is what it was before our commit, or
// lacks a session that our commit has. It is committed again on top, with its message and date; an existing
// checkpoint is merged (sessions/merge_remote). Everything else counts as done on purpose and stays: a ref
// that somebody deleted, and a record that somebody changed. A record that was replayed onto another history,
// as Entire does when it pushes, is not lost.
//
// An entry leaves the list when its record was put back, is not lost, or has been reached for a day.
//
// Cost: nothing but a look at the list where it is empty; else one git process, two where a ref is not at the
// commit that was written last. Each record that is put back costs about five more.
//
// Crash: each record is put back whole or not at all; the next call goes on. git's gc removes what no ref
// reaches after two weeks, and then it is really gone.

#include <string>
#include <vector>

#include "base/instant.hpp"
#include "base/result.hpp"
#include "git/git.hpp"
#include "git/object_writer.hpp"
#include "git/push_queue.hpp"
#include "git_objects/commit_object.hpp"
#include "project/context.hpp"
#include "sessions/merge_remote.hpp"
#include "system/file_system.hpp"

namespace plankeep::app {

struct LostRecord {
  std::string checkpoint;  // its id
  std::string ref;
  std::string commit;  // which wrote it
};

struct LostRepair {
  std::vector<std::string> checkpoints;  // ids of those that were put back, each once
  std::vector<std::string> warnings;     // unsafe to print: what could not be put back, and why
};

class LostRecords {
 public:
  /// All outlive it. `author`: of merge commits.
  LostRecords(git::Git& git, system::FileSystem& files, git::ObjectWriter& objects, git::Signature author,
              base::Instant now)
      : files_(files), objects_(objects), merger_(git, files, objects, std::move(author)), now_(now) {}

  /// Oldest first. Of several lost commits of one checkpoint at least the first is told.
  [[nodiscard]] base::Result<std::vector<LostRecord>> find();
  /// Errors: the list cannot be read; git fails. One record that cannot be put back is a warning, and stays
  /// on the list.
  [[nodiscard]] base::Result<LostRepair> put_back();

 private:
  // A commit on the list that its ref does not reach.
  struct Thrown {
    git::WrittenRef written;
    std::string bytes;  // of the commit
    std::string parent;
    std::vector<std::string> checkpoints;  // ids that it wrote
  };
  struct Sorted {
    std::vector<Thrown> thrown;
    std::vector<git::WrittenRef> settled;  // entries that may leave the list
  };

  [[nodiscard]] base::Result<Sorted> sort();
  [[nodiscard]] base::Result<std::string> tree_with(const Thrown& one, const std::string& checkpoint,
                                                    const std::string& tip, git::Pack& pack);
  [[nodiscard]] base::Result<std::string> put_back_one(const Thrown& one, const std::string& checkpoint);

  system::FileSystem& files_;
  git::ObjectWriter& objects_;
  SessionMerger merger_;
  base::Instant now_;
};

/// put_back() with the user as the author, for callers that have other work to do: an error is a warning.
LostRepair put_lost_records_back(const Context& context, git::Git& git, const git::WorkTree& tree);
/// find() likewise.
[[nodiscard]] base::Result<std::vector<LostRecord>> find_lost_records(const Context& context, git::Git& git,
                                                                      const git::WorkTree& tree);

}  // namespace plankeep::app
