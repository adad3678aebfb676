#pragma once
// A small world for use cases: a disk in memory with a project /home/kim in it, a clock that stands still, no
// environment.

#include <algorithm>
#include <string>
#include <vector>

#include "model/json/event_json.hpp"
#include "model/json/state_json.hpp"
#include "project/context.hpp"
#include "project/plan_location.hpp"
#include "support/fake_clock.hpp"
#include "support/map_environment.hpp"
#include "support/memory_file_system.hpp"

namespace plankeep::test {

inline constexpr std::string_view kPlanText =
    "# Auth\n"
    "\n"
    "## Build\n"
    "<!-- CHECKPOINT: build -->\n"
    "- [x] Schema <!-- TASK: schema -->\n"
    "- [ ] Login form <!-- TASK: login | after: schema -->\n"
    "- [ ] Logout <!-- TASK: logout | after: login -->\n"
    "\n"
    "## Ship\n"
    "<!-- CHECKPOINT: ship -->\n"
    "- [ ] Release notes <!-- TASK: notes -->\n"
    "- [ ] Tests pass <!-- ACCEPT: tests | verify: make test -->\n";

class World {
 public:
  World() {
    environment.directory = "/home/kim";
    environment.variables["HOME"] = "/home/ada";
    disk().put_folder("/home/kim");
    disk().put_folder("/home/ada");
  }

  MemoryDisk& disk() { return files.disk(); }

  void put_plan(std::string_view text) { disk().put("/home/kim/plan.md", text); }
  std::string plan() { return disk().get("/home/kim/plan.md").value_or(""); }

  /// Replaces the first `from` in the plan, as an editor would.
  void edit(std::string_view from, std::string_view to) {
    std::string text = plan();
    const std::size_t at = text.find(from);
    if (at == std::string::npos) throw std::logic_error("no such text in the plan: " + std::string(from));
    text.replace(at, from.size(), to);
    clock.advance(60'000);
    put_plan(text);
  }

  std::optional<core::State> state() {
    const auto text = disk().get("/home/kim/.checkpoint/state.json");
    if (!text) return std::nullopt;
    auto state = core::decode_state(*text);
    if (!state) return std::nullopt;
    return std::move(*state);
  }

  std::vector<core::Event> events(const std::string& folder = "/home/kim") {
    std::vector<core::Event> all;
    const std::string text = disk().get(folder + "/.checkpoint/history.jsonl").value_or("");
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t end = std::min(text.find('\n', at), text.size());
      if (auto event = core::decode_event(text.substr(at, end - at))) all.push_back(*event);
      at = end + 1;
    }
    return all;
  }

  /// "task_completed login external", ...
  std::vector<std::string> told() {
    std::vector<std::string> lines;
    for (const core::Event& event : events()) lines.push_back(line_of(event));
    return lines;
  }

  static std::string line_of(const core::Event& event) {
    std::string line(core::name_of(event.kind));
    const std::string id = event.task.empty() ? event.criterion.text : event.task.text;
    for (const std::string& part :
         {id, event.by, event.action, event.what, event.fallback, event.restored_from, event.source,
          event.last_known_state, event.checkpoint_type, event.tier}) {
      if (!part.empty()) line += " " + part;
    }
    return line;
  }
  static std::vector<std::string> lines_of(const std::vector<core::Event>& events) {
    std::vector<std::string> lines;
    for (const core::Event& event : events) lines.push_back(line_of(event));
    return lines;
  }

  /// What was written since the last forget_log().
  std::size_t operations_named(std::string_view start) {
    const auto& log = disk().log();
    return static_cast<std::size_t>(std::count_if(
        log.begin(), log.end(),
        [start](const std::string& operation) { return operation.compare(0, start.size(), start) == 0; }));
  }

  static const core::TaskState* task(const core::State& state, std::string_view id) {
    for (const core::PhaseState& phase : state.phases) {
      for (const core::TaskState& one : phase.tasks) {
        if (one.id.text == id) return &one;
      }
    }
    return nullptr;
  }

  MemoryFileSystem files;
  FakeClock clock;
  MapEnvironment environment;
  app::Context context{files, clock, environment};
  app::PlanLocation location{"/home/kim", "plan.md"};
};

}  // namespace plankeep::test
