// "All subtasks of T1 are done" claims what is nested below T1. More stand in tests/cases/audit.

#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "audit/audit.hpp"

using namespace plankeep::core;
using Ids = std::vector<std::string>;

namespace {

AuditTask nested(const char* id, const char* parent, const char* phase = "p1") {
  AuditTask task;
  task.id = TaskId(id);
  task.title = std::string("Make ") + id;
  task.parent = TaskId(parent);
  task.phase = PhaseId(phase);
  return task;
}

Ids claimed(const std::string& message, const std::vector<AuditTask>& tasks) {
  Ids ids;
  for (const Assertion& assertion : find_assertions(message, tasks)) ids.push_back(assertion.id);
  return ids;
}

}  // namespace

TEST_CASE("subtasks are the tasks nested below another, however deep") {
  const std::vector<AuditTask> tasks = {nested("T1", ""),   nested("T2", "T1"), nested("T3", "T2"),
                                        nested("T4", "T1"), nested("T5", ""),   nested("T6", "T5")};
  struct Row {
    const char* message;
    Ids claims;
  };
  const std::vector<Row> rows = {
      {"All subtasks of T1 are done.", {"T2", "T3", "T4"}},
      {"All sub-tasks of T1 are done.", {"T2", "T3", "T4"}},
      {"T1's subtasks are done.", {"T2", "T3", "T4"}},
      {"T1 and all its subtasks are done.", {"T1", "T2", "T3", "T4"}},
      {"T1 is done, including its subtasks.", {"T1", "T2", "T3", "T4"}},
      {"All three subtasks of T1 are done.", {"T2", "T3", "T4"}},
      {"All two subtasks of T1 are done.", {}},
      {"Completed every subtask of T5.", {"T6"}},
      {"All subtasks of T1 except T4 are done.", {"T2", "T3"}},
      {"One of the subtasks of T1 is done.", {}},
      {"Most subtasks of T1 are done.", {}},
      {"No subtasks of T1 are done.", {}},
      {"All subtasks of T1 will be done tomorrow.", {}},
      {"All subtasks of T6 are done.", {}},
      {"T6 and its subtasks are done.", {"T6"}},
  };
  for (const Row& row : rows) {
    INFO(row.message);
    CHECK(claimed(row.message, tasks) == row.claims);
  }
}

TEST_CASE("a parent is sought in its phase, and one that nobody knows is none") {
  std::vector<AuditTask> tasks = {nested("T1", ""), nested("T2", "T1"), nested("T1", "", "p2"),
                                  nested("T3", "T1", "p2"), nested("T4", "T9", "p2")};
  tasks.push_back(nested("T5", "T5", "p2"));
  CHECK(claimed("All subtasks of p1/T1 are done.", tasks) == Ids{"T2"});
  CHECK(claimed("All subtasks of p2/T1 are done.", tasks) == Ids{"T3"});
  CHECK(claimed("All subtasks of T9 are done.", tasks).empty());
  CHECK(claimed("All subtasks of T5 are done.", tasks).empty());
}
