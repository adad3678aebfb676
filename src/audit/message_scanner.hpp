#pragma once
// Reads the characters of a unit into tokens: the first half of message_tokens, for it alone.
//
// Marks of Markdown are read in message_scanner.cpp, words and ids in message_words.cpp. Nothing is looked
// for twice: what is not found once (the end of a comment, a closing run of backticks) is remembered as
// missing.

#include <array>
#include <cstddef>
#include <string>
#include <string_view>

#include "audit/message_tokens.hpp"
#include "base/utf8.hpp"

namespace plankeep::core {

inline constexpr std::size_t kTickLengths = 8;    // longer runs of backticks are no code spans here
inline constexpr std::size_t kIdListBytes = 200;  // of a code span or path that may be a list of ids

class Scanner {
 public:
  /// `code`: the text stands in a code span.
  Scanner(std::string_view text, std::size_t line, const TaskNames& names, bool code = false)
      : text_(text), line_(line), names_(names), code_(code) {}

  UnitTokens run();

 private:
  using Kind = Token::Kind;

  Token& emit(Kind kind);

  std::string_view rest() const { return text_.substr(at_); }
  char ahead(std::size_t by) const { return at_ + by < text_.size() ? text_[at_ + by] : '\0'; }

  void step();
  void take_symbol(char32_t value);
  void take_stop();
  void take_colon();
  void take_tilde();
  /// "~~T1~~ ✅", "~~T1~~ done": struck out of the list of what is to do.
  bool struck_as_done(std::size_t behind) const;
  void take_bracket();
  void take_tag();
  void take_marker(std::string_view inside);
  void take_code();
  void take_code_text(std::string_view inside);

  /// "/usr/T1", "./T1", "~/T1", "@T1", "\T1" where no word goes before.
  bool starts_path(char32_t value) const;
  bool possessive_behind(std::size_t end) const;

  /// Where the run of such characters that starts here ends.
  template <class Part>
  std::size_t run_end(std::size_t from, Part part) const {
    while (from < text_.size()) {
      const base::CodePoint point = base::decode_at(text_, from);
      if (!point.valid || !part(point.value)) break;
      from += point.length;
    }
    return from;
  }

  void take_run(char32_t first);

  static std::string_view trim_run(std::string_view run);

  /// Addresses, paths, several ids between slashes. False when the chunk is to be read word by word.
  bool take_chunk(std::string_view chunk);
  void take_word(std::string_view run, const TaskNames::Entry* entry);
  void take_phrases();
  void take_latin(std::string_view run);

  /// "TASK_COMPLETE: T1": a label in the spelling of machines is read as its words.
  bool take_label(std::string_view run, std::string_view lower);

  /// A word behind which at_ already stands.
  void take_plain(std::string lower, bool name);

  /// Where "60%" or "60 %" ends, if its number ends at `end`; 0: no percent sign follows.
  std::size_t percent_end(std::size_t end) const;
  /// The same for a number that at_ stands behind.
  void take_percent(Token& token);
  /// "1.1 %" is no task 1.1. False when the run is no percentage.
  bool take_percentage(std::string_view run);

  /// "2/3"; at_ stands behind it.
  bool take_fraction(std::string_view chunk);

  bool strong_at(std::size_t from, std::size_t to) const;

  /// "T001-T004", "T001-4", "T001..T004".
  bool take_range(std::string_view run);

  std::string_view text_;
  std::size_t at_ = 0;
  std::size_t line_;
  const TaskNames& names_;
  bool code_;
  UnitTokens out_;
  std::size_t chunk_end_ = 0;
  std::size_t run_end_ = 0;
  std::size_t link_open_ = static_cast<std::size_t>(-1);
  bool no_strike_ = false;
  std::size_t strike_end_ = static_cast<std::size_t>(-1);
  bool no_comment_ = false;
  std::array<bool, kTickLengths> no_code_{};
};

}  // namespace plankeep::core
