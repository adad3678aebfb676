#include "sessions/export_sessions.hpp"

#include <algorithm>
#include <iterator>
#include <set>

#include "base/text.hpp"
#include "base/utf8.hpp"
#include "git/commits.hpp"
#include "git/folder_chain.hpp"
#include "git/git_output.hpp"
#include "model/json/session_json.hpp"
#include "project/project.hpp"
#include "project/text_redactor.hpp"
#include "session_rules/plan_link.hpp"
#include "session_rules/recorded_part.hpp"
#include "session_rules/session_layout.hpp"
#include "session_rules/session_part.hpp"
#include "session_store/session_index.hpp"
#include "sessions/commit_lines.hpp"
#include "sessions/lost_records.hpp"
#include "sessions/session_transcripts.hpp"
#include "sessions/write_session.hpp"

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

}  // namespace

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

namespace {

// Smaller numbers of seconds are no moments for git.
constexpr base::Instant kFirstMoment{std::int64_t{100'000'000} * 1000};

// Oldest first, each once.
Result<std::vector<git::CommitFacts>> wanted_commits(git::Commits& commits,
                                                     const SessionExportRequest& request) {
  std::vector<git::CommitFacts> wanted;
  for (const std::string& revision : request.commits) {
    TRY_ASSIGN(auto commit, commits.named(revision));
    if (!commit) return base::fail(ErrorKind::not_found, "git has no commit " + revision);
    wanted.push_back(std::move(*commit));
  }
  if (request.since) {
    TRY_ASSIGN(auto since, commits.since(std::max(*request.since, kFirstMoment), kMostExportedCommits));
    std::move(since.rbegin(), since.rend(), std::back_inserter(wanted));
  }
  std::stable_sort(wanted.begin(), wanted.end(),
                   [](const git::CommitFacts& a, const git::CommitFacts& b) { return a.time < b.time; });
  std::set<std::string> seen;
  std::erase_if(wanted, [&](const git::CommitFacts& commit) { return !seen.insert(commit.sha).second; });
  return wanted;
}

// What Entire counts in each layout.
core::AttributionMetric metric_of(core::SessionLayout layout) {
  return layout == core::SessionLayout::branch ? core::AttributionMetric::added_lines
                                               : core::AttributionMetric::changed_lines;
}

// A session that has a part in a commit.
struct Candidate {
  const RecordedSession* session = nullptr;
  std::shared_ptr<const std::string> text;  // what the part's views point into; null: from our own records
  core::SessionPart part;
  std::string transcript_missing;  // why there is none
  CompatibleLines compatible;
};

// One run of it: what all commits share.
class Exporter {
 public:
  Exporter(const Context& context, const ExportSources& sources, const SessionExportRequest& request,
           git::Git& git, git::WorkTree tree, const Settings& settings, secrets::Redactor redactor,
           std::string plan_id)
      : context_(context),
        sources_(sources),
        request_(request),
        git_(git),
        tree_(std::move(tree)),
        commits_(git, context.files, tree_),
        transcripts_(context.files, tree_.top),
        extent_(request.with_transcript ? settings.session_transcripts : core::TranscriptExtent::none),
        elected_(settings.sessions_push.value_or("")),
        redactor_(std::move(redactor)),
        plan_id_(std::move(plan_id)) {}

  Result<SessionExport> run() {
    done_.dry_run = request_.dry_run;
    done_.warnings = sources_.warnings;
    if (request_.layout) {
      layout_ = *request_.layout;
    } else {
      TRY_ASSIGN(layout_, layout_here(context_, git_, tree_));
    }
    for (const core::WorkMoment& moment : sources_.moments)
      for (const core::CommandUsed& tool : moment.tools)
        if (core::is_writing_tool(tool.type)) transcripts_.folders().see(tool.target);
    TRY_ASSIGN(const auto wanted, wanted_commits(commits_, request_));
    if (!request_.dry_run) {
      LostRepair repair = put_lost_records_back(context_, git_, tree_);
      done_.put_back = std::move(repair.checkpoints);
      std::move(repair.warnings.begin(), repair.warnings.end(), std::back_inserter(done_.warnings));
    }
    TRY_ASSIGN(index_, sessions::SessionIndex::open(git_, context_.files, tree_.top, elected_));
    if (!index_) return base::fail(ErrorKind::not_found, "not in a git repository");
    TRY_ASSIGN(author_, session_author(git_, tree_.top, context_.clock.now()));
    TRY_ASSIGN(const auto head, git_.run(tree_.top, {"symbolic-ref", "--short", "-q", "HEAD"}));
    if (head.status == 0) branch_ = git::without_line_feed(head.output);
    if (wanted.size() >= kMostExportedCommits)
      warn_once("only the newest " + std::to_string(kMostExportedCommits) + " commits were looked at");
    for (const git::CommitFacts& commit : wanted) {
      ++done_.commits;
      TRY(export_commit(commit));
    }
    return std::move(done_);
  }

 private:
  base::Status export_commit(const git::CommitFacts& commit) {
    // Of a long history most is older than every session: git is asked nothing about it.
    const bool is_older =
        std::none_of(sources_.sessions.begin(), sources_.sessions.end(), [&](const RecordedSession& session) {
          return session.started_at <= core::end_of_commit(commit.time);
        });
    if (is_older) return {};
    core::CommitSpan span;
    span.commit = commit.time;
    span.top = tree_.top;
    span.real_folders = &transcripts_.folders().real();
    if (!commit.parents.empty()) {
      TRY_ASSIGN(const auto parents, commits_.facts({commit.parents.front()}));
      if (!parents.empty()) {
        const git::CommitFacts& parent = parents.front();
        span.parent = parent.time;
        span.before_parent =
            core::seen_before_commit(sources_.moments, parent.sha, parent.parents, parent.time);
      }
    }
    TRY_ASSIGN(const auto changes, commits_.changed_by(commit));
    for (const git::CommitChange& change : changes) span.changed.insert(change.path);
    TRY_ASSIGN(std::vector<Candidate> candidates, candidates_of(span));
    if (std::none_of(candidates.begin(), candidates.end(),
                     [this](const Candidate& one) { return is_wanted(*one.session); }))
      return {};
    TRY_ASSIGN(SessionTarget target, target_of(commit));
    TRY_ASSIGN(const auto stored, stored_at(target));

    CommitLines lines(git_, tree_, commits_, commit, {span.changed.begin(), span.changed.end()},
                      files_behind(commit, span.changed));
    TRY_ASSIGN(KnownLines known, lines_of(lines, target.layout, candidates));
    ExportedCommit& exported = done_.exported.emplace_back();
    exported.commit = commit.sha;
    exported.subject = commit.message.substr(0, commit.message.find('\n'));
    exported.checkpoint = target.id;
    exported.layout = target.layout;
    exported.lines = known.lines;
    exported.no_lines = std::move(known.reason);
    const std::string missing = missing_transcripts(candidates, stored);
    for (const Candidate& candidate : candidates)
      if (is_wanted(*candidate.session))
        TRY(export_session(commit, span, target, candidate, missing, stored));
    return {};
  }

  bool is_wanted(const RecordedSession& session) const {
    return request_.sessions.empty() || std::find(request_.sessions.begin(), request_.sessions.end(),
                                                  session.id) != request_.sessions.end();
  }

  // When commits were made after the session had begun and before the commit's parent; HEAD's.
  Result<std::vector<base::Instant>> commits_between(base::Instant started, const core::CommitSpan& span) {
    constexpr std::size_t kMostEarlier = 200;
    std::vector<base::Instant> times;
    if (!span.parent) return times;
    TRY_ASSIGN(const auto commits, commits_.since(std::max(started, kFirstMoment), kMostEarlier));
    for (const git::CommitFacts& commit : commits)
      if (commit.time <= *span.parent) times.push_back(commit.time);
    return times;
  }

  Result<std::vector<Candidate>> candidates_of(const core::CommitSpan& span) {
    std::vector<Candidate> candidates;
    const std::optional<base::Instant> after = core::last_before(span);
    for (const RecordedSession& session : sources_.sessions) {
      if (session.started_at > core::end_of_commit(span.commit)) continue;
      std::set<std::string> noted;
      std::set_intersection(session.touched.begin(), session.touched.end(), span.changed.begin(),
                            span.changed.end(), std::inserter(noted, noted.end()));
      Candidate candidate;
      candidate.session = &session;
      ReadTranscript read;
      if (session.transcript.empty()) {
        read.missing = "the client keeps no transcript";
      } else {
        // What hooks noted may have been edited before the parent was made.
        if (noted.empty() &&
            !transcripts_.speaks_of(session.transcript, after, core::end_of_commit(span.commit)))
          continue;
        read = transcripts_.read(session.transcript);
      }
      auto part = read.text ? core::part_for_commit(*read.text, span)
                            : core::recorded_part(sources_.moments, session.id, span);
      if (!noted.empty()) {
        const std::string_view text = read.text ? std::string_view(*read.text) : std::string_view();
        std::vector<base::Instant> earlier;
        if (!part || !part->touches_commit) {
          TRY_ASSIGN(earlier, commits_between(session.started_at, span));
        }
        part = core::part_with_noted(std::move(part), text, span, noted, earlier);
      }
      if (!part || !part->touches_commit) continue;
      core::keep_changed_files(*part, span.changed);
      if (read.lost) warn_once(session.transcript + ": " + read.missing);
      candidate.text = std::move(read.text);
      candidate.part = std::move(*part);
      candidate.transcript_missing = std::move(read.missing);
      candidates.push_back(std::move(candidate));
    }
    return candidates;
  }

  // The first snapshot on the commit has them, else the work tree while the commit is HEAD.
  FilesBehind files_behind(const git::CommitFacts& commit, const std::set<std::string>& paths) const {
    FilesBehind behind;
    const auto moment =
        std::find_if(sources_.moments.begin(), sources_.moments.end(), [&](const core::WorkMoment& one) {
          return one.head == commit.sha && !one.tree.empty() && !one.imported;
        });
    if (moment != sources_.moments.end()) {
      behind.tree = moment->tree;
    } else if (commit.sha == tree_.head && paths.size() <= kMostComparedFiles) {
      git::FolderChain chain(context_.files, tree_.top);
      std::uint64_t left = kMostComparedBytes;
      for (const std::string& path : paths) {
        const auto folder = chain.folder_of(path);
        if (!folder) continue;
        auto text = (*folder)->read(git::name_part(path), left);
        if (!text) continue;
        left -= text->size();
        behind.texts.emplace(path, std::move(*text));
      }
    }
    return behind;
  }

  Result<KnownLines> lines_of(CommitLines& lines, core::SessionLayout layout,
                              std::vector<Candidate>& candidates) {
    const auto metric = metric_of(layout);
    std::vector<LinesOfSession> sessions;
    for (Candidate& candidate : candidates) {
      TRY_ASSIGN(candidate.compatible,
                 lines.compatible(candidate.session->id, candidate.part, sources_.moments, metric));
      LinesOfSession& one = sessions.emplace_back();
      one.part = &candidate.part;
      if (candidate.compatible.trees) one.edits = candidate.compatible.trees->edits;
    }
    return lines.kept(sessions);
  }

  core::TranscriptExtent extent_of(const Candidate& candidate) const {
    // The last commit of a session that is over gets all of it.
    const bool is_end = candidate.session->ended && candidate.part.is_last;
    return extent_ == core::TranscriptExtent::slice && is_end ? core::TranscriptExtent::full : extent_;
  }

  base::Status export_session(const git::CommitFacts& commit, const core::CommitSpan& span,
                              const SessionTarget& target, const Candidate& candidate,
                              const std::string& missing,
                              const std::optional<sessions::StoredCheckpoint>& stored) {
    const RecordedSession& session = *candidate.session;
    if (const std::string reason = why_not(stored, candidate); !reason.empty()) {
      done_.left_out.push_back({commit.sha, target.id, session.id, session.client, reason});
      return {};
    }
    const core::SessionOrigin origin{session.id, session.client, "plankeep/" + request_.version, commit.time,
                                     branch_};
    const bool with_transcript = extent_ != core::TranscriptExtent::none && candidate.text != nullptr;
    core::RedactedRecord made =
        core::redacted_record(candidate.part, origin, redactor_,
                              with_transcript ? extent_of(candidate) : core::TranscriptExtent::none);
    if (extent_ != core::TranscriptExtent::none && candidate.text == nullptr)
      made.transcript_left_out = candidate.transcript_missing;
    if (candidate.compatible.lines) {
      made.record.attribution =
          core::stored_attribution(*candidate.compatible.lines, metric_of(target.layout), commit.time);
    }
    if (!plan_id_.empty()) {
      secrets::Redacted link = redactor_.json(core::encode_plan_link(link_of(commit, span, made, missing)));
      made.report.add(link.report());
      made.record.plan_link = std::move(link);
    }

    ExportedSession one;
    one.commit = commit.sha;
    one.checkpoint = target.id;
    one.layout = target.layout;
    one.session = session.id;
    one.client = session.client;
    for (const secrets::Redacted& file : made.record.files_touched) one.files.push_back(file.text());
    one.prompts = made.record.prompts.size();
    one.has_transcript = made.record.transcript.has_value();
    one.transcript_left_out = made.transcript_left_out;
    if (candidate.compatible.lines) one.agent_percentage = candidate.compatible.lines->agent_percentage;
    one.no_attribution = candidate.compatible.reason;
    one.redacted = made.report;
    if (candidate.text != nullptr) {
      const std::string_view seen = candidate.part.transcript;
      one.until = {static_cast<std::int64_t>(std::count(seen.begin(), seen.end(), '\n')),
                   static_cast<std::int64_t>(seen.size())};
    }
    if (!request_.dry_run) {
      TRY_ASSIGN(auto writer, SessionWriter::open(git_, context_.files, tree_, elected_));
      TRY_ASSIGN(const SessionWritten written, writer.write(target, made.record));
      one.is_new = !written.commit.empty();
      for (const std::string& warning : written.warnings) warn_once(target.id + ": " + warning);
    }
    done_.sessions.push_back(std::move(one));
    return {};
  }

  // Why records of the commit have no transcript, each reason once. The same whichever session is written:
  // they have one plan link together, and writing all of them again has to change nothing.
  std::string missing_transcripts(const std::vector<Candidate>& candidates,
                                  const std::optional<sessions::StoredCheckpoint>& stored) const {
    std::set<std::string> reasons;
    for (const Candidate& candidate : candidates) {
      if (extent_ != core::TranscriptExtent::none && candidate.text == nullptr &&
          why_not(stored, candidate).empty())
        reasons.insert(candidate.transcript_missing);
    }
    return base::joined(reasons);
  }

  core::PlanLink link_of(const git::CommitFacts& commit, const core::CommitSpan& span,
                         const core::RedactedRecord& made, const std::string& missing) const {
    const auto sidecar = std::find_if(sources_.sidecars.begin(), sources_.sidecars.end(),
                                      [&](const core::Sidecar& known) { return known.sha == commit.sha; });
    core::PlanLink link =
        core::plan_link_of({plan_id_, "plankeep " + request_.version},
                           sidecar == sources_.sidecars.end() ? nullptr : &*sidecar, sources_.events, span);
    if (!missing.empty()) {
      link.transcript_left_out = missing;
    } else if (!made.transcript_left_out.empty()) {
      link.transcript_left_out = made.transcript_left_out;
    }
    if (const auto& lines = done_.exported.back().lines)
      link.lines = core::PlanLines{lines->agent, lines->person, lines->unknown, {}};
    return link;
  }

  // The checkpoint that the commit names itself, not somewhere in its message; else one of its own.
  Result<SessionTarget> target_of(const git::CommitFacts& commit) {
    SessionTarget target{layout_, {}, author_};
    std::vector<std::string> ids = commit.session_checkpoints;
    if (ids.empty()) {
      target.id = session_id_for_commit(layout_, commit.sha, commit.time);
      return target;
    }
    target.id = std::move(ids.back());
    target.layout = layout_of_id(target.id);
    return target;
  }

  // What is stored under the id; then its layout is the one that counts.
  Result<std::optional<sessions::StoredCheckpoint>> stored_at(SessionTarget& target) {
    using Stored = std::optional<sessions::StoredCheckpoint>;
    auto read = index_->read(target.id);
    if (!read && read.error().kind == ErrorKind::not_found) return Stored();
    if (!read) return base::fail(std::move(read.error()));
    target.layout = read->found.layout;
    return Stored(std::move(*read));
  }

  // Why a session's record is left as it is; empty: it is written. Where the checkpoint cannot be read nobody
  // knows whose it is: the writer keeps what it finds.
  static std::string why_not(const std::optional<sessions::StoredCheckpoint>& stored,
                             const Candidate& candidate) {
    // From a payload or a history that somebody else wrote: neither may become a name.
    if (!core::is_client_session(candidate.session->id)) return "its id cannot be a name";
    if (base::printable(candidate.session->client) != candidate.session->client)
      return "its client's name cannot be shown";
    if (!stored) return {};
    for (const sessions::StoredSession& one : stored->sessions) {
      if (!one.metadata || one.metadata->session_id != candidate.session->id) continue;
      if (!written_by_plankeep(*one.metadata)) return "another tool has written it already";
      if (candidate.text == nullptr && !one.transcript.empty())
        return "it was written when the transcript was still there";
      const auto prompts = std::max<std::int64_t>(1, std::ssize(candidate.part.prompts));
      if (candidate.text == nullptr && one.metadata->checkpoints_count.value_or(0) > prompts)
        return "it was written when more checkpoints of it were kept";
    }
    return {};
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
  SessionTranscripts transcripts_;
  core::TranscriptExtent extent_;
  std::string elected_;  // the remote of the setting; empty: origin
  secrets::Redactor redactor_;
  std::string plan_id_;
  core::SessionLayout layout_ = core::SessionLayout::refs;
  std::unique_ptr<sessions::SessionIndex> index_;
  git::Signature author_;
  std::optional<std::string> branch_;
  SessionExport done_;
};

}  // namespace

Result<SessionExport> export_sessions(const Context& context, const PlanLocation& plan,
                                      const ExportSources& sources, const SessionExportRequest& request) {
  if (context.processes == nullptr) return base::fail(ErrorKind::not_found, "git cannot be started here");
  git::Git git(*context.processes, context.files);
  TRY_ASSIGN(auto tree, git.work_tree(plan.folder));
  if (!tree) return base::fail(ErrorKind::not_found, "not in a git repository");
  const Project project(context, plan.folder);
  TRY_ASSIGN(auto redactor, make_redactor(context, project.settings()));
  return Exporter(context, sources, request, git, std::move(*tree), project.settings(), std::move(redactor),
                  plan.name.empty() ? std::string() : plan.plan_id())
      .run();
}

}  // namespace plankeep::app
