#pragma once
// The parts of JSON-RPC 2.0 messages that every protocol over it shares.
//
// Source: jsonrpc.org/specification.

#include <cstddef>
#include <string>
#include <string_view>

#include "json_rpc/json.hpp"

namespace plankeep::json_rpc {

inline constexpr int kParseError = -32700;
inline constexpr int kInvalidRequest = -32600;
inline constexpr int kMethodNotFound = -32601;
inline constexpr int kInvalidParams = -32602;
inline constexpr int kInternalError = -32603;

/// A member of an object; null where there is none. It lives as long as the object.
const Json& member(const Json& object, const char* name);

/// The id of message `number` of a batch (0 without one) as its JSON: a string, or a number digit for digit,
/// which a double may not keep. Empty: there is no id, or it is neither.
std::string id_of(const Json& message, const Message& read, std::size_t number);

/// {"jsonrpc":"2.0","id":id,"MEMBER":value} in one line without a line feed. `id` is JSON; empty leaves it
/// out.
std::string response(std::string_view id, std::string_view member, const OrderedJson& value);

/// What a client wrote, for an error of ours: safe to be shown and short.
std::string echo(std::string_view text);

}  // namespace plankeep::json_rpc
