#pragma once
// Reading a plan's history for people (`log`): the newest events that pass a filter, and then the new ones as
// they come. Reads only, from the end of the file: the length of the history does not matter.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "model/event.hpp"
#include "project/context.hpp"
#include "project/plan_location.hpp"
#include "store/journal.hpp"

namespace plankeep::app {

struct HistoryFilter {
  std::string event;  // its name in the file; empty: all
  std::string task;   // a task's or criterion's id, or "phase/id"; empty: all
  std::optional<base::Instant> since;
  bool bookkeeping = true;   // also what happens to plankeep's own files, unless `event` asks for it
  bool earlier_ids = false;  // newest() also gives what was recorded of `task` under its earlier ids
  core::EventParts parts = core::EventParts::all;  // what newest() decodes of each

  bool passes(const core::Event& event) const;
};

class HistoryReader {
 public:
  /// not_found when the plan is not tracked. `end`: where the history ends, if that is known.
  [[nodiscard]] static base::Result<HistoryReader> open(const Context& context, const PlanLocation& plan,
                                                        std::optional<std::uint64_t> end = {});

  /// The newest `count` that pass, oldest first. The first call finds where the history ends; later calls do
  /// not see what came since.
  [[nodiscard]] base::Result<std::vector<store::TailLine>> newest(std::size_t count,
                                                                  const HistoryFilter& filter);

  /// Those that came since the first newest() or the last more(). A history that was replaced by a shorter
  /// one begins anew.
  [[nodiscard]] base::Result<std::vector<store::TailLine>> more(const HistoryFilter& filter);

  /// Holds all of it against its chain (model/chain).
  [[nodiscard]] base::Result<core::ChainReport> verify() { return store::check_chain(*tracking_); }

  /// The file itself, for those who wait until it grows.
  std::string path() const;

 private:
  HistoryReader(std::unique_ptr<system::Folder> tracking, std::optional<std::uint64_t> end)
      : tracking_(std::move(tracking)), end_(end) {}

  std::unique_ptr<system::Folder> tracking_;
  std::optional<std::uint64_t> end_;
};

}  // namespace plankeep::app
