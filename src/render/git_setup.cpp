#include "render/git_setup.hpp"

#include <algorithm>

#include "base/enum_names.hpp"
#include "base/json_writer.hpp"

namespace plankeep::render {
namespace {

using Action = app::GitSetupRequest::Action;

bool all_present(const app::GitSetupReport& report) {
  return std::all_of(report.steps.begin(), report.steps.end(),
                     [](const app::GitSetupReport::Step& step) { return step.state == "present"; });
}

constexpr auto kActions = base::enum_names<Action>(
    {{Action::install, "install"}, {Action::undo, "undo"}, {Action::check, "check"}});

std::string_view name_of(Action action) {
  return kActions.name_of(action);
}

std::string words_for(const app::GitSetupReport& report, const std::string& state, bool dry_run) {
  if (report.action == Action::check && state == "added") return "missing";
  if (report.action == Action::check && state == "updated") return "outdated";
  if (report.action == Action::undo && state == "missing") return "absent";
  if (!dry_run) return state;
  if (state == "added") return "would add";
  if (state == "updated") return "would update";
  return state == "removed" ? "would remove" : state;
}

}  // namespace

bool complete(const app::GitSetupReport& report) {
  return all_present(report) && report.effective == "plankeep";
}

std::string git_setup_text(const app::GitSetupReport& report, bool dry_run, const Style& style) {
  std::string text;
  for (const app::GitSetupReport::Step& step : report.steps) {
    text += pad_right(words_for(report, step.state, dry_run), dry_run ? 14 : 10) + safe_line(step.what) +
            " in " + safe_line(step.shown) + "\n";
  }
  if (dry_run) {
    text += "nothing written (dry run)\n";
  } else if (report.action == Action::undo) {
    text += "git merges plans line by line again\n";
  } else if (report.effective != "plankeep" && (report.action == Action::install || all_present(report))) {
    text += paint(style, Paint::warning, "another setting takes precedence") +
            ": git uses merge=" + safe_line(report.effective) + " for " + safe_line(report.plan) +
            " (see git check-attr merge " + safe_line(report.plan) + ")\n";
  } else if (report.action == Action::install) {
    const bool shared = std::any_of(
        report.steps.begin(), report.steps.end(),
        [](const app::GitSetupReport::Step& step) { return step.where.ends_with("/.gitattributes"); });
    text += "git now merges plans with plankeep.";
    text += shared ? " Commit .gitattributes; run plankeep git-setup once in every clone.\n"
                   : " This holds for this clone alone.\n";
    text += "Only plans are merged: state and history belong to one machine and are never in git.\n";
  }
  return text;
}

std::string git_setup_json(const app::GitSetupReport& report) {
  base::JsonWriter out(base::JsonWriter::Layout::indented);
  out.begin_object();
  out.key("action").value(name_of(report.action));
  out.key("repository").value(report.top);
  out.key("written").value(report.written);
  out.key("complete").value(complete(report));
  out.key("plan").value(report.plan);
  out.key("effective").value(report.effective);
  out.key("steps").begin_array();
  for (const app::GitSetupReport::Step& step : report.steps) {
    out.begin_object();
    out.key("what").value(step.what);
    out.key("path").value(step.where);
    out.key("state").value(step.state);
    out.end_object();
  }
  out.end_array();
  out.end_object();
  return out.finish();
}

}  // namespace plankeep::render
