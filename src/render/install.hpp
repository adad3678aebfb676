#pragma once
// `plankeep install` and `uninstall`: what was done, or would be.
//
// JSON: { client, action, scope, path, change, written, complete, program?, entries [ {event, state} ],
// statusLine, copy?, exact?, notes[], diff? }; schemas/output-install.schema.json.

#include <string>
#include <string_view>
#include <vector>

#include "render/style.hpp"

namespace plankeep::render {

struct InstallView {
  enum class Action { install, uninstall, check };
  Action action = Action::install;
  bool dry_run = false;
  std::string client;
  std::string title;
  std::string scope;    // "project" or "user"
  std::string path;     // absolute
  std::string shown;    // the same, as short as it is right
  std::string program;  // empty for uninstall
  std::string change;   // "none", "created", "changed", "removed"
  bool written = false;
  struct Entry {
    std::string event;
    std::string state;  // "present", "added", "updated", "removed"
  };
  std::vector<Entry> entries;
  std::string
      status_line;  // "none", "present", "added", "updated", "wrapped", "other", "removed", "restored"
  std::string copy;
  bool exact = false;
  std::vector<std::string> notes;
  std::string before;  // for the difference that --dry-run shows
  std::string after;
};

/// Nothing is missing and nothing is old.
bool complete(const InstallView& view);
std::string install_text(const InstallView& view, const Style& style);
std::string install_json(const InstallView& view);

}  // namespace plankeep::render
