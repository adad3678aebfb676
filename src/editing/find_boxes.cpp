#include "editing/find_boxes.hpp"

#include <algorithm>
#include <charconv>

#include "base/unicode/composed.hpp"
#include "base/utf8.hpp"
#include "model/item_key.hpp"
#include "model/progress.hpp"
#include "rules/listing/phase_name.hpp"
#include "rules/match.hpp"

namespace plankeep::app {
namespace {

using base::ErrorKind;
using base::Result;

struct Wanted {
  std::string_view phase;  // empty: any
  std::string_view id;
  bool tasks = true;
  bool criteria = true;
};

std::string_view without_kind(std::string_view text) {
  for (const std::string_view kind : {core::kTaskPrefix, core::kCriterionPrefix}) {
    if (text.starts_with(kind)) return text.substr(kind.size());
  }
  return text;
}

Wanted split(std::string_view text) {
  Wanted wanted;
  wanted.criteria = !text.starts_with(core::kTaskPrefix);
  wanted.tasks = !text.starts_with(core::kCriterionPrefix);
  text = without_kind(text);
  // No id holds a "/" (spec 7.1), so the first one divides.
  const std::size_t slash = text.find('/');
  if (slash == std::string_view::npos) {
    wanted.id = text;
  } else {
    wanted.phase = text.substr(0, slash);
    wanted.id = text.substr(slash + 1);
  }
  return wanted;
}

// Every task and criterion for which `fits` says so; asked with the item and whether it is a criterion.
template <class Fits>
std::vector<Found> matches(const core::Plan& plan, const Wanted& wanted, const Fits& fits) {
  std::vector<Found> found;
  for (std::size_t p = 0; p < plan.phases.size(); ++p) {
    const core::Phase& phase = plan.phases[p];
    if (!wanted.phase.empty() && wanted.phase != phase.id.text) continue;
    for (std::size_t i = 0; wanted.tasks && i < phase.tasks.size(); ++i) {
      const core::Task& task = phase.tasks[i];
      if (fits(task)) found.push_back({phase.id.text, task.id.text, false, p, i, task.boxes});
    }
    for (std::size_t i = 0; wanted.criteria && i < phase.acceptance.size(); ++i) {
      const core::Criterion& criterion = phase.acceptance[i];
      if (fits(criterion)) found.push_back({phase.id.text, criterion.id.text, true, p, i, criterion.boxes});
    }
  }
  return found;
}

std::vector<Found> by_id(const core::Plan& plan, const Wanted& wanted) {
  const std::string id = base::composed(wanted.id);
  return matches(plan, wanted, [&](const auto& item) {
    return item.id.text == wanted.id || base::composed(item.id.text) == id;
  });
}

// Tasks whose text begins with this id: they differ in their suffixes only.
std::vector<Found> by_leading_id(const core::Plan& plan, const Wanted& wanted) {
  Wanted tasks = wanted;
  tasks.criteria = false;
  if (!tasks.tasks) return {};
  return matches(plan, tasks, [&wanted](const auto& item) {
    if constexpr (requires { item.id_in_text; }) {
      return item.id_in_text &&
             (item.id.text == wanted.id || core::is_numbered_form(item.id.text, wanted.id));
    } else {
      return false;
    }
  });
}

void keep_current_phase(std::vector<Found>& found, const core::Plan& plan) {
  const auto current = core::current_of(plan).phase;
  const auto is_elsewhere = [&current](const Found& one) { return one.phase_index != *current; };
  if (!current || std::all_of(found.begin(), found.end(), is_elsewhere)) return;
  found.erase(std::remove_if(found.begin(), found.end(), is_elsewhere), found.end());
}

std::optional<std::int64_t> line_in(std::string_view text, std::string_view file) {
  const std::size_t colon = text.rfind(':');
  if (colon == std::string_view::npos || colon + 1 == text.size()) return std::nullopt;
  std::int64_t line = 0;
  const auto [end, error] = std::from_chars(text.data() + colon + 1, text.data() + text.size(), line);
  if (error != std::errc() || end != text.data() + text.size() || line < 1) return std::nullopt;
  std::string_view named = text.substr(0, colon);
  while (named.starts_with("./") || named.starts_with("../")) named.remove_prefix(named.find('/') + 1);
  const bool fits = named.empty() || file.empty() || named == file ||
                    (file.ends_with(named) && file[file.size() - named.size() - 1] == '/');
  return fits ? std::optional(line) : std::nullopt;
}

std::vector<Found> by_text(const core::Plan& plan, const Wanted& wanted, std::string_view text,
                           std::string_view file) {
  Wanted anywhere = wanted;
  anywhere.phase = {};
  if (const auto line = line_in(text, file)) {
    auto found = matches(plan, anywhere, [&line](const auto& item) { return item.line == *line; });
    if (!found.empty()) return found;
  }
  const std::string lower = base::search_text(wanted.id);
  if (lower.empty()) return {};
  // A title may hold a "/".
  const std::string title = base::search_text(wanted.phase.empty() ? wanted.id : text);
  auto found =
      matches(plan, anywhere, [&title](const auto& item) { return base::search_text(item.title) == title; });
  // As lists show it: "Create project" of "T001 Create project", also where the id is "T001-2" because
  // another box has that number too.
  const auto shown = [](const auto& item) {
    return base::search_text(core::written_number(item.title, item.id.text).words);
  };
  if (found.empty()) found = matches(plan, anywhere, [&](const auto& item) { return shown(item) == title; });
  if (found.empty())
    found = matches(plan, wanted, [&lower](const auto& item) {
      return base::search_text(item.id.text).starts_with(lower);
    });
  if (found.empty())
    found = matches(plan, Wanted{},
                    [&title](const auto& item) { return base::search_text(item.title).starts_with(title); });
  if (found.empty())
    found = matches(plan, Wanted{}, [&](const auto& item) { return shown(item).starts_with(title); });
  return found;
}

// A task and a criterion that are the same box (spec 7.3), the task first.
bool is_one_box(const core::Plan& plan, const std::vector<Found>& found) {
  if (found.size() != 2 || found[0].criterion || !found[1].criterion) return false;
  if (found[0].phase_index != found[1].phase_index) return false;
  const core::Phase& phase = plan.phases[found[0].phase_index];
  return phase.tasks[found[0].index].line == phase.acceptance[found[1].index].line;
}

std::string form_of(const Found& found, const std::vector<Found>& all) {
  const bool both = std::any_of(all.begin(), all.end(), [&found](const Found& other) {
    return other.phase == found.phase && other.criterion != found.criterion;
  });
  const std::string_view form = !both ? "" : found.criterion ? core::kCriterionPrefix : core::kTaskPrefix;
  return std::string(form) + found.phase + "/" + found.id;
}

Result<Found> search(const core::Plan& plan, const core::Plan& as_written, std::string_view text,
                     std::string_view file) {
  Wanted wanted = split(text);
  // The phase as everywhere; what names none may be a title that holds a "/".
  if (!wanted.phase.empty()) {
    const auto phase = core::find_phase(core::names_of_phases(plan.phases), std::string(wanted.phase));
    if (phase) wanted.phase = plan.phases[*phase].id.text;
  }
  std::vector<Found> found = by_id(plan, wanted);
  std::vector<Found> leading = by_leading_id(plan, wanted);
  // With its phase an id is meant as it stands there.
  const bool exact = !wanted.phase.empty() && !found.empty();
  if ((leading.size() > 1 && !exact) || found.empty()) {
    if (wanted.phase.empty()) keep_current_phase(leading, plan);
    if (!leading.empty()) found = std::move(leading);
  }
  if (found.empty()) {
    found = by_id(as_written, wanted);
    // The same box under the name it is recorded by: keeping ids changes names, never the order.
    for (Found& one : found) {
      const core::Phase& phase = plan.phases[one.phase_index];
      one.phase = phase.id.text;
      one.id = one.criterion ? phase.acceptance[one.index].id.text : phase.tasks[one.index].id.text;
    }
  }
  if (found.empty()) found = by_text(plan, wanted, without_kind(text), file);
  if (is_one_box(plan, found)) found.pop_back();
  if (found.size() == 1) return std::move(found.front());
  if (found.size() > 1) {
    std::string message = std::string(text) + " is ambiguous:";
    for (const Found& one : found) message += "\n" + form_of(one, found);
    return base::fail(ErrorKind::ambiguous, std::move(message), "give one of these");
  }

  std::string hint;
  for (const std::string& id : nearest_ids(plan, wanted.id))
    hint += (hint.empty() ? "did you mean " : ", ") + id;
  hint += hint.empty() ? "to list all ids: plankeep list" : "? to list all ids: plankeep list";
  return base::fail(ErrorKind::not_found, "no task or criterion " + std::string(text) + " in this plan",
                    std::move(hint));
}

}  // namespace

std::vector<std::string> nearest_ids(const core::Plan& plan, std::string_view wanted) {
  struct Candidate {
    double likeness;
    std::string id;
  };
  // Ids are short: below a third in common a suggestion would only confuse.
  constexpr double kLikeEnough = 0.34;
  const std::string lower = base::search_text(wanted);
  std::vector<Candidate> candidates;
  const auto likeness_of = [&lower](std::string_view name) {
    const std::string other = base::search_text(name);
    const double likeness = core::similarity(lower, other);
    const bool inside = !lower.empty() && other.find(lower) != std::string::npos;
    return inside ? std::max(likeness, 0.9) : likeness;
  };
  // Words, not an id: then they are rather those of a title.
  const bool words = lower.find(' ') != std::string::npos;
  const auto consider = [&](const auto& item) {
    double likeness = likeness_of(item.id.text);
    if (words) likeness = std::max(likeness, likeness_of(core::title_beside_id(item.title, item.id.text)));
    if (likeness >= kLikeEnough) candidates.push_back({likeness, item.id.text});
  };
  for (const core::Phase& phase : plan.phases) {
    for (const core::Task& task : phase.tasks) consider(task);
    for (const core::Criterion& criterion : phase.acceptance) consider(criterion);
  }
  std::stable_sort(candidates.begin(), candidates.end(),
                   [](const Candidate& a, const Candidate& b) { return a.likeness > b.likeness; });
  std::vector<std::string> nearest;
  for (const Candidate& candidate : candidates) {
    if (nearest.size() == 3) break;
    if (std::find(nearest.begin(), nearest.end(), candidate.id) == nearest.end())
      nearest.push_back(candidate.id);
  }
  return nearest;
}

std::optional<FoundTask> find_by_id(const core::TaskTable& table, std::string_view wanted) {
  // A phase or a kind in front of it; letters that may be written in two ways.
  const auto is_sure = [](char c) { return c != '/' && c != ':' && static_cast<unsigned char>(c) < 0x80; };
  if (!std::all_of(wanted.begin(), wanted.end(), is_sure)) return std::nullopt;
  std::optional<FoundTask> found;
  const auto is_meant = [wanted](const core::TableTask& task) {
    return task.id == wanted || (task.id_in_text && core::is_numbered_form(task.id, wanted));
  };
  for (std::size_t p = 0; p < table.phases.size(); ++p) {
    const core::TablePhase& phase = table.phases[p];
    std::size_t place = 0;
    for (const core::TableTask& task : phase.tasks) {
      if (is_meant(task)) {
        if (found || task.id != wanted) return std::nullopt;
        found = FoundTask{p, place};
      }
      ++place;
    }
    for (const core::TableCriterion& criterion : phase.acceptance) {
      if (criterion.id == wanted) return std::nullopt;
    }
  }
  return found;
}

Result<Found> find_boxes(const core::Plan& plan, const core::Plan& as_written, std::string_view text,
                         std::string_view file, Takes takes) {
  auto found = search(plan, as_written, text, file);
  if (takes == Takes::both || found || found.error().kind != ErrorKind::ambiguous) return found;
  std::string one_kind(takes == Takes::task ? core::kTaskPrefix : core::kCriterionPrefix);
  auto narrowed = search(plan, as_written, one_kind.append(text), file);
  return narrowed ? std::move(narrowed) : std::move(found);
}

}  // namespace plankeep::app
