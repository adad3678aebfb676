#pragma once
// Text normalised for comparison, so that what somebody types is found in what somebody wrote. "é" may be one
// code point (NFC, as keyboards type it) or two (NFD, as macOS writes file names); both look the same.
//
// For comparison only: stored and printed text keeps its bytes.

#include <string>
#include <string_view>

namespace plankeep::base {

/// `text` with each letter and its marks composed into one code point, as in NFC: Latin, Greek, Cyrillic,
/// kana and Hangul. Marks that are not in canonical order, and invalid bytes, stay as they are.
std::string composed(std::string_view text);

/// composed() in lower case.
std::string search_text(std::string_view text);
/// Appends search_text(text) to `out`: saves an allocation a text.
void append_search_text(std::string& out, std::string_view text);

}  // namespace plankeep::base
