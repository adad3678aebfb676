#include "clients/transcripts/test_runs.hpp"

#include <algorithm>
#include <cctype>
#include <string>
#include <unordered_set>
#include <vector>

#include "base/json_reader.hpp"
#include "base/utf8.hpp"

namespace plankeep::clients {
namespace {

using base::JsonReader;
using base::JsonType;
using base::Status;
using Words = std::unordered_set<std::string_view>;

constexpr std::size_t kLongestCommand = 8192;  // bytes of a command that are looked at
constexpr std::size_t kOutputTail = 2048;      // of what it printed

/// Programs that look at files, or move them.
const Words& file_programs() {
  static const Words words = {"cat",  "ls",   "grep",   "rg",    "git",  "head",   "tail",   "sed",
                              "awk",  "find", "echo",   "mkdir", "rm",   "cp",     "mv",     "touch",
                              "cd",   "wc",   "diff",   "code",  "vim",  "which",  "test",   "[",
                              "stat", "tree", "printf", "chmod", "less", "export", "source", "plankeep",
                              "gh",   "pwd",  "sort",   "jq",    "fd",   "ag",     "nano",   "open"};
  return words;
}

/// Programs that run tests and nothing else, or that do so among other things whatever they are told.
const Words& test_programs() {
  static const Words words = {"pytest",     "py.test", "jest",     "vitest",   "mocha",     "ava",
                              "karma",      "cypress", "rspec",    "phpunit",  "bats",      "tox",
                              "nox",        "prove",   "behave",   "cucumber", "jasmine",   "ctest",
                              "playwright", "pest",    "minitest", "nextest",  "gotestsum", "tap"};
  return words;
}

bool says_test(std::string_view word) {
  const std::string lower = base::to_lower(word);
  for (const std::string_view part : {"test", "spec", "check", "verify"})
    if (lower.find(part) != std::string::npos) return true;
  return false;
}

/// The simple commands of a line, roughly: quotes are taken away, operators part them.
std::vector<std::vector<std::string>> simple_commands(std::string_view line) {
  std::vector<std::vector<std::string>> commands(1);
  std::string word;
  char quote = '\0';
  const auto end_word = [&] {
    if (!word.empty()) commands.back().push_back(std::move(word));
    word.clear();
  };
  for (const char c : line.substr(0, kLongestCommand)) {
    if (quote != '\0') {
      if (c == quote)
        quote = '\0';
      else if (c == ' ' && quote == '"')
        end_word();
      else
        word += c;
    } else if (c == '"' || c == '\'') {
      quote = c;
    } else if (c == ';' || c == '|' || c == '&' || c == '\n' || c == '(' || c == ')') {
      end_word();
      if (!commands.back().empty()) commands.emplace_back();
    } else if (c == ' ' || c == '\t') {
      end_word();
    } else {
      word += c;
    }
  }
  end_word();
  return commands;
}

std::string_view program_of(std::string_view word) {
  const std::size_t slash = word.rfind('/');
  return slash == std::string_view::npos ? word : word.substr(slash + 1);
}

bool runs_tests(const std::vector<std::string>& words) {
  std::size_t first = 0;
  static const Words kWrappers = {"sudo",    "time", "env",   "nice",    "timeout",
                                  "command", "exec", "nohup", "xvfb-run"};
  while (first < words.size() &&
         (words[first].find('=') != std::string::npos || kWrappers.contains(words[first]) ||
          (first > 0 && std::isdigit(static_cast<unsigned char>(words[first][0])) != 0))) {
    ++first;
  }
  if (first >= words.size()) return false;
  const std::string_view program = program_of(words[first]);
  if (file_programs().contains(program)) return false;
  if (test_programs().contains(program)) return true;
  const auto told = words.begin() + static_cast<std::ptrdiff_t>(first) + 1;
  // "npm t", "mvn install", "gradle build"
  const bool next = told != words.end();
  if (next && (program == "npm" || program == "pnpm" || program == "yarn") && *told == "t") return true;
  if (program == "mvn" || program == "mvnw")
    return std::any_of(told, words.end(), [](const std::string& word) {
      return word == "install" || word == "package" || word == "deploy" || says_test(word);
    });
  if ((program == "gradle" || program == "gradlew") && std::find(told, words.end(), "build") != words.end())
    return true;
  if (says_test(words[first])) return true;
  return std::any_of(told, words.end(), [](const std::string& word) {
    return says_test(word) || test_programs().contains(program_of(word));
  });
}

/// "test result: FAILED", "3 failed", "2 failing" at the end of what was printed.
bool prints_failure(std::string_view output) {
  if (output.size() > kOutputTail) output.remove_prefix(output.size() - kOutputTail);
  if (output.find("test result: FAILED") != std::string_view::npos) return true;
  for (const std::string_view word : {" failed", " failing"}) {
    for (std::size_t at = output.find(word); at != std::string_view::npos; at = output.find(word, at + 1)) {
      std::size_t digits = at;
      while (digits > 0 && std::isdigit(static_cast<unsigned char>(output[digits - 1])) != 0) --digits;
      const std::string_view number = output.substr(digits, at - digits);
      const bool whole =
          digits == 0 || std::string_view(" \n\t,(:").find(output[digits - 1]) != std::string_view::npos;
      if (whole && number.find_first_of("123456789") != std::string_view::npos) return true;
    }
  }
  return false;
}

/// "exit_code":1, "Process exited with code 1", "Exit code 2"
bool exits_with_failure(std::string_view output) {
  for (const std::string_view mark : {"\"exit_code\":", "exited with code ", "Exit code: ", "Exit code "}) {
    const std::size_t at = output.find(mark);
    if (at == std::string_view::npos) continue;
    const std::size_t digit = output.find_first_not_of(' ', at + mark.size());
    if (digit != std::string_view::npos && output[digit] != '0') return true;
  }
  return false;
}

struct Block {
  std::string type;
  std::string id;
  std::string use;
  std::string tool;
  std::string command;
  std::string output;
  bool error = false;
};

class Reader {
 public:
  TestRuns read(std::string_view transcript) {
    while (!transcript.empty()) {
      const std::size_t feed = std::min(transcript.find('\n'), transcript.size());
      const std::string_view text = transcript.substr(0, feed);
      transcript.remove_prefix(std::min(feed + 1, transcript.size()));
      runs_.read = runs_.read || text.find("\"assistant\"") != std::string_view::npos;
      // Calls of clients that are not read here.
      for (const std::string_view call : {"\"functionCall\"", "\"toolCalls\"", "\"local_shell_call\""})
        runs_.elsewhere = runs_.elsewhere || text.find(call) != std::string_view::npos;
      if (may_tell(text)) (void)read_line(text);
    }
    return runs_;
  }

 private:
  // Most lines are none that count: a look for the words spares reading them.
  static bool may_tell(std::string_view text) {
    return text.find("\"tool_use") != std::string_view::npos ||
           text.find("\"tool_result\"") != std::string_view::npos ||
           text.find("\"function_call") != std::string_view::npos ||
           text.find("<bash-input>") != std::string_view::npos;
  }

  Status read_line(std::string_view text) {
    if (text.find("<bash-input>") != std::string_view::npos) runs_.elsewhere = true;
    JsonReader in(text);
    return in.object([&](std::string_view key) -> Status {
      if (key == "message" && in.peek() == JsonType::object) return read_message(in);
      if (key == "payload" && in.peek() == JsonType::object) return read_item(in);
      return in.skip();
    });
  }

  Status read_message(JsonReader& in) {
    return in.object([&](std::string_view key) -> Status {
      if (key != "content" || in.peek() != JsonType::array) return in.skip();
      return in.array([&]() -> Status { return in.peek() == JsonType::object ? read_block(in) : in.skip(); });
    });
  }

  Status read_block(JsonReader& in) {
    Block block;
    TRY(in.object([&](std::string_view key) -> Status {
      if (key == "type" && in.peek() == JsonType::string) return in.string(block.type);
      if (key == "id" && in.peek() == JsonType::string) return in.string(block.id);
      if (key == "tool_use_id" && in.peek() == JsonType::string) return in.string(block.use);
      if (key == "name" && in.peek() == JsonType::string) return in.string(block.tool);
      if (key == "is_error" && in.peek() == JsonType::boolean) return in.boolean(block.error);
      if (key == "input" && in.peek() == JsonType::object) return read_input(in, block);
      if (key == "content") return read_output(in, block);
      return in.skip();
    }));
    if (block.type == "tool_use") called(block);
    if (block.type == "tool_result") ended(block);
    return {};
  }

  static Status read_input(JsonReader& in, Block& block) {
    return in.object([&](std::string_view key) -> Status {
      if ((key == "command" || key == "cmd") && in.peek() == JsonType::string)
        return in.string(block.command);
      if (key == "command" && in.peek() == JsonType::array) {
        return in.array([&]() -> Status {
          if (in.peek() != JsonType::string) return in.skip();
          std::string word;
          TRY(in.string(word));
          // ["bash", "-lc", "cargo test"]
          block.command += (block.command.empty() ? "" : "\n") + word;
          return {};
        });
      }
      return in.skip();
    });
  }

  static Status read_output(JsonReader& in, Block& block) {
    if (in.peek() == JsonType::string) return in.string(block.output);
    if (in.peek() != JsonType::array) return in.skip();
    return in.array([&]() -> Status {
      if (in.peek() != JsonType::object) return in.skip();
      return in.object([&](std::string_view key) -> Status {
        if (key != "text" || in.peek() != JsonType::string) return in.skip();
        std::string text;
        TRY(in.string(text));
        block.output += text;
        return {};
      });
    });
  }

  // Codex
  Status read_item(JsonReader& in) {
    Block block;
    std::string arguments;
    TRY(in.object([&](std::string_view key) -> Status {
      if (key == "type" && in.peek() == JsonType::string) return in.string(block.type);
      if (key == "name" && in.peek() == JsonType::string) return in.string(block.tool);
      if (key == "call_id" && in.peek() == JsonType::string) return in.string(block.id);
      if (key == "arguments" && in.peek() == JsonType::string) return in.string(arguments);
      if (key == "output" && in.peek() == JsonType::string) return in.string(block.output);
      return in.skip();
    }));
    if (block.type == "function_call") {
      JsonReader told(arguments);
      (void)read_input(told, block);
      called(block);
    } else if (block.type == "function_call_output") {
      block.use = block.id;
      ended(block);
    }
    return {};
  }

  void called(const Block& block) {
    runs_.read = true;
    if (block.tool == "Task" || block.tool == "Agent" || (block.command.empty() && says_test(block.tool))) {
      runs_.elsewhere = true;
    }
    if (block.command.empty() || !clients::runs_tests(block.command)) return;
    runs_.ran = true;
    runs_.failed = false;
    last_ = block.id;
  }

  void ended(const Block& block) {
    if (last_.empty() || block.use != last_) return;
    runs_.failed = block.error || prints_failure(block.output) || exits_with_failure(block.output);
  }

  TestRuns runs_;
  std::string last_;  // the last run, by its call
};

}  // namespace

TestRuns test_runs(std::string_view transcript) {
  return Reader().read(transcript);
}

bool runs_tests(std::string_view command) {
  const auto commands = simple_commands(command);
  return std::any_of(commands.begin(), commands.end(),
                     [](const std::vector<std::string>& words) { return runs_tests(words); });
}

}  // namespace plankeep::clients
