// json_rpc/line_framing and mcp/protocol on any bytes: what is answered is one line of JSON a message, the
// same however the bytes arrive, and a server goes on after everything.

#include <optional>
#include <string>
#include <string_view>

#include "base/json_reader.hpp"
#include "fuzz/law.hpp"
#include "json_rpc/json.hpp"
#include "json_rpc/line_framing.hpp"
#include "mcp/protocol.hpp"
#include "mcp/tool_arguments.hpp"

namespace {

using namespace plankeep;
using fuzz::law;

// Reads its arguments as a tool does, and answers with them.
class EchoTools : public mcp::ToolBox {
 public:
  mcp::OrderedJson list(mcp::Revision) override { return mcp::OrderedJson::array(); }
  std::optional<mcp::ToolAnswer> call(std::string_view name, const mcp::Json& arguments) override {
    if (name.empty()) return std::nullopt;
    mcp::ToolArguments taken(arguments);
    std::string text;
    std::vector<std::string> ids;
    const bool good = taken.take("text", text) && taken.take("ids", ids) && taken.finish();
    mcp::OrderedJson safe = json_rpc::made_safe(arguments);
    law(json_rpc::made_safe(safe) == safe, "what is safe stays as it is");
    return mcp::ToolAnswer{std::string(name) + text, std::move(safe), !good};
  }
};

bool is_json(std::string_view text) {
  base::JsonReader in(text);
  return in.skip().has_value() && in.end().has_value();
}

constexpr std::size_t kLongest = 4096;

std::string conversation(std::string_view bytes, std::size_t step) {
  EchoTools tools;
  mcp::Protocol protocol(tools, "0");
  json_rpc::LineReader in(kLongest);
  std::string said;
  const auto answer = [&](const json_rpc::LineReader::Message& message) {
    const std::string line = message.too_long ? protocol.take_too_long() : protocol.take(message.text);
    if (line.empty()) return;
    law(line.find('\n') == line.size() - 1, "an answer is one line");
    law(is_json(line), "an answer is JSON");
    said += line;
  };
  for (std::size_t at = 0; at < bytes.size(); at += step) {
    in.feed(bytes.substr(at, step));
    while (const auto message = in.next()) answer(*message);
  }
  while (const auto message = in.rest()) answer(*message);
  const std::string pong = protocol.take(R"({"jsonrpc":"2.0","id":"still there","method":"ping"})");
  law(pong == "{\"jsonrpc\":\"2.0\",\"id\":\"still there\",\"result\":{}}\n",
      "a server goes on after everything");
  return said;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const std::string whole = conversation(bytes, size + 1);
  law(whole == conversation(bytes, 7), "answers do not depend on how the bytes arrive");
  return 0;
}
