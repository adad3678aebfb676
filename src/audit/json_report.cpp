#include "audit/json_report.hpp"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "audit/assertion_clauses.hpp"
#include "base/json_reader.hpp"
#include "base/text.hpp"
#include "base/utf8.hpp"

namespace plankeep::core {
namespace {

using base::JsonReader;
using base::JsonType;
using base::one_of;
using base::Status;

constexpr int kDeepest = 8;
constexpr std::size_t kMostValues = 20000;  // of one message; what is behind them is not heard
constexpr std::size_t kLongestName = 300;   // bytes of a value that names a task
constexpr std::size_t kLongestStatus = 40;  // bytes
constexpr std::size_t kLongestKey = 60;     // bytes

struct JsonValue {
  JsonType type = JsonType::none;
  bool yes = false;              // boolean
  std::string key;               // of a field of an object
  std::string text;              // string, number
  std::vector<JsonValue> parts;  // fields, elements
};

class JsonTree {
 public:
  explicit JsonTree(JsonReader& in) : in_(in) {}

  Status read(JsonValue& value, int depth = 0) {
    value.type = in_.peek();
    if (++values_ > kMostValues || depth > kDeepest) return in_.skip();
    switch (value.type) {
      case JsonType::object:
        return in_.object([&](std::string_view key) -> Status {
          value.parts.emplace_back().key = std::string(key.substr(0, kLongestKey));
          return read(value.parts.back(), depth + 1);
        });
      case JsonType::array:
        return in_.array([&]() -> Status {
          value.parts.emplace_back();
          return read(value.parts.back(), depth + 1);
        });
      case JsonType::string:
        return in_.string(value.text);
      case JsonType::boolean:
        return in_.boolean(value.yes);
      case JsonType::number: {
        std::string_view digits;
        TRY(in_.raw(digits));
        value.text = std::string(digits);
        return {};
      }
      default:
        return in_.skip();
    }
  }

  bool complete() const { return values_ <= kMostValues; }

 private:
  JsonReader& in_;
  std::size_t values_ = 0;
};

/// "tasksCompleted", "tasks_completed", "tasks-completed": "tasks", "completed".
std::vector<std::string> words_of_key(std::string_view key) {
  std::vector<std::string> words(1);
  for (std::size_t i = 0; i < key.size(); ++i) {
    const char c = key[i];
    const bool capital = c >= 'A' && c <= 'Z';
    const bool hump = capital && i > 0 && key[i - 1] >= 'a' && key[i - 1] <= 'z';
    if ((hump || c == '_' || c == '-' || c == ' ') && !words.back().empty()) words.emplace_back();
    if (c != '_' && c != '-' && c != ' ') words.back() += capital ? static_cast<char>(c - 'A' + 'a') : c;
  }
  if (words.back().empty()) words.pop_back();
  return words;
}

/// What a key says of its value.
struct JsonKey {
  bool task = false;    // has the word "task"
  bool names = false;   // its value names a task: "task", "taskId", "title"
  bool strong = false;  // and nothing else can be meant: not "title"
  bool status = false;
  bool done = false;   // its value is what is done
  bool open = false;   // its value is what is left
  bool aside = false;  // its value is no report: "example", "plan", "next"
};

bool of_another_time(std::string_view word) {
  return one_of(word, {"example", "examples", "schema", "before", "previous", "expected", "input", "request",
                       "goal", "target", "template", "sample", "old", "original", "initial"}) ||
         one_of(word, {"next", "params", "args", "arguments", "mock", "fixture", "upcoming", "spec", "prompt",
                       "instructions", "todo"});
}

JsonKey key_of(std::string_view key) {
  JsonKey says;
  bool done = false, other = false, number = false;
  std::size_t ids = 0;
  const std::vector<std::string> words = words_of_key(key);
  for (const std::string& word : words) {
    const WordClass classes = word_class(word);
    const bool id = one_of(word, {"id", "ids", "key"});
    const bool task = (classes & (word::kTask | word::kCounted)) != 0;
    says.task = says.task || (classes & word::kTask) != 0;
    ids += id ? 1 : 0;
    if ((classes & word::kPlainDone) != 0)
      done = true;
    else if (!task && !id && !one_of(word, {"is", "now", "newly", "list", "all"}))
      other = true;
    number = number || one_of(word, {"count", "number", "total"});
    const bool open = (classes & (word::kOpen | word::kRemains)) != 0 ||
                      one_of(word, {"failures", "errors", "blockers", "blocked"});
    says.open = says.open || (open && !one_of(word, {"next", "later", "tomorrow"}));
    says.aside = says.aside || of_another_time(word) ||
                 (classes & (word::kNot | word::kOther | word::kGoal | word::kPlan)) != 0;
  }
  says.done = done && !other && !says.open && !says.aside;
  says.strong =
      words.size() <= 2 && says.task && !done && !says.open && !words.empty() && words.size() == ids + 1;
  says.names =
      says.strong || (words.size() == 1 && one_of(words[0], {"id", "key", "title", "content", "name", "item",
                                                             "story", "ticket", "todo", "task"}));
  says.status = !words.empty() && one_of(words.back(), {"status", "state", "outcome"}) &&
                (words.size() == 1 || (words.size() == 2 && says.task));
  return says;
}

bool empty_value(const JsonValue& value) {
  switch (value.type) {
    case JsonType::object:
    case JsonType::array:
      return value.parts.empty();
    case JsonType::string:
      return value.text.empty() || one_of(base::to_lower(value.text), {"none", "nothing", "n/a", "-", "no"});
    case JsonType::number:
      return value.text.find_first_not_of("0.") == std::string::npos;
    case JsonType::boolean:
      return !value.yes;
    default:
      return true;
  }
}

class JsonReport {
 public:
  JsonReport(std::size_t line, const TaskNames& names, AssertionSet& assertions)
      : line_(line), names_(names), assertions_(assertions) {}

  /// `tasks`: it stands under a key that says "tasks". `name`: of the field, where that names a task.
  void read(const JsonValue& value, bool tasks, std::string_view name = {}) {
    if (value.type == JsonType::array) {
      for (const JsonValue& element : value.parts) read(element, tasks);
    } else if (value.type == JsonType::object) {
      read_object(value, tasks, name);
    }
  }

 private:
  struct Named {
    std::vector<Token> tokens;
    IdList ids;
  };

  /// The tasks that this text names and says nothing else of.
  Named named(std::string_view text, bool numbers) const {
    Named found;
    if (text.empty() || text.size() > kLongestName) return found;
    const TaskNames::Entry* entry = names_.find(text);
    if (entry == nullptr && base::all_digits(text)) entry = names_.numbered(text);
    if (entry != nullptr) {
      if (!numbers && (entry->kind == IdKind::number || base::all_digits(text))) return found;
      Token& token = found.tokens.emplace_back();
      token.kind = Token::Kind::id;
      token.entry = entry;
      token.tasks = entry->one();
      token.text = std::string(text);
      token.line = line_;
      found.ids.end = 1;
      return found;
    }
    found.tokens = tokens_of(text, line_, names_).tokens;
    found.ids = leading_ids(found.tokens, names_);
    const bool whole = found.ids.end == found.tokens.size();
    if (found.ids.empty() || taken_back(found.tokens, found.ids) ||
        !(whole || plain_entry(found.tokens, found.ids, names_, false)))
      found.ids = {};
    return found;
  }

  bool says_done_value(const JsonValue& value) const {
    if (value.type != JsonType::string || value.text.size() > kLongestStatus) return false;
    constexpr WordClass kDone = word::kPlainDone | word::kDoneAfter;
    const WordClass classes = word_class(base::to_lower(value.text));
    if (classes != 0) return (classes & kDone) == kDone && (classes & word::kOpen) == 0;
    const std::vector<Token> tokens = tokens_of(value.text, line_, names_).tokens;
    return says_done(tokens) && std::any_of(tokens.begin(), tokens.end(), [](const Token& token) {
             return token.kind == Token::Kind::good || token.is(word::kPlainDone);
           });
  }

  void add(const Named& task) {
    if (!task.ids.empty()) assertions_.add(task.tokens, task.ids);
  }

  void read_object(const JsonValue& object, bool tasks, std::string_view name) {
    Named task;
    bool strong = false, has_status = false, done = true, left = false, yes = false;
    if (!name.empty()) task = named(name, tasks);
    for (const JsonValue& value : object.parts) {
      const JsonKey says = key_of(value.key);
      const bool text = value.type == JsonType::string || value.type == JsonType::number;
      if (says.names && text && (task.ids.empty() || (says.strong && !strong))) {
        Named found = named(value.text, says.task || tasks);
        if (!found.ids.empty()) task = std::move(found);
        strong = strong || says.strong;
      }
      if (says.status) {
        has_status = true;
        done = done && says_done_value(value);
      } else if (says.done && value.type == JsonType::boolean) {
        yes = true;
        done = done && value.yes;
      } else if (says.open && !names_tasks(value)) {
        left = left || !empty_value(value);
      }
    }
    if (!task.ids.empty()) {
      if ((has_status || yes) && done && !left) add(task);
      // Of a task, "completed": [...] says which parts are.
      return;
    }
    for (const JsonValue& value : object.parts) read_field(value, tasks);
  }

  void read_field(const JsonValue& value, bool tasks) {
    const std::string& key = value.key;
    const JsonKey says = key_of(key);
    if (says.done) return read_done(value, says.task);
    if (says.aside || says.open) return;
    const bool names_task = !named(key, tasks).ids.empty() && names_.find(key) != nullptr &&
                            (tasks || names_.find(key)->kind == IdKind::code);
    if (names_task && says_done_value(value)) return add(named(key, tasks));
    if (value.type == JsonType::object || value.type == JsonType::array)
      read(value, says.task, names_task ? std::string_view(key) : std::string_view());
  }

  /// What stands under "completed".
  void read_done(const JsonValue& value, bool tasks) {
    if (value.type == JsonType::string) add(named(value.text, tasks));
    if (value.type != JsonType::array) return;
    for (const JsonValue& element : value.parts) {
      if (element.type == JsonType::string || element.type == JsonType::number)
        add(named(element.text, tasks));
      if (element.type == JsonType::object) read_done_object(element, tasks);
    }
  }

  void read_done_object(const JsonValue& object, bool tasks) {
    Named task;
    bool open = false;
    for (const JsonValue& value : object.parts) {
      const JsonKey says = key_of(value.key);
      if (says.names && (task.ids.empty() || says.strong)) {
        if (Named found = named(value.text, says.task || tasks); !found.ids.empty()) task = std::move(found);
      }
      open = open || (says.status && !says_done_value(value)) ||
             (says.done && value.type == JsonType::boolean && !value.yes) ||
             (says.open && !empty_value(value) && !names_tasks(value));
    }
    if (!open) add(task);
  }

  /// Other tasks, and nothing of this one.
  bool names_tasks(const JsonValue& value) const {
    if (value.type == JsonType::string) return !named(value.text, true).ids.empty();
    return value.type == JsonType::array && !value.parts.empty() &&
           std::all_of(value.parts.begin(), value.parts.end(),
                       [&](const auto& element) { return !named(element.text, true).ids.empty(); });
  }

  std::size_t line_;
  const TaskNames& names_;
  AssertionSet& assertions_;
};

}  // namespace

void read_json_report(std::string_view json, std::size_t line, const TaskNames& names,
                      AssertionSet& assertions) {
  while (!base::trimmed(json).empty()) {
    JsonReader in(json);
    JsonTree tree(in);
    JsonValue value;
    if (!tree.read(value) || !tree.complete()) return;
    JsonReport(line, names, assertions).read(value, false);
    json.remove_prefix(in.offset());
  }
}

bool shows_json(const std::vector<Token>& tokens) {
  return std::any_of(tokens.begin(), tokens.end(), [](const Token& token) {
    return one_of(token.text,
                  {"return", "returns", "returned", "response", "responses", "responds", "example", "schema",
                   "format", "payload", "following", "like", "looks", "log", "logs"}) ||
           one_of(token.text,
                  {"contains", "sample", "e.g",     "request",  "body",    "api",     "endpoint", "template",
                   "asked",    "reply",  "expects", "expected", "fixture", "mock",    "input",    "shape",
                   "stores",   "writes", "wrote",   "emits",    "prints",  "printed", "file",     "found"});
  });
}

bool heads_json_report(const std::vector<Token>& tokens) {
  constexpr WordClass kKnown = word::kDoneAfter | word::kDoneBefore | word::kIs | word::kLeft | word::kRight |
                               word::kJoin | word::kTask | word::kFirst | word::kWork | word::kArticle |
                               word::kAll | word::kMine | word::kHeading | word::kAspect;
  bool report = false;
  for (const Token& token : tokens) {
    if (token.kind == Token::Kind::opaque || token.kind == Token::Kind::bad) return false;
    if (token.kind != Token::Kind::word) continue;
    const bool named = one_of(token.text, {"summary", "report", "results", "overview", "bericht",
                                           "ergebnisse", "rapport", "résumé", "resumen", "resumo", "отчёт"});
    report = report || named || token.is(word::kAspect | word::kPlainDone) ||
             (token.is(word::kTask) && token.text.ends_with('s'));
    if (!token.is(kKnown) && !named &&
        !one_of(token.text, {"final", "structured", "json", "machine", "readable"}))
      return false;
  }
  const Section section = section_of(tokens);
  return report && section != Section::open && section != Section::about && !shows_json(tokens);
}

std::size_t json_end(std::string_view text) {
  const bool list = text.starts_with('[') && base::trimmed(text.substr(1)).starts_with('{');
  if (!text.starts_with('{') && !list) return 0;
  JsonReader in(text);
  return in.skip() ? in.offset() : 0;
}

}  // namespace plankeep::core
