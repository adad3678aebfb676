#include "fleet/checkpoints/checkpoint_body.hpp"

#include <utility>

#include "base/json_reader.hpp"
#include "base/json_writer.hpp"
#include "base/utf8.hpp"
#include "fleet/history_line.hpp"
#include "model/json/checkpoint_json.hpp"

namespace plankeep::fleet {

std::string checkpoint_body(std::string json) {
  while (json.ends_with('\n')) json.pop_back();
  return fits_jsonb(json) ? json : as_json_string(json);
}

std::string checkpoint_body(const core::Checkpoint& checkpoint) {
  base::JsonWriter out(base::JsonWriter::Layout::compact);
  core::write_checkpoint(out, checkpoint);
  return checkpoint_body(std::string(out.finish()));
}

std::string checkpoint_record(std::string body) {
  base::JsonReader in(body);
  if (in.peek() != base::JsonType::string) return body;
  std::string record;
  return in.string(record) && in.end() ? record : body;
}

base::Result<core::Checkpoint> checkpoint_in(std::string body) {
  return core::decode_checkpoint(checkpoint_record(std::move(body)));
}

std::string column_text(std::string_view text) {
  constexpr std::string_view kReplacement = "\xef\xbf\xbd";
  std::string column;
  for (const char c : base::to_valid_utf8(text)) {
    if (c == '\0') {
      column += kReplacement;
    } else {
      column += c;
    }
  }
  return column;
}

}  // namespace plankeep::fleet
