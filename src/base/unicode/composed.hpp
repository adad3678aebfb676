#pragma once
// How ids, titles and words are compared with what somebody typed or wrote. macOS writes "é" as two
// characters (NFD), keyboards write one (NFC), and both look the same.
//
// Only for comparing: what is stored and shown keeps its bytes.

#include <string>
#include <string_view>

namespace plankeep::base {

/// Letters with the common marks (Latin, Greek, Cyrillic, kana) and Hangul as one character each, as NFC has
/// them, where the text has them in their canonical order. Anything else as it is, invalid bytes too.
std::string composed(std::string_view text);

/// The same in lower case.
std::string search_text(std::string_view text);
/// The same behind what `out` has, which saves memory where many texts are looked at.
void append_search_text(std::string& out, std::string_view text);

}  // namespace plankeep::base
