#pragma once
// What one AI coding client sends to its hooks and honours from them (spec 10). One file per client; the
// registry is an explicit table. Facts were seen by running the clients; each file names the version.
//
//   const Client* client = find_client("claude-code");        // null: no such client
//   core::HookEvent event;
//   Payload payload(*client, "PostToolUse", variables, input);  // clients/payload: asks client->read
//   ... act ...
//   print(client->reply(event, answer));                        // empty: print nothing
//
// A payload can carry megabytes (whole files before and after), so it is read no further than is needed, see
// clients/payload.

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "model/hook_event.hpp"

namespace plankeep::clients {

/// A variable of the hook's environment; nullopt when it is not set.
using Variables = std::function<std::optional<std::string>(const std::string&)>;

/// How much of a payload was needed.
enum class Reading {
  complete,   // the whole text was read
  enough,     // what matters was seen; the rest (file contents, mostly) was left unread
  truncated,  // the text ended, or may end, before a JSON value was complete: give more, if there is more
};

/// How much of it is wanted.
enum class Extent {
  needed,  // up to what the event is about
  whole,   // to its end: who acts and which call it was, wherever in the payload that stands
};

struct Client {
  std::string_view name;   // as on the command line: "claude-code"
  std::string_view title;  // for people: "Claude Code"
  /// Turns a payload, or its beginning, into the neutral event. `text` is what has been read so far. Gives
  /// `truncated` when it ends inside the JSON and what is needed has not been seen. Errors (corrupt): no JSON
  /// object, or a field of ours with another type. An event name that the client does not have, or that is
  /// not ours, is HookKind::nothing, with only `client` and `client_event` set; names are taken from the
  /// command line, the payload may lack them. `truncated` leaves `event` as it was, and is an error when
  /// there is no more to read.
  base::Result<Reading> (*read)(std::string_view event_name, std::string_view text,
                                const Variables& variables, Extent extent, core::HookEvent& event);
  /// The answer as this client wants it for that event: one line of JSON without a newline, empty when there
  /// is nothing to say or no way to say it. Nothing is cut here: the caller keeps the context at 9,900
  /// characters, which every client delivers whole.
  std::string (*reply)(const core::HookEvent& event, const core::HookAnswer& answer);
  /// Whether HookAnswer::context reaches a model in answer to such an event: that of the one who acts; of
  /// subagent_stopped, the one who started the subagent. What cannot be said now is said with the next event
  /// that can.
  bool (*tells_model)(const core::HookEvent& event);
  /// Whether HookAnswer::block is honoured in answer to such an event: the one who wants to stop goes on,
  /// with that text. Where it is not, a block is dropped.
  bool (*can_block)(const core::HookEvent& event);
  /// Whether the events of a subagent's tools say that it acts. Where they do not, subagents run in the
  /// foreground: while one runs, nobody else does.
  bool names_subagents = true;
  /// Whether a subagent acts in a conversation of its own, which no event ties to the subagent.
  bool own_conversations = false;
  /// Whether its transcripts say what was said last and what a subagent was asked to do
  /// (clients/transcripts/transcript, first_prompt).
  bool transcripts_hold_messages = false;
};

/// nullptr when there is none of this name.
const Client* find_client(std::string_view name);
std::span<const Client> clients();

}  // namespace plankeep::clients
