#include "render/install.hpp"

#include <algorithm>

#include "base/json_writer.hpp"
#include "render/json_parts.hpp"
#include "render/line_diff.hpp"

namespace plankeep::render {
namespace {

std::string_view name_of(InstallView::Action action) {
  switch (action) {
    case InstallView::Action::install:
      return "install";
    case InstallView::Action::uninstall:
      return "uninstall";
    case InstallView::Action::check:
      return "check";
  }
  return "check";
}

std::vector<std::string> events_in(const InstallView& view, std::string_view state) {
  std::vector<std::string> events;
  for (const InstallView::Entry& entry : view.entries) {
    if (entry.state == state) events.push_back(entry.event);
  }
  return events;
}

// "added", "would add", "missing": what `state` is called in this run.
std::string_view verb(const InstallView& view, std::string_view state) {
  if (view.action == InstallView::Action::check)
    return state == "added" ? "missing" : state == "updated" ? "outdated" : "not needed";
  const bool done = view.written;
  if (state == "added") return done ? "added" : "would add";
  if (state == "updated") return done ? "updated" : "would update";
  return done ? "removed" : "would remove";
}

std::string status_line_text(const InstallView& view) {
  const std::string& state = view.status_line;
  if (view.action == InstallView::Action::check)
    return state == "added" || state == "wrapped" ? "missing" : state == "updated" ? "outdated" : "";
  const bool done = view.written;
  if (state == "added") return done ? "added" : "would be added";
  if (state == "updated") return done ? "updated" : "would be updated";
  if (state == "wrapped")
    return done ? "added; it also runs the previous one" : "would be added and also run the existing one";
  if (state == "removed") return done ? "removed" : "would be removed";
  if (state == "restored") return done ? "previous one restored" : "previous one would be restored";
  return {};
}

std::string headline(const InstallView& view) {
  std::string where = view.title + ", " + (view.scope == "user" ? "for the user" : "this project") + ": ";
  const bool nothing = view.change == "none";
  switch (view.action) {
    case InstallView::Action::check:
      return where + (complete(view)             ? "installed"
                      : view.change == "created" ? "not installed"
                                                 : "incomplete");
    case InstallView::Action::install:
      if (nothing) return where + "already installed";
      return where + (view.written ? "installed" : "would be installed");
    case InstallView::Action::uninstall:
      if (nothing) return where + "plankeep is not installed";
      return where + (view.written ? "uninstalled" : "would be uninstalled");
  }
  return where;
}

std::string file_line(const InstallView& view) {
  std::string text = safe_line(view.shown);
  if (view.change == "created")
    text += view.written ? " (new)" : view.dry_run ? " (would be created)" : " (missing)";
  if (view.change == "removed")
    text += view.written ? " (removed: nothing else in it)" : " (would be removed)";
  if (view.change == "changed" && view.exact) text += view.written ? " (byte for byte as before)" : "";
  return text;
}

}  // namespace

bool complete(const InstallView& view) {
  const bool line =
      view.status_line == "none" || view.status_line == "present" || view.status_line == "other";
  return line && std::all_of(view.entries.begin(), view.entries.end(),
                             [](const InstallView::Entry& entry) { return entry.state == "present"; });
}

std::string install_text(const InstallView& view, const Style& style) {
  std::string text = paint(style, Paint::strong, headline(view)) + "\n";
  const auto line = [&](std::string_view name, const std::string& what) {
    if (!what.empty()) text += "  " + pad_right(std::string(name), 11) + " " + what + "\n";
  };
  line("file", file_line(view));
  if (!view.program.empty()) line("program", safe_line(view.program));
  for (const std::string_view state : {"added", "updated", "removed"}) {
    const std::vector<std::string> events = events_in(view, state);
    if (!events.empty()) line(verb(view, state), safe_line(base::joined(events)));
  }
  line("status line", status_line_text(view));
  if (!view.copy.empty() && view.written) line("copy", safe_line(view.copy));
  if (view.dry_run && view.change != "none") text += line_diff(view.before, view.after, style);
  for (const std::string& note : view.notes) {
    bool first = true;
    const std::size_t columns = std::max(style.columns, kNarrowest);
    for (const std::string& part : wrap(safe_line(note), columns - 2, 6)) {
      text += (first ? "· " : "  ") + part + "\n";
      first = false;
    }
  }
  return text;
}

std::string install_json(const InstallView& view) {
  base::JsonWriter out(base::JsonWriter::Layout::indented);
  out.begin_object();
  out.key("client").value(view.client);
  out.key("action").value(name_of(view.action));
  out.key("scope").value(view.scope);
  out.key("path").value(view.path);
  out.key("change").value(view.change);
  out.key("written").value(view.written);
  if (view.action != InstallView::Action::uninstall) out.key("complete").value(complete(view));
  write_optional(out, "program", view.program);
  out.key("entries").begin_array();
  for (const InstallView::Entry& entry : view.entries) {
    out.begin_object().key("event").value(entry.event).key("state").value(entry.state).end_object();
  }
  out.end_array();
  out.key("statusLine").value(view.status_line);
  write_optional(out, "copy", view.copy);
  if (view.action == InstallView::Action::uninstall) out.key("exact").value(view.exact);
  write_strings(out, "notes", view.notes);
  if (view.dry_run) out.key("diff").value(line_diff(view.before, view.after, Style{}));
  out.end_object();
  return out.finish();
}

}  // namespace plankeep::render
