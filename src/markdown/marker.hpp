#pragma once
// The text of one HTML comment, read as a marker (spec 7.1). Others than this room take the kinds,
// their names and is_id() from here.
//
// Grammar, after white space (line ends too) is folded to single blanks:
//   marker = KIND ":" value            KIND in capitals; ":" may be U+FF1A
//   value  = [id] [text] { "|" key ":" value }
// CHECKPOINT, TASK and ACCEPT: an id and nothing but attributes behind it. DECISION, BLOCKER: text. SKIP
// stands alone or has a colon and any text, maybe none, behind it; it knows no attributes. A bar
// cuts an attribute off only if a key and a colon follow it, and a blank or the end behind an ASCII colon:
// the bar of a shell pipe belongs to the value. In a text (a decision, a blocker, a command line, a reason)
// the bar also needs a blank on both sides, and the key must be one that some marker has:
// "make || echo: no" and "sed 's|a:b|c: d|'" are whole command lines.
//
// Near misses, so that a typing error does not lose work in silence: a kind in other letter case; a kind
// without its colon (of SKIP: with text behind it, or alone in other letter case); a word in capitals, with a
// colon, that is one edit (insert, drop, change, swap) away from a kind, two for the long CHECKPOINT and
// DECISION. "TODO:", "NOTE:" and prose are none.
//
// The grammar's two patterns are RE2's. They are compiled only when a comment holds a full-width colon; all
// others are matched by hand to the same result (plain_marker.hpp), because compiling costs more than the
// rest of reading an ordinary plan.

#include <string>
#include <string_view>
#include <vector>

namespace plankeep::markdown {

enum class MarkerKind { checkpoint, task, accept, decision, blocker, skip };

std::string_view name_of(MarkerKind kind);

struct MarkerReading {
  enum class Result {
    none,       // an ordinary comment
    marker,     // well-formed
    empty,      // a kind without a value
    malformed,  // a kind whose value cannot be read; `problem` says why
    near_miss,  // most likely meant as `kind`; `problem` says why it is not
  };
  Result result = Result::none;
  MarkerKind kind = MarkerKind::task;
  std::string id;                               // checkpoint, task, accept
  std::string text;                             // decision, blocker; the reason of a skip
  std::vector<std::string> after;               // task
  std::string verify;                           // accept
  std::string reason;                           // decision
  std::vector<std::string> unknown_attributes;  // left out
  std::vector<std::string> keys_in_text;        // look like unknown attributes, and stay in the text
  bool empty_attribute = false;
  std::string problem;

  bool operator==(const MarkerReading&) const = default;
};

/// `inside`: what stands between "<!--" and "-->". Everything that comes back is valid UTF-8.
MarkerReading read_marker(std::string_view inside);

/// The same, always by RE2: what read_marker is held to by the tests.
MarkerReading read_marker_by_patterns(std::string_view inside);

/// Whether all of `text` is an id as a marker may hold it.
bool is_id(std::string_view text);

/// Bytes of an id at most: it is repeated wherever something refers to it.
inline constexpr std::size_t kLongestId = 255;

/// White space runs as one blank, none at the ends.
std::string fold_space(std::string_view text);

}  // namespace plankeep::markdown
