#pragma once
// A commit put onto a ref that others write, too: nobody's commit is lost, whoever comes second builds on it.
//
//   RefWriter refs(writer, files);
//   TRY_ASSIGN(RefWritten written, refs.write({ref, {"a1", "a1/b2c3d4e5f6"}}, [&](const RefState& now, Pack&
//   pack) {
//     ... blobs into `pack`, change_tree(now.tree, changes, now.trees, pack), a commit with now.tip as parent
//     return commit;                                  // empty: the ref is as it should be
//   }));
//
// One turn: read the tip and the trees on the way [one process; none for a ref that is to be new], make the
// objects, store them [one], update the ref with compare-and-swap [one]. Where the ref moved meanwhile it
// begins anew from the new tip, at most kRefTries times within kRefTimeout, with 1 to 8 ms between them;
// then busy. `make` is called once each time with an empty pack, so it must not keep what it made.
//
// While it writes it holds the advisory lock that Entire's writers take for the same ref,
// <git-common-dir>/entire-persistent-ref-locks/<ref, "/" as "_">.lock, to spare both the repetitions. It is
// waited for kRefLockTimeout and then done without.
//
// Crash: at every moment the ref is what it was or names a whole commit. See git/object_writer.

#include <chrono>
#include <functional>
#include <string>
#include <vector>

#include "git/object_writer.hpp"
#include "git_objects/tree_change.hpp"
#include "system/file_system.hpp"

namespace plankeep::git {

inline constexpr int kRefTries = 16;
inline constexpr std::chrono::milliseconds kRefTimeout{2000};
inline constexpr std::chrono::milliseconds kRefLockTimeout{500};

struct RefWrite {
  std::string ref;
  /// In the tip's tree, what is read with it; folders on the way to one are to be listed, too.
  std::vector<std::string> paths{};
  /// It must not be there: nothing is read. Where it is there all the same, it is read in the next turn.
  bool is_new = false;
};

/// The ref as it is.
struct RefState {
  std::string tip;   // a commit; empty: no such ref
  std::string tree;  // its tree; empty like tip
  KnownTrees trees;  // the tip's and those of RefWrite::paths that are there
  std::map<std::string, std::string, std::less<>> files;  // the blobs of RefWrite::paths, by path
};

/// The commit that the ref shall name, with all that is new of it in `pack`; empty: nothing to do.
using MakeCommit = std::function<base::Result<std::string>(const RefState& now, Pack& pack)>;

struct RefWritten {
  std::string commit;  // empty: there was nothing to do
  std::string before;  // the tip that it was put onto; empty: the ref is new
  int tries = 1;
};

class RefWriter {
 public:
  /// Both outlive it.
  RefWriter(ObjectWriter& objects, system::FileSystem& files) : objects_(objects), files_(files) {}

  /// Errors: those of `make`; corrupt, the ref names no commit; busy, it moved each time or is locked; io.
  [[nodiscard]] base::Result<RefWritten> write(const RefWrite& wanted, const MakeCommit& make);

 private:
  [[nodiscard]] base::Result<std::optional<RefState>> read(const RefWrite& wanted);
  std::unique_ptr<system::Lock> hold(const std::string& ref);

  ObjectWriter& objects_;
  system::FileSystem& files_;
};

}  // namespace plankeep::git
