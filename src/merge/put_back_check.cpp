#include "merge/put_back_check.hpp"

#include <algorithm>
#include <unordered_map>

#include "base/unicode/composed.hpp"
#include "model/find_task.hpp"

namespace plankeep::markdown {
namespace {

// What a box is, with places as lines of the result.
struct Reading {
  const LineItem* item = nullptr;
  std::size_t parent = kNowhere;
  std::size_t phase = kNowhere;
  const core::Phase* in = nullptr;
};

const std::string& words_of(const LineItem& item) {
  return item.task != nullptr ? item.task->title : item.criterion->title;
}

std::string quoted(const LineItem& item) {
  const std::string& title = words_of(item);
  return "\"" +
         (title.empty() ? (item.task != nullptr ? item.task->id.text : item.criterion->id.text) : title) +
         "\"";
}

bool same_state(const LineItem& a, const LineItem& b) {
  if (a.task != nullptr) return a.task->state == b.task->state;
  return a.criterion->met == b.criterion->met && a.criterion->active == b.criterion->active;
}

// An accent may be a character of its own in one text and not in the other.
bool same_written_id(const core::TaskId& a, const core::TaskId& b) {
  return a == b || base::composed(a.text) == base::composed(b.text);
}

bool same_nature(const LineItem& a, const LineItem& b) {
  if (a.task != nullptr)
    return a.task->marked == b.task->marked && a.task->optional == b.task->optional &&
           std::equal(a.task->after.begin(), a.task->after.end(), b.task->after.begin(), b.task->after.end(),
                      same_written_id) &&
           a.task->section == b.task->section && (!a.task->marked || same_written_id(a.task->id, b.task->id));
  return a.criterion->verify == b.criterion->verify && a.criterion->optional == b.criterion->optional &&
         a.criterion->section == b.criterion->section;
}

class Check {
 public:
  Check(const PlanLines& earlier, const PlanLines& now, const LineMatches& matches,
        const std::vector<bool>& lost, const PutBackLines& lines, const PlanLines& result)
      : earlier_(earlier), now_(now), matches_(matches), lost_(lost), lines_(lines), result_(result) {
    for (const LineItem& item : result.items()) items_.emplace(key(item), &item);
  }

  std::string wrong() const {
    std::vector<std::size_t> then(now_.items().size(), kNowhere);
    for (std::size_t i = 0; i < matches_.item_partner.size(); ++i) {
      if (matches_.item_partner[i] != kNowhere) then[matches_.item_partner[i]] = i;
    }
    std::size_t expected = 0;
    for (std::size_t i = 0; i < now_.items().size(); ++i) {
      const LineItem& item = now_.items()[i];
      std::vector<Reading> allowed{present(item)};
      if (then[i] != kNowhere) allowed.push_back(past(earlier_.items()[then[i]]));
      if (std::string text = compare(item, lines_.of_now[item.line], allowed, &item); !text.empty())
        return text;
      ++expected;
    }
    for (std::size_t i = 0; i < earlier_.items().size(); ++i) {
      const LineItem& item = earlier_.items()[i];
      if (matches_.item_partner[i] != kNowhere) continue;
      const std::size_t line = result_of(item.line);
      const bool came_back = lines_.of_earlier[item.line] != kNowhere;
      if (!lost_[i] && !came_back) continue;
      if (line == kNowhere) return quoted(item) + " cannot be put back";
      if (std::string text = compare(item, line, {past(item)}, came_back ? &item : nullptr); !text.empty())
        return text;
      ++expected;
    }
    if (expected != result_.items().size()) return "there would be other boxes as well";
    const std::string& title = result_.plan().title;
    if (title != now_.plan().title && title != earlier_.plan().title)
      return "the plan would get another title";
    if (!same_words()) return "decisions or blockers would change";
    return {};
  }

 private:
  static std::size_t key_of(std::size_t line, bool task) { return line * 2 + (task ? 1 : 0); }
  static std::size_t key(const LineItem& item) { return key_of(item.line, item.task != nullptr); }

  std::size_t result_of(std::size_t earlier_line) const {
    if (lines_.of_earlier[earlier_line] != kNowhere) return lines_.of_earlier[earlier_line];
    const std::size_t partner = matches_.partner[earlier_line];
    return partner == kNowhere ? kNowhere : lines_.of_now[partner];
  }

  Reading present(const LineItem& item) const {
    const std::size_t phase = now_.phase_line(item.phase);
    return {&item, item.parent_line == kNowhere ? kNowhere : lines_.of_now[item.parent_line],
            phase == kNowhere ? kNowhere : lines_.of_now[phase], &now_.plan().phases[item.phase]};
  }
  Reading past(const LineItem& item) const {
    const std::size_t phase = earlier_.phase_line(item.phase);
    return {&item, item.parent_line == kNowhere ? kNowhere : result_of(item.parent_line),
            phase == kNowhere ? kNowhere : result_of(phase), &earlier_.plan().phases[item.phase]};
  }

  // `state`: whose state it must have; nullptr: any.
  std::string compare(const LineItem& wanted, std::size_t line, const std::vector<Reading>& allowed,
                      const LineItem* state) const {
    const auto found = items_.find(key_of(line, wanted.task != nullptr));
    if (found == items_.end()) return quoted(wanted) + " would be no checkbox";
    const LineItem& there = *found->second;
    const auto any = [&allowed](const auto& fits) {
      return std::any_of(allowed.begin(), allowed.end(), fits);
    };
    if (!any([&](const Reading& one) { return words_of(*one.item) == words_of(there); }))
      return quoted(wanted) + " would become " + quoted(there);
    const bool same = (state == nullptr || same_state(*state, there)) &&
                      any([&](const Reading& one) { return same_nature(*one.item, there); });
    if (!same) return quoted(wanted) + " would not be what it is";
    if (!any([&](const Reading& one) { return one.parent == there.parent_line; })) {
      const auto parent = items_.find(key_of(there.parent_line, true));
      return there.parent_line == kNowhere || parent == items_.end()
                 ? quoted(wanted) + " would no longer be a step"
                 : quoted(wanted) + " would become a step of " + quoted(*parent->second);
    }
    const core::Phase& phase = result_.plan().phases[there.phase];
    const std::size_t opening = result_.phase_line(there.phase);
    if (!any([&](const Reading& one) { return one.phase == opening && one.in->title == phase.title; }))
      return quoted(wanted) + " would stand in phase \"" + core::title_or_id(phase) + "\"";
    return {};
  }

  // Decisions and blockers of now, and those on lines that came back.
  bool same_words() const {
    using Words = std::vector<std::pair<std::size_t, std::string>>;
    Words wanted;
    Words there;
    const auto collect = [](const core::Plan& plan, Words& words, const auto& place) {
      const auto add = [&](std::int64_t line, const std::string& text) {
        const std::size_t at = place(static_cast<std::size_t>(line) - 1);
        if (at != kNowhere) words.emplace_back(at, text);
      };
      for (const core::Decision& one : plan.decisions) add(one.line, "d" + one.text + "\n" + one.reason);
      for (const core::Blocker& one : plan.blockers) add(one.line, "b" + one.text);
    };
    collect(now_.plan(), wanted, [&](std::size_t line) { return lines_.of_now[line]; });
    collect(earlier_.plan(), wanted, [&](std::size_t line) { return lines_.of_earlier[line]; });
    collect(result_.plan(), there, [](std::size_t line) { return line; });
    std::sort(wanted.begin(), wanted.end());
    std::sort(there.begin(), there.end());
    return wanted == there;
  }

  const PlanLines& earlier_;
  const PlanLines& now_;
  const LineMatches& matches_;
  const std::vector<bool>& lost_;
  const PutBackLines& lines_;
  const PlanLines& result_;
  std::unordered_map<std::size_t, const LineItem*> items_;
};

}  // namespace

std::string wrong_after_put_back(const PlanLines& earlier, const PlanLines& now, const LineMatches& matches,
                                 const std::vector<bool>& lost, const PutBackLines& lines,
                                 const PlanLines& result) {
  return Check(earlier, now, matches, lost, lines, result).wrong();
}

}  // namespace plankeep::markdown
