#include "render/report/report_sections.hpp"

#include <algorithm>
#include <map>

#include "base/text.hpp"
#include "charts/markup.hpp"
#include "model/item_key.hpp"
#include "model/progress.hpp"
#include "render/progress/forecast.hpp"
#include "render/recorded/log.hpp"
#include "render/report/report.hpp"
#include "render/report/report_charts.hpp"

namespace plankeep::render {
namespace {

using base::Instant;

using base::kHour;

std::string text(std::string_view plain) {
  return charts::markup_text(plain, kLongestText);
}

std::string cell(std::string_view content, std::string_view classes = {}) {
  std::string out = "<td";
  if (!classes.empty()) out += " class=\"" + std::string(classes) + "\"";
  return out + ">" + std::string(content) + "</td>";
}

std::string count_cell(std::int64_t number) {
  return cell(std::to_string(number), "number");
}

std::string time_cell(const std::optional<Instant>& time) {
  return cell(time ? "<time datetime=\"" + base::to_iso8601(*time) + "\">" + minute(*time) + "</time>" : "",
              "date");
}

// "3 d 4 h", "12 h", "under an hour".
std::string length(std::int64_t milliseconds) {
  const std::int64_t hours = milliseconds / kHour;
  if (hours < 1) return "under an hour";
  if (hours < 48) return std::to_string(hours) + " h";
  return std::to_string(hours / 24) + " d" + (hours % 24 == 0 ? "" : " " + std::to_string(hours % 24) + " h");
}

std::string head_row(const std::vector<std::pair<std::string_view, bool>>& columns) {
  std::string row = "<thead><tr>";
  for (const auto& [name, is_number] : columns)
    row += std::string("<th scope=\"col\"") + (is_number ? " class=\"number\"" : "") + ">" +
           std::string(name) + "</th>";
  return row + "</tr></thead>\n";
}

// A region that scrolls by itself can be reached with the keyboard.
std::string scrolling(std::string_view label, std::string_view content) {
  return "<div class=\"wide\" role=\"region\" tabindex=\"0\" aria-label=\"" + std::string(label) + "\">\n" +
         std::string(content) + "</div>\n";
}

std::string not_listed(std::size_t count, std::string_view one, std::string_view many) {
  return count == 0 ? "" : "<p>" + base::counted(count, one, many) + " not listed.</p>\n";
}

class PlanSection {
 public:
  PlanSection(const app::PlanReport& report, std::size_t number, int level)
      : report_(report), view_(report.view), number_(std::to_string(number)), level_(level) {}

  std::string make() {
    header();
    in_the_way();
    burn_up();
    forecast();
    phases();
    actors();
    tasks();
    dependencies();
    decisions();
    records();
    incidents();
    return std::move(out_);
  }

 private:
  // The name of one picture among several plans' pictures, for readers that list regions.
  std::string region(std::string_view name) const {
    return std::string(name) + (level_ == 1 ? std::string() : ", " + text(name_of_plan()));
  }

  std::string name_of_plan() const { return view_.title.empty() ? view_.file : view_.title; }

  void heading(std::string_view title) {
    const std::string tag = level_ == 1 ? "h2" : "h3";
    out_ += "<" + tag + ">" + std::string(title) + "</" + tag + ">\n";
  }

  void header() {
    const std::string tag = level_ == 1 ? "h1" : "h2";
    out_ += "<" + tag + " id=\"plan" + number_ + "\">" + text(name_of_plan()) + "</" + tag + ">\n";
    out_ +=
        "<p class=\"quiet\"><code>" + text(view_.file) + "</code>, as of " + minute(view_.now) + " UTC</p>\n";
    const core::Progress& progress = view_.progress;
    out_ += "<p><strong>" + std::to_string(progress.completed) + " of " +
            base::counted(progress.total, "task", "tasks") + "</strong> done, " +
            percent(progress.percent_tenths) + " %" + text(beside_the_totals(progress, view_.skipped)) +
            "</p>\n";
    out_ += "<progress max=\"" + std::to_string(std::max<std::int64_t>(progress.total, 1)) + "\" value=\"" +
            std::to_string(progress.completed) + "\" aria-label=\"Progress of " + text(name_of_plan()) +
            "\"></progress>\n";
    if (const core::PhaseRow* phase = view_.phase()) {
      out_ += "<p>Current: ";
      if (const core::TaskRow* task = view_.task()) {
        const std::string_view title = core::title_beside_id(task->title, task->id.text);
        if (!title.empty()) out_ += "<strong>" + text(title) + "</strong> ";
        out_ += "<code>" + text(task->id.text) + "</code>, in ";
      }
      out_ += text(core::title_or_id(*phase)) + "</p>\n";
    }
  }

  void in_the_way() {
    std::string items;
    for (const std::string& blocker : view_.blockers)
      items += "<li class=\"bad\">Blocked: " + text(blocker) + "</li>\n";
    for (const core::VanishedTask& task : view_.vanished)
      items += "<li class=\"warn\">No longer in the plan: " + text(core::title_or_id(task)) + "</li>\n";
    for (const std::string& warning : report_.warnings)
      items += "<li class=\"warn\">" + text(warning) + "</li>\n";
    if (!items.empty()) out_ += "<ul>\n" + items + "</ul>\n";
  }

  void burn_up() {
    const std::string picture = burn_up_picture(report_);
    if (picture.empty()) return;
    out_ += "<section>\n";
    heading("Burn-up");
    out_ +=
        "<ul class=\"key\"><li><svg aria-hidden=\"true\" viewBox=\"0 0 22 12\"><line x1=\"0\" y1=\"6\" "
        "x2=\"22\" "
        "y2=\"6\" class=\"done\"/></svg>tasks done</li>"
        "<li><svg aria-hidden=\"true\" viewBox=\"0 0 22 12\"><line x1=\"0\" y1=\"6\" x2=\"22\" y2=\"6\" "
        "class=\"scope\"/></svg>all tasks</li>";
    const std::vector<BandName> names = band_names(report_);
    for (std::size_t i = 0; i < names.size(); ++i) {
      out_ +=
          "<li><svg aria-hidden=\"true\" viewBox=\"0 0 22 12\"><rect width=\"22\" height=\"12\" "
          "class=\"band" +
          std::to_string(i % (kMostBands + 1)) + "\"/></svg>" + text(names[i].label) + "</li>";
    }
    out_ += "</ul>\n" + scrolling(region("Burn-up"), picture);
    out_ += "<p class=\"time-says quiet\" aria-hidden=\"true\"></p>\n<details><summary>Numbers</summary>\n";
    std::string rows =
        "<table>\n" + head_row({{"Time (UTC)", false}, {"Done", true}, {"Tasks", true}}) + "<tbody>\n";
    for (const core::BurnSample& sample : report_.burn) {
      rows += "<tr data-time=\"" + std::to_string(sample.time.milliseconds) + "\">" + time_cell(sample.time) +
              count_cell(sample.done) + count_cell(sample.total) + "</tr>\n";
    }
    out_ +=
        scrolling(region("Numbers of the burn-up"), rows + "</tbody></table>\n") + "</details>\n</section>\n";
  }

  void forecast() {
    if (report_.forecast.open == 0) return;
    heading("Forecast");
    const core::Forecast& forecast = report_.forecast;
    if (forecast.is_too_early()) {
      Style plain;
      plain.columns = kUnlimited;
      out_ += "<p>" + text(forecast_text(forecast, view_.now, plain)) + "</p>\n";
      return;
    }
    out_ += "<p>" + base::counted(forecast.open, "task is", "tasks are") + " open. Judged by " +
            std::to_string(forecast.completed) + " completed in " +
            base::counted(forecast.days, "day", "days") + ".</p>\n";
    std::string rows =
        "<table>\n" +
        head_row({{"Chance", true}, {"By days", false}, {"By hours of work", false}, {"Hours", true}}) +
        "<tbody>\n";
    const auto date = [](const std::optional<Instant>& time) {
      return cell(time ? base::to_iso8601(*time).substr(0, 10) : "not in sight", "date");
    };
    const auto row = [&](std::string_view chance, const auto& day, const auto& hour, const auto& hours) {
      rows += "<tr>" + cell(chance, "number") + date(day) + date(hour) +
              cell(hours ? std::to_string(*hours) : "", "number") + "</tr>\n";
    };
    row("50 %", forecast.by_day.p50, forecast.by_hour.p50, forecast.hours.p50);
    row("85 %", forecast.by_day.p85, forecast.by_hour.p85, forecast.hours.p85);
    row("95 %", forecast.by_day.p95, forecast.by_hour.p95, forecast.hours.p95);
    out_ += scrolling(region("Forecast"), rows + "</tbody></table>\n");
  }

  void phases() {
    if (view_.phases.empty()) return;
    heading("Phases");
    out_ += scrolling(region("Phases on a time axis"), phases_picture(report_));
    std::string rows = "<table>\n" +
                       head_row({{"Phase", false},
                                 {"Started", false},
                                 {"Completed", false},
                                 {"Tasks done", true},
                                 {"Criteria met", true},
                                 {"Proven", true}}) +
                       "<tbody>\n";
    for (std::size_t i = 0; i < view_.phases.size(); ++i) {
      const core::PhaseRow& phase = view_.phases[i];
      rows +=
          "<tr>" + cell(text(core::title_or_id(phase))) + time_cell(report_.times[i].started_at) +
          time_cell(report_.times[i].completed_at) +
          cell(std::to_string(phase.done) + " of " + std::to_string(phase.total), "number") +
          cell(std::to_string(phase.acceptance_met) + " of " + std::to_string(phase.acceptance_total),
               "number") +
          cell(std::to_string(phase.proof.proven) + " of " + std::to_string(phase.proof.commands), "number") +
          "</tr>\n";
    }
    out_ += "<details><summary>Dates and numbers</summary>\n" +
            scrolling(region("Dates of the phases"), rows + "</tbody></table>\n") + "</details>\n";
  }

  void actors() {
    if (report_.facts.actors.empty()) return;
    heading("Who");
    std::string rows = "<table>\n" +
                       head_row({{"Actor", false},
                                 {"Tasks done", true},
                                 {"Taken back", true},
                                 {"Claims refused", true},
                                 {"Criteria met", true},
                                 {"With proof", true}}) +
                       "<tbody>\n";
    for (const core::ActorFacts& actor : report_.facts.actors) {
      rows +=
          "<tr>" + cell(text(actor.name)) + count_cell(actor.done) + count_cell(actor.taken_back) +
          count_cell(actor.refused) + count_cell(actor.criteria) +
          cell(actor.criteria > 0 ? percent(core::percent_tenths(actor.proven, actor.criteria)) + " %" : "",
               "number") +
          "</tr>\n";
    }
    out_ += scrolling(region("Who did what"), rows + "</tbody></table>\n");
  }

  std::string task_row(const core::PhaseRow& phase, const core::TaskRow& task) const {
    const std::string phase_name = text(core::title_or_id(phase));
    const std::string state = task.state == core::BoxState::open && !task.waiting_for.empty()
                                  ? "waiting"
                                  : std::string(name_of(task.state));
    std::string name = text(task.title);
    if (!task.parent.empty()) name = "<span class=\"quiet\">" + text(task.parent.text) + " ›</span> " + name;
    if (task.children > 0) {
      name += " <span class=\"quiet\">(" + std::to_string(task.children_done) + " of " +
              base::counted(task.children, "step", "steps") + ")</span>";
    }
    if (task.optional) name += " <span class=\"quiet\">(optional)</span>";
    const auto earlier = report_.facts.earlier_titles.find(core::report_key(phase.id, task.id));
    if (earlier != report_.facts.earlier_titles.end()) {
      name += "<details><summary>earlier names</summary>";
      for (const std::string& title : earlier->second) name += "<div>" + text(title) + "</div>";
      name += "</details>";
    }
    std::string after;
    for (const core::TaskId& id : task.after) base::append_listed(after, text(id.text));
    std::string who = text(task.completed_by);
    if (task.held()) who = text(task.lease->by) + " <span class=\"quiet\">(claimed)</span>";
    return "<tr data-state=\"" + state + "\" data-phase=\"" + phase_name + "\" data-actor=\"" +
           text(task.held() ? task.lease->by : task.completed_by) + "\">" + cell(state) +
           cell("<code>" + text(task.id.text) + "</code>") + cell(name, "task") + cell(phase_name) +
           cell(after) + cell(who) + time_cell(task.completed_at) + "</tr>\n";
  }

  void tasks() {
    std::int64_t left_out = 0;
    std::map<std::string, std::int64_t> left_in;
    std::string rows;
    std::size_t count = 0;
    for (const core::PhaseRow& phase : view_.phases) {
      for (const core::TaskRow& task : phase.tasks) {
        if (count < kMostTaskRows && rows.size() < kMostRowBytes) {
          rows += task_row(phase, task);
          ++count;
        } else {
          ++left_out;
          ++left_in[core::title_or_id(phase)];
        }
      }
    }
    if (count == 0) return;
    out_ += "<section>\n";
    heading("Tasks");
    out_ +=
        "<form class=\"filter\" hidden><label>Text<input type=\"search\" name=\"text\"></label>"
        "<label>Phase<select name=\"phase\"><option value=\"\">all</option></select></label>"
        "<label>Actor<select name=\"actor\"><option value=\"\">all</option></select></label>"
        "<label>State<select name=\"state\"><option value=\"\">all</option><option>open</option>"
        "<option>waiting</option><option>active</option><option>done</option></select></label>"
        "<output></output></form>\n";
    out_ += scrolling(region("Tasks"), "<table class=\"full\">\n" +
                                           head_row({{"State", false},
                                                     {"Id", false},
                                                     {"Task", false},
                                                     {"Phase", false},
                                                     {"After", false},
                                                     {"Who", false},
                                                     {"Completed", false}}) +
                                           "<tbody>\n" + rows + "</tbody></table>\n");
    if (left_out > 0) {
      out_ += "<p>" + base::counted(left_out, "more task is", "more tasks are") + " not listed:</p>\n<ul>\n";
      std::size_t shown = 0;
      for (const auto& [phase, tasks_left] : left_in) {
        if (++shown > 50) {
          out_ += "<li>and in " + std::to_string(left_in.size() - 50) + " other phases</li>\n";
          break;
        }
        out_ += "<li>" + text(phase) + ": " + std::to_string(tasks_left) + "</li>\n";
      }
      out_ += "</ul>\n";
    }
    criteria();
    out_ += "</section>\n";
  }

  void criteria() {
    std::string items;
    std::size_t left_out = 0;
    for (const core::PhaseRow& phase : view_.phases) {
      for (const core::CriterionRow& criterion : phase.acceptance) {
        if (items.size() > kMostRowBytes / 4) {
          ++left_out;
          continue;
        }
        items += "<li>" + std::string(criterion.met ? "met" : "open") + ": " + text(criterion.title) +
                 " <span class=\"quiet\">" + text(core::title_or_id(phase));
        if (!criterion.verify.empty()) items += ", " + text(name_of(criterion.proof));
        items += "</span>";
        const auto known = report_.evidence.find(core::report_key(phase.id, criterion.id));
        if (known != report_.evidence.end()) {
          const core::Evidence* evidence = &known->second;
          items += "<details><summary>" + minute(evidence->time) + ", exit status " +
                   std::to_string(evidence->status) + "</summary><pre>$ " + text(evidence->command) + "\n" +
                   charts::markup_text(evidence->last_lines, 4000) + "</pre></details>";
        }
        items += "</li>\n";
      }
    }
    if (items.empty()) return;
    heading("Criteria");
    out_ += "<ul>\n" + items + "</ul>\n" + not_listed(left_out, "more criterion is", "more criteria are");
  }

  void dependencies() {
    const std::string picture = layers_picture(report_);
    if (picture.empty()) return;
    heading("Dependencies");
    out_ += scrolling(region("Dependencies"), picture);
    const std::size_t count = linked_tasks(report_);
    if (count > kMostNodes)
      out_ += "<p>The first " + std::to_string(kMostNodes) + " of " + std::to_string(count) +
              " tasks are drawn.</p>\n";
  }

  void decisions() {
    if (!view_.decisions.empty()) {
      heading("Decisions");
      std::string rows;
      std::size_t left_out = 0;
      for (const core::DecisionRow& decision : view_.decisions) {
        if (rows.size() > kMostRowBytes / 8) {
          ++left_out;
          continue;
        }
        rows += "<tr>" + time_cell(decision.time) + cell(text(decision.decision)) +
                cell(text(decision.reason)) + "</tr>\n";
      }
      out_ += scrolling(region("Decisions"),
                        "<table>\n" + head_row({{"Since", false}, {"Decision", false}, {"Reason", false}}) +
                            "<tbody>\n" + rows + "</tbody></table>\n") +
              not_listed(left_out, "more decision is", "more decisions are");
    }
    blockers();
  }

  void blockers() {
    if (report_.facts.blockers.empty()) return;
    heading("Blockers");
    std::string rows;
    std::size_t left_out = 0;
    for (auto blocker = report_.facts.blockers.rbegin(); blocker != report_.facts.blockers.rend();
         ++blocker) {
      if (rows.size() > kMostRowBytes / 8) {
        ++left_out;
        continue;
      }
      const Instant end = blocker->to.value_or(view_.now);
      rows += "<tr>" + cell(text(blocker->text)) + time_cell(blocker->from) + time_cell(blocker->to) +
              cell(length(std::max<std::int64_t>(0, end.milliseconds - blocker->from.milliseconds))) +
              "</tr>\n";
    }
    out_ += scrolling(region("Blockers"),
                      "<table>\n" +
                          head_row({{"Blocker", false}, {"From", false}, {"To", false}, {"For", false}}) +
                          "<tbody>\n" + rows + "</tbody></table>\n") +
            not_listed(left_out, "earlier blocker is", "earlier blockers are");
  }

  // The newest of each kind, newest first.
  std::string list(std::string_view title, const core::Marks& marks) const {
    std::string items;
    std::size_t count = 0;
    for (auto mark = marks.newest.rbegin(); mark != marks.newest.rend(); ++mark) {
      if (report_.since && mark->time < *report_.since) break;
      items += "<li>" + minute(mark->time) + " " + text(describe(mark->event)) + "</li>\n";
      ++count;
    }
    if (count == 0) return {};
    if (marks.earlier > 0) items += "<li>and " + std::to_string(marks.earlier) + " earlier ones</li>\n";
    return "<details><summary>" + std::string(title) + " (" + std::to_string(count) + ")</summary>\n<ul>\n" +
           items + "</ul></details>\n";
  }

  void records() {
    const std::string picture = work_picture(report_);
    if (picture.empty()) return;
    heading("Checkpoints and commits");
    out_ += scrolling(region("Checkpoints and commits on a time axis"), picture);
    out_ += list("Checkpoints", report_.facts.checkpoints) + list("Commits", report_.facts.commits) +
            list("Sessions", report_.facts.sessions);
  }

  void incidents() {
    const std::string items = list("What happened", report_.facts.incidents);
    if (items.empty()) return;
    heading("Lost and put back");
    out_ += items;
  }

  const app::PlanReport& report_;
  const core::StatusView& view_;
  std::string number_;
  int level_;
  std::string out_;
};

}  // namespace

std::string plan_section(const app::PlanReport& report, std::size_t number, int level) {
  return PlanSection(report, number, level).make();
}

std::string overview(const std::vector<app::PlanReport>& reports) {
  std::string rows;
  for (std::size_t i = 0; i < reports.size(); ++i) {
    const core::StatusView& view = reports[i].view;
    const core::Forecast& forecast = reports[i].forecast;
    const bool has_date = !forecast.is_too_early() && forecast.by_day.p85 && forecast.open > 0;
    rows += "<tr>" +
            cell("<a href=\"#plan" + std::to_string(i + 1) + "\">" +
                 text(view.title.empty() ? view.file : view.title) + "</a><div class=\"quiet\"><code>" +
                 text(view.file) + "</code></div>") +
            cell(std::to_string(view.progress.completed) + " of " + std::to_string(view.progress.total),
                 "number") +
            cell(percent(view.progress.percent_tenths) + " %", "number") +
            cell(view.blockers.empty() ? "" : std::to_string(view.blockers.size()), "number") +
            cell(has_date ? base::to_iso8601(*forecast.by_day.p85).substr(0, 10) : "", "date") +
            time_cell(view.last_saved) + "</tr>\n";
  }
  return scrolling("Plans", "<table>\n" +
                                head_row({{"Plan", false},
                                          {"Tasks done", true},
                                          {"Done", true},
                                          {"Blockers", true},
                                          {"85 % sure by", false},
                                          {"Last change", false}}) +
                                "<tbody>\n" + rows + "</tbody></table>\n");
}

}  // namespace plankeep::render
