#include "model/sidecar.hpp"

#include <rapidcheck.h>

#include <catch2/catch.hpp>

#include "model/json/sidecar_json.hpp"

using namespace plankeep;
using namespace plankeep::core;

namespace {

const std::string kSha(40, 'a');

Task task(std::string id, bool done) {
  Task one;
  one.id = TaskId(std::move(id));
  one.state = done ? BoxState::done : BoxState::open;
  return one;
}

Criterion criterion(std::string id, bool met, std::string verify) {
  Criterion one;
  one.id = CriterionId(std::move(id));
  one.met = met;
  one.verify = std::move(verify);
  return one;
}

/// Phases p0, p1, ...: 'x' completed, '~' begun, ' ' not begun, '0' empty.
Plan plan_of(std::string_view shape) {
  Plan plan;
  for (std::size_t i = 0; i < shape.size(); ++i) {
    Phase phase;
    phase.id = PhaseId("p" + std::to_string(i));
    if (shape[i] != '0') {
      phase.tasks.push_back(task("a", shape[i] != ' '));
      phase.tasks.push_back(task("b", shape[i] == 'x'));
    }
    plan.phases.push_back(std::move(phase));
  }
  return plan;
}

CommitCheckpoint at(std::int64_t milestone, std::int64_t time = 1000) {
  return {CheckpointSource::sidecar, kSha, milestone, PhaseId("p" + std::to_string(milestone)), {},
          base::Instant{time}};
}

Evidence evidence(std::string command, std::string tree, int status = 0) {
  Evidence one;
  one.command = std::move(command);
  one.tree = std::move(tree);
  one.status = status;
  return one;
}

// Two phases with one command each; the evidence of both holds for the tree "now".
struct Proven {
  Plan plan = plan_of("xx");
  State state;
  TreeNow now{TreeNow::Kind::known, "now"};
  Proven() {
    for (std::size_t i = 0; i < 2; ++i) {
      plan.phases[i].acceptance.push_back(criterion("c", true, "make " + std::to_string(i)));
      PhaseState phase;
      phase.id = plan.phases[i].id;
      CriterionState known;
      known.id = CriterionId("c");
      known.evidence = evidence("make " + std::to_string(i), "now");
      phase.acceptance.push_back(std::move(known));
      state.phases.push_back(std::move(phase));
    }
  }
  TierDecision decide(std::size_t phase, bool whole = true) const {
    return decide_tier(plan, phase, KnownEvidence(&state), now, whole);
  }
};

Sidecar full() {
  Sidecar sidecar;
  sidecar.sha = kSha;
  sidecar.run = "auth";
  sidecar.milestone = 2;
  sidecar.title = "Ship \"it\"";
  sidecar.created_at = base::Instant{1'763'653'430'123};
  sidecar.tier = Tier::tier1;
  sidecar.commands = {"make test"};
  sidecar.tree = std::string(40, 'b');
  sidecar.patch_id = std::string(40, 'c');
  sidecar.plan_id = "auth";
  sidecar.phase = PhaseId("ship");
  sidecar.unknown = {{"by", "\"kim\""}};
  return sidecar;
}

std::string error_of(const std::string& text) {
  const auto read = decode_sidecar(text);
  REQUIRE_FALSE(read);
  CHECK(read.error().kind == base::ErrorKind::corrupt);
  return read.error().message;
}

std::string replaced(std::string text, std::string_view from, std::string_view to) {
  const std::size_t place = text.find(from);
  REQUIRE(place != std::string::npos);
  return text.replace(place, from.size(), to);
}

}  // namespace

TEST_CASE("a sidecar is read as it was written, unknown fields included") {
  const Sidecar sidecar = full();
  const auto read = decode_sidecar(encode_sidecar(sidecar));
  REQUIRE(read);
  CHECK(*read == sidecar);
  Sidecar relinked = sidecar;
  relinked.relinked_from = std::string(40, 'd');
  relinked.plan_path = "plans/auth/plan.md";
  relinked.phase_complete = false;
  relinked.entire_checkpoint = "01HF7YAT00000G40R40M30E209";
  CHECK(decode_sidecar(encode_sidecar(relinked)).value() == relinked);
  CHECK(encode_sidecar(sidecar).find("relinked_from") == std::string::npos);
  CHECK(encode_sidecar(sidecar).find("entire_checkpoint") == std::string::npos);
}

TEST_CASE("a sidecar has exactly the keys of the specification, in their order") {
  Sidecar sidecar = full();
  sidecar.unknown.clear();
  CHECK(encode_sidecar(sidecar) ==
        "{\n  \"schema_version\": \"1.0.0\",\n  \"sha\": \"" + kSha +
            "\",\n  \"run_id\": \"auth\",\n  \"milestone_index\": 2,\n  \"milestone_title\": \"Ship "
            "\\\"it\\\"\",\n"
            "  \"created_at\": \"2025-11-20T15:43:50.123Z\",\n  \"tier\": \"tier1\",\n"
            "  \"verification_commands\": [\n    \"make test\"\n  ],\n  \"tree\": \"" +
            std::string(40, 'b') + "\",\n  \"patch_id\": \"" + std::string(40, 'c') +
            "\",\n  \"plan_id\": \"auth\",\n  \"phase_id\": \"ship\"\n}\n");
}

TEST_CASE("what is no sidecar is refused with the place") {
  const std::string good = encode_sidecar(full());
  CHECK_THAT(error_of("{}"), Catch::Contains("schema_version"));
  CHECK_THAT(error_of("[]"), Catch::Contains("object"));
  CHECK_THAT(error_of(good + "x"), Catch::Contains("byte"));
  CHECK_THAT(error_of(replaced(good, "1.0.0", "2.0.0")), Catch::Contains("version 1"));
  CHECK_THAT(error_of(replaced(good, kSha, "abc")), Catch::Contains("sha"));
  CHECK_THAT(error_of(replaced(good, kSha, std::string(40, 'A'))), Catch::Contains("sha"));
  CHECK_THAT(error_of(replaced(good, "tier1", "tier9")), Catch::Contains("tier"));
  CHECK_THAT(error_of(replaced(good, "\"milestone_index\": 2", "\"milestone_index\": -1")),
             Catch::Contains("milestone_index"));
  CHECK_THAT(error_of(replaced(good, "\"milestone_index\": 2", "\"milestone_index\": 1.5")),
             Catch::Contains("milestone_index"));
  CHECK_THAT(error_of(replaced(good, "\"auth\"", "\"a\\nb\"")), Catch::Contains("run_id"));
  CHECK_THAT(error_of(replaced(good, "\"run_id\"", "\"run\"")), Catch::Contains("run_id"));
  CHECK_THAT(error_of(replaced(good, "2025-11-20T", "yesterday")), Catch::Contains("created_at"));
  for (std::size_t cut = 0; cut < good.size() - 2; ++cut) CHECK_FALSE(decode_sidecar(good.substr(0, cut)));
}

TEST_CASE("what a later 1.x adds is read, what is ours alone may be missing") {
  std::string text = replaced(encode_sidecar(full()), "1.0.0", "1.4.0");
  text = replaced(text, ",\n  \"phase_id\": \"ship\"", "");
  const auto read = decode_sidecar(text);
  REQUIRE(read);
  CHECK(read->version == "1.4.0");
  CHECK(read->phase.empty());
}

TEST_CASE("a run's id is one line without control characters") {
  CHECK(is_run_id("auth"));
  CHECK(is_run_id("my plan"));
  CHECK(is_run_id("\xe8\xae\xa1\xe5\x88\x92"));
  for (const std::string bad : {"", " a", "a ", "a\nb", "a\x1b[1m", "a\x7f", "\xff"})
    CHECK_FALSE(is_run_id(bad));
  CHECK_FALSE(is_run_id(std::string(201, 'a')));
  CHECK(rc::check("of any folder's name a run's id is made",
                  [](const std::string& name) { RC_ASSERT(is_run_id(run_of_plan(name))); }));
}

TEST_CASE("the tier says what evidence proves of the commit") {
  Proven proven;
  CHECK(proven.decide(0) == TierDecision{Tier::tier2, {"make 0", "make 1"}});
  proven.state.phases[1].acceptance[0].evidence->status = 1;
  CHECK(proven.decide(0) == TierDecision{Tier::tier1, {"make 0"}});
  CHECK(proven.decide(1) == TierDecision{});
}

TEST_CASE("stale evidence, files left out and trees that nobody looked at verify nothing") {
  Proven proven;
  CHECK(proven.decide(0, false) == TierDecision{});
  proven.now.kind = TreeNow::Kind::not_looked;
  CHECK(proven.decide(0) == TierDecision{});
  proven.now = {TreeNow::Kind::known, "later"};
  CHECK(proven.decide(0) == TierDecision{});
  proven.now.digest = "now";
  proven.plan.phases[0].acceptance[0].verify = "make other";
  CHECK(proven.decide(0) == TierDecision{});
  CHECK(proven.decide(1) == TierDecision{Tier::tier1, {"make 1"}});
}

TEST_CASE("a criterion without a command has to be met, and alone verifies nothing") {
  Proven proven;
  proven.plan.phases[0].acceptance.push_back(criterion("reviewed", false, ""));
  CHECK(proven.decide(0) == TierDecision{});
  CHECK(proven.decide(1).tier == Tier::tier1);
  proven.plan.phases[0].acceptance.back().met = true;
  CHECK(proven.decide(0).tier == Tier::tier2);
  proven.plan.phases[0].acceptance.erase(proven.plan.phases[0].acceptance.begin());
  proven.plan.phases[1].acceptance.clear();
  CHECK(proven.decide(0) == TierDecision{});
}

TEST_CASE("a commit belongs to the last completed phase without one, else to the current one") {
  const CommitCheckpoint none;
  const auto chosen = [](std::string_view shape, const CommitCheckpoint& last, CompletionTimes times = {}) {
    return milestone_to_commit(plan_of(shape), times, last);
  };
  CHECK(chosen("~ ", none) == 0);
  CHECK(chosen("x~ ", none) == 0);
  CHECK(chosen("xx ", none) == 1);
  CHECK(chosen("x~ ", at(0)) == 1);
  CHECK(chosen("xx ", at(0)) == 1);
  CHECK(chosen("xx ", at(1)) == 2);
  CHECK(chosen(" x ", at(1)) == 0);
  CHECK(chosen("xx", at(1)) == 1);
  CHECK(chosen("x0", at(0)) == 0);
  CHECK(chosen("0", none) == std::nullopt);
  CHECK(chosen("", none) == std::nullopt);
  // Completed behind the checkpoint that was made while it was worked on.
  CHECK(chosen("xx ", at(1, 1000), {std::nullopt, base::Instant{2000}}) == 1);
  CHECK(chosen("xx ", at(1, 1000), {std::nullopt, base::Instant{500}}) == 2);
}

TEST_CASE("a checkpoint's phase is found by its id, else by its number") {
  Plan plan = plan_of("xx ");
  std::swap(plan.phases[0], plan.phases[1]);
  CHECK(phase_of(plan, at(0)) == 1);
  CommitCheckpoint bare = at(1);
  bare.phase = PhaseId();
  CHECK(phase_of(plan, bare) == 1);
  bare.milestone = 3;
  CHECK(phase_of(plan, bare) == std::nullopt);
  bare.milestone = -1;
  CHECK(phase_of(plan, bare) == std::nullopt);
  CHECK(phase_of(plan, at(7)) == std::nullopt);
  CHECK(phase_of(plan, {}) == std::nullopt);
}

TEST_CASE("plan and checkpoint drift when one of them is ahead, or the phase is gone") {
  CHECK_FALSE(drift_between(plan_of("~  "), {}));
  CHECK(drift_between(plan_of("xx"), {}) ==
        Drift{Drift::Kind::ahead, "milestone 1 (p1)", "no checkpoint", CheckpointSource::none});
  CHECK_FALSE(drift_between(plan_of("x~ "), at(0)));
  CHECK_FALSE(drift_between(plan_of("x~ "), at(1)));
  CHECK_FALSE(drift_between(plan_of("x  "), at(1)));
  CHECK_FALSE(drift_between(plan_of("xx "), at(1)));
  CHECK_FALSE(drift_between(plan_of(" x "), at(1)));
  const auto ahead = drift_between(plan_of("xx "), at(0));
  CHECK(ahead ==
        Drift{Drift::Kind::ahead, "milestone 1 (p1)", "milestone 0 (p0)", CheckpointSource::sidecar});
  const auto behind = drift_between(plan_of("~  "), at(2));
  CHECK(behind ==
        Drift{Drift::Kind::behind, "milestone 0 (p0)", "milestone 2 (p2)", CheckpointSource::sidecar});
  const auto gone = drift_between(plan_of("x "), at(5));
  CHECK(gone ==
        Drift{Drift::Kind::unknown, "milestone 0 (p0)", "milestone 5 (p5)", CheckpointSource::sidecar});
}

TEST_CASE("a phase that was complete when it was committed and is open again is a drift") {
  CommitCheckpoint complete = at(1);
  complete.phase_complete = true;
  CHECK_FALSE(drift_between(plan_of("xx "), complete));
  CHECK(drift_between(plan_of("x~ "), complete) == Drift{Drift::Kind::behind, "milestone 1 (p1), open again",
                                                         "milestone 1 (p1)", CheckpointSource::sidecar});
  CHECK(drift_between(plan_of("~  "), complete)->plan == "milestone 0 (p0)");
  complete.phase_complete = false;
  CHECK_FALSE(drift_between(plan_of("x~ "), complete));
}

TEST_CASE("a plan's own run is found under other names, a named run is not") {
  RunQuery query;
  query.run = "renamed";
  query.own = true;
  query.path = "plan.md";
  query.aliases = {"folder"};
  CHECK(names(query, "renamed"));
  CHECK(names(query, "folder"));
  CHECK_FALSE(names(query, "auth"));
  Sidecar sidecar = full();
  CHECK(answers(query, sidecar));
  sidecar.plan_path = "plan.md";
  CHECK(answers(query, sidecar));
  sidecar.plan_path = "other/plan.md";
  CHECK_FALSE(answers(query, sidecar));
  sidecar.plan_path.clear();
  sidecar.run = "spike";
  CHECK_FALSE(answers(query, sidecar));
  sidecar.run = "renamed";
  CHECK(answers(query, sidecar));
  sidecar.run = "auth";
  query.own = false;
  CHECK_FALSE(answers(query, sidecar));
}

TEST_CASE("a commit made as it is chosen leaves no drift") {
  CHECK(rc::check([] {
    const auto shape = *rc::gen::container<std::string>(rc::gen::element('x', '~', ' ', '0'));
    const Plan plan = plan_of(shape);
    CommitCheckpoint last;
    if (const auto milestone = milestone_to_commit(plan, {}, last)) {
      last = at(static_cast<std::int64_t>(*milestone));
      RC_ASSERT(!drift_between(plan, last));
    }
  }));
}
