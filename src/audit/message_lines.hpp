#pragma once
// A message written in Markdown, cut into the units that the claim audit judges one by one: headings, list
// items, rows of tables, lines of prose. Quotations are left out.
//
// This is no Markdown parser: what agents write is seldom exact Markdown, so lines are taken as a person
// reads them. A unit's text keeps its inline marks (bold, code spans, links) for message_tokens.

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace plankeep::core {

struct MessageUnit {
  enum class Kind { heading, item, text, row, rule, json };
  enum class Box { none, open, ticked };

  Kind kind = Kind::text;
  std::size_t line = 1;            // of the message, from 1, where the unit starts
  std::size_t indent = 0;          // columns before the list marker or the text
  int level = 0;                   // heading: 1..6
  bool label = false;              // a short line that ends in ":" or is bold as a whole: heads what follows
  bool fenced = false;             // a line of a fenced block that may be a report
  bool header = false;             // row: stands above a delimiter row
  bool after_blank = false;        // a blank line stands before it
  Box box = Box::none;             // item
  std::string number;              // item: of an ordered list
  std::string text;                // joined lines, '\n' between; row: empty; json: the values as written
  std::vector<std::string> cells;  // row
};

/// Which quotations are left in.
enum class Quotations { leave_out, only };

/// JSON objects, fenced or not: `apart`, each run of them is a unit of its own. `as_text`: as any other line.
enum class JsonLines { as_text, apart };

/// leave_out: everything but block quotes, indented code and fenced blocks (of which report-like ones stay,
/// marked `fenced`). only: the lines inside block quotes and fences, as if they stood in the message.
std::vector<MessageUnit> split_message(std::string_view message, Quotations quotations,
                                       JsonLines json = JsonLines::as_text);

struct MessagePart {
  std::string_view text;
  std::size_t lines_before = 0;
};

/// What is read of a message: all of it, or its first kAuditedHead and its last kAuditedTail bytes, cut at
/// the ends of lines. Each part is read by itself: what stood between them may end a list or a block.
std::vector<MessagePart> audited_parts(std::string_view message);

}  // namespace plankeep::core
