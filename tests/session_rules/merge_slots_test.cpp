#include "session_rules/merge_slots.hpp"

#include <rapidcheck.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <set>

#include "base/sha1.hpp"

using namespace plankeep;
using namespace plankeep::core;

namespace {

SessionSlot slot(std::size_t number, const std::string& session, std::int64_t when,
                 const std::string& transcript) {
  return {number, session, {when}, transcript, base::sha1_hex(transcript)};
}

// What a version holds, whatever its numbers are.
auto content(const CheckpointVersion& version) {
  std::set<std::tuple<std::string, std::int64_t, std::string>> slots;
  for (const SessionSlot& one : version.slots)
    slots.emplace(one.session, one.created_at.milliseconds, one.transcript);
  return std::pair(slots, std::set<TranscriptConflict>(version.conflicts.begin(), version.conflicts.end()));
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    lines.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return lines;
}

std::set<std::string> all_lines(const CheckpointVersion& version) {
  std::set<std::string> lines;
  for (const SessionSlot& one : version.slots)
    for (const std::string& line : lines_of(one.transcript)) lines.insert(one.session + ":" + line);
  for (const TranscriptConflict& conflict : version.conflicts)
    for (const std::string& line : lines_of(conflict.text)) lines.insert(conflict.session + ":" + line);
  return lines;
}

CheckpointVersion some_version() {
  CheckpointVersion version;
  for (const char* session : {"s1", "s2", "s3"}) {
    if (*rc::gen::inRange(0, 4) == 0) continue;
    std::string transcript;
    for (int count = *rc::gen::inRange(0, 5); count > 0; --count)
      transcript += *rc::gen::element<std::string>("a", "b") + "\n";
    version.slots.push_back(slot(version.slots.size(), session, *rc::gen::inRange(0, 3), transcript));
  }
  return version;
}

}  // namespace

TEST_CASE("sessions of the remote keep their numbers, ours come behind them") {
  const CheckpointVersion remote{{slot(0, "a", 1, "a\n"), slot(2, "c", 1, "c\n")}, {}};
  const CheckpointVersion local{{slot(0, "b", 1, "b\n"), slot(1, "a", 1, "a\n")}, {}};
  const CheckpointVersion both = merge_checkpoints(remote, local);
  REQUIRE(both.slots.size() == 3);
  CHECK(both.slots[0] == slot(0, "a", 1, "a\n"));
  CHECK(both.slots[1] == slot(2, "c", 1, "c\n"));
  CHECK(both.slots[2] == slot(3, "b", 1, "b\n"));
  CHECK(both.conflicts.empty());
}

TEST_CASE("the transcript that goes on stays, even when the other one is newer") {
  const CheckpointVersion remote{{slot(0, "a", 1, "1\n2\n")}, {}};
  const CheckpointVersion local{{slot(0, "a", 9, "1\n")}, {}};
  const CheckpointVersion both = merge_checkpoints(remote, local);
  CHECK(both.slots[0].transcript == "1\n2\n");
  CHECK(both.conflicts.empty());
}

TEST_CASE("of two that went apart the later one stays, and the other's lines are kept") {
  const CheckpointVersion remote{{slot(4, "a", 1, "1\n2x\n3\n")}, {}};
  const CheckpointVersion local{{slot(0, "a", 2, "1\n2y\n")}, {}};
  const CheckpointVersion both = merge_checkpoints(remote, local);
  CHECK(both.slots[0].transcript == "1\n2y\n");
  CHECK(both.slots[0].number == 4);
  REQUIRE(both.conflicts.size() == 1);
  CHECK(both.conflicts[0].text == "2x\n3\n");
  const std::string blob = base::sha1_hex("1\n2x\n3\n");
  CHECK(conflict_path(4, both.conflicts[0]) == "plankeep/conflicts/4-" + blob.substr(0, 8) + ".jsonl");
}

TEST_CASE("a transcript without a common line is kept whole") {
  const CheckpointVersion both =
      merge_checkpoints({{slot(0, "a", 1, "x\n")}, {}}, {{slot(0, "a", 2, "y\n")}, {}});
  REQUIRE(both.conflicts.size() == 1);
  CHECK(both.conflicts[0].text == "x\n");
}

TEST_CASE("merging gives the same whichever side is the remote") {
  CHECK(rc::check([] {
    const CheckpointVersion a = some_version();
    const CheckpointVersion b = some_version();
    RC_ASSERT(content(merge_checkpoints(a, b)) == content(merge_checkpoints(b, a)));
  }));
}

TEST_CASE("merging what was merged changes nothing") {
  CHECK(rc::check([] {
    const CheckpointVersion a = some_version();
    const CheckpointVersion b = some_version();
    RC_ASSERT(merge_checkpoints(a, a) == a);
    const CheckpointVersion both = merge_checkpoints(a, b);
    RC_ASSERT(merge_checkpoints(both, both) == both);
    RC_ASSERT(merge_checkpoints(both, a) == both);
    RC_ASSERT(merge_checkpoints(both, b) == both);
    RC_ASSERT(content(merge_checkpoints(b, both)) == content(both));
  }));
}

TEST_CASE("no session and no line of either side is missing, however many sides there are") {
  CHECK(rc::check([] {
    CheckpointVersion all = some_version();
    std::set<std::string> expected = all_lines(all);
    std::set<std::string> sessions;
    for (const SessionSlot& one : all.slots) sessions.insert(one.session);
    for (int sides = *rc::gen::inRange(1, 5); sides > 0; --sides) {
      const CheckpointVersion next = some_version();
      const std::set<std::string> lines = all_lines(next);
      expected.insert(lines.begin(), lines.end());
      for (const SessionSlot& one : next.slots) sessions.insert(one.session);
      all = *rc::gen::arbitrary<bool>() ? merge_checkpoints(all, next) : merge_checkpoints(next, all);
      std::set<std::size_t> numbers;
      for (const SessionSlot& one : all.slots) RC_ASSERT(numbers.insert(one.number).second);
    }
    RC_ASSERT(all_lines(all) == expected);
    RC_ASSERT(all.slots.size() == sessions.size());
  }));
}
