#include "session_rules/attribution_trees.hpp"

#include <algorithm>

namespace plankeep::core {
namespace {

AttributionChoice none(std::string reason) {
  return {std::nullopt, std::move(reason)};
}

using Moments = std::vector<const WorkMoment*>;

// Those that hold the work tree as it stood on the parent before the commit.
Moments on_parent(const std::vector<WorkMoment>& moments, const std::string& parent, base::Instant commit) {
  Moments chosen;
  for (const WorkMoment& moment : moments) {
    if (!moment.tree.empty() && !moment.imported && moment.head == parent &&
        moment.time <= end_of_commit(commit))
      chosen.push_back(&moment);
  }
  return chosen;
}

// What the last turn left before the first moment on the parent, in the work tree; empty: not known.
std::string left_before(const std::vector<WorkMoment>& moments, const std::string& parent) {
  std::string left;
  for (const WorkMoment& moment : moments) {
    if (moment.imported) continue;
    if (moment.head == parent) break;
    if (moment.turn_end && moment.whole && !moment.tree.empty()) left = moment.tree;
  }
  return left;
}

// The tree that was there when a prompt was sent, after `since` and before `until`; null: not known.
const WorkMoment* before_prompt(const Moments& moments, const std::string& session, base::Instant since,
                                base::Instant until, base::Instant prompt) {
  const WorkMoment* own = nullptr;
  const WorkMoment* newest = nullptr;
  for (const WorkMoment* moment : moments) {
    if (moment->session == session && moment->before_prompt && moment->time >= since && moment->time < until)
      own = moment;
    if (moment->time <= prompt) newest = moment;
  }
  // The snapshot of the prompt itself may be later than the prompt, by a little.
  return own != nullptr && (newest == nullptr || newest->time < own->time) ? own : newest;
}

// Those of the session that show what its turns left. What was kept between two turns (when the client was
// closed, or by hand) shows what a person made of that.
Moments left_by_turns(const Moments& moments, const std::string& session, const SessionPart& part) {
  Moments chosen;
  base::Instant ended{};  // the last turn
  const auto is_within_turn = [&](base::Instant time) {
    const auto falls = [&](base::Instant one) { return one > ended && one <= time; };
    return std::any_of(part.writes.begin(), part.writes.end(), falls) ||
           std::any_of(part.prompt_times.begin(), part.prompt_times.end(),
                       [&](const auto& prompt) { return prompt && falls(*prompt); });
  };
  for (const WorkMoment* moment : moments) {
    if (moment->session != session || moment->before_prompt) continue;
    if (moment->turn_end || is_within_turn(moment->time)) chosen.push_back(moment);
    if (moment->turn_end) ended = moment->time;
  }
  return chosen;
}

}  // namespace

AttributionChoice choose_trees(const std::vector<WorkMoment>& moments, const std::string& session,
                               const SessionPart& part, const std::string& parent, base::Instant commit) {
  if (parent.empty()) return none("the commit has no parent to compare with");
  if (part.files.empty()) return none("no file was written");
  if (!part.writes_are_timed || !part.last_write) return none("it is not known when files were written");
  const Moments usable = on_parent(moments, parent, commit);
  const Moments turns = left_by_turns(usable, session, part);
  if (turns.empty()) return none("no snapshot of the session was taken on the commit's parent");
  if (turns.back()->time < *part.last_write) return none("files were written after the last snapshot");
  if (std::find(part.prompt_times.begin(), part.prompt_times.end(), std::nullopt) != part.prompt_times.end())
    return none("it is not known when prompts were sent");

  AttributionTrees trees;
  trees.base = parent;
  trees.snapshot = turns.back()->tree;
  trees.whole = turns.back()->whole;
  std::string left = parent;  // what the turn before left
  base::Instant since{};
  for (std::size_t turn = 0; turn < turns.size(); ++turn) {
    const WorkMoment& end = *turns[turn];
    std::optional<base::Instant> prompt;
    for (const auto& time : part.prompt_times)
      if (time >= since && time <= end.time && (!prompt || time < prompt)) prompt = time;
    if (prompt) {
      const WorkMoment* before = before_prompt(usable, session, since, end.time, *prompt);
      if (before == nullptr) return none("it is not known what was there before a prompt");
      const bool saw_writes = std::any_of(part.writes.begin(), part.writes.end(), [&](base::Instant write) {
        return write >= *prompt && write <= before->time;
      });
      if (saw_writes || before->late)
        return none("what was there before a prompt was looked at after the first write");
      if (before->tree != left) {
        const bool others_worked = std::any_of(usable.begin(), usable.end(), [&](const WorkMoment* moment) {
          return moment->session != session && moment->session != kOutsideSessions &&
                 !moment->before_prompt && moment->time > since && moment->time <= before->time;
        });
        if (others_worked) return none("another session worked between two turns");
        trees.edits.push_back({static_cast<std::int64_t>(turn) + 1, left, before->tree,
                               turn == 0 ? left_before(moments, parent) : std::string()});
      }
    }
    left = end.tree;
    since = end.time;
  }
  return {std::move(trees), {}};
}

}  // namespace plankeep::core
