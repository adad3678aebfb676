#pragma once
// commits/index.json as text: which commits a run has. Private to store; sidecars.hpp says how it is used.
//
//   { "version": 1, "files": "<64 digits>", "runs": { "auth": [ [ "<sha>", 2, "2026-11-20T15:43:50.123Z" ] ]
//   } }
//
// An array for each commit and not an object: with 10,000 of them the names of the fields would be half of
// the file. Each run's are in the order in which they are looked for, so that a reader takes the first few
// and leaves the rest.

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "store/sidecars.hpp"

namespace plankeep::store {

struct SidecarIndex {
  std::string files;  // files_digest of what it was made from
  std::map<std::string, std::vector<SidecarEntry>, std::less<>> runs;
};

/// Of the names of the sidecars in a folder's list (sorted): other files do not count.
std::string files_digest(const std::vector<std::string>& names);

/// Highest milestone first, then newest, then by sha.
bool goes_before(const SidecarEntry& a, const SidecarEntry& b);

/// Puts everything in order.
SidecarIndex make_index(std::string files, const std::vector<core::Sidecar>& sidecars);

std::string encode_index(const SidecarIndex& index);

/// The first `count` of a run; nullopt when it was made from other files (empty: whichever). corrupt where it
/// is not understood.
[[nodiscard]] base::Result<std::optional<std::vector<SidecarEntry>>> entries_in(std::string_view text,
                                                                                std::string_view files,
                                                                                std::string_view run,
                                                                                std::size_t count);
/// All of it, whatever it was made from.
[[nodiscard]] base::Result<SidecarIndex> decode_index(std::string_view text);

}  // namespace plankeep::store
