#include "checkpoints/checkpoint.hpp"

#include <algorithm>
#include <charconv>
#include <utility>

#include "base/redact.hpp"
#include "base/sha256.hpp"
#include "base/utf8.hpp"
#include "checkpoints/own_session.hpp"
#include "checkpoints/retention.hpp"
#include "checkpoints/snapshots.hpp"
#include "clients/transcripts/transcript.hpp"
#include "markdown/parse_plan.hpp"
#include "model/sidecar.hpp"
#include "rules/latest_checkpoint.hpp"
#include "rules/match.hpp"
#include "rules/reconcile.hpp"
#include "rules/sessions.hpp"
#include "store/journal.hpp"
#include "store/paths.hpp"
#include "store/sidecars.hpp"
#include "store/tracking_folder.hpp"
#include "system/atomic_file.hpp"
#include "system/file_parts.hpp"
#include "tracking/loaded_state.hpp"
#include "tracking/plan_work.hpp"
#include "tracking/project_tree.hpp"
#include "tracking/restored_times.hpp"
#include "tracking/show.hpp"
#include "worktree/work_status.hpp"

namespace plankeep::app {
namespace {

using base::ErrorKind;
using base::Result;
using base::Status;
using core::Checkpoint;

constexpr std::chrono::milliseconds kGitTimeout{5000};
/// More changed files than that are counted only; a work state has room for some dozens.
constexpr std::size_t kFilesLookedAt = git::kMostCounted;
constexpr std::size_t kNoteBytes = 2000;
constexpr std::size_t kNameBytes = 200;  // trigger, event, session, message
// Of a transcript: uses of tools lie far apart in one that holds whole files.
constexpr std::uint64_t kToolUsesTail = 4 * clients::kTranscriptTail;

std::string kept(const std::string& text, std::size_t bytes) {
  return base::fit_to_bytes(base::printable(text), bytes);
}

void inspect_files(const Context& context, const std::string& top, core::WorkState& work) {
  std::vector<core::FileChange>& files = work.files_modified;
  if (files.size() > kFilesLookedAt) {
    work.files_more = static_cast<std::int64_t>(files.size() - kFilesLookedAt);
    files.resize(kFilesLookedAt);
  }
  constexpr std::int64_t kNanosecondsOfOne = 1'000'000;
  for (core::FileChange& file : files) {
    if (file.status == "deleted") continue;
    const auto info = context.files.info(top + "/" + file.path);
    if (!info || info->kind == system::FileKind::missing) continue;
    file.last_modified = base::Instant{info->mtime_ns / kNanosecondsOfOne};
  }
}

// The repository around the plan, if there is one.
Result<std::optional<git::WorkTree>> work_tree_of(const Context& context, git::Git& git,
                                                  const PlanLocation& plan) {
  const Project project(context, plan.folder);
  if (!project.in_git()) return std::optional<git::WorkTree>();
  return git.work_tree(project.root());
}

// From when on commits are counted and named.
struct Since {
  std::optional<base::Instant> tracked;  // the plan
  std::optional<base::Instant> phase;    // started; only where its commits are named
};

// As the history and the state tell; a checkpoint is made without it too.
Since since_when(const Context& context, const PlanLocation& plan, const CheckpointRequest& request) {
  Since since;
  const auto folder = context.files.open_folder(plan.folder);
  if (!folder) return since;
  const auto tracking = store::open_tracking(**folder);
  if (!tracking) return since;
  (void)store::read_events(**tracking, 0, [&since](const core::Event& event, const store::HistoryLine&) {
    since.tracked = event.time;
    return false;
  });
  if (request.type != core::CheckpointType::epic_completion || !request.phase) return since;
  since.phase = since.tracked;
  const auto loaded = load_state(**tracking, plan);
  if (!loaded || !loaded->state) return since;
  for (const core::PhaseState& phase : loaded->state->phases) {
    if (phase.id == *request.phase && phase.started_at) since.phase = phase.started_at;
  }
  return since;
}

// git counts in seconds; one that was made in the same second is among them.
std::string since_word(base::Instant time) {
  constexpr std::int64_t kSecond = 1000;
  return "--since=@" + std::to_string(time.milliseconds / kSecond);
}

// What git says, and the snapshot. Nothing of it keeps a checkpoint from being made. While git looks at the
// work tree for its status, the snapshot looks at it too: both wait for the file system mostly.
class RepositoryGatherer {
 public:
  RepositoryGatherer(const Context& context, CheckpointAnswer& answer, Since since)
      : context_(context),
        answer_(answer),
        since_(since),
        git_(*context.processes, context.files, kGitTimeout) {}

  void gather(const PlanLocation& plan, const SnapshotTaker& take_snapshot) {
    const Project project(context_, plan.folder);
    const std::string& root = project.root();
    if (!project.in_git()) {
      if (context_.environment.variable("GIT_DIR"))
        answer_.warnings.emplace_back(
            "no file snapshot: GIT_DIR is set, but plankeep only uses the repository that git finds from the "
            "plan's folder");
      return;
    }
    auto question = git::WorkStatusQuestion::ask(git_, root);
    std::optional<Result<git::GitRunning>> log;
    if (since_.phase) log = ask_for_commits(root);
    const auto place = git::open_snapshots(*context_.processes, context_.files, root);
    if (place && *place) {
      answer_.checkpoint.moment.work_tree = (*place)->top;
      if (take_snapshot) keep(take_snapshot(**place));
    }
    const Status known = !place ? Status(base::fail(place.error())) : take_answer(question);
    if (known) count_commits(root);
    if (known && log) take_commits(*log);
    if (known) return;
    answer_.warnings.push_back("without information from git: " + (known.error().kind == ErrorKind::not_found
                                                                       ? std::string("git is not installed")
                                                                       : known.error().message));
  }

 private:
  void keep(base::Result<core::Snapshot> taken) {
    if (taken) {
      answer_.checkpoint.moment.snapshot = std::move(*taken);
    } else {
      answer_.warnings.push_back("no file snapshot: " + taken.error().message);
    }
  }

  // Newest first: id and subject. Those behind the ones that are named are counted.
  Result<git::GitRunning> ask_for_commits(const std::string& root) {
    constexpr std::size_t kMostCounted = 1000;
    return git_.start(
        root, {"log", "-z", "--no-color", "--no-show-signature", "--encoding=UTF-8", "--format=tformat:%H %s",
               since_word(*since_.phase), "-n", std::to_string(kMostCounted), "HEAD", "--"});
  }

  // A branch without a commit has none.
  void take_commits(Result<git::GitRunning>& running) {
    if (!running) return;
    const auto told = running->finish();
    if (!told || told->status != 0) return;
    core::WorkState& work = answer_.checkpoint.work_state;
    std::string_view rest = told->output;
    while (!rest.empty()) {
      const std::size_t end = std::min(rest.find('\0'), rest.size());
      const std::string_view line = rest.substr(0, end);
      rest.remove_prefix(std::min(end + 1, rest.size()));
      const std::size_t space = line.find(' ');
      if (!core::is_commit_id(line.substr(0, space))) continue;
      if (work.commits.size() == core::kCommitsTaken) {
        ++work.commits_more;
        continue;
      }
      const std::string_view subject =
          space == std::string_view::npos ? std::string_view() : line.substr(space + 1);
      work.commits.push_back({std::string(line.substr(0, space)), core::redact(subject)});
    }
  }

  // Where there is no upstream to hold the branch against.
  void count_commits(const std::string& root) {
    core::GitStatus& status = answer_.checkpoint.work_state.git_status;
    if (status.commit_count || answer_.checkpoint.moment.commit_sha.empty() || !since_.tracked) return;
    const auto told = git_.run(root, {"rev-list", "--count", since_word(*since_.tracked), "HEAD", "--"});
    if (!told || told->status != 0) return;
    std::int64_t count = 0;
    const char* const end = told->output.data() + told->output.size();
    if (std::from_chars(told->output.data(), end, count).ec == std::errc{}) status.commit_count = count;
  }

  Status take_answer(Result<git::WorkStatusQuestion>& question) {
    if (!question) return base::fail(question.error());
    TRY_ASSIGN(auto status, question->answer());
    core::Moment& moment = answer_.checkpoint.moment;
    if (!status || moment.work_tree.empty()) return {};
    core::WorkState& work = answer_.checkpoint.work_state;
    // Temporary files of ours are nobody's work.
    const std::size_t all = status->files.size();
    std::erase_if(status->files, [](const core::FileChange& file) {
      return file.status == "untracked" && is_ours(file.path);
    });
    status->status.untracked_files -= static_cast<std::int64_t>(all - status->files.size());
    moment.commit_sha = status->head;
    moment.workspace_state = status->clean() ? core::WorkspaceState::clean : core::WorkspaceState::dirty;
    work.git_status = std::move(status->status);
    work.files_modified = std::move(status->files);
    // A plan's next text that is just being written.
    const auto ours = std::erase_if(work.files_modified, [](const core::FileChange& file) {
      return file.status == "untracked" && file.path.ends_with(system::kTemporaryEnd);
    });
    work.git_status.untracked_files -= static_cast<std::int64_t>(ours);
    inspect_files(context_, moment.work_tree, work);
    return {};
  }

  const Context& context_;
  CheckpointAnswer& answer_;
  Since since_;
  git::Git git_;
};

void gather_environment(const Context& context, const PlanLocation& plan,
                        core::WorkEnvironment& environment) {
  environment.project = last_part(command_root(context, plan));
  environment.working_directory = context.environment.working_directory();
  if (context.processes == nullptr) return;
  const std::string host = context.processes->host();
  environment.hostname = host.substr(0, host.find('/'));
}

// What a checkpoint says of the plan is taken from here.
struct PlanMoment {
  core::State state;
  std::optional<core::Plan> plan;  // absent: it cannot be read
  std::string text;
  std::uint64_t history_end = 0;
  bool of_then = false;
};

// As it was when the checkpoint was asked for; nullopt where the history does not go back to then.
Result<std::optional<PlanMoment>> moment_then(PlanWork& work, const PlanLocation& location,
                                              const PlanThen& then) {
  TRY_ASSIGN(const std::uint64_t end, store::history_end(work.tracking()));
  auto plan = markdown::parse_plan(then.text);
  if (then.history_offset > end || !plan) return std::optional<PlanMoment>();
  TRY_ASSIGN(core::State effective_state,
             state_then(work.tracking(), location, then.text, then.history_offset));
  core::keep_ids(effective_state, *plan);
  PlanMoment moment;
  moment.state = core::reconcile(effective_state, *plan, "external", work.now()).state;
  moment.state.revision = then.revision;
  moment.plan = std::move(*plan);
  moment.text = then.text;
  moment.history_end = then.history_offset;
  moment.of_then = true;
  return std::optional(std::move(moment));
}

Result<PlanMoment> moment_of(PlanWork& work, const PlanLocation& location,
                             const std::optional<PlanThen>& then) {
  const bool same = then && work.readable() && work.outcome().events.empty() &&
                    work.state().history_offset == then->history_offset && work.bytes() == then->text;
  if (then && !same) {
    TRY_ASSIGN(auto moment, moment_then(work, location, *then));
    if (moment) return std::move(*moment);
  }
  PlanMoment moment;
  moment.state = work.state();
  if (work.readable()) {
    moment.plan = work.plan();
    moment.text = work.bytes();
  }
  TRY_ASSIGN(moment.history_end, store::history_end(work.tracking()));
  moment.of_then = same;
  return moment;
}

void gather_plan(const PlanMoment& told, base::Instant now, const std::optional<core::PhaseId>& phase_wanted,
                 Checkpoint& checkpoint) {
  const core::State& state = told.state;
  core::Moment& moment = checkpoint.moment;
  checkpoint.work_state.current_epic =
      phase_wanted ? core::epic_of(state, *phase_wanted, now) : core::epic_of(state, now);
  checkpoint.work_state.prd_status = core::prd_status_of(state, phase_wanted);
  if (!told.of_then && checkpoint.head.type == core::CheckpointType::epic_completion) {
    // It is made a moment later, when the phase may be open again: it tells of the completion.
    const std::string completed(core::name_of(core::PhaseStatus::completed));
    checkpoint.work_state.current_epic.status = completed;
    checkpoint.work_state.prd_status.epic_status = completed;
  }
  checkpoint.head.phase = core::PhaseId(checkpoint.work_state.current_epic.epic_id);
  checkpoint.head.timestamp = now;
  for (const core::PhaseState& phase : state.phases) {
    if (phase.id != checkpoint.head.phase) continue;
    moment.criteria = static_cast<std::int64_t>(phase.acceptance.size());
    moment.criteria_met = std::count_if(phase.acceptance.begin(), phase.acceptance.end(),
                                        [](const core::CriterionState& criterion) { return criterion.met; });
  }
  for (const std::string& blocker : state.blockers) {
    if (moment.blockers.size() == core::kBlockersKept) break;
    moment.blockers.push_back(kept(blocker, kNameBytes));
  }
  if (!told.plan) return;
  moment.plan_digest = base::sha256_hex(told.text);
  moment.todo_snapshot = core::todo_of(*told.plan);
}

// The whole lines from `from` to `end`. `own`: the id of a checkpoint whose event has to stand near the start
// of what is behind `from`; nullopt when it does not.
Result<std::optional<std::int64_t>> lines_between(system::Folder& tracking, std::uint64_t from,
                                                  std::uint64_t end, const std::string& own) {
  // Other events may have come between the moment of a checkpoint and its record.
  constexpr std::int64_t kNear = 256;
  bool found = own.empty();
  std::int64_t before = -1;  // lines in front of `end`
  TRY_ASSIGN(
      const store::HistoryScan scan,
      store::read_events(tracking, from, [&](const core::Event& event, const store::HistoryLine& line) {
        if (before < 0 && line.offset >= end) before = line.number - 1;
        found = found || event.checkpoint == own;
        if (!found) return line.number < kNear;
        return before < 0;
      }));
  if (!found) return std::optional<std::int64_t>();
  return std::optional(before < 0 ? scan.lines : before);
}

// The number of whole lines of the history at that moment. Counting starts at the last checkpoint if its own
// event follows there; otherwise the history was cut or replaced, and all of it is counted.
Status count_history(records::CheckpointStore& store, system::Folder& tracking, std::uint64_t end,
                     Checkpoint& checkpoint) {
  checkpoint.moment.history_offset = end;
  TRY_ASSIGN(const auto last, store.latest({}));
  if (last && last->moment.history_offset <= end) {
    TRY_ASSIGN(const auto lines,
               lines_between(tracking, last->moment.history_offset, end, last->head.id.text));
    if (lines) {
      checkpoint.head.sequence_num = last->head.sequence_num + *lines;
      return {};
    }
  }
  TRY_ASSIGN(const auto lines, lines_between(tracking, 0, end, {}));
  checkpoint.head.sequence_num = lines.value_or(0);
  return {};
}

core::Event saved_event(const Checkpoint& checkpoint) {
  core::Event event;
  event.time = checkpoint.head.timestamp;
  event.kind = core::EventKind::checkpoint_saved;
  event.checkpoint = checkpoint.head.id.text;
  event.checkpoint_type = std::string(core::name_of(checkpoint.head.type));
  event.phase = checkpoint.head.phase;
  return event;
}

std::int64_t done_in(const core::State& state) {
  return state.progress.completed;
}

}  // namespace

std::optional<PlanThen> plan_then(const core::State& state, const std::string& text) {
  if (text.empty()) return std::nullopt;
  std::string checksum = base::short_checksum(text);
  if (checksum != state.checksum) return std::nullopt;
  return PlanThen{text, std::move(checksum), state.history_offset, state.revision};
}

Result<CheckpointAnswer> create_checkpoint(const Context& context, const PlanLocation& plan,
                                           const CheckpointRequest& asked) {
  const CheckpointRequest request = in_own_session(context, plan, asked);
  if (base::find_invalid_utf8(request.note) != std::string_view::npos) {
    return base::fail(ErrorKind::invalid_input, "the note is not UTF-8");
  }
  CheckpointAnswer answer;
  Checkpoint& checkpoint = answer.checkpoint;
  core::CheckpointHead& head = checkpoint.head;
  head.type = request.type;
  head.instance_id = kept(request.instance, kNameBytes);
  if (head.instance_id.empty()) head.instance_id = core::kOutsideSessions;
  head.context_window_percent = request.context_percent;
  head.metadata.trigger = kept(request.trigger, kNameBytes);
  head.metadata.event_id = kept(request.event_id, kNameBytes);
  head.metadata.manual = request.manual;
  head.metadata.note = kept(request.note, kNoteBytes);

  // Whatever does not need the lock comes before it, and nothing at all for a plan that may not be tracked.
  TRY(require_trackable(context, plan));
  gather_environment(context, plan, checkpoint.work_state.environment);
  if (context.processes != nullptr) {
    const Since since = since_when(context, plan, request);
    RepositoryGatherer(context, answer, since).gather(plan, request.take_snapshot);
  }
  if (request.wanted && !request.wanted()) return answer;
  if (request.message_id) checkpoint.moment.message_id = kept(request.message_id(), kNameBytes);
  if (request.prompt) checkpoint.moment.prompt = core::prompt_words(request.prompt());
  if (!request.transcript.empty()) {
    checkpoint.work_state.last_commands = clients::last_tool_uses(
        system::read_tail(context.files, request.transcript, kToolUsesTail), core::kCommandsTaken);
  }

  PlanWork work(context, plan);
  TRY(work.open(PlanWork::Create::if_plan));
  TRY(work.lock(kTimeout));
  TRY(work.sync(Edit{}));
  if (!work.readable() && work.state().checksum.empty()) {
    Outcome outcome = work.take_outcome();
    return base::fail(ErrorKind::conflict,
                      "cannot make a checkpoint: " + (outcome.warnings.empty()
                                                          ? std::string("nothing is recorded about the plan")
                                                          : outcome.warnings.back()),
                      "fix the plan first; for details: plankeep doctor");
  }
  TRY_ASSIGN(const PlanMoment told, moment_of(work, plan, request.then));
  gather_plan(told, work.now(), request.phase, checkpoint);
  if (const core::SessionState* const session = core::find_session(work.state(), head.instance_id);
      session != nullptr && !head.context_window_percent) {
    head.context_window_percent = session->context_percent;
  }
  {
    TRY_ASSIGN(const auto store, records::open_sqlite(work.tracking(), std::string(store::kCheckpoints),
                                                      records::Access::write));
    TRY(count_history(*store, work.tracking(), told.history_end, checkpoint));
    TRY_ASSIGN(checkpoint, store->add(std::move(checkpoint),
                                      told.plan ? std::optional<std::string_view>(told.text) : std::nullopt));
    for (std::string& warning : store->take_warnings()) answer.warnings.push_back(std::move(warning));
  }
  // The record is there: what fails now leaves it without its event.
  const core::Event saved = saved_event(checkpoint);
  core::State state = work.state();
  core::apply_checkpoint_event(state, saved);
  TRY(work.save(std::move(state), {saved}));
  Outcome outcome = work.take_outcome();
  answer.warnings.insert(answer.warnings.end(), outcome.warnings.begin(), outcome.warnings.end());
  answer.events = std::move(outcome.events);
  core::SinceThen since;
  since.plan = shown_path(context, plan.path());
  answer.instructions = core::recovery_instructions(checkpoint, since);
  return answer;
}

Result<OpenedCheckpoints> open_checkpoints(const Context& context, const PlanLocation& plan,
                                           records::Access access) {
  OpenedCheckpoints opened;
  TRY_ASSIGN(const auto folder, context.files.open_folder(plan.folder));
  auto tracking = store::open_tracking(*folder);
  if (!tracking && tracking.error().kind == ErrorKind::not_found)
    return base::fail(not_tracked(context, plan));
  if (!tracking) return base::fail(std::move(tracking.error()));
  opened.tracking = std::move(*tracking);
  TRY_ASSIGN(opened.store, records::open_sqlite(*opened.tracking, std::string(store::kCheckpoints), access));
  return opened;
}

Result<Checkpoint> find_checkpoint(records::CheckpointStore& store, const std::string& which) {
  if (which == "last") {
    TRY_ASSIGN(auto last, store.latest({}));
    if (last) return std::move(*last);
    return base::fail(ErrorKind::not_found, "there are no checkpoints yet",
                      "to make one: plankeep checkpoint create");
  }
  for (const std::string& id : {which, std::string(core::kCheckpointPrefix) + which}) {
    if (!core::is_checkpoint_id(id)) continue;
    auto found = store.get(core::CheckpointId(id));
    if (found || found.error().kind != ErrorKind::not_found) return found;
  }
  // The beginning or the end of an id. What is listed is short: all of it is looked through.
  TRY_ASSIGN(const auto all, store.list({.limit = std::size_t{1} << 20}));
  std::vector<core::CheckpointId> matching;
  for (const core::ListedCheckpoint& one : all) {
    const std::string_view id = one.head.id.text;
    if (id.starts_with(which) || id.ends_with(which) ||
        id.substr(core::kCheckpointPrefix.size()).starts_with(which))
      matching.push_back(one.head.id);
  }
  if (matching.size() == 1) return store.get(matching.front());
  if (matching.empty()) {
    return base::fail(ErrorKind::not_found, "there is no checkpoint " + which,
                      "to list them: plankeep checkpoint list");
  }
  std::string message = "several checkpoints start or end with " + which + ":";
  constexpr std::size_t kShown = 10;
  for (std::size_t i = 0; i < std::min(matching.size(), kShown); ++i) message += "\n" + matching[i].text;
  if (matching.size() > kShown) message += "\nand " + std::to_string(matching.size() - kShown) + " more";
  return base::fail(ErrorKind::ambiguous, std::move(message), "give one of them");
}

namespace {

// How things stand now, as far as a look tells.
core::SinceThen since(const Context& context, const PlanLocation& plan, const Checkpoint& checkpoint) {
  core::SinceThen since;
  since.plan = shown_path(context, plan.path());
  if (const auto shown = load_shown(context, plan, 0); shown && shown->state) {
    since.done_now = done_in(*shown->state);
    if (!checkpoint.moment.plan_digest.empty()) {
      auto folder = context.files.open_folder(plan.folder);
      if (folder) {
        store::PlanFile file(context.files, **folder, plan.name);
        const auto text = file.read();
        if (text) since.plan_changed = base::sha256_hex(text->bytes) != checkpoint.moment.plan_digest;
      }
    }
  }
  const core::Moment& moment = checkpoint.moment;
  if (context.processes == nullptr || (moment.commit_sha.empty() && !moment.snapshot)) return since;
  git::Git git(*context.processes, context.files, kGitTimeout);
  const Project project(context, plan.folder);
  if (!project.in_git()) return since;
  const std::string& root = project.root();
  std::optional<Result<git::GitRunning>> there;
  if (moment.snapshot) there = git.start(root, {"cat-file", "-e", moment.snapshot->commit + "^{commit}"});
  const auto tree = git.work_tree(root);
  if (!tree || !*tree) return since;
  since.head = (*tree)->head;
  if (there && *there) {
    const auto finished = (*there)->finish();
    since.snapshot_gone = finished && finished->status != 0;
  }
  return since;
}

}  // namespace

Result<CheckpointAnswer> get_checkpoint(const Context& context, const PlanLocation& plan,
                                        const std::string& which) {
  TRY_ASSIGN(const OpenedCheckpoints opened, open_checkpoints(context, plan, records::Access::read));
  CheckpointAnswer answer;
  TRY_ASSIGN(answer.checkpoint, find_checkpoint(*opened.store, which));
  answer.warnings = opened.store->take_warnings();
  answer.instructions =
      core::recovery_instructions(answer.checkpoint, since(context, plan, answer.checkpoint));
  return answer;
}

Result<CheckpointList> list_checkpoints(const Context& context, const PlanLocation& plan,
                                        const records::CheckpointQuery& query) {
  auto opened = open_checkpoints(context, plan, records::Access::read);
  if (!opened && opened.error().kind == ErrorKind::not_found) {
    // No checkpoints are an empty list; no tracking is an error still.
    TRY_ASSIGN(const auto folder, context.files.open_folder(plan.folder));
    if (store::open_tracking(*folder)) return CheckpointList();
  }
  if (!opened) return base::fail(std::move(opened.error()));
  CheckpointList list;
  TRY_ASSIGN(list.listed, opened->store->list(query));
  list.warnings = opened->store->take_warnings();
  return list;
}

namespace {

// Records, then refs.
Status clean_up_records(const Context& context, const PlanLocation& plan, const records::CleanUp& rules,
                        bool dry, const SnapshotDropper& drop, CleanUpAnswer& answer) {
  {
    // Opening for writing would make a store where there is none.
    const auto there = open_checkpoints(context, plan, records::Access::read);
    if (!there && there.error().kind == ErrorKind::not_found) {
      TRY_ASSIGN(const auto folder, context.files.open_folder(plan.folder));
      if (store::open_tracking(*folder)) return {};
    }
    if (!there) return base::fail(there.error());
  }
  std::vector<std::string> refs;
  TRY_ASSIGN(const OpenedCheckpoints opened, open_checkpoints(context, plan, records::Access::write));
  TRY_ASSIGN(answer.cleaned, opened.store->clean_up(rules, dry));
  if (dry) return {};
  TRY_ASSIGN(refs, opened.store->snapshot_refs());
  const bool gone = std::any_of(answer.cleaned.deleted.begin(), answer.cleaned.deleted.end(),
                                [](const records::Deleted& deleted) { return deleted.snapshot.has_value(); });
  if (!drop) {
    if (gone) answer.warnings.emplace_back("the snapshots of deleted checkpoints remain in the repository");
    return {};
  }
  if (context.processes == nullptr) return {};
  git::Git git(*context.processes, context.files, kGitTimeout);
  const auto tree = work_tree_of(context, git, plan);
  if (!tree || !*tree) {
    if (gone) answer.warnings.emplace_back("the snapshots of deleted checkpoints could not be deleted");
    return {};
  }
  const auto dropped = drop((*tree)->top, refs, rules.older_than);
  if (dropped) {
    answer.dropped_snapshots = *dropped;
  } else {
    answer.warnings.push_back("some snapshots could not be deleted: " + dropped.error().message);
  }
  return {};
}

// Sidecars go under the lock, and the history says that something went.
Status record_clean_up(const Context& context, const PlanLocation& plan, CleanUpAnswer& answer) {
  PlanWork work(context, plan);
  TRY(work.open(PlanWork::Create::if_plan));
  TRY(work.lock(kTimeout));
  TRY(work.sync(Edit{}));
  store::Sidecars sidecars(work.tracking());
  for (const std::string& sha : answer.sidecars) TRY(sidecars.remove(sha));
  core::Event event;
  event.time = work.now();
  event.name = "checkpoints_cleaned";
  TRY(work.save(work.state(), {event}));
  answer.events = work.take_outcome().events;
  return {};
}

}  // namespace

Result<CleanUpAnswer> clean_up_checkpoints(const Context& context, const PlanLocation& plan,
                                           const CleanUpRequest& request, const SnapshotDropper& drop) {
  const std::int64_t now = context.clock.now().milliseconds;
  const std::int64_t age = request.all ? request.older_than_ms : std::max(request.older_than_ms, kFreshFor);
  records::CleanUp rules;
  rules.older_than = base::Instant{now - age};
  rules.newest_of_sessions = !request.all;
  CleanUpAnswer answer;
  answer.plan = plan;
  answer.dry = request.dry;
  TRY(clean_up_records(context, plan, rules, request.dry, drop, answer));
  auto dead = dead_sidecars(context, plan, rules.older_than);
  if (dead) {
    answer.sidecars = std::move(*dead);
  } else {
    answer.warnings.push_back("sidecars of commits remain: " + dead.error().message);
  }
  if (request.dry || (answer.cleaned.deleted_count == 0 && answer.sidecars.empty())) return answer;
  const Status recorded = record_clean_up(context, plan, answer);
  if (!recorded)
    answer.warnings.push_back("it could not be recorded in the history: " + recorded.error().message);
  return answer;
}

Result<std::vector<std::string>> export_checkpoints(
    const Context& context, const PlanLocation& plan,
    const std::function<bool(const core::Checkpoint& checkpoint)>& each) {
  auto opened = open_checkpoints(context, plan, records::Access::read);
  if (!opened && opened.error().kind == ErrorKind::not_found) {
    TRY_ASSIGN(const auto folder, context.files.open_folder(plan.folder));
    if (store::open_tracking(*folder)) return std::vector<std::string>();
  }
  if (!opened) return base::fail(std::move(opened.error()));
  TRY(opened->store->for_each(each));
  return opened->store->take_warnings();
}

}  // namespace plankeep::app
