// What holds for every message: the judgement's verdicts on real ones stand in tests/cases/audit.

#include <rapidcheck.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "audit/audit.hpp"
#include "audit/claimed_work.hpp"

using namespace plankeep::core;

namespace {

std::vector<AuditTask> some_tasks() {
  std::vector<AuditTask> tasks;
  const auto add = [&](const char* id, const char* title, const char* phase, const char* phase_title) {
    AuditTask& task = tasks.emplace_back();
    task.id = TaskId(id);
    task.title = title;
    task.phase = PhaseId(phase);
    task.phase_title = phase_title;
  };
  add("T1", "Skeleton", "p1", "Phase 1: Setup");
  add("T2", "Add config loader", "p1", "Phase 1: Setup");
  add("T10", "Write unit tests for the loader", "p1", "Phase 1: Setup");
  add("setup", "Setup", "p2", "Phase 2: Core");
  add("auth-login", "Auth login", "p2", "Phase 2: Core");
  add("1.2", "Choose a license", "p2", "Phase 2: Core");
  add("\u5b9e\u73b0\u767b\u5f55", "\u5b9e\u73b0\u767b\u5f55", "p2", "Phase 2: Core");
  return tasks;
}

/// Messages that are nearly sentences: what the patterns look for, in any order.
std::string random_message() {
  const std::vector<std::string> pieces = {"T1",
                                           "T2",
                                           "T10",
                                           "T3",
                                           "`setup`",
                                           "setup",
                                           "auth-login",
                                           "1.2",
                                           "p1/T2",
                                           "T1-T10",
                                           "T1 to T2",
                                           "done",
                                           "is",
                                           "complete",
                                           "Completed",
                                           "finished",
                                           "implemented",
                                           "not",
                                           "will be",
                                           "once",
                                           "but",
                                           "and",
                                           ",",
                                           ".",
                                           ":",
                                           ";",
                                           "?",
                                           "(",
                                           ")",
                                           "[",
                                           "]",
                                           "-",
                                           "\u2014",
                                           "\u2705",
                                           "\u274c",
                                           "- [x] ",
                                           "- [ ] ",
                                           "- ",
                                           "1. ",
                                           "## ",
                                           "**",
                                           "`",
                                           "~~",
                                           "\"",
                                           "\n",
                                           "\n\n",
                                           "\r\n",
                                           "> ",
                                           "| ",
                                           "|---|---|\n",
                                           "all tasks",
                                           "phase 1",
                                           "task",
                                           "Remaining",
                                           "Status",
                                           "<!-- TASK: T1 -->",
                                           "<!--",
                                           "plankeep done T1",
                                           "\n```json\n{\"task\": \"T2\", \"status\": \"done\"}\n```\n",
                                           "{\"task\": \"T1\", \"status\": \"done\"}",
                                           "{\"completed\": [\"T1\", {\"id\": \"T2\"}]}",
                                           "{\"T1\": ",
                                           "}",
                                           "{",
                                           "all subtasks of T1",
                                           "and its subtasks",
                                           "$ plankeep status\n",
                                           "ran",
                                           "\u5df2\u5b8c\u6210",
                                           "\u672a\u5b8c\u6210",
                                           "\u5b9e\u73b0\u767b\u5f55",
                                           "\u3092\u5b8c\u4e86\u3057\u307e\u3057\u305f",
                                           "Add config loader",
                                           "    ",
                                           "\t",
                                           "x/y",
                                           "https://a/T1",
                                           "100%",
                                           "2 of 3",
                                           "except T1",
                                           "everything",
                                           "the task",
                                           "reverted",
                                           "says",
                                           "50%",
                                           "\x1b[1m",
                                           "\xff"};
  std::string message;
  const auto count = *rc::gen::inRange<std::size_t>(0, 60);
  for (std::size_t i = 0; i < count; ++i) {
    message += pieces[*rc::gen::inRange<std::size_t>(0, pieces.size())];
    if (*rc::gen::inRange(0, 4) > 0) message += ' ';
  }
  return message;
}

std::vector<std::string> ids_of(const std::vector<Assertion>& assertions) {
  std::vector<std::string> ids;
  for (const Assertion& assertion : assertions) ids.push_back(assertion.id);
  std::sort(ids.begin(), ids.end());
  return ids;
}

void check_assertions(const std::string& message, const std::vector<AuditTask>& tasks) {
  const std::vector<Assertion> assertions = find_assertions(message, tasks);
  const auto lines = static_cast<std::size_t>(std::count_if(message.begin(), message.end(),
                                                            [](char c) { return c == '\n' || c == '\r'; })) +
                     1;
  bool unknown = false;
  std::size_t next = 0;
  for (const Assertion& assertion : assertions) {
    RC_ASSERT(assertion.line >= 1 && assertion.line <= lines);
    if (assertion.task) {
      RC_ASSERT(!unknown);
      RC_ASSERT(*assertion.task >= next && *assertion.task < tasks.size());
      RC_ASSERT(assertion.id == tasks[*assertion.task].id.text);
      next = *assertion.task + 1;
    } else {
      unknown = true;
      RC_ASSERT(message.find(assertion.id) != std::string::npos);
      RC_ASSERT(std::none_of(tasks.begin(), tasks.end(),
                             [&](const AuditTask& task) { return task.id.text == assertion.id; }));
    }
  }
}

constexpr std::size_t kHostileBytes = std::size_t{16} << 10;

constexpr const char* kPlanInAFence =
    "\n\n````markdown\n# Plan\n- [x] T1 Skeleton <!-- TASK: T1 -->\n- [x] T2 Add config loader\n- [ ] T10 "
    "Write "
    "unit tests for the loader\nCompleted: setup\n````\n";

}  // namespace

TEST_CASE("claims of any message are tasks of the plan, each once, in its order, on lines of the message") {
  CHECK(rc::check("sentences", [] { check_assertions(random_message(), some_tasks()); }));
  CHECK(rc::check("bytes", [] {
    const auto bytes = *rc::gen::arbitrary<std::string>();
    check_assertions(bytes, some_tasks());
    check_assertions(bytes, {});
  }));
}

TEST_CASE("a quote of the plan in a fence at the end adds no claim and takes none away") {
  CHECK(rc::check("quote", [] {
    const std::string message = random_message();
    RC_ASSERT(find_assertions(message + kPlanInAFence, some_tasks()) ==
              find_assertions(message + "\n\n", some_tasks()));
  }));
}

TEST_CASE("line ends of every kind read alike") {
  CHECK(rc::check("line ends", [] {
    const std::string message = random_message();
    std::string unix_text, dos_text;
    for (const char c : message) {
      if (c == '\r') continue;
      unix_text += c;
      dos_text += c == '\n' ? "\r\n" : std::string(1, c);
    }
    RC_ASSERT(find_assertions(unix_text, some_tasks()) == find_assertions(dos_text, some_tasks()));
  }));
}

TEST_CASE("what is claimed depends neither on the order of the plan nor on what is ticked") {
  CHECK(rc::check("order", [] {
    const std::string message = random_message();
    std::vector<AuditTask> tasks = some_tasks();
    const auto ids = ids_of(find_assertions(message, tasks));
    std::rotate(tasks.begin(), tasks.begin() + *rc::gen::inRange(0, 7), tasks.end());
    for (AuditTask& task : tasks) task.done = *rc::gen::arbitrary<bool>();
    RC_ASSERT(ids_of(find_assertions(message, tasks)) == ids);
  }));
}

TEST_CASE(
    "an audit sorts every claim into confirmed, unverified or unknown, and tells ticks that were not "
    "claimed") {
  CHECK(rc::check("audit", [] {
    const std::string message = random_message();
    std::vector<AuditTask> tasks = some_tasks();
    for (AuditTask& task : tasks) {
      task.done = *rc::gen::arbitrary<bool>();
      task.done_by_this_agent = task.done && *rc::gen::arbitrary<bool>();
    }
    const Audit audit = audit_message(message, tasks);
    const std::vector<Assertion> assertions = find_assertions(message, tasks);
    RC_ASSERT(audit.confirmed.size() + audit.unverified.size() + audit.unknown.size() == assertions.size());
    for (const AuditTask& task : tasks) {
      const auto in = [&](const std::vector<TaskId>& ids) {
        return std::count(ids.begin(), ids.end(), task.id);
      };
      const bool asserted = std::any_of(
          assertions.begin(), assertions.end(),
          [&](const Assertion& assertion) { return assertion.task && assertion.id == task.id.text; });
      RC_ASSERT(in(audit.confirmed) == (asserted && task.done ? 1 : 0));
      RC_ASSERT(in(audit.unverified) == (asserted && !task.done ? 1 : 0));
      RC_ASSERT(in(audit.unasserted) == (!asserted && task.done_by_this_agent ? 1 : 0));
    }
  }));
}

TEST_CASE("a clean audit has nothing unverified, ids that the plan does not have are told apart") {
  std::vector<AuditTask> tasks = some_tasks();
  tasks[0].done = tasks[1].done = tasks[1].done_by_this_agent = true;
  const Audit good = audit_message("T1 is done.", tasks);
  CHECK(good.clean());
  CHECK(good.confirmed == std::vector<TaskId>{TaskId("T1")});
  CHECK(good.unasserted == std::vector<TaskId>{TaskId("T2")});
  CHECK_FALSE(audit_message("T10 is done.", tasks).clean());
  const Audit unknown = audit_message("T4 is done.", tasks);
  CHECK(unknown.clean());
  CHECK(unknown.unverified.empty());
  CHECK(unknown.unknown == std::vector<std::string>{"T4"});
}

TEST_CASE(
    "of a message longer than is looked at, both ends count, and lines are those of the whole message") {
  const std::vector<AuditTask> tasks = some_tasks();
  std::string message = "T1 is done. I created `src/a.ts`.\n\n```\n";
  std::size_t lines = 3;
  const auto pad = [&](std::size_t bytes) {
    while (message.size() <= bytes) {
      message += "Nothing to see on this line of the log.\n";
      ++lines;
    }
  };
  pad(kAuditedHead + 100);
  message += "T3 is done.\n";
  ++lines;
  pad(kAuditedHead + kAuditedTail + 200);
  message += "\nT2 is done. I created `src/b.ts`. All tests pass.\n";
  CHECK(find_assertions(message, tasks) == std::vector<Assertion>{{"T1", 0, 1}, {"T2", 1, lines + 2}});
  const ClaimedWork work = claimed_work(message);
  CHECK(work.files == std::vector<ClaimedFile>{{"src/a.ts", true}, {"src/b.ts", true}});
  CHECK(work.tests == TestsClaim::all);
  // Without a line end, and with other line ends.
  CHECK(find_assertions("T1 is done. " + std::string(300000, 'x') + " T2 is done.", tasks).size() == 2);
}

TEST_CASE("a title that leads with an id names its task") {
  std::vector<AuditTask> tasks(4);
  const std::vector<std::string> titles = {"T1: Create the schema", "**T2** Write the migration", "S3 upload",
                                           "T1.1 - Fill the schema"};
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    tasks[i].id = TaskId("task-" + std::string(1, static_cast<char>('a' + i)));
    tasks[i].title = titles[i];
  }
  const auto assertions = [&](const std::string& message) { return ids_of(find_assertions(message, tasks)); };
  CHECK(assertions("T1 is complete.") == std::vector<std::string>{"task-a"});
  CHECK(assertions("t2 is complete.") == std::vector<std::string>{"task-b"});
  CHECK(assertions("T1.1 is complete.") == std::vector<std::string>{"task-d"});
  CHECK(assertions("S3 is complete.").empty());  // nothing says that it is a name
  tasks[1].title = "T1: Twice";
  CHECK(assertions("T1 is complete.").empty());  // which one?
  tasks[1].id = TaskId("T1");
  CHECK(assertions("T1 is complete.") == std::vector<std::string>{"T1"});  // an id goes before titles
}

TEST_CASE("an id that stands in two phases means one that is ticked, where there is any") {
  std::vector<AuditTask> tasks(2);
  tasks[0].id = tasks[1].id = TaskId("T001");
  tasks[0].phase = PhaseId("p1");
  tasks[1].phase = PhaseId("p2");
  CHECK(audit_message("T001 is done", tasks).unverified.size() == 1);
  tasks[1].done = true;
  CHECK(audit_message("T001 is done", tasks).clean());
  CHECK(audit_message("p1/T001 is done", tasks).unverified == std::vector<TaskId>{TaskId("T001")});
  CHECK(audit_message("p2/T001 is done", tasks).clean());
}

// Why this takes time linear in the message stands where it is so: what looks around a token is bounded
// (unit_judge.hpp), a search that fails is remembered (message_scanner.hpp), sets of tasks are walked once
// (claim_set.hpp). Here are the messages that broke a draft of it.
TEST_CASE("hostile messages and prompts are read to their end") {
  std::vector<AuditTask> tasks = some_tasks();
  for (int i = 100; i < 1100; ++i) {
    AuditTask& task = tasks.emplace_back();
    task.id = TaskId("T" + std::to_string(i));
    task.title = "One more thing of the many things " + std::to_string(i);
    task.phase = PhaseId("p3");
  }
  const std::vector<std::string> pieces = {"`",
                                           "``` ",
                                           "`a``",
                                           "[",
                                           "](",
                                           "<a",
                                           "<!--",
                                           "~~",
                                           "**",
                                           "(",
                                           "((T1) done ",
                                           ") done",
                                           "T1, ",
                                           "T1 and ",
                                           "T1 - ",
                                           "done ",
                                           "done T1 ",
                                           "not ",
                                           "\u2705",
                                           "\u2705 T1 ",
                                           "T1 \u2705 ",
                                           "T100-T1099, ",
                                           "phase p3 is done. ",
                                           "all tasks except T100 to T1099 are done. ",
                                           "except those after T1 ",
                                           "apart from T1, ",
                                           "all tasks up to T1 ",
                                           "T1 remains. ",
                                           "1.1 % ",
                                           "\u2714\ufe0f",
                                           "all tasks ",
                                           "all ",
                                           "ran `plankeep done T1` ",
                                           "the ",
                                           "\"T1 done\" ",
                                           "- ",
                                           "> ",
                                           "| ",
                                           "|\n",
                                           "#",
                                           "-",
                                           ".",
                                           "..",
                                           "T1-",
                                           "T1.",
                                           "/",
                                           "T1/",
                                           "a/b",
                                           "\"",
                                           ", ",
                                           ": ",
                                           "'s",
                                           "\u5b8c\u6210",
                                           "\u5b9e",
                                           "one more thing of the many ",
                                           "task ",
                                           "1.2 ",
                                           "\n",
                                           "\r",
                                           "\\",
                                           "Status: done\n",
                                           "Task: T1\n",
                                           "- [x] T1\n",
                                           "Completed:\n",
                                           "if ",
                                           "but ",
                                           "T1 (",
                                           "T1 (a), ",
                                           "and is done ",
                                           "phase p3 is done except T1. ",
                                           "everything but T1, T2 is done. ",
                                           "2 of 3 ",
                                           "60 % ",
                                           "with the exception of ",
                                           "reverted it ",
                                           "the task is complete. ",
                                           "done (",
                                           "the form (T1) and ",
                                           "(T1) done ",
                                           "(T1), the ",
                                           "setup, ",
                                           "setup and ",
                                           "setup is ",
                                           "finished setup and ",
                                           "both are done ",
                                           "T1 both done ",
                                           "two tasks ",
                                           "all two tasks ",
                                           "Core is done ",
                                           "Core ",
                                           "all of Core ",
                                           "everything is done ",
                                           "except T1 everything is done ",
                                           "1.2 and ",
                                           "1.2 and 1.2 ",
                                           "both phases ",
                                           "section 1 ",
                                           "\u5b9e\u73b0\u767b\u5f55",
                                           "\u5b9e\u73b0",
                                           "1\ubc88\uacfc ",
                                           "in Core ",
                                           "three tasks of phase p3 ",
                                           "form is added (T1) ",
                                           "T1: a. Done. ",
                                           "\"Core\" is done ",
                                           "\xff",
                                           "```\n",
                                           "- [x] `\n"};
  for (const std::string& piece : pieces) {
    INFO(piece);
    std::string message;
    while (message.size() + piece.size() <= kHostileBytes) message += piece;
    const std::vector<Assertion> assertions = find_assertions(message, tasks);
    CHECK(assertions.size() <= tasks.size() + message.size());
    CHECK(named_tasks(message, tasks).size() <= tasks.size());
  }
}
