// Final messages in JSON: which values are the agent's own word, and what they claim. More stand in
// tests/cases/audit.

#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "audit/audit.hpp"

using namespace plankeep::core;
using Ids = std::vector<std::string>;

namespace {

std::vector<AuditTask> three_tasks() {
  std::vector<AuditTask> tasks(3);
  const char* const ids[] = {"T1", "T2", "T3"};
  const char* const titles[] = {"Write the schema", "Add the loader", "Draw the form"};
  for (std::size_t i = 0; i < 3; ++i) {
    tasks[i].id = TaskId(ids[i]);
    tasks[i].title = titles[i];
  }
  return tasks;
}

Ids claimed(const std::string& message) {
  Ids ids;
  for (const Assertion& assertion : find_assertions(message, three_tasks())) ids.push_back(assertion.id);
  return ids;
}

}  // namespace

TEST_CASE("JSON that an agent answers with claims what it says is done") {
  struct Row {
    const char* message;
    Ids claims;
  };
  const std::vector<Row> rows = {
      {R"({"task":"T1","status":"done"})", {"T1"}},
      {R"({"status":"Completed","task":"T1"})", {"T1"}},
      {R"({"taskId":"T1","done":true})", {"T1"}},
      {R"({"taskId":"T1","done":false})", {}},
      {R"({"task":"T1","status":"not done"})", {}},
      {R"({"task":"T1","status":"done","done":false})", {}},
      {R"({"task":"T1","status":"done","remaining":["tests"]})", {}},
      {R"({"task":"T1","status":"done","remaining":[]})", {"T1"}},
      {R"({"task":"T1","status":"done","next":"T2"})", {"T1"}},
      {R"({"tasksCompleted":["T1","T3"],"tasksFailed":["T2"]})", {"T1", "T3"}},
      {R"({"completed":["T1: Write the schema"],"todo":["T2"]})", {"T1"}},
      {R"({"completed":[{"id":"T1"},{"id":"T2","status":"open"}]})", {"T1"}},
      {R"({"completed_at":"T1"})", {}},
      {R"({"to_be_completed":["T1"]})", {}},
      {R"({"T1":"done","T2":"open"})", {"T1"}},
      {R"({"result":{"tasks":[{"id":"T2","state":"done"}]}})", {"T2"}},
      {R"({"expected":{"task":"T2","status":"done"}})", {}},
      {R"([{"task":"T1","status":"done"},{"task":"T2","status":"open"}])", {"T1"}},
      {R"({"task":"T1","status":"done")", {}},
      {R"({"task":"T1","status":"done"} is what it sends.)", {}},
  };
  for (const Row& row : rows) {
    INFO(row.message);
    CHECK(claimed(row.message) == row.claims);
    CHECK(claimed("```json\n" + std::string(row.message) + "\n```\n") == row.claims);
  }
}

TEST_CASE("JSON counts where it is the agent's own word") {
  const std::string json = "```json\n{\"task\":\"T1\",\"status\":\"done\"}\n```\n";
  for (const char* head :
       {"", "## Result\n\n", "Status:\n", "Here is the report:\n\n", "The loader is in.\n\n"}) {
    INFO(head);
    CHECK(claimed(head + json) == Ids{"T1"});
  }
  for (const char* head :
       {"The endpoint returns this:\n", "For example:\n", "Fixture:\n\n", "## Next steps\n\n",
        "## Schema\n\n", "A reply looks like the following.\n\n", "- the worker's answer\n\n", "Before:\n"}) {
    INFO(head);
    CHECK(claimed(head + json).empty());
  }
  // Behind prose only as the last word.
  CHECK(claimed("The loader is in.\n\n" + json + "\nSo the job's log says.\n").empty());
  CHECK(claimed("```ts\n{\"task\":\"T1\",\"status\":\"done\"}\n```\n").empty());
}

TEST_CASE("JSON of any depth and size is read in bounds") {
  CHECK(claimed(std::string(100000, '{')).empty());
  CHECK(claimed(std::string(100000, '[') + "{").empty());
  std::string many = "[";
  for (int i = 0; i < 3000; ++i) many += "{\"task\":\"T9\",\"status\":\"open\"},";
  CHECK(claimed(many + "{\"task\":\"T1\",\"status\":\"done\"}]") == Ids{"T1"});
  std::string deep;
  for (int i = 0; i < 200; ++i) deep += "{\"a\":";
  CHECK(claimed(deep + "{\"task\":\"T1\",\"status\":\"done\"}" + std::string(200, '}')).empty());
}
