#pragma once
// Which of the things that a text brings back done had come undone, and when: looked for in a history that is
// read backwards. Tasks that were numbered anew since are followed to the ids that they had then.
//
//   things.wait_for(name, id);                    // as they are called now
//   things.renamed(now, before);                  // by the save that is not in the history yet
//   for each event, newest first:
//     things.at(event.time);
//     if it gives a task another id:  things.renamed(now, before);
//     else if (auto id = things.take(name)) things.undone(name, *id);    // it decides
//   things.settled()
//
// Names are whatever the caller tells things apart by. All ids of one save change at once: events of a save
// have one time, and what they say of a task uses the id behind the change, its removal the one before.

#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "base/instant.hpp"

namespace plankeep::core {

class UndoneThings {
 public:
  /// By the name of then: the id of now, empty for what is no task.
  using Names = std::unordered_map<std::string, std::string>;

  void wait_for(std::string name, std::string id) { waiting_.emplace(std::move(name), std::move(id)); }
  bool any_waiting() const { return !waiting_.empty(); }

  /// The next event is of this time.
  void at(base::Instant time);
  /// By the save at this time.
  void renamed(std::string now, std::string before);
  /// Whether the save at this time changes an id that is this one, before or behind it.
  bool is_renamed(const std::string& name) const { return involved_.contains(name); }

  /// The id of what was waited for under this name, which is waited for no more.
  std::optional<std::string> take(const std::string& name);
  /// It came undone at this time.
  void undone(std::string name, std::string id) { undone_[time_].emplace(std::move(name), std::move(id)); }

  /// Whether all is decided, and all that was said of it at that time was seen.
  bool over() const { return waiting_.empty() && pairs_.empty() && time_ != last_taken_; }

  std::map<base::Instant, Names> settled();

 private:
  void settle();

  base::Instant time_;
  base::Instant last_taken_;
  Names waiting_;
  std::map<base::Instant, Names> undone_;
  std::vector<std::pair<std::string, std::string>> pairs_;  // of this time: name behind it, name before
  std::unordered_set<std::string> involved_;
};

}  // namespace plankeep::core
