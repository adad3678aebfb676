#include "checkpoints/checkpoint.hpp"

#include <algorithm>
#include <charconv>
#include <utility>

#include "base/sha256.hpp"
#include "base/utf8.hpp"
#include "checkpoints/kept_checkpoints.hpp"
#include "checkpoints/own_session.hpp"
#include "checkpoints/plan_moment.hpp"
#include "checkpoints/snapshots.hpp"
#include "clients/transcripts/transcript.hpp"
#include "model/sidecar.hpp"
#include "project/project.hpp"
#include "project/text_redactor.hpp"
#include "rules/latest_checkpoint.hpp"
#include "rules/sessions.hpp"
#include "secrets/secret_files.hpp"
#include "store/journal.hpp"
#include "store/paths.hpp"
#include "store/tracking_folder.hpp"
#include "system/atomic_file.hpp"
#include "system/file_parts.hpp"
#include "tracking/loaded_state.hpp"
#include "tracking/plan_work.hpp"
#include "tracking/project_tree.hpp"
#include "worktree/work_status.hpp"

namespace plankeep::app {
namespace {

using base::ErrorKind;
using base::Result;
using base::Status;
using core::Checkpoint;

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
  for (core::FileChange& file : files) {
    if (file.status == "deleted") continue;
    const auto info = context.files.info(top + "/" + file.path);
    if (!info || info->kind == system::FileKind::missing) continue;
    file.last_modified = info->modified();
  }
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
  const auto tracking = store::open_tracking(**folder, plan.name);
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
  return "--since=@" + std::to_string(time.milliseconds / base::kSecond);
}

// What git says, and the snapshot. Nothing of it keeps a checkpoint from being made. While git looks at the
// work tree for its status, the snapshot looks at it too: both wait for the file system mostly.
class RepositoryGatherer {
 public:
  RepositoryGatherer(const Context& context, CheckpointAnswer& answer, Since since,
                     const TextRedactor& redactor)
      : context_(context),
        redactor_(redactor),
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
      work.commits.push_back({std::string(line.substr(0, space)), redactor_(subject)});
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
  const TextRedactor& redactor_;
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

// Records edits of the plan, unless the request leaves them. False: the plan has been edited, and that was
// not recorded. If a background process recorded the edit, no hook would report it to the model.
Result<bool> bring_up_to_date(PlanWork& work, const CheckpointRequest& request) {
  if (request.leaves_edits && work.records_whole()) return work.read_known();
  TRY(work.sync(Edit{}));
  return true;
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
  moment.plan_reading = told.reading;
  if (told.text) moment.plan_digest = base::sha256_hex(*told.text);
  moment.todo_snapshot = told.plan ? core::todo_of(*told.plan) : core::todo_of(state);
}

// Whether one of the first lines from `from` on is the event of this checkpoint.
Result<bool> is_recorded_near(system::Folder& tracking, std::uint64_t from, const std::string& checkpoint) {
  // Other events may have come between the moment of a checkpoint and its record.
  constexpr std::int64_t kNear = 256;
  bool found = false;
  TRY(store::read_events(tracking, from, [&](const core::Event& event, const store::HistoryLine& line) {
    found = event.checkpoint == checkpoint;
    return !found && line.number < kNear;
  }));
  return found;
}

// Sets the number of whole lines of the history up to `end`. Counts on from the last checkpoint, if its own
// event follows there. Counts all lines if not (the history was cut or replaced), and if the last checkpoint
// is of a later moment (several sessions ended a turn at once, and the later one was recorded first).
Status count_history(records::CheckpointStore& store, system::Folder& tracking, std::uint64_t end,
                     Checkpoint& checkpoint) {
  checkpoint.moment.history_offset = end;
  TRY_ASSIGN(const auto last, store.latest({}));
  std::int64_t before = 0;
  std::uint64_t from = 0;
  if (last && last->moment.history_offset <= end) {
    TRY_ASSIGN(const bool follows,
               is_recorded_near(tracking, last->moment.history_offset, last->head.id.text));
    if (follows) {
      before = last->head.sequence_num;
      from = last->moment.history_offset;
    }
  }
  TRY_ASSIGN(const std::int64_t lines, store::count_lines(tracking, from, end));
  checkpoint.head.sequence_num = before + lines;
  return {};
}

// Of those that are named in the record: files whose names say so.
void tell_of_secrets(const core::Snapshot& snapshot, CheckpointAnswer& answer) {
  std::vector<git::LeftOut> secret;
  for (const std::string& path : snapshot.left_out) {
    if (secrets::is_secret_file(path)) secret.push_back({path, git::LeftOut::Why::secret});
  }
  std::string line = left_as_secrets(secret);
  if (!line.empty()) answer.warnings.push_back(std::move(line));
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
  const TextRedactor redactor(context, Project(context, plan.folder).settings());
  if (!redactor.problem().empty()) answer.warnings.push_back(redactor.problem());
  Checkpoint& checkpoint = answer.checkpoint;
  core::CheckpointHead& head = checkpoint.head;
  head.type = request.type;
  head.instance_id = kept(request.instance, kNameBytes);
  if (head.instance_id.empty()) head.instance_id = core::kOutsideSessions;
  head.context_window_percent = request.context_percent;
  head.metadata.trigger = kept(request.trigger, kNameBytes);
  head.metadata.event_id = kept(request.event_id, kNameBytes);
  head.metadata.manual = request.manual;
  head.metadata.note = kept(redactor(request.note), kNoteBytes);

  // Whatever does not need the lock comes before it, and nothing at all for a plan that may not be tracked.
  TRY(require_trackable(context, plan));
  gather_environment(context, plan, checkpoint.work_state.environment);
  if (context.processes != nullptr) {
    const Since since = since_when(context, plan, request);
    RepositoryGatherer(context, answer, since, redactor).gather(plan, request.take_snapshot);
  }
  if (request.commit_then) {
    checkpoint.moment.commit_sha = *request.commit_then;
    checkpoint.moment.workspace_state = core::WorkspaceState::none;
    core::WorkState only_environment;
    only_environment.environment = std::move(checkpoint.work_state.environment);
    checkpoint.work_state = std::move(only_environment);
  }
  if (request.manual && checkpoint.moment.snapshot) tell_of_secrets(*checkpoint.moment.snapshot, answer);
  if (request.wanted && !request.wanted()) return answer;
  if (request.message_id) checkpoint.moment.message_id = kept(request.message_id(), kNameBytes);
  if (request.prompt)
    checkpoint.moment.prompt = core::prompt_words(redactor(core::prompt_beginning(request.prompt())));
  if (!request.transcript.empty()) {
    checkpoint.work_state.last_commands = clients::last_tool_uses(
        system::read_tail(context.files, request.transcript, kToolUsesTail), core::kCommandsTaken);
    // By the built-in rules they were redacted where they were read, before they were cut.
    for (core::CommandUsed& used : checkpoint.work_state.last_commands) {
      used.target = redactor(used.target);
      used.message = redactor(used.message);
    }
  }

  PlanWork work(context, plan);
  TRY(work.open(PlanWork::Create::if_plan));
  TRY_ASSIGN(auto read_before, moment_without_lock(context, work, plan, request.then));
  TRY(work.lock(kTimeout));
  TRY_ASSIGN(const bool read, bring_up_to_date(work, request));
  if (!work.readable() && work.state().checksum.empty()) {
    Outcome outcome = work.take_outcome();
    return base::fail(ErrorKind::conflict,
                      "cannot make a checkpoint: " + (outcome.warnings.empty()
                                                          ? std::string("nothing is recorded about the plan")
                                                          : outcome.warnings.back()),
                      "fix the plan first; for details: plankeep doctor");
  }
  TRY_ASSIGN(PlanMoment told, moment_of(work, plan, read, request, std::move(read_before)));
  if (!request.with_plan) {
    told.plan.reset();
    told.text.reset();
  }
  gather_plan(told, work.now(), request.phase, checkpoint);
  if (const core::SessionState* const session = core::find_session(work.state(), head.instance_id);
      session != nullptr && !head.context_window_percent) {
    head.context_window_percent = session->context_percent;
  }
  {
    TRY_ASSIGN(const auto store,
               open_checkpoints(context, plan, work.tracking(), work.now(), answer.warnings));
    TRY(count_history(*store, work.tracking(), told.history_end, checkpoint));
    TRY_ASSIGN(checkpoint, store->add(std::move(checkpoint), told.text));
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

}  // namespace plankeep::app
