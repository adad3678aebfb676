#include "sessions/export_pending.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "base/utf8.hpp"
#include "clients/agent_name.hpp"
#include "git/commits.hpp"
#include "git/git_output.hpp"
#include "git/ref_writer.hpp"
#include "git_objects/commit_object.hpp"
#include "model/session.hpp"
#include "project/project.hpp"
#include "project/text_redactor.hpp"
#include "session_rules/recorded_part.hpp"
#include "session_rules/session_part.hpp"
#include "session_rules/shadow_branches.hpp"
#include "sessions/session_transcripts.hpp"
#include "sessions/write_session.hpp"

namespace plankeep::app {
namespace {

using base::ErrorKind;
using base::Result;

// "" for the main work tree.
std::string name_of_work_tree(const git::WorkTree& tree) {
  return tree.git_dir == tree.common_dir ? std::string() : last_part(tree.git_dir);
}

class PendingExporter {
 public:
  PendingExporter(const Context& context, const ExportSources& sources, const PendingExportRequest& request,
                  git::Git& git, git::WorkTree tree, core::TranscriptExtent extent,
                  secrets::Redactor redactor)
      : context_(context),
        sources_(sources),
        request_(request),
        git_(git),
        tree_(std::move(tree)),
        transcripts_(context.files, tree_.top),
        extent_(request.with_transcript ? extent : core::TranscriptExtent::none),
        redactor_(std::move(redactor)) {}

  Result<PendingExport> run() {
    done_.dry_run = request_.dry_run;
    done_.warnings = sources_.warnings;
    git::Commits commits(git_, context_.files, tree_);
    TRY_ASSIGN(head_, commits.head());
    if (!head_)
      return base::fail(ErrorKind::not_found, "there is no commit yet", "a shadow branch begins at one");
    branch_ = core::shadow_branch_name(head_->sha, name_of_work_tree(tree_));
    TRY_ASSIGN(auto objects, git::ObjectWriter::open(git_, tree_));
    objects_.emplace(std::move(objects));
    TRY(check_branch());
    for (const RecordedSession& session : sources_.sessions) {
      const bool is_wanted = request_.sessions.empty()
                                 ? !session.ended
                                 : std::find(request_.sessions.begin(), request_.sessions.end(),
                                             session.id) != request_.sessions.end();
      if (is_wanted) TRY(export_session(session));
    }
    return std::move(done_);
  }

 private:
  // git would take what we write for the user's doing.
  base::Status check_branch() {
    TRY_ASSIGN(const auto told, git_.run(tree_.top, {"for-each-ref", "--format=%(worktreepath)",
                                                     std::string(git::kBranchRefs) + branch_}));
    if (told.status != 0) return base::fail(git::refused(told));
    if (git::without_line_feed(told.output).empty()) return {};
    return base::fail(ErrorKind::conflict, "the branch " + branch_ + " is checked out");
  }

  base::Status export_session(const RecordedSession& session) {
    const auto leave_out = [&](std::string reason) {
      done_.left_out.push_back({session.id, session.client, std::move(reason)});
      return base::Status();
    };
    if (!core::is_client_session(session.id)) return leave_out("its id cannot be a name");
    const core::WorkMoment* moment = newest_moment(session.id);
    if (moment == nullptr) return leave_out("it has no checkpoint with files since the last commit");
    TRY_ASSIGN(const git::KnownTrees known, trees_of(moment->tree));
    if (known.empty()) return leave_out("git no longer has the files of its checkpoint");

    std::shared_ptr<const std::string> text;
    std::string missing;
    const core::SessionPart part = part_of(session, text, missing);
    const core::SessionOrigin origin{session.id, session.client, {}, moment->time, {}};
    const bool with_transcript = extent_ != core::TranscriptExtent::none && text != nullptr;
    core::RedactedRecord made =
        core::redacted_record(part, origin, redactor_,
                              with_transcript ? core::TranscriptExtent::full : core::TranscriptExtent::none);

    core::ShadowRecord record{session.id, redactor_.plain(subject_of(*moment, part, session)),
                              std::move(made.record.transcript), std::move(made.record.prompts)};
    made.report.add(record.subject.report());
    TRY_ASSIGN(const core::ShadowMetadata metadata, core::shadow_metadata(record));

    PendingExport::Snapshot one;
    one.session = session.id;
    one.client = session.client;
    one.branch = branch_;
    one.checkpoint = moment->id;
    one.subject = metadata.message.substr(0, metadata.message.find('\n'));
    one.prompts = record.prompts.size();
    one.has_transcript = record.transcript.has_value();
    one.transcript_left_out = std::move(made.transcript_left_out);
    if (extent_ != core::TranscriptExtent::none && text == nullptr)
      one.transcript_left_out = std::move(missing);
    one.redacted = made.report;
    if (!request_.dry_run) {
      TRY_ASSIGN(one.commit, write(*moment, metadata, known));
    }
    done_.snapshots.push_back(std::move(one));
    return {};
  }

  // With files, and at the commit that HEAD is at: what was before is committed.
  const core::WorkMoment* newest_moment(const std::string& session) const {
    const core::WorkMoment* newest = nullptr;
    for (const core::WorkMoment& moment : sources_.moments) {
      if (moment.session == session && !moment.tree.empty() && !moment.imported && moment.head == head_->sha)
        newest = &moment;
    }
    return newest;
  }

  // The root and the folders of Entire's in it; none: git has not got the root.
  Result<git::KnownTrees> trees_of(const std::string& tree) {
    git::KnownTrees known;
    const std::vector<std::string> names{tree, tree + ":" + std::string(core::kEntireFolder),
                                         tree + ":" + std::string(core::kShadowFolder)};
    TRY_ASSIGN(auto read, objects_->read(names));
    if (!read.front()) return known;
    for (auto& object : read) {
      if (object && object->kind == "tree") known.emplace(std::move(object->id), std::move(object->bytes));
    }
    return known;
  }

  // What was said since the last commit; the transcript is that of the session so far.
  core::SessionPart part_of(const RecordedSession& session, std::shared_ptr<const std::string>& text,
                            std::string& missing) {
    core::CommitSpan span;
    span.parent = head_->time;
    span.before_parent = core::seen_before_commit(sources_.moments, head_->sha, head_->parents, head_->time);
    span.commit = context_.clock.now();
    span.top = tree_.top;
    span.real_folders = &transcripts_.folders().real();
    if (session.transcript.empty()) {
      missing = "the client keeps no transcript";
    } else {
      ReadTranscript read = transcripts_.read(session.transcript);
      if (read.lost) done_.warnings.push_back(session.transcript + ": " + read.missing);
      text = std::move(read.text);
      missing = std::move(read.missing);
    }
    if (text == nullptr) {
      auto part = core::recorded_part(sources_.moments, session.id, span);
      return part ? std::move(*part) : core::SessionPart();
    }
    auto part = core::part_for_commit(*text, span);
    // Nothing was said since, or the lines have no times: all of it.
    return part ? std::move(*part) : core::part_with_noted({}, *text, span, {});
  }

  static std::string subject_of(const core::WorkMoment& moment, const core::SessionPart& part,
                                const RecordedSession& session) {
    if (!moment.prompt.empty()) return moment.prompt;
    if (!part.prompts.empty()) return part.prompts.back();
    return clients::agent_name(session.client) + " session updates";
  }

  Result<std::string> write(const core::WorkMoment& moment, const core::ShadowMetadata& metadata,
                            const git::KnownTrees& files) {
    TRY_ASSIGN(const git::Signature author, session_author(git_, tree_.top, moment.time));
    const git::MakeCommit make = [&](const git::RefState& now, git::Pack& pack) -> Result<std::string> {
      git::KnownTrees known = files;
      known.insert(now.trees.begin(), now.trees.end());
      std::vector<std::string> parents;
      if (!now.tip.empty()) {
        TRY_ASSIGN(const auto tip, objects_->read({now.tip}));
        if (!tip.front() || !core::is_shadow_commit(tip.front()->bytes))
          return base::fail(ErrorKind::conflict,
                            "the branch " + branch_ + " holds something else than snapshots",
                            "rename it: git branch -m " + branch_ + " NAME");
        parents.push_back(now.tip);
      }
      TRY_ASSIGN(const std::string tree, core::shadow_tree(moment.tree, now.tree, metadata, known, pack));
      if (tree == now.tree) return std::string();
      return pack.add(git::ObjectKind::commit,
                      git::commit_bytes({tree, parents, author, author, metadata.message}));
    };
    git::RefWriter refs(*objects_, context_.files);
    const git::RefWrite wanted{std::string(git::kBranchRefs) + branch_,
                               {std::string(core::kEntireFolder), std::string(core::kShadowFolder)}};
    TRY_ASSIGN(git::RefWritten written, refs.write(wanted, make));
    return std::move(written.commit);
  }

  const Context& context_;
  const ExportSources& sources_;
  const PendingExportRequest& request_;
  git::Git& git_;
  git::WorkTree tree_;
  SessionTranscripts transcripts_;
  core::TranscriptExtent extent_;
  secrets::Redactor redactor_;
  std::optional<git::CommitFacts> head_;
  std::string branch_;
  std::optional<git::ObjectWriter> objects_;
  PendingExport done_;
};

}  // namespace

Result<PendingExport> export_pending(const Context& context, const PlanLocation& plan,
                                     const ExportSources& sources, const PendingExportRequest& request) {
  if (context.processes == nullptr) return base::fail(ErrorKind::not_found, "git cannot be started here");
  git::Git git(*context.processes, context.files);
  TRY_ASSIGN(auto tree, git.work_tree(plan.folder));
  if (!tree) return base::fail(ErrorKind::not_found, "not in a git repository");
  const Settings settings = Project(context, plan.folder).settings();
  TRY_ASSIGN(auto redactor, make_redactor(context, settings));
  return PendingExporter(context, sources, request, git, std::move(*tree), settings.session_transcripts,
                         std::move(redactor))
      .run();
}

}  // namespace plankeep::app
