#include "clients/transcripts/test_runs.hpp"

#include <algorithm>
#include <cctype>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "base/json_reader.hpp"
#include "base/utf8.hpp"
#include "clients/transcripts/test_summary.hpp"

namespace plankeep::clients {
namespace {

using base::JsonReader;
using base::JsonType;
using base::Status;
using Words = std::unordered_set<std::string_view>;

constexpr std::size_t kLongestCommand = 8192;  // bytes of a command that are looked at
constexpr std::size_t kStatusLines = 256;      // bytes before what it printed

/// Programs that look at files, or move them.
const Words& file_programs() {
  static const Words words = {"cat",  "ls",   "grep",   "rg",    "git",  "head",   "tail",   "sed",
                              "awk",  "find", "echo",   "mkdir", "rm",   "cp",     "mv",     "touch",
                              "cd",   "wc",   "diff",   "code",  "vim",  "which",  "test",   "[",
                              "stat", "tree", "printf", "chmod", "less", "export", "source", "plankeep",
                              "gh",   "pwd",  "sort",   "jq",    "fd",   "ag",     "nano",   "open"};
  return words;
}

/// Of these, the ones that print what they are told and not what they find.
bool only_repeats(std::string_view program) {
  return program == "echo" || program == "printf" || program == "cd";
}

/// Programs that run tests and nothing else, or that do so among other things whatever they are told.
const Words& test_programs() {
  static const Words words = {"pytest",  "py.test",   "jest",    "vitest", "mocha",      "ava",  "karma",
                              "cypress", "rspec",     "phpunit", "bats",   "tox",        "nox",  "prove",
                              "behave",  "cucumber",  "jasmine", "ctest",  "playwright", "pest", "minitest",
                              "nextest", "gotestsum", "tap",     "ginkgo"};
  return words;
}

/// Programs whose recipes or targets stand in a file.
const Words& recipe_programs() {
  static const Words words = {"make",       "gmake", "just",   "rake",  "task",  "mage",   "invoke",  "inv",
                              "ant",        "nx",    "turbo",  "lerna", "grunt", "gulp",   "waf",     "scons",
                              "act",        "sbt",   "lein",   "doit",  "poe",   "hatch",  "earthly", "bazel",
                              "pre-commit", "mise",  "dagger", "mvn",   "mvnw",  "gradle", "gradlew"};
  return words;
}

const Words& interpreters() {
  static const Words words = {"bash", "sh",  "zsh", "fish", "python", "python3", "node",   "ruby",
                              "perl", "php", "bun", "deno", "pwsh",   "tsx",     "ts-node"};
  return words;
}

/// Names of recipes that say that they run no tests.
bool names_other_work(std::string_view word) {
  static const Words words = {"build", "clean", "install", "lint",      "format",  "fmt",
                              "dev",   "start", "serve",   "deps",      "deploy",  "watch",
                              "docs",  "doc",   "help",    "typecheck", "release", "run"};
  return words.contains(word) || word.starts_with('-');
}

/// "bundle exec", "poetry run": where the command behind them starts.
std::size_t behind_runner(const std::vector<std::string>& words, std::size_t first) {
  static const Words kRunners = {"bundle", "poetry", "uv", "pipenv", "pdm", "rye"};
  if (first + 2 < words.size() && kRunners.contains(words[first]) &&
      (words[first + 1] == "exec" || words[first + 1] == "run"))
    return first + 2;
  return first;
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
  char quote = '\0', before = '\0';
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
    } else if (c == '&' && before == '>') {  // "2>&1"
      word += c;
    } else if (c == ';' || c == '|' || c == '&' || c == '\n' || c == '(' || c == ')') {
      end_word();
      if (!commands.back().empty()) commands.emplace_back();
    } else if (c == ' ' || c == '\t') {
      end_word();
    } else {
      word += c;
    }
    before = c;
  }
  end_word();
  return commands;
}

std::string_view program_of(std::string_view word) {
  const std::size_t slash = word.rfind('/');
  return slash == std::string_view::npos ? word : word.substr(slash + 1);
}

/// Behind variables and wrappers; words.size(): there is none.
std::size_t program_at(const std::vector<std::string>& words) {
  std::size_t first = 0;
  static const Words kWrappers = {"sudo",    "time", "env",   "nice",    "timeout",
                                  "command", "exec", "nohup", "xvfb-run"};
  while (first < words.size() &&
         (words[first].find('=') != std::string::npos || kWrappers.contains(words[first]) ||
          (first > 0 && std::isdigit(static_cast<unsigned char>(words[first][0])) != 0))) {
    ++first;
  }
  return behind_runner(words, first);
}

/// "plankeep verify" runs the command of a criterion, which may be tests.
bool verifies(const std::vector<std::string>& words) {
  const std::size_t first = program_at(words);
  return first + 1 < words.size() && program_of(words[first]) == "plankeep" && words[first + 1] == "verify";
}

bool runs_tests(const std::vector<std::string>& words) {
  const std::size_t first = program_at(words);
  if (first >= words.size()) return false;
  const std::string_view program = program_of(words[first]);
  if (verifies(words)) return true;
  if (file_programs().contains(program)) return false;
  if (test_programs().contains(program)) return true;
  const auto told = words.begin() + static_cast<std::ptrdiff_t>(first) + 1;
  // "npm t", "mvn install", "gradle build"
  const bool next = told != words.end();
  static const Words kShort = {"npm", "pnpm", "yarn", "cargo", "rails"};
  if (next && kShort.contains(program) && *told == "t") return true;
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

/// "npm run ci", "yarn ci"
bool runs_package_script(std::string_view program, const std::vector<std::string>& told) {
  if (program != "npm" && program != "pnpm" && program != "yarn" && program != "bun") return false;
  const bool run = told.size() > 1 && (told[0] == "run" || told[0] == "run-script");
  static const Words kOwn = {"install", "i",       "ci",     "add",      "remove", "update", "audit",
                             "init",    "view",    "list",   "ls",       "info",   "why",    "publish",
                             "pack",    "link",    "config", "outdated", "exec",   "create", "dlx",
                             "login",   "version", "cache",  "up",       "x"};
  // Without "run" yarn and pnpm run what is no command of their own.
  const bool bare = program != "npm" && !run && !told.empty() && !kOwn.contains(told[0]);
  return (run && !names_other_work(told[1])) || (bare && !names_other_work(told[0]));
}

/// A script or module that an interpreter runs, or what is given to a shell; `inner`: by a shell.
bool interprets_script(std::string_view program, const std::vector<std::string>& told, bool inner);

bool may_run_tests(const std::vector<std::string>& words, bool inner = false) {
  const std::size_t first = program_at(words);
  if (first >= words.size()) return false;
  const std::string_view path = words[first], program = program_of(path);
  if (file_programs().contains(program)) return false;
  const std::vector<std::string> told(words.begin() + static_cast<std::ptrdiff_t>(first) + 1, words.end());
  const auto option = [](const std::string& word) { return word.starts_with('-'); };
  if (recipe_programs().contains(program)) {
    const bool plain = std::all_of(told.begin(), told.end(), option);
    return plain || !std::all_of(told.begin(), told.end(), names_other_work);
  }
  if (runs_package_script(program, told)) return true;
  if (program == "docker" || program == "podman" || program == "kubectl" || program == "docker-compose")
    return std::any_of(told.begin(), told.end(),
                       [](const std::string& word) { return word == "run" || word == "exec"; });
  if (program == "ssh" || program == "vagrant") return true;
  if (interpreters().contains(program)) return interprets_script(program, told, inner);
  // "./ci.sh", "scripts/check"; not "/usr/bin/gcc", "node_modules/.bin/tsc"
  const bool system = path.starts_with("/usr/") || path.starts_with("/bin/") || path.starts_with("/opt/") ||
                      path.find(".bin/") != std::string_view::npos;
  return (path.find('/') != std::string_view::npos && !system) || path.ends_with(".sh");
}

bool interprets_script(std::string_view program, const std::vector<std::string>& told, bool inner) {
  const bool shell = program.ends_with("sh");
  static const Words kTools = {"pip",  "venv",  "http.server", "json.tool", "mypy",       "black",
                               "ruff", "isort", "flake8",      "build",     "compileall", "pylint"};
  for (std::size_t i = 0; i < told.size(); ++i) {
    const bool option = told[i].starts_with('-');
    if (shell && option && told[i].ends_with('c')) {
      // "bash -lc 'cd api && ./ci.sh'"
      if (inner) return true;
      std::string command;
      for (std::size_t k = i + 1; k < told.size(); ++k) command += told[k] + " ";
      const auto commands = simple_commands(command);
      return std::any_of(commands.begin(), commands.end(),
                         [](const std::vector<std::string>& words) { return may_run_tests(words, true); });
    }
    if (!shell && told[i] == "-m") return i + 1 < told.size() && !kTools.contains(told[i + 1]);
    if (!shell && (told[i] == "-c" || told[i] == "-e" || told[i] == "-p")) return false;
    if (!option) return told[i].find_first_of("./") != std::string::npos;
  }
  return false;
}

/// What a command printed, and the exit status where the client puts it into the same text.
struct Printed {
  std::string text;
  bool exit_failed = false;
};

/// "Process exited with code 1", "Exit code 2" before what was printed.
bool begins_with_failure(std::string_view output) {
  const std::string_view head = output.substr(0, std::min(output.find("\nOutput:"), kStatusLines));
  for (const std::string_view mark : {"exited with code ", "Exit code: ", "Exit code "}) {
    const std::size_t at = head.find(mark);
    if (at == std::string_view::npos || (at > 0 && mark == "Exit code " && head[at - 1] != '\n')) continue;
    const std::size_t digit = head.find_first_not_of(' ', at + mark.size());
    if (digit != std::string_view::npos && head[digit] != '0') return true;
  }
  return false;
}

/// Codex wraps it: {"output":"...","metadata":{"exit_code":1}}
Printed printed(const std::string& output) {
  Printed whole{output, begins_with_failure(output)};
  if (!output.starts_with('{') || output.find("\"exit_code\"") == std::string::npos) return whole;
  Printed inner;
  JsonReader in(output);
  const Status read = in.object([&](std::string_view key) -> Status {
    if (key == "output" && in.peek() == JsonType::string) return in.string(inner.text);
    if (key != "metadata" || in.peek() != JsonType::object) return in.skip();
    return in.object([&](std::string_view name) -> Status {
      if (name != "exit_code" || in.peek() != JsonType::number) return in.skip();
      std::string_view number;
      TRY(in.raw(number));
      inner.exit_failed = number != "0";
      return {};
    });
  });
  return read ? inner : whole;
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
    runs_.opaque = runs_.opaque && !runs_.ran;
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
    // What a command in the background has printed.
    const bool background = block.tool == "BashOutput" || block.tool == "TaskOutput";
    if (block.command.empty() && !background) return;
    const Call call = background ? Call{} : call_of(block.command);
    if (call.tests) {
      runs_.ran = true;
      runs_.failed = false;
      last_ = block.id;
    }
    runs_.opaque = runs_.opaque || call.opaque;
    if (call.tests || call.may_print) calls_[block.id] = call;
  }

  void ended(const Block& block) {
    const auto called = calls_.find(block.use);
    if (called == calls_.end()) return;
    const Call call = called->second;
    calls_.erase(called);
    if (call.tests && block.use != last_) return;
    const Printed out = printed(block.output);
    const TestSummary summary = last_test_summary(out.text);
    if (!call.tests && (!summary.sure || summary.end == TestSummary::End::unknown)) {
      runs_.ran = runs_.ran || summary.sure;
      return;
    }
    const bool says_failed = summary.end == TestSummary::End::failed;
    runs_.ran = true;
    if (call.tests) {
      // The status may be that of another command of the line.
      const bool own = !call.others || (summary.end != TestSummary::End::passed && !call.verifies);
      runs_.failed = says_failed || ((block.error || out.exit_failed) && own);
    } else if (!says_failed || !call.shows) {
      // A file may tell of any run: that one passed is believed.
      runs_.failed = says_failed;
    }
  }

  struct Call {
    bool tests = false;     // known to run some
    bool opaque = false;    // may run some
    bool others = false;    // and something behind them, or something that is no test
    bool verifies = false;  // plankeep verify
    bool may_print = true;  // what a test run prints
    bool shows = false;     // out of a file
  };

  static Call call_of(std::string_view command) {
    Call call{.may_print = false};
    bool only_files = true;
    for (const std::vector<std::string>& words : simple_commands(command)) {
      const std::size_t first = program_at(words);
      const std::string_view program = first < words.size() ? program_of(words[first]) : std::string_view();
      const bool files = file_programs().contains(program);
      call.opaque = call.opaque || may_run_tests(words);
      if (runs_tests(words)) {
        call.verifies = verifies(words);
        call.others = call.tests || call.verifies;
        call.tests = true;
        only_files = false;
      } else if (!words.empty()) {
        call.others = call.tests;
        only_files = only_files && files;
        call.shows = call.shows || !only_repeats(program);
      }
    }
    call.may_print = call.shows || !only_files;
    call.shows = only_files;
    return call;
  }

  TestRuns runs_;
  std::unordered_map<std::string, Call> calls_;
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

bool may_run_tests(std::string_view command) {
  const auto commands = simple_commands(command);
  return std::any_of(commands.begin(), commands.end(),
                     [](const std::vector<std::string>& words) { return may_run_tests(words); });
}

}  // namespace plankeep::clients
