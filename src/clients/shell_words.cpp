#include "clients/shell_words.hpp"

namespace plankeep::clients {
namespace {

constexpr std::string_view kPlain =
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./:@%+=,";
constexpr std::string_view kOperators = ";|&<>()\n";

}  // namespace

std::string shell_quoted(std::string_view text) {
  if (!text.empty() && text.find_first_not_of(kPlain) == std::string_view::npos) return std::string(text);
  std::string quoted = "'";
  for (const char c : text) {
    if (c == '\'') {
      quoted += "'\\''";
    } else {
      quoted += c;
    }
  }
  return quoted + "'";
}

std::vector<std::string> shell_words(std::string_view command) {
  std::vector<std::string> words;
  std::string word;
  bool in_word = false;
  const auto end_word = [&] {
    if (in_word) words.push_back(std::move(word));
    word.clear();
    in_word = false;
  };
  for (std::size_t at = 0; at < command.size(); ++at) {
    const char c = command[at];
    if (kOperators.find(c) != std::string_view::npos) break;
    if (c == ' ' || c == '\t') {
      end_word();
    } else if (c == '\'') {
      const std::size_t closing = command.find('\'', at + 1);
      if (closing == std::string_view::npos) return {};
      word += command.substr(at + 1, closing - at - 1);
      in_word = true;
      at = closing;
    } else if (c == '"') {
      in_word = true;
      for (++at; at < command.size() && command[at] != '"'; ++at) {
        const bool escaped = command[at] == '\\' && at + 1 < command.size() &&
                             std::string_view("\\\"$`").find(command[at + 1]) != std::string_view::npos;
        if (escaped) ++at;
        word += command[at];
      }
      if (at == command.size()) return {};
    } else if (c == '\\' && at + 1 < command.size()) {
      word += command[++at];
      in_word = true;
    } else {
      word += c;
      in_word = true;
    }
  }
  end_word();
  return words;
}

}  // namespace plankeep::clients
