#include "session_rules/session_activity.hpp"

#include <algorithm>
#include <charconv>
#include <map>

#include "model/session.hpp"
#include "model/sidecar.hpp"

namespace plankeep::core {
namespace {

constexpr std::size_t kLongestPath = 4096;
constexpr std::size_t kLongestClient = 64;

bool is_transcript(std::string_view path) {
  return path.starts_with('/') && path.size() <= kLongestPath && path.find('\0') == std::string_view::npos;
}

bool is_client_name(std::string_view text) {
  return !text.empty() && text.size() <= kLongestClient && std::all_of(text.begin(), text.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '_';
  });
}

std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '\\') {
      out += "\\\\";
    } else if (c == '\n') {
      out += "\\n";
    } else {
      out += c;
    }
  }
  return out;
}

// nullopt: a backslash stands before something that escaped() never puts there.
std::optional<std::string> unescaped(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\\') {
      out += text[i];
      continue;
    }
    if (++i == text.size() || (text[i] != '\\' && text[i] != 'n')) return std::nullopt;
    out += text[i] == 'n' ? '\n' : '\\';
  }
  return out;
}

template <class Number>
std::optional<Number> count_in(std::string_view text) {
  Number number = 0;
  const char* const last = text.data() + text.size();
  const auto [end, ec] = std::from_chars(text.data(), last, number);
  if (ec != std::errc{} || end != last || number < 0) return std::nullopt;
  return number;
}

std::string line_of(char kind, std::string_view value) {
  std::string line{kind, ' '};
  return line.append(value) += '\n';
}

std::uint64_t sum_left_out(std::uint64_t one, std::uint64_t other) {
  constexpr std::uint64_t kMost = 1'000'000'000;
  return std::min(std::min(one, kMost) + std::min(other, kMost), kMost);
}

std::optional<std::uint64_t> touches_in(std::string_view text) {
  constexpr std::uint64_t kMost = 1'000'000'000'000;
  const auto number = count_in<std::uint64_t>(text);
  return number && *number <= kMost ? number : std::nullopt;
}

std::string touches_line(std::uint64_t touches) {
  return line_of('N', std::to_string(touches));
}

char letter_of(Touch touch) {
  return touch == Touch::written ? 'w' : 'd';
}

class Folding {
 public:
  void add(std::string_view line) {
    if (line.size() < 3 || line[1] != ' ') return;
    const std::string_view value = line.substr(2);
    switch (line.front()) {
      case 'w':
      case 'd':
      case 'c':
        add_path(line.front(), value);
        return;
      case 'k':
        add_committed(value);
        return;
      case 'N':
        // What numbers are for never goes back.
        if (const auto touches = touches_in(value)) count_ = std::max(count_, *touches);
        return;
      case 'C':
        if (is_client_name(value)) activity_.client = value;
        return;
      case 'T':
        if (auto path = unescaped(value); path && is_transcript(*path)) activity_.transcript = *path;
        return;
      case 'P':
        add_prompt(value);
        return;
      case 'H':
        add_head(value);
        return;
      case 'O':
        add_position(value);
        return;
      case 'X':
        add_left_out(value);
        return;
      case 'K':
      case 'F':
        add_checkpoint(line.front(), value);
        return;
      case 'E':
        if (const auto time = count_in<std::int64_t>(value)) activity_.ended = base::Instant{*time};
        return;
      default:
        return;
    }
  }

  SessionActivity take() {
    activity_.paths.reserve(touched_.size());
    for (const auto& [path, last] : touched_) activity_.paths.push_back({path, last.touch, last.number});
    std::sort(activity_.paths.begin(), activity_.paths.end(),
              [](const TouchedPath& a, const TouchedPath& b) { return a.number < b.number; });
    activity_.touches = count_;
    return std::move(activity_);
  }

 private:
  struct LastTouch {
    std::uint64_t number = 0;
    Touch touch = Touch::written;
  };

  void add_path(char kind, std::string_view value) {
    auto path = unescaped(value);
    if (!path || !is_inner_path(*path)) return;
    if (kind == 'c') {
      touched_.erase(*path);
    } else {
      activity_.ended.reset();
      touched_[std::move(*path)] = {++count_, kind == 'w' ? Touch::written : Touch::deleted};
    }
  }
  void add_committed(std::string_view value) {
    const std::size_t space = value.find(' ');
    if (space == std::string_view::npos) return;
    const auto touches = touches_in(value.substr(0, space));
    const auto path = unescaped(value.substr(space + 1));
    if (!touches || !path) return;
    const auto found = touched_.find(*path);
    if (found != touched_.end() && found->second.number <= *touches) touched_.erase(found);
  }
  void add_prompt(std::string_view value) {
    const auto read = count_in<std::int64_t>(value);
    if (!read) return;
    const base::Instant time{*read};
    activity_.ended.reset();
    activity_.first_prompt = std::min(activity_.first_prompt.value_or(time), time);
    activity_.last_prompt = std::max(activity_.last_prompt.value_or(time), time);
  }
  void add_head(std::string_view value) {
    std::vector<std::string>& heads = activity_.heads;
    if (!is_commit_id(value) || (!heads.empty() && heads.back() == value)) return;
    heads.emplace_back(value);
    if (heads.size() <= kMostHeads) return;
    heads.erase(heads.begin() + 1);
    if (heads[0] == heads[1]) heads.erase(heads.begin() + 1);
  }
  void add_position(std::string_view value) {
    const std::size_t space = value.find(' ');
    if (space == std::string_view::npos) return;
    const auto lines = count_in<std::int64_t>(value.substr(0, space));
    const auto bytes = count_in<std::int64_t>(value.substr(space + 1));
    if (lines && bytes) activity_.linked = {*lines, *bytes};
  }
  void add_checkpoint(char kind, std::string_view value) {
    if (!session_id_kind(value)) return;
    std::vector<std::string>& unfinished = activity_.unfinished;
    std::erase(unfinished, value);
    if (kind == 'K') unfinished.emplace_back(value);
    if (unfinished.size() > kMostUnfinished) unfinished.erase(unfinished.begin());
  }
  void add_left_out(std::string_view value) {
    const auto read = count_in<std::uint64_t>(value);
    if (read) activity_.left_out = sum_left_out(activity_.left_out, *read);
  }

  SessionActivity activity_;
  std::map<std::string, LastTouch, std::less<>> touched_;
  std::uint64_t count_ = 0;
};

}  // namespace

bool is_inner_path(std::string_view path) {
  if (path.empty() || path.size() > kLongestPath || path.find('\0') != std::string_view::npos) return false;
  while (true) {
    const std::string_view part = path.substr(0, path.find('/'));
    if (part.empty() || part == "." || part == "..") return false;
    if (part.size() == path.size()) return true;
    path.remove_prefix(part.size() + 1);
  }
}

std::string touched_line(Touch touch, std::string_view path) {
  return is_inner_path(path) ? line_of(letter_of(touch), escaped(path)) : std::string();
}

std::string committed_line(std::uint64_t touches, std::string_view path) {
  return is_inner_path(path) ? line_of('k', std::to_string(touches) + " " + escaped(path)) : std::string();
}

std::string client_line(std::string_view client) {
  return is_client_name(client) ? line_of('C', client) : std::string();
}

std::string transcript_line(std::string_view path) {
  return is_transcript(path) ? line_of('T', escaped(path)) : std::string();
}

std::string prompt_line(base::Instant time) {
  return time.milliseconds >= 0 ? line_of('P', std::to_string(time.milliseconds)) : std::string();
}

std::string head_line(std::string_view commit) {
  return is_commit_id(commit) ? line_of('H', commit) : std::string();
}

std::string position_line(const TranscriptPosition& position) {
  if (position.lines < 0 || position.bytes < 0) return {};
  return line_of('O', std::to_string(position.lines) + " " + std::to_string(position.bytes));
}

std::string checkpoint_line(std::string_view id) {
  return session_id_kind(id) ? line_of('K', id) : std::string();
}

std::string finished_line(std::string_view id) {
  return session_id_kind(id) ? line_of('F', id) : std::string();
}

std::string ended_line(base::Instant time) {
  return time.milliseconds >= 0 ? line_of('E', std::to_string(time.milliseconds)) : std::string();
}

SessionActivity fold_activity(std::string_view text) {
  Folding folding;
  for (std::size_t end = text.find('\n'); end != std::string_view::npos; end = text.find('\n')) {
    folding.add(text.substr(0, end));
    text.remove_prefix(end + 1);
  }
  return folding.take();
}

std::string activity_text(const SessionActivity& activity, std::size_t limit) {
  std::string text = client_line(activity.client) + transcript_line(activity.transcript);
  if (activity.first_prompt) text += prompt_line(*activity.first_prompt);
  if (activity.last_prompt && activity.last_prompt != activity.first_prompt)
    text += prompt_line(*activity.last_prompt);
  if (activity.linked != TranscriptPosition{}) text += position_line(activity.linked);
  for (const std::string& head : activity.heads) text += head_line(head);
  for (const std::string& id : activity.unfinished) text += checkpoint_line(id);

  // Room for the lines that count, too: what is left out, and touches before the first path and in the end.
  constexpr std::size_t kCountLines = std::size_t{3} * 24;
  std::size_t size = text.size() + kCountLines + (activity.ended ? ended_line(*activity.ended).size() : 0);
  std::size_t first = activity.paths.size();
  std::vector<std::string> lines;
  while (first > 0) {
    const TouchedPath& touched = activity.paths[first - 1];
    std::string line = touched_line(touched.touch, touched.path);
    const std::uint64_t before = first > 1 ? activity.paths[first - 2].number : 0;
    if (touched.number > before + 1) line.insert(0, touches_line(touched.number - 1));
    if (size + line.size() > limit) break;
    size += line.size();
    lines.push_back(std::move(line));
    --first;
  }
  const std::uint64_t left_out = sum_left_out(activity.left_out, first);
  if (left_out > 0) text += line_of('X', std::to_string(left_out));
  if (first > 0 && first < activity.paths.size() && !lines.back().starts_with("N "))
    text += touches_line(activity.paths[first].number - 1);
  for (auto line = lines.rbegin(); line != lines.rend(); ++line) text += *line;
  if (activity.touches > (activity.paths.empty() ? 0 : activity.paths.back().number))
    text += touches_line(activity.touches);
  if (activity.ended) text += ended_line(*activity.ended);
  return text;
}

}  // namespace plankeep::core
