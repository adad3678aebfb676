// What sessions' events decide, without a disk: event, state and facts in, the decision out.
#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "policy/hook_policy.hpp"
#include "rules/sessions.hpp"

using namespace plankeep;
using namespace plankeep::core;
using Catch::Contains;
using Keep = HookDecision::Keep;

namespace {

constexpr std::int64_t kNow = 1'000'000;

HookEvent event_of(HookKind kind, const std::string& source = "", const std::string& session = "s1") {
  HookEvent event;
  event.kind = kind;
  event.client = "client";
  event.session_id = session;
  event.source = source;
  return event;
}

HookFacts facts_at(std::int64_t now = kNow) {
  HookFacts facts;
  facts.now = {now};
  facts.tells_model = true;
  facts.start_tells_model = true;
  return facts;
}

/// A plan with this session going on, silent since `last_active`.
State with_session(const std::string& id = "s1", std::int64_t last_active = kNow - 5000) {
  State state;
  state.revision = 7;
  SessionState session;
  session.id = id;
  session.started_at = {1};
  session.last_active = {last_active};
  state.sessions.push_back(session);
  return state;
}

HookEvent prompt_of(const std::string& text) {
  HookEvent event = event_of(HookKind::prompt_submitted);
  event.prompt = text;
  return event;
}

std::vector<std::string> kinds(const HookDecision& made) {
  std::vector<std::string> names;
  for (const Event& event : made.events) names.emplace_back(name_of(event.kind));
  return names;
}

AuditFacts audit_of(const std::vector<std::string>& unverified, bool sends_back) {
  AuditFacts claims;
  claims.claimed = claims.unverified = claims.names = unverified;
  claims.file = "plan.md";
  claims.sends_back = sends_back;
  return claims;
}

using Names = std::vector<std::string>;

}  // namespace

TEST_CASE("an end is recorded once, and only of a session that goes on") {
  struct Row {
    const char* what;
    State state;
    Keep keep;
  };
  State over = with_session();
  over.sessions[0].ended_at = base::Instant{5};
  const std::vector<Row> rows = {{"going on", with_session(), Keep::save},
                                 {"over", over, Keep::nothing},
                                 {"another's", with_session("s2"), Keep::nothing},
                                 {"none", State(), Keep::nothing}};
  for (const Row& row : rows) {
    CAPTURE(row.what);
    const HookDecision made = decide(event_of(HookKind::session_ended, "logout"), row.state, facts_at());
    CHECK(made.keep == row.keep);
    CHECK(made.events.size() == (row.keep == Keep::save ? 1U : 0U));
    CHECK(made.jobs.size() == made.events.size());
    if (row.keep == Keep::nothing) continue;
    CHECK(made.events[0].reason == "logout");
    CHECK(made.copy == "session_end");
    CHECK(made.jobs[0].checkpoint.type == CheckpointType::session_end);
    CHECK(made.state.sessions[0].ended_at == base::Instant{kNow});
  }
}

TEST_CASE("whose note the last words replace") {
  struct Row {
    const char* what;
    std::optional<std::string> note;
    bool automatic;
    std::string words;
    std::string earlier;  // of the session's last turn
    std::optional<std::string> then;
    bool saved;
  };
  const std::vector<Row> rows = {
      {"first words", std::nullopt, false, "Done.", "", "Done.", true},
      {"the turn's, where the end says none", std::nullopt, false, "", "Before.", "Before.", true},
      {"none at all", std::nullopt, false, "", "", std::nullopt, false},
      {"a person's note stays", "Ask Ada", false, "Done.", "", "Ask Ada", false},
      {"an automatic one makes way", "Old.", true, "Done.", "", "Done.", true},
      {"the same words", "Done.", true, "Done.", "", "Done.", false},
  };
  for (const Row& row : rows) {
    CAPTURE(row.what);
    State state = with_session();
    state.session_notes = row.note;
    state.note_is_automatic = row.automatic;
    state.sessions[0].last_message = row.earlier;
    HookFacts facts = facts_at();
    facts.last_words = row.words;
    const HookDecision made = decide(event_of(HookKind::session_ended), state, facts);
    CHECK(made.state.session_notes == row.then);
    CHECK(kinds(made) == (row.saved ? Names{"note_saved", "session_ended"} : Names{"session_ended"}));
    if (row.saved) CHECK(made.events[0].reason == "session_end");
  }
}

TEST_CASE("a compaction writes a copy, forgets how full the window was and is answered once") {
  State state = with_session();
  state.sessions[0].context_full = true;
  state.sessions[0].context_percent = 91;
  HookFacts facts = facts_at();
  facts.context_percent = 91;
  const HookEvent event = event_of(HookKind::before_compact, "auto");
  HookDecision made = decide(event, state, facts);
  CHECK(made.keep == Keep::save);
  CHECK(made.copy == "pre_compact");
  REQUIRE(made.jobs.size() == 1);
  CHECK(made.jobs[0].checkpoint == WantedCheckpoint{CheckpointType::pre_compact, {}, 91});
  CHECK_FALSE(made.state.sessions[0].context_full);
  CHECK_FALSE(made.state.sessions[0].context_percent);
  CHECK(made.state.sessions[0].last_revision == 8);

  State then = made.state;
  then.revision = 8;
  CHECK(decide(event, then, facts).keep == Keep::nothing);
  facts.now = {kNow + kSameMoment};
  CHECK(decide(event, then, facts).keep == Keep::save);
}

TEST_CASE("a full context window is worth one checkpoint, from the trigger on") {
  struct Row {
    std::optional<int> percent;
    std::optional<int> trigger;
    bool told;
    bool wanted;
  };
  const std::vector<Row> rows = {{79, 80, false, false},
                                 {80, 80, false, true},
                                 {95, 80, true, false},
                                 {std::nullopt, 80, false, false},
                                 {80, std::nullopt, false, false},
                                 {1000, 95, false, true}};
  for (const Row& row : rows) {
    CAPTURE(row.percent.value_or(-1), row.trigger.value_or(-1), row.told);
    State state = with_session();
    state.sessions[0].context_full = row.told;
    HookFacts facts = facts_at();
    facts.context_percent = row.percent;
    facts.context_trigger = row.trigger;
    HookEvent event = event_of(HookKind::turn_ended);
    event.message = "Well.";
    event.context_percent = row.percent;
    const HookDecision made = decide(event, state, facts);
    CHECK(made.copy == (row.wanted ? std::optional<std::string>("context_window") : std::nullopt));
    CHECK(made.keep == (row.wanted ? Keep::save : Keep::bookkeeping));
    CHECK(made.state.sessions[0].context_full == (row.told || row.wanted));
    CHECK(made.jobs.size() == (row.wanted ? 2U : 1U));
    CHECK(made.jobs.back().checkpoint == WantedCheckpoint{CheckpointType::turn, {}, row.percent});
  }
}

TEST_CASE("which prompts count, and which of them writes a copy") {
  struct Row {
    const char* what;
    HookEvent event;
    std::int64_t before;
    std::int64_t after;
    bool copy;
  };
  HookEvent notified = prompt_of("");
  notified.notified = {{"b1", "completed"}};
  const std::vector<Row> rows = {{"a person's", prompt_of("go on"), 0, 1, false},
                                 {"the fourth", prompt_of("go on"), 3, 4, false},
                                 {"the fifth", prompt_of("go on"), 4, 5, true},
                                 {"the tenth", prompt_of("go on"), 9, 10, true},
                                 {"a notification", notified, 4, 4, false}};
  for (const Row& row : rows) {
    CAPTURE(row.what);
    State state = with_session();
    state.sessions[0].prompts = row.before;
    const HookDecision made = decide(row.event, state, facts_at());
    CHECK(made.state.sessions[0].prompts == row.after);
    CHECK(made.copy == (row.copy ? std::optional<std::string>("every_5th_prompt") : std::nullopt));
    CHECK(made.jobs.size() == (row.after > row.before ? 1U : 0U));
    if (!made.jobs.empty()) CHECK(made.jobs[0].checkpoint.before_prompt);
  }
}

TEST_CASE("the same prompt at the same moment is one, a moment later it is two") {
  const HookDecision first = decide(prompt_of("go on"), with_session(), facts_at());
  CHECK(decide(prompt_of("go on"), first.state, facts_at(kNow + kSameMoment - 1)).state.sessions[0].prompts ==
        1);
  CHECK(decide(prompt_of("go on"), first.state, facts_at(kNow + kSameMoment)).state.sessions[0].prompts == 2);
  CHECK(decide(prompt_of("stop"), first.state, facts_at()).state.sessions[0].prompts == 2);
  // A clock that was set back is no moment.
  CHECK(decide(prompt_of("go on"), first.state, facts_at(kNow - 1)).state.sessions[0].prompts == 2);
}

TEST_CASE("when a session is told the plan") {
  struct Row {
    const char* what;
    bool known;
    bool due;
    bool start_tells;
    bool prompt_tells;
    bool resume;
  };
  const std::vector<Row> rows = {
      {"it was told at its start", true, false, true, true, false},
      {"its start told nobody", true, true, false, true, true},
      {"its start was never seen, and would have told", false, false, true, true, false},
      {"no start tells this client", false, false, false, true, true},
      {"nor does a prompt", false, false, false, false, false},
      {"due, with a prompt that tells nobody", true, true, false, false, false}};
  for (const Row& row : rows) {
    CAPTURE(row.what);
    State state = row.known ? with_session() : State();
    if (row.known) state.sessions[0].resume_due = row.due;
    HookFacts facts = facts_at();
    facts.start_tells_model = row.start_tells;
    facts.tells_model = row.prompt_tells;
    CHECK(wants_resume(prompt_of("go on"), state, facts) == row.resume);
    const HookDecision made = decide(prompt_of("go on"), state, facts);
    CHECK(made.resume == row.resume);
    CHECK(made.state.sessions[0].resume_due == (row.due && !row.resume));
  }
}

TEST_CASE("which sessions a start finds dead") {
  struct Row {
    const char* what;
    ProcessFate process;
    std::int64_t silent;
    bool dead;
  };
  const std::vector<Row> rows = {
      {"its process runs, however silent", ProcessFate::runs, kSilence.count() * 9, false},
      {"its process ended a moment ago", ProcessFate::ended, 0, true},
      {"no process known, silent for less", ProcessFate::unknown, kSilence.count() - 1, false},
      {"no process known, silent for long", ProcessFate::unknown, kSilence.count(), true}};
  for (const Row& row : rows) {
    CAPTURE(row.what);
    HookFacts facts = facts_at();
    facts.sessions = {{"old", row.process}};
    facts.last_known = "state.json";
    const HookDecision made =
        decide(event_of(HookKind::session_start, "startup"), with_session("old", kNow - row.silent), facts);
    CHECK(kinds(made) == (row.dead ? Names{"session_crash", "session_recovered", "session_started"}
                                   : Names{"session_started"}));
    if (row.dead) CHECK(made.events[0].session == "old");
    if (row.dead) CHECK(made.events[0].last_known_state == "state.json");
    CHECK(made.resume);
  }
}

TEST_CASE("a start of a session that goes on says by its source whether it died") {
  for (const char* source : {"startup", "resume", "new", "compact", "clear", "fork"}) {
    CAPTURE(source);
    const bool died =
        std::string(source) == "startup" || std::string(source) == "resume" || std::string(source) == "new";
    const HookDecision made = decide(event_of(HookKind::session_start, source), with_session(), facts_at());
    CHECK(made.events.size() == (died ? 3U : 0U));
    CHECK(made.keep == (died ? Keep::save : Keep::bookkeeping));
  }
}

TEST_CASE("what a dead session's subagents were given is recorded before its end forgets it") {
  State state = with_session("old");
  state.sessions[0].assignments = {{"call-1", "coder", {TaskId{"T1"}}, {}}};
  AgentState agent;
  agent.id = "a1";
  agent.type = "coder";
  agent.session = "old";
  agent.status = AgentStatus::running;
  state.agents = {agent};
  HookFacts facts = facts_at();
  facts.sessions = {{"old", ProcessFate::ended}};
  facts.agents = {{"a1", "call-1", std::nullopt}};
  const HookDecision made = decide(event_of(HookKind::session_start, "startup"), state, facts);
  REQUIRE(kinds(made) == Names{"subagent_started", "session_crash", "session_recovered", "session_started"});
  CHECK(made.events[0].tasks == std::vector<TaskId>{TaskId{"T1"}});
  CHECK(made.state.agents[0].status == AgentStatus::lost);
}

TEST_CASE("the gate sends back, says it to the person, or has nothing to say") {
  HookEvent event = event_of(HookKind::turn_ended);
  event.message = "T1 is done.";
  HookFacts facts = facts_at();
  SECTION("nothing was claimed in vain") {
    facts.audit = audit_of({}, true);
    const HookDecision made = decide(event, with_session(), facts);
    CHECK(made.answer.silent());
    CHECK(made.jobs.size() == 1);
  }
  SECTION("back: the turn goes on, and has no checkpoint yet") {
    facts.audit = audit_of({"T1"}, true);
    const HookDecision made = decide(event, with_session(), facts);
    CHECK_THAT(made.answer.block, Contains("T1"));
    CHECK(made.answer.notice.empty());
    CHECK(made.jobs.empty());
  }
  SECTION("a word to the person, once") {
    facts.audit = audit_of({"T1"}, false);
    const HookDecision made = decide(event, with_session(), facts);
    CHECK(made.answer.block.empty());
    CHECK(made.answer.notice ==
          "[plankeep] The agent said that T1 is done, but its box in plan.md is not ticked.");
    CHECK(made.jobs.size() == 1);
    const HookDecision again = decide(event, made.state, facts);
    CHECK(again.answer.silent());
    CHECK(again.jobs.empty());
  }
}

TEST_CASE("what was said of files and tests is told, and holds nobody back by itself") {
  HookEvent event = event_of(HookKind::turn_ended);
  event.message = "Created `a.ts`, all tests pass.";
  HookFacts facts = facts_at();
  SECTION("alone it is a word to the person, once") {
    facts.audit = audit_of({}, true);
    facts.audit->doubts.missing = {"a.ts"};
    const HookDecision made = decide(event, with_session(), facts);
    CHECK(made.answer.block.empty());
    CHECK_THAT(made.answer.notice, Contains("a.ts"));
    CHECK(made.jobs.size() == 1);
    CHECK(decide(event, made.state, facts).answer.silent());
  }
  SECTION("with a task it is said to whom is sent back") {
    facts.audit = audit_of({"T1"}, true);
    facts.audit->doubts.tests = WorkDoubts::Tests::not_run;
    const HookDecision made = decide(event, with_session(), facts);
    CHECK_THAT(made.answer.block, Contains("T1") && Contains("no test run"));
    CHECK(made.answer.notice.empty());
  }
}

TEST_CASE("a turn's end asks for a checkpoint of each plan that was saved since its last one") {
  HookFacts facts = facts_at();
  const auto at = [](std::int64_t before) { return base::Instant{kNow - before}; };
  facts.other_plans = {
      {at(9000)},                                  // before the session
      {at(5000)},                                  // in it, and no turn has kept it
      {at(5000), at(5000)},                        // its last save was the checkpoint
      {at(1), at(5000)},    {at(9000), at(9500)},  // by a session before this one
  };
  HookEvent event = event_of(HookKind::turn_ended);
  event.message = "Well.";
  State state = with_session("s1", kNow);  // a subagent has just touched it
  state.sessions.front().started_at = at(6000);
  const HookDecision made = decide(event, state, facts);
  std::vector<std::size_t> plans;
  for (const HookJob& job : made.jobs) plans.push_back(job.plan);
  CHECK(plans == std::vector<std::size_t>{0, 2, 4, 5});
}

TEST_CASE("a session that was met first at a compaction did not begin with it") {
  const HookDecision made = decide(event_of(HookKind::before_compact, "auto"), State(), facts_at());
  REQUIRE_FALSE(made.events.empty());
  CHECK(made.events[0].kind == EventKind::session_started);
  CHECK(made.events[0].source.empty());
}

TEST_CASE("a session that goes on with this plan brings what was known of it") {
  HookFacts facts = facts_at();
  facts.elsewhere = with_session().sessions[0];
  facts.elsewhere->prompts = 4;
  facts.elsewhere->context_full = true;
  const HookDecision made = decide(prompt_of("go on"), State(), facts);
  CHECK(kinds(made) == Names{"session_started"});
  CHECK(made.copy == "every_5th_prompt");
  REQUIRE(made.state.sessions.size() == 1);
  CHECK(made.state.sessions[0].prompts == 5);
  CHECK(made.state.sessions[0].context_full);
  CHECK_FALSE(made.resume);

  HookFacts end = facts_at();
  end.elsewhere = facts.elsewhere;
  end.last_words = "Half is there.";
  const HookDecision ended = decide(event_of(HookKind::session_ended, "other"), State(), end);
  CHECK(kinds(ended) == Names{"session_started", "note_saved", "session_ended"});
}

TEST_CASE("where a session has worked on another plan since, its end is recorded and nothing else") {
  HookFacts facts = facts_at();
  facts.worked_elsewhere = true;
  facts.last_words = "Of the other plan.";
  const HookDecision made = decide(event_of(HookKind::session_ended, "other"), with_session(), facts);
  CHECK(kinds(made) == Names{"session_ended"});
  CHECK_FALSE(made.copy);
  CHECK(made.jobs.empty());
}

TEST_CASE("events that are no session's decide nothing") {
  for (const HookKind kind : {HookKind::nothing, HookKind::file_written, HookKind::tools_settled}) {
    const HookDecision made = decide(event_of(kind), with_session(), facts_at());
    CHECK(made.keep == Keep::nothing);
    CHECK(made.answer.silent());
    CHECK(made.events.empty());
  }
}

TEST_CASE("what a subagent's stop does, by what it claims and what is known of it") {
  enum class Does { sends_back, records, records_finding, adds_finding, nothing };
  struct Row {
    const char* what;
    AgentStatus status;
    bool audit;
    bool sends_back;
    bool stop_active;
    bool sent_back;
    bool told_before;
    bool waits;
    Does does;
  };
  using S = AgentStatus;
  const std::vector<Row> rows = {
      {"claims nothing", S::running, false, true, false, false, false, false, Does::records},
      {"claims in vain", S::running, true, true, false, false, false, false, Does::sends_back},
      {"... again, as the client says", S::running, true, true, true, false, false, false,
       Does::records_finding},
      {"... again, by our record", S::running, true, true, false, true, false, false, Does::records_finding},
      {"... and nobody may send it back", S::running, true, false, false, false, false, false,
       Does::records_finding},
      {"told twice", S::stopped, false, true, false, false, true, false, Does::nothing},
      {"told twice, and its finding waits", S::stopped, true, true, false, true, true, true, Does::nothing},
      {"told twice, and the first was killed", S::stopped, true, true, false, true, true, false,
       Does::adds_finding},
      {"stopped, and now with other words", S::stopped, false, true, false, true, false, false,
       Does::records}};
  for (const Row& row : rows) {
    CAPTURE(row.what);
    State state = with_session();
    AgentState agent;
    agent.id = "a1";
    agent.type = "coder";
    agent.session = "s1";
    agent.status = row.status;
    agent.sent_back = row.sent_back;
    agent.assignment_known = true;
    state.agents = {agent};
    if (row.waits) state.findings = {{"a1", "coder", "s1", {1}, false, {"T1"}, {}, {}}};
    HookFacts facts = facts_at();
    facts.tells_model = false;
    facts.audit = audit_of(row.audit ? Names{"T1"} : Names{}, row.sends_back);
    if (row.told_before) {
      facts.last_stop.emplace();
      facts.last_stop->claimed = facts.last_stop->unverified = facts.audit->unverified;
    }
    HookEvent event = event_of(HookKind::subagent_stopped);
    event.agent_id = "a1";
    event.agent_type = "coder";
    event.stop_active = row.stop_active;
    const HookDecision made = decide(event, state, facts);
    const bool records = row.does == Does::records || row.does == Does::records_finding;
    CHECK(kinds(made) == (records ? Names{"subagent_stopped"} : Names{}));
    CHECK(made.answer.block.empty() == (row.does != Does::sends_back));
    CHECK((made.keep == Keep::nothing) == (row.does == Does::nothing));
    if (row.does == Does::nothing) continue;
    // Of one that is sent back it is held until it stops again.
    const bool finding =
        row.does == Does::records_finding || row.does == Does::adds_finding || row.does == Does::sends_back;
    CHECK(made.state.findings.size() == (finding ? 1U : 0U));
    CHECK(made.state.agents[0].sent_back == (row.does == Does::sends_back || row.sent_back));
  }
}

TEST_CASE("where the answer to a subagent's end reaches its parent, the parent is told at once and once") {
  State state = with_session();
  AgentState agent;
  agent.id = "a1";
  agent.type = "coder";
  agent.session = "s1";
  agent.status = AgentStatus::running;
  agent.assignment_known = true;
  state.agents = {agent};
  HookFacts facts = facts_at();
  facts.tells_model = true;
  facts.audit = audit_of({"T1"}, false);
  HookEvent event = event_of(HookKind::subagent_stopped);
  event.agent_id = "a1";
  event.agent_type = "coder";
  HookDecision made = decide(event, state, facts);
  CHECK_THAT(made.answer.context, Contains("T1"));
  CHECK(kinds(made) == Names{"subagent_stopped"});
  CHECK(made.state.findings.empty());
  // The hook is installed twice.
  facts.last_stop = made.events.front();
  made.state.sessions[0].last_revision = made.state.revision;
  made = decide(event, made.state, facts);
  CHECK(made.answer.silent());
  CHECK(made.keep == Keep::nothing);
}

TEST_CASE("a stop that comes behind its session's end does not begin the session again") {
  State state = with_session();
  state.sessions[0].ended_at = base::Instant{5};
  HookEvent event = event_of(HookKind::subagent_stopped);
  event.agent_id = "a1";
  event.agent_type = "coder";
  CHECK(kinds(decide(event, state, facts_at())) == Names{"subagent_stopped"});
  CHECK(kinds(decide(event, State(), facts_at())) == Names{"session_started", "subagent_stopped"});
}

TEST_CASE("a call that starts a subagent is noted once, and no more than twenty wait") {
  State state = with_session();
  HookEvent event = event_of(HookKind::subagent_assigned);
  HookFacts facts = facts_at();
  facts.given.tasks = {TaskId{"T1"}};
  for (int i = 0; i < 25; ++i) {
    event.tool_use_id = "call-" + std::to_string(i);
    state = decide(event, state, facts).state;
  }
  CHECK(state.sessions[0].assignments.size() == 20);
  CHECK(state.sessions[0].assignments.back().tool_use == "call-24");
  CHECK(decide(event, state, facts).keep == Keep::nothing);
}

TEST_CASE("a subagent's start writes a copy, is recorded once, and may bring its prompt later") {
  HookEvent event = event_of(HookKind::subagent_started);
  event.agent_id = "a1";
  event.agent_type = "coder";
  HookDecision made = decide(event, with_session(), facts_at());
  CHECK(kinds(made) == Names{"subagent_started"});
  CHECK(made.copy == "pre_subagent_spawn");
  CHECK(decide(event, made.state, facts_at()).keep == Keep::nothing);
  event.prompt = "Do T1.";
  HookFacts facts = facts_at();
  facts.given.tasks = {TaskId{"T1"}};
  made = decide(event, made.state, facts);
  CHECK(kinds(made) == Names{"subagent_started"});
  CHECK_FALSE(made.copy);
  CHECK(decide(event, made.state, facts).keep == Keep::nothing);
}
