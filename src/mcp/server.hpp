#pragma once
// The loop between a client and the tools: reads, answers, in order, until the client is gone.
//
// This alone touches the wire. Nothing is held between two messages: no lock, no plan, no file; each call of
// a tool reads what it needs anew. Killed at any moment, the files are as the use cases promise
// (editing/complete, editing/record, editing/claim).

#include <cstddef>
#include <string>
#include <string_view>

#include "json_rpc/line_framing.hpp"
#include "mcp/protocol.hpp"

namespace plankeep::mcp {

class Wire {
 public:
  virtual ~Wire() = default;
  /// What the client says next, at most `count` bytes; waits as long as it takes. Empty: it has said
  /// everything, or it is time to end.
  virtual std::string read(std::size_t count) = 0;
  /// False: nobody reads any more.
  virtual bool write(std::string_view bytes) = 0;
  /// Somebody asked the program to end.
  virtual bool time_to_end() { return false; }
};

void serve(Wire& wire, ToolBox& tools, const std::string& version);

}  // namespace plankeep::mcp
