#pragma once
// Byte-exact changes of a plan's text: everything but the change stays as it was, line ends, byte order mark,
// tabs and trailing blanks included (spec 7.11).
//
// Every edit is checked before it is given back: the new text is parsed again and must say what was asked for
// and nothing else. An edit that cannot be made so is refused as `conflict`, and the plan stays as it is.
//
// `plan` is always parse_plan(bytes) of these very bytes (ids may have been kept, rules/match).

#include <string>
#include <string_view>

#include "base/result.hpp"
#include "model/plan.hpp"

namespace plankeep::markdown {

/// Sets every box of `boxes` to "x", " " or "~". A box that says so already ("X") is left alone.
[[nodiscard]] base::Result<std::string> set_boxes(std::string_view bytes, const core::Plan& plan,
                                                  const std::vector<core::Box>& boxes, core::BoxState state);

/// Puts `<!-- DECISION: text | reason: reason -->` on a line of its own under the current phase (behind its
/// heading, marker and the decisions and blockers already there), with the line end the file uses; at the end
/// of the plan when there is no phase. White space is folded. invalid_input for a text that is empty or holds
/// "-->" or reads as an attribute (" | key: ").
[[nodiscard]] base::Result<std::string> add_decision(std::string_view bytes, const core::Plan& plan,
                                                     std::string_view text, std::string_view reason);
[[nodiscard]] base::Result<std::string> add_blocker(std::string_view bytes, const core::Plan& plan,
                                                    std::string_view text);

/// Takes out the marker of plan.blockers[index]; its whole line when nothing else stands there.
[[nodiscard]] base::Result<std::string> remove_blocker(std::string_view bytes, const core::Plan& plan,
                                                       std::size_t index);

}  // namespace plankeep::markdown
