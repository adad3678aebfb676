#include "git/hook_block.hpp"

#include <algorithm>
#include <array>

#include "git/script_exit.hpp"

namespace plankeep::core {
namespace {

constexpr std::string_view kShebang = "#!/bin/sh\n";
constexpr std::string_view kBegin = "# >>> plankeep";
constexpr std::string_view kBeginEnd = " >>>";
constexpr std::string_view kJoined = " (line end added)";
constexpr std::string_view kNewFile = " (file made)";
constexpr std::string_view kEnd = "# <<< plankeep <<<";
constexpr std::array<std::string_view, 6> kShells{"sh", "bash", "dash", "ash", "ksh", "zsh"};

struct Block {
  std::size_t from = std::string_view::npos;
  std::size_t to = 0;
  bool joined = false;
  bool new_file = false;
  bool found() const { return from != std::string_view::npos; }
};

// The line that begins at `at`, without its line feed; `next`: where the one behind it begins.
std::string_view line_at(std::string_view text, std::size_t at, std::size_t& next) {
  const std::size_t end = text.find('\n', at);
  next = end == std::string_view::npos ? text.size() : end + 1;
  return text.substr(at, end == std::string_view::npos ? end : end - at);
}

// Three lines and no others, the last one with or without its line feed: what somebody has changed is theirs.
Block find_block(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    std::size_t second = 0;
    const std::string_view first = line_at(text, at, second);
    for (const std::string_view kind : {std::string_view(), kJoined, kNewFile}) {
      if (first != std::string(kBegin).append(kind).append(kBeginEnd)) continue;
      std::size_t third = 0;
      std::size_t end = 0;
      (void)line_at(text, second, third);
      if (third >= text.size() || line_at(text, third, end) != kEnd) continue;
      return {at, end, kind == kJoined, kind == kNewFile};
    }
    at = second;
  }
  return {};
}

std::string block_text(std::string_view kind, std::string_view line) {
  std::string text(kBegin);
  text.append(kind).append(kBeginEnd).append("\n").append(line).append("\n").append(kEnd).append("\n");
  return text;
}

// "sh" of "#!/bin/sh -e", "bash" of "#!/usr/bin/env bash".
std::string_view interpreter(std::string_view text) {
  if (!text.starts_with("#!")) return {};
  std::string_view line = text.substr(2, text.find_first_of("\r\n") - 2);
  const auto next_word = [&line] {
    const std::size_t start = std::min(line.find_first_not_of(" \t"), line.size());
    line.remove_prefix(start);
    const std::string_view word = line.substr(0, line.find_first_of(" \t"));
    line.remove_prefix(word.size());
    return word.substr(word.rfind('/') + 1);
  };
  std::string_view word = next_word();
  if (word == "env") word = next_word();
  if (word == "-S") word = next_word();
  return word;
}

}  // namespace

HookScript kind_of_script(std::string_view text) {
  if (text.empty()) return HookScript::absent;
  const bool shell = std::find(kShells.begin(), kShells.end(), interpreter(text)) != kShells.end();
  if (!shell || text.find('\0') != std::string_view::npos) return HookScript::other;
  // Our line may have been moved to the front of what ends the script.
  return always_exits(text.substr(0, find_block(text).from)) ? HookScript::ends_early : HookScript::shell;
}

bool has_hook_block(std::string_view text) {
  return find_block(text).found();
}

std::string hook_block_line(std::string_view text) {
  const Block block = find_block(text);
  if (!block.found()) return {};
  std::size_t second = 0;
  std::size_t third = 0;
  (void)line_at(text, block.from, second);
  return std::string(line_at(text, second, third));
}

std::string with_hook_block(std::string_view text, std::string_view line) {
  if (text.empty()) return std::string(kShebang) + block_text(kNewFile, line);
  if (const Block block = find_block(text); block.found()) {
    const std::string_view kind = block.new_file ? kNewFile : block.joined ? kJoined : std::string_view();
    std::string out(text.substr(0, block.from));
    out += block_text(kind, line);
    return out.append(text.substr(block.to));
  }
  std::string out(text);
  if (text.ends_with('\n')) return out + block_text({}, line);
  return out + "\n" + block_text(kJoined, line);
}

std::string without_hook_block(std::string_view text) {
  const Block block = find_block(text);
  if (!block.found()) return std::string(text);
  std::string out(text.substr(0, block.from));
  if (block.joined && block.to == text.size() && out.ends_with('\n')) out.pop_back();
  out.append(text.substr(block.to));
  if (block.new_file && out == kShebang) out.clear();
  return out;
}

}  // namespace plankeep::core
