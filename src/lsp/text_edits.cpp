#include "lsp/text_edits.hpp"

#include <algorithm>
#include <unordered_map>

#include "merge/line_merge.hpp"

namespace plankeep::lsp {
namespace {

// Lines with their line ends.
std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    std::size_t end = std::min(text.find_first_of("\r\n"), text.size());
    end = std::min(end + (text.substr(end, 2) == "\r\n" ? 2 : 1), text.size());
    lines.push_back(text.substr(0, end));
    text.remove_prefix(end);
  }
  return lines;
}

class Symbols {
 public:
  std::vector<core::LineSymbol> of(const std::vector<std::string_view>& lines) {
    std::vector<core::LineSymbol> symbols;
    symbols.reserve(lines.size());
    for (const std::string_view line : lines)
      symbols.push_back(known_.try_emplace(line, static_cast<core::LineSymbol>(known_.size())).first->second);
    return symbols;
  }

 private:
  std::unordered_map<std::string_view, core::LineSymbol> known_;
};

bool splits(std::string_view text, std::size_t at) {
  if (at == 0 || at >= text.size()) return false;
  const bool inside = (static_cast<unsigned char>(text[at]) & 0xC0U) == 0x80U;
  return inside || (text[at - 1] == '\r' && text[at] == '\n');
}

// The piece without what both have at their ends.
void add_piece(std::string_view before, std::size_t begin, std::size_t end, std::string_view with,
               std::vector<TextEdit>& edits) {
  const std::string_view old = before.substr(begin, end - begin);
  std::size_t head = static_cast<std::size_t>(
      std::mismatch(old.begin(), old.end(), with.begin(), with.end()).first - old.begin());
  while (head > 0 && (splits(old, head) || splits(with, head))) --head;
  const std::size_t most = std::min(old.size(), with.size()) - head;
  std::size_t tail = 0;
  while (tail < most && old[old.size() - 1 - tail] == with[with.size() - 1 - tail]) ++tail;
  while (tail > 0 && (splits(old, old.size() - tail) || splits(with, with.size() - tail))) --tail;
  edits.push_back({{begin + head, end - tail}, std::string(with.substr(head, with.size() - head - tail))});
}

}  // namespace

std::vector<TextEdit> edits_between(std::string_view before, std::string_view after) {
  std::vector<TextEdit> edits;
  if (before == after) return edits;
  const auto old = lines_of(before);
  const auto fresh = lines_of(after);
  Symbols symbols;
  const auto a = symbols.of(old);
  const auto b = symbols.of(fresh);
  const std::vector<std::size_t> partners = core::match_lines(a, b);
  const auto offset = [](std::string_view text, const std::vector<std::string_view>& lines,
                         std::size_t line) {
    return line < lines.size() ? static_cast<std::size_t>(lines[line].data() - text.data()) : text.size();
  };
  std::size_t i = 0;
  std::size_t j = 0;
  while (i < old.size() || j < fresh.size()) {
    if (i < old.size() && partners[i] == j) {
      ++i;
      ++j;
      continue;
    }
    const std::size_t from = i;
    while (i < old.size() && partners[i] == core::kNoLine) ++i;
    const std::size_t until = i < old.size() ? partners[i] : fresh.size();
    const std::size_t begin = offset(after, fresh, j);
    add_piece(before, offset(before, old, from), offset(before, old, i),
              after.substr(begin, offset(after, fresh, until) - begin), edits);
    j = until;
  }
  return edits;
}

std::string with_edits(std::string_view before, const std::vector<TextEdit>& edits) {
  std::string after;
  std::size_t at = 0;
  for (const TextEdit& edit : edits) {
    after.append(before.substr(at, edit.part.begin - at)).append(edit.with);
    at = edit.part.end;
  }
  return after.append(before.substr(at));
}

}  // namespace plankeep::lsp
