#pragma once
// What of a user's message a person typed. Private to clients/transcripts/*.cpp.

#include <initializer_list>
#include <string>
#include <string_view>

namespace plankeep::clients {

/// What stands between <name> and </name>.
inline std::string_view tagged_part(std::string_view text, const std::string& name) {
  const std::size_t begin = text.find("<" + name + ">");
  if (begin == std::string_view::npos) return {};
  text.remove_prefix(begin + name.size() + 2);
  return text.substr(0, text.find("</" + name + ">"));
}

/// A command as it was typed ("/review all"); empty for what the client says of itself: notifications,
/// outputs of local commands, reminders.
inline std::string typed_prompt(std::string_view text) {
  if (text.starts_with("<command-")) {
    const std::string_view name = tagged_part(text, "command-name");
    const std::string_view arguments = tagged_part(text, "command-args");
    return std::string(name) + (arguments.empty() ? "" : " ") + std::string(arguments);
  }
  for (const std::string_view own :
       {"<task-notification", "<local-command-", "<bash-", "<system-reminder", "[Request interrupted"}) {
    if (text.starts_with(own)) return {};
  }
  return std::string(text);
}

}  // namespace plankeep::clients
