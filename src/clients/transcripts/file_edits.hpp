#pragma once
// What a tool's call says it writes into files, from the arguments of the call.
//
// All clients call the parts by one of a few names (clients/edited_text): a path; an edit's old and new text,
// one of them or a list; a whole file's content; a patch in the format of the apply_patch tool.

#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "rules/attribution.hpp"

namespace plankeep::clients {

/// One replacement in one file.
struct FileEdit {
  std::string path;  // as the call has it: absolute or not
  core::TextEdit edit;
  bool whole_file = false;  // `after` is all of it; `before` what stood there, where that is known
  /// The file was deleted, or moved from or to this path: the call changed it, also if no text is told.
  bool relocated = false;
  bool operator==(const FileEdit&) const = default;
};

/// What the arguments say (JSON: an object, or a text that is a patch or holds an object). Empty: the call
/// writes no file, or does not say which or what.
std::vector<FileEdit> file_edits(std::string_view arguments);

/// Of a text in the format of the apply_patch tool, each file's part; lines of context are in both halves. A
/// file that is moved has one for each of its paths, the old one first.
std::vector<FileEdit> file_edits_in_patch(std::string_view patch);

/// What a call is about, in one line: its file, command, pattern, question; empty when none is told.
std::string call_subject(std::string_view arguments);

}  // namespace plankeep::clients
