#include "json_rpc/message.hpp"

#include "base/utf8.hpp"

namespace plankeep::json_rpc {
namespace {

constexpr std::size_t kLongestEcho = 100;  // bytes

std::string_view written_id(const Message& message, std::size_t number) {
  std::string_view id;
  for (const auto& [of, written] : message.written_ids) {
    if (of == number) id = written;
  }
  return id;
}

}  // namespace

const Json& member(const Json& object, const char* name) {
  static const Json null;
  if (!object.is_object()) return null;
  const auto at = object.find(name);
  return at == object.end() ? null : *at;
}

std::string id_of(const Json& message, const Message& read, std::size_t number) {
  const Json& id = member(message, "id");
  if (id.is_number_float()) return std::string(written_id(read, number));
  return id.is_string() || id.is_number() ? line_of(id) : std::string();
}

// The library cannot keep every number as it was written, so an id is put in as text.
std::string response(std::string_view id, std::string_view member, const OrderedJson& value) {
  std::string line = R"({"jsonrpc":"2.0")";
  if (!id.empty()) line.append(",\"id\":").append(id);
  return line.append(",\"").append(member).append("\":").append(line_of(value)).append("}");
}

std::string echo(std::string_view text) {
  return base::fit_to_bytes(base::printable(text), kLongestEcho);
}

}  // namespace plankeep::json_rpc
