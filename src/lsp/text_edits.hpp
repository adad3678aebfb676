#pragma once
// One text into another as an editor does it: a few pieces that are replaced, so that cursors, folds and
// undo stay where they can. Pure.

#include <string>
#include <string_view>
#include <vector>

#include "lsp/text.hpp"

namespace plankeep::lsp {

struct TextEdit {
  Bytes part;  // of the text before
  std::string with;
  bool operator==(const TextEdit&) const = default;
};

/// In order, none touching another; empty when the texts are equal. No edit begins or ends inside a
/// character or between CR and LF.
std::vector<TextEdit> edits_between(std::string_view before, std::string_view after);

/// `before` with the edits made.
std::string with_edits(std::string_view before, const std::vector<TextEdit>& edits);

}  // namespace plankeep::lsp
