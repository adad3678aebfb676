#include "render/export.hpp"

#include <algorithm>
#include <unordered_map>
#include <vector>

#include "base/json_writer.hpp"
#include "base/text.hpp"
#include "base/utf8.hpp"
#include "model/progress.hpp"
#include "render/json_parts.hpp"

namespace plankeep::render {
namespace {

constexpr int kVersion = 2;

// What the state knows of a task or criterion, by phase and id.
class Known {
 public:
  explicit Known(const std::optional<core::State>& state) {
    if (!state) return;
    for (const core::PhaseState& phase : state->phases) {
      for (const core::TaskState& task : phase.tasks) tasks_.emplace(key(phase.id, task.id.text), &task);
      for (const core::CriterionState& criterion : phase.acceptance) {
        criteria_.emplace(key(phase.id, criterion.id.text), &criterion);
      }
    }
  }

  std::string completed_at(const core::Phase& phase, const core::Task& task) const {
    const core::TaskState* known = find(tasks_, phase.id, task.id.text);
    return known != nullptr && task.done() && known->completed_at ? base::to_iso8601(*known->completed_at)
                                                                  : "";
  }
  std::string completed_by(const core::Phase& phase, const core::Task& task) const {
    const core::TaskState* known = find(tasks_, phase.id, task.id.text);
    return known != nullptr && task.done() ? known->completed_by : "";
  }
  std::string verified_at(const core::Phase& phase, const core::Criterion& criterion) const {
    const core::CriterionState* known = find(criteria_, phase.id, criterion.id.text);
    return known != nullptr && criterion.met && known->verified_at ? base::to_iso8601(*known->verified_at)
                                                                   : "";
  }

 private:
  static std::string key(const core::PhaseId& phase, const std::string& id) { return phase.text + '\0' + id; }
  template <class Map>
  static typename Map::mapped_type find(const Map& map, const core::PhaseId& phase, const std::string& id) {
    const auto found = map.find(key(phase, id));
    return found == map.end() ? nullptr : found->second;
  }

  std::unordered_map<std::string, const core::TaskState*> tasks_;
  std::unordered_map<std::string, const core::CriterionState*> criteria_;
};

// ---- CSV ----

bool begins_a_formula(std::string_view field) {
  if (field.empty()) return false;
  constexpr std::string_view kAscii = "=+-@\t\r";
  if (kAscii.find(field.front()) != std::string_view::npos) return true;
  const char32_t first = base::decode_at(field, 0).value;
  return first == 0xFF1D || first == 0xFF0B || first == 0xFF0D || first == 0xFF20;
}

class CsvLine {
 public:
  CsvLine(std::string& out, bool raw) : out_(out), raw_(raw) {}
  CsvLine(const CsvLine&) = delete;
  CsvLine& operator=(const CsvLine&) = delete;
  ~CsvLine() { out_ += "\r\n"; }

  CsvLine& field(std::string_view text) {
    if (!first_) out_ += ',';
    first_ = false;
    const bool guarded = !raw_ && begins_a_formula(text);
    const bool quoted = guarded || text.find_first_of(",\"\r\n") != std::string_view::npos ||
                        text.starts_with(' ') || text.ends_with(' ');
    if (!quoted) {
      out_ += text;
      return *this;
    }
    out_ += '"';
    if (guarded) out_ += '\'';
    for (const char c : text) {
      if (c == '"') out_ += '"';
      out_ += c;
    }
    out_ += '"';
    return *this;
  }

 private:
  std::string& out_;
  bool raw_;
  bool first_ = true;
};

// ---- task list ----

bool is_word(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

// Text that shows as it is. A comment between "@" and the name keeps GitHub from telling somebody.
std::string escaped(std::string_view text) {
  constexpr std::string_view kMarkup = "\\`*_[]<>&~";
  constexpr std::string_view kNothing = "<!-- -->";
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (kMarkup.find(c) != std::string_view::npos) result += '\\';
    result += c;
    const bool word_follows = i + 1 < text.size() && is_word(text[i + 1]);
    if ((c == '@' || c == '#') && word_follows) result += kNothing;
  }
  return result;
}

constexpr std::size_t kDeepest = 32;  // steps below are listed there; nothing real is deeper

// How deep each task stands below others of the list, when they are listed in order.
class Nesting {
 public:
  std::size_t depth_of(const core::Task& task) {
    // A parent that other tasks have been listed behind is none that this one could stand below.
    while (!above_.empty() && above_.back() != task.parent.text) above_.pop_back();
    const std::size_t depth = std::min(above_.size(), kDeepest);
    above_.push_back(task.id.text);
    return depth;
  }

 private:
  std::vector<std::string_view> above_;
};

std::string shown(std::string_view title, std::string_view id) {
  const std::string text = base::printable(title.empty() ? id : title);
  return escaped(text);
}

}  // namespace

std::string export_json(const ExportedPlan& exported) {
  const core::Plan& plan = exported.plan;
  const Known known(exported.state);
  base::JsonWriter out(base::JsonWriter::Layout::indented);
  out.begin_object();
  out.key("version").value(kVersion);
  out.key("plan").begin_object();
  out.key("id").value(exported.plan_id);
  out.key("file").value(exported.file);
  out.end_object();
  write_progress_with_optional(out, core::progress_of(plan));
  out.key("skipped").value(plan.skipped);
  out.key("phases").begin_array();
  for (const core::Phase& phase : plan.phases) {
    out.begin_object();
    out.key("id").value(phase.id.text);
    out.key("title").value(phase.title);
    out.key("status").value(core::name_of(core::status_of(phase)));
    out.key("tasks").begin_array();
    for (const core::Task& task : phase.tasks) {
      out.begin_object();
      out.key("id").value(task.id.text);
      out.key("title").value(task.title);
      out.key("state").value(core::name_of(task.state));
      write_task_place(out, task);
      write_optional(out, "completedAt", known.completed_at(phase, task));
      write_optional(out, "completedBy", known.completed_by(phase, task));
      out.end_object();
    }
    out.end_array();
    out.key("acceptance").begin_array();
    for (const core::Criterion& criterion : phase.acceptance) {
      out.begin_object();
      write_criterion_fields(out, criterion);
      write_optional(out, "verifiedAt", known.verified_at(phase, criterion));
      out.end_object();
    }
    out.end_array();
    out.end_object();
  }
  out.end_array();
  out.key("decisions").begin_array();
  for (const core::Decision& decision : plan.decisions) {
    out.begin_object();
    out.key("decision").value(decision.text);
    write_optional(out, "reason", decision.reason);
    out.end_object();
  }
  out.end_array();
  out.key("blockers").begin_array();
  for (const core::Blocker& blocker : plan.blockers) out.value(blocker.text);
  out.end_array();
  out.end_object();
  return out.finish();
}

std::string export_csv(const ExportedPlan& exported, bool raw) {
  const Known known(exported.state);
  std::string text =
      "kind,phase,phase_title,id,title,state,optional,after,completed_at,completed_by,verify,line\r\n";
  for (const core::Phase& phase : exported.plan.phases) {
    for (const core::Task& task : phase.tasks) {
      const std::string after = base::joined(task.after, " ", [](const core::TaskId& id) { return id.text; });
      CsvLine line(text, raw);
      line.field("task").field(phase.id.text).field(phase.title).field(task.id.text).field(task.title);
      line.field(core::name_of(task.state)).field(task.optional ? "true" : "false").field(after);
      line.field(known.completed_at(phase, task)).field(known.completed_by(phase, task)).field("");
      line.field(std::to_string(task.line));
    }
    for (const core::Criterion& criterion : phase.acceptance) {
      CsvLine line(text, raw);
      line.field("criterion").field(phase.id.text).field(phase.title).field(criterion.id.text);
      line.field(criterion.title).field(criterion.met ? "met" : "unmet").field("false").field("");
      line.field(known.verified_at(phase, criterion)).field("").field(criterion.verify);
      line.field(std::to_string(criterion.line));
    }
  }
  return text;
}

std::string export_tasklist(const ExportedPlan& exported) {
  std::string text = "# " + shown(exported.plan.title, exported.plan_id) + "\n";
  for (const core::Phase& phase : exported.plan.phases) {
    if (phase.tasks.empty() && phase.acceptance.empty()) continue;
    // Under the plan's own title alone, it would be said twice.
    const bool same =
        exported.plan.phases.size() == 1 && !phase.title.empty() && phase.title == exported.plan.title;
    text += same ? "\n" : "\n## " + shown(phase.title, phase.id.text) + "\n\n";
    Nesting nesting;
    for (const core::Task& task : phase.tasks) {
      text.append(2 * nesting.depth_of(task), ' ');
      text += std::string("- [") + (task.done() ? 'x' : ' ') + "] " + shown(task.title, task.id.text);
      if (task.state == core::BoxState::active) text += " _(in progress)_";
      if (task.optional) text += " _(optional)_";
      text += "\n";
    }
    if (phase.acceptance.empty()) continue;
    text += phase.tasks.empty() ? "" : "\n";
    text += "Done when:\n\n";
    for (const core::Criterion& criterion : phase.acceptance) {
      text += std::string("- [") + (criterion.met ? 'x' : ' ') + "] " +
              shown(criterion.title, criterion.id.text) + "\n";
    }
  }
  return text;
}

}  // namespace plankeep::render
