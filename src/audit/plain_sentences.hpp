#pragma once
// The sentences of a message as plain words, with the paths of files among them: what claimed_files and
// claimed_tests read. Quotations are left out (message_lines). For the audit alone.

#include <cstddef>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "audit/message_lines.hpp"

namespace plankeep::core {

struct PlainWord {
  enum class Kind {
    word,  // lower case; Chinese, Japanese and Korean: all letters up to the next mark
    path,  // as written
    code,  // any other code span, lower case
    mark,  // ',', ':', '(' or ')'; behind a path also '>', an arrow
  };
  Kind kind = Kind::word;
  std::string text;
  bool quoted = false;  // in quotation marks
};

struct PlainSentence {
  std::vector<PlainWord> words;
  MessageUnit::Kind unit = MessageUnit::Kind::text;
  bool label = false;     // heads what follows
  bool first = false;     // of its unit
  bool question = false;  // ends in a question mark
  bool open = false;      // of an item whose box is open
  std::size_t line = 1;
};

/// In their order, of the parts of the message that are read (audited_parts). Words of a sentence are cut at
/// 400.
std::vector<PlainSentence> plain_sentences(std::string_view message);

/// Reads like the path of a file that a project has: "src/a.ts", "Makefile", ".github/ci.yml". No address, no
/// pattern, nothing with ".." in it.
bool looks_like_path(std::string_view text);

/// Chinese, Japanese or Korean: the text is one word of PlainSentence, however long.
bool is_unspaced(std::string_view text);

bool contains_any(std::string_view text, std::initializer_list<std::string_view> parts);

}  // namespace plankeep::core
