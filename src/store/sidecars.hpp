#pragma once
// The folder .checkpoint/commits: a sidecar for each commit that belongs to a phase (spec 13), and an index.
//
//   Sidecars sidecars(tracking);
//   TRY_ASSIGN(const auto found, sidecars.select({"auth"}));      // highest milestone first, then newest
//   TRY_ASSIGN(const auto sidecar, sidecars.read(found.best[0].sha));
//   TRY(sidecars.write(sidecar));                                // under the lock
//
// <sha>.json is written once, durably, through store/atomic_file; a later write of the same commit replaces
// it. A file that is no sidecar, or whose sha is not that of its name, is malformed: it is passed over by
// select and named by all().
//
// index.json is derived: which commits each run has, in the order in which they are looked for. It says which
// files it was made from (a digest of their names), and where that is not what stands in the folder it is
// left aside: select then reads the sidecars themselves, which gives the same, only slower. So that 10,000
// names need not be read to know, commits.stamp in the tracking folder holds the time and inode that the
// folder had when the last sidecar was written, and the last few sidecars, which the index does not know
// yet; where the folder has others, the names decide. Whoever writes a sidecar writes the stamp anew, and the
// index once in a while. So it is safe to delete, and a sidecar that is brought or taken away by hand
// counts at once; only one that is changed by hand under its name needs the index deleted.
//
// Crash: the sidecar is there whole or not at all; an index that does not know it yet is left aside.
// LIMITATIONS: a sidecar is at most 1 MiB, the index as any JSON (paths.hpp).

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "model/sidecar.hpp"
#include "system/file_system.hpp"

namespace plankeep::store {

/// What the order needs.
struct SidecarEntry {
  std::string sha;
  std::int64_t milestone = 0;
  base::Instant created_at;
  std::string relinked_from{};  // empty: it follows none
  bool operator==(const SidecarEntry&) const = default;
};

struct SidecarQuery {
  std::string run;
  bool own = false;              // also of runs that are the plan's own by another name
  std::size_t count = SIZE_MAX;  // of `best` at most
  std::size_t newest = 0;        // of `newest` at most, and no more than 256
};

struct SidecarSelection {
  std::vector<SidecarEntry> best;    // of the run: highest milestone first, then newest, then by sha
  std::vector<SidecarEntry> newest;  // of all runs
};

struct MalformedSidecar {
  std::string name;    // of the file
  std::string reason;  // one line
};

struct SidecarList {
  std::vector<core::Sidecar> sidecars;  // by file name
  std::vector<MalformedSidecar> malformed;
};

class Sidecars {
 public:
  /// `tracking` outlives it.
  explicit Sidecars(system::Folder& tracking) : tracking_(tracking) {}

  /// Whether there is such a folder: a commit was made or begun here.
  [[nodiscard]] base::Result<bool> exist();
  /// Makes the folder, durably: a commit that is begun leaves its mark.
  [[nodiscard]] base::Status prepare();

  /// Reads only.
  [[nodiscard]] base::Result<SidecarSelection> select(const SidecarQuery& query);

  /// nullopt: there is none. corrupt when it is malformed.
  [[nodiscard]] base::Result<std::optional<core::Sidecar>> read(std::string_view sha);

  /// Reads every one, and no index.
  [[nodiscard]] base::Result<SidecarList> all();

  [[nodiscard]] base::Status write(const core::Sidecar& sidecar);

  /// Takes one away; one that is gone is fine. Under the lock.
  [[nodiscard]] base::Status remove(std::string_view sha);

 private:
  [[nodiscard]] base::Result<system::Folder*> folder();

  system::Folder& tracking_;
  std::unique_ptr<system::Folder> folder_;
};

}  // namespace plankeep::store
