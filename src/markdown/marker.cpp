#include "markdown/marker.hpp"

#include <re2/re2.h>

#include <algorithm>
#include <array>
#include <optional>

#include "base/utf8.hpp"
#include "markdown/plain_marker.hpp"

namespace plankeep::markdown {
namespace {

constexpr std::array<std::string_view, 6> kKinds{"CHECKPOINT", "TASK",    "ACCEPT",
                                                 "DECISION",   "BLOCKER", "SKIP"};
constexpr std::string_view kSkip = "SKIP";
constexpr std::string_view kFullWidthComma = "\xEF\xBC\x8C";
constexpr std::string_view kIdeographicComma = "\xE3\x80\x81";

// Compiled at first use, and only for texts that plain_marker.hpp is not for. Latin1 matches bytes, which is
// what is wanted: the only characters beyond ASCII in the patterns are spelled out.
const RE2& header_pattern() {
  // One way to match only, so that RE2 takes its one-pass engine.
  static const RE2 pattern("([A-Za-z]+) ?(:|\xEF\xBC\x9A)?", RE2::Latin1);
  return pattern;
}

const RE2& attribute_pattern() {
  static const RE2 pattern("\\| ?([A-Za-z][A-Za-z0-9_-]*) ?(?:: |:$|\xEF\xBC\x9A ?)", RE2::Latin1);
  return pattern;
}

std::optional<MarkerHeader> find_header(std::string_view text, bool plain) {
  if (plain) return plain_header(text);
  re2::StringPiece match[3];
  const re2::StringPiece whole(text.data(), text.size());
  if (!header_pattern().Match(whole, 0, text.size(), RE2::ANCHOR_START, match, 3)) return std::nullopt;
  return MarkerHeader{match[1].size(), match[2].data() != nullptr, match[0].size()};
}

std::optional<MarkerAttribute> find_attribute(std::string_view value, std::size_t from, bool plain) {
  if (plain) return plain_attribute(value, from);
  re2::StringPiece match[2];
  const re2::StringPiece whole(value.data(), value.size());
  if (!attribute_pattern().Match(whole, from, value.size(), RE2::UNANCHORED, match, 2)) return std::nullopt;
  const auto begin = static_cast<std::size_t>(match[0].data() - value.data());
  return MarkerAttribute{begin, begin + match[0].size(), std::string_view(match[1].data(), match[1].size())};
}

std::string upper(std::string_view word) {
  std::string result(word);
  for (char& c : result) {
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  }
  return result;
}

// Optimal string alignment distance, cut off at `limit` + 1. Words of a few letters only.
int edit_distance(std::string_view a, std::string_view b, int limit) {
  const auto difference = static_cast<int>(a.size()) - static_cast<int>(b.size());
  if (std::abs(difference) > limit) return limit + 1;
  std::array<std::array<int, 16>, 16> d{};
  for (std::size_t i = 0; i <= a.size(); ++i) d[i][0] = static_cast<int>(i);
  for (std::size_t j = 0; j <= b.size(); ++j) d[0][j] = static_cast<int>(j);
  for (std::size_t i = 1; i <= a.size(); ++i) {
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const int change = a[i - 1] == b[j - 1] ? 0 : 1;
      d[i][j] = std::min({d[i - 1][j] + 1, d[i][j - 1] + 1, d[i - 1][j - 1] + change});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        d[i][j] = std::min(d[i][j], d[i - 2][j - 2] + 1);
      }
    }
  }
  return d[a.size()][b.size()];
}

std::string_view trim(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

// Bytes of the longest id that `text` begins with.
std::size_t id_length(std::string_view text) {
  std::size_t at = 0;
  while (at < text.size()) {
    const char c = text[at];
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
    if (plain || (at > 0 && (c == '-' || c == '.'))) {
      ++at;
      continue;
    }
    if (static_cast<unsigned char>(c) < 0x80) break;
    const base::CodePoint next = base::decode_at(text, at);
    if (!next.valid || !base::is_word_character(next.value)) break;
    at += next.length;
  }
  return at;
}

std::vector<std::string> split_list(std::string_view text) {
  std::vector<std::string> parts;
  std::string part;
  const auto flush = [&] {
    const std::string_view trimmed = trim(part);
    if (!trimmed.empty()) parts.emplace_back(trimmed);
    part.clear();
  };
  for (std::size_t at = 0; at < text.size();) {
    const std::string_view rest = text.substr(at);
    if (rest.front() == ',') {
      flush();
      ++at;
    } else if (rest.starts_with(kFullWidthComma) || rest.starts_with(kIdeographicComma)) {
      flush();
      at += 3;
    } else {
      part.push_back(rest.front());
      ++at;
    }
  }
  flush();
  return parts;
}

// `alone`: nothing follows the word.
void near_miss(std::string_view word, bool colon, bool alone, MarkerReading& reading) {
  if (word.size() > 12) return;
  const std::string capitals = upper(word);
  for (std::size_t k = 0; k < kKinds.size(); ++k) {
    const std::string_view kind = kKinds[k];
    std::string problem;
    if (capitals == kind) {
      const bool needs_no_colon = kind == kSkip && alone;
      if ((colon || needs_no_colon) && word != kind) {
        problem =
            "\"" + std::string(word) + "\" is not a marker: write the kind in capitals, " + std::string(kind);
      } else if (!colon && word == kind) {
        problem = "\"" + std::string(word) + "\" without a colon is not a marker";
      }
    } else if (colon && word == capitals) {
      const int allowed = kind.size() >= 8 ? 2 : 1;
      if (edit_distance(word, kind, allowed) <= allowed) {
        problem = "\"" + std::string(word) + "\" is not a marker; " + std::string(kind) + " is";
      }
    }
    if (problem.empty()) continue;
    reading.result = MarkerReading::Result::near_miss;
    reading.kind = static_cast<MarkerKind>(k);
    reading.problem = std::move(problem);
    return;
  }
}

// No bar can stand in an id or a list of ids, so every bar before a key ends one. A text may hold bars.
bool is_text(MarkerKind kind) {
  return kind == MarkerKind::decision || kind == MarkerKind::blocker;
}
bool is_text(std::string_view key) {
  return key == "verify" || key == "reason";
}

// Whether the bar of `found` ends the text in front of it. One with blanks around it and an unknown key is
// noted: it may have been meant to.
bool ends_text(std::string_view value, const MarkerAttribute& found, MarkerReading& reading) {
  const bool apart = (found.begin == 0 || value[found.begin - 1] == ' ') && value[found.begin + 1] == ' ';
  if (!apart) return false;
  if (is_text(found.key) || found.key == "after") return true;
  reading.keys_in_text.emplace_back(found.key);
  return false;
}

void apply_attribute(std::string_view key, std::string_view value, MarkerReading& reading) {
  if (value.empty()) reading.empty_attribute = true;
  if (reading.kind == MarkerKind::task && key == "after") {
    for (std::string& id : split_list(value)) reading.after.push_back(std::move(id));
  } else if (reading.kind == MarkerKind::accept && key == "verify") {
    reading.verify = value;
  } else if (reading.kind == MarkerKind::decision && key == "reason") {
    reading.reason = value;
  } else {
    reading.unknown_attributes.emplace_back(key);
  }
}

void read_value(std::string_view value, bool plain, MarkerReading& reading) {
  std::string_view head = value;
  if (value.find('|') != std::string_view::npos) {
    std::optional<MarkerAttribute> open;
    bool text = is_text(reading.kind);
    std::size_t from = 0;
    while (const auto next = find_attribute(value, from, plain)) {
      from = next->end;
      if (text && !ends_text(value, *next, reading)) {
        from = next->begin + 1;
        continue;
      }
      text = is_text(next->key);
      if (!open) {
        head = trim(value.substr(0, next->begin));
      } else {
        apply_attribute(open->key, trim(value.substr(open->end, next->begin - open->end)), reading);
      }
      open = next;
    }
    if (open) apply_attribute(open->key, trim(value.substr(open->end)), reading);
  }
  if (head.empty()) {
    reading.result = MarkerReading::Result::empty;
    return;
  }
  reading.result = MarkerReading::Result::marker;
  if (reading.kind == MarkerKind::decision || reading.kind == MarkerKind::blocker) {
    reading.text = head;
    return;
  }
  const std::size_t length = id_length(head);
  if (length == head.size() && length > kLongestId) {
    reading.result = MarkerReading::Result::malformed;
    reading.problem = "its id is longer than " + std::to_string(kLongestId) + " bytes";
    return;
  }
  if (length == head.size()) {
    reading.id = head;
    return;
  }
  reading.result = MarkerReading::Result::malformed;
  const std::string shown(head.substr(0, 40));
  if (length == 0) {
    reading.problem = "\"" + base::to_valid_utf8(shown) +
                      "\" is not a valid id: an id starts with a letter, digit or \"_\" and contains only "
                      "these, \"-\" and \".\"";
  } else {
    reading.problem = "\"" + base::to_valid_utf8(head.substr(0, length)) + "\" is followed by \"" +
                      base::to_valid_utf8(trim(head.substr(length)).substr(0, 40)) +
                      "\", which is not an attribute (\" | key: value\")";
  }
}

bool is_white_space(char c) {
  return c == ' ' || (c >= '\t' && c <= '\r');
}

std::string_view trim_blanks(std::string_view text) {
  while (!text.empty() && is_white_space(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_white_space(text.back())) text.remove_suffix(1);
  return text;
}

// fold_space without a copy where nothing has to be folded; else the copy is in `storage`.
std::string_view folded_view(std::string_view text, std::string& storage) {
  const std::string_view trimmed = trim_blanks(text);
  for (std::size_t at = 0; at < trimmed.size(); ++at) {
    if (!is_white_space(trimmed[at]) || (trimmed[at] == ' ' && !is_white_space(trimmed[at + 1]))) continue;
    storage = fold_space(trimmed);
    return storage;
  }
  return trimmed;
}

// `plain`: without RE2.
MarkerReading read_folded(std::string_view text, bool plain) {
  MarkerReading reading;
  const std::optional<MarkerHeader> header = find_header(text, plain);
  if (!header) return reading;
  const std::string_view word = text.substr(0, header->word);
  // "TASK-x" or "TASKs" run on: without a colon a kind is a word of its own.
  if (!header->colon && word.size() < text.size() && text[word.size()] != ' ') return reading;
  const auto kind = std::find(kKinds.begin(), kKinds.end(), word);
  const bool alone = word.size() == text.size();
  if (kind == kKinds.end() || (!header->colon && (word != kSkip || !alone))) {
    near_miss(word, header->colon, alone, reading);
    return reading;
  }
  reading.kind = static_cast<MarkerKind>(kind - kKinds.begin());
  const std::string_view value = trim(text.substr(header->length));
  if (reading.kind == MarkerKind::skip) {
    reading.result = MarkerReading::Result::marker;
    reading.text = base::to_valid_utf8(value);
    return reading;
  }
  if (base::find_invalid_utf8(value) == std::string_view::npos) {
    read_value(value, plain, reading);
  } else {
    read_value(base::to_valid_utf8(value), plain, reading);
  }
  return reading;
}

}  // namespace

std::string_view name_of(MarkerKind kind) {
  return kKinds[static_cast<std::size_t>(kind)];
}

bool is_id(std::string_view text) {
  return !text.empty() && text.size() <= kLongestId && id_length(text) == text.size();
}

std::string fold_space(std::string_view text) {
  text = trim_blanks(text);
  std::string result;
  result.reserve(text.size());
  std::size_t run = 0;  // start of what is taken over as it is
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (!is_white_space(text[at]) || (text[at] == ' ' && !is_white_space(text[at + 1]))) continue;
    result.append(text.substr(run, at - run));
    result.push_back(' ');
    while (is_white_space(text[at + 1])) ++at;  // the last one is none
    run = at + 1;
  }
  result.append(text.substr(run));
  return result;
}

MarkerReading read_marker(std::string_view inside) {
  std::string folded;
  const std::string_view text = folded_view(inside, folded);
  return read_folded(text, is_plain_marker(text));
}

MarkerReading read_marker_by_patterns(std::string_view inside) {
  return read_folded(fold_space(inside), false);
}

}  // namespace plankeep::markdown
