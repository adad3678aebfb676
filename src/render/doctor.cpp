#include "render/doctor.hpp"

#include <algorithm>

#include "base/enum_names.hpp"
#include "base/json_writer.hpp"
#include "base/utf8.hpp"
#include "render/json_parts.hpp"

namespace plankeep::render {

namespace {

constexpr auto kHealths = base::enum_names<Health>(
    {{Health::ok, "ok"}, {Health::warning, "warning"}, {Health::problem, "problem"}});

}  // namespace

std::string_view name_of(Health health) {
  return kHealths.name_of(health);
}

bool healthy(const DoctorReport& report) {
  return std::none_of(report.checks.begin(), report.checks.end(),
                      [](const Check& check) { return check.health == Health::problem; });
}

std::string doctor_text(const DoctorReport& report, const Style& style) {
  const std::size_t columns = std::max(style.columns, kNarrowest);
  std::size_t names = 0;
  for (const Check& check : report.checks)
    names = std::max(names, base::display_width(safe_line(check.name, columns / 3)));
  const std::size_t left = 2 + names + 2;
  std::string text;
  std::int64_t problems = 0;
  std::int64_t warnings = 0;
  for (const Check& check : report.checks) {
    const bool ok = check.health == Health::ok;
    const bool warning = check.health == Health::warning;
    if (warning) ++warnings;
    if (check.health == Health::problem) ++problems;
    const Paint colour = ok ? Paint::good : warning ? Paint::warning : Paint::bad;
    text += paint(style, colour, ok ? "✓" : warning ? "!" : "✗");
    text += ' ';
    text += pad_right(safe_line(check.name, columns / 3), names);
    bool first = true;
    for (const std::string& line : wrap(safe_line(check.message), columns - left, 6)) {
      text += first ? "  " : std::string(left, ' ');
      text += line;
      text += '\n';
      first = false;
    }
    if (ok || check.remedy.empty()) continue;
    first = true;
    for (const std::string& line : wrap(safe_line(check.remedy), columns - left - 2, 6)) {
      text += std::string(left, ' ');
      text += first ? paint(style, Paint::strong, "→ ") : "  ";
      text += line;
      text += '\n';
      first = false;
    }
  }
  std::string summary;
  if (problems > 0) summary = counted(problems, "problem", "problems");
  if (warnings > 0) base::append_listed(summary, counted(warnings, "warning", "warnings"));
  if (summary.empty()) summary = "no problems found";
  const Paint colour = problems > 0 ? Paint::bad : warnings > 0 ? Paint::warning : Paint::good;
  text += paint(style, colour, summary);
  text += '\n';
  return text;
}

std::string doctor_json(const DoctorReport& report) {
  base::JsonWriter out(base::JsonWriter::Layout::indented);
  out.begin_object();
  if (report.path.empty()) {
    out.key("plan").null();
  } else {
    write_plan_reference(out, report.plan_id, report.path);
  }
  out.key("healthy").value(healthy(report));
  out.key("checks").begin_array();
  for (const Check& check : report.checks) {
    out.begin_object();
    out.key("name").value(check.name);
    out.key("health").value(name_of(check.health));
    out.key("message").value(check.message);
    write_optional(out, "remedy", check.remedy);
    out.end_object();
  }
  out.end_array();
  out.end_object();
  return out.finish();
}

}  // namespace plankeep::render
