#pragma once
// The names of those who act, as people and tools may give them (spec 9.6).

#include <string_view>

namespace plankeep::core {

inline constexpr std::string_view kActorForms = "main, external, person[:NAME], subagent:TYPE, team:ID";

/// "main", "external", "person", or "person:", "subagent:", "team:" with a name behind it: at most 64
/// characters, nothing that a terminal would act on, and white space in a person's name only.
bool is_actor(std::string_view text);

}  // namespace plankeep::core
