#pragma once
// What a history tells for `plankeep report`, gathered in one pass. Pure.
//
//   ReportRecorder recorder(state, now);
//   for (each event of the history, oldest first) recorder.apply(event);
//   const ReportFacts facts = recorder.facts();
//
// Memory: that of WorkRecorder, and the newest kMostMarks of each kind of thing, whatever the history's
// length; what did not fit is counted.

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/instant.hpp"
#include "model/event.hpp"
#include "model/state.hpp"
#include "rules/forecast/work_past.hpp"

namespace plankeep::core {

inline constexpr std::size_t kMostMarks = 500;
inline constexpr std::size_t kMostEarlierTitles = 5;  // of a task, the newest

struct ActorFacts {
  std::string name;  // "main", "subagent:reviewer"
  std::int64_t done = 0;
  std::int64_t taken_back = 0;  // tasks that somebody reopened after this actor had done them
  std::int64_t refused = 0;     // claims in last messages that no tick stood behind
  std::int64_t criteria = 0;    // ticked
  std::int64_t proven = 0;      // of these, by a command that passed
};

struct BlockerFacts {
  std::string text;
  base::Instant from;
  std::optional<base::Instant> to;  // none: it is still there
};

/// Something on the time axis: a checkpoint, a commit, a session, or something that was lost and put back.
struct Mark {
  base::Instant time;
  Event event;
};

struct Marks {
  std::deque<Mark> newest;   // oldest first, at most kMostMarks
  std::int64_t earlier = 0;  // that are not among them
  void add(const Event& event);
};

struct ReportFacts {
  std::optional<base::Instant> first;  // the time of the first event
  std::int64_t events = 0;
  std::vector<ActorFacts> actors;  // those who did most first
  std::vector<BlockerFacts> blockers;
  Marks checkpoints;
  Marks commits;
  Marks sessions;
  Marks incidents;
  /// By report_key; oldest first.
  std::unordered_map<std::string, std::vector<std::string>> earlier_titles;
};

class ReportRecorder {
 public:
  ReportRecorder(const State& state, base::Instant now) : work_(state, now) {}

  void apply(const Event& event);

  const WorkRecorder& work() const { return work_; }
  ReportFacts facts() const;

 private:
  void apply_to_actors(const Event& event);
  void take_back(const Event& event, bool may_be_given_back);
  void apply_to_names(const Event& event);
  void apply_to_blockers(const Event& event);
  void apply_to_marks(const Event& event);

  WorkRecorder work_;
  ReportFacts facts_;
  static constexpr std::size_t kNobody = static_cast<std::size_t>(-1);

  // Indices into actors_.
  struct Holder {
    std::size_t done_by = kNobody;
    std::size_t taken_from = kNobody;  // of a task that git reopened or that came back open: whose it was
  };

  // What tasks of the present save had before they took each other's ids, in whatever order its events are.
  struct BeforeSave {
    base::Instant time;
    std::unordered_map<std::string, std::vector<std::string>> titles{};  // earlier ones, by report_key
    std::unordered_map<std::string, std::string> removed{};              // the last title, likewise
    std::unordered_map<std::size_t, Holder> holders{};
  };

  void move_names(const Event& event);
  Holder take_holder(std::size_t task);
  ActorFacts& actor(const std::string& name);
  Holder& holder_of(std::size_t task);

  std::vector<ActorFacts> actors_;
  std::unordered_map<std::string, std::size_t> actor_at_;  // index into actors_, by name
  std::vector<Holder> holders_;                            // by WorkRecorder::number_of
  std::unordered_map<std::string, std::size_t> open_blockers_;
  BeforeSave before_{};
};

/// What maps by phase and task, or by phase and criterion, are keyed with.
template <class Kind>
std::string report_key(const PhaseId& phase, const Id<Kind>& item) {
  return phase.text + "\n" + item.text;
}

/// At most `most` (from 4) moments between the first step and `now`, at which numbers changed, and what was
/// there then.
struct BurnSample {
  base::Instant time;
  std::int64_t total = 0;
  std::int64_t done = 0;
  std::vector<std::int64_t> done_in;  // of each phase of WorkRecorder::phases()
};
std::vector<BurnSample> burn_samples(const WorkRecorder& work, std::optional<base::Instant> since,
                                     base::Instant now, std::size_t most);

}  // namespace plankeep::core
