#pragma once
// The shapes of the protocol that many messages have. Source: Language Server Protocol 3.17.

#include <optional>
#include <string>
#include <string_view>

#include "base/error.hpp"
#include "json_rpc/json.hpp"
#include "json_rpc/message.hpp"
#include "lsp/text.hpp"
#include "lsp/text_edits.hpp"

namespace plankeep::lsp {

using json_rpc::Json;
using json_rpc::member;
using json_rpc::OrderedJson;

// Codes of errors beside those of JSON-RPC.
inline constexpr int kServerNotInitialized = -32002;
inline constexpr int kRequestCancelled = -32800;
inline constexpr int kContentModified = -32801;
inline constexpr int kServerCancelled = -32802;
inline constexpr int kRequestFailed = -32803;

/// What a request is answered with.
struct Reply {
  OrderedJson value = nullptr;
  int code = 0;  // of an error; 0: none
  std::string message{};
  OrderedJson data = nullptr;  // of the error
};
Reply refused(int code, std::string message);
/// "not_found: no task named x (hint)": what a use case refused, safe to be shown.
Reply refused(const base::Error& error);
std::string words_of(const base::Error& error);

OrderedJson json_of(Position position);
OrderedJson json_of(const Range& range);
/// nullopt: it is none.
std::optional<Position> position_in(const Json& json);
std::optional<Range> range_in(const Json& json);
/// A string member; empty where there is none.
std::string string_in(const Json& object, const char* name);
/// params.textDocument.uri
std::string document_in(const Json& params);

/// [ { range, newText } ]
OrderedJson json_of(const Text& text, Encoding encoding, const std::vector<TextEdit>& edits);

/// Whether somewhere inside an object a boolean is true: flag(capabilities, "workspace", "applyEdit").
template <class... Names>
bool flag(const Json& object, Names... names) {
  const Json* at = &object;
  ((at = &member(*at, names)), ...);
  return at->is_boolean() && at->get<bool>();
}

/// Plan text as Markdown that shows nothing but this text, on one line.
std::string markdown_text(std::string_view text);
/// The same as a code span.
std::string markdown_code(std::string_view text);

}  // namespace plankeep::lsp
