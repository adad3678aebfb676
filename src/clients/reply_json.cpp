#include "clients/reply_json.hpp"

#include "base/json_writer.hpp"

namespace plankeep::clients {
namespace {

using base::JsonWriter;

/// The writer ends a line; what is printed as an answer needs no more than the object.
std::string finished(JsonWriter& out) {
  std::string text = out.finish();
  while (!text.empty() && text.back() == '\n') text.pop_back();
  return text;
}

}  // namespace

std::string nested_reply(const Reply& reply) {
  if (reply.reason.empty() && reply.context.empty() && reply.notice.empty()) return {};
  JsonWriter out(JsonWriter::Layout::compact);
  out.begin_object();
  if (!reply.reason.empty()) out.key("decision").value(reply.decision).key("reason").value(reply.reason);
  if (!reply.context.empty()) {
    out.key("hookSpecificOutput").begin_object();
    out.key("hookEventName").value(reply.event).key("additionalContext").value(reply.context);
    out.end_object();
  }
  if (!reply.notice.empty()) out.key("systemMessage").value(reply.notice);
  out.end_object();
  return finished(out);
}

std::string single_reply(std::string_view key, std::string_view text) {
  if (text.empty()) return {};
  JsonWriter out(JsonWriter::Layout::compact);
  out.begin_object().key(key).value(text).end_object();
  return finished(out);
}

std::string block_reply(std::string_view reason) {
  return nested_reply({.decision = "block", .reason = reason, .event = {}, .context = {}, .notice = {}});
}

}  // namespace plankeep::clients
