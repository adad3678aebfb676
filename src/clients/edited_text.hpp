#pragma once
// What the tool call of a payload says it put in place of what: for whose tick it is (rules/attribution).
//
// Read after Client::read, and only for the few calls that wrote a plan: everybody else's texts are never
// looked at. All clients call the parts by one of a few names (seen in the recordings that the tests hold):
// an edit has old_string and new_string (oldString, old_str), a written file content or file_text, both with
// what stood in the file before in the response (originalFile, originalContent), and a patch is a text that
// begins with "*** Begin Patch". Cursor's afterFileEdit has a list of edits (from its documents).

#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "clients/client.hpp"
#include "rules/attribution.hpp"

namespace plankeep::clients {

/// `text`: the part of the payload that was read so far. If that is too little, returns `truncated` and does
/// not change `edits`. `ended`: nothing follows; if the text is incomplete, the edits found in it are
/// returned. `edits` is empty if the payload has none. Errors: corrupt (not JSON).
[[nodiscard]] base::Result<Reading> read_edits(std::string_view text, std::vector<core::TextEdit>& edits,
                                               bool ended = false);

/// The edits of a text in the format of the apply_patch tool, one for each file; lines of context are in
/// neither half.
std::vector<core::TextEdit> edits_in_patch(std::string_view patch);

}  // namespace plankeep::clients
