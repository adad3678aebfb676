// TaskNames skips titles that a text cannot contain. That must not change what is found in the text.

#include "audit/task_names.hpp"

#include <rapidcheck.h>

#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "audit/audit.hpp"
#include "audit/message_tokens.hpp"

using namespace plankeep::core;

namespace {

const std::vector<std::string>& some_words() {
  static const std::vector<std::string> words = {"add",          "the",        "a",
                                                 "config",       "loader",     "Login",
                                                 "page",         "end-to-end", "tests",
                                                 "for",          "it's",       "isn't",
                                                 "T1",           "T2:",        "1.2",
                                                 "setup",        "snake_case", "**parser**",
                                                 "`code`",       "README.md",  "\u5b9e\u73b0\u767b\u5f55",
                                                 "\u767b\u5f55", "na\u00efve", "\u00dcbung",
                                                 "write"};
  return words;
}

std::string title_text(std::size_t most) {
  std::string text;
  const auto count = *rc::gen::inRange<std::size_t>(0, most);
  for (std::size_t i = 0; i < count; ++i) {
    text += *rc::gen::elementOf(some_words());
    if (*rc::gen::inRange(0, 8) > 0) text += ' ';
  }
  return text;
}

std::vector<AuditTask> titled_tasks() {
  std::vector<AuditTask> tasks;
  const auto count = *rc::gen::inRange<std::size_t>(1, 12);
  for (std::size_t i = 0; i < count; ++i) {
    AuditTask& task = tasks.emplace_back();
    task.id =
        TaskId(*rc::gen::elementOf(std::vector<std::string>{"T1", "T2", "t1", "1.2", "setup", "snake_case"}));
    task.title = title_text(20);
    task.phase = PhaseId(i < 6 ? "p1" : "p2");
    task.phase_title = i < 6 ? "Phase 1: Setup" : "Phase 2: Core";
  }
  return tasks;
}

std::vector<std::uint32_t> members(const TaskSet& set) {
  if (set.empty()) return {};
  return {set.list->begin() + set.first, set.list->begin() + set.end};
}

// Contains every word of every title, so that no title is skipped.
std::string with_all_titles(std::string text, const std::vector<AuditTask>& tasks) {
  for (const AuditTask& task : tasks) text += "\n" + task.title + " " + task.phase.text + "/" + task.id.text;
  return text;
}

}  // namespace

TEST_CASE("skipping titles that a text cannot contain does not change what is found in it") {
  CHECK(rc::check([] {
    const std::vector<AuditTask> tasks = titled_tasks();
    std::string text = title_text(12);
    if (*rc::gen::inRange(0, 2) > 0) text += tasks[*rc::gen::inRange<std::size_t>(0, tasks.size())].title;
    text += *rc::gen::elementOf(
        std::vector<std::string>{"", " is done", " and p1/T1, P2/setup are done.", " p1 / T1"});
    const TaskNames few(tasks, text), all(tasks, with_all_titles(text, tasks));
    const UnitTokens found = tokens_of(text, 1, few), expected = tokens_of(text, 1, all);
    RC_ASSERT(found.tokens.size() == expected.tokens.size());
    for (std::size_t i = 0; i < found.tokens.size(); ++i) {
      RC_ASSERT(found.tokens[i].kind == expected.tokens[i].kind);
      RC_ASSERT(found.tokens[i].text == expected.tokens[i].text);
      RC_ASSERT(members(found.tokens[i].tasks) == members(expected.tokens[i].tasks));
    }
  }));
}

TEST_CASE("a title is found by its words, in any letter case and with marks between them") {
  AuditTask task;
  task.id = TaskId("t1");
  task.title = "Add the CONFIG loader, as one of 2";
  const std::string text = "- add **the** config loader; as one of 2";
  const TaskNames names({&task, 1}, text);
  std::uint32_t node = 0;
  for (const char* word : {"add", "the", "config", "loader", "as", "one", "of", "2"})
    node = names.next_node(node, word);
  REQUIRE(node != TaskNames::kNoNode);
  CHECK(names.title_at(node) != nullptr);
  const TaskNames other({&task, 1}, "add the config loader");
  CHECK(other.next_node(0, "add") == TaskNames::kNoNode);
}

TEST_CASE("titles and messages may write marks as characters of their own, or not") {
  const std::string apart = "U\u0308bersicht fu\u0308r Ka\u0308ufer";
  const std::string one = "\u00DCbersicht f\u00FCr K\u00E4ufer";
  for (const std::string& title : {apart, one}) {
    std::vector<AuditTask> tasks(2);
    tasks[0].id = TaskId("ubersicht");
    tasks[0].title = title;
    tasks[1].id = TaskId("other");
    tasks[1].title = "Something else";
    for (const std::string& said : {apart, one}) {
      CAPTURE(title, said);
      const auto found = find_assertions("## Erledigt\n\n- " + said + "\n", tasks);
      REQUIRE(found.size() == 1);
      CHECK(found[0].task == 0);
      CHECK(find_assertions("- [ ] " + said + " ist noch offen", tasks).empty());
    }
  }
}
