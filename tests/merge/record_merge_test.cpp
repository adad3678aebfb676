#include "merge/record_merge.hpp"

#include <catch2/catch.hpp>
#include <string>

using namespace plankeep::core;

namespace {

// A word is a line: "a1" is a task with the key of "a" and the text 1, "=x" prose, "#x" a phase's heading,
// "!x" another thing, "-x" one that is indented, "." a blank line, ">x" goes on with the line above.
std::vector<RecordLine> lines(const std::string& text) {
  std::vector<RecordLine> result;
  for (std::size_t at = 0; at < text.size();
       at = text.find(' ', at) == std::string::npos ? text.size() : text.find(' ', at) + 1) {
    const std::string word = text.substr(at, text.find(' ', at) - at);
    RecordLine line;
    for (const char c : word) line.symbol = line.symbol * 128 + static_cast<unsigned char>(c);
    line.kind = word[0] == '='   ? RecordLine::Kind::text
                : word[0] == '.' ? RecordLine::Kind::blank
                : word[0] == '>' ? RecordLine::Kind::rest
                                 : RecordLine::Kind::head;
    line.opens_phase = word[0] == '#';
    line.indent = word[0] == '-' ? 2 : 0;
    if (word[0] >= 'a') line.key = static_cast<std::uint32_t>(word[0]);
    result.push_back(line);
  }
  return result;
}

std::string part(const std::string& text, LineRange range) {
  std::string result;
  std::size_t number = 0;
  for (std::size_t at = 0; at < text.size(); ++number) {
    const std::size_t end = std::min(text.find(' ', at), text.size());
    if (number >= range.begin && number < range.end)
      result += (result.empty() ? "" : " ") + text.substr(at, end - at);
    at = end + 1;
  }
  return result;
}

std::string merged(const std::string& base, const std::string& ours, const std::string& theirs) {
  const auto pieces = merge_records(lines(base), lines(ours), lines(theirs));
  if (!pieces) return "no answer";
  std::string result;
  for (const MergePiece& piece : *pieces) {
    const std::string text = piece.kind == MergePiece::Kind::conflict
                                 ? "<" + part(ours, piece.ours) + "|" + part(theirs, piece.theirs) + ">"
                             : piece.kind == MergePiece::Kind::theirs ? part(theirs, piece.theirs)
                                                                      : part(ours, piece.ours);
    result += (result.empty() ? "" : " ") + text;
  }
  return result;
}

}  // namespace

TEST_CASE("each thing is merged by itself") {
  CHECK(merged("a1 b1", "a2 b1", "a1 b2") == "a2 b2");
  CHECK(merged("a1 b1", "b1", "a1 b2") == "b2");
  CHECK(merged("a1 >x b1", "a1 >y b1", "a1 >x b2") == "a1 >y b2");
}

TEST_CASE("a thing changed twice is a conflict, also when it was taken out on one side") {
  CHECK(merged("a1 b1", "a2 b1", "a3 b2") == "<a2|a3> b2");
  CHECK(merged("a1 b1", "b1", "a2 b2") == "<|a2> b2");
  CHECK(merged("a1 b1", "a2 b2", "b1") == "<a2|> b2");
  CHECK(merged("", "a1", "a2") == "<a1|a2>");
}

TEST_CASE("things put in on both sides are kept, ours first") {
  CHECK(merged("a1", "a1 b1", "a1 c1") == "a1 b1 c1");
  CHECK(merged("", "b1", "b1 c1") == "b1 c1");
  CHECK(merged("", "!x", "!y") == "!x !y");
}

TEST_CASE("steps of the task above come before its next neighbour, whichever side has them") {
  CHECK(merged("a1 b1", "a1 !x b1", "a1 -y b1") == "a1 -y !x b1");
  CHECK(merged("a1 b1", "a1 -y b1", "a1 !x b1") == "a1 -y !x b1");
  CHECK(merged("a1 b1", "a1 !x b1", "a1 -y !z -w b1") == "a1 -y !x !z -w b1");
  CHECK(merged("a1 b1", "a1 -x b1", "a1 -y b1") == "a1 -x -y b1");
  CHECK(merged("a1 b1", "a1 -x !y !z b1", "a1 -w b1") == "a1 -x -w !y !z b1");
  CHECK(merged("a1 b1", "a1 -w b1", "a1 -x !y !z b1") == "a1 -w -x !y !z b1");
  CHECK(merged("a1 #b", "a1 #x #b", "a1 -y #b") == "a1 -y #x #b");
}

TEST_CASE("what opens a phase comes behind what belongs to the one before") {
  CHECK(merged("a1", "a1 . #P b1", "a1 c1") == "a1 c1 . #P b1");
  CHECK(merged("a1", "a1 b1 #P c1", "a1 d1 #Q e1") == "a1 b1 d1 #P c1 #Q e1");
  // The blank line above a heading that both have is kept for each.
  CHECK(merged("a1", "a1 . #P b1", "a1 . #Q c1") == "a1 . #P b1 . #Q c1");
}

TEST_CASE("prose that both sides changed, and another order, are left to a person") {
  CHECK(merged("=x a1", "=y a1", "=z a2") == "no answer");
  CHECK(merged("=x a1", "=y a1", "=x a2") == "=y a2");
  CHECK(merged("!x a1", "!y a1", "!z a1") == "no answer");
  CHECK(merged("a1 b1", "b1 a1", "a2 b1") == "no answer");
  CHECK(merged("", "=x", "!y") == "no answer");
}
