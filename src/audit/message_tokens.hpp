#pragma once
// The text of one unit of a message as a row of tokens: words with what they stand for, the ids of tasks,
// ticks, punctuation. Marks of Markdown are gone; code, addresses and paths are opaque.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "audit/message_lines.hpp"
#include "audit/task_names.hpp"
#include "audit/words/assertion_words.hpp"

namespace plankeep::core {

struct Token {
  enum class Kind {
    word,
    id,  // tasks, or an unknown id
    comma,
    semicolon,
    colon,
    dash,
    open,
    close,
    quote,
    stop,
    question,
    line_break,
    good,
    bad,
    command,    // "plankeep done T001"
    exception,  // a task that is left out of what its sentence says
    opaque,     // code, a path, an address
    other,
  };

  Kind kind = Kind::other;
  WordClass classes = 0;
  bool unknown = false;     // id: has the shape of one, is none
  bool code = false;        // stands in a code span
  bool possessive = false;  // "T1's"
  bool title = false;       // id: the task's title in words
  bool titled = false;      // id: its title stands behind it, and is taken up
  bool phase = false;       // id: a whole phase
  bool every = false;       // id: "all tasks", whatever that means in this message
  bool own = false;         // id: "the task", the only one that was assigned
  bool loose = false;       // id: a word that only its place makes one: "Setup is done"
  bool chosen = false;      // id: which of several is meant was said
  bool erased = false;      // taken up by another token
  bool strong = false;      // a word that is bold as a whole
  bool capital = false;     // a word that begins with a capital letter
  bool share = false;       // "60 %", "2 of 3"
  std::uint32_t whole = 0;  // share: 100, 3
  std::uint32_t part = 0;   // share: 60, 2; every: so many ("both tasks"), 0: not said
  TaskSet tasks;
  const TaskNames::Entry* entry = nullptr;  // word: it may be this id
  std::string text;                         // word: lower case; id: as written
  std::size_t line = 1;

  bool is(WordClass wanted) const { return (classes & wanted) != 0; }
};

inline bool is(const std::vector<Token>& tokens, std::size_t i, Token::Kind kind) {
  return i < tokens.size() && tokens[i].kind == kind;
}
inline bool is(const std::vector<Token>& tokens, std::size_t i, WordClass classes) {
  return i < tokens.size() && tokens[i].is(classes);
}

struct UnitTokens {
  std::vector<Token> tokens;
  std::vector<TaskSet> markers;  // of TASK markers in comments
};

/// Of a unit's text; `line` is where it starts.
UnitTokens tokens_of(std::string_view text, std::size_t line, const TaskNames& names);

/// Joins words that mean something only together, and finds shares.
void join_tokens(std::vector<Token>& tokens);

/// Makes the token a share; one that is not the whole says that something is open.
void set_share(Token& token, std::uint32_t part, std::uint32_t whole);

/// "all but T3": takes the marks of exceptions out of the row, which then says what it says of the rest.
void take_exceptions(std::vector<Token>& tokens, const TaskNames& names);

struct TitleMatch {
  std::size_t end = 0;  // behind its last token
  std::size_t words = 0;
  std::size_t bytes = 0;
  const TaskNames::Entry* entry = nullptr;  // none: no title starts there
};

/// The longest title of one task that starts at this token.
TitleMatch longest_title(const std::vector<Token>& tokens, const TaskNames& names, std::size_t from);

/// The same without its verb: "config loader" of "Add config loader". Two words at least.
TitleMatch longest_title_tail(const std::vector<Token>& tokens, const TaskNames& names, std::size_t from);

/// "all tasks except the end-to-end tests": titles behind such a word become ids, for take_exceptions.
void name_exceptions(std::vector<Token>& tokens, const TaskNames& names);

/// "Of phase 2 only T3 remains" says that the phase is done except T3, and is made to say so in these words.
void name_rest(std::vector<Token>& tokens, const TaskNames& names);

/// The steps of tokens_of that follow the reading of characters: which words are ids, titles, phases.
void name_tokens(std::vector<Token>& tokens, const TaskNames& names);

}  // namespace plankeep::core
