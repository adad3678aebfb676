#include "merge/plan_lines.hpp"

#include <algorithm>
#include <string>
#include <unordered_map>

#include "base/text.hpp"
#include "merge/line_merge.hpp"
#include "model/parents.hpp"

namespace plankeep::markdown {
namespace {

using core::LineSymbol;
using Pairs = std::vector<std::pair<std::size_t, std::size_t>>;

// "- [x] Text" and "- [ ] Text" are the same line.
std::string without_tick(std::string_view line) {
  std::string text(line);
  const std::size_t bracket = text.find_first_not_of(" \t>-*+0123456789.)");
  if (bracket != std::string::npos && text[bracket] == '[' && text.find(']', bracket) == bracket + 2)
    text[bracket + 1] = ' ';
  return text;
}

// Pairs what has the same key, if the key stands once among those of either side that have no partner yet.
template <class KeyOfEarlier, class KeyOfNow>
void pair_up(std::vector<std::size_t>& partner, std::vector<std::size_t>& taken, KeyOfEarlier earlier_key,
             KeyOfNow now_key) {
  struct Seen {
    std::size_t index = kNowhere;
    std::size_t count = 0;
  };
  std::unordered_map<std::string, std::pair<Seen, Seen>> known;
  const auto note = [&known](bool now, std::size_t index, std::string key) {
    if (key.empty()) return;
    auto& pair = known[std::move(key)];
    Seen& seen = now ? pair.second : pair.first;
    seen.index = index;
    ++seen.count;
  };
  for (std::size_t i = 0; i < partner.size(); ++i) {
    if (partner[i] == kNowhere) note(false, i, earlier_key(i));
  }
  for (std::size_t i = 0; i < taken.size(); ++i) {
    if (taken[i] == kNowhere) note(true, i, now_key(i));
  }
  for (const auto& [key, pair] : known) {
    if (pair.first.count != 1 || pair.second.count != 1) continue;
    partner[pair.first.index] = pair.second.index;
    taken[pair.second.index] = pair.first.index;
  }
}

std::string id_of(const LineItem& item) {
  return item.task != nullptr ? "t\n" + item.task->id.text : "c\n" + item.criterion->id.text;
}

std::string title_of(const LineItem& item) {
  const std::string& title = item.task != nullptr ? item.task->title : item.criterion->title;
  return title.empty() ? title : (item.task != nullptr ? "t\n" : "c\n") + title;
}

std::vector<std::size_t> matched_items(const PlanLines& earlier, const PlanLines& now,
                                       const std::vector<bool>& lost) {
  std::vector<std::size_t> partner(earlier.items().size(), kNowhere);
  std::vector<std::size_t> taken(now.items().size(), kNowhere);
  const auto placed = [](const PlanLines& lines, std::size_t i) {
    const LineItem& item = lines.items()[i];
    return lines.plan().phases[item.phase].id.text + "\n" + id_of(item);
  };
  pair_up(
      partner, taken, [&](std::size_t i) { return lost[i] ? std::string() : placed(earlier, i); },
      [&](std::size_t i) { return placed(now, i); });
  // An id or a title that several boxes had says nothing by itself.
  std::unordered_map<std::string, std::size_t> ids;
  std::unordered_map<std::string, std::size_t> titles;
  for (const LineItem& item : earlier.items()) {
    ++ids[id_of(item)];
    ++titles[title_of(item)];
  }
  const auto once = [](const auto& counts, const std::string& key) {
    const auto found = counts.find(key);
    return found == counts.end() || found->second <= 1 ? key : std::string();
  };
  const auto by = [&](const auto& counts, auto key_of) {
    pair_up(
        partner, taken,
        [&](std::size_t i) { return lost[i] ? std::string() : once(counts, key_of(earlier.items()[i])); },
        [&](std::size_t i) { return once(counts, key_of(now.items()[i])); });
  };
  by(ids, id_of);
  by(titles, title_of);
  return partner;
}

class Matcher {
 public:
  Matcher(const PlanLines& earlier, const PlanLines& now)
      : earlier_(earlier), now_(now), partner_(earlier.size(), kNowhere), taken_(now.size(), kNowhere) {}

  LineMatches match(const std::vector<bool>& lost) {
    LineMatches found;
    found.item_partner = matched_items(earlier_, now_, lost);
    for (std::size_t i = 0; i < found.item_partner.size(); ++i) {
      if (found.item_partner[i] != kNowhere)
        anchor(earlier_.items()[i].line, now_.items()[found.item_partner[i]].line);
    }
    match_phases();
    match_headings();
    match_rest();
    found.partner = std::move(partner_);
    return found;
  }

 private:
  void anchor(std::size_t earlier, std::size_t now) {
    if (partner_[earlier] != kNowhere || taken_[now] != kNowhere) return;
    partner_[earlier] = now;
    taken_[now] = earlier;
  }

  void match_phases() {
    std::unordered_map<std::string_view, std::size_t> known;
    for (std::size_t p = 0; p < now_.plan().phases.size(); ++p)
      known.emplace(now_.plan().phases[p].id.text, p);
    for (std::size_t p = 0; p < earlier_.plan().phases.size(); ++p) {
      const auto there = known.find(earlier_.plan().phases[p].id.text);
      if (there == known.end()) continue;
      const std::size_t line = earlier_.phase_line(p);
      const std::size_t now = now_.phase_line(there->second);
      if (line != kNowhere && now != kNowhere) anchor(line, now);
    }
  }

  void match_headings() {
    const auto key = [](const PlanLines& lines, const std::vector<std::size_t>& taken, std::size_t i) {
      const OutlineHeading& heading = lines.headings()[i];
      const bool free = taken[static_cast<std::size_t>(heading.line) - 1] == kNowhere;
      return free ? std::to_string(heading.level) + heading.title : std::string();
    };
    std::vector<std::size_t> partner(earlier_.headings().size(), kNowhere);
    std::vector<std::size_t> taken(now_.headings().size(), kNowhere);
    pair_up(
        partner, taken, [&](std::size_t i) { return key(earlier_, partner_, i); },
        [&](std::size_t i) { return key(now_, taken_, i); });
    for (std::size_t i = 0; i < partner.size(); ++i) {
      if (partner[i] != kNowhere)
        anchor(static_cast<std::size_t>(earlier_.headings()[i].line) - 1,
               static_cast<std::size_t>(now_.headings()[partner[i]].line) - 1);
    }
  }

  LineSymbol symbol(const PlanLines& lines, std::size_t line, bool now) {
    // What is a box or heading now stands for itself, and is no line of the same words that was lost.
    const bool own_box = now && lines.item_on(line) != kNowhere;
    const std::string_view kind = own_box ? "n" : lines.heading_on(line) != kNowhere ? "h" : "t";
    const auto next = static_cast<LineSymbol>(symbols_.size());
    return symbols_.try_emplace(std::string(kind) + without_tick(lines.line(line)), next).first->second;
  }

  std::vector<LineSymbol> symbols(const PlanLines& lines, std::size_t begin, std::size_t end, bool now) {
    std::vector<LineSymbol> all;
    all.reserve(end - begin);
    for (std::size_t line = begin; line < end; ++line) all.push_back(symbol(lines, line, now));
    return all;
  }

  // The lines between two that are matched. Where those around them changed their order, only what goes on
  // behind the one and leads up to the other.
  void match_between(std::size_t begin, std::size_t end, std::size_t now_begin, std::size_t now_end) {
    std::size_t behind = now_begin;
    while (behind < now_.size() && taken_[behind] == kNowhere) ++behind;
    const std::vector<LineSymbol> a = symbols(earlier_, begin, end, false);
    if (behind == now_end) {
      const auto found = core::match_lines(a, symbols(now_, now_begin, now_end, true));
      for (std::size_t i = 0; i < found.size(); ++i) {
        if (found[i] != core::kNoLine) anchor(begin + i, now_begin + found[i]);
      }
      return;
    }
    const auto matches = [&](std::size_t line, std::size_t other) {
      return partner_[line] == kNowhere && taken_[other] == kNowhere &&
             a[line - begin] == symbol(now_, other, true);
    };
    for (std::size_t i = begin, j = now_begin; i < end && j < behind && matches(i, j); ++i, ++j) anchor(i, j);
    for (std::size_t i = end, j = now_end; i > begin && j > 0 && matches(i - 1, j - 1); --i, --j)
      anchor(i - 1, j - 1);
  }

  void match_rest() {
    std::size_t begin = 0;
    std::size_t now_begin = 0;
    Pairs anchors;
    for (std::size_t i = 0; i < partner_.size(); ++i) {
      if (partner_[i] != kNowhere) anchors.emplace_back(i, partner_[i]);
    }
    anchors.emplace_back(earlier_.size(), now_.size());
    for (const auto& [line, now] : anchors) {
      match_between(begin, line, now_begin, now);
      begin = line + 1;
      now_begin = now + 1;
    }
  }

  const PlanLines& earlier_;
  const PlanLines& now_;
  std::vector<std::size_t> partner_;
  std::vector<std::size_t> taken_;
  std::unordered_map<std::string, LineSymbol> symbols_;
};

}  // namespace

base::Result<PlanLines> PlanLines::read(std::string_view bytes, const core::Plan& plan) {
  PlanLines lines(bytes, plan);
  const SourceText& source = lines.source_;
  const std::int64_t last = source.line_count();
  lines.size_ = static_cast<std::size_t>(last) - (source.line_start(last) == bytes.size() ? 1U : 0U);
  // A box may stand behind the last line end only in a text without one.
  lines.item_on_.assign(static_cast<std::size_t>(last), kNowhere);
  lines.heading_on_.assign(static_cast<std::size_t>(last), kNowhere);
  for (std::size_t p = 0; p < plan.phases.size(); ++p) {
    const core::Phase& phase = plan.phases[p];
    const auto line_of = [](const auto& item) { return static_cast<std::size_t>(item.line) - 1; };
    const auto parent_line = [&](std::size_t parent) {
      return parent == core::kNoParent ? kNowhere : line_of(phase.tasks[parent]);
    };
    const std::vector<std::size_t> parents = core::parents_of(phase);
    for (std::size_t t = 0; t < phase.tasks.size(); ++t)
      lines.items_.push_back({line_of(phase.tasks[t]), p, &phase.tasks[t], nullptr, parent_line(parents[t])});
    const std::vector<std::size_t> around = core::criterion_parents_of(phase);
    for (std::size_t c = 0; c < phase.acceptance.size(); ++c) {
      const core::Criterion& criterion = phase.acceptance[c];
      lines.items_.push_back({line_of(criterion), p, nullptr, &criterion, parent_line(around[c])});
    }
  }
  std::stable_sort(lines.items_.begin(), lines.items_.end(),
                   [](const LineItem& a, const LineItem& b) { return a.line < b.line; });
  for (std::size_t i = 0; i < lines.items_.size(); ++i) lines.item_on_[lines.items_[i].line] = i;
  TRY_ASSIGN(Outline outline, read_outline(source));
  for (OutlineHeading& heading : outline.headings) {
    if (heading.in_container()) continue;
    lines.heading_on_[static_cast<std::size_t>(heading.line) - 1] = lines.headings_.size();
    lines.headings_.push_back(std::move(heading));
  }
  return lines;
}

std::string_view PlanLines::line(std::size_t line) const {
  std::string_view text = source_.line(static_cast<std::int64_t>(line) + 1);
  if (line == 0 && text.starts_with(base::kByteOrderMark)) text.remove_prefix(base::kByteOrderMark.size());
  return text;
}

std::size_t PlanLines::phase_line(std::size_t phase) const {
  const core::Phase& one = plan_->phases[phase];
  const auto line = static_cast<std::size_t>(one.line) - 1;
  return item_on_[line] == kNowhere ? line : kNowhere;
}

LineMatches match_plan_lines(const PlanLines& earlier, const PlanLines& now, const std::vector<bool>& lost) {
  return Matcher(earlier, now).match(lost);
}

}  // namespace plankeep::markdown
