#include "fleet/history_line.hpp"

#include <rapidcheck.h>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <string>

#include "fleet/merged_history.hpp"
#include "fleet/push_command.hpp"
#include "model/json/event_json.hpp"

using namespace plankeep;
using nlohmann::json;

namespace {

constexpr base::Instant kBefore{1'700'000'000'000};

std::string text_of(const fleet::HistoryRow& row) {
  return json::parse(row.body).get<std::string>();
}

}  // namespace

TEST_CASE("A line goes as it stands, with its time and its event's name beside it") {
  const std::string line =
      R"({"ts":"2026-11-20T15:43:50Z","event":"task_completed","taskId":"a","by":"main","new":[1e3]})";
  const fleet::HistoryRow row = fleet::row_of(7, line, kBefore);
  CHECK(row.line == 7);
  CHECK(row.name == "task_completed");
  CHECK(base::to_iso8601(row.time) == "2026-11-20T15:43:50.000Z");
  CHECK(row.body == line);
  CHECK(fleet::row_of(1, R"({"ts":"2026-11-20T15:43:50Z","event":"made_coffee"})", kBefore).name ==
        "made_coffee");
}

TEST_CASE("A line that jsonb does not hold goes as a string of its text") {
  const std::string start = R"({"ts":"2026-11-20T15:43:50Z","event":"note_saved","note":")";
  for (const std::string& line : {start + R"(a\u0000b"})", start + R"(","x":1e99999})",
                                  start + R"(","x":)" + std::string(400, '7') + "}"}) {
    const fleet::HistoryRow row = fleet::row_of(1, line, kBefore);
    CHECK(row.name == "note_saved");
    CHECK(text_of(row) == line);
  }
}

TEST_CASE("Digits and backslashes inside strings are no numbers and no NUL") {
  for (const std::string value : {R"("1e99999")", R"("9f1b4231e551234")", R"("\\u0000")", R"("\"\\u0000")",
                                  "1e300", "-1.5E-12", R"("\\\"1e99999")"}) {
    const std::string line = R"({"ts":"2026-11-20T15:43:50Z","event":"x","y":)" + value + "}";
    CAPTURE(line);
    CHECK(fleet::row_of(1, line, kBefore).body == line);
  }
  for (const std::string value : {R"("\\\u0000")", "1e1000", "-1E+99999", R"("\\",1e99999)", R"("\u0000")"}) {
    const std::string line = R"({"ts":"2026-11-20T15:43:50Z","event":"x","y":[)" + value + "]}";
    CAPTURE(line);
    CHECK(text_of(fleet::row_of(1, line, kBefore)) == line);
  }
}

TEST_CASE("A line that is no event is sent all the same, at the time of the one before") {
  for (const std::string line :
       {"", "not json", "[]", R"({"event":"x"})", R"({"ts":"yesterday","event":"x"})", "{\"a\""}) {
    const fleet::HistoryRow row = fleet::row_of(3, line, kBefore);
    CHECK(row.name == "damaged");
    CHECK(row.time == kBefore);
    CHECK(text_of(row) == line);
  }
  CHECK(text_of(fleet::row_of(3, "\xff\xfe", kBefore)) == "\xef\xbf\xbd\xef\xbf\xbd");
  CHECK(text_of(fleet::row_of(1, std::string(17 << 20, 'x'), kBefore)) == "a line of 17825792 bytes");
}

TEST_CASE("Whatever the bytes are, what is sent is JSON without a NUL, on one line of COPY") {
  CHECK(rc::check("any bytes", [](const std::string& bytes) {
    const fleet::HistoryRow row = fleet::row_of(1, bytes, kBefore);
    RC_ASSERT(json::accept(row.body));
    RC_ASSERT(row.body.find('\0') == std::string::npos);
    RC_ASSERT(fleet::fits_jsonb(row.body));
    std::string copied;
    fleet::append_copy_row(copied, row);
    RC_ASSERT(copied.find('\n') == copied.size() - 1);
    RC_ASSERT(std::count(copied.begin(), copied.end(), '\t') == 3);
  }));
}

TEST_CASE("COPY and arrays escape what has a meaning there") {
  std::string copied;
  fleet::append_copy_row(copied, {1, kBefore, "a\tb", R"("x\n\"y\\")"});
  CHECK(copied == "1\t2023-11-14T22:13:20.000Z\ta\\tb\t\"x\\\\n\\\\\"y\\\\\\\\\"\n");
  std::string array;
  fleet::append_array_element(array, R"(a"b\c)");
  fleet::append_array_element(array, "{},");
  CHECK(array == R"({"a\"b\\c","{},")");
}

TEST_CASE("After failures the pause doubles from one second to five minutes, with half of it at random") {
  using std::chrono::milliseconds;
  CHECK(fleet::pause_after(0, 0) == milliseconds{500});
  CHECK(fleet::pause_after(0, 1) == milliseconds{1000});
  CHECK(fleet::pause_after(3, 1) == milliseconds{8000});
  for (const int failures : {9, 50, 1'000'000}) {
    CHECK(fleet::pause_after(failures, 0) == milliseconds{150'000});
    CHECK(fleet::pause_after(failures, 1) == milliseconds{300'000});
  }
}

TEST_CASE("Of one change that several machines saw the first stays") {
  const auto event = [](core::EventKind kind, std::int64_t time, const std::string& task,
                        const std::string& by) {
    core::Event made;
    made.kind = kind;
    made.time = base::Instant{time};
    made.task = core::TaskId(task);
    made.phase = core::PhaseId("p");
    made.by = by;
    return made;
  };
  core::Event first;
  first.kind = core::EventKind::checkpoint_created;
  first.time = base::Instant{9000};
  first.plan_id = "shop";
  first.phases.push_back({core::PhaseId("p"),
                          core::PhaseStatus::pending,
                          {core::TaskId("a"), core::TaskId("b"), core::TaskId("c")},
                          {core::TaskId("c")},
                          {},
                          {}});
  core::Event second = first;
  second.time = base::Instant{9500};
  using Kind = core::EventKind;
  const std::string merged = fleet::merged_history(
      {event(Kind::task_completed, 5000, "a", "external"), first,
       event(Kind::task_completed, 2000, "a", "kim"), event(Kind::task_completed, 4000, "c", "kim"), second,
       event(Kind::task_reopened, 6000, "a", "ada"), event(Kind::replica_created, 1000, "", "")});
  std::vector<std::string> told;
  std::string_view rest = merged;
  while (!rest.empty()) {
    const auto read = core::decode_event(rest.substr(0, rest.find('\n')));
    REQUIRE(read.has_value());
    told.push_back(std::string(core::name_of(read->kind)) + " " + read->by);
    rest.remove_prefix(rest.find('\n') + 1);
  }
  CHECK(told == std::vector<std::string>{"checkpoint_created ", "task_completed kim", "task_reopened ada"});
}
