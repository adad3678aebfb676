#include "git/script_exit.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

namespace plankeep::core {
namespace {

using Words = std::pair<std::string_view, std::string_view>;
// What opens a compound command, and what closes it.
constexpr std::array<Words, 7> kCompounds{{{"if", "fi"},
                                           {"case", "esac"},
                                           {"for", "done"},
                                           {"while", "done"},
                                           {"until", "done"},
                                           {"select", "done"},
                                           {"{", "}"}}};
constexpr std::array<std::string_view, 5> kBeforeCommand{"then", "else", "elif", "do", "!"};

class Script {
 public:
  explicit Script(std::string_view text) : text_(text) {}

  bool always_exits() {
    while (!found_ && at_ < text_.size()) step();
    end_command('\n');
    return found_;
  }

 private:
  char next(std::size_t ahead = 0) const { return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0'; }

  void step() {
    const char c = next();
    if (c == ' ' || c == '\t' || c == '\r') {
      end_word();
      ++at_;
    } else if (c == '#' && !in_word_) {
      at_ = std::min(text_.find('\n', at_), text_.size());
    } else if (c == '\n') {
      end_command(c);
      ++at_;
      skip_here_documents();
    } else if (c == '<' || c == '>' || (c == '&' && next(1) == '>')) {
      redirection();
    } else if (c == ';' || c == '&' || c == '|') {
      const bool twice = next(1) == c;
      end_command(c, twice && c != ';');
      at_ += twice ? 2 : 1;
    } else if (c == '(') {
      end_command('(');
      open_.push_back(")");
      ++at_;
    } else if (c == ')') {
      end_command(';');
      if (!open_.empty() && open_.back() == ")") open_.pop_back();
      ++at_;
    } else {
      part_of_word(c);
    }
  }

  void part_of_word(char c) {
    const std::size_t from = at_;
    if (c == '\\') {
      at_ += 2;
      if (text_[from + 1 < text_.size() ? from + 1 : from] == '\n') return;
    } else {
      skip_quoted();
    }
    at_ = std::min(at_, text_.size());
    in_word_ = true;
    word_.append(text_.substr(from, at_ - from));
  }

  // Behind the character here, or behind the whole of what is quoted or substituted here.
  void skip_quoted() {
    std::string closers;
    do {
      const char c = next();
      const char top = closers.empty() ? '\0' : closers.back();
      const bool substitution = c == '$' && (next(1) == '(' || next(1) == '{');
      if (c == '\\') {
        ++at_;
      } else if (top != '\0' && c == top) {
        closers.pop_back();
      } else if (top != '`' && substitution) {
        closers += next(1) == '(' ? ')' : '}';
        ++at_;
      } else if (c == '`' || (c == '"' && top != '`')) {
        closers += c;
      } else if (c == '(' && (top == ')' || top == '\0')) {
        closers += ')';
      } else if (c == '\'' && top != '"' && top != '`') {
        at_ = std::min(text_.find(c, at_ + 1), text_.size());
      }
      ++at_;
    } while (!closers.empty() && at_ < text_.size());
  }

  // The number in front of it belongs to it; what comes behind it is no argument of the command.
  void redirection() {
    const bool named = word_.starts_with('{') && word_.ends_with('}');
    if (named || word_.find_first_not_of("0123456789") == std::string::npos) {
      word_.clear();
      in_word_ = false;
    }
    end_word();
    const std::size_t from = at_;
    while (next() == '<' || next() == '>' || next() == '&' || next() == '|') ++at_;
    if (next() == '(') part_of_word('(');
    const bool here = text_.substr(from, at_ - from) == "<<";
    indented_ = here && next() == '-';
    if (indented_) ++at_;
    target_ = here ? Target::delimiter : Target::file;
  }

  void end_word() {
    if (!in_word_) return;
    const std::string word = std::exchange(word_, {});
    in_word_ = false;
    if (target_ == Target::delimiter) {
      std::string end;
      std::copy_if(word.begin(), word.end(), std::back_inserter(end),
                   [](char c) { return c != '\'' && c != '"' && c != '\\'; });
      here_documents_.emplace_back(std::move(end), indented_);
    }
    if (std::exchange(target_, Target::none) != Target::none) return;
    if (!first_) {
      arguments_ = true;
      return;
    }
    if (std::find(kBeforeCommand.begin(), kBeforeCommand.end(), word) != kBeforeCommand.end()) return;
    if (!open_.empty() && word == open_.back()) {
      open_.pop_back();
      first_ = false;
      return;
    }
    const auto compound = std::find_if(kCompounds.begin(), kCompounds.end(),
                                       [&word](const Words& words) { return words.first == word; });
    if (compound != kCompounds.end()) {
      open_.push_back(compound->second);
      first_ = word == "if" || word == "while" || word == "until" || word == "{";
      return;
    }
    first_ = false;
    if (open_.empty() && !depends_) {
      exit_ = word == "exit";
      exec_ = word == "exec";
    }
  }

  // `by`: the character that ends it; `twice`: && or ||.
  void end_command(char by, bool twice = false) {
    const bool nothing = first_ && !in_word_;
    end_word();
    target_ = Target::none;
    const bool aside = !twice && (by == '&' || by == '|');
    if ((exit_ || (exec_ && arguments_)) && !aside && by != '(') found_ = true;
    exit_ = exec_ = arguments_ = false;
    first_ = true;
    if (by == '\n' && nothing) return;  // a line break after && or |
    if (by != '(') depends_ = twice || by == '|';
  }

  void skip_here_documents() {
    for (const auto& [end, indented] : std::exchange(here_documents_, {})) {
      while (at_ < text_.size()) {
        const std::size_t line_end = std::min(text_.find('\n', at_), text_.size());
        std::string_view line = text_.substr(at_, line_end - at_);
        at_ = std::min(line_end + 1, text_.size());
        if (line.ends_with('\r')) line.remove_suffix(1);
        if (indented) line.remove_prefix(std::min(line.find_first_not_of('\t'), line.size()));
        if (line == end) break;
      }
    }
  }

  enum class Target { none, file, delimiter };

  std::string_view text_;
  std::size_t at_ = 0;
  std::vector<std::string_view> open_;                        // what closes the compound commands around
  std::vector<std::pair<std::string, bool>> here_documents_;  // that begin behind this line
  std::string word_;
  bool in_word_ = false;
  bool first_ = true;     // the next word is a command's
  bool depends_ = false;  // behind &&, || or |
  bool exit_ = false;
  bool exec_ = false;
  bool arguments_ = false;  // other than redirections
  Target target_ = Target::none;
  bool indented_ = false;  // the here document's end may be
  bool found_ = false;
};

}  // namespace

bool always_exits(std::string_view script) {
  return Script(script).always_exits();
}

}  // namespace plankeep::core
