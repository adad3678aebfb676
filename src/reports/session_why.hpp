#pragma once
// Why a line, a file or a task is as it is (`session why`, spec 19): the commits, the sessions behind them,
// and the prompts that led to them. Reads only; never uses the network.
//
//   TRY_ASSIGN(const WhyReport report, why_line(context, "src/a.c", 12));
//   TRY_ASSIGN(const WhyReport report, why_task(context, plan, "auth/tokens"));
//
// A commit's session checkpoint is the one that its trailers name; else the one that its sidecar or the
// history (checkpoint_linked) has recorded; else one that its message mentions. Which prompt it was, is known
// where the transcript has the tool call that wrote the line (session_rules/line_search): WhySession::proof
// says so. Else the prompts of the checkpoint are what there is.
//
// For a line that is not committed the transcripts of the sessions are searched that plankeep's hooks have
// seen here; secrets in them are redacted.
//
// Limits: kMostWhyCommits commits, kMostWhySessions sessions of a checkpoint, kMostWhyPrompts prompts of a
// session; transcripts in git as sessions::read_transcript has it, others kLargestLiveTranscript from their
// end. All texts are strangers'.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "git/blame.hpp"
#include "model/session.hpp"
#include "project/context.hpp"
#include "project/plan_location.hpp"
#include "reports/task_report.hpp"

namespace plankeep::app {

inline constexpr std::size_t kMostWhyCommits = 10;
inline constexpr std::size_t kMostWhySessions = 8;
inline constexpr std::size_t kMostWhyPrompts = 20;
inline constexpr std::uint64_t kLargestLiveTranscript = std::uint64_t{64} << 20;

/// What ties a session to a line or task.
enum class WhyProof {
  tool_call,   // its transcript has the call that wrote the line
  checkpoint,  // it is in the commit's session checkpoint
};
std::string_view name_of(WhyProof proof);

struct WhyPrompt {
  std::string text;
  std::optional<base::Instant> time;
};

struct WhySession {
  std::string checkpoint;  // id; empty: git holds none, the client's own transcript tells
  std::string session;     // the client's id; empty: not said
  std::string client;      // as the record names it
  std::string model;
  WhyProof proof = WhyProof::checkpoint;
  std::string tool;                // tool_call: the tool
  bool subagent = false;           // tool_call: a subagent's
  bool mentioned = false;          // the checkpoint's id stands in the message, not among its trailers
  std::vector<WhyPrompt> prompts;  // tool_call: the one that led to it; else the last kMostWhyPrompts
  std::size_t all_prompts = 0;
  std::string missing;  // why nothing but the id is known; empty: it was read
};

/// What ties a commit to a task.
enum class WhyLink {
  line,         // git blame
  last_change,  // the last commit that changed the file, which has no lines
  plan_link,    // its session checkpoint says that it did the task
  box,          // it changed the task's line in the plan last
  phase,        // it is the first recorded commit of the task's phase since the task was done
};
std::string_view name_of(WhyLink link);

struct WhyCommit {
  git::BlamedLines lines;  // `commit` empty: not committed yet
  WhyLink link = WhyLink::line;
  /// A shallow clone ends at it: an older commit may be meant. Then only sessions with the tool call count.
  bool history_ends = false;
  std::vector<WhySession> sessions;
  std::optional<core::PlanLink> plan;  // what it did for a plan
};

struct WhyReport {
  enum class Kind { line, file, task };
  Kind kind = Kind::line;
  std::string path;       // line, file: relative to the work tree's top
  std::int64_t line = 0;  // line
  std::string text;       // line: as it is now
  bool binary = false;    // file
  std::optional<TaskReport> task;
  std::vector<WhyCommit> commits;  // file: those with the most lines first; task: the strongest link first
  std::size_t all_commits = 0;
  std::vector<std::string> warnings;
};

/// FILE or FILE:LINE as a person types it. nullopt: no such file is there.
struct FileAndLine {
  std::string path;                  // as typed
  std::optional<std::int64_t> line;  // from 1
};
std::optional<FileAndLine> file_and_line(const Context& context, const std::string& typed);

/// Errors: not_found, no repository, or the file is outside of it or ignored; invalid_input, it has no such
/// line, or is a link or folder; those of git/blame.
[[nodiscard]] base::Result<WhyReport> why_line(const Context& context, const FileAndLine& wanted);

/// `wanted` as report_task takes it, with its errors.
[[nodiscard]] base::Result<WhyReport> why_task(const Context& context, const PlanLocation& plan,
                                               const std::string& wanted);

}  // namespace plankeep::app
