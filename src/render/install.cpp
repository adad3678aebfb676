#include "render/install.hpp"

#include <algorithm>

#include "base/enum_names.hpp"
#include "base/json_writer.hpp"
#include "render/json_parts.hpp"
#include "render/line_diff.hpp"

namespace plankeep::render {
namespace {

using app::FileChange;
using app::InstallReport;
using clients::EntryState;
using clients::StatusLineState;

constexpr auto kActionNames = base::enum_names<InstallAction>({{InstallAction::install, "install"},
                                                               {InstallAction::uninstall, "uninstall"},
                                                               {InstallAction::check, "check"}});

std::string events_in(const InstallReport& report, EntryState state) {
  std::string events;
  for (const clients::EntryChange& entry : report.entries) {
    if (entry.state == state) base::append_listed(events, entry.event);
  }
  return events;
}

// "added", "would add", "missing": what `state` is called in this run.
std::string_view verb(EntryState state, InstallAction action, bool done) {
  if (action == InstallAction::check)
    return state == EntryState::added ? "missing" : state == EntryState::updated ? "outdated" : "not needed";
  if (state == EntryState::added) return done ? "added" : "would add";
  if (state == EntryState::updated) return done ? "updated" : "would update";
  return done ? "removed" : "would remove";
}

std::string_view status_line_text(StatusLineState state, InstallAction action, bool done) {
  const bool check = action == InstallAction::check;
  switch (state) {
    case StatusLineState::added:
      return check ? "missing" : done ? "added" : "would be added";
    case StatusLineState::updated:
      return check ? "outdated" : done ? "updated" : "would be updated";
    case StatusLineState::wrapped:
      return check  ? "missing"
             : done ? "added; it also runs the previous one"
                    : "would be added and also run the existing one";
    case StatusLineState::removed:
      return check ? "" : done ? "removed" : "would be removed";
    case StatusLineState::restored:
      return check ? "" : done ? "previous one restored" : "previous one would be restored";
    case StatusLineState::none:
    case StatusLineState::present:
    case StatusLineState::other:
      return {};
  }
  return {};
}

std::string headline(const InstallReport& report, InstallAction action) {
  std::string where =
      report.title + ", " + (report.scope == app::Scope::user ? "for the user" : "this project") + ": ";
  const bool nothing = report.change == FileChange::none;
  switch (action) {
    case InstallAction::check:
      return where + (report.complete()                      ? "installed"
                      : report.change == FileChange::created ? "not installed"
                                                             : "incomplete");
    case InstallAction::install:
      if (nothing) return where + "already installed";
      return where + (report.written ? "installed" : "would be installed");
    case InstallAction::uninstall:
      if (nothing) return where + "nothing to remove";
      return where + (report.written ? "uninstalled" : "would be uninstalled");
  }
  return where;
}

std::string file_line(const InstallReport& report, bool dry_run) {
  std::string text = safe_line(report.shown);
  if (report.change == FileChange::created)
    text += report.written ? " (new)" : dry_run ? " (would be created)" : " (missing)";
  if (report.change == FileChange::removed)
    text += !report.written       ? " (would be removed)"
            : report.copy.empty() ? " (removed: nothing else in it)"
                                  : " (removed)";
  if (report.change == FileChange::changed && report.exact)
    text += report.written ? " (byte for byte as before)" : "";
  return text;
}

std::string difference(const InstallReport& report, const Style& style) {
  return line_diff(report.before.value_or(""), report.after.value_or(""), style);
}

}  // namespace

std::string install_text(const InstallReport& report, InstallAction action, bool dry_run,
                         const Style& style) {
  std::string text = paint(style, Paint::strong, headline(report, action)) + "\n";
  const auto line = [&](std::string_view name, std::string_view what) {
    if (!what.empty()) text += "  " + pad_right(std::string(name), 11) + " " + std::string(what) + "\n";
  };
  line("file", file_line(report, dry_run));
  line("program", safe_line(report.program));
  for (const EntryState state : {EntryState::added, EntryState::updated, EntryState::removed})
    line(verb(state, action, report.written), safe_line(events_in(report, state)));
  line("status line", status_line_text(report.status_line, action, report.written));
  if (report.written) line("copy", safe_line(report.copy));
  if (dry_run && report.change != FileChange::none) text += difference(report, style);
  for (const std::string& note : report.notes) {
    bool first = true;
    const std::size_t columns = std::max(style.columns, kNarrowest);
    for (const std::string& part : wrap(safe_line(note), columns - 2, 6)) {
      text += (first ? "· " : "  ") + part + "\n";
      first = false;
    }
  }
  return text;
}

std::string install_json(const InstallReport& report, InstallAction action, bool dry_run) {
  base::JsonWriter out(base::JsonWriter::Layout::indented);
  out.begin_object();
  out.key("client").value(report.client);
  out.key("action").value(kActionNames.name_of(action));
  out.key("scope").value(report.scope == app::Scope::user ? "user" : "project");
  out.key("path").value(report.path);
  out.key("change").value(app::name_of(report.change));
  out.key("written").value(report.written);
  if (action != InstallAction::uninstall) out.key("complete").value(report.complete());
  write_optional(out, "program", report.program);
  out.key("entries").begin_array();
  for (const clients::EntryChange& entry : report.entries) {
    out.begin_object().key("event").value(entry.event);
    out.key("state").value(clients::name_of(entry.state)).end_object();
  }
  out.end_array();
  out.key("statusLine").value(clients::name_of(report.status_line));
  if (report.written) write_optional(out, "copy", report.copy);
  if (action == InstallAction::uninstall) out.key("exact").value(report.exact);
  write_strings(out, "notes", report.notes);
  if (dry_run) out.key("diff").value(difference(report, Style{}));
  out.end_object();
  return out.finish();
}

}  // namespace plankeep::render
