// What somebody who was sent back takes back, and what he only says again.

#include <rapidcheck.h>

#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "audit/audit.hpp"

using namespace plankeep::core;

namespace {

using Ids = std::vector<std::string>;

std::vector<AuditTask> shop() {
  std::vector<AuditTask> tasks(4);
  tasks[0].id = TaskId("cart-model");
  tasks[0].title = "Cart model";
  tasks[1].id = TaskId("refunds");
  tasks[1].title = "Refunds";
  tasks[2].id = TaskId("pay-api");
  tasks[2].title = "Pay api";
  tasks[2].assigned = true;
  tasks[3].id = TaskId("T-1");
  tasks[3].title = "Ship it";
  return tasks;
}

Ids still(const std::string& message, const Ids& claimed = {"pay-api"}) {
  std::vector<TaskId> before;
  for (const std::string& id : claimed) before.emplace_back(id);
  Ids ids;
  for (const TaskId& id : still_claimed(message, shop(), before)) ids.push_back(id.text);
  return ids;
}

}  // namespace

TEST_CASE("who only insists takes nothing back") {
  const std::string message = GENERATE(
      as<std::string>(), "It really is done, I checked again.", "yes.", "", "Yes, it is complete.",
      "I stand by my report.", "No, it is done.", "I verified it once more. Everything works.",
      "There is no doubt that it is done.", "The endpoint is in src/pay.ts and all tests pass.",
      "Done. Nothing is missing.", "It is done, no open issues.", "I updated the README.",
      "I do not see the problem, pay-api is done.", "It is done. I only did not tick the box.",
      "I ticked it.", "refunds is not done, but nobody asked for that.", "It is still done.",
      "Ja, es ist fertig.", "已完成。", "Oui, c'est terminé.", "I forgot to tick the box.",
      "I checked again: pay-api works. The boxes don't matter.",
      "I looked once more: pay-api works. Ticking is not needed.",
      "Nothing is open; I simply do not tick boxes.", "It is finished, and I see no reason to tick boxes.",
      "There is nothing missing; I just prefer not to tick boxes.", "No need to tick it, pay-api works.",
      "I will not tick boxes. It works.", "Das Kästchen ist mir nicht wichtig. Es ist fertig.");
  CAPTURE(message);
  CHECK(still(message) == Ids{"pay-api"});
}

TEST_CASE("what is said not to be done is taken back") {
  const std::string message = GENERATE(
      as<std::string>(), "You are right, pay-api is not done: tests are missing.", "I could not finish it.",
      "I was wrong.", "Not yet.", "Still not.", "No.", "Not done.", "You're right.",
      "Sorry, I spoke too soon.", "The tests are missing.", "What is missing: the webhook.",
      "pay-api is only half done.", "I have not completed pay-api.", "The endpoint doesn't exist yet.",
      "I will finish it in a moment.", "## Remaining\n- pay-api", "- [ ] pay-api",
      "| Task | Status |\n|---|---|\n| pay-api | open |", "The task is not complete.",
      "My claim was a mistake. The handler is a stub.", "pay-api: ❌", "Everything is done except pay-api.",
      "It still needs the webhook.", "I reverted it.", "Es ist noch nicht fertig.", "还没有完成。",
      "Ce n'est pas terminé.", "It is incomplete.", "My mistake, I meant cart-model.",
      "Fair point, the webhook part is a stub.", "I ticked no box because it is not done.",
      "You are right, I should not have ticked the box.", "It does not work.", "pay-api does not work yet.",
      "Nothing works.", "You are right, it does not compile at all.",
      "I have to correct myself: the migration is missing.", "I just started on it.",
      "I have to fix pay-api first.");
  CAPTURE(message);
  CHECK(still(message).empty());
}

TEST_CASE("of several only what is named is taken back") {
  const Ids both = {"refunds", "pay-api"};
  CHECK(still("pay-api is done, refunds is not done.", both) == Ids{"pay-api"});
  CHECK(still("I could not finish refunds.", both) == Ids{"pay-api"});
  CHECK(still("Both are done.", both) == both);
  CHECK(still("Neither is done.", both).empty());
  CHECK(still("T-1 is not done.", both) == both);
}

TEST_CASE("what was ticked since, and what the plan does not have, is no open claim") {
  std::vector<AuditTask> tasks = shop();
  tasks[2].done = true;
  CHECK(still_claimed("yes.", tasks, {TaskId("pay-api"), TaskId("gone")}).empty());
}

TEST_CASE("any later message leaves a part of what was claimed") {
  CHECK(rc::check("in the order of the tasks", [](const std::string& message) {
    const Ids left = still(message, {"pay-api", "cart-model"});
    RC_ASSERT((left == Ids{} || left == Ids{"pay-api"} || left == Ids{"cart-model"} ||
               left == Ids{"cart-model", "pay-api"}));
  }));
}
