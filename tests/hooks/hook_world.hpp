#pragma once
// A world in which a client calls its hooks: sessions, subagents and processes of a test's choosing.

#include <catch2/catch.hpp>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "clients/client.hpp"
#include "clients/payload.hpp"
#include "hooks/hook.hpp"
#include "rules/sessions.hpp"
#include "support/world.hpp"

namespace plankeep::test {

/// Processes that run as long as a test says so.
class FakeProcesses : public system::Processes {
 public:
  std::map<std::int64_t, std::string> running;

  std::optional<std::string> identity(std::int64_t process) override {
    const auto found = running.find(process);
    if (found == running.end()) return std::nullopt;
    return found->second;
  }
  std::vector<std::int64_t> parents;
  std::vector<std::int64_t> ancestors() override { return parents; }
  std::string name = "here";
  std::string host() override { return name; }
  std::vector<std::vector<std::string>> detached;  // what was started and not waited for
  std::vector<std::string> inputs;                 // on their standard input
  base::Status start_detached(const system::Detached& program) override {
    detached.push_back(program.words);
    inputs.push_back(program.input);
    return {};
  }
  base::Result<system::Finished> run(const system::Run&) override {
    return base::fail(base::ErrorKind::not_found, "nothing may be started here");
  }
};

class HookWorld : public World {
 public:
  explicit HookWorld(std::string_view plan = kPlanText) {
    context.processes = &processes;
    if (!plan.empty()) put_plan(plan);
  }

  core::HookEvent event(core::HookKind kind, const std::string& session = "s1") const {
    using core::HookKind;
    static const std::map<HookKind, std::string> names = {
        {HookKind::session_start, "SessionStart"},    {HookKind::prompt_submitted, "UserPromptSubmit"},
        {HookKind::file_written, "PostToolUse"},      {HookKind::tools_settled, "PostToolBatch"},
        {HookKind::shell_ran, "PostToolUse"},         {HookKind::shell_started, "PreToolUse"},
        {HookKind::subagent_assigned, "PreToolUse"},  {HookKind::subagent_started, "SubagentStart"},
        {HookKind::subagent_stopped, "SubagentStop"}, {HookKind::turn_ended, "Stop"},
        {HookKind::before_compact, "PreCompact"},     {HookKind::session_ended, "SessionEnd"}};
    core::HookEvent made;
    made.kind = kind;
    made.client = client->name;
    const auto name = names.find(kind);
    if (name != names.end()) made.client_event = name->second;
    made.session_id = session;
    made.cwd = "/home/kim";
    return made;
  }

  core::HookEvent start(const std::string& session = "s1", const std::string& source = "startup") const {
    core::HookEvent made = event(core::HookKind::session_start, session);
    made.source = source;
    return made;
  }
  core::HookEvent prompt(const std::string& text, const std::string& session = "s1") const {
    core::HookEvent made = event(core::HookKind::prompt_submitted, session);
    made.prompt = text;
    return made;
  }
  core::HookEvent turn(const std::string& message, const std::string& session = "s1") const {
    core::HookEvent made = event(core::HookKind::turn_ended, session);
    made.message = message;
    return made;
  }
  core::HookEvent written(const std::string& path = "/home/kim/plan.md") const {
    core::HookEvent made = event(core::HookKind::file_written);
    made.paths = {path};
    return made;
  }
  core::HookEvent settled(const std::string& session = "s1") const {
    return event(core::HookKind::tools_settled, session);
  }
  core::HookEvent compact(const std::string& session = "s1") const {
    core::HookEvent made = event(core::HookKind::before_compact, session);
    made.source = "auto";
    return made;
  }
  core::HookEvent end(const std::string& session = "s1") const {
    core::HookEvent made = event(core::HookKind::session_ended, session);
    made.source = "other";
    return made;
  }
  core::HookEvent assign(const std::string& tool_use, const std::string& prompt,
                         const std::string& type = "coder") const {
    core::HookEvent made = event(core::HookKind::subagent_assigned);
    made.tool_use_id = tool_use;
    made.started_type = type;
    made.prompt = prompt;
    return made;
  }
  core::HookEvent agent_start(const std::string& agent, const std::string& type = "coder") const {
    core::HookEvent made = event(core::HookKind::subagent_started);
    made.agent_id = agent;
    made.agent_type = type;
    return made;
  }
  core::HookEvent agent_stop(const std::string& agent, const std::string& message,
                             const std::string& type = "coder") const {
    core::HookEvent made = event(core::HookKind::subagent_stopped);
    made.agent_id = agent;
    made.agent_type = type;
    made.message = message;
    return made;
  }

  /// `edits`: what the payload says was written; empty: it does not say.
  app::HookResult call(const core::HookEvent& event, const std::vector<core::TextEdit>& edits = {}) {
    clients::Payload payload(event, edits);
    return app::answer_hook(context, *client, payload);
  }

  /// The answer to a call that has to go well.
  core::HookAnswer say(const core::HookEvent& event) {
    app::HookResult result = call(event);
    for (const std::string& problem : result.problems) UNSCOPED_INFO(problem);
    CHECK(result.problems.empty());
    return std::move(result.answer);
  }
  /// One that has to be silent, too.
  void quiet(const core::HookEvent& event) {
    const core::HookAnswer answer = say(event);
    UNSCOPED_INFO(answer.context << answer.block << answer.notice);
    CHECK(answer.silent());
  }

  std::size_t count(core::EventKind kind) {
    const auto all = events();
    return static_cast<std::size_t>(
        std::count_if(all.begin(), all.end(), [kind](const core::Event& one) { return one.kind == kind; }));
  }
  /// Recovery copies that were written for that reason.
  std::size_t copies(std::string_view reason) {
    const auto all = events();
    return static_cast<std::size_t>(std::count_if(all.begin(), all.end(), [reason](const core::Event& one) {
      return one.kind == core::EventKind::recovery_saved && one.reason == reason;
    }));
  }
  /// Never absent where a test asks.
  core::State now() {
    auto known = state();
    REQUIRE(known);
    return std::move(*known);
  }
  core::SessionState session(const std::string& id = "s1") {
    const core::State known = now();
    const core::SessionState* found = core::find_session(known, id);
    REQUIRE(found != nullptr);
    return *found;
  }
  core::AgentState agent(const std::string& id) {
    const core::State known = now();
    const core::AgentState* found = core::find_agent(known, id);
    REQUIRE(found != nullptr);
    return *found;
  }

  FakeProcesses processes;
  const clients::Client* client = clients::find_client("claude-code");
};

inline std::vector<std::string> ids_of(const std::vector<core::TaskId>& ids) {
  std::vector<std::string> texts;
  for (const core::TaskId& id : ids) texts.push_back(id.text);
  return texts;
}

}  // namespace plankeep::test
