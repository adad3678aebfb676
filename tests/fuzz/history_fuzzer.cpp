// store/journal and model/json/event_json on any bytes: what a crash, an editor or a bad disk may leave in
// history.jsonl.

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "fuzz/law.hpp"
#include "fuzz/one_file_folder.hpp"
#include "model/json/event_json.hpp"
#include "store/journal.hpp"
#include "store/paths.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace plankeep;
  using fuzz::law;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  fuzz::OneFileFolder folder(std::string(store::kHistory), bytes);

  std::vector<core::Event> events;
  std::uint64_t next = 0;
  std::int64_t number = 0;
  const auto scan =
      store::read_events(folder, 0, [&](const core::Event& event, const store::HistoryLine& line) {
        law(line.offset >= next && line.offset + line.text.size() <= bytes.size(),
            "lines come in order, inside the file");
        law(bytes.substr(line.offset, line.text.size()) == line.text, "a line is what stands at its offset");
        law(line.text.find('\n') == std::string_view::npos && line.number > number, "a line is one line");
        next = line.offset + line.text.size();
        number = line.number;
        const std::string written = core::encode_event(event);
        law(written.ends_with('\n') && written.find('\n') == written.size() - 1,
            "an event is written as one line");
        const auto again = core::decode_event(std::string_view(written).substr(0, written.size() - 1));
        law(again.has_value(), "a written event can be read");
        // Events of names that are not ours are only ever skipped, so their fields need not survive.
        if (event.kind != core::EventKind::unknown)
          law(*again == event, "decode(encode(event)) is the event");
        events.push_back(event);
        return true;
      });
  if (!scan) {
    law(!scan.error().message.empty(), "a history is refused with a reason");
    return 0;
  }
  law(scan->file_size == bytes.size() && scan->end <= scan->file_size, "what counts ends inside the file");
  law(next <= scan->end, "no event stands behind the end of what counts");
  law(static_cast<std::int64_t>(scan->damaged.size()) <= scan->damaged_count, "damage is counted whole");

  // Reading from the end must agree with reading from the start.
  const auto tail = store::last_events(folder, 3);
  law(tail.has_value(), "what can be read forwards can be read backwards");
  law(tail->size() == std::min<std::size_t>(3, events.size()), "the last three events are three, or all");
  for (std::size_t i = 0; i < tail->size(); ++i)
    law((*tail)[i].event == events[events.size() - tail->size() + i], "both ways give the same events");

  // A query, which skips lines without decoding them, must find what a look at every event finds.
  if (!events.empty()) {
    const core::Event& wanted = events[bytes.size() % events.size()];
    store::EventQuery query{.since = wanted.time, .texts = {wanted.task.text}};
    if (wanted.kind != core::EventKind::unknown) query.kinds = {wanted.kind};
    query.matches = [&wanted](const core::Event& event) { return event.task == wanted.task; };
    std::vector<core::Event> expected;
    for (const core::Event& event : events) {
      const bool kind = query.kinds.empty() || event.kind == wanted.kind;
      if (kind && event.time >= wanted.time && event.task == wanted.task) expected.push_back(event);
    }
    const auto found = store::last_events(folder, events.size(), query);
    law(found.has_value() && found->size() == expected.size(), "a query finds every event that meets it");
    for (std::size_t i = 0; i < expected.size(); ++i)
      law((*found)[i].event == expected[i], "a query finds the events that meet it");
  }

  bool silent = true;
  const auto behind =
      store::read_events(folder, scan->end, [&](const core::Event&, const store::HistoryLine&) {
        silent = false;
        return true;
      });
  law(behind && silent, "nothing counts behind the end");
  return 0;
}
