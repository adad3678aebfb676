#include "render/claim.hpp"

#include <algorithm>

#include "base/json_writer.hpp"
#include "base/text.hpp"
#include "base/utf8.hpp"
#include "model/item_key.hpp"
#include "render/fitting.hpp"
#include "render/json_parts.hpp"
#include "render/progress/leases.hpp"
#include "rules/view.hpp"

namespace plankeep::render {
namespace {

using core::LeaseState;
using core::LeaseStatus;

std::string held_by(const LeaseState& lease) {
  return safe_line(lease.by) + " until " + minute_of(lease.until);
}

void append(std::string& text, const Style& style, Paint colour, std::string_view mark,
            const std::string& what) {
  const std::size_t columns = std::max(style.columns, kNarrowest);
  text += paint(style, colour, mark) + " " + wrapped(what, columns, 2, Begins::with_id);
}

void append_warnings(std::string& text, const app::ClaimAnswer& answer, const Style& style) {
  for (const std::string& warning : answer.outcome.warnings)
    append(text, style, Paint::warning, "!", "warning: " + safe_line(warning));
}

void write_held(base::JsonWriter& out, std::string_view name, const std::optional<LeaseState>& lease,
                LeaseStatus status) {
  out.key(name);
  if (!lease) {
    out.null();
    return;
  }
  out.begin_object();
  write_lease_fields(out, {lease->by, lease->fence, lease->since, lease->until, lease->session, status});
  write_optional(out, "host", lease->host);
  write_optional(out, "process", lease->process);
  out.end_object();
}

void write_task(base::JsonWriter& out, const app::ClaimAnswer& answer) {
  out.key("task").begin_object();
  out.key("id").value(answer.task.text);
  out.key("phaseId").value(answer.phase.text);
  out.key("title").value(answer.title);
  write_line(out, answer.line);
  out.end_object();
}

}  // namespace

std::string claim_text(const app::ClaimAnswer& answer, const Style& style) {
  std::string text;
  if (!answer.lease) return text;
  const LeaseState& lease = *answer.lease;
  std::string what = safe_line(answer.task.text);
  what += answer.result == app::ClaimResult::renewed ? " renewed" : " claimed";
  what += " by " + safe_line(lease.by) + ": " + time_left(lease.until, answer.now) + ", until " +
          minute_of(lease.until) + ", fence " + std::to_string(lease.fence);
  append(text, style, Paint::good, "✓", what);
  const bool over = answer.result == app::ClaimResult::taken_over && answer.previous;
  if (over) {
    append(
        text, style, Paint::dim, "·",
        "taken over from " + safe_line(answer.previous->by) +
            (answer.status == LeaseStatus::gone ? ", which is no longer active" : ", whose claim expired"));
  }
  const std::string_view title = core::title_beside_id(answer.title, answer.task.text);
  std::string where = safe_line(place(answer.file, answer.line));
  if (!title.empty()) where += "  " + safe_line(title);
  append(text, style, Paint::dim, "·", where);
  append_warnings(text, answer, style);
  return text;
}

base::Error claim_refusal(const app::ClaimAnswer& answer) {
  const std::string& id = answer.task.text;
  base::Error error{base::ErrorKind::conflict, {}, {}, "to claim an available task: plankeep next --claim"};
  if (answer.result == app::ClaimResult::done) {
    error.message = id + " is done";
  } else if (answer.result == app::ClaimResult::waiting) {
    error.message = id + " waits for " + base::joined(answer.waiting_for, ", ", [](const core::TaskId& open) {
                      return open.text;
                    });
  } else if (answer.result == app::ClaimResult::lost) {
    error.message = id + " is no longer held with that fence";
    if (answer.previous) error.message += ": it is claimed by " + held_by(*answer.previous);
    error.hint = "stop working on it, or claim it again without --fence";
  } else if (answer.previous) {
    // Without its fence: whoever is refused would take it for the way in.
    error.message = id + " is claimed by " + held_by(*answer.previous);
  }
  return error;
}

std::string claim_json(const app::ClaimAnswer& answer) {
  base::JsonWriter out(base::JsonWriter::Layout::indented);
  out.begin_object();
  write_plan_reference(out, answer.outcome.plan);
  out.key("result").value(app::name_of(answer.result));
  write_task(out, answer);
  write_held(out, "lease", answer.lease, LeaseStatus::held);
  write_held(out, "previous", answer.previous, answer.status);
  out.key("waitingFor").begin_array();
  for (const core::TaskId& id : answer.waiting_for) out.value(id.text);
  out.end_array();
  out.key("revision").value(answer.outcome.state.revision);
  write_strings(out, "warnings", answer.outcome.warnings);
  out.end_object();
  return out.finish();
}

std::string release_text(const app::ClaimAnswer& answer, const Style& style) {
  std::string text;
  if (!answer.previous) {
    append(text, style, Paint::dim, "·", safe_line(answer.task.text) + " is not claimed");
  } else {
    append(text, style, Paint::good, "✓",
           safe_line(answer.task.text) + " released; it was claimed by " + held_by(*answer.previous));
  }
  append_warnings(text, answer, style);
  return text;
}

base::Error release_refusal(const app::ClaimAnswer& answer) {
  return {
      base::ErrorKind::conflict,
      answer.task.text + " is claimed by " + (answer.previous ? held_by(*answer.previous) : "someone else"),
      {},
      "if the holder will not return: plankeep release " + answer.task.text + " --force"};
}

std::string release_json(const app::ClaimAnswer& answer) {
  base::JsonWriter out(base::JsonWriter::Layout::indented);
  out.begin_object();
  write_plan_reference(out, answer.outcome.plan);
  out.key("result").value(app::name_of(answer.result));
  write_task(out, answer);
  write_held(out, "previous", answer.previous, answer.status);
  out.key("revision").value(answer.outcome.state.revision);
  write_strings(out, "warnings", answer.outcome.warnings);
  out.end_object();
  return out.finish();
}

}  // namespace plankeep::render
