#include "rules/listing/found_authors.hpp"

#include <catch2/catch.hpp>
#include <string>

using namespace plankeep;
using namespace plankeep::core;
using base::Instant;

TEST_CASE("a history is told with the authors that were found later") {
  const auto event = [](EventKind kind, std::int64_t time, const char* task, const char* by) {
    Event made;
    made.kind = kind;
    made.time = Instant{time};
    made.task = TaskId(task);
    made.by = by;
    if (kind == EventKind::task_attributed) made.from = "external";
    return made;
  };
  const auto told = [](const std::vector<Event>& events) {
    std::string text;
    for (const Event& one : with_authors(events))
      text += std::string(name_of(one.kind)) + " " + one.task.text + " " + one.by + "\n";
    return text;
  };
  using enum EventKind;
  const Event mismatch = event(checksum_mismatch, 1, "", "");
  const Event done = event(task_completed, 1, "a", "external");
  const Event other = event(task_completed, 1, "b", "external");
  const Event found = event(task_attributed, 2, "a", "main");
  CHECK(told({mismatch, done, found}) == "task_completed a main\n");
  CHECK(told({mismatch, done, other, found}) ==
        "checksum_mismatch  \ntask_completed a main\ntask_completed b external\n");
  CHECK(told({mismatch, done, event(phase_completed, 1, "", ""), found}) ==
        "task_completed a main\nphase_completed  \n");
  CHECK(told({mismatch, done}) == "checksum_mismatch  \ntask_completed a external\n");
  // An edit of the text alone, and a later one.
  CHECK(told({mismatch}) == "checksum_mismatch  \n");
  CHECK(told({mismatch, done, found, event(checksum_mismatch, 3, "", "")}) ==
        "task_completed a main\nchecksum_mismatch  \n");
  // What was done before this part of the history begins is only attributed in it.
  CHECK(told({found}) == "task_attributed a main\n");
  CHECK(told({done, event(task_reopened, 2, "a", "main"), event(task_attributed, 3, "a", "main")}) ==
        "task_completed a external\ntask_reopened a main\ntask_attributed a main\n");
  CHECK(told({event(task_completed, 1, "a", "subagent:x"), found}) ==
        "task_completed a subagent:x\ntask_attributed a main\n");
}
