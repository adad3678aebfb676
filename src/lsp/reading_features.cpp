// What a plan shows of itself: hover, symbols, folding; where an id stands.

#include <algorithm>

#include "base/instant.hpp"
#include "base/text.hpp"
#include "base/utf8.hpp"
#include "lsp/features.hpp"
#include "model/evidence.hpp"
#include "model/find_task.hpp"
#include "model/progress.hpp"
#include "render/recorded/verify.hpp"
#include "render/style.hpp"

namespace plankeep::lsp {
namespace {

constexpr std::size_t kMostHints = 3000;
constexpr std::size_t kBarColumns = 20;

// The id under the cursor, or that of the box whose line it is on.
std::string id_at(const FeatureCall& call, std::size_t offset) {
  for (const markdown::MarkerPlace& marker : call.view.places.markers) {
    if (marker.whole.begin > offset || offset > marker.whole.end) continue;
    for (const markdown::NamedId& named : marker.after) {
      if (named.at.begin <= offset && offset <= named.at.end) return named.id;
    }
    if (marker.kind == markdown::MarkerKind::task) return marker.id;
  }
  const Item* const item = call.view.item_at(offset);
  const core::Task* const task = item == nullptr ? nullptr : call.view.task(*item);
  return task == nullptr ? std::string() : task->id.text;
}

std::size_t offset_in(const FeatureCall& call) {
  return call.view.offset(position_in(member(call.params, "position")).value_or(Position{}));
}

// Where an id is written: in markers, and in what comes after it; of a task without a marker its box.
struct Mention {
  Bytes at;
  bool definition = false;
};
std::vector<Mention> mentions_of(const PlanView& view, const std::string& id) {
  std::vector<Mention> all;
  if (id.empty()) return all;
  for (const markdown::MarkerPlace& marker : view.places.markers) {
    if (marker.kind != markdown::MarkerKind::task) continue;
    if (marker.id == id && marker.id_at.end > marker.id_at.begin)
      all.push_back({{marker.id_at.begin, marker.id_at.end}, true});
    for (const markdown::NamedId& named : marker.after) {
      if (named.id == id) all.push_back({{named.at.begin, named.at.end}, false});
    }
  }
  for (const Item& item : view.items) {
    const core::Task* const task = view.task(item);
    if (task != nullptr && !task->marked && task->id.text == id)
      all.push_back({{view.box(item).offset, view.box(item).after_box}, true});
  }
  return all;
}

OrderedJson location(const PlanView& view, Bytes at) {
  return {{"uri", view.uri}, {"range", json_of(view.range(at))}};
}

// What is recorded of a task that is done; nullptr if it is open or nothing is recorded.
const core::TaskState* completed(const PlanView& view, const core::Phase& phase, const core::Task& task) {
  if (view.records.state == nullptr || !task.done()) return nullptr;
  return core::find_task(*view.records.state, phase.id, task.id);
}

// The task's current lease, or nullptr.
const core::LeaseState* held_lease(const PlanView& view, const core::Phase& phase, const core::Task& task) {
  if (view.records.state == nullptr) return nullptr;
  const core::LeaseState* const lease = core::find_lease(*view.records.state, phase.id, task.id);
  if (lease == nullptr) return nullptr;
  const auto place = static_cast<std::size_t>(lease - view.records.state->leases.data());
  const bool held =
      place < view.records.statuses.size() && view.records.statuses[place] == core::LeaseStatus::held;
  return held ? lease : nullptr;
}

std::string hover_of(const PlanView& view, const core::Phase& phase, const core::Task& task) {
  std::string text = markdown_code(task.id.text) + " " + markdown_text(task.title) + "\n\n";
  text += task.done() ? "done" : task.state == core::BoxState::active ? "in progress" : "open";
  if (task.optional) text += ", optional";
  if (const core::TaskState* const known = completed(view, phase, task)) {
    if (!known->completed_by.empty()) text += " by " + markdown_text(known->completed_by);
    if (known->completed_at) text += ", " + markdown_text(base::ago(*known->completed_at, view.records.now));
  }
  if (const core::LeaseState* const lease = held_lease(view, phase, task))
    text += "\n\nclaimed by " + markdown_text(lease->by) + " until " +
            markdown_text(base::to_iso8601(lease->until));
  std::string after;
  for (const core::TaskId& id : task.after) after += (after.empty() ? "" : ", ") + markdown_code(id.text);
  if (!after.empty()) text += "\n\ncomes after " + after;
  std::string waiting;
  for (const core::Phase& other : view.plan.phases) {
    for (const core::Task& one : other.tasks) {
      if (std::find(one.after.begin(), one.after.end(), task.id) != one.after.end())
        waiting += (waiting.empty() ? "" : ", ") + markdown_code(one.id.text);
    }
  }
  if (!waiting.empty()) text += "\n\nneeded by " + waiting;
  return text;
}

// The criterion's command and whether its recorded evidence is still valid.
std::string proof_of(const PlanView& view, const core::Phase& phase, const core::Criterion& criterion) {
  if (criterion.verify.empty()) return {};
  const core::KnownEvidence known(view.records.state.get());
  const std::optional<core::Evidence>& evidence = known.find(phase.id, criterion.id);
  std::string text =
      render::proof_text(core::judge(evidence, criterion.verify, view.tree), evidence && !evidence->passed(),
                         core::why_not_fresh(evidence, criterion.verify, view.tree));
  if (evidence) text += ", " + base::ago(evidence->time, view.records.now);
  return "\n\nverified by " + markdown_code(criterion.verify) + ": " + markdown_text(text);
}

// The item's earlier ids and titles.
std::string names_before(const FeatureCall& call, const Item& item) {
  const core::Task* const task = call.view.task(item);
  const std::string& id = task != nullptr ? task->id.text : call.view.criterion(item)->id.text;
  const std::string& title = task != nullptr ? task->title : call.view.criterion(item)->title;
  const auto before = call.desk.earlier_names(call.view.path, call.view.phase(item).id, id, title);
  std::string text;
  const auto add = [&text](const std::string& name) {
    text += (text.empty() ? "\n\nearlier: " : ", ") + name;
  };
  for (const std::string& one : before.ids) add(markdown_code(one));
  for (const std::string& one : before.titles) add(markdown_text(one));
  return text;
}

// The progress of the phase whose heading is at `offset`; null for any other line.
Reply phase_hover(const PlanView& view, std::size_t offset) {
  const std::size_t line = view.text.line_at(offset);
  const auto at = std::find_if(view.phases.begin(), view.phases.end(),
                               [line](const PhaseLines& lines) { return lines.first == line; });
  if (at == view.phases.end()) return {};
  const core::Phase& phase = view.plan.phases[static_cast<std::size_t>(at - view.phases.begin())];
  const core::Progress progress = core::progress_of(phase);
  std::string text = markdown_code(phase.id.text) + " " + markdown_text(phase.title);
  if (progress.total > 0)
    text += "\n\n" + render::bar(progress.percent_tenths, kBarColumns) + " " +
            std::to_string(progress.completed) + " of " + base::counted(progress.total, "task", "tasks");
  const auto met = std::count_if(phase.acceptance.begin(), phase.acceptance.end(),
                                 [](const core::Criterion& criterion) { return criterion.met; });
  if (!phase.acceptance.empty())
    text += "\n\n" + std::to_string(met) + " of " +
            base::counted(phase.acceptance.size(), "criterion", "criteria") + " met";
  Reply reply;
  reply.value = {{"contents", {{"kind", "markdown"}, {"value", text}}},
                 {"range", json_of(view.range(view.text.line(line)))}};
  return reply;
}

// Who finished a task and when, or who holds it; empty if nothing is known.
std::string hint_of(const PlanView& view, const core::Phase& phase, const core::Task& task) {
  if (const core::TaskState* const known = completed(view, phase, task);
      known != nullptr && known->completed_at)
    return base::ago(*known->completed_at, view.records.now) +
           (known->completed_by.empty() ? "" : " by " + known->completed_by);
  const core::LeaseState* const lease = task.done() ? nullptr : held_lease(view, phase, task);
  return lease == nullptr ? std::string() : "claimed by " + lease->by;
}

}  // namespace

Reply inlay_hints(const FeatureCall& call) {
  const PlanView& view = call.view;
  const auto range = range_in(member(call.params, "range"));
  if (!range) return refused(json_rpc::kInvalidParams, "range must have a start and an end");
  Reply reply;
  reply.value = OrderedJson::array();
  if (!call.client.inlay_hints) return reply;
  for (const Item& item : view.items) {
    const core::Task* const task = view.task(item);
    if (task == nullptr) continue;
    const std::size_t line = view.text.line_at(view.box(item).offset);
    if (line < range->start.line) continue;
    if (line > range->end.line || reply.value.size() >= kMostHints) break;
    const std::string hint = hint_of(view, view.phase(item), *task);
    if (hint.empty()) continue;
    const std::size_t end = view.text.line(line).end;
    reply.value.push_back({{"position", json_of(view.range(Bytes{end, end}).start)},
                           {"label", base::printable(hint)},
                           {"paddingLeft", true}});
  }
  return reply;
}

Reply hover(const FeatureCall& call) {
  const PlanView& view = call.view;
  const Item* const item = view.item_at(offset_in(call));
  if (item == nullptr) return phase_hover(view, offset_in(call));
  std::string text;
  if (const core::Task* const task = view.task(*item)) text = hover_of(view, view.phase(*item), *task);
  if (const core::Criterion* const criterion = view.criterion(*item)) {
    if (!text.empty()) text += "\n\n";
    text += markdown_code(criterion->id.text) + " " + markdown_text(criterion->title) + "\n\ncriterion, " +
            (criterion->met ? "met" : "not met");
    text += proof_of(view, view.phase(*item), *criterion);
  }
  text += names_before(call, *item);
  Reply reply;
  reply.value = {{"contents", {{"kind", "markdown"}, {"value", text}}},
                 {"range", json_of(view.range(view.own_text(*item)))}};
  return reply;
}

Reply definition(const FeatureCall& call) {
  Reply reply;
  reply.value = OrderedJson::array();
  for (const Mention& one : mentions_of(call.view, id_at(call, offset_in(call)))) {
    if (one.definition) reply.value.push_back(location(call.view, one.at));
  }
  return reply;
}

Reply references(const FeatureCall& call) {
  const bool all = flag(call.params, "context", "includeDeclaration");
  Reply reply;
  reply.value = OrderedJson::array();
  for (const Mention& one : mentions_of(call.view, id_at(call, offset_in(call)))) {
    if (all || !one.definition) reply.value.push_back(location(call.view, one.at));
  }
  return reply;
}

Reply highlights(const FeatureCall& call) {
  Reply reply;
  reply.value = OrderedJson::array();
  for (const Mention& one : mentions_of(call.view, id_at(call, offset_in(call))))
    reply.value.push_back({{"range", json_of(call.view.range(one.at))}, {"kind", one.definition ? 3 : 2}});
  return reply;
}

// Only ids that markers say: the others are made from the text, and follow it.
Reply rename(const FeatureCall& call) {
  const PlanView& view = call.view;
  const std::string name = string_in(call.params, "newName");
  const std::string id = id_at(call, offset_in(call));
  const std::vector<Mention> mentions = mentions_of(view, id);
  if (mentions.empty()) return refused(kRequestFailed, "there is no id here");
  if (!markdown::is_id(name))
    return refused(kRequestFailed, "an id has letters, digits, \"_\", \"-\" and \".\"");
  if (name != id && !mentions_of(view, name).empty())
    return refused(kRequestFailed, "the plan has this id already");
  std::vector<TextEdit> edits;
  for (const Mention& one : mentions) {
    if (view.text.part(one.at) != id)
      return refused(kRequestFailed, "this task has no marker: run plankeep.annotate first");
    edits.push_back({one.at, name});
  }
  Reply reply;
  reply.value = workspace_edit(view.uri, view.version, view.text, call.client, edits);
  return reply;
}

Reply symbols(const FeatureCall& call) {
  const PlanView& view = call.view;
  std::vector<OrderedJson> children(view.plan.phases.size(), OrderedJson::array());
  for (const Item& item : view.items) {
    const core::Task* const task = view.task(item);
    const std::string& title =
        task != nullptr ? core::title_or_id(*task) : core::title_or_id(*view.criterion(item));
    const Range range = view.range(view.own_text(item));
    children[item.phase].push_back(
        {{"name", base::printable(title.empty() ? std::string("-") : title)},
         {"detail", base::printable(task != nullptr ? task->id.text : view.criterion(item)->id.text)},
         {"kind", task != nullptr ? kObject : kEvent},
         {"range", json_of(range)},
         {"selectionRange", json_of(range)}});
  }
  Reply reply;
  reply.value = OrderedJson::array();
  for (std::size_t p = 0; p < view.plan.phases.size(); ++p) {
    const core::Phase& phase = view.plan.phases[p];
    const PhaseLines& lines = view.phases[p];
    const Bytes first = view.text.line(lines.first);
    reply.value.push_back({{"name", base::printable(core::title_or_id(phase))},
                           {"detail", base::printable(phase.id.text)},
                           {"kind", kModule},
                           {"range", json_of(view.range(Bytes{first.begin, view.text.line(lines.last).end}))},
                           {"selectionRange", json_of(view.range(first))},
                           {"children", std::move(children[p])}});
  }
  return reply;
}

Reply folding(const FeatureCall& call) {
  Reply reply;
  reply.value = OrderedJson::array();
  for (const PhaseLines& lines : call.view.phases) {
    if (lines.last > lines.first)
      reply.value.push_back({{"startLine", lines.first}, {"endLine", lines.last}, {"kind", "region"}});
  }
  return reply;
}

}  // namespace plankeep::lsp
