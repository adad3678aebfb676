#include "mcp/safe_json.hpp"

#include "base/json_reader.hpp"
#include "base/json_writer.hpp"
#include "base/utf8.hpp"

namespace plankeep::mcp {
namespace {

using base::JsonReader;
using base::JsonType;
using base::JsonWriter;
using base::Status;

// As deep as the reader goes: kDeepest.
Status copy(JsonReader& in, JsonWriter& out) {
  const JsonType type = in.peek();
  if (type == JsonType::object) {
    out.begin_object();
    TRY(in.object([&](std::string_view key) {
      out.key(base::printable(key));
      return copy(in, out);
    }));
    out.end_object();
    return {};
  }
  if (type == JsonType::array) {
    out.begin_array();
    TRY(in.array([&] { return copy(in, out); }));
    out.end_array();
    return {};
  }
  if (type == JsonType::string) {
    std::string text;
    TRY(in.string(text));
    out.value(base::printable(text, true));
    return {};
  }
  std::string_view rest;
  TRY(in.raw(rest));
  out.raw(rest);
  return {};
}

}  // namespace

base::Result<std::string> safe_json(std::string_view json) {
  JsonReader in(json);
  JsonWriter out(JsonWriter::Layout::compact);
  Status copied = copy(in, out);
  if (copied) copied = in.end();
  if (!copied) return base::fail(base::ErrorKind::internal, copied.error().message);
  std::string text = out.finish();
  while (!text.empty() && text.back() == '\n') text.pop_back();
  return text;
}

}  // namespace plankeep::mcp
