#pragma once
// Evidence made at random, and criteria proven at random.

#include <rapidcheck.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "model/evidence.hpp"
#include "model/record_evidence.hpp"
#include "support/hostile_text.hpp"

namespace plankeep::core {

inline Evidence random_evidence_of(const std::string& command) {
  Evidence evidence;
  evidence.command = command;
  evidence.status = *rc::gen::element(0, 0, 1, 143);
  evidence.timed_out = evidence.status == 143 && *rc::gen::arbitrary<bool>();
  evidence.duration_ms = *rc::gen::inRange<std::int64_t>(0, 1'000'000);
  evidence.output_sha256 = std::string(64, *rc::gen::element('0', 'a'));
  evidence.last_lines = test::hostile_text();
  evidence.head = *rc::gen::element<std::string>("", std::string(40, 'c'));
  evidence.dirty = *rc::gen::arbitrary<bool>();
  evidence.tree = *rc::gen::element<std::string>("", "1", "2");
  evidence.changed_files = *rc::gen::arbitrary<bool>();
  evidence.time = base::Instant{*rc::gen::inRange<std::int64_t>(0, 253402300800000)};
  if (*rc::gen::arbitrary<bool>()) evidence.unknown.push_back({"future", "[1,{}]"});
  return evidence;
}

inline std::optional<Evidence> random_evidence() {
  if (*rc::gen::arbitrary<bool>()) return std::nullopt;
  return random_evidence_of(test::hostile_text());
}

/// Some criterion of `state` gets new evidence, at `now`; `plan` says the same in its box afterwards, as
/// verify leaves it. Nothing when there is none.
inline std::vector<Event> prove_something(State& state, Plan& plan, base::Instant now) {
  std::vector<std::pair<PhaseId, Criterion*>> all;
  for (Phase& phase : plan.phases) {
    for (Criterion& criterion : phase.acceptance) all.emplace_back(phase.id, &criterion);
  }
  if (all.empty()) return {};
  const auto& [phase, criterion] = all[*rc::gen::inRange<std::size_t>(0, all.size())];
  Evidence evidence = random_evidence_of("make test");
  evidence.time = now;
  criterion->met = evidence.passed();
  auto event = record_evidence(state, phase, criterion->id, evidence, "main", now);
  if (!event) return {};
  return {std::move(*event)};
}

}  // namespace plankeep::core
