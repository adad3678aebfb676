#include "rules/report/report_facts.hpp"

#include <catch2/catch.hpp>
#include <limits>

#include "rules/replay.hpp"

namespace plankeep::core {
namespace {

Event made(EventKind kind, std::int64_t time, const std::string& task = "", const std::string& by = "") {
  Event event;
  event.kind = kind;
  event.time = base::Instant{time};
  event.task = TaskId(task);
  event.phase = PhaseId("P1");
  event.by = by;
  return event;
}

Event first_sight(std::vector<TaskId> tasks) {
  Event event = made(EventKind::checkpoint_created, 0);
  event.phases = {{PhaseId("P1"), PhaseStatus::pending, std::move(tasks), {}, {}, {}}};
  return event;
}

ReportRecorder recorded(const std::vector<Event>& events) {
  ReportRecorder recorder{State{}, {std::numeric_limits<std::int64_t>::max()}};
  for (const Event& event : events) recorder.apply(event);
  return recorder;
}

const ActorFacts* find(const ReportFacts& facts, std::string_view name) {
  for (const ActorFacts& actor : facts.actors) {
    if (actor.name == name) return &actor;
  }
  return nullptr;
}

}  // namespace

TEST_CASE("who did what, what was taken back from them, and which claims were refused") {
  Event attributed = made(EventKind::task_attributed, 30, "B", "subagent:dev");
  attributed.from = "main";
  Event stopped = made(EventKind::subagent_stopped, 40);
  stopped.agent = "a1";
  stopped.agent_type = "dev";
  stopped.unverified = {"C", "D"};
  Event met = made(EventKind::acceptance_met, 50, "", "main");
  Event proven = met;
  proven.evidence = Evidence{};
  const ReportFacts facts = recorded({first_sight({TaskId("A"), TaskId("B"), TaskId("C")}),
                                      made(EventKind::task_completed, 10, "A", "main"),
                                      made(EventKind::task_completed, 20, "B", "main"), attributed, stopped,
                                      met, proven, made(EventKind::task_reopened, 60, "B", "person:ann"),
                                      made(EventKind::task_completed, 70, "C", "main")})
                                .facts();
  REQUIRE(facts.actors.size() == 2);
  const ActorFacts* main = find(facts, "main");
  REQUIRE(main != nullptr);
  CHECK(main->done == 2);
  CHECK(main->taken_back == 0);
  CHECK(main->criteria == 2);
  CHECK(main->proven == 1);
  const ActorFacts* dev = find(facts, "subagent:dev");
  REQUIRE(dev != nullptr);
  CHECK(dev->done == 1);
  CHECK(dev->taken_back == 1);
  CHECK(dev->refused == 2);
  CHECK(facts.events == 9);
}

TEST_CASE("what a branch took away and gave back was not taken back from anybody") {
  Event again = made(EventKind::task_completed, 10, "A", "subagent:dev");
  again.via = kGivenBack;
  Event taken = made(EventKind::task_reopened, 20, "A", "external");
  taken.via = kByGit;
  const std::vector<Event> away{first_sight({TaskId("A"), TaskId("B")}),
                                made(EventKind::task_completed, 10, "A", "subagent:dev"), taken};
  CHECK(find(recorded(away).facts(), "subagent:dev")->taken_back == 1);
  std::vector<Event> back = away;
  back.push_back(again);
  back.insert(back.end(), away.begin() + 2, away.end());
  back.push_back(again);
  const ReportFacts facts = recorded(back).facts();
  CHECK(find(facts, "subagent:dev")->taken_back == 0);
  CHECK(find(facts, "subagent:dev")->done == 1);
  // Somebody unticked it, and it was done again by another.
  back.push_back(made(EventKind::task_reopened, 30, "A", "person:ann"));
  back.push_back(made(EventKind::task_completed, 40, "A", "main"));
  const ReportFacts anew = recorded(back).facts();
  CHECK(find(anew, "subagent:dev")->taken_back == 1);
  CHECK(find(anew, "main")->done == 1);
}

TEST_CASE("what came back open was taken back from who had done it, until it is restored") {
  std::vector<Event> events{first_sight({TaskId("A")}), made(EventKind::task_completed, 10, "A", "main"),
                            made(EventKind::task_removed, 20, "A", "external"),
                            made(EventKind::task_added, 30, "A", "external")};
  CHECK(find(recorded(events).facts(), "main")->taken_back == 1);
  events.push_back(made(EventKind::task_completed, 10, "A", "main"));
  events.back().via = kGivenBack;
  const ReportFacts facts = recorded(events).facts();
  CHECK(find(facts, "main")->taken_back == 0);
  CHECK(find(facts, "main")->done == 1);
}

TEST_CASE("blockers know how long they stood, and one may come back") {
  Event raised = made(EventKind::blocker_raised, 10);
  raised.blocker = "key";
  Event resolved = made(EventKind::blocker_resolved, 30);
  resolved.blocker = "key";
  Event again = raised;
  again.time = base::Instant{50};
  const ReportFacts facts = recorded({raised, raised, resolved, resolved, again}).facts();
  REQUIRE(facts.blockers.size() == 2);
  CHECK(facts.blockers[0].from == base::Instant{10});
  CHECK(facts.blockers[0].to == base::Instant{30});
  CHECK_FALSE(facts.blockers[1].to);
}

TEST_CASE("of each kind of mark the newest are kept and the others counted") {
  std::vector<Event> events;
  for (std::size_t i = 0; i < kMostMarks + 7; ++i)
    events.push_back(made(EventKind::checkpoint_saved, static_cast<std::int64_t>(i)));
  events.push_back(made(EventKind::rewound, 9000));
  const ReportFacts facts = recorded(events).facts();
  CHECK(facts.checkpoints.newest.size() == kMostMarks);
  CHECK(facts.checkpoints.earlier == 7);
  CHECK(facts.checkpoints.newest.front().time == base::Instant{7});
  CHECK(facts.incidents.newest.size() == 1);
}

TEST_CASE("earlier names are kept, the newest five") {
  std::vector<Event> events{first_sight({TaskId("A")})};
  for (int i = 0; i < 7; ++i) {
    Event renamed = made(EventKind::task_renamed, i, "A");
    renamed.from = "name " + std::to_string(i);
    events.push_back(renamed);
  }
  const ReportFacts facts = recorded(events).facts();
  const auto& titles = facts.earlier_titles.at(report_key(PhaseId("P1"), TaskId("A")));
  CHECK(titles == std::vector<std::string>{"name 2", "name 3", "name 4", "name 5", "name 6"});
}

TEST_CASE("earlier names and who did it follow a task to another phase and to another id") {
  Event renamed = made(EventKind::task_renamed, 20, "A");
  renamed.from = "old title";
  Event moved = made(EventKind::task_moved, 30, "A");
  moved.from = "P1";
  moved.phase = PhaseId("P2");
  Event added = made(EventKind::task_added, 40, "B");
  added.from = "A";
  added.done = true;
  added.phase = PhaseId("P2");
  Event removed = made(EventKind::task_removed, 40, "A");
  removed.phase = PhaseId("P2");
  Event reopened = made(EventKind::task_reopened, 50, "B", "person:ann");
  reopened.phase = PhaseId("P2");
  const ReportFacts facts =
      recorded({first_sight({TaskId("A")}), made(EventKind::task_completed, 10, "A", "main"), renamed, moved,
                removed, added, reopened})
          .facts();
  const auto known = facts.earlier_titles.find(report_key(PhaseId("P2"), TaskId("B")));
  REQUIRE(known != facts.earlier_titles.end());
  CHECK(known->second == std::vector<std::string>{"old title"});
  CHECK(facts.earlier_titles.size() == 1);
  REQUIRE(find(facts, "main") != nullptr);
  CHECK(find(facts, "main")->taken_back == 1);
}

TEST_CASE("earlier names and who did it follow tasks that take each other's numbers") {
  // T1 to T2, T2 to T3, with a new T1, as a save tells it: removals first, then in the order of the plan, or
  // backwards.
  const bool backwards = GENERATE(true, false);
  std::vector<Event> events{first_sight({TaskId("T1"), TaskId("T2")}),
                            made(EventKind::task_completed, 10, "T1", "ann"),
                            made(EventKind::task_completed, 10, "T2", "bob")};
  for (const char* id : {"T1", "T2"}) {
    Event renamed = made(EventKind::task_renamed, 20, id);
    renamed.from = std::string("old ") + id;
    renamed.title = std::string("title of ") + id;
    events.push_back(renamed);
  }
  for (const char* id : {"T1", "T2"}) {
    Event removed = made(EventKind::task_removed, 30, id);
    removed.title = std::string("title of ") + id;
    events.push_back(removed);
  }
  events.push_back(made(EventKind::task_added, 30, "T1"));
  std::vector<Event> moved;
  for (const auto& [from, to] : {std::pair("T1", "T2"), std::pair("T2", "T3")}) {
    Event added = made(EventKind::task_added, 30, to);
    added.from = from;
    added.done = true;
    added.title = std::string("title of ") + from;
    moved.push_back(added);
  }
  moved.back().title = "T3, reworded";
  if (backwards) std::reverse(moved.begin(), moved.end());
  events.insert(events.end(), moved.begin(), moved.end());
  events.push_back(made(EventKind::task_reopened, 40, "T3", "main"));
  const ReportFacts facts = recorded(events).facts();
  const auto titles = [&facts](const char* id) {
    const auto known = facts.earlier_titles.find(report_key(PhaseId("P1"), TaskId(id)));
    return known == facts.earlier_titles.end() ? std::vector<std::string>{} : known->second;
  };
  CHECK(titles("T1").empty());
  CHECK(titles("T2") == std::vector<std::string>{"old T1"});
  CHECK(titles("T3") == std::vector<std::string>{"old T2", "title of T2"});
  REQUIRE(find(facts, "bob") != nullptr);
  CHECK(find(facts, "bob")->taken_back == 1);
  CHECK(find(facts, "ann")->taken_back == 0);
}

TEST_CASE("samples are few, in order, and end with what is there now") {
  std::vector<TaskId> tasks;
  for (int i = 0; i < 500; ++i) tasks.emplace_back("t" + std::to_string(i));
  std::vector<Event> events{first_sight(tasks)};
  for (int i = 0; i < 500; ++i)
    events.push_back(made(EventKind::task_completed, 10 + i, "t" + std::to_string(i)));
  const ReportRecorder recorder = recorded(events);
  const auto samples = burn_samples(recorder.work(), std::nullopt, {600}, 40);
  REQUIRE(samples.size() > 20);
  CHECK(samples.size() <= 40);
  CHECK(samples.back().done == 500);
  CHECK(samples.back().done_in == std::vector<std::int64_t>{500});
  for (std::size_t i = 1; i < samples.size(); ++i) {
    CHECK(samples[i].time > samples[i - 1].time);
    CHECK(samples[i].done >= samples[i - 1].done);
  }
  const auto late = burn_samples(recorder.work(), base::Instant{400}, {600}, 40);
  CHECK(late.front().time == base::Instant{400});
  CHECK(late.back().done == 500);
  CHECK(burn_samples(WorkRecorder{State{}, {1}}, std::nullopt, {1}, 40).empty());
}

}  // namespace plankeep::core
