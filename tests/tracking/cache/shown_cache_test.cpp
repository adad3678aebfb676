#include "tracking/cache/shown_cache.hpp"

#include <catch2/catch.hpp>

#include "editing/claim.hpp"
#include "editing/complete.hpp"
#include "editing/find_boxes.hpp"
#include "render/progress/tasks.hpp"
#include "reports/search.hpp"
#include "reports/task_report.hpp"
#include "rules/listing/task_list.hpp"
#include "support/world.hpp"
#include "tracking/plan_work.hpp"
#include "tracking/show.hpp"
#include "tracking/track.hpp"

using namespace plankeep;
using test::World;

namespace {

const std::string kTracking = "/home/kim/.checkpoint/";
const std::string kShown = kTracking + "shown.bin";

std::string nested_plan(int tasks) {
  std::string text = "# Large\n";
  for (int i = 0; i < tasks; ++i) {
    if (i % 100 == 0) text += "\n## Phase " + std::to_string(i / 100 + 1) + "\n\n";
    text += std::string(i % 10 == 0 ? 0 : 2, ' ') + "- [ ] " + std::to_string(i / 100 + 1) + "." +
            std::to_string(i % 100 + 1) + " Task number " + std::to_string(i) + "\n";
  }
  return text + "\n- [ ] Proven <!-- ACCEPT: proven | verify: make check -->\n";
}

struct Large : World {
  explicit Large(int tasks = 2000) {
    put_plan(nested_plan(tasks));
    clock.advance(60'000);
    if (!app::track(context, location, {})) FAIL("cannot track");
    clock.advance(60'000);
  }
  app::Shown look() {
    auto shown = app::load_shown(context, location, 0);
    if (!shown) FAIL(shown.error().message);
    return std::move(*shown);
  }
  // What a look says without the cache.
  app::Shown look_afresh() {
    const auto kept = disk().get(kShown);
    disk().erase(kShown);
    app::Shown shown = look();
    disk().erase(kShown);
    if (kept) disk().put(kShown, *kept);
    return shown;
  }
  bool known() {
    disk().forget_log();
    (void)look();
    return operations_named("read plan.md") == 0 && disk().bytes_read() > 0;
  }
};

void same(const app::Shown& a, const app::Shown& b) {
  CHECK(a.plan == b.plan);
  CHECK(a.state == b.state);
  CHECK(a.source == b.source);
  CHECK(a.warnings == b.warnings);
  CHECK(a.recent == b.recent);
  CHECK(a.statuses == b.statuses);
}

}  // namespace

TEST_CASE("A look at a large plan keeps what it read, and the next one says the same without reading it") {
  Large world;
  const app::Shown first = world.look();
  REQUIRE(world.disk().get(kShown));
  world.disk().forget_log();
  const app::Shown second = world.look();
  CHECK(world.operations_named("read plan.md") == 0);
  CHECK(world.disk().bytes_read() <
        world.disk().get(kShown)->size() + 100'000);  // and the beginning of the history
  same(first, second);
  same(second, world.look_afresh());
  CHECK(second.ids_as_written);
}

TEST_CASE("Nothing else is written by a look, and nothing at all the second time") {
  Large world;
  auto before = world.disk().everything();
  (void)world.look();
  auto after = world.disk().everything();
  CHECK(after.erase(kShown) == 1);
  CHECK(after == before);
  const auto kept = world.disk().everything();
  (void)world.look();
  CHECK(world.disk().everything() == kept);
}

TEST_CASE("Of a small plan, and of one that changed just now, nothing is kept") {
  SECTION("small") {
    Large world(100);
    (void)world.look();
    CHECK_FALSE(world.disk().get(kShown));
  }
  SECTION("just now") {
    Large world;
    world.clock.set(base::Instant{0});
    (void)world.look();
    CHECK_FALSE(world.disk().get(kShown));
  }
  SECTION("while somebody has the lock") {
    Large world;
    app::PlanWork work(world.context, world.location);
    REQUIRE(work.open(app::PlanWork::Create::if_plan));
    REQUIRE(work.lock(app::kTimeout));
    (void)world.look();
    CHECK_FALSE(world.disk().get(kShown));
  }
  SECTION("when it is not recorded") {
    Large world;
    world.edit("[ ] 1.7 ", "[x] 1.7 ");
    (void)world.look();
    CHECK_FALSE(world.disk().get(kShown));
  }
}

TEST_CASE("What was kept of another moment is not shown") {
  Large world;
  (void)world.look();
  REQUIRE(world.known());
  SECTION("the plan was edited, in as many bytes") {
    world.edit("[ ] 1.7 ", "[x] 1.7 ");
  }
  SECTION("the plan was edited in place, in as many bytes, and its time was set back") {
    std::string text = world.disk().get("/home/kim/plan.md").value();
    text.replace(text.find("[ ] 1.7 "), 3, "[x]");
    world.disk().put_in_place("/home/kim/plan.md", text);
  }
  SECTION("the plan is gone") {
    world.disk().erase("/home/kim/plan.md");
  }
  SECTION("the plan was edited and recorded") {
    REQUIRE(app::set_tasks(world.context, world.location, {"1.7"}, core::BoxState::done, {"main"}));
  }
  SECTION("state.json was written by another, in the same words") {
    world.disk().put(kTracking + "state.json", world.disk().get(kTracking + "state.json").value());
  }
  SECTION("state.json is damaged") {
    world.disk().put(kTracking + "state.json", "{");
  }
  SECTION("an event was appended") {
    world.disk().put(kTracking + "history.jsonl",
                     world.disk().get(kTracking + "history.jsonl").value() +
                         "{\"ts\":\"2026-11-20T15:50:00.000Z\",\"event\":\"note_saved\",\"note\":\"new\"}\n");
  }
  SECTION("the history was cut") {
    world.disk().put(kTracking + "history.jsonl", "");
  }
  CHECK_FALSE(world.known());
  same(world.look(), world.look_afresh());
}

TEST_CASE("A kept look that is torn, changed or no such file is passed over and made again") {
  Large world;
  (void)world.look();
  const std::string whole = world.disk().get(kShown).value();
  const app::Shown afresh = world.look_afresh();
  for (const std::size_t at :
       {std::size_t{0}, std::size_t{20}, std::size_t{400}, whole.size() / 2, whole.size() - 1}) {
    CAPTURE(at);
    world.disk().put(kShown, whole.substr(0, at));
    same(world.look(), afresh);
    std::string changed = whole;
    changed[at] = static_cast<char>(changed[at] ^ 0x40);
    world.disk().put(kShown, changed);
    same(world.look(), afresh);
    // A look does not read the table, which begins the file.
    const bool in_table = at == 400;
    CHECK(world.disk().get(kShown) == (in_table ? changed : whole));
  }
  world.disk().erase(kShown);
  world.disk().put_link(kShown, "/etc/passwd");
  same(world.look(), afresh);
}

TEST_CASE("A task is shown from a kept look as from the plan") {
  Large world;
  const auto shown = [&world](const std::string& id) {
    const auto report = app::report_task(world.context, world.location, id);
    return report ? render::task_json(*report) : report.error().message;
  };
  for (const char* id : {"3.7", "phase-4/4.11", "proven", ":12", "no such task"}) {
    CAPTURE(id);
    world.disk().erase(kShown);
    const std::string first = shown(id);
    CHECK(shown(id) == first);
  }
}

namespace {

std::string listed(World& world) {
  const auto table = app::load_table(world.context, world.location);
  if (!table) return table.error().message;
  const auto list = core::TaskList::make(table->table, {}, {});
  return list ? render::list_json(table->table, *list) : list.error().message;
}

std::string found(World& world, const std::string& word) {
  const auto result = app::search(world.context, {world.location}, {word});
  return result ? render::search_json(*result) : result.error().message;
}

}  // namespace

TEST_CASE("A list and a search say from a kept look what they say from the plan") {
  Large world;
  REQUIRE(app::set_tasks(world.context, world.location, {"1.7", "2.3"}, core::BoxState::done, {"main"}));
  app::ClaimRequest request;
  request.actor = "kim";
  REQUIRE(app::claim_task(world.context, world.location, "3.7", request));
  world.clock.advance(60'000);
  world.disk().erase(kShown);
  const std::string list = listed(world);
  REQUIRE(world.disk().get(kShown));
  const std::string tasks = found(world, "number 77");
  world.disk().forget_log();
  CHECK(listed(world) == list);
  CHECK(found(world, "number 77") == tasks);
  CHECK(world.operations_named("read plan.md") == 0);
  CHECK(world.disk().bytes_read() < 2 * world.disk().get(kShown)->size());  // and the history, for the search
  CHECK(list.find("\"by\": \"kim\"") != std::string::npos);
  world.clock.advance(40 * base::kMinute);  // the claim is over
  CHECK(listed(world).find("\"by\": \"kim\"") == std::string::npos);
  world.edit("[ ] 4.1 ", "[x] 4.1 ");
  CHECK(listed(world) != list);
}

TEST_CASE("A kept table that is torn or changed is passed over and made again") {
  Large world;
  const std::string list = listed(world);
  const std::string whole = world.disk().get(kShown).value();
  for (const std::size_t at : {std::size_t{100}, std::size_t{300}, std::size_t{1000}, whole.size() / 4}) {
    CAPTURE(at);
    // A list does not read what comes behind the table.
    const bool in_table = at <= 1000;
    world.disk().put(kShown, whole.substr(0, at));
    CHECK(listed(world) == list);
    if (in_table) CHECK(world.disk().get(kShown) == whole);
    std::string changed = whole;
    changed[at] = static_cast<char>(changed[at] ^ 0x40);
    world.disk().put(kShown, changed);
    CHECK(listed(world) == list);
    if (in_table) CHECK(world.disk().get(kShown) == whole);
  }
}

TEST_CASE("An id finds in the table what it finds in the plan") {
  World world;
  world.put_plan(
      "## Phase 1: One\n\n- [ ] 1.1 Login\n- [ ] 1.1 Logout\n- [ ] T001 Tables\n- [ ] Quick\n\n"
      "## Phase 2: Two\n\n- [ ] Quick\n- [ ] T002 Rows\n- [ ] 2.1 Alone\n"
      "- [ ] Proven <!-- ACCEPT: T002 | verify: make -->\n");
  REQUIRE(app::track(world.context, world.location, {}));
  const app::Shown shown = *app::load_shown(world.context, world.location, 0);
  const core::TaskTable table = app::table_of(shown);
  std::size_t certain = 0;
  const auto check = [&](const std::string& wanted) {
    CAPTURE(wanted);
    const auto quick = app::find_by_id(table, wanted);
    if (!quick) return;
    ++certain;
    const auto found = app::find_boxes(*shown.plan, *shown.plan, wanted);
    REQUIRE(found);
    CHECK_FALSE(found->criterion);
    CHECK(found->phase_index == quick->phase);
    CHECK(found->index == quick->task);
  };
  for (const core::Phase& phase : shown.plan->phases) {
    for (const core::Task& task : phase.tasks) {
      for (const std::string& form : {task.id.text, phase.id.text + "/" + task.id.text, task.title,
                                      task.id.text.substr(0, 2), "task:" + task.id.text})
        check(form);
    }
  }
  CHECK(certain >= 3);
  CHECK_FALSE(app::find_by_id(table, "1.1"));   // two boxes begin with it
  CHECK_FALSE(app::find_by_id(table, "T002"));  // a criterion has it as well
  CHECK_FALSE(app::find_by_id(table, ""));
}
