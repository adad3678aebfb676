#include "markdown/edits/item_place.hpp"

#include <algorithm>
#include <iterator>
#include <set>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "markdown/generated_ids.hpp"
#include "markdown/item_lines.hpp"
#include "model/find_task.hpp"
#include "model/progress.hpp"

namespace plankeep::markdown {
namespace {

using base::ErrorKind;
using base::Result;

// "  > - [ ] text": what stands before the box.
struct Bullet {
  std::string container;  // quotes and indentation
  std::string bullet;     // "-", "12."
  std::string gap;
  bool known = false;

  std::string before_box() const { return container + bullet + gap; }
};

Bullet bullet_of(std::string_view line) {
  Bullet found;
  std::size_t at = std::min(line.find_first_not_of(" \t>"), line.size());
  found.container = line.substr(0, at);
  const std::size_t begin = at;
  while (at < line.size() && line[at] >= '0' && line[at] <= '9') ++at;
  if (at == line.size()) return found;
  const bool ordered = at > begin && (line[at] == '.' || line[at] == ')');
  const bool plain = at == begin && (line[at] == '-' || line[at] == '*' || line[at] == '+');
  if (!ordered && !plain) return found;
  found.bullet = line.substr(begin, ++at - begin);
  const std::size_t box = line.find_first_not_of(" \t", at);
  if (box == std::string_view::npos || box == at || line[box] != '[') return found;
  found.gap = line.substr(at, box - at);
  found.known = true;
  return found;
}

bool is_ordered(const Bullet& bullet) {
  return bullet.bullet.size() > 1;
}

std::string next_number(const std::string& bullet) {
  // CommonMark allows nine digits.
  const long number = std::stol(bullet.substr(0, std::min<std::size_t>(bullet.size() - 1, 9)));
  return std::to_string(number < 999'999'999 ? number + 1 : number) + bullet.back();
}

// The last line where a paragraph goes on behind `last` in lines that are not indented.
std::int64_t behind_lazy_lines(const SourceText& source, std::int64_t last) {
  while (last < source.line_count()) {
    const std::string_view text = source.shown_line(last + 1);
    const std::size_t at = indent_of(text);
    if (at == text.size() || std::string_view("-*+#`~|<0123456789").find(text[at]) != std::string_view::npos)
      break;
    ++last;
  }
  return last;
}

// nullopt: the title does not begin with an id.
std::optional<TextNumber> text_number_of(std::string_view title) {
  constexpr std::size_t kMostDigits = 9;
  const std::string id = leading_id(title);
  if (id.empty()) return std::nullopt;
  const std::size_t digits = id.find_last_not_of("0123456789") + 1;  // npos + 1 is 0
  if (id.size() - digits > kMostDigits) return std::nullopt;
  const std::size_t rest = std::min(title.find_first_not_of(".:) ", id.size()), title.size());
  return TextNumber{id.substr(0, digits), id.size() - digits, std::stol(id.substr(digits)),
                    std::string(title.substr(id.size(), rest - id.size()))};
}

class Placer {
 public:
  Placer(const SourceText& source, const core::Plan& plan, const NewItem& item, const Places& places)
      : source_(source), plan_(plan), item_(item), places_(places) {
    for (const BoxPlace& box : places.boxes) {
      const std::int64_t line = source_.position(box.offset).line;
      const std::size_t end = std::max(box.text_end, box.offset + 1);
      text_end_.emplace(line, source_.position(end - 1).line);
      if (box.in_footnote) in_footnote_.insert(line);
    }
  }

  Result<NewPlace> place() {
    const auto phase = phase_index();
    if (!item_.parent.empty() && !(phase && find_parent(*phase)))
      return base::fail(ErrorKind::not_found, "no task " + item_.parent.text + " to add a step to");
    if (item_.heading) return below_heading(places_.headings[*item_.heading].last_line);
    if (!phase) return at_end();
    const std::vector<std::int64_t> lines = siblings(*phase);
    if (!lines.empty()) return beside(*phase, lines);
    if (const core::Task* parent = find_parent(*phase)) return below(*parent);
    return below_heading(plan_.phases[*phase].line);
  }

 private:
  std::optional<std::size_t> phase_index() const {
    if (item_.phase) return item_.phase;
    for (std::size_t p = 0; !item_.parent.empty() && p < plan_.phases.size(); ++p) {
      if (find_parent(p) != nullptr) return p;
    }
    if (plan_.phases.empty()) return std::nullopt;
    return core::current_of(plan_).phase.value_or(plan_.phases.size() - 1);
  }

  const core::Task* find_parent(std::size_t phase) const {
    return item_.parent.empty() ? nullptr : core::find_task_in(plan_.phases[phase], item_.parent);
  }

  template <class Items>
  std::vector<std::int64_t> lines_of(const Items& items) const {
    std::vector<std::int64_t> lines;
    for (const auto& item : items) {
      if (item.parent == item_.parent && !item.boxes.empty())
        lines.push_back(source_.position(item.boxes.front().offset).line);
    }
    return lines;
  }

  // Of its kind; where there is none, of the other.
  std::vector<std::int64_t> siblings(std::size_t phase) const {
    std::vector<std::int64_t> tasks = lines_of(plan_.phases[phase].tasks);
    std::vector<std::int64_t> criteria = lines_of(plan_.phases[phase].acceptance);
    std::vector<std::int64_t>& own = item_.criterion ? criteria : tasks;
    std::vector<std::int64_t>& other = item_.criterion ? tasks : criteria;
    std::vector<std::int64_t>& all = own.empty() ? other : own;
    // What stands in a footnote is beside the plan; nothing new goes there unless all of it does.
    std::vector<std::int64_t> outside;
    std::copy_if(all.begin(), all.end(), std::back_inserter(outside),
                 [this](std::int64_t line) { return !in_footnote_.contains(line); });
    return outside.empty() ? std::move(all) : outside;
  }

  // The last line of the item on `first` with all that is nested in it; paragraphs of boxes may go on in
  // lines that are not indented.
  std::int64_t last_line_of(std::int64_t first) const {
    const std::size_t indent = indent_of(source_.shown_line(first));
    std::int64_t last = first;
    for (std::int64_t line = first; line <= source_.line_count(); ++line) {
      const std::string_view text = source_.shown_line(line);
      if (has_no_text(text)) continue;
      if (line > first && indent_of(text) <= indent) break;
      if (const auto box = text_end_.find(line); box != text_end_.end()) line = std::max(line, box->second);
      last = line;
    }
    return last;
  }

  // What stands between the item on one line and the box on another.
  enum class Between { nothing, text, other };  // text: of the first one; other: a heading, HTML
  Between between(std::int64_t first, std::int64_t next) const {
    Between found = Between::nothing;
    for (std::int64_t line = last_line_of(first) + 1; line < next; ++line) {
      const std::string_view text = source_.shown_line(line);
      if (has_no_text(text)) continue;
      if (text.starts_with("<") || is_heading(line)) return Between::other;
      found = Between::text;
    }
    return found;
  }

  bool is_heading(std::int64_t line) const {
    const auto at =
        std::lower_bound(places_.headings.begin(), places_.headings.end(), line,
                         [](const HeadingPlace& one, std::int64_t wanted) { return one.line < wanted; });
    return at != places_.headings.end() && at->line == line;
  }

  // Behind the text that follows the last box `like`, if boxes before it have such text of their own: up to
  // the next heading, phase or box, without the rule or comment that leads up to it.
  std::int64_t behind_own_text(const std::vector<std::int64_t>& lines, std::int64_t last) const {
    const std::string_view like = source_.shown_line(lines.back());
    const std::size_t indent = indent_of(like);
    bool own_text = false;
    if (!item_.parent.empty() || like.substr(0, indent).find('>') != std::string_view::npos) return last;
    for (std::size_t i = 1; i < lines.size() && !own_text; ++i)
      own_text = between(lines[i - 1], lines[i]) == Between::text;
    if (!own_text) return last;
    std::int64_t end = last + 1;
    const auto opens_phase = [&](std::int64_t line) {
      return std::any_of(plan_.phases.begin(), plan_.phases.end(),
                         [line](const core::Phase& phase) { return phase.line == line; });
    };
    const auto goes_on = [&](std::int64_t line) {
      const std::string_view text = source_.shown_line(line);
      return !is_heading(line) && !text_end_.contains(line) &&
             (has_no_text(text) || indent_of(text) >= indent);
    };
    while (end <= source_.line_count() && goes_on(end)) ++end;
    while (--end > last) {
      const std::string_view text = source_.shown_line(end);
      const bool rule = text.size() >= 3 && text.find_first_not_of("-*_ ") == std::string_view::npos;
      if (!has_no_text(text) && !rule && !text.starts_with("<") && !opens_phase(end)) return end;
    }
    return last;
  }

  bool is_marked(std::size_t phase, std::int64_t line) const {
    for (const core::Task& task : plan_.phases[phase].tasks) {
      if (task.marked && task.line == line) return true;
    }
    return false;
  }

  NewPlace beside(std::size_t phase, const std::vector<std::int64_t>& lines) const {
    const std::int64_t like = item_.first ? lines.front() : lines.back();
    NewPlace place;
    Bullet bullet = bullet_of(source_.shown_line(like));
    if (!bullet.known) bullet.gap = " ", bullet.bullet = "-";
    const std::int64_t before = lines.size() > 1 ? lines[lines.size() - 2] : 0;
    if (is_ordered(bullet) && !item_.first) {
      const bool counts = before == 0 || bullet_of(source_.shown_line(before)).bullet != bullet.bullet;
      if (counts) bullet.bullet = next_number(bullet.bullet);
    }
    place.before_box = bullet.before_box();
    place.marked = is_marked(phase, like);
    const std::string_view line = source_.shown_line(like);
    const std::size_t box = line.find(']');
    place.marker_first = place.marked && box != std::string_view::npos &&
                         line.substr(std::min(box + 1, line.size())).find("<!--") <= 1;
    if (item_.first) {
      place.insertion = {like - 1, {""}, 0};
      return place;
    }
    const std::int64_t last = last_line_of(like);
    const std::int64_t behind = behind_own_text(lines, last);
    place.insertion = {behind, {""}, 0};
    // A list with blank lines between its items goes on so.
    const bool loose =
        before > 0 && source_.shown_line(like - 1).empty() && between(before, like) != Between::other;
    if (loose || behind > last) place.insertion = {behind, {"", ""}, 1};
    const std::int64_t lazy = behind_lazy_lines(source_, last);
    if (lazy != last && behind == last) place.lazy_line = lazy;
    place.number = next_in_text(plan_.phases[phase]);
    return place;
  }

  // The number of the new item, if every sibling begins with one and its own title does not. Numbers such as
  // "2.4" continue their list, ids such as "T042" continue the whole plan.
  std::optional<TextNumber> next_in_text(const core::Phase& phase) const {
    if (item_.criterion || !item_.id.empty() || text_number_of(item_.title)) return std::nullopt;
    std::optional<TextNumber> next;
    for (const core::Task& task : phase.tasks) {
      if (task.parent != item_.parent) continue;
      next = text_number_of(task.title);
      if (!next) return std::nullopt;
    }
    if (!next) return std::nullopt;
    std::set<std::string> taken;
    for (const core::Phase& other : plan_.phases) {
      for (const core::Task& task : other.tasks) {
        const auto known = text_number_of(task.title);
        if (!known) continue;
        taken.insert(known->id());
        if (!next->counts_per_list() && known->stem == next->stem)
          next->value = std::max(next->value, known->value);
      }
    }
    do {
      ++next->value;
    } while (taken.contains(next->id()));
    return next;
  }

  NewPlace below(const core::Task& parent) const {
    const std::int64_t line = source_.position(parent.boxes.front().offset).line;
    Bullet bullet = bullet_of(source_.shown_line(line));
    NewPlace place;
    // Behind "-<TAB>" the content stands at the next tab stop, and its steps there, too.
    const bool tab = bullet.gap.find('\t') != std::string::npos;
    const std::string indent = tab ? "\t" : std::string(bullet.bullet.size() + bullet.gap.size(), ' ');
    place.before_box = bullet.container + indent +
                       (is_ordered(bullet) || bullet.bullet.empty() ? "-" : bullet.bullet) +
                       (tab ? bullet.gap : " ");
    place.marked = parent.marked;
    place.insertion = {last_line_of(line), {""}, 0};
    return place;
  }

  // Below its heading and the comments that stand there.
  NewPlace below_heading(std::int64_t line) const {
    while (line < source_.line_count() && source_.shown_line(line + 1).starts_with("<!--")) ++line;
    NewPlace place;
    place.before_box = "- ";
    place.insertion = {line, {"", ""}, 1};
    const bool text_follows = line < source_.line_count() && !has_no_text(source_.shown_line(line + 1));
    if (text_follows) place.insertion.lines.emplace_back();
    return place;
  }

  NewPlace at_end() const {
    const bool open_end = source_.line_start(source_.line_count()) != source_.bytes().size();
    const std::int64_t last = open_end ? source_.line_count() : source_.line_count() - 1;
    NewPlace place;
    place.before_box = "- ";
    place.insertion = {last, {""}, 0};
    if (last > 0 && !source_.shown_line(last).empty()) place.insertion = {last, {"", ""}, 1};
    return place;
  }

  const SourceText& source_;
  const core::Plan& plan_;
  const NewItem& item_;
  const Places& places_;
  std::unordered_map<std::int64_t, std::int64_t> text_end_;  // of the paragraph of the box on a line
  std::unordered_set<std::int64_t> in_footnote_;             // lines of boxes
};

}  // namespace

Result<NewPlace> place_of_item(const SourceText& source, const core::Plan& plan, const NewItem& item,
                               const Places& places) {
  return Placer(source, plan, item, places).place();
}

}  // namespace plankeep::markdown
