#pragma once
// What a line of history.jsonl holds, event by event: one table (event.cpp) that the codec and the test of
// schemas/history-event share. A new event is a name in the enumeration, a row of the table and the words for
// people (render/recorded/log); a new field is a member of Event and an entry in the rows that have it.
//
// `ts`, `event`, `batch` and `chain` stand in every event and are not in the table.

#include <span>
#include <string_view>
#include <variant>

#include "model/event.hpp"

namespace plankeep::core {

struct EventField {
  enum class Presence {
    always,
    when_set,    // not where it is empty, 0 or false
    when_false,  // what is not said is true
    as_count,    // a list's length; not read, the list itself tells it
  };
  using Member = std::variant<
      std::string Event::*, TaskId Event::*, CriterionId Event::*, PhaseId Event::*, bool Event::*,
      std::int64_t Event::*, PhaseStatus Event::*, std::optional<std::int64_t> Event::*,
      std::optional<base::Instant> Event::*, std::optional<Evidence> Event::*, std::vector<TaskId> Event::*,
      std::vector<std::string> Event::*, std::vector<GivenId> Event::*, std::vector<PlacedTask> Event::*,
      std::vector<PhaseInventory> Event::*, std::vector<RemovedTask> Event::*>;

  std::string_view name;  // in the file
  Member member;
  Presence presence = Presence::when_set;
};

/// In the order in which they are written; of an unknown event none.
std::span<const EventField* const> fields_of(EventKind kind);

}  // namespace plankeep::core
