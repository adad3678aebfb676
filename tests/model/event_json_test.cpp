#include "model/json/event_json.hpp"

#include <rapidcheck.h>

#include <catch2/catch.hpp>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>

#include "model/event_fields.hpp"
#include "model/random_evidence.hpp"
#include "support/hostile_text.hpp"

using namespace plankeep;
using namespace plankeep::core;
using base::ErrorKind;
using nlohmann::json;
using test::hostile_text;

namespace {

constexpr std::int64_t kMoment = 1763653430123;  // 2025-11-20T15:43:50.123Z

Event make(EventKind kind) {
  Event event;
  event.time = {kMoment};
  event.kind = kind;
  return event;
}

base::Instant random_time() {
  return {*rc::gen::inRange<std::int64_t>(0, 253402300800000)};
}

void fill(std::string& text) {
  text = hostile_text();
}
void fill(bool& truth) {
  truth = *rc::gen::arbitrary<bool>();
}
void fill(std::int64_t& number) {
  number = *rc::gen::inRange<std::int64_t>(0, kLargestFence + 1);
}
void fill(PhaseStatus& status) {
  status = *rc::gen::element(PhaseStatus::pending, PhaseStatus::in_progress, PhaseStatus::completed);
}
void fill(base::Instant& time) {
  time = random_time();
}
void fill(Evidence& evidence) {
  evidence = random_evidence_of(hostile_text());
}

template <class Kind>
void fill(Id<Kind>& id) {
  id.text = hostile_text();
}

template <class Value>
void fill(std::vector<Value>& values);

void fill(GivenId& given) {
  given = {TaskId(hostile_text()), hostile_text(), PhaseId(hostile_text()), TaskId(hostile_text()),
           *rc::gen::arbitrary<bool>()};
}
void fill(PlacedTask& placed) {
  placed = {TaskId(hostile_text()), PhaseId(hostile_text()), TaskId(hostile_text())};
}
void fill(RemovedTask& removed) {
  removed = {TaskId(hostile_text()), PhaseId(hostile_text()), hostile_text(),
             base::Instant{kMoment}, hostile_text(),          random_time()};
}
void fill(PhaseInventory& phase) {
  fill(phase.id);
  fill(phase.status);
  fill(phase.tasks);
  fill(phase.done);
  fill(phase.criteria);
  fill(phase.met);
}

template <class Value>
void fill(std::optional<Value>& value) {
  if (*rc::gen::arbitrary<bool>()) fill(value.emplace());
}

template <class Value>
void fill(std::vector<Value>& values) {
  values.resize(*rc::gen::inRange<std::size_t>(0, 3));
  for (Value& value : values) fill(value);
}

// An event of any kind with everything that belongs to it and nothing else.
Event random_event() {
  Event event;
  event.time = random_time();
  const std::vector<std::string_view> names = event_names();
  const auto which = *rc::gen::inRange<std::size_t>(0, names.size() + 1);
  if (*rc::gen::arbitrary<bool>()) {
    event.batch.size = *rc::gen::inRange<std::int64_t>(1, 100);
    event.batch.index = *rc::gen::inRange<std::int64_t>(1, event.batch.size + 1);
    if (event.batch.size == 1) event.batch = {};
  }
  if (which == names.size()) {
    event.name = "x_" + hostile_text();
    return event;
  }
  event.kind = event_kind(names[which]);
  for (const EventField* field : fields_of(event.kind)) {
    std::visit([&event](auto member) { fill(event.*member); }, field->member);
  }
  return event;
}

std::string_view without_feed(const std::string& line) {
  return std::string_view(line).substr(0, line.size() - 1);
}

}  // namespace

TEST_CASE("Every name is that of one event") {
  std::set<std::string_view> names;
  for (const std::string_view name : event_names()) {
    CHECK(names.insert(name).second);
    CHECK(name_of(event_kind(name)) == name);
  }
  CHECK(names.size() == 48);
  CHECK(event_names().front() == "checkpoint_created");
  CHECK(event_kind("session_starte") == EventKind::unknown);
  CHECK(event_kind("made_coffee") == EventKind::unknown);
  CHECK(event_kind("") == EventKind::unknown);
  CHECK(name_of(EventKind::unknown).empty());
}

TEST_CASE("Events are written with the fields of spec 4 in a fixed order") {
  Event event = make(EventKind::task_completed);
  event.task = TaskId("t1");
  event.phase = PhaseId("p1");
  event.by = "main";
  event.title = "Say \"hello\"";
  event.batch = {2, 3};
  CHECK(
      encode_event(event) ==
      R"({"ts":"2025-11-20T15:43:50.123Z","event":"task_completed","taskId":"t1","phaseId":"p1","by":"main",)"
      R"("title":"Say \"hello\"","batch":"2/3"})"
      "\n");

  event = make(EventKind::checkpoint_created);
  event.plan_id = "auth";
  event.total_tasks = 2;
  CHECK(encode_event(event) ==
        R"({"ts":"2025-11-20T15:43:50.123Z","event":"checkpoint_created","planId":"auth","tasks":2})"
        "\n");
  event.ids = {{TaskId("T001"), "Do it", PhaseId("setup")}};
  CHECK(json::parse(encode_event(event))["ids"] ==
        json::parse(R"([{"id":"T001","title":"Do it","phaseId":"setup"}])"));

  event.ids.clear();
  event.phases = {
      {PhaseId("p1"), PhaseStatus::in_progress, {TaskId("t1"), TaskId("t2")}, {TaskId("t1")}, {}, {}}};
  CHECK(json::parse(encode_event(event))["phases"] ==
        json::parse(R"([{"id":"p1","status":"in_progress","tasks":["t1","t2"],"done":["t1"]}])"));

  event = make(EventKind::acceptance_added);
  event.criterion = CriterionId("c1");
  event.by = "main";
  event.met = true;
  CHECK(
      encode_event(event) ==
      R"({"ts":"2025-11-20T15:43:50.123Z","event":"acceptance_added","criteriaId":"c1","by":"main","met":true})"
      "\n");

  event = make(EventKind::phase_reopened);
  event.phase = PhaseId("p1");
  event.status = PhaseStatus::pending;
  CHECK(encode_event(event) ==
        R"({"ts":"2025-11-20T15:43:50.123Z","event":"phase_reopened","phaseId":"p1","status":"pending"})"
        "\n");

  event = make(EventKind::state_corrupted);
  event.restored_from = "recovery.json";
  CHECK(encode_event(event) ==
        R"({"ts":"2025-11-20T15:43:50.123Z","event":"state_corrupted","restored_from":"recovery.json"})"
        "\n");

  event = make(EventKind::task_moved);
  event.task = TaskId("t");
  event.phase = PhaseId("new");
  event.by = "main";
  event.from = "old";
  CHECK(
      encode_event(event) ==
      R"({"ts":"2025-11-20T15:43:50.123Z","event":"task_moved","taskId":"t","phaseId":"new","by":"main","from":"old"})"
      "\n");
}

TEST_CASE("Events about sessions and subagents are written with the fields of spec 4") {
  const auto written = [](const Event& event) {
    const std::string line = encode_event(event);
    constexpr std::string_view kTime = R"({"ts":"2025-11-20T15:43:50.123Z","event":")";
    REQUIRE(line.starts_with(kTime));
    return line.substr(kTime.size());
  };
  Event event = make(EventKind::session_started);
  event.session = "s1";
  event.client = "claude-code";
  event.source = "startup";
  CHECK(written(event) == R"(session_started","sessionId":"s1","client":"claude-code","source":"startup"})"
                          "\n");

  event = make(EventKind::session_ended);
  event.session = "s1";
  event.client = "claude-code";
  event.reason = "clear";
  CHECK(written(event) == R"(session_ended","sessionId":"s1","client":"claude-code","reason":"clear"})"
                          "\n");
  CHECK(written(make(EventKind::session_ended)) == "session_ended\"}\n");

  event = make(EventKind::session_crash);
  event.session = "s1";
  event.last_known_state = "state.json";
  CHECK(written(event) == R"(session_crash","sessionId":"s1","lastKnownState":"state.json"})"
                          "\n");

  event = make(EventKind::session_recovered);
  event.session = "s2";
  event.from = "state.json";
  event.tasks_restored = 4;
  CHECK(written(event) == R"(session_recovered","sessionId":"s2","tasksRestored":4,"from":"state.json"})"
                          "\n");

  event = make(EventKind::subagent_started);
  event.session = "s1";
  event.agent = "a1";
  event.agent_type = "builder";
  CHECK(written(event) ==
        R"(subagent_started","agentType":"builder","agentId":"a1","tasks":[],"sessionId":"s1"})"
        "\n");
  event.tasks = {TaskId("t1"), TaskId("t2")};
  CHECK(json::parse(encode_event(event))["tasks"] == json::parse(R"(["t1","t2"])"));

  event.kind = EventKind::subagent_stopped;
  event.claimed = {"t1", "t2", "t9"};
  event.unverified = {"t9"};
  CHECK(
      written(event) ==
      R"(subagent_stopped","agentType":"builder","agentId":"a1","completed":2,"completedTasks":["t1","t2"],)"
      R"("claimed":["t1","t2","t9"],"unverified":["t9"],"sessionId":"s1"})"
      "\n");
  event.tasks.clear();
  event.claimed.clear();
  event.unverified.clear();
  CHECK(written(event) ==
        R"(subagent_stopped","agentType":"builder","agentId":"a1","completed":0,"sessionId":"s1"})"
        "\n");

  event = make(EventKind::task_completed);
  event.task = TaskId("t1");
  event.by = "subagent:builder";
  event.agent = "a1";
  CHECK(written(event) == R"(task_completed","taskId":"t1","by":"subagent:builder","agentId":"a1"})"
                          "\n");
}

TEST_CASE("A claim says until when, under which fence and of whom, what is not known is left out") {
  const auto written = [](const Event& event) {
    const std::string line = encode_event(event);
    constexpr std::string_view kTime = R"({"ts":"2025-11-20T15:43:50.123Z","event":")";
    REQUIRE(line.starts_with(kTime));
    return line.substr(kTime.size());
  };
  Event event = make(EventKind::task_claimed);
  event.task = TaskId("t1");
  event.phase = PhaseId("p1");
  event.by = "main";
  event.until = base::Instant{kMoment + 60'000};
  event.fence = 3;
  CHECK(
      written(event) ==
      R"(task_claimed","taskId":"t1","phaseId":"p1","by":"main","until":"2025-11-20T15:44:50.123Z","fence":3})"
      "\n");
  event.session = "s1";
  event.host = "here";
  event.process = "7:8";
  event.from = "kim";
  event.reason = "expired";
  CHECK(written(event) ==
        R"(task_claimed","taskId":"t1","phaseId":"p1","by":"main","sessionId":"s1",)"
        R"("until":"2025-11-20T15:44:50.123Z","fence":3,"host":"here","process":"7:8","from":"kim",)"
        R"("reason":"expired"})"
        "\n");
  const auto negative = decode_event(
      R"({"ts":"2025-11-20T15:43:50Z","event":"task_released","taskId":"t1","by":"main","fence":-1})");
  REQUIRE_FALSE(negative.has_value());
}

TEST_CASE("An agent's id belongs to what it completed and to its own events, to no other") {
  for (const std::string_view name : event_names()) {
    Event event = make(event_kind(name));
    event.agent = "a1";
    const bool has = name == "task_completed" || name == "task_attributed" || name.starts_with("subagent_");
    CAPTURE(name);
    CHECK(json::parse(encode_event(event)).contains("agentId") == has);
    json line = json::parse(encode_event(make(event_kind(name))));
    line["agentId"] = "a2";
    const base::Result<Event> back = decode_event(line.dump());
    REQUIRE(back.has_value());
    CHECK(back->agent == (has ? "a2" : ""));
  }
}

TEST_CASE("Fields of sessions that others leave out are empty") {
  const auto read = [](const std::string& rest) {
    const base::Result<Event> event = decode_event(R"({"ts":"2025-11-20T15:43:50Z","event":)" + rest + "}");
    REQUIRE(event.has_value());
    return *event;
  };
  CHECK(read(R"("session_started")").session.empty());
  CHECK(read(R"("session_crash")").last_known_state.empty());
  CHECK(read(R"("session_recovered")").tasks_restored == 0);
  CHECK(read(R"("subagent_started","agentType":"x")").tasks.empty());
  // The count alone names no task.
  CHECK(read(R"("subagent_stopped","completed":3)").tasks.empty());
  CHECK(read(R"("note_saved","note":"n")").reason.empty());
}

TEST_CASE("Who decided, blocked or noted something is told where it is known") {
  for (const EventKind kind :
       {EventKind::decision_recorded, EventKind::decision_removed, EventKind::blocker_raised,
        EventKind::blocker_resolved, EventKind::note_saved}) {
    Event event = make(kind);
    CHECK(encode_event(event).find("\"by\"") == std::string::npos);
    event.by = "kim";
    CHECK(encode_event(event).find(",\"by\":\"kim\"") != std::string::npos);
    const std::string line = encode_event(event);
    CHECK(decode_event(without_feed(line)).value() == event);
  }
}

TEST_CASE("A first line that does not count its tasks is told from one that counts none") {
  const std::string_view line = R"({"ts":"2026-01-01T00:00:00Z","event":"checkpoint_created","planId":"p"})";
  CHECK_FALSE(decode_event(line)->total_tasks.has_value());
  CHECK(encode_event(decode_event(line).value()).find("tasks") == std::string::npos);
  CHECK(decode_event(R"({"ts":"2026-01-01T00:00:00Z","event":"checkpoint_created","planId":"p","tasks":0})")
            ->total_tasks == 0);
}

// What the schema allows in an event is what the table says, and what it requires is always written.
TEST_CASE("The schema of the history and the table have the same events and fields") {
  std::ifstream file(PLANKEEP_TESTS_DIR "/../schemas/history-event.schema.json");
  const json schema = json::parse(file);
  std::set<std::string> described;
  for (const json& one : schema.at("allOf")) {
    const std::string name = one.at("if").at("properties").at("event").at("const");
    CAPTURE(name);
    CHECK(described.insert(name).second);
    REQUIRE(event_kind(name) != EventKind::unknown);
    std::set<std::string> allowed;
    const json& event = one.at("then");
    for (const auto& [field, type] : event.at("properties").items()) allowed.insert(field);
    std::set<std::string> written;
    std::set<std::string> left_out;
    for (const EventField* field : fields_of(event_kind(name))) {
      CHECK(written.insert(std::string(field->name)).second);
      if (field->presence == EventField::Presence::when_set) left_out.emplace(field->name);
    }
    CHECK(written == allowed);
    for (const std::string required : event.value("required", json::array())) {
      CAPTURE(required);
      // What was moved or put in order is in a phase, so there it is always set.
      const bool in_phase = name.ends_with("_moved") || name == "tasks_ordered";
      CHECK((!left_out.contains(required) || (required == "phaseId" && in_phase)));
    }
  }
  CHECK(described.size() == event_names().size());
}

TEST_CASE("An event is read back as it was written, on one line, whatever its texts hold") {
  CHECK(rc::check("round trip", [] {
    const Event event = random_event();
    const std::string line = encode_event(event);
    RC_ASSERT(line.ends_with("\n"));
    RC_ASSERT(line.find('\n') == line.size() - 1);
    const base::Result<Event> back = decode_event(without_feed(line));
    RC_ASSERT(back.has_value());
    RC_ASSERT(*back == event);
    const json oracle = json::parse(line, nullptr, false);
    RC_ASSERT(!oracle.is_discarded());
  }));
}

// golden/events.jsonl: every event with everything that it can carry, then every event with nothing. Lines
// that were once written are in histories, and their chain is of these bytes: a line of the file never
// changes. A new event need not be in it.
TEST_CASE("Lines that earlier versions wrote are written in the same bytes") {
  std::ifstream file(PLANKEEP_TESTS_DIR "/model/golden/events.jsonl");
  std::set<std::string_view> seen;
  std::string line;
  int lines = 0;
  while (std::getline(file, line)) {
    CAPTURE(line);
    const base::Result<Event> event = decode_event(line);
    REQUIRE(event.has_value());
    CHECK(encode_event(*event) == line + "\n");
    REQUIRE(event->kind != EventKind::unknown);
    seen.insert(name_of(event->kind));
    ++lines;
  }
  CHECK(lines == 89);
  CHECK(seen.size() == 45);
}

TEST_CASE("The order of the fields in a line does not matter") {
  CHECK(rc::check("any order", [] {
    const Event event = random_event();
    // nlohmann::json sorts its keys: "by" and "batch" come before "event" then.
    const json sorted = json::parse(encode_event(event));
    const base::Result<Event> back = decode_event(sorted.dump());
    RC_ASSERT(back.has_value());
    RC_ASSERT(*back == event);
  }));
}

namespace {

void collect(const json& value, std::vector<std::string>& texts) {
  if (value.is_string()) texts.push_back(value.get<std::string>());
  if (!value.is_structured()) return;
  for (const json& part : value) collect(part, texts);
}

}  // namespace

TEST_CASE("can_contain and can_be_since never miss anything, however it is escaped") {
  int without = 0;
  CHECK(rc::check("bytes of a line", [&without] {
    const Event event = random_event();
    const std::string line = encode_event(event);
    const json oracle = json::parse(line);
    std::vector<std::string> texts;
    collect(oracle, texts);
    const std::string text = *rc::gen::elementOf(texts);
    const auto from = *rc::gen::inRange<std::size_t>(0, text.size() + 1);
    const std::string part = text.substr(from, *rc::gen::inRange<std::size_t>(0, text.size() - from + 1));
    RC_ASSERT(can_contain(line, part));
    const std::string escaped = oracle.dump(-1, ' ', true);
    RC_ASSERT(can_contain(escaped, part));
    const Event later = random_event();
    const base::Instant since = later.time;
    if (event.time >= since) RC_ASSERT(can_be_since(line, base::to_iso8601(since)));
    const bool plain = line.find('\\') == std::string::npos && line.find("\"ts\"", 5) == std::string::npos;
    if (event.time < since && plain) RC_ASSERT(!can_be_since(line, base::to_iso8601(since)));
    RC_ASSERT(can_be_since(line, ""));
    if (!can_contain(line, "nobody")) ++without;
  }));
  CHECK(without > 0);
  CHECK(can_contain(R"({"ts":"2025-11-20T15:43:50Z","event":"\u006eote_saved"})", "note_saved"));
  CHECK_FALSE(can_contain(R"({"ts":"2025-11-20T15:43:50Z","event":"note_saved"})", "t1"));
  constexpr std::string_view kSince = "2025-11-20T15:43:50.000Z";
  CHECK_FALSE(can_be_since(R"({"ts":"2025-11-20T15:43:49.999Z","event":"note_saved"})", kSince));
  CHECK(can_be_since(R"({"ts":"2025-11-20T15:43:50.000Z","event":"note_saved"})", kSince));
  // Times in another format, and lines with a second "ts".
  for (const std::string_view line :
       {R"({"ts":"2025-11-20T15:43:49Z","event":"note_saved"})", R"({"ts": "2025-11-20T15:43:49.999Z"})",
        R"({"event":"note_saved","ts":"2025-11-20T15:43:49.999Z"})", R"({"ts":"2025-11-20T15:43:49.999Z)",
        R"({"ts":"2025-11-20T23:43:49.999+09"})",
        R"({"ts":"2025-11-20T15:43:49.999Z","ts":"2026-11-20T15:43:49.999Z"})",
        R"({"ts":"2025-11-20T15:43:49.999Z","\u0074s":"2026-11-20T15:43:49.999Z"})", ""})
    CHECK(can_be_since(line, kSince));
}

TEST_CASE("leading_kind is the kind of the decoded event, or is not known") {
  CHECK(rc::check("any line", [] {
    const Event event = random_event();
    const std::string line = encode_event(event);
    const auto kind = leading_kind(line);
    if (event.kind != EventKind::unknown || kind) RC_ASSERT(kind == event.kind);
    const json oracle = json::parse(line);
    for (const std::string& other : {oracle.dump(), oracle.dump(-1, ' ', true)}) {
      if (const auto known = leading_kind(other)) RC_ASSERT(*known == event.kind);
    }
  }));
  for (const std::string_view line :
       {R"({"event":"note_saved","ts":"2025-11-20T15:43:49.999Z"})",
        R"({"ts":"2025-11-20T15:43:49Z","event":"note_saved"})",
        R"({"ts":"2025-11-20T15:43:49.999Z","event":"note\u005fsaved"})",
        R"({"ts":"2025-11-20T15:43:49.999Z","event":"note_saved)",
        R"({"ts":"2025-11-20T15:43:49.999Z","event")",
        R"({"ts":"2025-11-20T15:43:49.999Z","note":"x","event":"note_saved"})", ""}) {
    CAPTURE(line);
    CHECK(leading_kind(line) == std::nullopt);
  }
}

TEST_CASE("An event without its inventories is the event with empty ones") {
  CHECK(rc::check("any event", [] {
    Event event = random_event();
    if (*rc::gen::arbitrary<bool>()) {
      // The kind that has most of them.
      event = {};
      fill(event.time);
      event.kind = EventKind::checkpoint_created;
      for (const EventField* field : fields_of(event.kind))
        std::visit([&event](auto member) { fill(event.*member); }, field->member);
    }
    const std::string line = encode_event(event);
    const base::Result<Event> read = decode_event(without_feed(line), EventParts::without_inventories);
    RC_ASSERT(read.has_value());
    event.ids.clear();
    event.marked.clear();
    event.placed.clear();
    event.phases.clear();
    event.removed.clear();
    RC_ASSERT(*read == event);
  }));
  CHECK_FALSE(decode_event(R"({"ts":"2025-11-20T15:43:49.999Z","event":"boxes_found","ids":[{]})",
                           EventParts::without_inventories));
}

TEST_CASE("An event that this version does not know keeps its name and its time") {
  const base::Result<Event> event = decode_event(
      R"({"ts":"2025-11-20T15:43:50Z","event":"made_coffee","tasks":["a"],"by":7,"batch":"1/2"})");
  REQUIRE(event.has_value());
  CHECK(event->kind == EventKind::unknown);
  CHECK(event->name == "made_coffee");
  CHECK(event->time.milliseconds == 1763653430000);
  CHECK(event->batch == Batch{1, 2});
}

TEST_CASE("Fields that an event does not have are passed over, whatever their type") {
  const base::Result<Event> event = decode_event(
      R"({"ts":"2025-11-20T15:43:50Z","event":"note_saved","note":"n","taskId":[1],"tasks":{},"sessionId":null,"x":[{}]})");
  REQUIRE(event.has_value());
  CHECK(event->note == "n");
  CHECK(event->task.empty());
  CHECK(event->session.empty());
}

TEST_CASE("A line that is no event is corrupt") {
  for (const char* line :
       {"",
        "null",
        "[]",
        "{}",
        "\"x\"",
        R"({"ts":"2025-11-20T15:43:50Z"})",
        R"({"event":"note_saved"})",
        R"({"ts":"yesterday","event":"note_saved"})",
        R"({"ts":5,"event":"note_saved"})",
        R"({"ts":"2025-11-20T15:43:50Z","event":5})",
        R"({"ts":"2025-11-20T15:43:50Z","event":"note_saved","note":5})",
        R"({"note":5,"ts":"2025-11-20T15:43:50Z","event":"note_saved"})",
        R"({"ts":"2025-11-20T15:43:50Z","event":"note_saved"} x)",
        R"({"ts":"2025-11-20T15:43:50Z","event":"note_saved","event":"note_saved"})",
        R"({"ts":"2025-11-20T15:43:50Z","event":"checkpoint_created","tasks":"2"})",
        R"({"ts":"2025-11-20T15:43:50Z","event":"checkpoint_created","ids":[5]})",
        R"({"ts":"2025-11-20T15:43:50Z","event":"checkpoint_created","phases":[{"id":"p","status":"done"}]})",
        R"({"ts":"2025-11-20T15:43:50Z","event":"phase_added","phaseId":"p","status":null})",
        R"({"ts":"2025-11-20T15:43:50Z","event":"task_added","done":"yes"})",
        R"({"ts":"2025-11-20T15:43:50Z","event":"task_completed","agentId":7})",
        R"({"ts":"2025-11-20T15:43:50Z","event":"note_saved","note":"n","reason":null})",
        R"({"ts":"2025-11-20T15:43:50Z","event":"session_started","sessionId":null})",
        R"({"ts":"2025-11-20T15:43:50Z","event":"session_started","client":5})",
        R"({"ts":"2025-11-20T15:43:50Z","event":"session_started","source":["startup"]})",
        R"({"ts":"2025-11-20T15:43:50Z","event":"session_ended","reason":false})",
        R"({"ts":"2025-11-20T15:43:50Z","event":"session_crash","lastKnownState":{}})",
        R"({"ts":"2025-11-20T15:43:50Z","event":"session_recovered","from":1})",
        R"({"ts":"2025-11-20T15:43:50Z","event":"session_recovered","tasksRestored":"4"})",
        R"({"ts":"2025-11-20T15:43:50Z","event":"subagent_started","agentType":[]})",
        R"({"ts":"2025-11-20T15:43:50Z","event":"subagent_started","tasks":2})",
        R"({"ts":"2025-11-20T15:43:50Z","event":"subagent_started","tasks":[2]})",
        R"({"ts":"2025-11-20T15:43:50Z","event":"subagent_stopped","agentId":null})",
        R"({"ts":"2025-11-20T15:43:50Z","event":"subagent_stopped","completedTasks":"t1"})",
        R"({"ts":"2025-11-20T15:43:50Z","event":"subagent_stopped","claimed":[1]})",
        R"({"ts":"2025-11-20T15:43:50Z","event":"subagent_stopped","unverified":"t1"})"}) {
    CAPTURE(line);
    const base::Result<Event> event = decode_event(line);
    REQUIRE_FALSE(event.has_value());
    CHECK(event.error().kind == ErrorKind::corrupt);
  }
}

TEST_CASE("A place in a batch that cannot be is corrupt") {
  const auto batch = [](const std::string& text) {
    return decode_event(R"({"ts":"2025-11-20T15:43:50Z","event":"note_saved","batch":")" + text + "\"}")
        .has_value();
  };
  CHECK(batch("1/1"));
  CHECK(batch("1/2"));
  CHECK(batch("2/2"));
  for (const char* text : {"", "/", "1", "1/", "/2", "0/2", "3/2", "-1/2", "1/-2", "1/2/3", "1 /2", "1/2 ",
                           "a/b", "1/99999999999999999999"}) {
    CAPTURE(text);
    CHECK_FALSE(batch(text));
  }
}

TEST_CASE("Every shorter beginning of a line is corrupt") {
  CHECK(rc::check("torn", [] {
    const std::string line = encode_event(random_event());
    for (std::size_t length = 0; length + 1 < line.size(); ++length) {
      RC_ASSERT(!decode_event(std::string_view(line).substr(0, length)).has_value());
    }
  }));
}
