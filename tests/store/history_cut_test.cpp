// The history cut at every byte of its last three lines: what is whole stays, what is torn is set aside, and
// the next event never sticks to it.

#include <catch2/catch.hpp>

#include "store/store_samples.hpp"

namespace plankeep::store {
namespace {

using test::Desk;
using test::kNow;
using test::lines_of;
using test::tasks_in;
using Tasks = std::vector<std::string>;

void cut_everywhere(const std::vector<Tasks>& saves) {
  std::string text;
  for (const Tasks& save : saves) text += lines_of(save);
  std::size_t first = text.size();
  for (int lines = 0; lines < 3; ++lines) first = text.rfind('\n', first - 2) + 1;

  for (std::size_t cut = first; cut <= text.size(); ++cut) {
    // What must count: the saves that are there whole; the last byte of each, its LF, may be missing.
    Tasks expected;
    std::size_t end = 0;
    for (const Tasks& save : saves) {
      const std::size_t length = lines_of(save).size();
      if (end + length > cut + 1) break;
      expected.insert(expected.end(), save.begin(), save.end());
      end += length;
    }
    Desk desk;
    desk.put("history.jsonl", text.substr(0, cut));
    CAPTURE(cut, text.substr(0, cut));
    CHECK(tasks_in(*desk.folder) == expected);
    CHECK(history_end(*desk.folder).value() == std::min(end, cut));

    std::vector<core::Event> events = test::batch_of({"new1", "new2"});
    REQUIRE(append_events(*desk.folder, events, kNow));
    expected.insert(expected.end(), {"new1", "new2"});
    CHECK(tasks_in(*desk.folder) == expected);
    const auto scan =
        read_events(*desk.folder, 0, [](const core::Event&, const HistoryLine&) { return true; });
    CHECK(scan->damaged_count == 0);
    CHECK(scan->end == scan->file_size);
    // Nothing is deleted: what was cut off stands in a file of its own.
    const std::string torn = cut > end ? text.substr(end, cut - end) : "(missing)";
    CHECK(desk.get("history.jsonl.damaged-20261120T154350.123Z") == torn);
  }
}

TEST_CASE("a history of single events may be cut at every byte of its last three lines") {
  cut_everywhere({{"a"}, {"b"}, {"c"}, {"d"}, {"e"}});
}

TEST_CASE("a history that ends in a batch may be cut at every byte of its last three lines") {
  cut_everywhere({{"a"}, {"b", "c"}, {"d", "e", "f"}});
}

TEST_CASE(
    "a history that ends in batches of different sizes may be cut at every byte of its last three lines") {
  cut_everywhere({{"a"}, {"b", "c"}, {"d"}});
  cut_everywhere({{"a", "b", "c", "d", "e"}});
  cut_everywhere({{"a", "b"}, {"c", "d"}});
}

}  // namespace
}  // namespace plankeep::store
