#include "render/graphs/graph.hpp"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "base/enum_names.hpp"
#include "base/json_writer.hpp"
#include "base/utf8.hpp"
#include "model/item_key.hpp"
#include "render/fitting.hpp"
#include "render/glyphs.hpp"
#include "render/graphs/graph_arrows.hpp"
#include "render/json_parts.hpp"
#include "render/progress/leases.hpp"

namespace plankeep::render {
namespace {

constexpr std::size_t kNodeColumns = 48;
constexpr std::size_t kIdLimit = 32;
// Longer ids and titles do not widen their column, or a single one would spread out every line.
constexpr std::size_t kAlignedId = 20;
constexpr std::size_t kAlignedTitle = 48;
constexpr std::size_t kCycleShown = 12;

NodeState state_of(const core::TaskRow& task) {
  if (task.state == core::BoxState::done) return NodeState::done;
  if (task.held()) return NodeState::held;
  if (!task.waiting_for.empty()) return NodeState::waiting;
  return task.state == core::BoxState::active ? NodeState::active : NodeState::ready;
}

std::string key_of(const GraphNode& node) {
  return node.phase->id.text + "/" + node.task->id.text;
}

// "schema ✓, login ○": an id of several tasks is done when all of them are.
std::string after_words(const Graph& graph, const core::TaskRow& task, const Style& style) {
  std::string text;
  for (const core::TaskId& id : task.after) {
    text += (text.empty() ? "" : ", ") + safe_line(id.text) + " ";
    if (graph.dependencies->called(id).empty()) {
      text += "?";
    } else {
      text += glyph(graph.dependencies->done(id) ? core::BoxState::done : core::BoxState::open, style);
    }
  }
  return text;
}

std::string listed(const std::vector<std::string>& ids) {
  return base::first_joined(ids, kCycleShown, [](const std::string& id) { return safe_line(id); });
}

// What the picture comes to, a line each.
void append_summary(std::string& text, const Graph& graph, const Style& style, std::size_t columns) {
  const auto line = [&](Paint colour, std::string_view name, const std::string& what) {
    text += paint(style, colour, pad_right(std::string(name), 8));
    text += wrapped(what, columns, 8);
  };
  std::vector<std::string> ready;
  for (const GraphNode& node : graph.nodes) {
    const bool now = node.state == NodeState::ready || node.state == NodeState::active;
    if (now && !node.task->optional) ready.push_back(node.task->id.text);
  }
  text += '\n';
  line(Paint::good, "ready", ready.empty() ? "nothing" : listed(ready));
  for (const std::vector<std::size_t>& circle : graph.circles) {
    std::vector<std::string> ids;
    ids.reserve(circle.size());
    for (const std::size_t node : circle) ids.push_back(graph.nodes[node].task->id.text);
    line(Paint::bad, "circle",
         listed(ids) + (ids.size() == 1 ? " waits for itself" : " wait for each other"));
  }
  for (const auto& [node, id] : graph.unknown) {
    line(Paint::bad, "unknown",
         safe_line(id.text) + ", which " + safe_line(graph.nodes[node].task->id.text) + " waits for");
  }
}

constexpr auto kNodeStates = base::enum_names<NodeState>({{NodeState::done, "done"},
                                                          {NodeState::held, "held"},
                                                          {NodeState::active, "active"},
                                                          {NodeState::ready, "ready"},
                                                          {NodeState::waiting, "waiting"}});

}  // namespace

std::string_view name_of(NodeState state) {
  return kNodeStates.name_of(state);
}

Graph make_graph(const core::StatusView& view, const core::Plan& plan) {
  Graph graph;
  graph.view = &view;
  graph.dependencies.emplace(plan);
  graph.nodes.reserve(graph.dependencies->size());
  for (const core::PhaseRow& phase : view.phases) {
    for (const core::TaskRow& task : phase.tasks)
      graph.nodes.push_back({&phase, &task, state_of(task), std::nullopt});
  }
  graph.order = graph.dependencies->order();
  graph.circles = graph.dependencies->cycles();
  for (std::size_t c = 0; c < graph.circles.size(); ++c) {
    for (const std::size_t node : graph.circles[c]) graph.nodes[node].circle = c;
  }
  for (std::size_t node = 0; node < graph.nodes.size(); ++node) {
    std::unordered_set<std::string_view> seen;
    for (const core::TaskId& id : graph.nodes[node].task->after) {
      if (graph.dependencies->called(id).empty() && seen.insert(id.text).second)
        graph.unknown.emplace_back(node, id);
    }
  }
  return graph;
}

Arrows arrows_of(const Graph& graph) {
  Arrows arrows;
  const core::Dependencies& dependencies = *graph.dependencies;
  struct Start {
    std::size_t node;
    std::optional<std::size_t> circle;  // that all arrows into the joint belong to, if they do
  };
  std::unordered_map<std::string_view, Start> sources;
  const auto source_of = [&](const core::TaskId& id, std::span<const std::size_t> tasks) {
    if (tasks.size() == 1) return Start{tasks.front(), graph.nodes[tasks.front()].circle};
    const auto known = sources.find(id.text);
    if (known != sources.end()) return known->second;
    Start joint{graph.nodes.size() + arrows.joints++, std::nullopt};
    for (const std::size_t task : tasks) {
      const auto circle = graph.nodes[task].circle;
      if (circle) joint.circle = circle;
      arrows.all.push_back({task, joint.node, circle.has_value()});
    }
    sources.emplace(id.text, joint);
    return joint;
  };
  for (std::size_t node = 0; node < graph.nodes.size(); ++node) {
    std::unordered_set<std::string_view> seen;
    for (const core::TaskId& id : graph.nodes[node].task->after) {
      const std::span<const std::size_t> tasks = dependencies.called(id);
      if (tasks.empty() || !seen.insert(id.text).second) continue;
      const Start source = source_of(id, tasks);
      const auto own = graph.nodes[node].circle;
      arrows.all.push_back({source.node, node, own && source.circle == own});
    }
  }
  return arrows;
}

std::vector<std::string> label_lines(const GraphNode& node) {
  const core::TaskRow& task = *node.task;
  std::vector<std::string> lines = {glyph(task.state, {}) + " " + safe_line(task.id.text, kIdLimit)};
  const std::string_view title = core::title_beside_id(task.title, task.id.text);
  if (!title.empty()) lines.push_back(safe_line(title, kNodeColumns));
  if (task.optional) lines.emplace_back("optional");
  if (task.held()) lines.push_back("claimed by " + safe_line(task.lease->by, kIdLimit));
  return lines;
}

std::string graph_text(const Graph& graph, const Style& style) {
  const std::size_t columns = std::max(style.columns, kNarrowest);
  std::size_t ids = 0;
  std::size_t titles = 0;
  for (const GraphNode& node : graph.nodes) {
    const std::size_t id = base::display_width(safe_line(node.task->id.text));
    if (id <= std::min(columns / 4, kAlignedId)) ids = std::max(ids, id);
    const std::size_t title = base::display_width(
        safe_line(core::title_beside_id(node.task->title, node.task->id.text), columns / 3));
    if (title <= kAlignedTitle) titles = std::max(titles, title);
  }
  std::string text;
  const core::PhaseRow* phase = nullptr;
  for (const GraphNode& node : graph.nodes) {
    if (node.phase != phase) {
      if (phase != nullptr) text += '\n';
      phase = node.phase;
      const std::string& name = core::title_or_id(*phase);
      text += glyph(phase->status, style) + " " + paint(style, Paint::strong, safe_line(name, columns - 2)) +
              "\n";
    }
    const core::TaskRow& task = *node.task;
    const std::string title = safe_line(core::title_beside_id(task.title, task.id.text), columns / 3);
    std::string line = "  " + glyph(task.state, style) + " " + pad_right(safe_line(task.id.text), ids) +
                       "  " + pad_right(title, titles);
    // Colours take no columns, so what is left is counted without them.
    const std::size_t used = 4 + std::max(ids, base::display_width(safe_line(task.id.text))) + 2 +
                             std::max(titles, base::display_width(title));
    std::string rest = after_words(graph, task, {});
    if (!rest.empty()) rest = "after " + rest;
    if (task.optional) base::append_listed(rest, "optional");
    if (task.held()) base::append_listed(rest, claim_words(*task.lease, graph.view->now));
    if (rest.empty()) {
      while (line.ends_with(' ')) line.pop_back();
    } else {
      const Paint colour = node.circle                        ? Paint::bad
                           : node.state == NodeState::waiting ? Paint::active
                                                              : Paint::dim;
      const std::size_t room = columns > used + 2 ? columns - used - 2 : 0;
      // The ids that a task waits for stand on lines of their own where there is no room for them.
      if (base::display_width(rest) <= room) {
        line += "  " + paint(style, colour, rest);
      } else {
        while (line.ends_with(' ')) line.pop_back();
        for (const std::string& part : base::parts_of(wrapped(rest, columns - 6, 0), '\n'))
          line += "\n      " + paint(style, colour, part);
      }
    }
    text += line + "\n";
  }
  if (graph.nodes.empty()) return base::fit_to_width("the plan has no tasks", columns) + "\n";
  append_summary(text, graph, style, columns);
  return text;
}

std::string graph_json(const Graph& graph) {
  base::JsonWriter out(base::JsonWriter::Layout::indented);
  out.begin_object();
  write_plan_reference(out, graph.view->plan_id, graph.view->path);
  write_progress(out, graph.view->progress);
  out.key("tasks").begin_array();
  for (const GraphNode& node : graph.nodes) {
    const core::TaskRow& task = *node.task;
    out.begin_object();
    out.key("key").value(key_of(node));
    out.key("id").value(task.id.text);
    out.key("phaseId").value(node.phase->id.text);
    out.key("title").value(task.title);
    out.key("state").value(core::name_of(task.state));
    out.key("optional").value(task.optional);
    out.key("ready").value(task.state != core::BoxState::done && task.waiting_for.empty());
    write_line(out, task.line);
    out.key("after").begin_array();
    for (const core::TaskId& id : task.after) out.value(id.text);
    out.end_array();
    out.key("waitingFor").begin_array();
    for (const core::TaskId& id : task.waiting_for) out.value(id.text);
    out.end_array();
    if (task.held()) out.key("claimedBy").value(task.lease->by);
    out.end_object();
  }
  out.end_array();
  out.key("order").begin_array();
  for (const std::size_t node : graph.order) out.value(key_of(graph.nodes[node]));
  out.end_array();
  out.key("cycles").begin_array();
  for (const std::vector<std::size_t>& circle : graph.circles) {
    out.begin_array();
    for (const std::size_t node : circle) out.value(key_of(graph.nodes[node]));
    out.end_array();
  }
  out.end_array();
  out.key("unknown").begin_array();
  for (const auto& [node, id] : graph.unknown) {
    out.begin_object();
    out.key("task").value(key_of(graph.nodes[node]));
    out.key("id").value(id.text);
    out.end_object();
  }
  out.end_array();
  out.end_object();
  return out.finish();
}

}  // namespace plankeep::render
