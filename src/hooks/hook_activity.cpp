#include <algorithm>
#include <map>

#include "git/commits.hpp"
#include "hooks/hook_call.hpp"
#include "hooks/hook_plans.hpp"
#include "project/project.hpp"

namespace plankeep::app {
namespace {

using base::Status;
using core::HookKind;

bool wants_notes(const Context& context, const ActivityFiles& files) {
  const Settings settings = Project(context, files.top()).settings();
  return settings.sessions.value_or(SessionsSetting::write) == SessionsSetting::write;
}

}  // namespace

std::string HookCall::first_lines(const ActivityFiles& files) const {
  if (files.knows(event_.session_id)) return {};
  return core::client_line(event_.client) + core::transcript_line(event_.transcript);
}

// Each work tree has its own notes: an agent may work in several at once.
Status HookCall::note_paths(const std::vector<std::string>& paths) {
  struct Notes {
    ActivityFiles files;
    std::string lines;
  };
  std::map<std::string, Notes> by_tree;
  for (const std::string& path : paths) {
    const std::string whole =
        path.starts_with('/') ? path : working_folder(context_, event_.cwd) + "/" + path;
    if (!ActivityFiles::possible(context_, parent_of(whole))) continue;
    const auto folder = context_.files.real_path(parent_of(whole));
    if (!folder) continue;
    auto files = ActivityFiles::open(context_, *folder);
    if (!files) continue;
    const std::string real = (*folder == "/" ? "" : *folder) + "/" + last_part(whole);
    const std::string start = files->top() == "/" ? "/" : files->top() + "/";
    if (!real.starts_with(start)) continue;
    const auto info = context_.files.info(real);
    const bool there = info && info->kind != system::FileKind::missing;
    std::string top = files->top();
    Notes& notes = by_tree.try_emplace(std::move(top), Notes{std::move(*files), {}}).first->second;
    notes.lines +=
        core::touched_line(there ? core::Touch::written : core::Touch::deleted, real.substr(start.size()));
  }
  if (by_tree.empty()) return {};
  // The payload may name the session after the path.
  know_sender();
  if (event_.session_id.empty()) return {};
  for (auto& [top, notes] : by_tree) {
    const bool known = notes.files.knows(event_.session_id);
    if (!known && !wants_notes(context_, notes.files)) continue;
    TRY(notes.files.append(event_.session_id, first_lines(notes.files) + notes.lines));
  }
  return {};
}

Status HookCall::note_prompt(const ActivityFiles& files) {
  if (!core::real_prompt(event_) || !wants_notes(context_, files)) return {};
  git::WorkTree tree;
  tree.git_dir = files.git_dir();
  tree.common_dir = files.common_dir();
  return files.append(event_.session_id, first_lines(files) + core::prompt_line(context_.clock.now()) +
                                             core::head_line(git::head_in_files(context_.files, tree)));
}

// A work tree whose notes cannot be written keeps none of the others from being told.
Status HookCall::note_end(const ActivityFiles& files) {
  Status first;
  for (const ActivityFiles& one : files.all_work_trees()) {
    if (!one.knows(event_.session_id)) continue;
    const auto activity = one.read(event_.session_id);
    const bool unfinished = activity && *activity && !(*activity)->unfinished.empty() &&
                            (event_.kind == HookKind::session_ended || !is_sliced(context_, one.top()));
    if (unfinished || link_work_due(context_, one.top()))
      result_.links.push_back({one.top(), unfinished ? event_.session_id : std::string()});
    if (event_.kind != HookKind::session_ended) continue;
    const Status ended = one.end(event_.session_id, context_.clock.now());
    if (!ended && first) first = ended;
  }
  return first;
}

void HookCall::note_activity() {
  Status done;
  switch (event_.kind) {
    case HookKind::file_written:
      if (!event_.outside) done = note_paths(std::vector<std::string>(event_.paths));
      break;
    case HookKind::session_start:
    case HookKind::prompt_submitted:
    case HookKind::turn_ended:
    case HookKind::session_ended: {
      if (event_.session_id.empty()) return;
      const auto folder = context_.files.real_path(working_folder(context_, event_.cwd));
      const auto files = folder ? ActivityFiles::open(context_, *folder) : std::nullopt;
      if (!files) return;
      if (event_.kind == HookKind::prompt_submitted) {
        done = note_prompt(*files);
      } else if (event_.kind == HookKind::session_start) {
        done = files->tidy(context_.clock.now());
        if (link_work_due(context_, files->top())) result_.links.push_back({files->top(), {}});
      } else {
        done = note_end(*files);
      }
      break;
    }
    default:
      return;
  }
  if (!done && done.error().kind != base::ErrorKind::busy)
    result_.problems.push_back("session notes: " + done.error().message);
}

}  // namespace plankeep::app
