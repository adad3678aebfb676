// What a checkpoint's row says reaches a terminal as text, whoever wrote the row.

#include "render/recorded/checkpoint.hpp"

#include <catch2/catch.hpp>
#include <string>

using namespace plankeep;

TEST_CASE("no text of a checkpoint controls the terminal") {
  const std::string evil = "x\x1b[2J\x1b]0;y\x07z\n";
  core::CheckpointHead head;
  head.id.text = "cp_" + evil;
  head.instance_id = evil;
  head.phase.text = evil;
  head.metadata.note = evil;
  core::Checkpoint checkpoint;
  checkpoint.head = head;
  checkpoint.moment.message_id = evil;
  checkpoint.moment.prompt = evil;
  checkpoint.moment.commit_sha = evil;
  core::RecoveryInstructions instructions;
  instructions.finished = {evil};
  instructions.facts = {evil};
  instructions.steps = {evil};
  const base::Instant now{1'763'000'000'000};
  const render::Style style;
  const std::string list = render::checkpoint_list_text({core::listed(checkpoint)}, now, style);
  const std::string one = render::checkpoint_text({checkpoint, instructions, {}, {}}, now, style);
  for (const std::string& text : {list, one}) {
    CHECK(text.find('\x1b') == std::string::npos);
    CHECK(text.find('\x07') == std::string::npos);
    CHECK(text.find("cp_x") != std::string::npos);
  }
}
