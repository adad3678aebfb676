#include "session_rules/line_changes.hpp"

#include <map>
#include <set>
#include <unordered_map>

#include "merge/line_merge.hpp"

namespace plankeep::core {
namespace {

constexpr std::size_t kLookedAt = 8000;

using LineNumbers = std::unordered_map<std::string_view, LineSymbol>;

std::vector<LineSymbol> numbered(const std::vector<std::string_view>& lines, LineNumbers& known) {
  std::vector<LineSymbol> symbols;
  symbols.reserve(lines.size());
  for (const std::string_view line : lines)
    symbols.push_back(known.try_emplace(line, static_cast<LineSymbol>(known.size())).first->second);
  return symbols;
}

}  // namespace

bool is_binary_text(std::string_view text) {
  return text.substr(0, kLookedAt).find('\0') != std::string_view::npos;
}

std::vector<std::string_view> text_lines(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t feed = text.find('\n');
    const std::size_t end = feed == std::string_view::npos ? text.size() : feed + 1;
    lines.push_back(text.substr(0, end));
    text.remove_prefix(end);
  }
  return lines;
}

LineChanges line_changes(std::string_view before, std::string_view after) {
  if (before == after || is_binary_text(before) || is_binary_text(after)) return {};
  LineNumbers known;
  const std::vector<LineSymbol> a = numbered(text_lines(before), known);
  const std::vector<LineSymbol> b = numbered(text_lines(after), known);
  const std::size_t same = common_lines(a, b);
  return {static_cast<std::int64_t>(b.size() - same), static_cast<std::int64_t>(a.size() - same)};
}

std::vector<std::string_view> added_lines(std::string_view before, std::string_view after) {
  std::vector<std::string_view> added;
  if (before == after || is_binary_text(before) || is_binary_text(after)) return added;
  const std::vector<std::string_view> lines = text_lines(after);
  LineNumbers known;
  const std::vector<LineSymbol> a = numbered(text_lines(before), known);
  const std::vector<LineSymbol> b = numbered(lines, known);
  const std::vector<std::size_t> partner = match_lines(b, a);
  for (std::size_t i = 0; i < lines.size(); ++i)
    if (partner[i] == kNoLine) added.push_back(lines[i]);
  return added;
}

std::string without_lines_left_out(std::string_view snapshot, std::string_view parent,
                                   std::string_view commit, std::string_view behind) {
  const auto without_feed = [](std::string_view line) {
    return line.substr(0, line.find_last_not_of("\r\n") + 1);
  };
  std::map<std::string_view, std::size_t> left;
  for (const std::string_view line : added_lines(commit, behind)) ++left[without_feed(line)];
  std::set<const char*> of_session;  // where lines begin that the parent has not
  if (!left.empty())
    for (const std::string_view line : added_lines(parent, snapshot)) of_session.insert(line.data());
  std::string kept;
  if (of_session.empty()) return kept.append(snapshot);
  std::size_t from = 0;
  for (const std::string_view line : added_lines(commit, snapshot)) {
    const auto known = left.find(without_feed(line));
    if (known == left.end() || known->second == 0 || !of_session.contains(line.data())) continue;
    --known->second;
    const auto at = static_cast<std::size_t>(line.data() - snapshot.data());
    kept.append(snapshot.substr(from, at - from));
    from = at + line.size();
  }
  return kept.append(snapshot.substr(from));
}

}  // namespace plankeep::core
