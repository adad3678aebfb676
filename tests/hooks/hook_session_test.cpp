// Sessions as hooks see them: beginnings, prompts, turns, compactions and ends (spec 10).
#include <catch2/catch.hpp>

#include "editing/record.hpp"
#include "hook_world.hpp"
#include "tracking/plan_work.hpp"
#include "tracking/start_tracking.hpp"

using namespace plankeep;
using Catch::Contains;
using core::EventKind;
using core::HookEvent;
using core::HookKind;
using test::HookWorld;

namespace {

// As another command does, beside the hooks.
void record(HookWorld& world, const core::Event& event) {
  app::PlanWork work(world.context, world.location);
  REQUIRE(work.open(app::PlanWork::Create::if_plan));
  REQUIRE(work.lock(app::kTimeout));
  REQUIRE(work.sync({}));
  REQUIRE(work.save(work.state(), {event}));
}

}  // namespace

TEST_CASE("a session's start is recorded and answered with the plan") {
  HookWorld world;
  const core::HookAnswer answer = world.say(world.start());
  CHECK_THAT(answer.context, Contains("1 of 4 tasks done"));
  CHECK_THAT(answer.context, Contains("login"));
  CHECK(answer.block.empty());
  CHECK(answer.notice.empty());
  CHECK(world.told() == std::vector<std::string>{"checkpoint_created", "session_started startup"});
  const core::SessionState session = world.session();
  CHECK(session.client == "claude-code");
  CHECK(session.started_at == world.clock.now());
  CHECK_FALSE(session.ended_at);
}

TEST_CASE("a session without an id, or without a plan, leaves no trace") {
  HookWorld world("");
  world.quiet(world.start());
  CHECK(world.call(world.start()).plan == std::nullopt);
  CHECK_FALSE(world.disk().get("/home/kim/.checkpoint/state.json"));
  world.put_plan("# Only prose\n\n- a box would be [ ]\n");
  world.quiet(world.start());
  CHECK_FALSE(world.disk().get("/home/kim/.checkpoint/state.json"));
  world.put_plan(test::kPlanText);
  world.quiet(world.start(""));
  CHECK(world.now().sessions.empty());
}

TEST_CASE("every fifth prompt of a person writes a recovery copy, and nothing else counts") {
  HookWorld world;
  world.say(world.start());
  const auto no_prompts = [&world] {
    world.clock.advance(5000);
    world.quiet(world.prompt(""));
    world.quiet(world.prompt(" \n\t\xe3\x80\x80"));
    HookEvent notified = world.prompt("");
    notified.notified = {{"b1", "completed"}};
    world.quiet(notified);
  };
  for (int round = 1; round <= 3; ++round) {
    for (int i = 1; i <= 4; ++i) {
      no_prompts();
      world.quiet(world.prompt("prompt " + std::to_string(i)));
      CHECK(world.copies("every_5th_prompt") == static_cast<std::size_t>(round - 1));
    }
    no_prompts();
    CHECK(world.copies("every_5th_prompt") == static_cast<std::size_t>(round - 1));
    world.quiet(world.prompt("the fifth"));
    CHECK(world.copies("every_5th_prompt") == static_cast<std::size_t>(round));
  }
  CHECK(world.session().prompts == 15);
}

TEST_CASE("the prompts of two sessions are counted apart") {
  HookWorld world;
  for (int i = 0; i < 4; ++i) {
    world.clock.advance(5000);
    world.quiet(world.prompt("one", "s1"));
    world.quiet(world.prompt("two", "s2"));
  }
  CHECK(world.copies("every_5th_prompt") == 0);
  CHECK(world.session("s1").prompts == 4);
  CHECK(world.session("s2").prompts == 4);
}

TEST_CASE("a full context window is worth one copy a session, and one more after each compaction") {
  HookWorld world;
  world.say(world.start());
  const auto at = [&world](std::optional<int> percent) {
    world.clock.advance(5000);
    HookEvent event = world.turn("Well.");
    event.context_percent = percent;
    world.quiet(event);
    return world.copies("context_window");
  };
  CHECK(at(79) == 0);
  CHECK(at(80) == 1);
  CHECK(at(95) == 1);
  CHECK(at(std::nullopt) == 1);
  world.quiet(world.compact());
  world.clock.advance(1500);
  world.say(world.start("s1", "compact"));
  SECTION("how full it was before the compaction says nothing any more") {
    CHECK(at(std::nullopt) == 1);
  }
  CHECK(at(20) == 1);
  CHECK(at(81) == 2);
  CHECK(at(82) == 2);
}

TEST_CASE("the context window is read from the transcript only where its size is known") {
  HookWorld world;
  world.say(world.start());
  world.disk().put("/home/kim/t.jsonl",
                   "{\"type\":\"assistant\",\"message\":{\"usage\":{\"input_tokens\":100,"
                   "\"cache_read_input_tokens\":720},\"content\":[{\"type\":\"text\",\"text\":\"Hm.\"}]}}\n");
  HookEvent event = world.prompt("go on");
  event.transcript = "/home/kim/t.jsonl";
  world.quiet(event);
  CHECK(world.copies("context_window") == 0);
  world.clock.advance(5000);
  SECTION("set large") {
    world.disk().put("/home/kim/.plankeep.json", "{\"contextWindow\": 2000}");
    world.quiet(event);
    CHECK(world.copies("context_window") == 0);
  }
  SECTION("set small") {
    world.disk().put("/home/kim/.plankeep.json", "{\"contextWindow\": 1000}");
    world.quiet(event);
    CHECK(world.copies("context_window") == 1);
  }
  SECTION("told by the client") {
    event.context_window = 1000;
    world.quiet(event);
    CHECK(world.copies("context_window") == 1);
    CHECK(world.session().context_window == 1000);
  }
}

TEST_CASE("before a compaction and at the end of a session a copy is written") {
  HookWorld world;
  world.say(world.start());
  world.quiet(world.compact());
  CHECK(world.copies("pre_compact") == 1);
  world.clock.advance(5000);
  world.quiet(world.end());
  CHECK(world.copies("session_end") == 1);
  CHECK(world.session().ended_at == world.clock.now());
  const auto events = world.events();
  const auto ended = std::find_if(events.begin(), events.end(), [](const core::Event& event) {
    return event.kind == EventKind::session_ended;
  });
  REQUIRE(ended != events.end());
  CHECK(ended->reason == "other");
  CHECK(ended->session == "s1");
}

TEST_CASE("the last words become the note for the next session: 500 characters, one line, nothing hidden") {
  HookWorld world;
  world.say(world.start());
  SECTION("long") {
    std::string message;
    for (int i = 0; i < 600; ++i) message += "计";
    world.quiet(world.turn(message));
    world.quiet(world.end());
    CHECK(world.now().session_notes == message.substr(0, 1500));
  }
  SECTION("control characters") {
    world.quiet(world.turn("one\ntwo\x1b[31m\x07 \xe2\x80\xae three  "));
    world.quiet(world.end());
    const std::string note = world.now().session_notes.value_or("");
    CHECK_THAT(note, Contains("one two"));
    CHECK(note.find_first_of("\n\x1b\x07") == std::string::npos);
    CHECK_THAT(note, !Contains("\xe2\x80\xae"));
    CHECK(note.back() != ' ');
  }
  CHECK(world.now().note_is_automatic);
  const auto events = world.events();
  const auto saved = std::find_if(events.begin(), events.end(), [](const core::Event& event) {
    return event.kind == EventKind::note_saved;
  });
  REQUIRE(saved != events.end());
  CHECK(saved->reason == "session_end");
}

TEST_CASE("a note that a person wrote stays, one that was taken down makes way for the next") {
  HookWorld world;
  world.say(world.start("s1"));
  world.quiet(world.turn("First words.", "s1"));
  world.quiet(world.end("s1"));
  CHECK(world.now().session_notes == "First words.");
  world.clock.advance(5000);
  world.say(world.start("s2"));
  world.quiet(world.turn("Second words.", "s2"));
  world.quiet(world.compact("s2"));
  CHECK(world.now().session_notes == "Second words.");
  REQUIRE(app::save_note(world.context, world.location, "Ask Ada first", "main"));
  world.clock.advance(5000);
  world.quiet(world.turn("Third words.", "s2"));
  world.quiet(world.compact("s2"));
  world.quiet(world.end("s2"));
  CHECK(world.now().session_notes == "Ask Ada first");
  CHECK_FALSE(world.now().note_is_automatic);
  REQUIRE(app::save_note(world.context, world.location, "", "main"));
  world.say(world.start("s3"));
  world.quiet(world.turn("Fourth words.", "s3"));
  world.quiet(world.end("s3"));
  CHECK(world.now().session_notes == "Fourth words.");
}

TEST_CASE("the same words are no new note, and an error message is none at all") {
  HookWorld world;
  world.say(world.start());
  world.quiet(world.turn("As before."));
  world.quiet(world.compact());
  world.clock.advance(5000);
  HookEvent failure = world.turn("API Error: overloaded");
  failure.failed = true;
  failure.client_event = "StopFailure";
  world.quiet(failure);
  world.quiet(world.end());
  CHECK(world.count(EventKind::note_saved) == 1);
  CHECK(world.now().session_notes == "As before.");
}

TEST_CASE("last words that no payload tells are read from the transcript's end") {
  HookWorld world;
  world.say(world.start());
  world.disk().put("/home/kim/t.jsonl",
                   "{\"type\":\"assistant\",\"message\":{\"content\":[{\"type\":\"text\",\"text\":\"Done so "
                   "far.\"}]}}\n");
  HookEvent end = world.end();
  SECTION("a file") {
    end.transcript = "/home/kim/t.jsonl";
    world.quiet(end);
    CHECK(world.now().session_notes == "Done so far.");
  }
  SECTION("a link to it") {
    world.disk().put_link("/home/kim/l.jsonl", "/home/kim/t.jsonl");
    end.transcript = "/home/kim/l.jsonl";
    world.quiet(end);
    CHECK_FALSE(world.now().session_notes);
  }
  SECTION("none, a folder, no path") {
    end.transcript = GENERATE("/nowhere/t.jsonl", "/home/kim", "t.jsonl", "/", "/home/kim/");
    world.quiet(end);
    CHECK_FALSE(world.now().session_notes);
  }
}

TEST_CASE("a client that cannot be told at the start is told with its first prompt, once") {
  HookWorld world;
  clients::Client shy = *world.client;
  shy.tells_model = [](const HookEvent& event) { return event.kind == HookKind::prompt_submitted; };
  world.client = &shy;
  SECTION("with a start") {
    world.quiet(world.start());
  }
  SECTION("without one") {}
  const core::HookAnswer first = world.say(world.prompt("hello"));
  CHECK_THAT(first.context, Contains("1 of 4 tasks done"));
  world.clock.advance(5000);
  world.quiet(world.prompt("and then"));
  CHECK(world.count(EventKind::session_started) == 1);
}

TEST_CASE("every event that comes twice at once is answered once and recorded once") {
  HookWorld world;
  world.disk().put("/home/kim/.plankeep.json", "{\"gate\": \"block\"}");
  world.say(world.start());
  world.quiet(world.assign("t1", "Do `login`."));
  world.quiet(world.agent_start("a1"));
  world.quiet(world.agent_start("a2", "tester"));
  world.clock.advance(5000);
  std::vector<HookEvent> sequence;
  const auto again = [&world](HookEvent event) {
    CAPTURE(event.client_event, event.agent_id);
    const core::HookAnswer first = world.say(event);
    const auto told = world.told();
    const core::State before = world.now();
    world.quiet(event);
    CHECK(world.told() == told);
    // Who spoke last is all that may differ.
    core::State after = world.now();
    for (std::size_t i = 0; i < after.sessions.size(); ++i) {
      after.sessions[i].last_active = before.sessions[i].last_active;
    }
    CHECK(after == before);
    world.clock.advance(5000);
    return first;
  };
  for (int i = 0; i < 5; ++i) again(world.prompt("prompt " + std::to_string(i)));
  CHECK(world.session().prompts == 5);
  CHECK(world.copies("every_5th_prompt") == 1);

  again(world.assign("t2", "Do `logout`."));
  CHECK(world.session().assignments.size() == 1);
  again(world.agent_start("a3"));

  CHECK_FALSE(again(world.agent_stop("a1", "Tasks completed:\n- login")).block.empty());
  HookEvent active = world.agent_stop("a1", "Tasks completed:\n- login");
  active.stop_active = true;
  again(active);
  CHECK(world.count(EventKind::subagent_stopped) == 1);
  CHECK(world.now().findings.size() == 1);
  CHECK_FALSE(again(world.settled()).context.empty());

  again(world.agent_stop("a2", "I looked around.", "tester"));
  world.edit("- [ ] Logout", "- [x] Logout");
  again(world.written());
  world.edit("- [x] Logout", "- [ ] Logout");
  CHECK_FALSE(again(world.event(HookKind::shell_ran)).silent());
  CHECK_FALSE(again(world.turn("Tasks completed:\n- login")).block.empty());
  HookEvent held = world.turn("Tasks completed:\n- login");
  held.stop_active = true;
  CHECK_FALSE(again(held).notice.empty());
  again(world.compact());
  CHECK(world.copies("pre_compact") == 1);
  CHECK_FALSE(again(world.start("s1", "compact")).silent());
  again(world.end());
  CHECK(world.copies("session_end") == 1);
  CHECK_FALSE(again(world.start("s2")).silent());
}

TEST_CASE("the plan's progress reaches every session, and its text is the same until something changes") {
  HookWorld world;
  const std::string first = world.say(world.start("s1")).context;
  world.clock.advance(2000);
  world.quiet(world.end("s1"));
  world.clock.advance(2000);
  const std::string second = world.say(world.start("s2")).context;
  CHECK(second != first);
  world.edit("[ ] Login", "[x] Login");
  world.clock.advance(2000);
  CHECK_THAT(world.say(world.start("s3")).context, Contains("2 of 4 tasks done"));
}

TEST_CASE("a model that goes on working is told once that something was rewound") {
  HookWorld world;
  world.say(world.start());
  world.clock.advance(60'000);
  world.quiet(world.prompt("one"));
  world.clock.advance(60'000);
  core::Event rewound;
  rewound.kind = EventKind::rewound;
  rewound.time = world.clock.now();
  rewound.from = "cp_000000_002";
  rewound.to = "cp_000000_001";
  rewound.what = "all";
  rewound.by = "person";
  record(world, rewound);
  world.clock.advance(60'000);
  const std::string context = world.say(world.prompt("two")).context;
  CHECK_THAT(context, Contains("plan and files were rewound by person to checkpoint cp_000000_001"));
  world.clock.advance(60'000);
  world.quiet(world.prompt("three"));
}

TEST_CASE("a model is told that a rewind moved HEAD, and that HEAD is detached while it is") {
  HookWorld world;
  const bool detached = GENERATE(true, false);
  world.disk().put_folder("/home/kim/.git");
  world.disk().put("/home/kim/.git/HEAD",
                   detached ? "0123456789012345678901234567890123456789\n" : "ref: refs/heads/main\n");
  world.say(world.start());
  world.clock.advance(60'000);
  core::Event rewound;
  rewound.kind = EventKind::rewound;
  rewound.time = world.clock.now();
  rewound.to = "cp_000000_001";
  rewound.what = GENERATE("head", "all");
  record(world, rewound);
  world.clock.advance(60'000);
  const std::string context = world.say(world.prompt("two")).context;
  const bool head = rewound.what == "head";
  CHECK((context.find("HEAD were rewound") != std::string::npos) == head);
  CHECK((context.find("HEAD is detached") != std::string::npos) == (head && detached));
}

TEST_CASE("a plan whose records are gone is tracked again when a session starts") {
  HookWorld world;
  world.disk().put_folder("/home/kim/.git");
  world.disk().put("/home/kim/odd.md", "- [ ] Odd <!-- TASK: odd -->\n");
  world.disk().put("/home/kim/shopping.md", "- [ ] Milk\n");
  world.disk().put("/home/kim/specs/a/tasks.md", "- [ ] Far\n");
  for (const char* name : {"odd.md", "shopping.md", "specs/a/tasks.md"}) {
    const std::string path = std::string("/home/kim/") + name;
    const auto slash = path.rfind('/');
    REQUIRE(app::start_tracking(world.context, {path.substr(0, slash), path.substr(slash + 1)}));
  }
  world.say(world.start());
  for (const char* folder : {"/home/kim/.checkpoint", "/home/kim/specs/a/.checkpoint"})
    world.disk().erase(folder);
  // Which of the three is the session's own is another matter.
  CHECK_THAT(world.say(world.start("s2", GENERATE("startup", "resume", "compact"))).context,
             Contains("1 of 4 tasks"));
  CHECK(world.disk().get("/home/kim/.checkpoint/odd.md/state.json"));
  CHECK(world.disk().get("/home/kim/specs/a/.checkpoint/tasks.md/state.json").has_value() !=
        world.disk().get("/home/kim/specs/a/.checkpoint/state.json").has_value());
  // Nobody would take it for a plan: somebody wanted it to be one, and may have changed their mind.
  CHECK_FALSE(world.disk().get("/home/kim/.checkpoint/shopping.md/state.json"));
}

TEST_CASE("after Gemini's /clear the plan is told with the next prompt") {
  HookWorld world;
  world.client = clients::find_client("gemini");
  HookEvent start = world.start("s1", "clear");
  world.quiet(start);
  HookEvent prompt = world.prompt("go on");
  prompt.client_event = "BeforeAgent";
  CHECK_THAT(world.say(prompt).context, Contains("1 of 4 tasks done"));
  world.clock.advance(2000);
  prompt.prompt = "and on";
  world.quiet(prompt);
}
