#pragma once
// Two lists of refs beside a repository: those that wait for a push, and those that we wrote.
//
// PushQueue is Entire's (0.8.0 and later), which its pre-push hook and ours work off together:
// <git-common-dir>/entire-checkpoint-push-queue.jsonl, a line {"ref":"refs/..."} each, guarded by flock on
// entire-checkpoint-push-queue.lock. A ref may stand in it twice. It leaves only behind a confirmed push.
//
// WrittenRefs is ours, <git-common-dir>/plankeep/entire-written, a line "written <ref> <commit>" each.
// Writers that set refs unconditionally (Entire before 0.9) can throw a commit of ours away; what stands here
// and is not reached by its ref any more (ObjectWriter::lost) was. A line goes when its commit was pushed or
// is still there a day later.
//
// Both: a last line that a killed process left torn gets its line feed from the next writer and is passed
// over by readers; lines of others stay as they are. Neither is synced: a queue that lost its end is mended
// by comparing refs with the remote, and without a record nothing is lost by us. Errors: busy, the lock was
// not had within two seconds; io; corrupt, no regular file stands there.

#include <functional>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "system/file_system.hpp"

namespace plankeep::git {

class PushQueue {
 public:
  /// `common_dir` as WorkTree has it, absolute.
  PushQueue(system::FileSystem& files, std::string common_dir)
      : files_(files), common_dir_(std::move(common_dir)) {}

  [[nodiscard]] base::Status append(const std::vector<std::string>& refs);
  /// Each once, in the order of their first lines. No file: none.
  [[nodiscard]] base::Result<std::vector<std::string>> refs();
  /// Every line of these refs.
  [[nodiscard]] base::Status remove(const std::vector<std::string>& refs);
  /// Every line of the refs that `confirmed` gives. It is called under the list's lock: a writer appends a
  /// ref after it has moved it, so a ref that is found then as it was pushed has no later line.
  [[nodiscard]] base::Status remove_confirmed(
      const std::function<base::Result<std::vector<std::string>>()>& confirmed);

 private:
  system::FileSystem& files_;
  std::string common_dir_;
};

struct WrittenRef {
  std::string ref;
  std::string commit;
  bool operator==(const WrittenRef&) const = default;
};

class WrittenRefs {
 public:
  WrittenRefs(system::FileSystem& files, std::string common_dir)
      : files_(files), common_dir_(std::move(common_dir)) {}

  [[nodiscard]] base::Status append(const std::vector<WrittenRef>& written);
  [[nodiscard]] base::Result<std::vector<WrittenRef>> all();
  [[nodiscard]] base::Status remove(const std::vector<WrittenRef>& written);

 private:
  system::FileSystem& files_;
  std::string common_dir_;
};

}  // namespace plankeep::git
