#pragma once
// Checkpoints made at random, full of hostile text; what the codecs and the store must give back.

#include <rapidcheck.h>

#include <string>

#include "base/utf8.hpp"
#include "model/checkpoint.hpp"
#include "support/hostile_text.hpp"

namespace plankeep::core {

inline base::Instant random_time() {
  return base::Instant{*rc::gen::inRange<std::int64_t>(0, 4'000'000'000'000)};
}

inline std::optional<std::int64_t> random_count() {
  if (*rc::gen::arbitrary<bool>()) return std::nullopt;
  return *rc::gen::inRange<std::int64_t>(0, 100'000);
}

inline WorkState random_work_state(int most_files = 40, int most_commands = 60) {
  WorkState work;
  work.current_epic.epic_id = test::hostile_text();
  work.current_epic.feature_name = test::hostile_text();
  work.current_epic.status = *rc::gen::element<std::string>("pending", "in_progress", "completed");
  work.current_epic.duration_tenths_hours = random_count();
  if (*rc::gen::arbitrary<bool>()) work.current_epic.test_results = TestResults{1, 2, random_count()};
  for (int i = *rc::gen::inRange(0, most_files); i > 0; --i) {
    FileChange& file = work.files_modified.emplace_back();
    file.path = test::hostile_text();
    file.status = *rc::gen::element<std::string>("added", "modified", "untracked");
    file.lines_changed = random_count();
    if (*rc::gen::arbitrary<bool>()) file.last_modified = random_time();
  }
  for (int i = *rc::gen::inRange(0, most_commands); i > 0; --i) {
    CommandUsed& used = work.last_commands.emplace_back();
    used.command_id = "toolu_" + std::to_string(i);
    used.type = *rc::gen::element<std::string>("Bash", "Edit");
    (used.type == "Edit" ? used.target : used.message) = "x" + test::hostile_text();
    if (*rc::gen::arbitrary<bool>()) used.timestamp = random_time();
  }
  work.git_status.branch = test::hostile_text();
  work.git_status.staged_files = *rc::gen::inRange(0, 1000);
  work.git_status.commit_count = random_count();
  work.prd_status.version = *rc::gen::inRange(0, 1000);
  work.prd_status.epic_status = "in_progress";
  work.prd_status.next_epic = test::hostile_text();
  work.prd_status.last_updated = random_time();
  work.environment.project = test::hostile_text();
  work.environment.working_directory = "/" + test::hostile_text();
  work.environment.hostname = test::hostile_text();
  return work;
}

/// As a store gives it back: its work state is fitted already.
inline Checkpoint random_checkpoint() {
  Checkpoint checkpoint;
  CheckpointHead& head = checkpoint.head;
  head.instance_id = *rc::gen::element<std::string>("cli", "s1", "5e55");
  head.type = *checkpoint_type(*rc::gen::elementOf(checkpoint_type_names()));
  head.sequence_num = *rc::gen::inRange(0, 1000);
  if (*rc::gen::arbitrary<bool>()) head.context_window_percent = *rc::gen::inRange(0, 101);
  head.timestamp = random_time();
  head.phase = PhaseId(*rc::gen::element<std::string>("", "build", "ship"));
  head.metadata.trigger = "manual";
  head.metadata.note = base::printable(test::hostile_text());
  head.metadata.manual = *rc::gen::arbitrary<bool>();
  checkpoint.work_state = fit(random_work_state(6, 6));
  Moment& moment = checkpoint.moment;
  moment.message_id = *rc::gen::element<std::string>("", "m1", "m2");
  moment.prompt = prompt_words(test::hostile_text());
  for (int i = *rc::gen::inRange(0, 4); i > 0; --i) {
    moment.todo_snapshot.push_back({PhaseId("build"), TaskId("t" + std::to_string(i)), test::hostile_text(),
                                    *rc::gen::element(BoxState::open, BoxState::active, BoxState::done),
                                    *rc::gen::arbitrary<bool>()});
  }
  moment.commit_sha = *rc::gen::element<std::string>("", std::string(40, 'a'));
  moment.workspace_state =
      *rc::gen::element(WorkspaceState::none, WorkspaceState::clean, WorkspaceState::dirty);
  if (*rc::gen::arbitrary<bool>()) {
    moment.snapshot = Snapshot{"t", "c", "refs/plankeep/x/1", 2, {"big.bin", "sub"}};
  }
  moment.criteria = *rc::gen::inRange(0, 9);
  moment.blockers = {"keys"};
  moment.history_offset = static_cast<std::uint64_t>(*rc::gen::inRange(0, 1'000'000));
  return checkpoint;
}

}  // namespace plankeep::core
