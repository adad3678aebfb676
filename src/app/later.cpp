#include "app/later.hpp"

#include <charconv>
#include <utility>

#include "app/checkpoint.hpp"
#include "app/discover.hpp"
#include "app/file_end.hpp"
#include "app/settings.hpp"
#include "app/snapshots.hpp"
#include "clients/message_id.hpp"
#include "clients/transcript.hpp"
#include "store/capped_log.hpp"
#include "store/paths.hpp"
#include "store/tracking_folder.hpp"

namespace plankeep::app {
namespace {

using core::CheckpointType;

constexpr std::string_view kVariable = "PLANKEEP_CHECKPOINTS";
// The words in front of the checkpoints: plan, event, session, transcript.
constexpr std::size_t kFixedWords = 4;

std::string word_of(const AskedCheckpoint& asked) {
  std::string word(core::name_of(asked.type));
  if (!asked.phase.empty()) return word + ":" + asked.phase.text;
  if (asked.percent) return word + ":" + std::to_string(*asked.percent);
  return word;
}

std::optional<AskedCheckpoint> read_word(const std::string& word) {
  const std::size_t colon = word.find(':');
  const auto type = core::checkpoint_type(word.substr(0, colon));
  if (!type) return std::nullopt;
  AskedCheckpoint asked;
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

void log(const Context& context, const Asked& asked, const std::string& problem) {
  auto folder = context.files.open_folder(asked.plan.folder);
  if (!folder) return;
  const auto tracking = store::open_tracking(**folder);
  if (!tracking) return;
  const std::string line = base::to_iso8601(context.clock.now()) + " checkpoint after " + asked.event + ": ";
  (void)store::append_line(**tracking, store::kErrorLog, line + problem);
}

// The last message of the conversation, by which the client knows it. Only some clients' transcripts are
// known.
std::string last_message_id(const Context& context, const Asked& asked) {
  if (asked.transcript.empty()) return {};
  return clients::last_message_id(read_end(context, asked.transcript, clients::kTranscriptTail));
}

base::Status make(const Context& context, const Asked& asked, const AskedCheckpoint& one,
                  const Settings& settings, const std::string& message_id) {
  if (one.type == CheckpointType::turn) {
    const TurnRequest request{asked.session, asked.event, message_id, asked.transcript, one.percent};
    TRY(take_turn(context, asked.plan, request));
    return {};
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
  request.take_snapshot = snapshot_taker(context, asked.plan, settings);
  TRY(create_checkpoint(context, asked.plan, request));
  return {};
}

}  // namespace

std::vector<AskedCheckpoint> completions_in(const std::vector<core::Event>& events) {
  std::vector<AskedCheckpoint> asked;
  for (const core::Event& event : events) {
    if (event.kind != core::EventKind::phase_completed) continue;
    asked.push_back({CheckpointType::epic_completion, event.phase, std::nullopt});
  }
  return asked;
}

void start_later(const Context& context, const std::vector<Asked>& asked) {
  const auto how = context.environment.variable(std::string(kVariable));
  if (how && *how == "off") return;
  for (const Asked& one : asked) {
    if (one.checkpoints.empty()) continue;
    if (how && *how == "wait") {
      run_later(context, one);
      continue;
    }
    const std::string program = context.environment.program();
    if (program.empty() || context.processes == nullptr) continue;
    system::Detached detached;
    detached.words = {program, std::string(kAfterHook)};
    for (std::string& word : later_words(one)) detached.words.push_back(std::move(word));
    const base::Status started = context.processes->start_detached(detached);
    if (!started) log(context, one, started.error().message);
  }
}

void start_later(const Context& context, const Outcome& outcome, const std::string& command) {
  std::vector<AskedCheckpoint> completed = completions_in(outcome.events);
  if (completed.empty()) return;
  start_later(context, {Asked{outcome.plan, command, {}, {}, std::move(completed)}});
}

std::vector<std::string> later_words(const Asked& asked) {
  std::vector<std::string> words{asked.plan.path(), asked.event, asked.session, asked.transcript};
  words.reserve(words.size() + asked.checkpoints.size());
  for (const AskedCheckpoint& one : asked.checkpoints) words.push_back(word_of(one));
  return words;
}

std::optional<Asked> read_later_words(const std::vector<std::string>& words) {
  if (words.size() <= kFixedWords || !words[0].starts_with('/')) return std::nullopt;
  Asked asked{{parent_of(words[0]), last_part(words[0])}, words[1], words[2], words[3], {}};
  for (std::size_t i = kFixedWords; i < words.size(); ++i) {
    const auto one = read_word(words[i]);
    if (!one) return std::nullopt;
    asked.checkpoints.push_back(*one);
  }
  return asked;
}

void run_later(const Context& context, const Asked& asked) {
  const Settings settings = read_settings(context, project_root(context, asked.plan.folder));
  if (!settings.checkpoints) return;
  const std::string message_id = last_message_id(context, asked);
  for (const AskedCheckpoint& one : asked.checkpoints) {
    const base::Status made = make(context, asked, one, settings, message_id);
    if (!made) log(context, asked, made.error().message);
  }
}

}  // namespace plankeep::app
