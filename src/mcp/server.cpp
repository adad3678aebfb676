#include "mcp/server.hpp"

namespace plankeep::mcp {
namespace {

constexpr std::size_t kRead = std::size_t{64} << 10;

// False: nobody reads the answers.
bool reply(Wire& wire, Protocol& protocol, const json_rpc::LineReader::Message& message) {
  const std::string answer = message.too_long ? protocol.take_too_long() : protocol.take(message.text);
  return answer.empty() || wire.write(answer);
}

}  // namespace

void serve(Wire& wire, ToolBox& tools, const std::string& version) {
  Protocol protocol(tools, version);
  json_rpc::LineReader in;
  for (;;) {
    const std::string bytes = wire.read(kRead);
    if (bytes.empty()) break;
    in.feed(bytes);
    while (const auto message = in.next()) {
      if (wire.time_to_end() || !reply(wire, protocol, *message)) return;
    }
  }
  if (wire.time_to_end()) return;
  // A client that was written by hand may leave out the last line feed.
  if (const auto message = in.rest()) (void)reply(wire, protocol, *message);
}

}  // namespace plankeep::mcp
