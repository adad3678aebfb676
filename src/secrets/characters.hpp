#pragma once
// Kinds of characters that the detectors know: ASCII only. Private to this room.

namespace plankeep::secrets {

constexpr bool is_lower(char c) {
  return c >= 'a' && c <= 'z';
}
constexpr bool is_upper(char c) {
  return c >= 'A' && c <= 'Z';
}
constexpr bool is_number(char c) {
  return c >= '0' && c <= '9';
}
constexpr bool is_letter_or_digit(char c) {
  return is_lower(c) || is_upper(c) || is_number(c);
}
/// What `\w` is to a pattern.
constexpr bool is_word(char c) {
  return is_letter_or_digit(c) || c == '_';
}
constexpr bool is_quote(char c) {
  return c == '"' || c == '\'' || c == '`';
}
constexpr char lower(char c) {
  return is_upper(c) ? static_cast<char>(c - 'A' + 'a') : c;
}

}  // namespace plankeep::secrets
