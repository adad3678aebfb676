#pragma once
// Merge conflicts that git, or merge_plans, left in a plan: "<<<<<<<", "=======" and ">>>>>>>" in this order,
// each alone on its line but for a label, all of one length of at least seven. Pure.
//
// A Markdown parser takes the markers for parts of titles, and both halves for tasks. So a plan with a
// conflict is treated as unreadable (spec 6.5) until the conflict is resolved.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "markdown/source_text.hpp"
#include "model/plan.hpp"

namespace plankeep::markdown {

inline constexpr std::string_view kConflictOpening = "<<<<<<<";

/// Whether a conflict begins in this line. Lines count from 1.
bool opens_conflict(const SourceText& source, std::int64_t line);

/// The line of the end marker that belongs to the conflict that begins in `line`; nullopt: there is none
/// before the next one begins.
std::optional<std::int64_t> conflict_end(const SourceText& source, std::int64_t line);

/// Where the first conflict with all of its markers begins, of those that parse_plan reported for this text:
/// one in a code block is an example. nullopt: there is none. An opening marker by itself is only reported.
std::optional<std::int64_t> unresolved_conflict(const core::Plan& plan, std::string_view text);

/// What to do about it.
inline constexpr std::string_view kResolveConflict =
    "keep the right version and delete the lines with <<<<<<<, ======= and >>>>>>>";

inline constexpr std::string_view kUnresolved = " has an unresolved merge conflict in line ";

/// "plan.md has an unresolved merge conflict in line 5"
std::string unresolved_words(std::string_view file, std::int64_t line);

}  // namespace plankeep::markdown
