// The JSON outputs, read back by another library.
#include <algorithm>
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "render/annotated.hpp"
#include "render/doctor.hpp"
#include "render/error.hpp"
#include "render/lint.hpp"
#include "render/parse.hpp"
#include "render/progress/next.hpp"
#include "render/progress/resume.hpp"
#include "render/progress/status.hpp"
#include "render/recorded/changes.hpp"
#include "render/samples.hpp"

namespace plankeep::render {
namespace {

using nlohmann::json;
using Keys = std::vector<std::string>;

Keys keys_of(const std::string& text) {
  const auto ordered = nlohmann::ordered_json::parse(text);
  Keys keys;
  for (const auto& [key, value] : ordered.items()) keys.push_back(key);
  return keys;
}

std::string parsed_sample(const core::Plan& plan) {
  return parse_json({plan, "auth", "/p/plan.md", "plan.md", "sha256:0123456789abcdef"});
}

/// Text that breaks writers: quotes, control characters, ill-formed bytes.
const std::string kNasty = "a\"b\\c\nd\te\x01\x1b[31m\xff\xc3 \xe2\x80\xae z";

}  // namespace

TEST_CASE("status --json has the keys of spec 9 in their order") {
  const std::string text = status_json(sample_view());
  CHECK(keys_of(text) == Keys{"plan", "source", "progress", "skipped", "phases", "currentPhase",
                              "currentTask", "blockers", "decisions", "warnings", "lastCheckpoint",
                              "revision", "vanished", "waiting", "leases"});
  const json status = json::parse(text);
  CHECK(status["plan"] == json{{"id", "auth"}, {"path", "/home/ada/shop/plans/auth/plan.md"}});
  CHECK(status["source"] == "state");
  CHECK(status["progress"] == json{{"totalTasks", 7},
                                   {"completedTasks", 3},
                                   {"percentage", 42.9},
                                   {"optionalTasks", 1},
                                   {"optionalOpen", 1}});
  CHECK(status["phases"][1] == json{{"id", "api"},
                                    {"title", "API and storage"},
                                    {"status", "in_progress"},
                                    {"total", 4},
                                    {"done", 1},
                                    {"acceptanceTotal", 2},
                                    {"acceptanceMet", 1},
                                    {"proven", false},
                                    {"proof",
                                     {{"commands", 1},
                                      {"proven", json::array()},
                                      {"unproven", {"tests"}},
                                      {"stale", json::array()},
                                      {"failed", json::array()},
                                      {"unknown", json::array()},
                                      {"why", json::object()}}}});
  CHECK(status["currentPhase"] == "api");
  CHECK(status["currentTask"] == "queries");
  CHECK(status["lastCheckpoint"] == "2026-11-20T15:43:50.123Z");
  CHECK(status["revision"] == 12);
  CHECK(status["decisions"][0]["time"] == "2026-11-18T09:00:00.000Z");
  CHECK(status["warnings"].size() == 1);
  CHECK(status["waiting"] ==
        json::array({{{"id", "interface"}, {"phaseId", "api"}, {"waitingFor", json::array({"queries"})}}}));
  CHECK(status["leases"].empty());
}

TEST_CASE("status --json of an untracked plan has null where nothing is known and arrays everywhere") {
  const json status = json::parse(status_json(view_of(core::Plan{})));
  CHECK(status["source"] == "none");
  CHECK(status["currentPhase"].is_null());
  CHECK(status["currentTask"].is_null());
  CHECK(status["lastCheckpoint"].is_null());
  for (const char* name : {"phases", "blockers", "decisions", "warnings"}) CHECK(status[name].is_array());
}

TEST_CASE("parse --json has the shape of spec 9") {
  core::Plan plan = sample_plan();
  const Keys keys{"planId",      "path",   "checksum",  "progress", "skipped",    "currentPhase",
                  "currentTask", "phases", "decisions", "blockers", "diagnostics"};
  CHECK(keys_of(parsed_sample(plan)) == keys);
  plan.title = "Sign in";
  plan.skipped = 3;
  plan.phases[1].tasks[1].parent = core::TaskId("schema");
  plan.phases[1].tasks[1].section = {"Storage", "Queries"};
  plan.phases[1].tasks[1].marked = true;
  plan.phases[1].acceptance[1].optional = true;
  const json parsed = json::parse(parsed_sample(plan));
  CHECK(parsed["title"] == "Sign in");
  CHECK(parsed["skipped"] == 3);
  CHECK(parsed["progress"]["optionalTasks"] == 1);
  CHECK(parsed["progress"]["optionalOpen"] == 1);
  CHECK_FALSE(parsed["phases"][1]["tasks"][0].contains("parent"));
  CHECK_FALSE(parsed["phases"][1]["tasks"][0].contains("section"));
  CHECK_FALSE(parsed["phases"][1]["acceptance"][0].contains("optional"));
  CHECK(parsed["phases"][1]["acceptance"][1]["optional"] == true);
  CHECK(parsed["phases"][1]["tasks"][1] == json{{"id", "queries"},
                                                {"title", "Queries with limits and paging"},
                                                {"state", "active"},
                                                {"done", false},
                                                {"optional", false},
                                                {"line", 15},
                                                {"after", {"schema"}},
                                                {"parent", "schema"},
                                                {"section", {"Storage", "Queries"}},
                                                {"marked", true}});
  CHECK(parsed["phases"][1]["acceptance"][0]["verify"] == "ctest --output-on-failure");
  CHECK_FALSE(parsed["phases"][1]["acceptance"][1].contains("verify"));
  CHECK(parsed["decisions"][0]["reason"] == "one file, no server");
  CHECK_FALSE(parsed["decisions"][1].contains("reason"));
  CHECK(parsed["blockers"][0]["line"] == 19);
  CHECK(parsed["diagnostics"][0]["severity"] == "error");
  CHECK(parsed["diagnostics"][0]["code"] == "unknown-dependency");
  CHECK_FALSE(parsed["diagnostics"][3].contains("hint"));
}

TEST_CASE("next --json says which result it is") {
  const json next = json::parse(next_json(sample_view()));
  CHECK(next["result"] == "task");
  CHECK(next["task"]["id"] == "queries");
  CHECK(next["task"]["line"] == 15);
  CHECK(next["waiting"][0]["waitingFor"] == json{"queries"});
  CHECK(next["criteria"].size() == 1);
  const json empty = json::parse(next_json(view_of(core::Plan{})));
  CHECK(empty["result"] == "empty");
  CHECK(empty["task"].is_null());
  CHECK(empty["phase"].is_null());
}

TEST_CASE("resume --json carries the text, its length and what it was made from") {
  const json resume = json::parse(resume_json(sample_view(), {}, 100));
  CHECK(resume["budget"] == 300);
  CHECK(resume["revision"] == 12);
  CHECK(resume["savedAt"] == "2026-11-20T15:43:50.123Z");
  CHECK(resume["text"] == resume_text(sample_view(), {}, 300));
  CHECK(resume["characters"].get<std::size_t>() <= 300);
}

TEST_CASE("changes --json holds the events as the history has them") {
  app::Outcome outcome = outcome_of({"/auth", "plan.md"}, sample_events(), 4);
  outcome.notices = {{core::NoticeKind::task_removed, "gone"}};
  const Changes changes{outcome};
  const json parsed = json::parse(changes_json(changes));
  CHECK(parsed["changed"] == true);
  REQUIRE(parsed["events"].size() == sample_events().size());
  const auto ticked = std::find_if(parsed["events"].begin(), parsed["events"].end(),
                                   [](const json& event) { return event["event"] == "task_completed"; });
  REQUIRE(ticked != parsed["events"].end());
  CHECK((*ticked)["taskId"] == "schema");
  CHECK((*ticked)["by"] == "subagent:coder");
  CHECK((*ticked)["agentId"] == "a7");
  CHECK(parsed["notices"][0] == json{{"kind", "task_removed"}, {"text", "gone"}});
}

TEST_CASE("SARIF names every rule once and points at the places") {
  const std::vector<LintedFile> files = {{"a b/plan.md", sample_plan().diagnostics, std::nullopt}};
  const json sarif = json::parse(lint_sarif(files, "1.2.3"));
  CHECK(sarif["version"] == "2.1.0");
  const json& run = sarif["runs"][0];
  CHECK(run["tool"]["driver"]["version"] == "1.2.3");
  const json& rules = run["tool"]["driver"]["rules"];
  CHECK(rules.size() == core::diagnostic_rules().size());
  REQUIRE(run["results"].size() == 4);
  for (const json& result : run["results"]) {
    const json& region = result["locations"][0]["physicalLocation"]["region"];
    CHECK(region["startLine"].get<int>() >= 1);
    CHECK(region["startColumn"].get<int>() >= 1);
    CHECK(result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == "a%20b/plan.md");
    bool known = false;
    for (const json& rule : rules) known = known || rule["id"] == result["ruleId"];
    CHECK(known);
  }
  CHECK(run["results"][0]["level"] == "error");
  CHECK(run["results"][1]["level"] == "note");
  CHECK(run["results"][3]["level"] == "note");
  CHECK(run["invocations"][0]["executionSuccessful"] == true);
}

TEST_CASE("a file that cannot be read counts as an error and spoils the SARIF run") {
  const std::vector<LintedFile> files = {
      {"gone.md", {}, base::Error{base::ErrorKind::io, "cannot read gone.md", "", ""}}};
  CHECK(count(files).errors == 1);
  CHECK(json::parse(lint_json(files))["files"][0]["error"] == "cannot read gone.md");
  CHECK(json::parse(lint_sarif(files, "1"))["runs"][0]["invocations"][0]["executionSuccessful"] == false);
}

TEST_CASE("every JSON output stays valid with hostile text in it") {
  core::Plan plan = sample_plan();
  plan.phases[1].title = kNasty;
  plan.phases[1].tasks[1].title = kNasty;
  plan.phases[1].tasks[1].id = core::TaskId(kNasty);
  plan.blockers[0].text = kNasty;
  plan.decisions[0].text = kNasty;
  plan.diagnostics[0].message = kNasty;
  core::State state = sample_state();
  state.session_notes = kNasty;
  StatusView view = view_of(plan, &state);
  view.warnings.push_back(kNasty);
  app::Outcome outcome = outcome_of({std::string("/") + kNasty, kNasty}, sample_events(), 1);
  outcome.notices = {{core::NoticeKind::task_removed, kNasty}};
  outcome.warnings = {kNasty};
  outcome.edited = true;
  outcome.events[1].title = kNasty;
  const Changes changes{outcome, {kNasty}};
  const std::vector<LintedFile> files = {
      {kNasty, plan.diagnostics, base::Error{base::ErrorKind::io, kNasty, kNasty, kNasty}}};
  ResumeInput resume;
  resume.since = sample_events();
  for (core::Event& event : resume.since) event.agent_type = kNasty;
  resume.lost = {{kNasty, {core::TaskId(kNasty)}}};
  resume.crashed = true;
  resume.outside_edit = true;
  resume.phase_note = kNasty;
  for (const std::string& text :
       {status_json(view), init_json(view, true, {}), next_json(view), resume_json(view, resume),
        parsed_sample(plan), lint_json(files), lint_sarif(files, kNasty), changes_json(changes),
        error_json(*files[0].error, 4),
        doctor_json({kNasty, kNasty, {{kNasty, Health::problem, kNasty, kNasty}}}),
        annotated_json({kNasty, true, {{1, "TASK", kNasty}}})}) {
    CHECK(json::accept(text));
    CHECK(text.find('\x1b') == std::string::npos);
    CHECK(text.back() == '\n');
  }
}

}  // namespace plankeep::render
