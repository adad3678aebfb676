#include "sessions/export_sessions.hpp"

#include <algorithm>
#include <limits>
#include <set>

#include "git/commits.hpp"
#include "git/git_output.hpp"
#include "model/json/session_json.hpp"
#include "project/project.hpp"
#include "project/text_redactor.hpp"
#include "session_rules/plan_link.hpp"
#include "session_rules/session_layout.hpp"
#include "session_rules/session_part.hpp"
#include "session_store/session_index.hpp"
#include "sessions/write_session.hpp"
#include "store/sidecars.hpp"
#include "store/tracking_folder.hpp"
#include "system/file_parts.hpp"
#include "tracking/history.hpp"
#include "tracking/loaded_state.hpp"

namespace plankeep::app {
namespace {

using base::ErrorKind;
using base::Result;

constexpr std::uint64_t kLargestEntireSettings = std::uint64_t{1} << 20;

std::optional<std::string> entire_settings(system::FileSystem& files, const std::string& top,
                                           std::string_view name) {
  const auto folder = files.open_folder(top);
  if (!folder) return std::nullopt;
  const auto entire = (*folder)->open_folder(".entire");
  if (!entire) return std::nullopt;
  auto text = (*entire)->read(name, kLargestEntireSettings);
  return text ? std::optional(std::move(*text)) : std::nullopt;
}

Result<core::SessionLayout> layout_here(const Context& context, git::Git& git, const git::WorkTree& tree) {
  core::LayoutHints hints;
  hints.variable = context.environment.variable("ENTIRE_CHECKPOINTS_PRIMARY");
  constexpr std::string_view kLocal = "settings.local.json";
  hints.local_settings = entire_settings(context.files, tree.top, kLocal);
  if (hints.local_settings) {
    TRY_ASSIGN(const auto tracked,
               git.run(tree.top, {"ls-files", "-z", "--", ".entire/" + std::string(kLocal)}));
    if (tracked.status != 0 || !tracked.output.empty()) hints.local_settings.reset();
  }
  hints.settings = entire_settings(context.files, tree.top, "settings.json");
  TRY_ASSIGN(const auto refs, git.run(tree.top, {"for-each-ref", "--count=1", "refs/entire/checkpoints/"}));
  hints.has_refs = !refs.output.empty();
  const std::string branch(core::kSessionBranch);
  TRY_ASSIGN(const auto branches, git.run(tree.top, {"for-each-ref", "--count=1", "refs/heads/" + branch,
                                                     "refs/remotes/*/" + branch}));
  hints.has_branch = !branches.output.empty();
  return core::choose_layout(hints);
}

// Oldest first, each once.
Result<std::vector<git::CommitFacts>> wanted_commits(git::Commits& commits,
                                                     const SessionExportRequest& request) {
  std::vector<git::CommitFacts> wanted;
  for (const std::string& revision : request.commits) {
    TRY_ASSIGN(auto commit, commits.named(revision));
    if (!commit) return base::fail(ErrorKind::not_found, "git knows no commit " + revision);
    wanted.push_back(std::move(*commit));
  }
  if (request.since) {
    // Smaller numbers of seconds are no moments for git.
    constexpr base::Instant kFirstMoment{std::int64_t{100'000'000} * 1000};
    TRY_ASSIGN(auto since, commits.since(std::max(*request.since, kFirstMoment), kMostExportedCommits));
    std::move(since.rbegin(), since.rend(), std::back_inserter(wanted));
  }
  std::stable_sort(wanted.begin(), wanted.end(),
                   [](const git::CommitFacts& a, const git::CommitFacts& b) { return a.time < b.time; });
  std::set<std::string> seen;
  std::erase_if(wanted, [&](const git::CommitFacts& commit) { return !seen.insert(commit.sha).second; });
  return wanted;
}

// One run of it: what all commits share.
class Exporter {
 public:
  Exporter(const Context& context, const ExportSources& sources, const SessionExportRequest& request,
           git::Git& git, git::WorkTree tree, secrets::Redactor redactor, std::string plan_id)
      : context_(context),
        sources_(sources),
        request_(request),
        git_(git),
        tree_(std::move(tree)),
        commits_(git, context.files, tree_),
        redactor_(std::move(redactor)),
        plan_id_(std::move(plan_id)) {}

  Result<SessionExport> run() {
    if (request_.layout) {
      layout_ = *request_.layout;
    } else {
      TRY_ASSIGN(layout_, layout_here(context_, git_, tree_));
    }
    TRY_ASSIGN(const auto wanted, wanted_commits(commits_, request_));
    TRY_ASSIGN(index_, sessions::SessionIndex::open(git_, context_.files, tree_.top));
    if (!index_) return base::fail(ErrorKind::not_found, "not in a git repository");
    TRY_ASSIGN(author_, session_author(git_, tree_.top, context_.clock.now()));
    TRY_ASSIGN(const auto head, git_.run(tree_.top, {"symbolic-ref", "--short", "-q", "HEAD"}));
    if (head.status == 0) branch_ = git::without_line_feed(head.output);
    for (const git::CommitFacts& commit : wanted) {
      ++done_.commits;
      TRY(export_commit(commit));
    }
    return std::move(done_);
  }

 private:
  base::Status export_commit(const git::CommitFacts& commit) {
    core::CommitSpan span;
    span.commit = commit.time;
    span.top = tree_.top;
    if (!commit.parents.empty()) {
      TRY_ASSIGN(const auto parents, commits_.facts({commit.parents.front()}));
      if (!parents.empty()) span.parent = parents.front().time;
    }
    TRY_ASSIGN(const auto changes, commits_.changed_by(commit));
    for (const git::CommitChange& change : changes) span.changed.insert(change.path);
    for (const RecordedSession& session : sources_.sessions) {
      if (session.transcript.empty() || session.started_at > core::end_of_commit(commit.time)) continue;
      TRY(export_session(commit, span, session));
    }
    return {};
  }

  base::Status export_session(const git::CommitFacts& commit, const core::CommitSpan& span,
                              const RecordedSession& session) {
    const std::string transcript =
        system::read_tail(context_.files, session.transcript, kLargestExportedTranscript);
    if (transcript.size() >= kLargestExportedTranscript) {
      warn_once(session.transcript + ": larger than 256 MiB, left out");
      return {};
    }
    if (transcript.empty()) {
      warn_once(session.transcript + ": the transcript is gone or empty");
      return {};
    }
    const auto part = core::part_for_commit(transcript, span);
    if (!part || !part->touches_commit) return {};

    core::SessionOrigin origin{session.id, session.client, "plankeep/" + request_.version, commit.time,
                               branch_};
    core::RedactedRecord made = core::redacted_record(*part, origin, redactor_, request_.with_transcript);
    secrets::Redacted link = redactor_.json(core::encode_plan_link(link_of(commit, span, made)));
    made.report.add(link.report());
    made.record.plan_link = std::move(link);

    TRY_ASSIGN(const SessionTarget target, target_of(commit));
    TRY_ASSIGN(const bool foreign, is_anothers(target.id, session.id));
    if (foreign) {
      warn_once(target.id + ": has session " + session.id + " already, from another tool; left as it is");
      return {};
    }
    ExportedSession& one = done_.sessions.emplace_back();
    one.commit = commit.sha;
    one.checkpoint = target.id;
    one.layout = target.layout;
    one.session = session.id;
    one.client = session.client;
    for (const secrets::Redacted& file : made.record.files_touched) one.files.push_back(file.text());
    one.prompts = made.record.prompts.size();
    one.has_transcript = made.record.transcript.has_value();
    one.transcript_left_out = made.transcript_left_out;
    one.redacted = made.report;
    if (request_.dry_run) return {};
    TRY_ASSIGN(auto writer, SessionWriter::open(git_, context_.files, tree_));
    TRY_ASSIGN(const SessionWritten written, writer.write(target, made.record));
    one.is_new = !written.commit.empty();
    for (const std::string& warning : written.warnings) warn_once(target.id + ": " + warning);
    return {};
  }

  core::PlanLink link_of(const git::CommitFacts& commit, const core::CommitSpan& span,
                         const core::RedactedRecord& made) const {
    const auto sidecar = std::find_if(sources_.sidecars.begin(), sources_.sidecars.end(),
                                      [&](const core::Sidecar& known) { return known.sha == commit.sha; });
    core::PlanLink link =
        core::plan_link_of({plan_id_, "plankeep " + request_.version},
                           sidecar == sources_.sidecars.end() ? nullptr : &*sidecar, sources_.events, span);
    if (!made.transcript_left_out.empty()) link.transcript_left_out = made.transcript_left_out;
    return link;
  }

  // The checkpoint that the commit names itself, not somewhere in its message; else one of its own.
  Result<SessionTarget> target_of(const git::CommitFacts& commit) {
    SessionTarget target{layout_, {}, author_};
    // Not from the index: it knows links only where there are checkpoints already.
    if (commit.message.find("Entire-Checkpoint:") != std::string::npos) {
      TRY_ASSIGN(const auto told,
                 git_.run(tree_.top,
                          {"log", "-1", "--no-show-signature",
                           "--format=%(trailers:key=Entire-Checkpoint,valueonly,unfold)", commit.sha, "--"}));
      std::string_view lines = told.output;
      while (!lines.empty()) {
        const std::string_view id = git::take_until(lines, '\n');
        if (core::session_id_kind(id)) target.id = id;
      }
    }
    if (target.id.empty()) {
      target.id = session_id_for_commit(layout_, commit.sha, commit.time);
    } else {
      // An id belongs to one layout: ULIDs have refs, the others stand on the branch.
      target.layout = core::session_id_kind(target.id) == core::SessionIdKind::ulid
                          ? core::SessionLayout::refs
                          : core::SessionLayout::branch;
    }
    return target;
  }

  // Whether another tool wrote this session's record. Where the checkpoint cannot be read nobody knows: the
  // writer keeps what it finds.
  Result<bool> is_anothers(const std::string& id, const std::string& session) {
    TRY_ASSIGN(const auto all, index_->all());
    const bool exists = std::any_of(all.found.begin(), all.found.end(),
                                    [&](const sessions::FoundSession& found) { return found.id == id; });
    if (!exists) return false;
    TRY_ASSIGN(const auto stored, index_->read(id));
    return std::any_of(stored.sessions.begin(), stored.sessions.end(),
                       [&](const sessions::StoredSession& one) {
                         return one.metadata && one.metadata->session_id == session &&
                                !one.metadata->cli_version.value_or("").starts_with("plankeep/");
                       });
  }

  void warn_once(std::string text) {
    if (std::find(done_.warnings.begin(), done_.warnings.end(), text) == done_.warnings.end())
      done_.warnings.push_back(std::move(text));
  }

  const Context& context_;
  const ExportSources& sources_;
  const SessionExportRequest& request_;
  git::Git& git_;
  git::WorkTree tree_;
  git::Commits commits_;
  secrets::Redactor redactor_;
  std::string plan_id_;
  core::SessionLayout layout_ = core::SessionLayout::refs;
  std::unique_ptr<sessions::SessionIndex> index_;
  git::Signature author_;
  std::optional<std::string> branch_;
  SessionExport done_;
};

}  // namespace

Result<ExportSources> export_sources(const Context& context, const PlanLocation& plan) {
  ExportSources sources;
  TRY_ASSIGN(auto history, HistoryReader::open(context, plan));
  TRY_ASSIGN(auto lines, history.newest(std::numeric_limits<std::size_t>::max(), {}));
  for (store::TailLine& line : lines) sources.events.push_back(std::move(line.event));
  TRY_ASSIGN(const auto folder, context.files.open_folder(plan.folder));
  TRY_ASSIGN(const auto tracking, store::open_tracking(*folder, plan.name));
  TRY_ASSIGN(const LoadedState loaded, load_state(*tracking, plan));
  if (loaded.state) {
    for (const core::SessionState& session : loaded.state->sessions)
      sources.sessions.push_back({session.id, session.client, session.transcript, session.started_at});
  }
  TRY_ASSIGN(auto list, store::Sidecars(*tracking).all());
  sources.sidecars = std::move(list.sidecars);
  return sources;
}

Result<SessionExport> export_sessions(const Context& context, const PlanLocation& plan,
                                      const ExportSources& sources, const SessionExportRequest& request) {
  if (context.processes == nullptr) return base::fail(ErrorKind::not_found, "git cannot be started here");
  git::Git git(*context.processes, context.files);
  TRY_ASSIGN(auto tree, git.work_tree(plan.folder));
  if (!tree) return base::fail(ErrorKind::not_found, "not in a git repository");
  const Project project(context, plan.folder);
  TRY_ASSIGN(auto redactor, make_redactor(context, project.settings()));
  return Exporter(context, sources, request, git, std::move(*tree), std::move(redactor), plan.plan_id())
      .run();
}

}  // namespace plankeep::app
