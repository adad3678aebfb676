#pragma once
// A new box in a plan (`plankeep add`), where a person would have put it and written as its neighbours are.
// Byte-exact for everything else, and checked like every edit (markdown/edits/edit_plan).

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "model/plan.hpp"

namespace plankeep::markdown {

struct NewItem {
  std::string title;                 // Markdown of one line
  std::optional<std::size_t> phase;  // index into the plan's; absent: that of `parent`, else the current one
  std::optional<std::size_t> heading{};  // index into Places::headings: one without boxes, instead of a phase
  core::TaskId parent;                   // a task of that phase; empty: none
  bool criterion = false;
  std::string id;                   // empty: from the title
  std::vector<core::TaskId> after;  // of a task
  std::string verify;               // of a criterion
  bool first = false;               // before its siblings, else behind them
};

struct AddedItem {
  std::string text;
  std::int64_t line = 1;  // of the new box, in `text`
};

/// The box goes behind the last one with the same parent in the phase, with the bullet, the indentation, the
/// blank lines and, where that one has a marker, the marker of that one; below a parent without children one
/// level deeper; behind the text of the last box, where boxes of the phase have text of their own below them;
/// into an empty phase, or a heading without boxes, below the heading; into a plan without phases at its end.
/// The numbers of an ordered list continue. So do ids in the text, if every sibling begins with one and the
/// title does not: "2.5" follows "2.4", and "T042" follows the greatest id in the plan. A marker is written
/// as well where `id`, `after` or `criterion` need one.
///
/// invalid_input: a title that is empty or holds "<!--" or "-->", an id that is none or that the plan has,
/// `verify` of a task, `after` of a criterion. not_found: no such parent. conflict: the new text would not
/// say what was asked for and nothing else.
[[nodiscard]] base::Result<AddedItem> add_item(std::string_view bytes, const core::Plan& plan,
                                               const NewItem& item);

}  // namespace plankeep::markdown
