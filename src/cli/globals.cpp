#include "cli/globals.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>

namespace plankeep::cli {
namespace {

constexpr std::array<std::string_view, 13> kOptions{
    "-C",      "--plan",     "--json",     "-q",     "--quiet", "-v",       "--verbose",
    "--color", "--no-color", "--no-pager", "--help", "-h",      "--version"};

struct Called {
  std::string_view word;
  std::array<std::string_view, 2> commands;
};

constexpr std::array kCalled{
    Called{"ls", {"list", "status"}},       Called{"list", {"list", "status"}},
    Called{"tasks", {"list", "status"}},    Called{"todo", {"next", "list"}},
    Called{"todos", {"list", "status"}},    Called{"tick", {"done", ""}},
    Called{"check", {"done", ""}},          Called{"complete", {"done", ""}},
    Called{"finish", {"done", ""}},         Called{"close", {"done", ""}},
    Called{"untick", {"reopen", ""}},       Called{"uncheck", {"reopen", ""}},
    Called{"undone", {"reopen", ""}},       Called{"undo", {"reopen", "rewind"}},
    Called{"revert", {"rewind", ""}},       Called{"back", {"rewind", ""}},
    Called{"history", {"log", ""}},         Called{"events", {"log", ""}},
    Called{"find", {"search", "status"}},   Called{"grep", {"search", "status"}},
    Called{"search", {"search", "status"}}, Called{"view", {"show", "status"}},
    Called{"cat", {"show", "parse"}},       Called{"show", {"show", "status"}},
    Called{"create", {"new", "init"}},      Called{"track", {"init", ""}},
    Called{"progress", {"status", ""}},     Called{"st", {"status", ""}},
    Called{"validate", {"lint", ""}},       Called{"test", {"verify", ""}},
    Called{"ci", {"commit", ""}},           Called{"switch", {"use", ""}},
    Called{"setup", {"install", ""}},       Called{"add", {"add", "annotate"}},
};

// Optimal string alignment: what a hand gets wrong.
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before(b.size() + 1);
  std::vector<std::size_t> last(b.size() + 1);
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) last[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t other = a[i - 1] == b[j - 1] ? 0 : 1;
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + other});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        row[j] = std::min(row[j], before[j - 2] + 1);
    }
    std::swap(before, last);
    std::swap(last, row);
  }
  return last[b.size()];
}

base::Error mistake(std::string message, std::string hint) {
  return {base::ErrorKind::invalid_input, std::move(message), {}, std::move(hint)};
}

// One option in front of the command. False: it has a mistake.
class Reader {
 public:
  explicit Reader(CommandLine& line, std::vector<std::string>& words) : line_(line), words_(words) {}

  // Takes what stands in front of the command; `at()` is the command then.
  void read() {
    while (at_ < words_.size() && !line_.mistake && words_[at_].starts_with('-') && words_[at_].size() > 1) {
      one(words_[at_++]);
    }
  }
  std::size_t at() const { return at_; }

 private:
  void one(const std::string& word) {
    Globals& globals = line_.globals;
    if (word == "-h" || word == "--help") {
      asked_ = "help";
    } else if (word == "-V" || word == "--version") {
      asked_ = "version";
    } else if (word == "--json") {
      globals.json = true;
    } else if (word == "-q" || word == "--quiet") {
      globals.quiet = true;
    } else if (word == "-v" || word == "--verbose") {
      globals.verbose = true;
    } else if (word == "--no-color") {
      globals.colour = Colour::never;
    } else if (word == "--no-pager") {
      globals.pager = false;
    } else if (const auto folder = value(word, "-C")) {
      globals.folders.push_back(*folder);
    } else if (const auto plan = value(word, "--plan")) {
      globals.plan = *plan;
    } else if (const auto colour = value(word, "--color")) {
      colour_named(*colour);
    } else if (!line_.mistake) {
      unknown(word);
    }
    if (!asked_.empty() && line_.command.empty()) line_.command = asked_;
  }

  // "-C DIR", "--plan PATH", "--plan=PATH".
  std::optional<std::string> value(const std::string& word, std::string_view name) {
    if (word == name) {
      if (at_ < words_.size()) return words_[at_++];
      line_.mistake = mistake(std::string(name) + " needs a value", "plankeep --help");
      return std::nullopt;
    }
    if (name.starts_with("--") && word.starts_with(std::string(name) + "="))
      return word.substr(name.size() + 1);
    return std::nullopt;
  }

  void colour_named(const std::string& word) {
    if (const auto colour = colour_of(word)) {
      line_.globals.colour = *colour;
    } else {
      line_.mistake = mistake("--color: must be one of auto, always, never, not \"" + word + "\"", "");
    }
  }

  void unknown(const std::string& word) {
    const std::string name = word.substr(0, word.find('='));
    const std::string_view meant = nearest(name, kOptions);
    line_.mistake =
        mistake("unknown option " + name,
                meant.empty() ? "put the options of a command after it, and give short options one at a time"
                              : "did you mean " + std::string(meant) + "?");
  }

  CommandLine& line_;
  std::vector<std::string>& words_;
  std::size_t at_ = 0;
  std::string asked_;
};

}  // namespace

CommandLine read_command_line(std::vector<std::string> words) {
  CommandLine line;
  Reader reader(line, words);
  reader.read();
  // A program that asked for JSON gets it for mistakes as well, wherever it said so.
  const auto end_of_options = std::find(words.begin(), words.end(), "--");
  if (std::find(words.begin(), end_of_options, "--json") != end_of_options) line.globals.json = true;
  std::size_t at = reader.at();
  // "plankeep -h status" explains status; "plankeep --version" has nothing behind it.
  if (!line.mistake && line.command.empty() && at < words.size()) line.command = std::move(words[at++]);
  line.words.assign(std::make_move_iterator(words.begin() + static_cast<std::ptrdiff_t>(at)),
                    std::make_move_iterator(words.end()));
  return line;
}

std::optional<Colour> colour_of(std::string_view word) {
  if (word == "auto") return Colour::automatic;
  if (word == "always") return Colour::always;
  if (word == "never") return Colour::never;
  return std::nullopt;
}

std::span<const std::string_view> global_options() {
  return kOptions;
}

std::string_view nearest(std::string_view word, std::span<const std::string_view> known) {
  constexpr std::size_t kLongest = 64;
  if (word.empty() || word.size() > kLongest) return {};
  const std::size_t letters = word.size() - std::min(word.size(), word.find_first_not_of('-'));
  std::size_t best = letters >= 6 ? 3 : letters >= 3 ? 2 : 1;
  std::string_view found;
  for (const std::string_view one : known) {
    const std::size_t far = distance(word, one);
    if (far >= best) continue;
    best = far;
    found = one;
  }
  return found;
}

std::span<const std::string_view> commands_called(std::string_view word) {
  for (const Called& called : kCalled) {
    if (called.word != word) continue;
    return {called.commands.data(), called.commands[1].empty() ? std::size_t{1} : std::size_t{2}};
  }
  return {};
}

}  // namespace plankeep::cli
