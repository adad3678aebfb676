#include "render/parse.hpp"

#include <algorithm>
#include <utility>

#include "base/json_writer.hpp"
#include "base/utf8.hpp"
#include "model/progress.hpp"
#include "render/glyphs.hpp"
#include "render/json_parts.hpp"
#include "render/lint.hpp"
#include "rules/view.hpp"

namespace plankeep::render {
namespace {

std::string_view name_of(core::PlanMode mode) {
  return mode == core::PlanMode::marked ? "marked" : "unmarked";
}

void write_task(base::JsonWriter& out, const core::Task& task) {
  out.begin_object();
  out.key("id").value(task.id.text);
  out.key("title").value(task.title);
  out.key("state").value(core::name_of(task.state));
  out.key("done").value(task.done());
  out.key("optional").value(task.optional);
  out.key("line").value(task.line);
  out.key("after").begin_array();
  for (const core::TaskId& id : task.after) out.value(id.text);
  out.end_array();
  out.key("steps").begin_object();
  out.key("total").value(task.steps.total);
  out.key("done").value(task.steps.done);
  out.end_object();
  out.end_object();
}

void write_criterion(base::JsonWriter& out, const core::Criterion& criterion) {
  out.begin_object();
  out.key("id").value(criterion.id.text);
  out.key("title").value(criterion.title);
  out.key("met").value(criterion.met);
  out.key("line").value(criterion.line);
  write_optional(out, "verify", criterion.verify);
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
  out.key("checksum").value(parsed.checksum);
  out.key("mode").value(name_of(plan.mode));
  write_progress(out, core::progress_of(plan));
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
  std::string rest = safe_line(id);
  if (!title.empty() && title != id) rest += "  " + safe_line(title);
  text += base::fit_to_width(rest, columns - used);
  text += '\n';
  return text;
}

}  // namespace

std::string parse_text(const ParsedPlan& parsed, const Style& style) {
  const std::size_t columns = std::max(style.columns, kNarrowest);
  const core::Plan& plan = parsed.plan;
  const core::Progress progress = core::progress_of(plan);
  std::string text = safe_line(parsed.file) + "\n";
  text += std::string(name_of(plan.mode)) + " plan, " + std::to_string(progress.completed) + " of " +
          counted(progress.total, "task", "tasks") + " done (" + percent(progress.percent_tenths) + "%)\n";
  for (const core::Phase& phase : plan.phases) {
    text += row(columns, phase.line, "", glyph(core::status_of(phase), style), phase.id.text, phase.title);
    for (const core::Task& task : phase.tasks) {
      text += row(columns, task.line, "  ", glyph(task.state, style), task.id.text,
                  task.optional ? task.title + " (optional)" : task.title);
    }
    for (const core::Criterion& criterion : phase.acceptance) {
      text += row(columns, criterion.line, "  ", criterion_glyph(criterion.met, style), criterion.id.text,
                  criterion.title);
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
