// The law behind everything: state = fold(plan, history), whatever clients do and whatever breaks in between.
#include <rapidcheck.h>

#include <catch2/catch.hpp>

#include "editing/record.hpp"
#include "hook_world.hpp"
#include "support/bookkeeping.hpp"
#include "support/hostile_text.hpp"
#include "tracking/track.hpp"

using namespace plankeep;
using core::HookEvent;
using core::HookKind;
using test::HookWorld;

namespace {

const std::string kFolder = "/home/kim/.checkpoint/";

template <class Value>
Value one_of(const std::vector<Value>& values) {
  return *rc::gen::elementOf(values);
}

// What the law speaks of: not how often or when it was saved, nor what sessions note down for the moment.
core::State lawful(core::State state) {
  state = test::without_bookkeeping(std::move(state));
  state.revision = 0;
  state.history_offset = 0;
  state.plan_stamp.reset();
  state.last_saved = {};
  return state;
}

void lose_caches(HookWorld& world) {
  for (const char* name : {"state.json", "recovery.json", "recovery.1.json", "recovery.2.json"})
    world.disk().erase(kFolder + name);
}

void edit_plan(HookWorld& world) {
  const std::string line = one_of<std::string>({"] Schema", "] Login", "] Logout", "] Release", "] Tests"});
  std::string text = world.plan();
  const std::size_t at = text.find(line);
  if (at == std::string::npos) return;
  // Without a task it is no plan, and what cannot be read cannot be rebuilt from (spec 6.5).
  const bool last_task = text.find("TASK:") == text.rfind("TASK:");
  switch (*rc::gen::inRange(last_task ? 1 : 0, 6)) {
    case 0: {  // the line goes
      const std::size_t begin = text.rfind('\n', at) + 1;
      text.erase(begin, text.find('\n', at) + 1 - begin);
      break;
    }
    case 1: {  // another one comes
      const std::string id = one_of<std::string>({"extra", "more", "login"});
      text += "- [" + one_of<std::string>({" ", "x"}) + "] New <!-- TASK: " + id + " -->\n";
      break;
    }
    default:
      text[at - 1] = text[at - 1] == 'x' ? ' ' : 'x';
  }
  world.put_plan(text);
}

// Plans that cannot be read come back a moment later, as files being written do.
void break_something(HookWorld& world) {
  switch (*rc::gen::inRange(0, 6)) {
    case 0:
      world.disk().erase(kFolder + "state.json");
      break;
    case 1:
      if (auto text = world.disk().get(kFolder + "state.json"))
        world.disk().put(kFolder + "state.json", text->substr(0, text->size() / 2));
      break;
    case 2:
      world.disk().put(kFolder + "recovery.json", test::hostile_text());
      break;
    case 3:
      lose_caches(world);
      break;
    case 4: {  // a crash while the history was written
      if (auto text = world.disk().get(kFolder + "history.jsonl"))
        world.disk().put(kFolder + "history.jsonl", *text + "{\"ts\":\"2026-11-20T15:43:50.123Z\",\"eve");
      break;
    }
    default: {
      const std::string text = world.plan();
      world.put_plan(one_of<std::string>({"", "# Nothing\n", std::string("\0\1", 2)}));
      (void)world.call(world.settled());
      world.put_plan(text);
    }
  }
}

// What an edit says that it wrote; mostly not what it did.
std::vector<core::TextEdit> any_edits() {
  return one_of<std::vector<core::TextEdit>>({{},
                                              {{"- [ ] Login", "- [x] Login"}},
                                              {{"[ ] Release", "[x] Release"}, {"[ ] Tests", "[x] Tests"}},
                                              {{"", "- [x] Schema\n- [x] Logout\n"}},
                                              {{"Login", ""}}});
}

HookEvent any_event(HookWorld& world) {
  const std::string session = one_of<std::string>({"s1", "s2", "s3"});
  const std::string agent = one_of<std::string>({"a1", "a2", "a3"});
  const std::string type = one_of<std::string>({"coder", "tester", ""});
  const std::string words =
      one_of<std::string>({"", "Well.", "Tasks completed:\n- login\n- notes", "Do `login`.", "task notes"});
  HookEvent event = world.event(one_of<HookKind>(
      {HookKind::session_start, HookKind::session_start, HookKind::prompt_submitted, HookKind::file_written,
       HookKind::tools_settled, HookKind::shell_ran, HookKind::subagent_assigned, HookKind::subagent_started,
       HookKind::subagent_started, HookKind::subagent_stopped, HookKind::turn_ended, HookKind::before_compact,
       HookKind::session_ended}));
  event.session_id = *rc::gen::weightedElement<bool>({{9, false}, {1, true}}) ? std::string() : session;
  event.source = one_of<std::string>({"startup", "resume", "compact", "clear", "other"});
  event.prompt = words;
  event.message = words;
  event.tool_use_id = one_of<std::string>({"t1", "t2", ""});
  event.started_type = type;
  event.stop_active = *rc::gen::arbitrary<bool>();
  event.background = *rc::gen::arbitrary<bool>();
  event.failed = *rc::gen::weightedElement<bool>({{5, false}, {1, true}});
  if (event.kind == HookKind::file_written) event.paths = {"/home/kim/plan.md"};
  const bool of_agent = event.kind == HookKind::subagent_started ||
                        event.kind == HookKind::subagent_stopped ||
                        *rc::gen::weightedElement<bool>({{3, false}, {1, true}});
  if (of_agent) {
    event.agent_id = agent;
    event.agent_type = type;
  }
  if (event.kind == HookKind::prompt_submitted && *rc::gen::arbitrary<bool>())
    event.notified = {{agent, "completed"}};
  if (*rc::gen::arbitrary<bool>()) event.process = 7;
  if (*rc::gen::arbitrary<bool>()) event.context_percent = *rc::gen::inRange(0, 120);
  return event;
}

}  // namespace

TEST_CASE("after any sequence of hooks, edits and damage the state is what plan and history tell") {
  CHECK(rc::check("state = fold(plan, history)", [] {
    HookWorld world;
    world.processes.running[7] = "7:1";
    (void)world.call(world.start());
    const int steps = *rc::gen::inRange(1, 40);
    for (int i = 0; i < steps; ++i) {
      const int what = *rc::gen::inRange(0, 10);
      world.clock.advance(one_of<std::int64_t>({0, 0, 500, 2000, 90'000, 700'000}));
      if (what == 0) {
        break_something(world);
      } else if (what == 1) {
        world.processes.running[7] = "7:" + std::to_string(i);
      } else if (what == 2) {
        (void)app::save_note(world.context, world.location, one_of<std::string>({"", "Mine", "Yours"}),
                             "main");
      } else if (what <= 4) {
        edit_plan(world);
      } else {
        HookEvent event = any_event(world);
        const app::HookResult result = world.call(event, any_edits());
        for (const std::string& problem : result.problems) RC_FAIL(problem);
      }
    }
    RC_ASSERT(app::track(world.context, world.location, {}).has_value());
    const auto kept = world.state();
    RC_ASSERT(kept.has_value());

    lose_caches(world);
    world.clock.advance(5000);
    RC_ASSERT(app::track(world.context, world.location, {}).has_value());
    const auto rebuilt = world.state();
    RC_ASSERT(rebuilt.has_value());
    RC_LOG() << "kept: " << core::encode_state(lawful(*kept))
             << "\nrebuilt: " << core::encode_state(lawful(*rebuilt)) << "\n"
             << world.disk().get(kFolder + "history.jsonl").value_or("");
    RC_ASSERT(lawful(*rebuilt) == lawful(*kept));
  }));
}

TEST_CASE("no event breaks a hook, whatever stands in it") {
  CHECK(rc::check("hostile events", [] {
    HookWorld world;
    (void)world.call(world.start());
    for (int i = 0; i < 4; ++i) {
      HookEvent event = any_event(world);
      for (std::string HookEvent::*field :
           {&HookEvent::session_id, &HookEvent::source, &HookEvent::prompt, &HookEvent::agent_id,
            &HookEvent::agent_type, &HookEvent::team, &HookEvent::tool_use_id, &HookEvent::started_type,
            &HookEvent::message, &HookEvent::transcript, &HookEvent::agent_transcript}) {
        if (*rc::gen::arbitrary<bool>()) event.*field = test::hostile_text();
      }
      event.paths.push_back(test::hostile_text());
      const app::HookResult result = world.call(event);
      for (const std::string& text : {result.answer.context, result.answer.block, result.answer.notice}) {
        for (const char c : text) {
          const auto byte = static_cast<unsigned char>(c);
          RC_ASSERT(byte >= 0x20 || byte == '\n');
          RC_ASSERT(byte != 0x7f);
        }
      }
    }
    // What was recorded can be read back.
    RC_ASSERT(world.state().has_value());
  }));
}
