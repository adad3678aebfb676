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
  for (;;) {
    // Everything that has come is taken before anything is done: it may cancel what waits.
    std::string bytes = protocol.busy() ? wire.more(kRead) : wire.read(kRead);
    if (bytes.empty() && !protocol.busy()) return 0;
    for (; !bytes.empty(); bytes = wire.more(kRead)) {
      in.feed(bytes);
      while (const auto message = in.next())
        message->too_long ? protocol.take_too_long() : protocol.take(message->text);
      if (in.broken()) return 1;
    }
    if (protocol.busy()) protocol.step();
    const std::string output = protocol.take_output();
    if (!output.empty() && !wire.write(output)) return 1;
    if (protocol.ended()) return protocol.exit_status();
  }
}

}  // namespace plankeep::lsp
