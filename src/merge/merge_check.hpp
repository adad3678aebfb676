#pragma once
// Reads a merged plan again and checks it against what the merge decided (merge/merge_plan). Private to this
// room.

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "merge/merge_boxes.hpp"
#include "merge/merge_plan.hpp"
#include "merge/merge_texts.hpp"

namespace plankeep::markdown {

/// The boxes of one identity.
struct DecidedBox {
  std::array<const MergeBox*, 3> box{};
  bool merged = false;  // both sides have it: its character is left out of comparisons
  Side from = kOurs;    // who decides
};

/// A box in a half: where it is and what it must read as.
struct WrittenBox {
  std::size_t offset = 0;
  MergeState state = MergeState::open;
  std::uint32_t identity = 0;
  bool outside = true;  // of all conflict markers
};

/// The result as it reads when this side is chosen at every conflict. Without conflicts both are the result.
struct Half {
  std::string text;
  std::vector<WrittenBox> written;  // in the order of the text
};

struct MergeReading {
  const std::array<MergeVersion, 3>& versions;
  const std::vector<DecidedBox>& decided;  // by identity
  bool by_record = false;                  // something was merged thing by thing
};

struct Misreadings {
  std::vector<MergeConflict> found;
  bool false_tick = false;                    // one of them
  std::vector<std::uint32_t> ticked_outside;  // identities of such boxes outside of conflict markers
};

/// The differences between how the half reads and how it must read; none when the versions are no plans.
Misreadings misread_in(const Half& half, const MergeReading& reading);

/// "... is ticked on neither side".
std::string ticked_nowhere(const MergeBox& box);

}  // namespace plankeep::markdown
