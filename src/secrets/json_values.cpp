#include "secrets/json_values.hpp"

#include <algorithm>
#include <array>

#include "base/json_reader.hpp"
#include "base/utf8.hpp"
#include "secrets/rule.hpp"

namespace plankeep::secrets {
namespace {

using base::JsonReader;
using base::JsonType;
using base::Status;

// Entire's tools leave the values of these keys alone, too.
bool names_an_id(std::string_view key) {
  const std::string lower = base::to_lower(key);
  if (lower.ends_with("id") || lower.ends_with("ids") || lower.ends_with("signature")) return true;
  static constexpr std::array<std::string_view, 7> kPaths = {"filepath",  "file_path", "cwd", "root",
                                                             "directory", "dir",       "path"};
  return std::find(kPaths.begin(), kPaths.end(), lower) != kPaths.end();
}

constexpr std::size_t kShortKey = 15;   // no token is as short
constexpr std::size_t kShortData = 64;  // "image/png" and the like stay

class Reader {
 public:
  explicit Reader(std::string_view json) : json_(json), in_(json) {}

  std::optional<std::vector<JsonValue>> read() {
    if (!value(ValueUse::text, nullptr) || !in_.end()) return std::nullopt;
    return std::move(values_);
  }

 private:
  // `type`: receives the value of a key "type"; else null.
  Status value(ValueUse use, std::string* type) {
    switch (in_.peek()) {
      case JsonType::object:
        return object();
      case JsonType::array:
        return in_.array([&] { return value(use, nullptr); });
      case JsonType::string:
        return string(use, type);
      default:
        return in_.skip();
    }
  }

  Status object() {
    const std::size_t first = values_.size();
    std::string type;
    std::size_t before = in_.offset();  // of the key, behind what comes before it
    TRY(in_.object([&](std::string_view key) -> Status {
      if (key.size() > kShortKey) add_key(key, before);
      const ValueUse use = names_a_secret(key) ? ValueUse::secret
                           : names_an_id(key)  ? ValueUse::id
                                               : ValueUse::text;
      TRY(value(use, key == "type" ? &type : nullptr));
      before = in_.offset();
      return {};
    }));
    if (type != "base64" && !type.starts_with("image")) return {};
    for (std::size_t i = first; i < values_.size(); ++i) {
      if (values_[i].use != ValueUse::key && values_[i].text().size() > kShortData)
        values_[i].use = ValueUse::picture;
    }
    return {};
  }

  // The reader stands behind the key's colon.
  void add_key(std::string_view key, std::size_t before) {
    JsonValue found;
    found.begin = json_.find('"', before);
    found.end = json_.rfind('"', in_.offset() - 1) + 1;
    found.use = ValueUse::key;
    const std::string_view plain = json_.substr(found.begin + 1, found.end - found.begin - 2);
    if (plain == key) {
      found.plain = plain;
    } else {
      found.decoded = key;
    }
    values_.push_back(std::move(found));
  }

  Status string(ValueUse use, std::string* type) {
    std::string_view raw;
    TRY(in_.raw(raw));
    JsonValue found;
    found.begin = static_cast<std::size_t>(raw.data() - json_.data());
    found.end = found.begin + raw.size();
    found.use = use;
    if (raw.find('\\') == std::string_view::npos) {
      found.plain = raw.substr(1, raw.size() - 2);
    } else {
      TRY(JsonReader(raw).string(found.decoded));
    }
    if (type != nullptr) *type = found.text();
    values_.push_back(std::move(found));
    return {};
  }

  std::string_view json_;
  JsonReader in_;
  std::vector<JsonValue> values_;
};

}  // namespace

std::optional<std::vector<JsonValue>> string_values(std::string_view json) {
  return Reader(json).read();
}

}  // namespace plankeep::secrets
