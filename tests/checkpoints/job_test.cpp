#include "checkpoints/job.hpp"

#include <rapidcheck.h>

#include <algorithm>
#include <catch2/catch.hpp>

#include "base/sha256.hpp"
#include "hooks/hook_world.hpp"
#include "rules/replay.hpp"
#include "support/hostile_text.hpp"

using namespace plankeep;
using app::WantedCheckpoint;
using core::CheckpointType;
using test::HookWorld;

namespace {

// What a person changed before a prompt is looked for at each: only the tests of that are about it.
enum class Prompts { left_out, wanted };

std::vector<WantedCheckpoint> asked_by(HookWorld& world, const core::HookEvent& event,
                                       Prompts prompts = Prompts::left_out) {
  const app::HookResult result = world.call(event);
  std::vector<WantedCheckpoint> all;
  for (const app::CheckpointJob& asked : result.jobs) {
    CHECK(asked.event == event.client_event);
    CHECK(asked.session == event.session_id);
    CHECK(asked.plan == world.location);
    all.insert(all.end(), asked.checkpoints.begin(), asked.checkpoints.end());
  }
  if (prompts == Prompts::left_out)
    std::erase_if(all, [](const WantedCheckpoint& asked) { return asked.before_prompt; });
  return all;
}

const std::string kTime = "2026-11-20T15:00:00.000Z";

WantedCheckpoint only(CheckpointType type) {
  return {type, {}, std::nullopt};
}

}  // namespace

TEST_CASE("a turn's end, a compaction and a session's end ask for a checkpoint, other calls for none") {
  HookWorld world;
  CHECK(asked_by(world, world.start()).empty());
  CHECK(asked_by(world, world.prompt("go on")).empty());
  CHECK(asked_by(world, world.settled()).empty());
  CHECK(asked_by(world, world.written()).empty());
  world.clock.advance(5000);
  CHECK(asked_by(world, world.turn("done")) == std::vector{only(CheckpointType::turn)});
  CHECK(asked_by(world, world.compact()) == std::vector{only(CheckpointType::pre_compact)});
  CHECK(asked_by(world, world.end()) == std::vector{only(CheckpointType::session_end)});
  CHECK(asked_by(world, world.end()).empty());
}

TEST_CASE("a prompt of a person asks to keep what was changed before it, once, and a notification does not") {
  HookWorld world;
  world.call(world.start());
  const WantedCheckpoint before{CheckpointType::turn, {}, std::nullopt, true};
  CHECK(asked_by(world, world.prompt("go on"), Prompts::wanted) == std::vector{before});
  CHECK(asked_by(world, world.prompt("go on"), Prompts::wanted).empty());
  CHECK(asked_by(world, world.prompt(""), Prompts::wanted).empty());
  CHECK(asked_by(world, world.prompt("and on"), Prompts::wanted) == std::vector{before});
}

TEST_CASE("a turn's end that is told twice at once asks once, the next turn asks again") {
  HookWorld world;
  world.call(world.start());
  CHECK(asked_by(world, world.turn("done")).size() == 1);
  CHECK(asked_by(world, world.turn("done")).empty());
  world.clock.advance(60'000);
  CHECK(asked_by(world, world.turn("done")).size() == 1);
}

TEST_CASE("a turn that is sent back has not ended") {
  HookWorld world;
  world.disk().put("/home/kim/.plankeep.json", R"({"gate": "block"})");
  world.call(world.start());
  const app::HookResult result = world.call(world.turn("Tasks completed:\n- login"));
  REQUIRE_FALSE(result.answer.block.empty());
  CHECK(result.jobs.empty());
}

TEST_CASE("whoever ticks the last task of a phase asks for the phase's checkpoint") {
  HookWorld world;
  world.call(world.start());
  world.edit("[ ] Login form", "[x] Login form");
  CHECK(asked_by(world, world.written()).empty());
  world.edit("[ ] Logout", "[x] Logout");
  const std::vector<WantedCheckpoint> asked = asked_by(world, world.written());
  REQUIRE(asked.size() == 1);
  CHECK(asked[0] == WantedCheckpoint{CheckpointType::epic_completion, core::PhaseId("build"), std::nullopt});
  CHECK(asked_by(world, world.written()).empty());
}

TEST_CASE("every plan that a turn changed gets the turn's checkpoint") {
  HookWorld world;
  world.disk().put_folder("/home/kim/.git");
  world.disk().put("/home/kim/plans/far/plan.md",
                   "- [ ] Far <!-- TASK: far -->\n- [ ] Off <!-- TASK: off -->\n");
  world.disk().put("/home/kim/plans/off/plan.md", "- [ ] Off <!-- TASK: off -->\n");
  world.say(world.start());
  world.clock.advance(60'000);
  world.say(world.prompt("go"));
  world.clock.advance(60'000);
  world.edit("[ ] Login form", "[x] Login form");
  world.call(world.written());
  world.disk().put("/home/kim/plans/far/plan.md",
                   "- [x] Far <!-- TASK: far -->\n- [ ] Off <!-- TASK: off -->\n");
  world.call(world.written("/home/kim/plans/far/plan.md"));
  world.clock.advance(60'000);
  std::vector<std::string> asked;
  for (const app::CheckpointJob& one : world.call(world.turn("Well.")).jobs) asked.push_back(one.plan.path());
  std::sort(asked.begin(), asked.end());
  CHECK(asked == std::vector<std::string>{"/home/kim/plan.md", "/home/kim/plans/far/plan.md"});
}

TEST_CASE("the checkpoint of every plan is of the moment that the turn ended") {
  HookWorld world;
  world.disk().put_folder("/home/kim/.git");
  const std::string far = "/home/kim/plans/far/plan.md";
  const std::string ticked = "- [x] Far <!-- TASK: far -->\n- [ ] Off <!-- TASK: off -->\n";
  world.disk().put(far, "- [ ] Far <!-- TASK: far -->\n- [ ] Off <!-- TASK: off -->\n");
  world.say(world.start());
  world.clock.advance(60'000);
  world.say(world.prompt("go"));
  world.clock.advance(60'000);
  world.edit("[ ] Login form", "[x] Login form");
  world.call(world.written());
  world.disk().put(far, ticked);
  world.call(world.written(far));
  world.clock.advance(60'000);
  const std::string near = world.plan();
  const std::vector<app::CheckpointJob> jobs = world.call(world.turn("Well.")).jobs;
  REQUIRE(jobs.size() == 2);
  for (const app::CheckpointJob& one : jobs) {
    CAPTURE(one.plan.path());
    REQUIRE(one.then);
    CHECK(one.then->text == (one.plan.path() == far ? ticked : near));
    CHECK(one.then->history_offset > 0);
  }
}

TEST_CASE("a context window that fills up asks once, at the percentage that is set") {
  HookWorld world;
  SECTION("eighty, if nothing is set") {
    world.call(world.start());
    core::HookEvent prompt = world.prompt("more");
    prompt.context_percent = 79;
    CHECK(asked_by(world, prompt).empty());
    prompt.prompt = "and more";
    prompt.context_percent = 83;
    CHECK(asked_by(world, prompt) == std::vector{WantedCheckpoint{CheckpointType::context_window, {}, 83}});
    prompt.prompt = "and still more";
    prompt.context_percent = 90;
    CHECK(asked_by(world, prompt).empty());
    // After a compaction it may fill up again.
    world.call(world.compact());
    world.call(world.start("s1", "compact"));
    prompt.prompt = "on";
    CHECK(asked_by(world, prompt) == std::vector{WantedCheckpoint{CheckpointType::context_window, {}, 90}});
  }
  SECTION("in the middle of a turn as well, told by a status line or by the transcript") {
    world.disk().put("/home/kim/.plankeep.json", R"({"contextWindow": 1000})");
    world.call(world.start());
    const auto used = [&world](int tokens) {
      world.disk().put("/home/kim/log.jsonl", R"({"type":"assistant","message":{"usage":{"input_tokens":)" +
                                                  std::to_string(tokens) + "}}}\n");
    };
    core::HookEvent batch = world.settled();
    batch.transcript = "/home/kim/log.jsonl";
    CHECK(asked_by(world, batch).empty());
    used(790);
    CHECK(asked_by(world, batch).empty());
    used(950);
    core::HookEvent of_agent = batch;
    of_agent.agent_id = "a1";
    of_agent.agent_type = "coder";
    CHECK(asked_by(world, of_agent).empty());
    CHECK(asked_by(world, batch) == std::vector{WantedCheckpoint{CheckpointType::context_window, {}, 95}});
    CHECK(asked_by(world, batch).empty());
    CHECK(world.copies("context_window") == 1);
    // What a compaction does away with is still known to its checkpoint, and to the turn's.
    core::HookEvent turn = world.turn("Well.");
    turn.transcript = batch.transcript;
    CHECK(asked_by(world, turn) == std::vector{WantedCheckpoint{CheckpointType::turn, {}, 95}});
    core::HookEvent compact = world.compact();
    compact.transcript = batch.transcript;
    CHECK(asked_by(world, compact) == std::vector{WantedCheckpoint{CheckpointType::pre_compact, {}, 95}});
  }
  SECTION("or earlier") {
    world.disk().put("/home/kim/.plankeep.json", R"({"contextTrigger": 60})");
    world.call(world.start());
    core::HookEvent prompt = world.prompt("more");
    prompt.context_percent = 59;
    CHECK(asked_by(world, prompt).empty());
    prompt.prompt = "and more";
    prompt.context_percent = 60;
    CHECK(asked_by(world, prompt).size() == 1);
  }
}

TEST_CASE("the program is started once more for each plan, with nothing of a shell in between") {
  HookWorld world;
  world.environment.running = "/opt/plankeep/bin/plankeep";
  world.call(world.start());
  core::HookEvent turn = world.turn("done $(rm -rf /)");
  turn.transcript = "/home/ada/.claude/a b.jsonl";
  const app::HookResult result = world.call(turn);
  app::spawn_job(world.context, result.jobs);
  REQUIRE(world.processes.detached.size() == 1);
  // The plan as it is now goes along, since it may be another one when that process looks.
  const core::State state = world.state().value();
  const std::string then =
      std::to_string(state.history_offset) + ":" + std::to_string(state.revision) + ":" + state.checksum;
  CHECK(world.processes.detached[0] ==
        std::vector<std::string>{"/opt/plankeep/bin/plankeep", "after-hook", "/home/kim/plan.md", "Stop",
                                 "s1", "/home/ada/.claude/a b.jsonl", base::to_iso8601(world.clock.now()),
                                 then, "turn"});
  CHECK(world.processes.inputs[0] == world.plan());
  SECTION("unless it is switched off") {
    world.environment.variables["PLANKEEP_CHECKPOINTS"] = "off";
    app::spawn_job(world.context, result.jobs);
    CHECK(world.processes.detached.size() == 1);
  }
}

TEST_CASE("what the words say is what was asked") {
  CHECK(rc::check("later words", [] {
    app::CheckpointJob asked{{"/home/kim", "plan.md"},
                             test::hostile_text(),
                             test::hostile_text(),
                             test::hostile_text(),
                             {},
                             {},
                             base::Instant{*rc::gen::inRange<std::int64_t>(0, 4'000'000'000'000)}};
    const int count = *rc::gen::inRange(1, 4);
    for (int i = 0; i < count; ++i) {
      switch (*rc::gen::inRange(0, 3)) {
        case 0:
          asked.checkpoints.push_back(only(CheckpointType::turn));
          asked.checkpoints.back().before_prompt = *rc::gen::arbitrary<bool>();
          break;
        case 1:
          asked.checkpoints.push_back({CheckpointType::context_window, {}, *rc::gen::inRange(0, 1001)});
          break;
        default:
          asked.checkpoints.push_back(
              {CheckpointType::epic_completion, core::PhaseId("p" + test::hostile_text()), std::nullopt});
      }
    }
    // The text itself goes over standard input.
    if (*rc::gen::arbitrary<bool>()) asked.then = app::PlanThen{{}, "sha256:0123456789abcdef", 17, 3};
    RC_ASSERT(app::read_job_arguments(app::job_arguments(asked)) == asked);
  }));
  CHECK_FALSE(app::read_job_arguments({}));
  CHECK_FALSE(app::read_job_arguments({"/home/kim/plan.md", "Stop", "s1", "", kTime, ""}));
  CHECK(app::read_job_arguments({"/home/kim/plan.md", "Stop", "s1", "", kTime, "", "turn"}));
  CHECK(app::read_job_arguments({"/home/kim/plan.md", "Stop", "s1", "", kTime, "17:3:sha256:01", "turn"}));
  CHECK_FALSE(app::read_job_arguments({"/home/kim/plan.md", "Stop", "s1", "", kTime, "17", "turn"}));
  CHECK_FALSE(app::read_job_arguments({"/home/kim/plan.md", "Stop", "s1", "", kTime, "x:3:y", "turn"}));
  CHECK_FALSE(app::read_job_arguments({"plan.md", "Stop", "s1", "", kTime, "", "turn"}));
  CHECK_FALSE(app::read_job_arguments({"/home/kim/plan.md", "Stop", "s1", "", "soon", "", "turn"}));
  CHECK_FALSE(app::read_job_arguments({"/home/kim/plan.md", "Stop", "s1", "", kTime, "", "nap"}));
  CHECK_FALSE(
      app::read_job_arguments({"/home/kim/plan.md", "Stop", "s1", "", kTime, "", "context_window:many"}));
}

TEST_CASE("a text that is not the one that was meant counts for nothing") {
  app::CheckpointJob asked{{"/home/kim", "plan.md"}, "Stop", "s1", {}, {only(CheckpointType::turn)}, {}, {}};
  const std::string text = "- [x] one\n";
  asked.then = app::PlanThen{{}, base::short_checksum(text), 17, 3};
  app::CheckpointJob torn = asked;
  app::give_text(asked, text);
  REQUIRE(asked.then);
  CHECK(asked.then->text == text);
  app::give_text(torn, "- [x] on");
  CHECK_FALSE(torn.then);
}

TEST_CASE("a phase that came back with an earlier text has its checkpoint already") {
  core::Event completed;
  completed.kind = core::EventKind::phase_completed;
  completed.phase = core::PhaseId("build");
  CHECK(app::completions_in({completed}).size() == 1);
  completed.via = core::kGivenBack;
  CHECK(app::completions_in({completed}).empty());
}
