#include "session_rules/merge_json.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "base/json_reader.hpp"
#include "base/json_writer.hpp"

namespace plankeep::core {
namespace {

// The values as they stand in the text; of a key that comes twice the last one, as Go reads it.
struct Fields {
  std::vector<std::string> order;
  std::map<std::string, std::string_view> values;
};

std::optional<Fields> fields_of(std::string_view text) {
  Fields fields;
  base::JsonReader in(text);
  const base::Status read = in.object([&](std::string_view key) -> base::Status {
    const std::string name(key);
    std::string_view value;
    TRY(in.raw(value));
    if (fields.values.insert_or_assign(name, value).second) fields.order.push_back(name);
    return {};
  });
  if (!read || !in.end()) return std::nullopt;
  return fields;
}

}  // namespace

std::string merge_objects(std::string_view a, std::string_view b, KeyRule rule,
                          const std::set<std::string_view>& from_a,
                          const std::set<std::string_view>& from_b) {
  const auto first = fields_of(a);
  const auto second = fields_of(b);
  if (!first || !second) return std::string(first || !second ? a : b);

  std::map<std::string, std::string_view> merged = first->values;
  for (const auto& [key, value] : second->values) {
    const auto [at, is_new] = merged.emplace(key, value);
    if (!is_new && rule == KeyRule::neither) at->second = std::max(at->second, value);
  }
  const auto take = [&](const std::set<std::string_view>& keys, const Fields& side) {
    for (const std::string_view key : keys) {
      const std::string name(key);
      const auto value = side.values.find(name);
      if (value == side.values.end())
        merged.erase(name);
      else
        merged[name] = value->second;
    }
  };
  take(from_a, *first);
  take(from_b, *second);
  if (merged == first->values && (merged != second->values || a >= b)) return std::string(a);
  if (merged == second->values) return std::string(b);

  const bool b_leads =
      rule == KeyRule::neither && std::pair(second->order.size(), b) > std::pair(first->order.size(), a);
  std::vector<std::string> order = b_leads ? second->order : first->order;
  const std::vector<std::string>& rest = b_leads ? first->order : second->order;
  order.insert(order.end(), rest.begin(), rest.end());
  base::JsonWriter out(base::JsonWriter::Layout::compact);
  out.begin_object();
  for (const std::string& key : order) {
    const auto value = merged.find(key);
    if (value == merged.end()) continue;
    out.key(key).raw(value->second);
    merged.erase(value);
  }
  out.end_object();
  return out.finish();
}

}  // namespace plankeep::core
