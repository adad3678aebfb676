#include "render/parse.hpp"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "base/json_writer.hpp"
#include "base/utf8.hpp"
#include "model/parents.hpp"
#include "model/progress.hpp"
#include "render/fitting.hpp"
#include "render/glyphs.hpp"
#include "render/json_parts.hpp"
#include "render/lint.hpp"
#include "rules/view.hpp"

namespace plankeep::render {
namespace {

void write_task(base::JsonWriter& out, const core::Task& task) {
  out.begin_object();
  out.key("id").value(task.id.text);
  out.key("title").value(task.title);
  out.key("state").value(core::name_of(task.state));
  out.key("done").value(task.done());
  write_task_place(out, task);
  out.end_object();
}

void write_criterion(base::JsonWriter& out, const core::Criterion& criterion) {
  out.begin_object();
  write_criterion_fields(out, criterion);
  out.end_object();
}

void write_phase(base::JsonWriter& out, const core::Phase& phase) {
  out.begin_object();
  out.key("id").value(phase.id.text);
  out.key("title").value(phase.title);
  out.key("line").value(phase.line);
  out.key("status").value(core::name_of(core::status_of(phase)));
  out.key("tasks").begin_array();
  for (const core::Task& task : phase.tasks) write_task(out, task);
  out.end_array();
  out.key("acceptance").begin_array();
  for (const core::Criterion& criterion : phase.acceptance) write_criterion(out, criterion);
  out.end_array();
  out.end_object();
}

void write_current(base::JsonWriter& out, const core::Plan& plan) {
  const core::Current current = core::current_of(plan);
  out.key("currentPhase");
  if (current.phase) {
    out.value(plan.phases[*current.phase].id.text);
  } else {
    out.null();
  }
  out.key("currentTask");
  if (current.phase && current.task) {
    out.value(plan.phases[*current.phase].tasks[*current.task].id.text);
  } else {
    out.null();
  }
}

void write_plan(base::JsonWriter& out, const ParsedPlan& parsed) {
  const core::Plan& plan = parsed.plan;
  out.begin_object();
  out.key("planId").value(parsed.plan_id);
  out.key("path").value(parsed.path);
  write_optional(out, "title", plan.title);
  out.key("checksum").value(parsed.checksum);
  write_progress_with_optional(out, core::progress_of(plan));
  out.key("skipped").value(plan.skipped);
  write_current(out, plan);
  out.key("phases").begin_array();
  for (const core::Phase& phase : plan.phases) write_phase(out, phase);
  out.end_array();
  out.key("decisions").begin_array();
  for (const core::Decision& decision : plan.decisions) {
    out.begin_object();
    out.key("decision").value(decision.text);
    write_optional(out, "reason", decision.reason);
    out.key("line").value(decision.line);
    out.end_object();
  }
  out.end_array();
  out.key("blockers").begin_array();
  for (const core::Blocker& blocker : plan.blockers) {
    out.begin_object();
    out.key("text").value(blocker.text);
    out.key("line").value(blocker.line);
    out.end_object();
  }
  out.end_array();
  out.key("diagnostics").begin_array();
  for (const core::Diagnostic& diagnostic : plan.diagnostics) write_diagnostic(out, diagnostic);
  out.end_array();
  out.end_object();
}

/// "   12  ✓ id  title": the line number in front, so that the eye finds the place in the file.
std::string row(std::size_t columns, std::int64_t line, std::string_view indent, const std::string& glyph,
                std::string_view id, std::string_view title) {
  std::string text = pad_left(std::to_string(line), 6) + "  ";
  text += indent;
  text += glyph;
  text += ' ';
  const std::size_t used = 9 + indent.size() + 1;
  text += with_title(safe_line(id), title == id ? "" : safe_line(title), columns - used);
  text += '\n';
  return text;
}

constexpr std::size_t kDeepestShown = 8;

// How many tasks are around each task of the phase.
std::vector<std::size_t> depths_of(const core::Phase& phase) {
  const std::vector<std::size_t> parents = core::parents_of(phase);
  std::vector<std::size_t> depths(parents.size());
  for (std::size_t i = 0; i < parents.size(); ++i) {
    if (parents[i] != core::kNoParent) depths[i] = depths[parents[i]] + 1;
  }
  return depths;
}

}  // namespace

std::string parse_text(const ParsedPlan& parsed, const Style& style) {
  const std::size_t columns = std::max(style.columns, kNarrowest);
  const core::Plan& plan = parsed.plan;
  const core::Progress progress = core::progress_of(plan);
  std::string text = safe_line(parsed.file) + "\n";
  if (!plan.title.empty()) text += safe_line(plan.title, columns) + "\n";
  text += std::to_string(progress.completed) + " of " + counted(progress.total, "task", "tasks") + " done (" +
          percent(progress.percent_tenths) + "%)" + beside_the_totals(progress, plan.skipped) + "\n";
  for (const core::Phase& phase : plan.phases) {
    text += row(columns, phase.line, "", glyph(core::status_of(phase), style), phase.id.text, phase.title);
    const std::vector<std::size_t> depths = depths_of(phase);
    for (std::size_t i = 0; i < phase.tasks.size(); ++i) {
      const core::Task& task = phase.tasks[i];
      text += row(columns, task.line, std::string(2 + 2 * std::min(depths[i], kDeepestShown), ' '),
                  glyph(task.state, style), task.id.text,
                  task.optional ? task.title + " (optional)" : task.title);
    }
    for (const core::Criterion& criterion : phase.acceptance) {
      text += row(columns, criterion.line, "  ", criterion_glyph(criterion.met, style), criterion.id.text,
                  criterion.optional ? criterion.title + " (optional)" : criterion.title);
    }
  }
  for (const core::Decision& decision : plan.decisions) {
    text += row(columns, decision.line, "", "·", "decision", decision.text);
  }
  for (const core::Blocker& blocker : plan.blockers) {
    text += row(columns, blocker.line, "", paint(style, Paint::bad, "✗"), "blocker", blocker.text);
  }
  for (const core::Diagnostic& diagnostic : plan.diagnostics)
    text += diagnostic_lines(parsed.file, diagnostic, style);
  return text;
}

std::string parse_json(const ParsedPlan& parsed) {
  base::JsonWriter out(base::JsonWriter::Layout::indented);
  write_plan(out, parsed);
  return out.finish();
}

void parse_json(const ParsedPlan& parsed, base::JsonWriter::Sink sink) {
  base::JsonWriter out(base::JsonWriter::Layout::indented, std::move(sink));
  write_plan(out, parsed);
  (void)out.finish();
}

}  // namespace plankeep::render
