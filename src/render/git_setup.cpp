#include "render/git_setup.hpp"

#include <algorithm>

#include "base/json_writer.hpp"

namespace plankeep::render {
namespace {

using Action = GitSetupView::Action;

bool all_present(const GitSetupView& view) {
  return std::all_of(view.steps.begin(), view.steps.end(),
                     [](const GitSetupView::Step& step) { return step.state == "present"; });
}

std::string_view name_of(Action action) {
  switch (action) {
    case Action::install:
      return "install";
    case Action::undo:
      return "undo";
    case Action::check:
      return "check";
  }
  return "check";
}

std::string words_for(const GitSetupView& view, const std::string& state) {
  if (view.action == Action::check && state == "added") return "missing";
  if (view.action == Action::check && state == "updated") return "outdated";
  if (view.action == Action::undo && state == "missing") return "absent";
  return state;
}

}  // namespace

bool complete(const GitSetupView& view) {
  return all_present(view) && view.effective == "plankeep";
}

std::string git_setup_text(const GitSetupView& view, const Style& style) {
  std::string text;
  for (const GitSetupView::Step& step : view.steps) {
    text += pad_right(words_for(view, step.state), 10) + safe_line(step.what) + " in " +
            safe_line(step.shown) + "\n";
  }
  if (view.dry_run) {
    text += "nothing written (dry run)\n";
  } else if (view.action == Action::undo) {
    text += "git merges plans line by line again\n";
  } else if (view.effective != "plankeep" && (view.action == Action::install || all_present(view))) {
    text += paint(style, Paint::warning, "another setting takes precedence") +
            ": git uses merge=" + safe_line(view.effective) +
            " for plan.md (see git check-attr merge plan.md)\n";
  } else if (view.action == Action::install) {
    text +=
        "git now merges files named plan.md with plankeep. Commit .gitattributes; run plankeep git-setup "
        "once in\n"
        "every clone. Only plans are merged: state and history belong to one machine and are never in git.\n";
  }
  return text;
}

std::string git_setup_json(const GitSetupView& view) {
  base::JsonWriter out(base::JsonWriter::Layout::indented);
  out.begin_object();
  out.key("action").value(name_of(view.action));
  out.key("repository").value(view.top);
  out.key("written").value(view.written);
  out.key("complete").value(complete(view));
  out.key("effective").value(view.effective);
  out.key("steps").begin_array();
  for (const GitSetupView::Step& step : view.steps) {
    out.begin_object();
    out.key("what").value(step.what);
    out.key("path").value(step.path);
    out.key("state").value(step.state);
    out.end_object();
  }
  out.end_array();
  out.end_object();
  return out.finish();
}

}  // namespace plankeep::render
