#include "lsp/server.hpp"

#include "json_rpc/header_framing.hpp"
#include "lsp/protocol.hpp"

namespace plankeep::lsp {
namespace {

constexpr std::size_t kRead = std::size_t{64} << 10;

}  // namespace

int serve(Wire& wire, Desk& desk, const std::string& version) {
  Protocol protocol(desk, version);
  json_rpc::HeaderReader in;
  // Takes all messages that have arrived before any is handled, since they may cancel waiting requests.
  // False: the input is broken.
  const auto take = [&](std::string bytes) {
    for (; !bytes.empty(); bytes = wire.more(kRead)) {
      in.feed(bytes);
      while (const auto message = in.next())
        message->too_long ? protocol.take_too_long() : protocol.take(message->text);
      if (in.broken()) return false;
    }
    return true;
  };
  const auto flush = [&] {
    const std::string output = protocol.take_output();
    return output.empty() || wire.write(output);
  };
  protocol.set_attend([&] {
    if (!take(wire.more(kRead)) || wire.over()) return false;
    while (protocol.busy()) protocol.step();
    return flush();
  });
  for (;;) {
    const bool busy = protocol.busy();
    std::string bytes = busy ? wire.more(kRead) : wire.read(kRead, protocol.until_next_look());
    if (bytes.empty() && !busy && wire.over()) return 0;
    if (!take(std::move(bytes))) return 1;
    if (protocol.busy()) protocol.step();
    if (!flush() || in.broken()) return 1;
    if (protocol.ended()) return protocol.exit_status();
  }
}

}  // namespace plankeep::lsp
