#include "render/json_parts.hpp"

namespace plankeep::render {

void write_plan_reference(base::JsonWriter& out, std::string_view id, std::string_view path,
                          std::string_view title) {
  out.key("plan").begin_object();
  out.key("id").value(id);
  out.key("path").value(path);
  write_optional(out, "title", title);
  out.end_object();
}

void write_plan_reference(base::JsonWriter& out, const app::PlanLocation& plan) {
  write_plan_reference(out, plan.plan_id(), plan.path());
}

namespace {

void write_totals(base::JsonWriter& out, const core::Progress& progress) {
  out.key("totalTasks").value(progress.total);
  out.key("completedTasks").value(progress.completed);
  out.key("percentage").tenths(progress.percent_tenths);
}

}  // namespace

void write_progress(base::JsonWriter& out, const core::Progress& progress) {
  out.key("progress").begin_object();
  write_totals(out, progress);
  out.end_object();
}

void write_progress_with_optional(base::JsonWriter& out, const core::Progress& progress) {
  out.key("progress").begin_object();
  write_totals(out, progress);
  out.key("optionalTasks").value(progress.optional);
  out.key("optionalOpen").value(progress.optional_open);
  out.end_object();
}

void write_strings(base::JsonWriter& out, std::string_view name, const std::vector<std::string>& strings) {
  out.key(name).begin_array();
  for (const std::string& text : strings) out.value(text);
  out.end_array();
}

void write_section(base::JsonWriter& out, const std::vector<std::string>& section) {
  if (!section.empty()) write_strings(out, "section", section);
}

void write_line(base::JsonWriter& out, std::int64_t line) {
  if (line > 0) out.key("line").value(line);
}

void write_optional(base::JsonWriter& out, std::string_view name, std::string_view text) {
  if (!text.empty()) out.key(name).value(text);
}

void write_task_place(base::JsonWriter& out, const core::Task& task) {
  out.key("optional").value(task.optional);
  out.key("line").value(task.line);
  out.key("after").begin_array();
  for (const core::TaskId& id : task.after) out.value(id.text);
  out.end_array();
  write_optional(out, "parent", task.parent.text);
  write_section(out, task.section);
  out.key("marked").value(task.marked);
}

void write_criterion_fields(base::JsonWriter& out, const core::Criterion& criterion) {
  out.key("id").value(criterion.id.text);
  out.key("title").value(criterion.title);
  out.key("met").value(criterion.met);
  out.key("line").value(criterion.line);
  write_optional(out, "verify", criterion.verify);
  if (criterion.optional) out.key("optional").value(true);
  write_optional(out, "parent", criterion.parent.text);
  write_section(out, criterion.section);
}

}  // namespace plankeep::render
