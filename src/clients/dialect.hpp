#pragma once
// Reading a payload as far as it is needed. Private to clients/*.cpp.
//
// All clients send one JSON object and differ in its keys, so a client is a table (Dialect) and a few small
// functions for what only it does. The rules that every client shares live here:
//
//  - An event that is none of ours is `nothing`, and not a byte of its payload is looked at. A tool call that
//    is none of ours is left as soon as the tool's name was read.
//  - Key order is the client's own business. A tool's input that comes before the tool's name is put aside
//    and read afterwards. Reading stops early only when all keys in Dialect::head were seen: in every
//    recording what says who acts (session, folder, agent) stands before or among them, and large texts
//    behind. Where it matters who acts, the whole payload is read (Extent).
//  - Clients written in JavaScript cut texts between the two halves of a character and send the lone half as
//    an escape, which is no JSON; it is read as U+FFFD.
//  - Text that ends inside the JSON is `truncated`; JSON that is broken before its end is an error.

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/json_reader.hpp"
#include "base/result.hpp"
#include "base/text.hpp"
#include "clients/client.hpp"
#include "model/hook_event.hpp"

namespace plankeep::clients {

/// A key whose value is text (or null, which counts as absent) and the field it fills.
struct TextField {
  std::string_view key;
  std::string core::HookEvent::*where;
};

struct EventRule {
  std::string_view name;
  core::HookKind kind = core::HookKind::nothing;
  bool by_tool = false;  // which kind it is depends on the tool
};

/// What is known so far, with the little that no field of an event holds.
struct Draft {
  core::HookEvent event;
  std::string parent;  // the session that a subagent belongs to, where that has an id of its own
  std::vector<std::string> running;  // ids of background work that goes on
};

/// A payload at the moment of a key.
struct Call {
  base::JsonReader& in;
  Draft& draft;
  std::string_view event_name;
  std::string_view tool;  // empty: no tool, or not known yet
  /// To be returned when all that matters has been seen: reading ends there if it may (Dialect::head), and
  /// goes on with the next key if not. The value that stands next must not have been touched, or must have
  /// been consumed; inside an object that is read, what follows in it is passed over.
  std::function<base::Status()> enough;
};

struct Dialect {
  std::span<const EventRule> events;
  std::span<const TextField> texts;
  std::span<const std::string_view> head = {};  // empty: always read to the end
  std::string_view tool_name = {};              // keys of the parts of a tool call
  std::string_view tool_input = {};
  std::string_view tool_response = {};
  bool reads_commands = false;  // shell_started: read_input says whether the command counts
  core::HookKind (*kind_of_tool)(std::string_view event_name, std::string_view tool) = nullptr;
  base::Status (*read_input)(Call& call) = nullptr;
  /// Where the outcome matters; then a tool call is not left before it was read.
  base::Status (*read_response)(Call& call) = nullptr;
  /// Keys that are in no table; true when the value was consumed.
  base::Result<bool> (*read_other)(std::string_view key, Call& call) = nullptr;
  /// Last touches, with the whole draft in sight; may make it `nothing`.
  void (*finish)(Draft& draft, const Variables& variables) = nullptr;
};

/// Client::read for a client that is such a table.
[[nodiscard]] base::Result<Reading> read_payload(const Dialect& dialect, std::string_view client,
                                                 std::string_view event_name, std::string_view text,
                                                 const Variables& variables, Extent extent,
                                                 core::HookEvent& event);

/// How the reading of a payload's one object ended that was not left early: `complete` when only white space
/// is left, `truncated` when the text ends inside the JSON, else the error.
[[nodiscard]] base::Result<Reading> whole_or_truncated(base::JsonReader& in, std::string_view text,
                                                       base::Status status);

/// Calls `read` with the text, and a second time with the lone halves of characters replaced when that is
/// what it failed at.
[[nodiscard]] base::Result<Reading> read_tolerant(
    std::string_view text, const std::function<base::Result<Reading>(std::string_view)>& read);

/// Reads an object if one stands there, and passes over anything else (a tool's input or response may be a
/// text or a list).
[[nodiscard]] base::Status object_or_skip(base::JsonReader& in,
                                          const std::function<base::Status(std::string_view key)>& field);

/// A text, or null, which leaves `value` empty.
[[nodiscard]] base::Status read_text(base::JsonReader& in, std::string& value);
/// true, false, or null, which counts as false.
[[nodiscard]] base::Status read_flag(base::JsonReader& in, bool& value);

/// A read_other of clients with no more than "stop_hook_active" (the client goes on because a hook sent it
/// back).
[[nodiscard]] base::Result<bool> read_stop_flag(std::string_view key, Call& call);

/// Takes the value as text if it is one; anything else is passed over and changes nothing.
[[nodiscard]] base::Status text_or_skip(base::JsonReader& in, std::string& value);

/// A number of things, rounded; anything but a number from 0 to 2^53 is passed over and changes nothing.
[[nodiscard]] base::Status count_or_skip(base::JsonReader& in, std::optional<std::int64_t>& value);

using base::one_of;

/// A path against the folder it is relative to. Nothing is looked up or shortened.
std::string resolved(std::string_view path, std::string_view folder);

/// The first of the variables that is set and not empty; empty when none is.
std::string first_set(const Variables& variables, std::initializer_list<const char*> names);

}  // namespace plankeep::clients
