#pragma once
// What is done behind a commit that got a session checkpoint's id (commits/session_message): the checkpoint
// is written, the plan's history tells of it, and the session's notes say what is committed
// (spec 20.2, 20.5).
//
//   if (link_work_due(context, folder)) spawn_link_work(context, folder, {});      // post-commit
//   if (auto job = turn_link_work(context, folder, session)) spawn_link_work(...)  // a turn or session ended
//   ... and in the process that it started: do_link_work(context, words ...)
//
// Of a commit that Entire's hooks linked only the plans' histories tell; the checkpoint is Entire's.
//
// What is to be done stands in <git-dir>/plankeep/commit-links, one file a checkpoint, and is removed when it
// is done. Killed, or started in vain (another hook's exec, no post-commit hook): the next commit, the next
// end of a turn or the next start of a session does it. Done twice it changes nothing. A note whose commit
// was not made, or is not among the last 200 that HEAD comes from, is removed after a day.

#include <optional>
#include <string>
#include <string_view>

#include "base/result.hpp"
#include "project/context.hpp"

namespace plankeep::app {

/// What the process is started for.
struct LinkJob {
  std::string top;      // of the work tree, absolute
  std::string session;  // whose turn ended: its checkpoints are finished; empty: nobody's
  bool operator==(const LinkJob&) const = default;
};

/// Whether a commit of this work tree waits for its checkpoint; with `id` the one that names this checkpoint.
/// A look into a folder.
bool link_work_due(const Context& context, const std::string& folder, const std::string& id = {});

/// Whether session checkpoints get only their own part of a transcript: then the end of a turn finishes none,
/// and the end of the session the last.
bool is_sliced(const Context& context, const std::string& top);

/// `how` is the variable PLANKEEP_CHECKPOINTS, as for checkpoints of the work: "off" starts nothing, "wait"
/// does it in this process. Errors are nobody's business: what was not done is done by the next one.
void spawn_link_work(const Context& context, const LinkJob& job, const std::string& version);

/// Errors: busy, another process is at it for longer than `kLinkWorkTimeout`; those of export_sessions for
/// the first checkpoint that could not be written, when all were tried.
[[nodiscard]] base::Status do_link_work(const Context& context, const LinkJob& job,
                                        const std::string& version);

/// post-rewrite: what the histories of the plans tell of commits that git rewrote, they tell of the new ones
/// too (checkpoint_linked). The checkpoint stays.
[[nodiscard]] base::Status follow_session_links(const Context& context, std::string_view input);

inline constexpr std::string_view kAfterCommit = "after-commit";

}  // namespace plankeep::app
