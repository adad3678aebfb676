#pragma once
// The Model Context Protocol as a server with tools speaks it: a message in, the answer out.
//
//   Protocol protocol(tools, "0.1.0");
//   std::string answer = protocol.take(line);      // one line with its line feed; empty: nothing is to be
//   said
//
// Knows no input or output; what tools do is behind ToolBox. JSON-RPC 2.0, one request at a time, in order:
// when a cancellation arrives, what it is about has been answered. Offered are tools and nothing else;
// resources, prompts, completions and logging are -32601.
//
// Revisions: 2025-11-25, and the older ones that clients still offer; a client that offers one we know gets
// it, any other the newest. By revision: batches in 2025-03-26 only; annotations from 2025-03-26 on; titles,
// output schemas and structured content from 2025-06-18 on.
//
// Revisions from 2026-07-28 on have no initialize; their clients ask `server/discover` first and go back to
// initialize when that is -32601. No other code will do: some take any other error for that of a server of
// their own time.
//
// Errors, as JSON-RPC has them: -32700 (no JSON: also ill-formed UTF-8, more than 256 levels, more than 16
// MiB), -32600 (no request, a batch where there is none, a request before initialize), -32601, -32602
// (parameters, a tool that is not there). What a tool refuses, its arguments included, is a result with
// isError: a model can mend those. An id is a string or a number, and a number comes back digit for digit.
// Where an error has no id to answer, revision 2025-11-25 leaves it out; before, and before initialize, it is
// null as in JSON-RPC.
//
// Source: modelcontextprotocol.io, the specifications of these revisions; jsonrpc.org/specification.

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "base/error.hpp"
#include "json_rpc/json.hpp"

namespace plankeep::mcp {

using json_rpc::Json;
using json_rpc::OrderedJson;

/// In the order of time.
enum class Revision { r2024_10_07, r2024_11_05, r2025_03_26, r2025_06_18, r2025_11_25 };
inline constexpr Revision kNewest = Revision::r2025_11_25;
std::string_view name_of(Revision revision);

struct ToolAnswer {
  std::string text;
  OrderedJson structured = nullptr;  // an object; null: there is none
  bool failed = false;
};

/// "not_found: no task named x" and, on a line of its own, "hint: ...", safe to be shown and each cut
/// to 4 KiB.
ToolAnswer refusal(const base::Error& error);

class ToolBox {
 public:
  virtual ~ToolBox() = default;
  /// A JSON array, as this revision knows tools.
  virtual OrderedJson list(Revision revision) = 0;
  /// `arguments`: a JSON object. nullopt: there is no tool of that name.
  virtual std::optional<ToolAnswer> call(std::string_view name, const Json& arguments) = 0;
};

class Protocol {
 public:
  /// More of one batch are refused together.
  static constexpr std::size_t kLargestBatch = 1000;

  /// `version`: of the program.
  Protocol(ToolBox& tools, std::string version) : tools_(tools), version_(std::move(version)) {}

  std::string take(std::string_view message);
  /// What to say of a message that was too long to be kept.
  std::string take_too_long();

 private:
  struct Request;
  // Answers without their line feed.
  std::string take_one(const Json& message, const json_rpc::Message& read, std::size_t number, bool in_batch);
  std::string take_batch(const json_rpc::Message& batch);
  std::string answer(const Request& request, bool in_batch);
  std::string initialize(const Request& request, bool in_batch);
  std::string list_tools(const Request& request);
  std::string call_tool(const Request& request);
  std::string error(std::string_view id, int code, std::string_view message) const;

  ToolBox& tools_;
  std::string version_;
  std::optional<Revision> revision_;  // once initialized
};

}  // namespace plankeep::mcp
