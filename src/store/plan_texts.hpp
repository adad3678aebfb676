#pragma once
// Earlier texts of a plan, in .checkpoint/plans/: what `plankeep restore` puts back.
//
// One file a text, "<time>-<offset>-<digits>.md": when it was seen first ("20261120T154350.123Z"), where the
// history ended then (what stands before was told of earlier texts), and the 16 digits of its checksum
// (base::short_checksum), so that a torn or changed file is recognised. At most
// kTextsKept files and kTextBytesKept bytes; the oldest go first, the newest always stays. A text of more
// than kTextBytesKept bytes is not kept.
//
// Who keeps a text holds the lock of the tracking folder. Not synced, as the plan itself is not by whoever
// edits it: a hook must not wait for the disk where nothing is recorded. Killed: a text is there whole or not
// at all. After a power loss it may be torn, which its digits tell. What is too much is removed by the next
// one that is kept.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/instant.hpp"
#include "base/result.hpp"
#include "system/file_system.hpp"

namespace plankeep::store {

inline constexpr std::size_t kTextsKept = 200;
inline constexpr std::uint64_t kTextBytesKept = std::uint64_t{20} << 20;

struct KeptText {
  std::string name;    // of its file
  base::Instant time;  // seen first
  std::uint64_t history_offset = 0;
  std::string digits;  // of its checksum
  std::uint64_t size = 0;
  bool operator==(const KeptText&) const = default;
};

/// Keeps `text`, whose checksum is `checksum` ("sha256:" and 16 digits). Nothing is written when the newest
/// one is the same, or the text is too large. `history_offset`: the end of the history before what this text
/// brings is written into it.
[[nodiscard]] base::Status keep_text(system::Folder& tracking, std::string_view text,
                                     std::string_view checksum, std::uint64_t history_offset,
                                     base::Instant now);

/// Oldest first, by time. Files with other names are passed over; none when nothing was ever kept.
[[nodiscard]] base::Result<std::vector<KeptText>> kept_texts(system::Folder& tracking);

/// corrupt when the file does not hold what its name says.
[[nodiscard]] base::Result<std::string> read_text(system::Folder& tracking, const KeptText& kept);

}  // namespace plankeep::store
