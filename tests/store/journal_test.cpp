#include "store/journal.hpp"

#include <catch2/catch.hpp>

#include "store/store_samples.hpp"

namespace plankeep::store {
namespace {

using test::batch_of;
using test::Desk;
using test::kNow;
using test::lines_of;
using test::tasks_in;
using Tasks = std::vector<std::string>;

std::uint64_t append(Desk& desk, const Tasks& tasks) {
  std::vector<core::Event> events = batch_of(tasks);
  return append_events(*desk.folder, events, kNow).value();
}

namespace {

// A history as it was before its chain was put in.
std::string unchained(std::string text) {
  for (std::size_t at = 0; (at = text.find(",\"chain\":\"", at)) != std::string::npos;)
    text.erase(at, 11 + core::kChainDigits);
  return text;
}

}  // namespace

TEST_CASE("what was appended is read back in order, with offsets and numbers") {
  Desk desk;
  const std::uint64_t first = append(desk, {"a"});
  const std::uint64_t all = append(desk, {"b", "c"});
  CHECK(unchained(desk.get("history.jsonl")) == lines_of({"a"}) + lines_of({"b", "c"}));
  std::vector<std::uint64_t> offsets;
  std::vector<std::int64_t> numbers;
  const auto scan = read_events(*desk.folder, 0, [&](const core::Event&, const HistoryLine& line) {
    offsets.push_back(line.offset);
    numbers.push_back(line.number);
    CHECK(desk.get("history.jsonl").substr(line.offset, line.text.size()) == line.text);
    return true;
  });
  REQUIRE(scan.has_value());
  CHECK(scan->end == all);
  CHECK(scan->file_size == all);
  CHECK(scan->lines == 3);
  CHECK(scan->damaged.empty());
  CHECK(offsets.at(1) == first);
  CHECK(numbers == std::vector<std::int64_t>{1, 2, 3});
  CHECK(tasks_in(*desk.folder, first) == Tasks{"b", "c"});
  CHECK(tasks_in(*desk.folder, all).empty());
  CHECK(tasks_in(*desk.folder, all + 100).empty());
}

TEST_CASE("an append is one write and one sync, and reads nothing but the end") {
  Desk desk;
  append(desk, {"a"});
  desk.disk.forget_log();
  append(desk, {"b", "c", "d"});
  const Tasks expected{"open_append history.jsonl", "size history.jsonl", "read_range history.jsonl",
                       "write history.jsonl", "sync_data history.jsonl"};
  CHECK(desk.disk.log() == expected);
}

TEST_CASE("the first append makes the file's name durable") {
  Desk desk;
  append(desk, {"a"});
  desk.disk.crash();
  desk.open();
  CHECK(tasks_in(*desk.folder) == Tasks{"a"});
}

TEST_CASE("no events change nothing") {
  Desk desk;
  CHECK(append(desk, {}) == 0);
  CHECK_FALSE(desk.has("history.jsonl"));
}

TEST_CASE("a missing history is an empty one") {
  Desk desk;
  CHECK(history_size(*desk.folder).value() == 0);
  CHECK(history_end(*desk.folder).value() == 0);
  CHECK(tasks_in(*desk.folder).empty());
  CHECK(last_events(*desk.folder, 5)->empty());
}

TEST_CASE("a reader can stop") {
  Desk desk;
  const std::uint64_t first = append(desk, {"a"});
  append(desk, {"b"});
  int seen = 0;
  const auto scan =
      read_events(*desk.folder, 0, [&](const core::Event&, const HistoryLine&) { return ++seen < 1; });
  CHECK(seen == 1);
  CHECK(scan->end == first);
}

TEST_CASE("a torn last line is left out by readers and set aside by the next append") {
  Desk desk;
  const std::uint64_t good = append(desk, {"a"});
  desk.put("history.jsonl", desk.get("history.jsonl") + R"({"ts":"2026-11-20T15:43:50.123Z","eve)");
  const auto scan = read_events(*desk.folder, 0, [](const core::Event&, const HistoryLine&) { return true; });
  CHECK(scan->end == good);
  CHECK(scan->file_size > good);
  CHECK(scan->damaged_count == 0);
  CHECK(history_end(*desk.folder).value() == good);
  append(desk, {"b"});
  CHECK(unchained(desk.get("history.jsonl")) == lines_of({"a"}) + lines_of({"b"}));
  CHECK(desk.get("history.jsonl.damaged-20261120T154350.123Z") == R"({"ts":"2026-11-20T15:43:50.123Z","eve)");
}

TEST_CASE("a last line that lacks only its line feed counts and gets it") {
  Desk desk;
  std::string text = lines_of({"a"}) + lines_of({"b"});
  text.pop_back();
  desk.put("history.jsonl", text);
  CHECK(tasks_in(*desk.folder) == Tasks{"a", "b"});
  const std::uint64_t end = history_end(*desk.folder).value();
  CHECK(end == text.size());
  const std::uint64_t after = append(desk, {"c"});
  CHECK(after == desk.get("history.jsonl").size());
  CHECK(unchained(desk.get("history.jsonl")) == lines_of({"a"}) + lines_of({"b"}) + lines_of({"c"}));
  // Who had folded up to the old end finds only the new event behind it.
  CHECK(tasks_in(*desk.folder, end) == Tasks{"c"});
}

TEST_CASE("a batch whose last event is missing does not count, however much of it is there") {
  Desk desk;
  const std::string whole = lines_of({"b", "c", "d"});
  const std::size_t first = whole.find('\n') + 1;
  const std::size_t second = whole.find('\n', first) + 1;
  for (const std::size_t kept : {first, second, second + 10}) {
    CAPTURE(kept);
    desk.put("history.jsonl", lines_of({"a"}) + whole.substr(0, kept));
    CHECK(tasks_in(*desk.folder) == Tasks{"a"});
    CHECK(history_end(*desk.folder).value() == lines_of({"a"}).size());
    CHECK(last_events(*desk.folder, 5)->size() == 1);
    append(desk, {"x"});
    CHECK(unchained(desk.get("history.jsonl")) == lines_of({"a"}) + lines_of({"x"}));
    CHECK(desk.get("history.jsonl.damaged-20261120T154350.123Z" + std::string(kept == first    ? ""
                                                                              : kept == second ? "-2"
                                                                                               : "-3")) ==
          whole.substr(0, kept));
  }
}

TEST_CASE("a torn batch takes the damaged lines within and behind it along, and nothing before it") {
  Desk desk;
  const std::string whole = lines_of({"b", "c", "d"});
  const std::size_t first = whole.find('\n') + 1;
  desk.put("history.jsonl", lines_of({"y", "z"}) + whole.substr(0, first) + std::string(20, '\0') + "\n");
  CHECK(tasks_in(*desk.folder) == Tasks{"y", "z"});
  append(desk, {"x"});
  CHECK(unchained(desk.get("history.jsonl")) == lines_of({"y", "z"}) + lines_of({"x"}));
}

TEST_CASE("a torn batch behind a torn batch of the same size is told from it") {
  Desk desk;
  const std::string whole = lines_of({"b", "c"});
  const std::string half = whole.substr(0, whole.find('\n') + 1);
  // In the middle of the file a batch without its end counts: something else was appended behind it.
  desk.put("history.jsonl", half + half);
  CHECK(tasks_in(*desk.folder) == Tasks{"b"});
}

TEST_CASE("damaged lines in the middle are skipped, reported and never rewritten") {
  Desk desk;
  const std::string text = lines_of({"a"}) + "garbage\n" + lines_of({"b"}) + "\n" + "{\"ts\":1}\n" + "[]\n";
  desk.put("history.jsonl", text);
  Tasks tasks;
  const auto scan = read_events(*desk.folder, 0, [&](const core::Event& event, const HistoryLine&) {
    tasks.push_back(event.task.text);
    return true;
  });
  CHECK(tasks == Tasks{"a", "b"});
  CHECK(scan->end == text.size());
  CHECK(scan->lines == 6);
  CHECK(scan->damaged_count == 3);
  REQUIRE(scan->damaged.size() == 3);
  CHECK(scan->damaged[0].number == 2);
  CHECK(scan->damaged[0].offset == lines_of({"a"}).size());
  CHECK_FALSE(scan->damaged[0].reason.empty());
  append(desk, {"c"});
  CHECK(unchained(desk.get("history.jsonl")) == text + lines_of({"c"}));
}

TEST_CASE("of many damaged lines the first hundred are named and all are counted") {
  Desk desk;
  std::string text;
  for (int i = 0; i < 250; ++i) text += "x\n";
  desk.put("history.jsonl", text + lines_of({"a"}));
  const auto scan = read_events(*desk.folder, 0, [](const core::Event&, const HistoryLine&) { return true; });
  CHECK(scan->damaged.size() == 100);
  CHECK(scan->damaged_count == 250);
}

TEST_CASE("events of unknown names are handed on") {
  Desk desk;
  desk.put("history.jsonl", "{\"ts\":\"2026-11-20T15:43:50Z\",\"event\":\"from_the_future\",\"x\":[1]}\n");
  std::string name;
  REQUIRE(read_events(*desk.folder, 0, [&](const core::Event& event, const HistoryLine&) {
    name = event.name;
    return true;
  }));
  CHECK(name == "from_the_future");
}

TEST_CASE("lines are found whole wherever the pieces of reading are cut") {
  Desk desk;
  std::string text;
  Tasks expected;
  for (int i = 0; text.size() < (5U << 20U); ++i) {
    // Lengths that drift over the borders of the pieces, and some lines longer than a piece.
    const std::string id =
        "t" + std::to_string(i) +
        std::string(i % 50 == 7 ? 1'500'000 : static_cast<std::size_t>(i) * 37 % 90'000, 'x');
    text += lines_of({id});
    expected.push_back(id);
  }
  desk.put("history.jsonl", text);
  CHECK((tasks_in(*desk.folder) == expected));
  const auto all = last_events(*desk.folder, expected.size() + 1);
  Tasks backwards;
  for (const TailLine& line : *all) {
    backwards.push_back(line.event.task.text);
    CHECK(line.text + "\n" == lines_of({line.event.task.text}));
  }
  CHECK((backwards == expected));
}

TEST_CASE("a line of more than 64 MiB is damaged, and what stands around it is read") {
  Desk desk;
  const std::string giant(65U << 20U, 'x');
  desk.put("history.jsonl", lines_of({"a"}) + giant + "\n" + lines_of({"b"}));
  Tasks tasks;
  const auto scan = read_events(*desk.folder, 0, [&](const core::Event& event, const HistoryLine&) {
    tasks.push_back(event.task.text);
    return true;
  });
  CHECK(tasks == Tasks{"a", "b"});
  CHECK(scan->damaged_count == 1);
  CHECK(last_events(*desk.folder, 5)->size() == 2);
}

TEST_CASE("the line that names each box of a plan of 100,000 tasks is read back, from either side") {
  Desk desk;
  std::string row = R"({"ts":"2026-01-01T00:00:00.000Z","event":"checkpoint_created","planId":"p","ids":[)";
  std::size_t boxes = 0;
  for (; row.size() < 24'000'000; ++boxes) {
    if (boxes > 0) row += ',';
    row += R"({"id":"task-)" + std::to_string(boxes) + R"(","title":")" + std::string(160, 't') + "\"}";
  }
  row += "]}\n";
  desk.put("history.jsonl", lines_of({"a"}) + row + lines_of({"b"}));
  std::size_t ids = 0;
  const auto scan = read_events(*desk.folder, 0, [&](const core::Event& event, const HistoryLine&) {
    ids += event.ids.size();
    return true;
  });
  CHECK(ids == boxes);
  CHECK(scan->damaged_count == 0);
  const auto last = last_events(*desk.folder, 3);
  REQUIRE(last->size() == 3);
  CHECK(last->at(1).event.ids.size() == boxes);
}

TEST_CASE("an unfinished line of more than 64 MiB is ended, and the next event stands on its own line") {
  Desk desk;
  const std::string giant(65U << 20U, 'x');
  desk.put("history.jsonl", lines_of({"a"}) + giant);
  CHECK(tasks_in(*desk.folder) == Tasks{"a"});
  append(desk, {"b"});
  CHECK((unchained(desk.get("history.jsonl")) == lines_of({"a"}) + giant + "\n" + lines_of({"b"})));
  CHECK(tasks_in(*desk.folder) == Tasks{"a", "b"});
}

TEST_CASE("the last lines are those that were asked for, oldest first, and few bytes are read for them") {
  Desk desk;
  std::string text;
  for (int i = 0; i < 20'000; ++i) text += lines_of({"t" + std::to_string(i)});
  desk.put("history.jsonl", text);
  desk.disk.forget_log();
  const auto last = last_events(*desk.folder, 2);
  REQUIRE(last->size() == 2);
  CHECK(last->at(0).event.task.text == "t19998");
  CHECK(last->at(1).event.task.text == "t19999");
  CHECK(desk.disk.log() ==
        Tasks{"info history.jsonl", "read_range history.jsonl", "read_range history.jsonl"});
  const auto found = last_events(*desk.folder, 1, {.texts = {"t3"}, .matches = [](const core::Event& event) {
                                                     return event.task.text == "t3";
                                                   }});
  REQUIRE(found->size() == 1);
  CHECK(found->at(0).event.task.text == "t3");
  CHECK(last_events(*desk.folder, 0)->empty());
}

TEST_CASE("from an end that is known on, the end is not looked for and nothing behind it is read") {
  Desk desk;
  desk.put("history.jsonl", lines_of({"a", "b"}));
  const std::uint64_t end = history_end(*desk.folder).value();
  desk.put("history.jsonl", lines_of({"a", "b"}) + lines_of({"c"}));
  desk.disk.forget_log();
  const auto last = last_events(*desk.folder, 1, {.end = end});
  REQUIRE(last->size() == 1);
  CHECK(last->at(0).event.task.text == "b");
  CHECK(desk.disk.log() == Tasks{"read_range history.jsonl"});

  desk.disk.forget_log();
  Tasks tasks;
  const auto each = [&tasks](const core::Event& event, const HistoryLine&) {
    tasks.push_back(event.task.text);
    return true;
  };
  const auto scan = read_events(*desk.folder, 0, each, nullptr, core::EventParts::all, end);
  REQUIRE(scan);
  CHECK(tasks == Tasks{"a", "b"});
  CHECK(scan->end == end);
  CHECK(desk.disk.log() == Tasks{"info history.jsonl", "read_range history.jsonl"});
  // A history that is shorter than it was known to be is read to its own end.
  desk.put("history.jsonl", lines_of({"a"}));
  tasks.clear();
  REQUIRE(read_events(*desk.folder, 0, each, nullptr, core::EventParts::all, end));
  CHECK(tasks == Tasks{"a"});
}

TEST_CASE("lines that fail the line test are neither decoded nor counted as damaged") {
  Desk desk;
  desk.put("history.jsonl",
           lines_of({"a"}) + "garbage\n" + lines_of({"b"}) + "b garbage\n" + lines_of({"a"}));
  Tasks tasks;
  std::vector<std::int64_t> numbers;
  const auto each = [&](const core::Event& event, const HistoryLine& line) {
    tasks.push_back(event.task.text);
    numbers.push_back(line.number);
    return true;
  };
  const auto scan = read_events(*desk.folder, 0, each, [](std::string_view line) {
    return line.find("\"b\"") != std::string_view::npos;
  });
  REQUIRE(scan);
  CHECK(tasks == Tasks{"b"});
  CHECK(numbers == std::vector<std::int64_t>{3});
  CHECK(scan->lines == 5);
  CHECK(scan->damaged_count == 0);
  CHECK(scan->end == desk.get("history.jsonl").size());
}

TEST_CASE("a query finds what a look at every event finds, and decodes few others") {
  Desk desk;
  const std::vector<std::string> lines = {
      R"({"ts":"2026-01-01T00:00:00.000Z","event":"task_completed","taskId":"a","by":"main"})",
      R"({"ts":"2026-01-02T00:00:00.000Z","event":"task\u005fcompleted","taskId":"\u0061","by":"main"})",
      R"({"taskId":"a","event":"task_reopened","by":"main","ts":"2026-01-03T00:00:00Z"})",
      R"({"ts":"2026-01-04T00:00:00.000Z","event":"task_completed","taskId":"b","by":"a"})",
      "no event",
      R"({"ts":"2026-01-05T09:00:00.000+09:00","event":"task_started","taskId":"a","by":"main"})",
      R"({"ts":"2026-01-01T00:00:00.000Z","event":"task_reopened","taskId":"a","by":"main","ts":"2026-01-06T00:00:00.000Z"})",
      R"({"ts":"2026-01-07T00:00:00.000Z","event":"task_completed","taskId":"c","by":"main"})"};
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  desk.put("history.jsonl", text);
  int asked = 0;
  const auto days = [&](EventQuery query, std::string_view task) {
    query.matches = [&asked, task](const core::Event& event) {
      ++asked;
      return event.task.text == task;
    };
    query.texts = {task};
    std::string found;
    const auto events = last_events(*desk.folder, 99, query);
    if (!events) FAIL(events.error().message);
    for (const TailLine& line : *events) found += base::to_iso8601(line.event.time).substr(9, 1);
    return found;
  };
  using core::EventKind;
  const base::Instant third{1767398400000};  // 2026-01-03T00:00:00Z
  CHECK(days({}, "a") == "12356");
  CHECK(days({.kinds = {EventKind::task_completed}}, "a") == "12");
  CHECK(days({.kinds = {EventKind::task_reopened, EventKind::task_started}}, "a") == "356");
  CHECK(days({.since = third}, "a") == "356");
  CHECK(days({.kinds = {EventKind::task_reopened}, .since = third}, "a") == "36");
  CHECK(days({.kinds = {EventKind::task_moved}}, "a").empty());
  // Ends at the first line that is older for certain: escapes may hide another time.
  CHECK(days({.back_to = third}, "a") == "2356");
  CHECK(days({.back_to = base::Instant{1767744000000}}, "c") == "7");  // 2026-01-07T00:00:00Z
  CHECK(days({.back_to = base::Instant{1767744000000}}, "b").empty());
  // Only the line with escapes may contain it.
  asked = 0;
  CHECK(days({}, "nobody").empty());
  CHECK(asked == 1);
}

TEST_CASE("events are read without their inventories where nobody asks for them") {
  Desk desk;
  desk.put(
      "history.jsonl",
      R"({"ts":"2026-01-01T00:00:00.000Z","event":"checkpoint_created","planId":"p","ids":[{"id":"a","title":"A"}]})"
      "\n"
      R"({"ts":"2026-01-02T00:00:00.000Z","event":"task_completed","taskId":"a","by":"main"})"
      "\n");
  constexpr auto kWithout = core::EventParts::without_inventories;
  const auto last = last_events(*desk.folder, 9, {.parts = kWithout});
  REQUIRE(last);
  REQUIRE(last->size() == 2);
  CHECK(last->front().event.plan_id == "p");
  CHECK(last->front().event.ids.empty());
  CHECK(last_events(*desk.folder, 9)->front().event.ids.size() == 1);
  std::size_t events = 0;
  std::size_t ids = 0;
  const auto count = [&](const core::Event& event, const HistoryLine&) {
    ++events;
    ids += event.ids.size();
    return true;
  };
  REQUIRE(read_events(*desk.folder, 0, count, nullptr, kWithout));
  CHECK(events == 2);
  CHECK(ids == 0);
}

TEST_CASE("inventories of any length are left out where they cannot be meant, and all else is found") {
  const std::string inventory =
      R"({"ts":"2026-01-01T00:00:00.000Z","event":"boxes_found","planId":"p","ids":[)";
  constexpr auto kWithout = core::EventParts::without_inventories;
  for (const std::size_t length : {0U, 1000U, 65'400U, 65'536U, 70'000U, 200'000U, 400'000U}) {
    CAPTURE(length);
    std::string row = inventory;
    for (std::size_t i = 0; row.size() < length; ++i)
      row += std::string(i == 0 ? "" : ",") + R"({"id":"a","title":"b"})";
    row += "]}\n";
    // Another event may be as long.
    std::string long_title =
        R"({"ts":"2026-01-02T00:00:00.000Z","event":"task_completed","taskId":"a","title":")";
    long_title += std::string(length, 't') + "\"}\n";
    Desk desk;
    desk.put("history.jsonl", row + lines_of({"a"}) + row + long_title + row + lines_of({"b", "a"}) + row);
    const auto last = last_events(*desk.folder, 9, {.texts = {"a"}, .parts = kWithout});
    REQUIRE(last);
    Tasks found;
    for (const TailLine& line : *last) found.push_back(line.event.task.text);
    CHECK(found == Tasks{"a", "a", "b", "a"});
    Tasks read;
    std::vector<std::int64_t> numbers;
    const auto scan = read_events(
        *desk.folder, 0,
        [&](const core::Event& event, const HistoryLine& line) {
          read.push_back(event.task.text);
          numbers.push_back(line.number);
          return true;
        },
        [](std::string_view line) { return line.find("\"a\"") != std::string_view::npos; }, kWithout);
    REQUIRE(scan);
    CHECK(read == Tasks{"a", "a", "a"});
    CHECK(numbers == std::vector<std::int64_t>{2, 4, 7});
    CHECK(scan->lines == 8);
    CHECK(scan->damaged_count == 0);
    CHECK(scan->end == desk.get("history.jsonl").size());
  }
}

TEST_CASE("of an inventory its time and kind are known from its first bytes") {
  for (const std::size_t length : {0U, 1000U, 65'400U, 200'000U, 400'000U}) {
    CAPTURE(length);
    std::string row = R"({"ts":"2026-01-03T00:00:00.000Z","event":"boxes_found","planId":"p","ids":[)";
    for (std::size_t i = 0; row.size() < length; ++i)
      row += std::string(i == 0 ? "" : ",") + R"({"id":"a","title":"b"})";
    row += "]}\n";
    Desk desk;
    desk.put("history.jsonl", lines_of({"a"}) + row + lines_of({"b"}));
    const auto all = last_events(*desk.folder, 9, {.parts = core::EventParts::times_of_inventories});
    REQUIRE(all);
    REQUIRE(all->size() == 3);
    CHECK(all->at(1).event.kind == core::EventKind::boxes_found);
    CHECK(all->at(1).event.time == base::parse_iso8601("2026-01-03T00:00:00.000Z"));
    CHECK(all->at(1).event.plan_id.empty());
    CHECK(all->at(2).event.task.text == "b");
    const auto chosen = last_events(
        *desk.folder, 1,
        {.matches = [](const core::Event& event) { return event.kind != core::EventKind::task_completed; },
         .parts = core::EventParts::times_of_inventories});
    REQUIRE(chosen);
    REQUIRE(chosen->size() == 1);
    CHECK(chosen->front().event.kind == core::EventKind::boxes_found);
    // A line that holds a name is none of them.
    const auto named =
        last_events(*desk.folder, 9, {.texts = {"a"}, .parts = core::EventParts::times_of_inventories});
    REQUIRE(named);
    CHECK(named->size() == 2);
    for (const TailLine& line : *named) CHECK(line.event.kind == core::EventKind::task_completed);
  }
}

TEST_CASE("an append does not look for the end where the caller knows it") {
  Desk desk;
  const std::uint64_t end = append(desk, {"a"});
  std::string chain;
  std::vector<core::Event> events = batch_of({"b"});
  desk.disk.forget_log();
  REQUIRE(append_events(*desk.folder, events, kNow, &chain, end));
  CHECK(tasks_in(*desk.folder) == Tasks{"a", "b"});
  CHECK(check_chain(*desk.folder)->holds());

  SECTION("whatever its last line says") {
    // Half of a batch: who looked at it would set it aside.
    const std::string half = lines_of({"x", "y"}).substr(0, lines_of({"x", "y"}).find('\n') + 1);
    const std::string text = desk.get("history.jsonl") + half;
    for (const bool known : {true, false}) {
      desk.put("history.jsonl", text);
      events = batch_of({"c"});
      const auto at = known ? std::optional<std::uint64_t>(text.size()) : std::nullopt;
      REQUIRE(append_events(*desk.folder, events, kNow, &chain, at));
      CHECK(desk.get("history.jsonl").starts_with(text) == known);
    }
  }
  SECTION("which may lack its line feed") {
    std::string text = desk.get("history.jsonl");
    text.pop_back();
    desk.put("history.jsonl", text);
    events = batch_of({"c"});
    REQUIRE(append_events(*desk.folder, events, kNow, &chain, text.size()));
    CHECK(tasks_in(*desk.folder) == Tasks{"a", "b", "c"});
  }
  SECTION("but a torn line behind it is set aside") {
    const std::string text = desk.get("history.jsonl");
    desk.put("history.jsonl", text + R"({"ts":"2026-11-)");
    events = batch_of({"c"});
    REQUIRE(append_events(*desk.folder, events, kNow, &chain, text.size()));
    CHECK(tasks_in(*desk.folder) == Tasks{"a", "b", "c"});
    CHECK(history_end(*desk.folder, text.size()).value() == desk.get("history.jsonl").size());
  }
  SECTION("and a file that is shorter is looked at") {
    desk.put("history.jsonl", lines_of({"x"}) + R"({"ts":"2026-11-)");
    events = batch_of({"c"});
    REQUIRE(append_events(*desk.folder, events, kNow, &chain, 10'000));
    CHECK(tasks_in(*desk.folder) == Tasks{"x", "c"});
  }
}

TEST_CASE("lines are counted without being decoded") {
  Desk desk;
  const std::string giant(3U << 20U, 'x');
  const std::string text = lines_of({"a"}) + "garbage\n\n" + giant + "\n" + lines_of({"b"});
  desk.put("history.jsonl", text);
  CHECK(count_lines(*desk.folder, 0, text.size()) == 5);
  CHECK(count_lines(*desk.folder, lines_of({"a"}).size(), text.size()) == 4);
  CHECK(count_lines(*desk.folder, 0, lines_of({"a"}).size()) == 1);
  CHECK(count_lines(*desk.folder, 7, 7) == 0);
  // The last line counts even without its line feed.
  CHECK(count_lines(*desk.folder, 0, text.size() - 1) == 5);
  const auto beyond = count_lines(*desk.folder, 0, text.size() + 1);
  REQUIRE_FALSE(beyond);
  CHECK(beyond.error().kind == base::ErrorKind::conflict);
}

TEST_CASE("an append costs the same number of operations behind many events") {
  Desk desk;
  std::string text;
  for (int i = 0; i < 50'000; ++i) text += lines_of({"t" + std::to_string(i)});
  desk.put("history.jsonl", text);
  // An older version wrote no chain: the first save looks for one, and not far.
  desk.disk.forget_log();
  append(desk, {"last but one"});
  CHECK(desk.disk.log().size() <= 12);
  desk.disk.forget_log();
  append(desk, {"last"});
  CHECK(desk.disk.log().size() == 5);
}

TEST_CASE("a reader that is overtaken by a failed append reads again") {
  Desk desk;
  desk.put("history.jsonl", lines_of({"a"}) + "{\"torn");
  bool done = false;
  desk.disk.before = [&](const std::string& operation) {
    if (done || operation != "read_range history.jsonl") return;
    done = true;
    desk.put("history.jsonl", lines_of({"a"}));
  };
  CHECK(tasks_in(*desk.folder) == Tasks{"a"});
  CHECK(done);
}

TEST_CASE("saves are chained, and what a crash or another tool leaves does not break it") {
  Desk desk;
  std::string chain;
  const auto save = [&](const std::vector<std::string>& tasks) {
    std::vector<core::Event> events = batch_of(tasks);
    REQUIRE(append_events(*desk.folder, events, kNow, &chain));
    return desk.get("history.jsonl");
  };
  const auto report = [&desk] { return check_chain(*desk.folder).value(); };
  std::int64_t chained = 4;
  std::int64_t unchained = 0;
  std::string text = save({"a"});
  CHECK(core::chain_of(text) == chain);
  text = save({"b", "c"});
  SECTION("nothing happens") {}
  SECTION("a torn line") {
    desk.put("history.jsonl", text + R"({"ts":"2026-11-)");
  }
  SECTION("a torn save") {
    const std::string torn = lines_of({"x", "y"});
    desk.put("history.jsonl", text + torn.substr(0, torn.find('\n') + 1));
  }
  SECTION("a missing line feed") {
    desk.put("history.jsonl", text.substr(0, text.size() - 1));
  }
  SECTION("lines of another tool, and the state knows the chain") {
    desk.put("history.jsonl", text + lines_of({"x"}) + lines_of({"y"}));
    unchained = 2;
  }
  SECTION("lines of another tool, and nobody knows the chain") {
    desk.put("history.jsonl", text + lines_of({"x"}) + lines_of({"y"}));
    chain.clear();
    unchained = 2;
  }
  SECTION("more of them than are looked through, and the state knows the chain") {
    for (int i = 0; i < 2000; ++i) text += lines_of({"task-" + std::to_string(i)});
    desk.put("history.jsonl", text);
    unchained = 2000;
  }
  SECTION("a chain that is not of this file") {
    chain = std::string(32, '0');
  }
  SECTION("a history of an older version") {
    desk.put("history.jsonl", lines_of({"a"}) + lines_of({"b", "c"}));
    chain.clear();
    chained = 1;
  }
  SECTION("a write that fails") {
    // The sync: open, size, read_range, write came before it.
    desk.disk.plan_fault({test::Fault::Kind::fail_once, 5, 0});
    std::vector<core::Event> events = batch_of({"z"});
    REQUIRE_FALSE(append_events(*desk.folder, events, kNow, &chain));
  }
  save({"d"});
  CAPTURE(desk.get("history.jsonl").substr(0, 2000));
  CHECK(report().holds());
  CHECK(report().chained == chained);
  CHECK(report().unchained == unchained);
  std::string changed = desk.get("history.jsonl");
  changed.replace(changed.rfind("\"d\""), 3, "\"e\"");
  desk.put("history.jsonl", changed);
  CHECK(report().broken.has_value());
}

TEST_CASE(
    "a save of one event behind another tool's lines reads no more than before when the chain is known") {
  Desk desk;
  std::string chain;
  std::vector<core::Event> events = batch_of({"a"});
  REQUIRE(append_events(*desk.folder, events, kNow, &chain));
  std::string text = desk.get("history.jsonl");
  for (int i = 0; i < 2000; ++i) text += lines_of({"task-" + std::to_string(i)});
  desk.put("history.jsonl", text);
  desk.disk.forget_log();
  events = batch_of({"b"});
  REQUIRE(append_events(*desk.folder, events, kNow, &chain));
  const auto& log = desk.disk.log();
  CHECK(std::count(log.begin(), log.end(), "read_range history.jsonl") == 1);
}

}  // namespace
}  // namespace plankeep::store
