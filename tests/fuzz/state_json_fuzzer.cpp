// model/json/state_json on any text: read or refused with a reason, and what was read is written and read
// again as the same.

#include <string>
#include <string_view>

#include "fuzz/law.hpp"
#include "model/json/state_json.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace plankeep;
  using fuzz::law;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  if (const auto state = core::decode_state(text)) {
    const std::string written = core::encode_state(*state);
    const auto again = core::decode_state(written);
    law(again.has_value(), "a written state can be read");
    law(*again == *state, "decode(encode(state)) is the state");
    law(core::encode_state(*again) == written, "the same state is written alike");
  } else {
    law(!state.error().message.empty(), "a state is refused with a reason");
  }
  if (const auto recovery = core::decode_recovery(text)) {
    const auto again = core::decode_recovery(core::encode_recovery(*recovery));
    law(again && *again == *recovery, "decode(encode(recovery)) is the recovery copy");
  } else {
    law(!recovery.error().message.empty(), "a recovery copy is refused with a reason");
  }
  return 0;
}
