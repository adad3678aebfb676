// The words of a notice: whatever is shortened, what became of the tasks is said.
#include "rules/notice.hpp"

#include <catch2/catch.hpp>

using namespace plankeep::core;
using Catch::EndsWith;

namespace {

std::vector<std::string> long_names(int count) {
  std::vector<std::string> names;
  for (int i = 1; i <= count; ++i)
    names.push_back(
        task_name(TaskId("TSK-0" + std::to_string(i)),
                  "Implement the payment provider's callback and its signature check for refunds"));
  return names;
}

}  // namespace

TEST_CASE("a notice names tasks with their titles where there is room") {
  CHECK(tasks_reopened({"T1 (one)", "T2 (two)"}).text ==
        "tasks T1 (one), T2 (two) were done and have been reopened");
  CHECK(tasks_reopened(long_names(1)).text ==
        "task TSK-01 (Implement the payment provider's callback and its signature…) was done and has been "
        "reopened");
}

TEST_CASE("a word at the front of a title that happens to be the id is no number") {
  CHECK(criterion_name(CriterionId("quick"), "quick enough") == "quick (quick enough)");
  CHECK(task_name(TaskId("T1"), "T1 - Create the schema") == "T1 (Create the schema)");
  CHECK(task_name(TaskId("T1"), "T1: Create the schema") == "T1 (Create the schema)");
  CHECK(task_name(TaskId("2"), "2. Ship it") == "2 (Ship it)");
  CHECK(task_name(TaskId("2"), "2 players") == "2 (2 players)");
  CHECK(task_name(TaskId("2-2"), "2. Ship it") == "2-2 (2. Ship it)");
  CHECK(task_name(TaskId("T1"), "T1") == "T1");
  CHECK(task_name(TaskId("ship-it"), "Ship it") == "ship-it");
}

TEST_CASE("long titles give way to what is said of their tasks") {
  CHECK(
      tasks_reopened(long_names(7)).text ==
      "tasks TSK-01 (Implement the payment…), TSK-02 (Implement the payment…), TSK-03 (Implement the "
      "payment…), TSK-04 (Implement the payment…), TSK-05 (Implement the payment…) and 2 more were done and "
      "have been reopened");
  // A short name leaves its room to the others.
  CHECK(criteria_removed({"A", "B", "C", "D", long_names(1).front()}).text ==
        "criteria A, B, C, D, TSK-01 (Implement the payment provider's callback and its signature…) are no "
        "longer in the plan");
  const std::string endless(5000, 'x');
  for (const std::string& text : {
           tasks_reopened({endless, endless + " (title)", "T3 (" + endless + ")", endless, endless, endless})
               .text,
           criteria_unmet({endless, endless}).text,
           done_before_dependency(long_names(6), long_names(6)).text,
           task_renamed(TaskId(endless), endless).text,
           phase_completed(PhaseId(endless), {}).text,
           phase_reopened(PhaseId("p"), endless).text,
       }) {
    CAPTURE(text);
    CHECK(text.size() < 320);
  }
  CHECK_THAT(tasks_removed({endless, endless}, 9).text, EndsWith("are no longer in the plan"));
  CHECK_THAT(phase_completed(PhaseId("p"), endless).text, EndsWith("is complete"));
}
