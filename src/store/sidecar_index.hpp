#pragma once
// commits/index.json as text: which commits a run has. Private to store; sidecars.hpp says how it is used.
//
//   { "version": 2, "files": "<64 digits>", "own": ["auth"], "newest": [ [ "<sha>", 2, "<time>" ] ],
//     "runs": { "auth": [ [ "<sha>", 2, "2026-11-20T15:43:50.123Z", "<relinked from>" ] ] } }
//
// An array for each commit and not an object: with 10,000 of them the names of the fields would be half of
// the file. Each run's are in the order in which they are looked for, so that a reader takes the first few
// and leaves the rest. `own`: runs that are the plan's, as their sidecars say; `newest`: the newest of all
// runs. Both stand before the runs for the same reason.
//
// commits.stamp tells what the index does not know yet, so that a commit need not write thousands of lines:
//
//   1763653430123456789 42                          mtime and inode of the folder
//   <sha> 2 1763653430123 <relinked from or -> own auth    each: a sidecar written since; "named": not own

#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "store/sidecars.hpp"

namespace plankeep::store {

inline constexpr std::size_t kNewest = 256;

struct SidecarIndex {
  std::string files;  // files_digest of what it was made from
  std::set<std::string, std::less<>> own;
  std::map<std::string, std::vector<SidecarEntry>, std::less<>> runs;
};

/// A sidecar that the index does not know yet.
struct SidecarAddition {
  SidecarEntry entry;
  std::string run;
  bool own = false;
};
SidecarAddition addition_of(const core::Sidecar& sidecar);

struct IndexStamp {
  std::string folder;  // "mtime inode"; empty: not known
  std::vector<SidecarAddition> added;
};
std::string encode_stamp(const IndexStamp& stamp);
/// nullopt: it is not one.
std::optional<IndexStamp> decode_stamp(std::string_view text);

/// Of the names of the sidecars in a folder's list (sorted): other files do not count.
std::string files_digest(const std::vector<std::string>& names);

/// Highest milestone first, then newest, then by sha.
bool goes_before(const SidecarEntry& a, const SidecarEntry& b);

void add_to(SidecarIndex& index, const SidecarAddition& added);

/// Puts everything in order.
SidecarIndex make_index(std::string files, const std::vector<core::Sidecar>& sidecars);

std::string encode_index(const SidecarIndex& index);

/// What is asked for, as far as the index alone knows it; nullopt when it was made from other files (empty:
/// whichever). corrupt where it is not understood.
[[nodiscard]] base::Result<std::optional<SidecarSelection>> select_in(std::string_view text,
                                                                      std::string_view files,
                                                                      const SidecarQuery& query);
/// The same of an index in memory.
SidecarSelection select_in(const SidecarIndex& index, const SidecarQuery& query);
/// Takes what was written since into an answer.
void add_to(SidecarSelection& selection, const std::vector<SidecarAddition>& added,
            const SidecarQuery& query);
/// All of it, whatever it was made from.
[[nodiscard]] base::Result<SidecarIndex> decode_index(std::string_view text);

}  // namespace plankeep::store
