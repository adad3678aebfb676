#include <nlohmann/json.hpp>

#include "model/json/event_json.hpp"
#include "model/progress.hpp"
#include "render/progress/tasks.hpp"

namespace plankeep::render {
namespace {

using Json = nlohmann::ordered_json;

std::string dumped(const Json& json) {
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

template <class Source>
Json plan_of(const Source& source) {
  return {{"id", source.plan_id}, {"path", source.path}};
}

std::string_view text_of(std::string_view text) {
  return text;
}
std::string_view text_of(const core::TaskId& id) {
  return id.text;
}

template <class Ids>
Json ids_of(const Ids& ids) {
  Json list = Json::array();
  for (const auto& id : ids) list.push_back(text_of(id));
  return list;
}

// Of a row of a table or a view.
template <class Task>
void put_task(Json& out, std::string_view phase, const Task& task, const core::LeaseRow* lease) {
  out["id"] = text_of(task.id);
  out["phaseId"] = phase;
  out["title"] = task.title;
  out["state"] = core::name_of(task.state);
  out["done"] = task.state == core::BoxState::done;
  out["optional"] = task.optional;
  if (task.line > 0) out["line"] = task.line;
  out["after"] = ids_of(task.after);
  out["waitingFor"] = ids_of(task.waiting_for);
  if (task.completed_at) out["completedAt"] = base::to_iso8601(*task.completed_at);
  if (!task.completed_by.empty()) out["completedBy"] = task.completed_by;
  if (lease != nullptr && lease->status == core::LeaseStatus::held)
    out["claim"] = {{"by", lease->by}, {"until", base::to_iso8601(lease->until)}};
}

template <class Section>
void put_place(Json& out, std::string_view parent, const Section& section) {
  if (!parent.empty()) out["parent"] = parent;
  if (!section.empty()) out["section"] = section;
}

Json related(const std::vector<app::RelatedTask>& tasks) {
  Json list = Json::array();
  for (const app::RelatedTask& task : tasks) {
    if (task.missing) {
      list.push_back({{"id", task.id.text}, {"missing", true}});
    } else {
      list.push_back({{"id", task.id.text},
                      {"phaseId", task.phase.text},
                      {"title", task.title},
                      {"state", core::name_of(task.state)}});
    }
  }
  return list;
}

Json events_of(const std::vector<core::Event>& events) {
  Json list = Json::array();
  for (const core::Event& event : events)
    list.push_back(Json::parse(core::encode_event(event), nullptr, false));
  return list;
}

void put_criterion(Json& out, const core::PhaseRow& phase, const core::CriterionRow& criterion) {
  out["id"] = criterion.id.text;
  out["phaseId"] = phase.id.text;
  out["title"] = criterion.title;
  out["met"] = criterion.met;
  if (criterion.line > 0) out["line"] = criterion.line;
  if (!criterion.verify.empty()) out["verify"] = criterion.verify;
  if (criterion.proof != core::Proof::no_command) out["proof"] = core::name_of(criterion.proof);
  if (!criterion.why.empty()) out["why"] = criterion.why;
}

}  // namespace

std::string list_json(const core::TaskTable& table, const core::TaskList& list) {
  Json out;
  out["plan"] = plan_of(table);
  out["total"] = list.of();
  Json& tasks = out["tasks"] = Json::array();
  list.each([&](const core::ListedTask& listed) {
    const core::TableTask& task = listed.task;
    Json& row = tasks.emplace_back();
    put_task(row, table.phases[listed.phase].id, task, table.lease_of(listed.phase, listed.place).get());
    put_place(row, task.parent, task.section);
  });
  if (!table.unreadable.empty()) out["warnings"] = {table.unreadable};
  return dumped(out);
}

std::string task_json(const app::TaskReport& report) {
  Json out;
  out["plan"] = plan_of(report);
  Json& item = out[report.task() == nullptr ? "criterion" : "task"];
  const core::PhaseRow& phase = report.phase_row();
  if (report.task() == nullptr) {
    put_criterion(item, phase, *report.criterion_row());
  } else {
    put_task(item, phase.id.text, *report.task(), report.task()->lease.get());
  }
  put_place(item, report.parents.empty() ? std::string_view() : report.parents.back().id.text,
            report.section);
  out["text"] = report.text;
  out["parents"] = related(report.parents);
  out["steps"] = related(report.children);
  out["after"] = related(report.after);
  out["neededBy"] = related(report.needed_by);
  out["earlierTitles"] = report.earlier_titles;
  out["history"] = events_of(report.events);
  out["records"] = events_of(report.records);
  return dumped(out);
}

std::string search_json(const app::SearchResult& result) {
  Json out;
  out["hits"] = Json::array();
  for (const app::SearchHit& hit : result.hits) {
    Json& row = out["hits"].emplace_back();
    row["planId"] = hit.plan_id;
    row["file"] = hit.file;
    row["kind"] = hit.kind;
    if (!hit.id.empty()) row["id"] = hit.id;
    row["text"] = hit.text;
    if (hit.line > 0) row["line"] = hit.line;
    if (!hit.state.empty()) row["state"] = hit.state;
    if (hit.kind != "history") continue;
    row["time"] = base::to_iso8601(hit.time);
    row["event"] = hit.event;
    if (!hit.by.empty()) row["by"] = hit.by;
  }
  out["cut"] = result.cut;
  out["warnings"] = result.warnings;
  return dumped(out);
}

}  // namespace plankeep::render
