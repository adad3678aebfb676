#include "checkpoint_db/as_kept.hpp"

#include <algorithm>
#include <string>

#include "base/sha256.hpp"
#include "model/json/checkpoint_json.hpp"

namespace plankeep::records {

base::Result<core::Checkpoint> as_kept(core::Checkpoint checkpoint,
                                       std::optional<std::string_view> plan_text) {
  core::CheckpointHead& head = checkpoint.head;
  const std::string digest = plan_text ? base::sha256_hex(*plan_text) : std::string();
  if (digest != checkpoint.moment.plan_digest) {
    return base::fail(base::ErrorKind::invalid_input, "the plan's text does not match its digest");
  }
  if (head.context_window_percent) {
    constexpr int kFull = 100;
    head.context_window_percent = std::clamp(*head.context_window_percent, 0, kFull);
  }
  checkpoint.work_state = core::fit(std::move(checkpoint.work_state));
  head.metadata.size_bytes = static_cast<std::int64_t>(core::encode_work_state(checkpoint.work_state).size());
  checkpoint.moment.turn = 0;
  return checkpoint;
}

}  // namespace plankeep::records
