#include "markdown/edits/put_back.hpp"

#include <catch2/catch.hpp>

#include "markdown/parse_plan.hpp"

using namespace plankeep;
using namespace plankeep::markdown;

namespace {

std::string restored(const std::string& earlier, const std::string& now) {
  const auto before = parse_plan(earlier);
  const auto plan = parse_plan(now);
  REQUIRE(before.has_value());
  REQUIRE(plan.has_value());
  const auto text = put_back(now, *plan, earlier, *before, lost_tasks(*before, *plan));
  if (!text) return "error: " + text.error().message;
  return *text;
}

std::vector<std::string> lost(const std::string& earlier, const std::string& now) {
  const auto before = parse_plan(earlier);
  const auto plan = parse_plan(now);
  std::vector<std::string> ids;
  for (const LostTask& one : lost_tasks(*before, *plan))
    ids.push_back(before->phases[one.phase].tasks[one.task].id.text);
  return ids;
}

const std::string kPlan =
    "# Auth\n\n## Build\n<!-- CHECKPOINT: build -->\n- [x] Schema <!-- TASK: schema -->\n"
    "- [x] Login <!-- TASK: login -->\n  with a form\n\n  and a test\n- [ ] Logout <!-- TASK: logout -->\n"
    "\n## Ship\n<!-- CHECKPOINT: ship -->\nWords.\n\n- [ ] Notes <!-- TASK: notes -->\n";

std::string without(std::string text, const std::string& part) {
  const std::size_t at = text.find(part);
  REQUIRE(at != std::string::npos);
  return text.erase(at, part.size());
}

const std::string kLogin = "- [x] Login <!-- TASK: login -->\n  with a form\n\n  and a test\n";

}  // namespace

TEST_CASE("a lost task comes back with its lines, behind the one before it") {
  const std::string now = without(kPlan, kLogin);
  CHECK(lost(kPlan, now) == std::vector<std::string>{"login"});
  CHECK(restored(kPlan, now) == kPlan);
  CHECK(restored(kPlan, kPlan) == kPlan);
}

TEST_CASE("the first of a phase comes back before the others, the last behind them") {
  CHECK(restored(kPlan, without(kPlan, "- [x] Schema <!-- TASK: schema -->\n")) == kPlan);
  CHECK(restored(kPlan, without(kPlan, "- [ ] Logout <!-- TASK: logout -->\n")) == kPlan);
}

TEST_CASE("several neighbours come back in their order") {
  const std::string now = without(without(kPlan, kLogin), "- [ ] Logout <!-- TASK: logout -->\n");
  CHECK(restored(kPlan, now) == kPlan);
}

TEST_CASE("the only task of a phase comes back behind its marker") {
  const std::string now = without(kPlan, "- [ ] Notes <!-- TASK: notes -->\n");
  const std::string text = restored(kPlan, now);
  CHECK(text.find("<!-- CHECKPOINT: ship -->\n- [ ] Notes <!-- TASK: notes -->\nWords.") !=
        std::string::npos);
}

TEST_CASE("a phase that is gone comes back at the end") {
  const std::string ship = kPlan.substr(kPlan.find("\n## Ship"));
  const std::string text = restored(kPlan, without(kPlan, ship));
  CHECK(text ==
        without(kPlan, ship) + "\n## Ship\n<!-- CHECKPOINT: ship -->\n\n- [ ] Notes <!-- TASK: notes -->\n");
}

TEST_CASE("what was written since stays as it is, line ends and all") {
  std::string now = without(kPlan, kLogin) + "- [ ] New <!-- TASK: new -->";
  for (std::size_t at = now.find('\n'); at != std::string::npos; at = now.find('\n', at + 2))
    now.insert(at, "\r");
  const std::string text = restored(kPlan, now);
  CHECK(text.find("- [x] Login <!-- TASK: login -->\r\n  with a form\r\n\r\n  and a test\r\n") !=
        std::string::npos);
  CHECK(text.size() == now.size() + kLogin.size() + 4);
  CHECK(text.ends_with("<!-- TASK: new -->"));
}

TEST_CASE("a task that was moved or renamed is not lost") {
  std::string moved =
      without(kPlan, "- [ ] Logout <!-- TASK: logout -->\n") + "- [ ] Logout <!-- TASK: logout -->\n";
  CHECK(lost(kPlan, moved).empty());
  std::string renamed = kPlan;
  renamed.replace(renamed.find("TASK: logout"), 12, "TASK: sign-out");
  CHECK(lost(kPlan, renamed).empty());
  // The same id in two phases is two tasks.
  const std::string twice = kPlan + "- [ ] Login there <!-- TASK: login -->\n";
  CHECK(lost(twice, kPlan) == std::vector<std::string>{"login"});
}

TEST_CASE("nested and quoted tasks come back where they were, without the ones that stayed") {
  const std::string plan =
      "## A\n<!-- CHECKPOINT: a -->\n> - [ ] One <!-- TASK: one -->\n>   - [x] Two <!-- TASK: two -->\n>     "
      "more\n"
      ">   - [ ] Three <!-- TASK: three -->\n";
  CHECK(restored(plan, without(plan, ">   - [x] Two <!-- TASK: two -->\n>     more\n")) == plan);
}

TEST_CASE("plans without markers get their boxes back too") {
  const std::string plan = "# Trip\n\n## Pack\n- [x] Socks\n- [ ] Shoes\n\n## Go\n- [ ] Train\n";
  CHECK(restored(plan, without(plan, "- [x] Socks\n")) == plan);
  CHECK(restored(plan, without(plan, "## Go\n- [ ] Train\n")).find("## Go\n\n- [ ] Train\n") !=
        std::string::npos);
}

TEST_CASE("what would not be read as it was is refused") {
  // The plan ends inside a code block: what is appended would be code.
  const std::string open = "## A\n<!-- CHECKPOINT: a -->\n- [ ] One <!-- TASK: one -->\n\n```\ncode\n";
  const std::string earlier = "## B\n<!-- CHECKPOINT: b -->\n- [ ] Two <!-- TASK: two -->\n";
  CHECK(restored(earlier, open) == "error: the lost tasks have no place in the current plan");
}

TEST_CASE("the tasks of a phase that lost all of them come back below its heading, which is there still") {
  const std::string plan = "# P\n## A\n- [ ] a\n- [x] b\n## B\n- [ ] c\n";
  CHECK(restored(plan, "# P\n## A\n## B\n- [ ] c\n") == plan);
  const std::string spaced = "# P\n\n## A\n\n- [ ] a\n- [x] b\n\n## B\n\n- [ ] c\n";
  CHECK(restored(spaced, "# P\n\n## A\n\n## B\n\n- [ ] c\n") == spaced);
  // One in code is no heading, of two nobody knows which.
  CHECK(restored(plan, "# P\n```\n## A\n```\n## B\n- [ ] c\n") ==
        "# P\n```\n## A\n```\n## B\n- [ ] c\n\n## A\n\n- [ ] a\n- [x] b\n");
  CHECK(restored(plan, "# P\n## B\n- [ ] c\n").ends_with("- [ ] c\n\n## A\n\n- [ ] a\n- [x] b\n"));
}
