#include "store/running_shells.hpp"

#include <catch2/catch.hpp>

#include "support/desk.hpp"

using namespace plankeep;
using store::RunningShell;

TEST_CASE("who has a command in the shell is known until it ends") {
  test::Desk desk;
  desk.open();
  const base::Instant now{10'000'000};
  CHECK(store::running_shells(*desk.folder, now).empty());
  store::end_shells(*desk.folder, "s1", "a1", false);
  const RunningShell main{"s1", "", "", "", true, now};
  const RunningShell agent{"s1", "a1", "coder", "", true, now};
  const RunningShell other{"s2", "", "", "blue", false, now};
  for (const RunningShell& shell : {main, agent, other, main})
    REQUIRE(store::note_shell(*desk.folder, shell).has_value());
  CHECK(store::running_shells(*desk.folder, now).size() == 3);
  store::end_shells(*desk.folder, "s1", "a1", false);
  CHECK(store::running_shells(*desk.folder, now).size() == 2);
  REQUIRE(store::note_shell(*desk.folder, agent).has_value());
  store::end_shells(*desk.folder, "s1", "", true);
  const std::vector<RunningShell> left = store::running_shells(*desk.folder, now);
  REQUIRE(left.size() == 1);
  CHECK(left.front().noted_ns > 0);
  RunningShell as_noted = left.front();
  as_noted.noted_ns = 0;
  as_noted.device = other.device;
  CHECK(as_noted == other);
}

TEST_CASE(
    "a command that never came to an end is forgotten after an hour, and what is no entry is passed over") {
  test::Desk desk;
  desk.open();
  const base::Instant now{10'000'000};
  REQUIRE(store::note_shell(*desk.folder, {"s1", "", "", "", true, now}).has_value());
  const std::string shells = "/plans/auth/.checkpoint/";
  desk.disk.put(shells + "broken.json", "{\"since\": ");
  desk.disk.put(shells + "empty.json", "{}");
  desk.disk.put(shells + "notes.txt", "hello");
  desk.disk.put_link(shells + "link.json", "/etc/passwd");
  CHECK(store::running_shells(*desk.folder, {now.milliseconds + store::kLongestShell}).size() == 1);
  CHECK(store::running_shells(*desk.folder, {now.milliseconds + store::kLongestShell + 1}).empty());
  CHECK(store::running_shells(*desk.folder, now).empty());
}
