#include "rules/edits/edited_lines.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "base/text.hpp"
#include "rules/match.hpp"

namespace plankeep::core {
namespace {

// Pairs of lines that are compared for their likeness: more are not looked at.
constexpr std::size_t kMostCompared = 2500;

// What is compared to find where edits stand: more is not looked at.
constexpr std::size_t kMostPlaces = 100000;
constexpr std::size_t kMostWidened = std::size_t{32} << 20;    // bytes
constexpr std::size_t kMostSearched = std::size_t{256} << 20;  // bytes

constexpr std::string_view kBlank = " \t\r";

std::string_view without_bullet(std::string_view line) {
  const std::size_t begin = line.find_first_not_of(" \t\r>");
  if (begin == std::string_view::npos) return {};
  line.remove_prefix(begin);
  std::size_t mark = line.find_first_not_of("0123456789");
  if (mark == std::string_view::npos) return line;
  const bool numbered = mark > 0 && (line[mark] == '.' || line[mark] == ')');
  const bool bullet = mark == 0 && (line[0] == '-' || line[0] == '*' || line[0] == '+');
  if (!numbered && !bullet) return line;
  const std::size_t text = line.find_first_not_of(kBlank, mark + 1);
  if (text == mark + 1) return line;  // no white space: not a list item
  return text == std::string_view::npos ? std::string_view() : line.substr(text);
}

std::string normal(std::string_view line) {
  line = without_bullet(line);
  std::string text;
  text.reserve(line.size());
  bool gap = false;
  for (const char c : line) {
    if (kBlank.find(c) != std::string_view::npos) {
      gap = true;
      continue;
    }
    if (gap && !text.empty()) text += ' ';
    gap = false;
    text += c;
  }
  return text;
}

template <class Take>
void each_line(std::string_view text, Take take) {
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    take(text.substr(begin, end - begin));
    begin = end + 1;
  }
}

// A line with a ticked box, normal, with another character in the box; empty when it has none.
std::string with_box(std::string_view line, char character) {
  for (const std::string_view box : {"[x]", "[X]"}) {
    const std::size_t at = line.find(box);
    if (at == std::string_view::npos) continue;
    std::string other(line);
    other[at + 1] = character;
    return other;
  }
  return {};
}

// Whether the box that such a line begins with is ticked; nullopt: it begins with none.
std::optional<bool> box_of(std::string_view plain) {
  if (plain.size() < 3 || plain[0] != '[' || plain[2] != ']') return std::nullopt;
  return plain[1] == 'x' || plain[1] == 'X';
}

// What is behind the box of a line that begins with one.
std::string_view behind_box(std::string_view plain) {
  return base::trimmed(plain.substr(3));
}

// A line by its words alone, whatever its box; empty when it begins with none.
std::string without_state(std::string_view plain) {
  if (!box_of(plain)) return {};
  std::string words(plain);
  words[1] = ' ';
  return words;
}

// The edit as one of whole lines, in a file that holds what it replaces once, or is to be changed wherever
// it stands; `file` is afterwards what the edit made of it. nullopt: it cannot be told where it was made.
std::optional<TextEdit> widened(const TextEdit& edit, std::string& file) {
  if (edit.before.empty() || edit.before == edit.after) return std::nullopt;
  const std::size_t at = file.find(edit.before);
  if (at == std::string::npos) return std::nullopt;
  if (edit.everywhere) {
    std::string changed;
    std::size_t from = 0;
    for (std::size_t next = at; next != std::string::npos; next = file.find(edit.before, from)) {
      changed.append(file, from, next - from).append(edit.after);
      from = next + edit.before.size();
    }
    changed.append(file, from);
    TextEdit whole{std::move(file), changed, {}, true};
    file = std::move(changed);
    return whole;
  }
  if (file.find(edit.before, at + 1) != std::string::npos) return std::nullopt;
  const std::size_t from = at == 0 ? 0 : file.rfind('\n', at - 1) + 1;  // npos + 1 is 0
  const std::size_t behind = at + edit.before.size();
  const std::size_t to = std::min(file.find('\n', behind), file.size());
  TextEdit lines{file.substr(from, to - from), {}, {}, false};
  lines.after.append(file, from, at - from).append(edit.after).append(file, behind, to - behind);
  file.replace(at, edit.before.size(), edit.after);
  return lines;
}

bool in_word(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte >= 0x80 || c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') ||
         (c >= 'A' && c <= 'Z');
}

// Where the text stands in another one; nullopt: too often to be told apart by it.
std::optional<std::vector<std::pair<std::size_t, std::size_t>>> ranges_of(std::string_view part,
                                                                          std::string_view text) {
  constexpr std::size_t kMostRanges = 1000;
  std::vector<std::pair<std::size_t, std::size_t>> ranges;
  if (part.empty()) return ranges;
  for (std::size_t at = text.find(part); at != std::string_view::npos; at = text.find(part, at + 1)) {
    if (ranges.size() == kMostRanges) return std::nullopt;
    ranges.emplace_back(at, at + part.size());
  }
  return ranges;
}

// How well a place fits what an edit wrote.
constexpr int kPartOfWord = 1;
constexpr int kPart = 2;
constexpr int kWholeLine = 3;

}  // namespace

// Which of the lines had their box before in other words: pairs them with the lines that are left of the text
// before, the most alike first. In doubt it had.
void EditedLines::find_kept(std::vector<Fresh>& fresh,
                            const std::unordered_map<std::string, std::size_t>& left) const {
  std::vector<std::string_view> olds;
  for (const auto& [line, count] : left) {
    if (box_of(line)) olds.insert(olds.end(), count, line);
  }
  std::sort(olds.begin(), olds.end());
  std::vector<std::size_t> news;
  for (std::size_t i = 0; i < fresh.size(); ++i) {
    if (!fresh[i].known && box_of(fresh[i].plain)) news.push_back(i);
  }
  if (olds.empty() || news.empty()) return;
  if (news.size() > kMostCompared / olds.size()) {
    for (const std::size_t i : news) fresh[i].kept = true;
    return;
  }
  struct Pair {
    double likeness;
    bool same;  // box
    std::size_t fresh;
    std::size_t old;
  };
  std::vector<Pair> pairs;
  for (const std::size_t i : news) {
    for (std::size_t o = 0; o < olds.size(); ++o) {
      const bool same = box_of(olds[o]) == box_of(fresh[i].plain);
      pairs.push_back({similarity(behind_box(olds[o]), behind_box(fresh[i].plain)), same, i, o});
    }
  }
  std::stable_sort(pairs.begin(), pairs.end(), [](const Pair& a, const Pair& b) {
    return a.likeness != b.likeness ? a.likeness > b.likeness : a.same && !b.same;
  });
  std::vector<char> taken(olds.size(), 0);
  for (const Pair& pair : pairs) {
    Fresh& line = fresh[pair.fresh];
    if (line.known || taken[pair.old] != 0) continue;
    line.known = true;
    taken[pair.old] = 1;
    // What an earlier edit of the same call ticked, and this one rewords, is a tick of that call.
    line.kept = pair.same && !set_.contains(std::string(olds[pair.old]));
  }
}

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  each_line(text, [&lines](std::string_view line) { lines.push_back(line); });
  return lines;
}

EditedLines::Written EditedLines::written(const TextEdit& edit, bool parts) {
  std::unordered_map<std::string, std::size_t> left;
  if (!edit.before.empty()) {
    each_line(edit.before, [&left](std::string_view line) { ++left[normal(line)]; });
  }
  const auto take = [&left](const std::string& plain) {
    const auto old = plain.empty() ? left.end() : left.find(plain);
    if (old == left.end() || old->second == 0) return false;
    --old->second;
    return true;
  };
  const std::string_view after = edit.after;
  std::vector<Fresh> fresh;
  each_line(after, [&](std::string_view line) {
    std::string plain = normal(line);
    if (plain.empty() || take(plain)) return;
    Fresh& one = fresh.emplace_back();
    one.plain = std::move(plain);
    one.blind = edit.before.empty();
    // Only the first and the last line can be parts of lines.
    one.begins = line.data() != after.data();
    one.ends = line.data() + line.size() != after.data() + after.size();
    const bool part = parts && (!one.begins || !one.ends) && edit.before != edit.after;
    if (part && line.find('[') != std::string_view::npos) one.part = line;
  });
  for (Fresh& line : fresh) {
    const auto had = [&](char character) { return take(with_box(line.plain, character)); };
    line.ticked = had(' ') || had('~') || had('/') || had('-');
    line.known = line.ticked;
  }
  find_kept(fresh, left);
  Written made;
  std::unordered_map<std::string, std::size_t> known;
  for (Fresh& line : fresh) {
    lines_.insert(line.plain);
    if (!line.kept) set_.insert(line.plain);
    const auto [same, first] = known.emplace(line.plain, made.lines.size());
    if (first || !line.part.empty()) {
      made.lines.push_back(std::move(line));
      continue;
    }
    Fresh& one = made.lines[same->second];
    ++one.count;
    one.ticked = one.ticked || line.ticked;
    one.kept = one.kept && line.kept;
  }
  made.text = edit.after;
  return made;
}

EditedLines::EditedLines(std::span<const TextEdit> edits) {
  std::string file;
  std::size_t cost = 0;
  for (const TextEdit& edit : edits) {
    if (!edit.file.empty()) file = edit.file;
    if (file_.empty()) file_ = file;
    Group& group = groups_.emplace_back();
    group.everywhere = edit.everywhere;
    if (file.empty() || edit.before == file) {
      group.told = written(edit, true);
      file.clear();
      continue;
    }
    cost += file.size();
    const auto whole = cost > kMostWidened ? std::nullopt : widened(edit, file);
    if (whole) {
      group.whole = written(*whole, false);
    } else {
      file.clear();
    }
    group.told = written(edit, true);
  }
}

bool EditedLines::wrote_line(std::string_view line) const {
  return lines_.contains(normal(line));
}

EditedBoxes::EditedBoxes(const EditedLines& lines, std::string_view text) : text_(text) {
  read(text);
  if (!lines.file_.empty()) find_stood(lines.file_);
  for (const EditedLines::Group& group : lines.groups_) {
    if (!find(group.whole, group.everywhere)) find(group.told, group.everywhere);
  }
  std::stable_sort(places_.begin(), places_.end(),
                   [](const Place& a, const Place& b) { return a.line < b.line; });
}

void EditedBoxes::read(std::string_view text) {
  each_line(text, [&](std::string_view line) {
    if (line.find('[') == std::string_view::npos) return;
    const auto begin = static_cast<std::size_t>(line.data() - text.data());
    lines_.push_back({begin, begin + line.size(), normal(line)});
  });
  by_plain_.reserve(lines_.size());
  for (std::size_t i = 0; i < lines_.size(); ++i) by_plain_.emplace(lines_[i].plain, i);
}

// Of lines with the same words the first is the first, where there are as many as there were.
void EditedBoxes::find_stood(std::string_view file) {
  std::unordered_map<std::string, std::vector<bool>> before;
  each_line(file, [&before](std::string_view line) {
    if (line.find('[') == std::string_view::npos) return;
    const std::string plain = normal(line);
    if (std::string words = without_state(plain); !words.empty())
      before[std::move(words)].push_back(*box_of(plain));
  });
  std::unordered_map<std::string, std::vector<std::size_t>> now;
  for (std::size_t i = 0; i < lines_.size(); ++i) {
    if (std::string words = without_state(lines_[i].plain); !words.empty())
      now[std::move(words)].push_back(i);
  }
  for (const auto& [words, places] : now) {
    const auto known = before.find(words);
    if (known == before.end()) continue;
    const std::vector<bool>& stood = known->second;
    for (std::size_t i = 0; i < places.size(); ++i) {
      Line& line = lines_[places[i]];
      const bool box = *box_of(line.plain);
      line.stood = stood.size() == places.size()
                       ? stood[i] == box
                       : std::all_of(stood.begin(), stood.end(), [box](bool was) { return was == box; });
    }
  }
}

// Whether any of the lines stands in the text.
bool EditedBoxes::find(const EditedLines::Written& written, bool everywhere) {
  searched_ += text_.size();
  if (written.lines.empty() || searched_ > kMostSearched) return false;
  auto ranges = everywhere ? std::nullopt : ranges_of(written.text, text_);
  if (ranges && ranges->empty()) ranges.reset();
  const std::size_t known = places_.size();
  for (const EditedLines::Fresh& fresh : written.lines) {
    std::vector<Place> found;
    const auto [from, to] = by_plain_.equal_range(fresh.plain);
    for (auto at = from; at != to && found.size() < kMostPlaces; ++at) {
      const Line& line = lines_[at->second];
      found.push_back({at->second, line.begin, line.end, &fresh, kWholeLine, everywhere});
    }
    if (!fresh.part.empty()) find_parts(fresh, found);
    for (Place& place : found) place.everywhere = everywhere;
    if (ranges) {
      std::erase_if(found, [&](const Place& place) {
        return std::none_of(ranges->begin(), ranges->end(), [&place](const auto& range) {
          return range.first < place.to && place.from < range.second;
        });
      });
    }
    add_best(found);
  }
  return places_.size() > known;
}

void EditedBoxes::find_parts(const EditedLines::Fresh& fresh, std::vector<Place>& found) const {
  const std::string_view part = fresh.part;
  for (std::size_t at = text_.find(part); at != std::string_view::npos && found.size() < kMostPlaces;
       at = text_.find(part, at + 1)) {
    const std::size_t to = at + part.size();
    const Line* line = line_at(at);
    if (line == nullptr || to > line->end) continue;
    const std::string_view before = text_.substr(line->begin, at - line->begin);
    const std::string_view behind = text_.substr(to, line->end - to);
    if (fresh.begins && !base::trimmed(before).empty()) continue;
    if (fresh.ends && !base::trimmed(behind).empty()) continue;
    const bool cuts = (!before.empty() && in_word(before.back()) && in_word(part.front())) ||
                      (!behind.empty() && in_word(behind.front()) && in_word(part.back()));
    found.push_back(
        {static_cast<std::size_t>(line - lines_.data()), at, to, &fresh, cuts ? kPartOfWord : kPart});
  }
}

void EditedBoxes::add_best(const std::vector<Place>& found) {
  int best = 0;
  for (const Place& place : found) best = std::max(best, place.fit);
  for (const Place& place : found) {
    if (places_.size() >= kMostPlaces) return;
    if (place.fit == best || place.everywhere) places_.push_back(place);
  }
}

const EditedBoxes::Line* EditedBoxes::line_at(std::size_t offset) const {
  const auto behind =
      std::upper_bound(lines_.begin(), lines_.end(), offset,
                       [](std::size_t place, const Line& line) { return place < line.begin; });
  if (behind == lines_.begin()) return nullptr;
  const Line& line = *std::prev(behind);
  return offset < line.end ? &line : nullptr;
}

template <class Is>
bool EditedBoxes::any(const std::vector<Box>& boxes, const Is& is) const {
  return std::any_of(boxes.begin(), boxes.end(), [&](const Box& box) {
    const Line* line = line_at(box.offset);
    if (line == nullptr) return false;
    const auto index = static_cast<std::size_t>(line - lines_.data());
    auto place = std::lower_bound(places_.begin(), places_.end(), index,
                                  [](const Place& known, std::size_t wanted) { return known.line < wanted; });
    for (; place != places_.end() && place->line == index; ++place) {
      if (place->from <= box.offset && box.offset < place->to && is(*place, *line)) return true;
    }
    return false;
  });
}

void EditedBoxes::settle(const std::vector<const std::vector<Box>*>& changed) {
  std::unordered_map<const EditedLines::Fresh*, std::size_t> meant;
  for (const std::vector<Box>* boxes : changed) {
    std::unordered_set<const EditedLines::Fresh*> by;
    (void)any(*boxes, [&by](const Place& place, const Line& line) {
      if (!line.stood && !place.everywhere) by.insert(place.fresh);
      return false;
    });
    for (const EditedLines::Fresh* fresh : by) ++meant[fresh];
  }
  for (Place& place : places_) {
    const auto count = meant.find(place.fresh);
    place.unclear = count != meant.end() && count->second > place.fresh->count;
  }
}

bool EditedBoxes::wrote(const std::vector<Box>& boxes) const {
  return any(boxes, [](const Place&, const Line&) { return true; });
}

bool EditedBoxes::ticked(const std::vector<Box>& boxes) const {
  return any(boxes, [](const Place& place, const Line& line) {
    return place.fresh->ticked && !place.unclear && !line.stood;
  });
}

bool EditedBoxes::set(const std::vector<Box>& boxes) const {
  return any(boxes, [](const Place& place, const Line& line) {
    return !place.fresh->kept && !place.unclear && !line.stood;
  });
}

bool EditedBoxes::set_knowingly(const std::vector<Box>& boxes) const {
  return any(boxes, [](const Place& place, const Line& line) {
    return !place.fresh->kept && !place.fresh->blind && !place.unclear && !line.stood;
  });
}

}  // namespace plankeep::core
