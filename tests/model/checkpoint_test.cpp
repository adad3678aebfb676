#include "model/checkpoint.hpp"

#include <rapidcheck.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "base/sha256.hpp"
#include "model/json/checkpoint_json.hpp"
#include "model/random_checkpoint.hpp"

using namespace plankeep;
using namespace plankeep::core;
using Json = nlohmann::json;

namespace {

constexpr std::int64_t kHour = 3'600'000;

WorkState large(std::size_t files, std::size_t commands) {
  WorkState work;
  for (std::size_t i = 0; i < files; ++i) {
    work.files_modified.push_back({"src/" + std::to_string(i), "modified", 3, base::Instant{1}});
  }
  for (std::size_t i = 0; i < commands; ++i) {
    work.last_commands.push_back({"toolu_" + std::to_string(i), "Bash", "", "make check", base::Instant{2}});
  }
  return work;
}

State two_phases() {
  State state;
  state.revision = 7;
  state.last_saved = base::Instant{5 * kHour};
  PhaseState build;
  build.id = PhaseId("build");
  build.title = "Build";
  build.status = PhaseStatus::in_progress;
  build.started_at = base::Instant{kHour};
  build.tasks.push_back({TaskId("schema"), "Schema", true, false, {}, {}, {}});
  CriterionState tests;
  tests.id = CriterionId("tests");
  tests.met = true;
  tests.evidence.emplace().command = "make test";
  build.acceptance.push_back(tests);
  tests.evidence->status = 2;
  build.acceptance.push_back(tests);
  PhaseState ship;
  ship.id = PhaseId("ship");
  ship.tasks.push_back({TaskId("notes"), "Notes", false, false, {}, {}, {}});
  state.phases = {build, ship};
  state.current_phase = PhaseId("build");
  return state;
}

Checkpoint half_way() {
  Checkpoint checkpoint;
  checkpoint.head.id = CheckpointId("cp_0a1b2c_003");
  checkpoint.work_state.current_epic = epic_of(two_phases(), base::Instant{2 * kHour});
  checkpoint.work_state.git_status.branch = "main";
  checkpoint.work_state.git_status.unstaged_files = 2;
  checkpoint.moment.commit_sha = "1234567890abcdef1234567890abcdef12345678";
  checkpoint.moment.workspace_state = WorkspaceState::dirty;
  checkpoint.moment.criteria = 2;
  checkpoint.moment.criteria_met = 1;
  checkpoint.moment.blockers = {"waiting for \x1b[31mkeys"};
  checkpoint.moment.todo_snapshot = {
      {PhaseId("build"), TaskId("schema"), "Schema", BoxState::done, false},
      {PhaseId("build"), TaskId("login"), "Login\nform", BoxState::open, false},
      {PhaseId("build"), TaskId("logout"), "Logout", BoxState::active, false},
      {PhaseId("ship"), TaskId("notes"), "Notes", BoxState::open, false},
  };
  return checkpoint;
}

bool says(const std::vector<std::string>& lines, const std::string& part) {
  return std::any_of(lines.begin(), lines.end(),
                     [&](const std::string& line) { return line.find(part) != std::string::npos; });
}

}  // namespace

TEST_CASE("a checkpoint's id is made of its session and a number, and known again") {
  CHECK(checkpoint_prefix("cli") == "cp_" + base::sha256_hex("cli").substr(0, 6));
  CHECK(checkpoint_id("cp_0a1b2c", 7).text == "cp_0a1b2c_007");
  CHECK(checkpoint_id("cp_0a1b2c", 12345).text == "cp_0a1b2c_12345");
  CHECK(is_checkpoint_id("cp_0a1b2c_007"));
  CHECK(is_checkpoint_id("cp_0a1b2c_12345"));
  for (const char* text : {"", "cp_", "cp_0a1b2c", "cp_0a1b2c_07", "cp_0A1b2c_007", "cp_0a1b2c_00x",
                           "cp_0a1b2c-007", "xp_0a1b2c_007", "cp_0a1b2c_0000000000000000000"}) {
    CHECK_FALSE(is_checkpoint_id(text));
  }
  for (const std::string_view name : checkpoint_type_names()) CHECK(name_of(*checkpoint_type(name)) == name);
  CHECK_FALSE(checkpoint_type("save").has_value());
}

TEST_CASE("a work state always fits, keeps its keys, and fitting twice changes nothing") {
  CHECK(rc::check([] {
    const WorkState work = fit(random_work_state());
    const std::string json = encode_work_state(work);
    RC_ASSERT(json.size() <= kWorkStateLimit);
    RC_ASSERT(fit(work) == work);
    const auto read = decode_work_state(json);
    RC_ASSERT(read.has_value());
    RC_ASSERT(*read == work);
    const Json value = Json::parse(json);
    for (const char* key :
         {"current_epic", "files_modified", "git_status", "last_commands", "prd_status", "environment"}) {
      RC_ASSERT(value.contains(key));
    }
    RC_ASSERT(value["files_modified"].is_array());
    RC_ASSERT(value["last_commands"].is_array());
  }));
}

TEST_CASE("the first words of a prompt are one line, short, and hold no secret") {
  CHECK(prompt_words("Fix the login.") == "Fix the login.");
  CHECK(prompt_words("\n  Fix\tthe\r\n\n login.  ") == "Fix the login.");
  CHECK(prompt_words(" \n").empty());
  CHECK(prompt_words("a\x1b[2Jb").find('\x1b') == std::string::npos);
  CHECK(prompt_words(std::string(120, 'x')) == std::string(120, 'x'));
  CHECK(prompt_words(std::string(121, 'x')) == std::string(119, 'x') + "…");
  CHECK(prompt_words(std::string(119, 'x') + " y") == std::string(119, 'x') + "…");
  CHECK(prompt_words(std::string(118, 'x') + " yz") == std::string(118, 'x') + "…");
}

TEST_CASE("the first words of a prompt never grow, whatever it says") {
  CHECK(rc::check("prompt", [] {
    const std::string words =
        prompt_words(test::hostile_text() + std::string(200, 'x') + test::hostile_text());
    std::size_t characters = 0;
    for (std::size_t at = 0; at < words.size(); at += base::decode_at(words, at).length) ++characters;
    RC_ASSERT(characters <= kPromptCharacters);
    RC_ASSERT(base::printable(words) == words);
    RC_ASSERT(words.find('\n') == std::string::npos);
  }));
}

TEST_CASE("what a list shows is what the whole checkpoint says") {
  CHECK(rc::check("listed", [] {
    Checkpoint checkpoint = random_checkpoint();
    checkpoint.moment.plan_digest = *rc::gen::element<std::string>("", std::string(64, 'a'));
    ListedCheckpoint read = decode_listed(encode_moment(checkpoint.moment)).value();
    read.head = checkpoint.head;
    RC_ASSERT(read == listed(checkpoint));
  }));
}

TEST_CASE("what was made before a prompt ends no turn") {
  CheckpointHead head;
  head.type = CheckpointType::turn;
  CHECK(is_turn_end(head));
  for (const std::string_view trigger : {kBeforePrompt, kAfterPrompt}) {
    head.metadata.trigger = std::string(trigger);
    CHECK_FALSE(is_turn_end(head));
    CHECK(is_of_prompt(head));
  }
}

TEST_CASE("a small work state comes back as it is") {
  const WorkState work = large(3, 4);
  CHECK(fit(work) == work);
}

TEST_CASE("long lists become counts: the oldest commands and the last files go") {
  const WorkState work = fit(large(5000, 50));
  CHECK(work.files_more + static_cast<std::int64_t>(work.files_modified.size()) == 5000);
  CHECK(work.commands_more + static_cast<std::int64_t>(work.last_commands.size()) == 50);
  CHECK(work.files_modified.size() >= 3);
  CHECK(work.last_commands.size() >= 20);
  CHECK(work.files_modified.front().path == "src/0");
  CHECK(work.last_commands.back().command_id == "toolu_49");
  const Json value = Json::parse(encode_work_state(work));
  CHECK(value["files_modified_more"] == work.files_more);
  CHECK(value["last_commands_more"] == work.commands_more);
}

TEST_CASE("20 commands stay, however many files changed and whatever their texts") {
  WorkState work = large(5000, 50);
  for (CommandUsed& used : work.last_commands) used.message = std::string(500, 'm');
  for (FileChange& file : work.files_modified) file.path = std::string(300, 'p') + file.path;
  const WorkState fitted = fit(work);
  CHECK(encode_work_state(fitted).size() <= kWorkStateLimit);
  CHECK(fitted.last_commands.size() >= 20);
  CHECK(fitted.files_modified.size() >= 3);
  CHECK(fit(fitted) == fitted);
}

TEST_CASE("20 commands stay where their ids, the branch and the folder are long too") {
  WorkState work = large(5000, 50);
  for (CommandUsed& used : work.last_commands) {
    used.command_id = "toolu_01" + std::string(40, 'A');
    used.message = R"(grep -n "\"name\":" -r "src" | sed 's/\\/x/')" + std::string(200, '"');
    used.timestamp = base::Instant{1'763'653'430'123};
  }
  for (FileChange& file : work.files_modified) file.path = std::string(300, '"') + file.path;
  const std::string quotes(300, '"');
  work.current_epic.epic_id = work.current_epic.feature_name = work.git_status.branch = quotes;
  work.prd_status.next_epic = quotes;
  work.environment = {quotes, "/" + quotes + quotes, quotes};
  for (int i = 0; i < 20; ++i) work.commits.push_back({std::string(40, 'a'), quotes});
  const WorkState fitted = fit(work);
  CHECK(encode_work_state(fitted).size() <= kWorkStateLimit);
  CHECK(fitted.last_commands.size() >= 20);
  CHECK(fitted.commits_more + static_cast<std::int64_t>(fitted.commits.size()) == 20);
  CHECK(fit(fitted) == fitted);
}

TEST_CASE("files make way for commands, and not the other way round") {
  const WorkState few = fit(large(5000, 30));
  CHECK(few.last_commands.size() == 30);
  CHECK(few.commands_more == 0);
  CHECK(few.files_modified.size() >= 3);
}

TEST_CASE("a path names its file, line feed and all, what is no UTF-8 becomes U+FFFD") {
  WorkState work;
  work.files_modified.push_back({"odd\nna\tme\x1b", "untracked", {}, {}});
  work.files_modified.push_back({"old-\xe9", "untracked", {}, {}});
  const WorkState fitted = fit(work);
  CHECK(fitted.files_modified[0].path == "odd\nna\tme\x1b");
  CHECK(fitted.files_modified[1].path == "old-\xEF\xBF\xBD");
  const Json value = Json::parse(encode_work_state(fitted));
  CHECK(value["files_modified"][0]["path"] == "odd\nna\tme\x1b");
}

TEST_CASE("the worst texts there can be still fit") {
  WorkState work = large(60, 60);
  const std::string quotes(100'000, '"');
  work.current_epic.epic_id = work.current_epic.feature_name = work.current_epic.status = quotes;
  work.git_status.branch = work.prd_status.epic_status = work.prd_status.next_epic = quotes;
  work.environment = {quotes, "/" + quotes, quotes};
  for (FileChange& file : work.files_modified) file.path = file.status = quotes;
  for (CommandUsed& used : work.last_commands) used.command_id = used.type = used.message = quotes;
  for (int i = 0; i < 20; ++i) work.commits.push_back({quotes, quotes});
  CHECK(encode_work_state(fit(work)).size() <= kWorkStateLimit);
}

TEST_CASE("a path is cut at its front, at the border of a character") {
  WorkState work;
  work.files_modified.push_back(
      {std::string(50, 'd') + std::string(200, '/') + "计划计划.md", "added", {}, {}});
  const std::string path = fit(work).files_modified.front().path;
  CHECK(path.size() <= 200);
  CHECK(path.starts_with("…/"));
  CHECK(path.ends_with("计划计划.md"));
}

TEST_CASE("what a checkpoint's JSON says is read back the same") {
  CHECK(rc::check([] {
    Checkpoint checkpoint = random_checkpoint();
    checkpoint.head.id = checkpoint_id("cp_0a1b2c", 1);
    for (TodoItem& item : checkpoint.moment.todo_snapshot) item.title = base::to_valid_utf8(item.title);
    base::JsonWriter out(base::JsonWriter::Layout::compact);
    write_checkpoint(out, checkpoint);
    const auto read = decode_checkpoint(out.finish());
    RC_ASSERT(read.has_value());
    RC_ASSERT(*read == checkpoint);
  }));
}

TEST_CASE("reading a checkpoint's JSON never crashes and names what is wrong") {
  CHECK(rc::check([] {
    (void)decode_checkpoint(test::hostile_bytes());
    (void)decode_work_state(test::hostile_bytes());
  }));
  CHECK(decode_moment(R"({"workspaceState":"tidy"})").error().kind == base::ErrorKind::corrupt);
  CHECK(decode_moment(R"({"turn":-1})").error().message.find("turn") != std::string::npos);
  CHECK_FALSE(decode_checkpoint(R"({"checkpoint_type":"save"})").has_value());
  CHECK_FALSE(decode_metadata("{}x").has_value());
  CHECK(decode_work_state(R"({"new_key":[1,{"a":2}]})").has_value());
}

TEST_CASE("an epic is the phase in work, with what its commands showed and how long it took") {
  const CurrentEpic epic = epic_of(two_phases(), base::Instant{2 * kHour + kHour / 2});
  CHECK(epic.epic_id == "build");
  CHECK(epic.feature_name == "Build");
  CHECK(epic.status == "in_progress");
  CHECK(epic.duration_tenths_hours == 15);
  CHECK(epic.test_results == TestResults{1, 1, {}});
  const PrdStatus prd = prd_status_of(two_phases());
  CHECK(prd.version == 7);
  CHECK(prd.epic_status == "in_progress");
  CHECK(prd.next_epic == "ship");
}

TEST_CASE("of a completed phase the status is its own, and the next one follows it") {
  State state = two_phases();
  const PhaseId first = state.phases.front().id;
  state.phases.front().status = PhaseStatus::completed;
  state.current_phase = state.phases.back().id;
  CHECK(prd_status_of(state, first).epic_status == "completed");
  CHECK(prd_status_of(state, first).next_epic == "ship");
  // None behind it: one before it that is open again.
  state.phases.front().status = PhaseStatus::in_progress;
  state.phases.back().status = PhaseStatus::completed;
  CHECK(prd_status_of(state, PhaseId("ship")).next_epic == first.text);
  CHECK(prd_status_of(state, PhaseId("gone")).next_epic.empty());
}

TEST_CASE("after a completed phase the instructions name the next one") {
  Checkpoint checkpoint = half_way();
  checkpoint.work_state.current_epic.status = "completed";
  checkpoint.work_state.prd_status.next_epic = "ship";
  const RecoveryInstructions told = recovery_instructions(checkpoint, {.plan = "plan.md"});
  CHECK(says(told.steps, "Read plan.md, phase ship"));
}

TEST_CASE("when all is done the epic is the last phase, and its time stands still") {
  State state = two_phases();
  state.current_phase.reset();
  for (PhaseState& phase : state.phases) phase.status = PhaseStatus::completed;
  state.phases.back().started_at = base::Instant{0};
  state.phases.back().completed_at = base::Instant{kHour};
  const CurrentEpic epic = epic_of(state, base::Instant{100 * kHour});
  CHECK(epic.epic_id == "ship");
  CHECK(epic.duration_tenths_hours == 10);
  CHECK(prd_status_of(state).epic_status == "completed");
  CHECK(prd_status_of(state).next_epic.empty());
  CHECK(epic_of(State{}, base::Instant{}) == CurrentEpic{});
}

TEST_CASE("the instructions say what was finished, what stands, and what to do in which order") {
  const RecoveryInstructions told = recovery_instructions(half_way(), {.plan = "plans/auth/plan.md"});
  CHECK(says(told.finished, "1 of 4 tasks were done"));
  CHECK(says(told.finished, "\"Schema\" (schema)"));
  CHECK(says(told.facts, "\"Build\" (build) was in progress: 1 of 3 tasks"));
  CHECK(says(told.facts, "1 of its 2 acceptance criteria was met."));
  CHECK(says(told.facts, "The phase was started 1 hour earlier."));
  CHECK(says(told.facts, "Branch main at 1234567890; uncommitted files: 0 staged, 2 modified"));
  REQUIRE(told.steps.size() >= 5);
  CHECK(told.steps[0].find("plankeep unblock 1") != std::string::npos);
  CHECK(told.steps[1].find("Read plans/auth/plan.md, phase \"Build\"") == 0);
  CHECK(says(told.steps, "git status"));
  CHECK(says(told.steps, "Continue with task \"Logout\" (logout)"));
  CHECK(says(told.steps, "plankeep done logout"));
  CHECK(says(told.steps, "plankeep verify"));
  for (const auto* part : {&told.finished, &told.facts, &told.steps}) {
    for (const std::string& line : *part) {
      CHECK(line.find('\x1b') == std::string::npos);
      CHECK(line.find('\n') == std::string::npos);
    }
  }
}

TEST_CASE("the instructions tell what has changed since, and the way back to the files") {
  Checkpoint checkpoint = half_way();
  checkpoint.moment.snapshot.emplace().ref = "refs/plankeep/x/1";
  SinceThen since;
  since.head = "ffff";
  since.plan_changed = true;
  since.done_now = 3;
  const RecoveryInstructions told = recovery_instructions(checkpoint, since);
  CHECK(says(told.steps, "it has changed since and has 3 tasks done now"));
  CHECK(says(told.steps, "git log --oneline 1234567890..HEAD"));
  CHECK(says(told.steps, "plankeep rewind cp_0a1b2c_003 --dry-run"));
  CHECK(says(told.steps, "Read the plan"));
  since.snapshot_gone = true;
  const RecoveryInstructions gone = recovery_instructions(checkpoint, since);
  CHECK(says(gone.steps, "no longer in git"));
  CHECK(says(gone.steps, "plankeep rewind cp_0a1b2c_003 --plan --dry-run"));
  CHECK_FALSE(says(gone.steps, "plankeep rewind cp_0a1b2c_003 --dry-run"));
}

TEST_CASE("an empty checkpoint has something to do next, too") {
  const RecoveryInstructions told = recovery_instructions(Checkpoint{}, {});
  CHECK_FALSE(told.finished.empty());
  CHECK_FALSE(told.steps.empty());
}
