// What a checkpoint's row says reaches a terminal as text, whoever wrote the row.

#include "render/recorded/checkpoint.hpp"

#include <catch2/catch.hpp>
#include <string>

#include "base/utf8.hpp"
#include "render/progress/next.hpp"
#include "render/progress/plans.hpp"
#include "render/sessions/session.hpp"

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

namespace {

constexpr base::Instant kNow{1'763'000'000'000};
// As long as slugs become.
const std::string kLongId = "phase-2-the-implementation-of-every-single-part";

// Every line fits, and what the words are is seen whole.
void check_whole(const std::string& text, std::initializer_list<std::string> words) {
  CAPTURE(text);
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    CHECK(base::display_width(text.substr(at, end - at)) <= 80);
    at = end + 1;
  }
  for (const std::string& word : words) {
    CAPTURE(word);
    CHECK(text.find(word) != std::string::npos);
  }
}

}  // namespace

TEST_CASE("on a terminal a list of checkpoints cuts no id") {
  core::ListedCheckpoint one;
  one.head.id.text = "cp_1a2b3c_007";
  one.head.phase.text = kLongId;
  one.head.timestamp = kNow;
  one.commit_sha = "0123456789abcdef";
  one.message_id = "0191f3a5-7c1e-4e3c-9a55-3f1f2a7f7a11";
  one.turn = 12;
  const std::string text = render::checkpoint_list_text({one}, kNow, {.columns = 80});
  check_whole(text, {"cp_1a2b3c_007", kLongId, "commit 0123456789", one.message_id});
  // In a pipe each has one line.
  CHECK(render::checkpoint_list_text({one}, kNow, {.columns = render::kUnlimited})
            .find(kLongId + "  turn 12") != std::string::npos);
}

TEST_CASE("on a terminal the list of plans cuts titles, and wraps the rest") {
  app::Workspace view;
  app::PlanOverview& plan = view.plans.emplace_back();
  plan.id = "shop";
  plan.shown = "plans/a-rather-long-folder-name/plan.md";
  plan.phase = "build";
  plan.task = kLongId;
  plan.task_title = "Every single part";
  plan.progress.total = 3;
  plan.agents = 2;
  plan.sessions = 1;
  plan.blockers = 3;
  plan.unrecorded = true;
  plan.last_activity = kNow;
  plan.last_by = "subagent:the-one-with-a-long-type-name";
  const std::string text = render::plans_text(view, kNow, {.columns = 80});
  check_whole(text, {plan.shown, kLongId, "unrecorded changes", plan.last_by});
  CHECK(text.find("…") == std::string::npos);
}

TEST_CASE("on a terminal the list of sessions and what next says are wrapped between words") {
  app::SessionList list;
  app::SessionListItem& item = list.items.emplace_back();
  item.row.id = "a1b2c3d4e5f6";
  item.row.created = kNow;
  item.row.branch = "feature/a-branch-with-a-long-name";
  item.row.phase_title = "The implementation of every single part";
  item.links.push_back({item.row.id, "0123456789abcdef0123456789abcdef01234567", false});
  const std::string sessions = render::session_list_text(list, kNow, {.columns = 80});
  check_whole(sessions, {item.row.id, "0123456789", item.row.branch, "single part"});
  CHECK(sessions.find("…") == std::string::npos);

  core::StatusView view;
  core::Next next;
  next.kind = core::NextKind::claimed;
  core::PhaseRow phase;
  phase.id.text = "build";
  next.phase = &phase;
  next.why = "each of its tasks that is not done waits for another one or is claimed by somebody, " + kLongId;
  const std::string text = render::next_text(view, next, {.columns = 80});
  check_whole(text, {kLongId, "somebody,"});
}
