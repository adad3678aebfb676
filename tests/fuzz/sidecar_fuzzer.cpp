// model/json/sidecar_json, the index of sidecars and the messages of commits on any text: read or refused
// with a reason, and what was read is written and read again as the same.

#include <string>
#include <string_view>

#include "fuzz/law.hpp"
#include "git/checkpoint_message.hpp"
#include "git/hook_block.hpp"
#include "model/json/sidecar_json.hpp"
#include "store/sidecar_index.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace plankeep;
  using fuzz::law;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  if (const auto sidecar = core::decode_sidecar(text)) {
    const std::string written = core::encode_sidecar(*sidecar);
    const auto again = core::decode_sidecar(written);
    law(again.has_value(), "a written sidecar can be read");
    law(*again == *sidecar, "decode(encode(sidecar)) is the sidecar");
    law(core::is_commit_id(sidecar->sha) && core::is_run_id(sidecar->run) && sidecar->milestone >= 0,
        "what was read can be");
  } else {
    law(!sidecar.error().message.empty(), "a sidecar is refused with a reason");
  }
  if (const auto index = store::decode_index(text)) {
    const std::string written = store::encode_index(*index);
    const auto again = store::decode_index(written);
    law(again && again->files == index->files && again->runs == index->runs,
        "decode(encode(index)) is the index");
    for (const auto& [run, entries] : index->runs) {
      const auto found = store::select_in(written, index->files, {run, false, entries.size(), 0});
      law(found && *found && (*found)->best == entries, "the entries of a run are found without the rest");
    }
  }
  if (const auto stamp = store::decode_stamp(text)) {
    const auto again = store::decode_stamp(store::encode_stamp(*stamp));
    law(again && again->folder == stamp->folder && again->added.size() == stamp->added.size(),
        "decode(encode(stamp)) is the stamp");
  }
  if (const auto message = core::read_checkpoint_message(text); message && !message->legacy) {
    core::Phase phase;
    phase.id = message->phase;
    const std::string line = core::message_start(message->run) + std::to_string(message->milestone);
    const auto again = core::read_checkpoint_message(line);
    law(again && again->run == message->run && again->milestone == message->milestone,
        "a message's first line says run and milestone");
    const auto all = core::read_checkpoint_messages(text);
    law(!all.empty() && all.front().run == message->run,
        "the first of all messages is that of the first line");
  }
  law(core::is_run_id(core::run_of_plan(text)), "of any name a run's id is made");
  if (core::kind_of_script(text) == core::HookScript::shell && !core::has_hook_block(text)) {
    law(core::without_hook_block(core::with_hook_block(text, "true")) == text,
        "what was put into a script is taken out to the byte");
  }
  return 0;
}
