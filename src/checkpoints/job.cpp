#include "checkpoints/job.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <functional>
#include <thread>
#include <utility>

#include "base/limits.hpp"
#include "base/sha256.hpp"
#include "checkpoints/checkpoint.hpp"
#include "checkpoints/find_checkpoint.hpp"
#include "checkpoints/kept_checkpoints.hpp"
#include "checkpoints/retention.hpp"
#include "checkpoints/snapshots.hpp"
#include "clients/transcripts/last_prompt.hpp"
#include "clients/transcripts/message_id.hpp"
#include "clients/transcripts/transcript.hpp"
#include "project/project.hpp"
#include "rules/replay.hpp"
#include "store/capped_log.hpp"
#include "store/journal.hpp"
#include "store/paths.hpp"
#include "store/tracking_folder.hpp"
#include "system/file_parts.hpp"
#include "tracking/memory_copy.hpp"

namespace plankeep::app {
namespace {

using core::CheckpointType;

constexpr std::string_view kVariable = "PLANKEEP_CHECKPOINTS";
// The words in front of the checkpoints: plan, event, session, transcript, time, the plan then.
constexpr std::size_t kFixedWords = 6;
constexpr std::chrono::milliseconds kLookAgain{25};
constexpr std::array kPromptTails{clients::kTranscriptTail, 4 * base::kMebibyte, base::kLargestText};

std::string word_of(const WantedCheckpoint& asked) {
  if (asked.before_prompt) return std::string(core::kBeforePrompt);
  std::string word(core::name_of(asked.type));
  if (!asked.phase.empty()) return word + ":" + asked.phase.text;
  if (asked.percent) return word + ":" + std::to_string(*asked.percent);
  return word;
}

std::optional<WantedCheckpoint> read_word(const std::string& word) {
  if (word == core::kBeforePrompt) return WantedCheckpoint{CheckpointType::turn, {}, std::nullopt, true};
  const std::size_t colon = word.find(':');
  const auto type = core::checkpoint_type(word.substr(0, colon));
  if (!type) return std::nullopt;
  WantedCheckpoint asked;
  asked.type = *type;
  if (colon == std::string::npos) return asked;
  const std::string rest = word.substr(colon + 1);
  if (*type == CheckpointType::epic_completion) {
    asked.phase = core::PhaseId(rest);
  } else {
    int percent = 0;
    const auto end = std::from_chars(rest.data(), rest.data() + rest.size(), percent);
    if (end.ec != std::errc{} || end.ptr != rest.data() + rest.size()) return std::nullopt;
    asked.percent = percent;
  }
  return asked;
}

std::string word_of(const std::optional<PlanThen>& then) {
  if (!then) return {};
  return std::to_string(then->history_offset) + ":" + std::to_string(then->revision) + ":" + then->checksum;
}

// False when the word is none of ours.
bool read_then(const std::string& word, std::optional<PlanThen>& then) {
  if (word.empty()) return true;
  const char* const end = word.data() + word.size();
  PlanThen read;
  const auto offset = std::from_chars(word.data(), end, read.history_offset);
  if (offset.ec != std::errc{} || offset.ptr == end || *offset.ptr != ':') return false;
  const auto revision = std::from_chars(offset.ptr + 1, end, read.revision);
  if (revision.ec != std::errc{} || revision.ptr == end || *revision.ptr != ':') return false;
  read.checksum.assign(revision.ptr + 1, end);
  then = std::move(read);
  return true;
}

std::string_view trigger_of(CheckpointType type) {
  switch (type) {
    case CheckpointType::turn:
      return "turn_end";
    case CheckpointType::epic_completion:
      return "phase_completed";
    default:
      return core::name_of(type);
  }
}

void log(const Context& context, const CheckpointJob& asked, const std::string& problem) {
  auto folder = context.files.open_folder(asked.plan.folder);
  if (!folder) return;
  const auto tracking = store::open_tracking(**folder, asked.plan.name);
  if (!tracking) return;
  const std::string line = base::to_iso8601(context.clock.now()) + " checkpoint after " + asked.event + ": ";
  (void)store::append_line(**tracking, store::kErrorLog, line + problem);
}

// What the session's last turn ended with: this turn's messages stand behind it.
std::string message_before(const Context& context, const CheckpointJob& asked) {
  if (asked.session.empty()) return {};
  const auto opened = open_checkpoints(context, asked.plan, records::Access::read);
  if (!opened) return {};
  records::CheckpointQuery query;
  query.turn_ends = true;
  query.instance = asked.session;
  const auto last = opened->store->latest(query);
  return last && *last ? (*last)->moment.message_id : std::string();
}

// The last message of the conversation when the hook was called, by which the client knows it. Only some
// clients' transcripts are known: nothing is waited for in the others.
std::string last_message_id(const Context& context, const CheckpointJob& asked,
                            std::chrono::milliseconds timeout) {
  if (asked.transcript.empty()) return {};
  const bool turn_ended = std::any_of(
      asked.checkpoints.begin(), asked.checkpoints.end(),
      [](const WantedCheckpoint& one) { return one.type == CheckpointType::turn && !one.before_prompt; });
  const std::string before = turn_ended ? message_before(context, asked) : std::string();
  const auto until = std::chrono::steady_clock::now() + timeout;
  while (true) {
    const std::string tail = system::read_tail(context.files, asked.transcript, clients::kTranscriptTail);
    clients::LastMessage last = clients::last_message(tail, asked.time);
    if (!turn_ended || (last.id.empty() && !tail.empty())) return std::move(last.id);
    // Of a quick answer nothing may be written yet: then the last one is that of the turn before.
    const bool of_this_turn = last.id != before;
    if (of_this_turn && last.ends_turn) return std::move(last.id);
    if (std::chrono::steady_clock::now() >= until) return of_this_turn ? std::move(last.id) : std::string();
    std::this_thread::sleep_for(kLookAgain);
  }
}

// The prompt that the turn answered. Turns may be long: it is looked for further and further back.
std::string prompt_of_turn(const Context& context, const CheckpointJob& asked) {
  if (asked.transcript.empty()) return {};
  for (const std::uint64_t bytes : kPromptTails) {
    const std::string tail = system::read_tail(context.files, asked.transcript, bytes);
    std::string prompt = clients::last_prompt(tail, asked.time);
    if (!prompt.empty() || tail.size() < bytes) return prompt;
  }
  return {};
}

// `then`: the plan when it was asked for; nullopt: as it is now.
base::Result<std::optional<CheckpointAnswer>> make(const Context& context, const CheckpointJob& asked,
                                                   const WantedCheckpoint& one,
                                                   const std::optional<PlanThen>& then,
                                                   const Settings& settings,
                                                   const std::function<std::string()>& message_id) {
  if (one.type == CheckpointType::turn) {
    TurnRequest request{asked.session,    asked.event, message_id, {},
                        asked.transcript, one.percent, then,       asked.time};
    if (one.before_prompt) {
      request.message_id = [&] { return message_before(context, asked); };
      return take_before_prompt(context, asked.plan, request);
    }
    request.prompt = [&] { return prompt_of_turn(context, asked); };
    TRY_ASSIGN(CheckpointAnswer made, take_turn(context, asked.plan, request));
    return std::optional(std::move(made));
  }
  CheckpointRequest request;
  request.type = one.type;
  request.trigger = std::string(trigger_of(one.type));
  request.event_id = asked.event;
  if (!asked.session.empty()) request.instance = asked.session;
  request.message_id = message_id;
  request.context_percent = one.percent;
  request.transcript = asked.transcript;
  if (!one.phase.empty()) request.phase = one.phase;
  request.then = then;
  request.leaves_edits = true;
  request.take_snapshot = snapshot_taker(context, asked.plan, settings, TakenIn::background, then);
  TRY_ASSIGN(CheckpointAnswer made, create_checkpoint(context, asked.plan, request));
  return std::optional(std::move(made));
}

bool tells_of_completion(const core::Event& event, const core::PhaseId& phase) {
  if (event.phase != phase) return false;
  // What is reopened, and what comes into the plan complete, was complete before.
  return event.kind == core::EventKind::phase_completed || event.kind == core::EventKind::phase_reopened ||
         (event.kind == core::EventKind::phase_added && event.status == core::PhaseStatus::completed);
}

bool is_complete(const core::State& state, const core::PhaseId& phase) {
  return std::any_of(state.phases.begin(), state.phases.end(), [&](const core::PhaseState& one) {
    return one.id == phase && one.status == core::PhaseStatus::completed;
  });
}

// A history that cannot be read tells of none.
bool first_completion(const Outcome& outcome, const core::PhaseId& phase) {
  const auto wanted = [&](const core::Event& event) { return tells_of_completion(event, phase); };
  const auto own =
      static_cast<std::size_t>(std::count_if(outcome.events.begin(), outcome.events.end(), wanted));
  if (outcome.tracking == nullptr) return false;
  const store::EventQuery query{.kinds = {core::EventKind::phase_completed, core::EventKind::phase_reopened,
                                          core::EventKind::phase_added},
                                .texts = {phase.text},
                                .matches = wanted};
  const auto known = store::last_events(*outcome.tracking, own + 1, query);
  return known && known->size() <= own;
}

// What is old goes, at most once a day. A phase that is only now seen to be complete gets its checkpoint.
void clean_up_after(const Context& context, const CheckpointJob& asked, const Settings& settings,
                    const std::function<std::string()>& message_id) {
  const auto recorded = retain(context, asked.plan);
  if (!recorded) {
    if (recorded.error().kind != base::ErrorKind::not_found) log(context, asked, recorded.error().message);
    return;
  }
  for (const WantedCheckpoint& completed : completions_in(*recorded)) {
    const auto made = make(context, asked, completed, std::nullopt, settings, message_id);
    if (!made) log(context, asked, made.error().message);
  }
}

}  // namespace

std::vector<WantedCheckpoint> completions_in(const std::vector<core::Event>& events) {
  std::vector<WantedCheckpoint> asked;
  for (const core::Event& event : events) {
    // One that came back with an earlier text has its checkpoint.
    if (event.kind != core::EventKind::phase_completed || event.via == core::kGivenBack) continue;
    asked.push_back({CheckpointType::epic_completion, event.phase, std::nullopt});
  }
  return asked;
}

void spawn_job(const Context& context, const std::vector<CheckpointJob>& asked) {
  const auto how = context.environment.variable(std::string(kVariable));
  if (how && *how == "off") return;
  for (CheckpointJob one : asked) {
    if (one.checkpoints.empty()) continue;
    one.time = context.clock.now();
    if (how && *how == "wait") {
      // The client writes on when we are done.
      run_job(context, one, std::chrono::milliseconds{0});
      continue;
    }
    const std::string program = context.environment.program();
    if (program.empty() || context.processes == nullptr) continue;
    system::Detached detached;
    detached.words = {program, std::string(kAfterHook)};
    for (std::string& word : job_arguments(one)) detached.words.push_back(std::move(word));
    if (one.then) detached.input = std::move(one.then->text);
    const base::Status started = context.processes->start_detached(detached);
    if (!started) log(context, one, started.error().message);
  }
}

void spawn_job(const Context& context, const PlanLocation& plan, const std::vector<core::Event>& events,
               const std::string& command) {
  std::vector<WantedCheckpoint> completed = completions_in(events);
  if (completed.empty()) return;
  spawn_job(context, {CheckpointJob{plan, command, {}, {}, std::move(completed), {}, {}}});
}

void spawn_job(const Context& context, const Outcome& outcome, const std::string& command) {
  std::vector<WantedCheckpoint> completed = completions_in(outcome.events);
  if (completed.empty()) return;
  std::optional<PlanThen> then = plan_then(outcome.state, outcome.text);
  spawn_job(context,
            {CheckpointJob{outcome.plan, command, {}, {}, std::move(completed), std::move(then), {}}});
}

void spawn_job_after_return(const Context& context, const Outcome& outcome, const std::string& command) {
  std::vector<WantedCheckpoint> completed;
  for (WantedCheckpoint& one : completions_in(outcome.events)) {
    const bool known = std::find(completed.begin(), completed.end(), one) != completed.end();
    if (!known && is_complete(outcome.state, one.phase) && first_completion(outcome, one.phase))
      completed.push_back(std::move(one));
  }
  if (completed.empty()) return;
  std::optional<PlanThen> then = plan_then(outcome.state, outcome.text);
  spawn_job(context,
            {CheckpointJob{outcome.plan, command, {}, {}, std::move(completed), std::move(then), {}}});
}

std::vector<std::string> job_arguments(const CheckpointJob& asked) {
  std::vector<std::string> words{
      asked.plan.path(),  asked.event, asked.session, asked.transcript, base::to_iso8601(asked.time),
      word_of(asked.then)};
  words.reserve(words.size() + asked.checkpoints.size());
  for (const WantedCheckpoint& one : asked.checkpoints) words.push_back(word_of(one));
  return words;
}

std::optional<CheckpointJob> read_job_arguments(const std::vector<std::string>& words) {
  if (words.size() <= kFixedWords || !words[0].starts_with('/')) return std::nullopt;
  const auto time = base::parse_iso8601(words[4]);
  if (!time) return std::nullopt;
  CheckpointJob asked{
      {parent_of(words[0]), last_part(words[0])}, words[1], words[2], words[3], {}, {}, *time};
  if (!read_then(words[5], asked.then)) return std::nullopt;
  for (std::size_t i = kFixedWords; i < words.size(); ++i) {
    const auto one = read_word(words[i]);
    if (!one) return std::nullopt;
    asked.checkpoints.push_back(*one);
  }
  return asked;
}

void give_text(CheckpointJob& asked, std::string text) {
  if (!asked.then) return;
  if (base::short_checksum(text) == asked.then->checksum) {
    asked.then->text = std::move(text);
  } else {
    asked.then.reset();
  }
}

void run_job(const Context& context, const CheckpointJob& asked, std::chrono::milliseconds timeout) {
  const Settings settings = Project(context, asked.plan.folder).settings();
  if (!settings.checkpoints) return;
  std::optional<std::string> known;
  const auto message_id = [&] {
    if (!known) known = last_message_id(context, asked, timeout);
    return *known;
  };
  std::vector<WantedCheckpoint> due = asked.checkpoints;
  bool nothing_to_do = true;
  bool any = false;
  for (std::size_t i = 0; i < due.size(); ++i) {
    const bool seen_only_now = i >= asked.checkpoints.size();
    const WantedCheckpoint one = due[i];  // `due` grows below
    const auto made =
        make(context, asked, one, seen_only_now ? std::nullopt : asked.then, settings, message_id);
    if (made && !*made) continue;
    nothing_to_do = false;
    if (!made) {
      log(context, asked, made.error().message);
      continue;
    }
    any = true;
    for (WantedCheckpoint& completed : completions_in((*made)->events)) due.push_back(std::move(completed));
  }
  if (nothing_to_do) return;
  if (any) clean_up_after(context, asked, settings, message_id);
  // A copy is never replaced by a store that lacks checkpoints of it.
  base::Status kept = mend_checkpoints(context, asked.plan);
  if (kept) kept = keep_memory(context, asked.plan);
  if (!kept) log(context, asked, "could not copy .checkpoint to the git directory: " + kept.error().message);
}

}  // namespace plankeep::app
