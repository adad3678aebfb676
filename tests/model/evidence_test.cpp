#include "model/evidence.hpp"

#include <rapidcheck.h>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "base/utf8.hpp"
#include "model/json/evidence_json.hpp"
#include "model/progress.hpp"
#include "model/random_evidence.hpp"
#include "model/record_evidence.hpp"
#include "rules/reconcile.hpp"

using namespace plankeep;
using namespace plankeep::core;
using Kind = TreeNow::Kind;
using base::Instant;

namespace {

std::optional<Evidence> seen(const std::string& tree, int status = 0) {
  Evidence evidence;
  evidence.command = "make";
  evidence.status = status;
  evidence.tree = tree;
  return evidence;
}

const TreeNow kNotLooked{};
const TreeNow kUnknown{Kind::unknown, {}, "git refuses"};

TreeNow now(const std::string& digest) {
  return {Kind::known, digest};
}

std::string json_of(const Evidence& evidence) {
  base::JsonWriter out(base::JsonWriter::Layout::compact);
  write_evidence(out, evidence);
  return out.finish();
}

base::Result<Evidence> read(const std::string& json) {
  Evidence evidence;
  base::JsonReader in(json);
  TRY(read_evidence(in, evidence));
  TRY(in.end());
  return evidence;
}

}  // namespace

TEST_CASE("evidence is judged by its command, the tracked files and its result") {
  struct Row {
    std::optional<Evidence> evidence;
    std::string command;
    TreeNow tree;
    Proof proof;
  };
  std::optional<Evidence> moving = seen("t");
  moving->changed_files = true;
  std::optional<Evidence> late = seen("t");
  late->timed_out = true;
  const std::vector<Row> rows{
      {std::nullopt, "", now("t"), Proof::no_command},
      {seen("t"), "", now("t"), Proof::no_command},
      {std::nullopt, "make", now("t"), Proof::unproven},
      {std::nullopt, "make", kNotLooked, Proof::unproven},
      {seen("t"), "make", now("t"), Proof::proven},
      {seen("t"), "make", now("u"), Proof::stale},
      {seen("t", 1), "make", now("t"), Proof::failed},
      {seen("t", 1), "make", now("u"), Proof::stale},
      {late, "make", now("t"), Proof::failed},
      {seen("t"), "make test", now("t"), Proof::stale},
      {seen("t"), "make ", kNotLooked, Proof::stale},
      // Nobody looked: as fresh as it was.
      {seen("t"), "make", kNotLooked, Proof::proven},
      {seen("t", 1), "make", kNotLooked, Proof::failed},
      {moving, "make", kNotLooked, Proof::stale},
      // Nobody knows what it saw.
      {seen(""), "make", now("t"), Proof::stale},
      // git does not answer: never proven.
      {std::nullopt, "make", kUnknown, Proof::unproven},
      {seen("t"), "make", kUnknown, Proof::unknown},
      {seen(""), "make", kUnknown, Proof::unknown},
      {moving, "make", kUnknown, Proof::unknown},
      {seen("t", 1), "make", kUnknown, Proof::failed},
      {seen("t"), "make test", kUnknown, Proof::stale},
  };
  for (const Row& row : rows) {
    CAPTURE(row.command, row.tree.digest, static_cast<int>(row.tree.kind), name_of(row.proof));
    CHECK(name_of(judge(row.evidence, row.command, row.tree)) == name_of(row.proof));
  }
}

TEST_CASE("why evidence is not fresh is said as far as it is known") {
  TreeNow tree = now("u");
  CHECK(why_not_fresh(seen("t"), "make", tree).empty());
  tree.changes["t"] = "src/a.c, b.txt (new)";
  CHECK(why_not_fresh(seen("t"), "make", tree) == "src/a.c, b.txt (new)");
  CHECK(why_not_fresh(seen("u"), "make", tree).empty());
  CHECK(why_not_fresh(std::nullopt, "make", tree).empty());
  CHECK(why_not_fresh(seen("u"), "make test", tree) == "its command was changed");
  CHECK(why_not_fresh(seen("t"), "make", kUnknown) == "git refuses");
  CHECK(why_not_fresh(seen(""), "make", tree) == "what the files held was not recorded when it ran");
}

TEST_CASE("law: a pass is proven exactly while command and tracked files are what they were") {
  CHECK(rc::check("judge", [] {
    const auto texts = rc::gen::element<std::string>("a", "b");
    Evidence evidence = random_evidence_of(*texts);
    evidence.tree = *texts;
    const std::string command = *texts;
    const std::string tree = *texts;
    const bool same = evidence.command == command && evidence.tree == tree;
    const Proof proof = judge(evidence, command, now(tree));
    RC_ASSERT((proof == Proof::proven) == (same && evidence.passed()));
    RC_ASSERT((proof == Proof::stale) == !same);
  }));
}

TEST_CASE("a phase is proven when it has commands and all of them are") {
  ProofCount count;
  CHECK_FALSE(count.all_proven());
  count.add(Proof::no_command);
  CHECK_FALSE(count.all_proven());
  count.add(Proof::proven);
  CHECK(count.all_proven());
  count.add(Proof::no_command);
  CHECK(count.all_proven());
  for (const Proof other : {Proof::unproven, Proof::stale, Proof::failed}) {
    ProofCount more = count;
    more.add(other);
    CHECK_FALSE(more.all_proven());
    CHECK(more.commands == 2);
  }
}

TEST_CASE("a command with characters that a terminal would not show is refused") {
  for (const char* good : {"make", "ctest -R 'a|b' && echo \"ok\"", "echo \u65e5\u672c", "a  b"}) {
    CAPTURE(good);
    CHECK(can_be_shown(good));
  }
  for (const std::string& bad : {std::string(), std::string("rm -rf x\x1b[2K"), std::string("a\rb"),
                                 std::string("a\nb"), std::string("a\tb"), std::string("a\x7f"),
                                 std::string("a\xc2\x9b"
                                             "31m"),
                                 std::string("a \xe2\x80\xae b"), std::string("a\xff"),
                                 std::string("a\0b", 3), std::string("\xf3\xa0\x80\xa1")}) {
    CAPTURE(bad);
    CHECK_FALSE(can_be_shown(bad));
  }
}

TEST_CASE("the last lines are the last ones, whole and safe to print") {
  CHECK(last_lines_of("").empty());
  CHECK(last_lines_of("\n\n").empty());
  CHECK(last_lines_of("one") == "one");
  CHECK(last_lines_of("one\ntwo\n") == "one\ntwo");
  std::string many;
  for (int i = 1; i <= 100; ++i) many += "line " + std::to_string(i) + "\n";
  const std::string last = last_lines_of(many);
  CHECK(last.starts_with("line 81\n"));
  CHECK(last.ends_with("line 100"));
  CHECK(last_lines_of("a\x1b[31mred") == "ared");
  const std::string wide = last_lines_of("first\n" + std::string(3000, 'x') + "\nlast\n");
  CHECK(wide == "last");
}

TEST_CASE("law: the last lines are few, short, safe, and the same when taken again") {
  CHECK(rc::check("last lines", [] {
    std::string output;
    const int pieces = *rc::gen::inRange(0, 60);
    for (int i = 0; i < pieces; ++i) {
      output += test::hostile_text();
      if (*rc::gen::arbitrary<bool>()) output += "\n";
      if (*rc::gen::inRange(0, 20) == 0) output += std::string(1500, '\xff');
    }
    const std::string last = last_lines_of(output);
    RC_ASSERT(last.size() <= kLastBytes);
    RC_ASSERT(base::printable(last, true) == last);
    RC_ASSERT(last_lines_of(last) == last);
  }));
}

TEST_CASE("law: evidence comes back from its JSON as it was") {
  CHECK(rc::check("codec", [] {
    const Evidence evidence = random_evidence_of(test::hostile_text());
    const auto back = read(json_of(evidence));
    RC_ASSERT(back.has_value());
    RC_ASSERT(*back == evidence);
  }));
}

TEST_CASE("evidence without what it is about, or with what cannot be, is no evidence") {
  const nlohmann::json whole = nlohmann::json::parse(json_of(*seen("t")));
  REQUIRE(read(whole.dump()));
  for (const char* needed : {"command", "exitStatus", "time"}) {
    nlohmann::json less = whole;
    less.erase(needed);
    CAPTURE(needed);
    CHECK_FALSE(read(less.dump()));
  }
  for (const auto& [key, value] : whole.items()) {
    nlohmann::json wrong = whole;
    wrong[key] = nlohmann::json::array();
    CAPTURE(key);
    CHECK_FALSE(read(wrong.dump()));
  }
  for (const int status : {-1, 256}) {
    nlohmann::json wrong = whole;
    wrong["exitStatus"] = status;
    CHECK_FALSE(read(wrong.dump()));
  }
  CHECK_FALSE(read("null"));
  CHECK_FALSE(read("[]"));
}

namespace {

State one_criterion(bool met) {
  Plan plan;
  Phase& phase = plan.phases.emplace_back();
  phase.id = PhaseId("p");
  phase.acceptance.push_back({CriterionId("c"), "Works", met, 1, "make", {}});
  return first_sight(plan, "id", "/plan.md", Instant{1}).state;
}

}  // namespace

TEST_CASE("recording a pass meets the criterion, a failure does not, whatever it was before") {
  for (const bool met : {false, true}) {
    for (const int status : {0, 1}) {
      CAPTURE(met, status);
      State state = one_criterion(met);
      const auto event =
          record_evidence(state, PhaseId("p"), CriterionId("c"), *seen("t", status), "kim", Instant{9});
      REQUIRE(event);
      CHECK(event->kind == (status == 0 ? EventKind::acceptance_met : EventKind::acceptance_unmet));
      CHECK(event->by == "kim");
      CHECK(event->evidence == seen("t", status));
      const CriterionState& after = state.phases[0].acceptance[0];
      CHECK(after.met == (status == 0));
      CHECK(after.verified_at == (status == 0 ? std::optional(Instant{9}) : std::nullopt));
      CHECK(after.evidence == seen("t", status));
    }
  }
}

TEST_CASE("evidence for what is not there changes nothing") {
  State state = one_criterion(false);
  const State before = state;
  CHECK_FALSE(record_evidence(state, PhaseId("q"), CriterionId("c"), *seen("t"), "kim", Instant{9}));
  CHECK_FALSE(record_evidence(state, PhaseId("p"), CriterionId("d"), *seen("t"), "kim", Instant{9}));
  CHECK(state == before);
}

TEST_CASE("an untick by hand takes the evidence away, a tick leaves what there is") {
  Plan plan;
  Phase& phase = plan.phases.emplace_back();
  phase.id = PhaseId("p");
  phase.acceptance.push_back({CriterionId("c"), "Works", true, 1, "make", {}});
  State state = one_criterion(true);
  (void)record_evidence(state, PhaseId("p"), CriterionId("c"), *seen("t"), "kim", Instant{9});
  CHECK(reconcile(state, plan, "kim", Instant{10}).state.phases[0].acceptance[0].evidence == seen("t"));
  phase.acceptance[0].met = false;
  CHECK_FALSE(reconcile(state, plan, "kim", Instant{10}).state.phases[0].acceptance[0].evidence);

  State failed = one_criterion(true);
  (void)record_evidence(failed, PhaseId("p"), CriterionId("c"), *seen("t", 1), "kim", Instant{9});
  phase.acceptance[0].met = true;
  CHECK(reconcile(failed, plan, "kim", Instant{10}).state.phases[0].acceptance[0].evidence == seen("t", 1));
}
