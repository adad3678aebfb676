#include "markdown/import_prd.hpp"

#include <algorithm>
#include <limits>

#include "base/json_reader.hpp"
#include "base/slug.hpp"
#include "base/text.hpp"
#include "base/utf8.hpp"
#include "markdown/generated_ids.hpp"
#include "markdown/marker.hpp"
#include "markdown/parse_plan.hpp"

namespace plankeep::markdown {
namespace {

using base::ErrorKind;
using base::JsonReader;
using base::JsonType;
using base::Result;
using base::Status;

constexpr std::size_t kMostNotes = 20;

struct Story {
  std::string id;
  std::string title;
  std::string description;
  std::string notes;
  std::vector<std::string> criteria;
  double priority = std::numeric_limits<double>::infinity();
  bool passes = false;
};

struct Check {
  std::string name;
  std::string command;
};

struct Prd {
  std::string project;
  std::string description;
  std::string branch;
  std::vector<Check> checks;
  std::vector<Story> stories;
  bool has_stories = false;
};

// On one line, without what no terminal and no editor should get.
std::string one_line(std::string_view text) {
  return fold_space(base::printable(text));
}

bool is_alphanumeric(char c) {
  return base::is_digit(c) || base::is_letter(c);
}

// Backslashes in front of whatever Markdown or HTML could take for more than text.
std::string escaped(std::string_view text) {
  constexpr std::string_view kAlways = "\\`*[]<>~";
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    const bool in_word =
        i > 0 && i + 1 < text.size() && is_alphanumeric(text[i - 1]) && is_alphanumeric(text[i + 1]);
    bool escape = kAlways.find(c) != std::string_view::npos || (c == '_' && !in_word) ||
                  (c == '&' && i + 1 < text.size() && (is_alphanumeric(text[i + 1]) || text[i + 1] == '#'));
    // Where a line begins: lists, headings, rules, quotes, underlines, fences.
    if (i == 0) escape = escape || std::string_view("-+=#:").find(c) != std::string_view::npos;
    const bool numbered = (c == '.' || c == ')') && i > 0 && text.find_first_not_of("0123456789") == i;
    // The end of a heading.
    const bool closing = c == '#' && text.find_first_not_of('#', i) == std::string_view::npos;
    if (escape || numbered || closing) result += '\\';
    result += c;
  }
  return result;
}

class Reader {
 public:
  Reader(std::string_view json, std::vector<std::string>& notes) : in_(json), notes_(notes) {}

  Result<Prd> read() {
    TRY(in_.object([this](std::string_view key) -> Status {
      if (key == "project") return text(prd_.project);
      if (key == "description") return text(prd_.description);
      if (key == "branchName") return text(prd_.branch);
      if (key == "verificationCommands") return checks();
      if (key == "userStories") return stories();
      return unknown(std::string(key));
    }));
    TRY(in_.end());
    return std::move(prd_);
  }

 private:
  Status text(std::string& value) {
    bool present = false;
    return in_.string_or_null(value, present);
  }

  Status unknown(const std::string& path) {
    notes_.push_back("\"" + path + "\" is unknown and was ignored");
    return in_.skip();
  }

  Status checks() {
    if (in_.peek() == JsonType::null) return in_.skip();
    return in_.object([this](std::string_view key) -> Status {
      Check check{std::string(key), {}};
      TRY(in_.string(check.command));
      prd_.checks.push_back(std::move(check));
      return {};
    });
  }

  Status stories() {
    prd_.has_stories = true;
    prd_.stories.clear();
    return in_.array([this]() -> Status {
      Story story;
      TRY(in_.object([&](std::string_view key) -> Status {
        if (key == "id") return id(story.id);
        if (key == "title") return text(story.title);
        if (key == "description") return text(story.description);
        if (key == "notes") return text(story.notes);
        if (key == "acceptanceCriteria") return criteria(story);
        if (key == "priority") return in_.peek() == JsonType::null ? in_.skip() : in_.number(story.priority);
        if (key == "passes") return in_.boolean(story.passes);
        return unknown("userStories[" + std::to_string(prd_.stories.size()) + "]." + std::string(key));
      }));
      prd_.stories.push_back(std::move(story));
      return {};
    });
  }

  // Numbers serve as ids too.
  Status id(std::string& value) {
    if (in_.peek() != JsonType::number) return text(value);
    std::string_view raw;
    TRY(in_.raw(raw));
    value = raw;
    return {};
  }

  Status criteria(Story& story) {
    if (in_.peek() == JsonType::null) return in_.skip();
    story.criteria.clear();
    return in_.array([this, &story]() -> Status {
      std::string criterion;
      TRY(in_.string(criterion));
      story.criteria.push_back(std::move(criterion));
      return {};
    });
  }

  JsonReader in_;
  std::vector<std::string>& notes_;
  Prd prd_;
};

class Writer {
 public:
  Writer(const Prd& prd, std::string_view name, ImportedPlan& plan) : prd_(prd), name_(name), plan_(plan) {}

  void write() {
    std::vector<const Story*> order;
    order.reserve(prd_.stories.size());
    for (const Story& story : prd_.stories) {
      order.push_back(&story);
      if (is_id(story.id)) wanted_.reserve(story.id);
    }
    std::stable_sort(order.begin(), order.end(),
                     [](const Story* a, const Story* b) { return a->priority < b->priority; });
    const std::string project = one_line(prd_.project);
    std::string& text = plan_.text;
    text = "# " + escaped(project.empty() ? one_line(name_) : project) + "\n";
    paragraph("", prd_.description);
    paragraph("Branch: ", prd_.branch);
    for (const Story* story : order) write(*story);
    write_checks();
  }

  const std::vector<std::string>& titles() const { return titles_; }

 private:
  void paragraph(std::string_view label, std::string_view words) {
    const std::string line = one_line(words);
    if (!line.empty()) plan_.text += "\n" + std::string(label) + escaped(line) + "\n";
  }

  void note(std::string text) { plan_.notes.push_back(std::move(text)); }

  // The story's own id where it can be one and nobody had it before.
  std::string id_of(const Story& story, const std::string& title) {
    std::string id = story.id;
    if (!is_id(id)) {
      id = wanted_.take(base::slug(id.empty() ? title : id, "story"));
      if (story.id.empty()) {
        note("a story without an id was named " + id);
      } else {
        note("\"" + one_line(story.id) + "\" is not a valid id: the story was named " + id);
      }
      return id;
    }
    if (used_.take(id) == id) return id;
    std::string fresh = wanted_.take(id);
    note("the id " + id + " appears twice: the second story was named " + fresh);
    return fresh;
  }

  void box(bool done, const std::string& title, const std::string& marker) {
    plan_.text +=
        std::string("- [") + (done ? 'x' : ' ') + "] " + escaped(title) + " <!-- " + marker + " -->\n";
    titles_.push_back(title);
  }

  void write(const Story& story) {
    std::string title = one_line(story.title);
    if (title.empty()) title = one_line(story.description);
    if (title.empty()) title = one_line(story.id);
    const std::string id = id_of(story, title);
    if (title.empty()) title = id;
    plan_.text += "\n## " + id + ": " + escaped(title) + "\n<!-- CHECKPOINT: " + id + " -->\n";
    if (!story.title.empty()) paragraph("", story.description);
    paragraph("Notes: ", story.notes);
    plan_.text += "\n";
    box(story.passes, title, "TASK: " + id);
    ++plan_.tasks;
    plan_.done += story.passes ? 1 : 0;
    std::size_t number = 0;
    for (const std::string& criterion : story.criteria) {
      ++number;
      const std::string words = one_line(criterion);
      if (words.empty()) {
        note("criterion " + std::to_string(number) + " of " + id + " is empty and was ignored");
        continue;
      }
      box(story.passes, words, "ACCEPT: " + id + "-" + std::to_string(number));
      ++plan_.criteria;
    }
  }

  void write_checks() {
    std::string text;
    UniqueIds ids;
    for (const Check& check : prd_.checks) {
      const std::string command = fold_space(check.command);
      const std::string id = ids.take(base::slug(check.name, "check"));
      const std::string inside = " ACCEPT: " + id + " | verify: " + command + " ";
      const MarkerReading reading = read_marker(inside);
      const bool kept = !command.empty() && command.find("-->") == std::string::npos &&
                        base::printable(command) == command &&
                        reading.result == MarkerReading::Result::marker && reading.verify == command;
      if (!kept) {
        note("the command of \"" + one_line(check.name) + "\" cannot be put in a marker and was ignored");
        continue;
      }
      if (text.empty()) {
        // A story of that name would be the same phase.
        plan_.text += "\n## Checks\n<!-- CHECKPOINT: " + used_.take("checks") + " -->\n\n";
      }
      const std::string title = one_line(check.name).empty() ? id : one_line(check.name);
      text = title;
      box(false, title, inside.substr(1, inside.size() - 2));
      ++plan_.criteria;
    }
  }

  const Prd& prd_;
  std::string_view name_;
  ImportedPlan& plan_;
  UniqueIds used_;    // ids of stories as they were given
  UniqueIds wanted_;  // all of them, and those that we give
  std::vector<std::string> titles_;
};

// The plan must say what the file says, whatever stands in it.
Status check(const ImportedPlan& imported, const std::vector<std::string>& titles) {
  TRY_ASSIGN(const core::Plan plan, parse_plan(imported.text));
  std::size_t tasks = 0;
  std::size_t done = 0;
  std::size_t criteria = 0;
  std::vector<std::string> read;
  for (const core::Phase& phase : plan.phases) {
    for (const core::Task& task : phase.tasks) {
      ++tasks;
      done += task.done() ? 1 : 0;
      read.push_back(task.title);
    }
    for (const core::Criterion& criterion : phase.acceptance) {
      ++criteria;
      read.push_back(criterion.title);
    }
  }
  const bool errors = !core::error_lines(plan.diagnostics).empty();
  if (errors || tasks != imported.tasks || done != imported.done || criteria != imported.criteria ||
      read != titles || !plan.decisions.empty() || !plan.blockers.empty()) {
    return base::fail(ErrorKind::conflict, "the stories cannot be written as an equivalent plan",
                      "do they contain unusual text? please report this to the plankeep project");
  }
  return {};
}

}  // namespace

Result<ImportedPlan> import_prd(std::string_view json, std::string_view name) {
  constexpr std::string_view kUtf8Mark = "\xEF\xBB\xBF";
  if (json.starts_with(kUtf8Mark)) json.remove_prefix(kUtf8Mark.size());
  ImportedPlan imported;
  auto prd = Reader(json, imported.notes).read();
  if (!prd) {
    base::Error error = std::move(prd.error());
    error.kind = ErrorKind::invalid_input;
    error.message = std::string(name) + ": " + error.message;
    error.hint =
        "expected { \"userStories\": [ { \"id\", \"title\", \"acceptanceCriteria\", \"passes\" } ] }";
    return base::fail(std::move(error));
  }
  if (!prd->has_stories) {
    return base::fail(ErrorKind::invalid_input, std::string(name) + ": \"userStories\" is missing");
  }
  if (prd->stories.empty()) {
    return base::fail(ErrorKind::invalid_input, "\"userStories\" is empty: there is nothing to import");
  }
  Writer writer(*prd, name, imported);
  writer.write();
  TRY(check(imported, writer.titles()));
  if (imported.notes.size() > kMostNotes) {
    const std::size_t more = imported.notes.size() - kMostNotes;
    imported.notes.resize(kMostNotes);
    imported.notes.push_back("and " + std::to_string(more) + " more remarks of this kind");
  }
  return imported;
}

}  // namespace plankeep::markdown
