#pragma once
// UTF-8: decoding, checking, and what plankeep needs to know of characters. Tables: Unicode 14
// (unicode_data.cpp).
//
// Nothing here looks at a locale, so it behaves alike in a static program and on every machine.

#include <cstddef>
#include <string>
#include <string_view>

namespace plankeep::base {

/// One decoded character: its code point and how many bytes it took. An ill-formed byte is {0xFFFD, 1,
/// false}.
struct CodePoint {
  char32_t value = 0;
  std::size_t length = 0;
  bool valid = true;
};

/// decode_at for what does not begin with an ASCII character.
CodePoint decode_long_at(std::string_view text, std::size_t at);

/// The character at `at`, which must lie inside `text`. Follows RFC 3629: no surrogates, no overlong forms.
inline CodePoint decode_at(std::string_view text, std::size_t at) {
  const auto lead = static_cast<unsigned char>(text[at]);
  return lead < 0x80 ? CodePoint{lead, 1, true} : decode_long_at(text, at);
}

void append_utf8(std::string& text, char32_t value);

/// Offset of the first byte that is no part of a well-formed character; npos when there is none.
std::size_t find_invalid_utf8(std::string_view text);

/// The same text with every ill-formed byte as U+FFFD.
std::string to_valid_utf8(std::string_view text);

/// Text from strangers made safe for a terminal or a model: valid UTF-8 without control characters (C0 but
/// tab and line feed, which become spaces unless `keep_lines`; DEL; C1), without bidirectional embeddings,
/// overrides and isolates, and without the invisible tag characters U+E0000..E007F. U+2028 and U+2029 count
/// as line feeds. CSI and OSC sequences go whole; of any other, and of an unfinished one, only the harmless
/// letters stay.
std::string printable(std::string_view text, bool keep_lines = false);

/// Letters, marks and digits of any script (general categories L, M, N).
bool is_word_character(char32_t value);

/// White space as Unicode has it (White_Space), ASCII included.
bool is_space(char32_t value);

/// Simple lower case of one character.
char32_t to_lower(char32_t value);
std::string to_lower(std::string_view text);
/// Appends the lower case of `text`.
void append_lower(std::string& result, std::string_view text);

/// The first byte behind a run of ASCII that starts at `at`. Eight bytes at a time, as the next one: nearly
/// every text is ASCII.
std::size_t skip_ascii(std::string_view text, std::size_t at = 0);
/// Whether there is nothing but " " to "~" in it: then it takes a column for each byte.
bool is_printable_ascii(std::string_view text);
/// Whether it is that, with no space at either end and no two in a row.
bool is_single_spaced_ascii(std::string_view text);

/// Columns that the text takes on a terminal: 2 for East Asian wide and full-width characters and emoji, 0
/// for combining marks and joiners, 1 for the rest. A sequence joined by U+200D counts as its first emoji; a
/// flag (two regional indicators), an emoji with a skin tone and a character that U+FE0F makes an emoji
/// take 2.
std::size_t display_width(std::string_view text);

/// At most `columns` wide; a cut text ends in "…" (which counts). Never cuts inside a character or such a
/// sequence.
std::string fit_to_width(std::string_view text, std::size_t columns);

/// At most `bytes` long, cut at a character boundary, a cut text ending in "…" (3 bytes, which count); empty
/// when it has to be cut and not even that has room.
std::string fit_to_bytes(std::string_view text, std::size_t bytes);

}  // namespace plankeep::base
