#include "lsp/diagnostics.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <unordered_map>

#include "base/utf8.hpp"
#include "model/find_task.hpp"
#include "model/record_evidence.hpp"

namespace plankeep::lsp {
namespace {

using core::DiagnosticCode;
using core::Severity;

constexpr std::size_t kMostRelated = 10;
constexpr std::size_t kMostParents = 100;  // looking for their children costs a walk through the plan each

class Finder {
 public:
  explicit Finder(const FindingsInput& input) : in_(input) {}

  std::vector<Finding> find() {
    for (const core::Diagnostic& diagnostic : in_.plan.diagnostics) lint(diagnostic);
    for (const core::Diagnostic& diagnostic : in_.secrets) lint(diagnostic);
    for (const core::Diagnostic& diagnostic : in_.lookalikes) lint(diagnostic);
    criteria();
    dependencies();
    claims();
    std::stable_sort(found_.begin(), found_.end(),
                     [](const Finding& a, const Finding& b) { return a.at.begin < b.at.begin; });
    bound();
    return std::move(found_);
  }

 private:
  // The box with its brackets.
  Bytes box(const core::Box& box) const {
    return {box.offset - 1, std::min(box.offset + box.length + 1, in_.text.bytes().size())};
  }
  void lint(const core::Diagnostic& diagnostic) {
    Finding& finding = found_.emplace_back();
    finding.at = extent_of(in_.text, diagnostic.line, diagnostic.column);
    finding.severity = core::severity_of(diagnostic.code);
    finding.code = core::name_of(diagnostic.code);
    finding.message = diagnostic.message;
    if (!diagnostic.hint.empty()) finding.message += "\n" + diagnostic.hint;
    if (diagnostic.code == DiagnosticCode::duplicate_id) relate_duplicates(finding);
    if (diagnostic.code == DiagnosticCode::done_parent_open_child) relate_child(diagnostic, finding);
  }

  void read_marked_tasks() {
    if (!by_place_.empty()) return;
    for (const core::Phase& phase : in_.plan.phases) {
      for (const core::Task& task : phase.tasks) {
        if (!task.marked) continue;
        std::vector<core::Box>& boxes = boxes_of_[task.id.text];
        boxes.insert(boxes.end(), task.boxes.begin(), task.boxes.end());
        for (const core::Box& one : task.boxes) by_place_[one.offset] = &task;
      }
    }
  }

  void relate_duplicates(Finding& finding) {
    read_marked_tasks();
    const Bytes own = in_.text.line(in_.text.line_at(finding.at.begin));
    const auto at = by_place_.lower_bound(own.begin);
    if (at == by_place_.end() || at->first > own.end) return;
    for (const core::Box& other : boxes_of_[at->second->id.text]) {
      if (other.offset >= own.begin && other.offset <= own.end) continue;
      if (finding.related.size() == kMostRelated) return;
      finding.related.push_back({box(other), "the same id is here"});
    }
  }

  void relate_child(const core::Diagnostic& diagnostic, Finding& finding) {
    if (++parents_ > kMostParents) return;
    for (const core::Phase& phase : in_.plan.phases) {
      const auto parent = std::find_if(phase.tasks.begin(), phase.tasks.end(),
                                       [&](const core::Task& task) { return task.line == diagnostic.line; });
      if (parent == phase.tasks.end()) continue;
      for (const core::Task& task : phase.tasks) {
        if (task.parent != parent->id || task.done() || task.optional) continue;
        if (finding.related.size() == kMostRelated) return;
        finding.related.push_back({box(task.boxes.front()), "this one is open"});
      }
      return;
    }
  }

  // Ticked, and not proven; as lint, only of what is tracked.
  void criteria() {
    if (!in_.records.tracked) return;
    std::optional<core::KnownEvidence> known;
    for (const core::Phase& phase : in_.plan.phases) {
      for (const core::Criterion& criterion : phase.acceptance) {
        if (!criterion.met || criterion.verify.empty()) continue;
        if (!known) known.emplace(in_.records.state.get());
        judge(criterion, known->find(phase.id, criterion.id));
      }
    }
  }

  void judge(const core::Criterion& criterion, const std::optional<core::Evidence>& evidence) {
    const core::Proof proof = core::judge(evidence, criterion.verify, in_.tree);
    if (proof == core::Proof::proven || proof == core::Proof::no_command) return;
    Finding& finding = found_.emplace_back();
    finding.at = box(criterion.boxes.front());
    finding.severity = core::severity_of(DiagnosticCode::unproven_criterion);
    finding.code = proof == core::Proof::stale
                       ? "stale-evidence"
                       : std::string(core::name_of(DiagnosticCode::unproven_criterion));
    const std::string why = core::why_not_fresh(evidence, criterion.verify, in_.tree);
    const std::string name = "criterion \"" + criterion.id.text + "\" is ticked, but ";
    finding.message = name + (proof == core::Proof::stale     ? "what proved it is out of date"
                              : proof == core::Proof::failed  ? "its command failed"
                              : proof == core::Proof::unknown ? "whether its proof still holds cannot be told"
                                                              : "its command was never run");
    if (!why.empty()) finding.message += ": " + why;
    finding.message += "\nto run it: plankeep verify " + criterion.id.text;
  }

  // The tasks with an id that a done task names in its `after`.
  struct Named {
    const core::Task* first = nullptr;  // null: no task has this id; lint reports it
    bool open = false;                  // at least one of the tasks is open
  };
  using NamedTasks = std::unordered_map<std::string_view, Named>;

  // Only these ids are looked up, since there are usually few or none.
  void dependencies() {
    NamedTasks named;
    for (const core::Phase& phase : in_.plan.phases) {
      for (const core::Task& task : phase.tasks) {
        if (!task.done()) continue;
        for (const core::TaskId& id : task.after) named.try_emplace(id.text);
      }
    }
    if (named.empty()) return;
    for (const core::Phase& phase : in_.plan.phases) {
      for (const core::Task& task : phase.tasks) {
        const auto at = named.find(task.id.text);
        if (at == named.end()) continue;
        if (at->second.first == nullptr) at->second.first = &task;
        at->second.open = at->second.open || !task.done();
      }
    }
    for (const core::Phase& phase : in_.plan.phases) {
      for (const core::Task& task : phase.tasks) {
        if (task.done() && !task.after.empty()) done_too_early(task, named);
      }
    }
  }

  void done_too_early(const core::Task& task, const NamedTasks& named) {
    std::string open;
    std::vector<RelatedPlace> related;
    for (const core::TaskId& id : task.after) {
      const Named& one = named.at(id.text);
      if (one.first == nullptr || !one.open) continue;
      open += (open.empty() ? "\"" : ", \"") + id.text + "\"";
      if (related.size() < kMostRelated)
        related.push_back({box(one.first->boxes.front()), "this one is open"});
    }
    if (open.empty()) return;
    found_.push_back(
        {box(task.boxes.front()), Severity::warning, "done-before-dependency",
         "task \"" + task.id.text + "\" is ticked, but comes after " + open + ", which is not done",
         std::move(related)});
  }

  void claims() {
    if (in_.known == nullptr || in_.records.state == nullptr) return;
    const std::vector<core::LeaseState>& leases = in_.records.state->leases;
    for (std::size_t i = 0; i < leases.size(); ++i) {
      const core::LeaseState& lease = leases[i];
      const bool held = i < in_.records.statuses.size() && in_.records.statuses[i] == core::LeaseStatus::held;
      if (!held || lease.by == in_.actor) continue;
      const core::Task* task = core::find_task(*in_.known, lease.phase, lease.task);
      if (task == nullptr || task->boxes.empty() || task->done()) continue;
      found_.push_back({box(task->boxes.front()),
                        Severity::info,
                        "claimed-task",
                        "task \"" + task->id.text + "\" is claimed by " + lease.by + " until " +
                            base::to_iso8601(lease.until),
                        {}});
    }
  }

  // Errors first, then warnings, each from the beginning of the plan.
  void bound() {
    if (found_.size() <= kMostFindings) return;
    std::stable_sort(found_.begin(), found_.end(),
                     [](const Finding& a, const Finding& b) { return a.severity < b.severity; });
    const std::size_t left_out = found_.size() - kMostFindings;
    found_.resize(kMostFindings);
    std::stable_sort(found_.begin(), found_.end(),
                     [](const Finding& a, const Finding& b) { return a.at.begin < b.at.begin; });
    found_.push_back(
        {{0, 0}, Severity::info, "more", std::to_string(left_out) + " more: run plankeep lint", {}});
  }

  const FindingsInput& in_;
  std::vector<Finding> found_;
  // Of the tasks with markers; made when the first duplicate is found.
  std::map<std::size_t, const core::Task*> by_place_;
  std::unordered_map<std::string_view, std::vector<core::Box>> boxes_of_;
  std::size_t parents_ = 0;  // whose children were looked for
};

int number_of(Severity severity) {
  switch (severity) {
    case Severity::error:
      return 1;
    case Severity::warning:
      return 2;
    case Severity::info:
      return 3;
  }
  return 3;
}

}  // namespace

Bytes extent_of(const Text& text, std::int64_t line, std::int64_t column) {
  const std::size_t begin = text.offset_of_place(line, column);
  const Bytes whole = text.line(text.line_at(begin));
  const std::string_view rest = text.part({begin, whole.end});
  std::size_t length = rest.size();
  if (rest.starts_with("<!--")) {
    const std::size_t end = rest.find("-->");
    if (end != std::string_view::npos) length = end + 3;
  } else if (rest.starts_with("[")) {
    const std::size_t end = rest.find(']');
    if (end != std::string_view::npos) length = end + 1;
  } else {
    const std::size_t last = rest.find_last_not_of(" \t");
    length = last == std::string_view::npos ? 0 : last + 1;
  }
  return {begin, begin + length};
}

std::vector<Finding> findings_of(const FindingsInput& input) {
  return Finder(input).find();
}

OrderedJson diagnostics_json(const std::vector<Finding>& findings, const Text& text,
                             const DiagnosticsShape& shape) {
  OrderedJson all = OrderedJson::array();
  for (const Finding& finding : findings) {
    OrderedJson one = {{"range", json_of(text.range_of(finding.at, shape.encoding))},
                       {"severity", number_of(finding.severity)},
                       {"code", finding.code},
                       {"source", "plankeep"},
                       {"message", base::printable(finding.message, true)}};
    if (!shape.page.empty()) one["codeDescription"] = {{"href", shape.page + "#" + finding.code}};
    if (shape.related && !finding.related.empty()) {
      OrderedJson& places = one["relatedInformation"] = OrderedJson::array();
      for (const RelatedPlace& place : finding.related) {
        places.push_back(
            {{"location", {{"uri", shape.uri}, {"range", json_of(text.range_of(place.at, shape.encoding))}}},
             {"message", place.message}});
      }
    }
    all.push_back(std::move(one));
  }
  return all;
}

}  // namespace plankeep::lsp
