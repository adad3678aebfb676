// Session checkpoints of strangers' repositories on any bytes: metadata, trees, refs, names, transcripts.
// Read or refused with a reason; what was read is written and read again as the same.

#include <string>
#include <string_view>

#include "fuzz/law.hpp"
#include "model/json/session_json.hpp"
#include "model/json/session_row_json.hpp"
#include "render/sessions/transcript.hpp"
#include "session_store/session_store.hpp"
#include "session_store/session_tree.hpp"

namespace {

using namespace plankeep;

template <class Decode, class Encode>
void round_trip(std::string_view text, Decode decode, Encode encode) {
  const auto read = decode(text);
  if (!read) {
    fuzz::law(!read.error().message.empty(), "a metadata file is refused with a reason");
    return;
  }
  const std::string written = encode(read->value);
  const auto again = decode(written);
  fuzz::law(again.has_value(), "what was written can be read");
  fuzz::law(encode(again->value) == written, "writing is a fixpoint");
}

void check_names(std::string_view text) {
  if (const auto id = core::id_in_session_ref(text)) {
    fuzz::law(core::session_id_kind(*id).has_value(), "a ref's id is one");
    fuzz::law(core::session_ref(*id) == text, "a ref is its id's");
  }
  for (const std::string& id : core::mentioned_checkpoints(text))
    fuzz::law(core::session_id_kind(id).has_value(), "a mentioned id is one");
  if (core::is_client_session(text))
    fuzz::law(text.find('/') == std::string_view::npos && text != "..", "a session's name leads nowhere");
  if (const auto branch = core::shadow_branch(text))
    fuzz::law(branch->commit.size() >= 7, "a shadow branch has a commit");
}

void check_tree(std::string_view text) {
  const auto entries = sessions::parse_tree(text, 20);
  if (!entries) return;
  for (const sessions::TreeEntry& entry : sessions::sound_entries(*entries, "").entries) {
    fuzz::law(!sessions::is_tricky_name(entry.name), "a sound entry has a harmless name");
    fuzz::law(entry.is_file() || entry.is_folder(), "a sound entry is a file or a folder");
  }
  if (const auto root = sessions::root_entries(text, 20))
    fuzz::law(root->slots.size() <= core::kMostSessionSlots, "no more sessions than the limit");
  (void)sessions::slot_entries(text, 20, "0");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  round_trip(text, core::decode_session, core::encode_session);
  round_trip(text, core::decode_session_root, core::encode_session_root);
  round_trip(text, core::decode_plan_link, core::encode_plan_link);
  if (const auto row = core::decode_session_row(text))
    fuzz::law(core::decode_session_row(core::encode_session_row(*row)).has_value(), "a row is read again");
  check_names(text);
  check_tree(text);
  for (const sessions::SessionRef& ref : sessions::sort_refs(text).checkpoints)
    fuzz::law(core::id_in_session_ref(ref.name).has_value(), "only checkpoints' refs are taken");
  (void)sessions::stamp_refs(std::string(text), text);
  const std::string shown = render::transcript_text(text, 0, {});
  fuzz::law(shown.find('\x1b') == std::string::npos, "no escape of a transcript is shown");
  return 0;
}
