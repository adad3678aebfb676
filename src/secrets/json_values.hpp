#pragma once
// The string values and long keys of a JSON text and their positions. Private to this room.

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace plankeep::secrets {

enum class ValueUse {
  text,     // searched with every rule
  id,       // an id or a path: searched for vendors' tokens
  secret,   // its key names a secret
  picture,  // the data of a picture
  key,      // no value, but a long key: searched for vendors' tokens
};

struct JsonValue {
  std::size_t begin = 0;  // of its opening quote
  std::size_t end = 0;    // behind its closing quote
  ValueUse use = ValueUse::text;
  std::string_view plain;  // its text if it has no escapes; refers to the JSON text
  std::string decoded;     // its text if it has some

  std::string_view text() const { return decoded.empty() ? plain : std::string_view(decoded); }
};

/// In the order of the text; nullopt: the text is not exactly one JSON value.
std::optional<std::vector<JsonValue>> string_values(std::string_view json);

}  // namespace plankeep::secrets
