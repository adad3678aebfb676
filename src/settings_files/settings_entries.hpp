#pragma once
// Which parts of a settings file are ours. Private to this room.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "settings_files/json_edit.hpp"
#include "settings_files/json_tree.hpp"
#include "settings_files/settings_format.hpp"

namespace plankeep::clients {

inline constexpr std::string_view kHooksKey = "hooks";
inline constexpr std::string_view kStatusLineKey = "statusLine";
inline constexpr std::string_view kVersionKey = "version";
inline constexpr std::string_view kCommandKey = "command";
inline constexpr std::string_view kMatcherKey = "matcher";

/// The words of a command of ours; empty when it is somebody else's. `verb`: "hook" or "statusline".
std::vector<std::string> words_of_ours(const SettingsFormat& format, std::string_view verb,
                                       std::string_view command);

struct OurHook {
  JsonPath list;   // the event's array
  JsonPath group;  // what holds the matcher; the same as `hook` where the layout is flat
  JsonPath hook;
  std::string event;
  std::string command;
  bool alone = true;     // nobody else's hook stands in the group
  bool by_hand = false;  // the command says more than we ever write: other arguments, "|| true"
};
std::vector<OurHook> find_our_hooks(const SettingsFormat& format, const JsonNode& root);

/// The position of a member.
std::optional<std::size_t> index_of(const JsonNode& object, std::string_view key);

struct StatusLine {
  std::string command;
  bool ours = false;
  std::string program;              // when it is ours
  std::optional<std::string> then;  // the one that ours calls
  bool by_hand = false;             // as OurHook::by_hand
};
/// nullopt when there is none. Another kind of status line than a command has an empty command.
std::optional<StatusLine> find_status_line(const SettingsFormat& format, const JsonNode& root);

/// What the file says apart from us: the tree without our hooks and what they leave empty, without empty
/// lists of hooks, and with the status line that ours calls.
JsonNode without_ours(const SettingsFormat& format, JsonNode root,
                      const std::optional<std::string>& hidden_status_line);

}  // namespace plankeep::clients
