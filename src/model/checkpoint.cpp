#include "model/checkpoint.hpp"

#include <algorithm>
#include <array>
#include <charconv>

#include "base/enum_names.hpp"
#include "base/sha256.hpp"
#include "base/text.hpp"
#include "base/utf8.hpp"
#include "model/json/checkpoint_json.hpp"

namespace plankeep::core {
namespace {

using base::is_digit;

struct TypeName {
  CheckpointType type;
  std::string_view name;
};
constexpr std::array kTypes{
    TypeName{CheckpointType::context_window, "context_window"},
    TypeName{CheckpointType::epic_completion, "epic_completion"},
    TypeName{CheckpointType::manual, "manual"},
    TypeName{CheckpointType::turn, "turn"},
    TypeName{CheckpointType::pre_compact, "pre_compact"},
    TypeName{CheckpointType::session_end, "session_end"},
    TypeName{CheckpointType::pre_rewind, "pre_rewind"},
};

constexpr auto kReadings = base::enum_names<PlanReading>({{PlanReading::plan, "plan"},
                                                          {PlanReading::not_a_plan, "not_a_plan"},
                                                          {PlanReading::missing, "missing"}});

constexpr std::size_t kPrefixDigits = 6;
constexpr std::size_t kNumberDigits = 3;

bool is_hex(char c) {
  return is_digit(c) || (c >= 'a' && c <= 'f');
}

// --- fit ---------------------------------------------------------------------------------------------------

// In bytes. Together, and with every character escaped, the texts that stand only once stay well below the
// limit.
constexpr std::size_t kLongText = 200;
constexpr std::size_t kShortText = 80;
constexpr std::size_t kTinyText = 40;
constexpr std::size_t kFewLetters = 24;
constexpr std::size_t kFewestLetters = 12;
// So many are kept before the others are shortened.
constexpr std::size_t kCommandsWanted = 20;
constexpr std::size_t kFilesWanted = 3;
constexpr std::size_t kCommitsWanted = 5;
constexpr std::size_t kLongName = 100;
constexpr std::size_t kWord = 40;
constexpr std::size_t kCommitId = 64;

void cut(std::string& text, std::size_t bytes) {
  text = base::fit_to_bytes(base::printable(text), bytes);
}

// A path says most at its end. It names a file, so nothing else in it is changed.
void cut_path(std::string& path, std::size_t bytes) {
  path = base::to_valid_utf8(path);
  if (path.size() <= bytes) return;
  constexpr std::string_view kDots = "…";
  std::size_t from = path.size() - (bytes - kDots.size());
  while (from < path.size() && (static_cast<unsigned char>(path[from]) & 0xC0U) == 0x80U) ++from;
  path = std::string(kDots) + path.substr(from);
}

void cut_lists(WorkState& work, std::size_t bytes) {
  for (FileChange& file : work.files_modified) {
    cut_path(file.path, bytes);
    cut(file.status, kWord);
  }
  for (CommandUsed& used : work.last_commands) {
    cut(used.command_id, std::min(bytes, kShortText));
    cut(used.type, std::min(bytes, kShortText));
    cut_path(used.target, bytes);
    cut(used.message, bytes);
  }
  for (CommitMade& commit : work.commits) {
    cut(commit.sha, kCommitId);
    cut(commit.subject, std::min(bytes, kShortText));
  }
}

// What stands once, at most `bytes` each.
void cut_texts(WorkState& work, std::size_t bytes) {
  const std::size_t name = std::min(bytes, kLongName);
  cut(work.current_epic.epic_id, name);
  cut(work.current_epic.feature_name, bytes);
  cut(work.current_epic.status, kWord);
  cut(work.git_status.branch, bytes);
  cut(work.prd_status.epic_status, kWord);
  cut(work.prd_status.next_epic, name);
  cut(work.environment.project, name);
  cut_path(work.environment.working_directory, 2 * bytes);
  cut(work.environment.hostname, name);
}

std::size_t size_of(const WorkState& work) {
  return encode_work_state(work).size();
}

// Of each element as it stands in the list, its comma included.
template <class Element>
std::vector<std::size_t> sizes_of(const std::vector<Element>& list, std::vector<Element> WorkState::*member) {
  WorkState one;
  (one.*member).resize(1);
  const Element empty{};
  // Beside one element, so that a list that is left out when it is empty costs nothing here.
  const std::size_t around = size_of(one);
  std::vector<std::size_t> sizes;
  sizes.reserve(list.size());
  for (const Element& element : list) {
    (one.*member).assign({empty, element});
    sizes.push_back(size_of(one) - around);
  }
  return sizes;
}

void shorten_lists(WorkState& work) {
  const std::vector<std::size_t> files = sizes_of(work.files_modified, &WorkState::files_modified);
  const std::vector<std::size_t> commits = sizes_of(work.commits, &WorkState::commits);
  const std::vector<std::size_t> commands = sizes_of(work.last_commands, &WorkState::last_commands);
  std::size_t kept_files = files.size();
  std::size_t kept_commits = commits.size();
  std::size_t kept_commands = commands.size();
  WorkState rest = work;
  rest.files_modified.clear();
  rest.commits.clear();
  rest.last_commands.clear();
  rest.files_more = rest.commands_more = 999'999'999;  // as wide as they may become
  if (!work.commits.empty() || work.commits_more > 0) rest.commits_more = 999'999'999;
  std::size_t total = size_of(rest);
  for (const std::size_t size : files) total += size;
  for (const std::size_t size : commits) total += size;
  for (const std::size_t size : commands) total += size;

  const auto drop_file = [&] { total -= files[--kept_files]; };
  const auto drop_commit = [&] { total -= commits[--kept_commits]; };
  const auto drop_command = [&] { total -= commands[commands.size() - kept_commands--]; };
  while (total > kWorkStateLimit && kept_files + kept_commits + kept_commands > 0) {
    if (kept_files > kFilesWanted) {
      drop_file();
    } else if (kept_commits > kCommitsWanted) {
      drop_commit();
    } else if (kept_commands > kCommandsWanted) {
      drop_command();
    } else if (kept_commits > 0) {
      drop_commit();
    } else if (kept_files > 0) {
      drop_file();
    } else {
      drop_command();
    }
  }
  work.files_more += static_cast<std::int64_t>(files.size() - kept_files);
  work.files_modified.resize(kept_files);
  work.commits_more += static_cast<std::int64_t>(commits.size() - kept_commits);
  work.commits.resize(kept_commits);
  const std::size_t dropped = commands.size() - kept_commands;
  work.commands_more += static_cast<std::int64_t>(dropped);
  work.last_commands.erase(work.last_commands.begin(),
                           work.last_commands.begin() + static_cast<std::ptrdiff_t>(dropped));
}

}  // namespace

std::string_view name_of(CheckpointType type) {
  for (const TypeName& known : kTypes) {
    if (known.type == type) return known.name;
  }
  return "manual";
}

std::optional<CheckpointType> checkpoint_type(std::string_view name) {
  for (const TypeName& known : kTypes) {
    if (known.name == name) return known.type;
  }
  return std::nullopt;
}

std::vector<std::string_view> checkpoint_type_names() {
  std::vector<std::string_view> names;
  names.reserve(kTypes.size());
  for (const TypeName& known : kTypes) names.push_back(known.name);
  return names;
}

std::string_view name_of(WorkspaceState state) {
  switch (state) {
    case WorkspaceState::none:
      return "none";
    case WorkspaceState::clean:
      return "clean";
    case WorkspaceState::dirty:
      return "dirty";
  }
  return "none";
}

std::string_view name_of(PlanReading reading) {
  return kReadings.name_of(reading);
}

std::optional<PlanReading> plan_reading(std::string_view name) {
  return kReadings.parse(name);
}

std::optional<WorkspaceState> workspace_state(std::string_view name) {
  for (const WorkspaceState state : {WorkspaceState::none, WorkspaceState::clean, WorkspaceState::dirty}) {
    if (name == name_of(state)) return state;
  }
  return std::nullopt;
}

std::string checkpoint_prefix(std::string_view instance_id) {
  return std::string(kCheckpointPrefix) + base::sha256_hex(instance_id).substr(0, kPrefixDigits);
}

CheckpointId checkpoint_id(std::string_view prefix, std::int64_t number) {
  std::string digits = std::to_string(number);
  if (digits.size() < kNumberDigits) digits.insert(0, kNumberDigits - digits.size(), '0');
  return CheckpointId(std::string(prefix) + "_" + digits);
}

bool is_checkpoint_id(std::string_view text) {
  constexpr std::size_t kLongestNumber = 18;
  if (!text.starts_with(kCheckpointPrefix)) return false;
  text.remove_prefix(kCheckpointPrefix.size());
  if (text.size() < kPrefixDigits + 1 + kNumberDigits || text.size() > kPrefixDigits + 1 + kLongestNumber ||
      text[kPrefixDigits] != '_')
    return false;
  const std::string_view prefix = text.substr(0, kPrefixDigits);
  const std::string_view number = text.substr(kPrefixDigits + 1);
  return std::all_of(prefix.begin(), prefix.end(), is_hex) &&
         std::all_of(number.begin(), number.end(), is_digit);
}

bool is_of_prompt(const CheckpointHead& head) {
  return head.metadata.trigger == kBeforePrompt || head.metadata.trigger == kAfterPrompt;
}

bool is_turn_end(const CheckpointHead& head) {
  return head.type == CheckpointType::turn && !is_of_prompt(head);
}

TaskCount count_of(const std::vector<TodoItem>& todo) {
  TaskCount count;
  for (const TodoItem& item : todo) {
    if (item.optional) continue;
    ++count.tasks;
    if (item.state == BoxState::done) ++count.done;
  }
  return count;
}

ListedCheckpoint listed(const Checkpoint& checkpoint) {
  const Moment& moment = checkpoint.moment;
  ListedCheckpoint listed;
  listed.head = checkpoint.head;
  listed.turn = moment.turn;
  listed.message_id = moment.message_id;
  listed.prompt = moment.prompt;
  listed.commit_sha = moment.commit_sha;
  if (moment.snapshot) listed.tree = moment.snapshot->tree;
  if (moment.knows_tasks()) listed.count = count_of(moment.todo_snapshot);
  return listed;
}

std::string_view prompt_beginning(std::string_view prompt) {
  // A prompt may begin with empty lines.
  constexpr std::size_t kLookedAt = 16 * kPromptCharacters;
  const std::size_t begin = prompt.find_first_not_of(" \t\r\n");
  return begin == std::string_view::npos ? std::string_view() : prompt.substr(begin, kLookedAt);
}

std::string prompt_words(std::string_view prompt) {
  const std::string safe = base::printable(prompt_beginning(prompt));
  std::string words;
  std::size_t characters = 0;
  std::size_t last_but_one = 0;  // where the last character that fits begins
  bool space = false;
  for (std::size_t at = 0; at < safe.size();) {
    const base::CodePoint character = base::decode_at(safe, at);
    const bool is_space = base::is_space(character.value);
    if (!is_space) {
      const std::size_t more = space && !words.empty() ? 2 : 1;
      if (characters + more > kPromptCharacters) {
        if (characters == kPromptCharacters) words.resize(last_but_one);
        if (words.ends_with(' ')) words.pop_back();
        return words + "…";
      }
      if (more == 2) words += ' ';
      last_but_one = words.size();
      words += safe.substr(at, character.length);
      characters += more;
    }
    space = is_space;
    at += character.length;
  }
  return words;
}

WorkState fit(WorkState work_state) {
  cut_texts(work_state, kLongText);
  cut_lists(work_state, kLongText);
  if (size_of(work_state) <= kWorkStateLimit) return work_state;
  // Shorter texts rather than fewer commands than are wanted.
  const std::size_t commands = std::min(work_state.last_commands.size(), kCommandsWanted);
  const std::size_t files = std::min(work_state.files_modified.size(), kFilesWanted);
  WorkState shorter;
  for (const std::size_t bytes : {kShortText, kTinyText, kFewLetters, kFewestLetters}) {
    shorter = work_state;
    cut_lists(shorter, bytes);
    if (bytes < kTinyText) cut_texts(shorter, kShortText);
    if (size_of(shorter) > kWorkStateLimit) shorten_lists(shorter);
    const bool enough_files = shorter.files_modified.size() >= files || bytes <= kTinyText;
    if (shorter.last_commands.size() >= commands && enough_files) break;
  }
  return shorter;
}

namespace {

bool is_empty(const PhaseState& phase) {
  return phase.acceptance.empty() && std::all_of(phase.tasks.begin(), phase.tasks.end(),
                                                 [](const TaskState& task) { return task.optional; });
}

// The phase that is worked on, else the last one; the end when there is none.
std::vector<PhaseState>::const_iterator phase_in_work(const State& state) {
  const auto current = std::find_if(state.phases.begin(), state.phases.end(), [&](const PhaseState& phase) {
    return state.current_phase && phase.id == *state.current_phase;
  });
  if (current != state.phases.end() || state.current_phase) return current;
  auto last = state.phases.end();
  for (auto phase = state.phases.begin(); phase != state.phases.end(); ++phase) {
    if (!is_empty(*phase)) last = phase;
  }
  return last;
}

CurrentEpic epic_at(const State& state, std::vector<PhaseState>::const_iterator phase, base::Instant now) {
  CurrentEpic epic;
  if (phase == state.phases.end()) return epic;
  epic.epic_id = phase->id.text;
  epic.feature_name = phase->title;
  epic.status = std::string(name_of(phase->status));
  if (phase->started_at) {
    const base::Instant end = phase->completed_at.value_or(now);
    constexpr std::int64_t kTenthOfAnHour = base::kHour / 10;
    const std::int64_t spent = end.milliseconds - phase->started_at->milliseconds;
    epic.duration_tenths_hours = std::max<std::int64_t>(0, (spent + kTenthOfAnHour / 2) / kTenthOfAnHour);
  }
  TestResults results;
  for (const CriterionState& criterion : phase->acceptance) {
    if (criterion.evidence) ++(criterion.evidence->passed() ? results.passed : results.failed);
  }
  if (results.passed + results.failed > 0) epic.test_results = results;
  return epic;
}

}  // namespace

CurrentEpic epic_of(const State& state, base::Instant now) {
  return epic_at(state, phase_in_work(state), now);
}

CurrentEpic epic_of(const State& state, const PhaseId& phase, base::Instant now) {
  return epic_at(state,
                 std::find_if(state.phases.begin(), state.phases.end(),
                              [&](const PhaseState& candidate) { return candidate.id == phase; }),
                 now);
}

PrdStatus prd_status_of(const State& state, const std::optional<PhaseId>& wanted) {
  PrdStatus status;
  status.version = state.revision;
  status.last_updated = state.last_saved;
  const auto phase = wanted ? std::find_if(state.phases.begin(), state.phases.end(),
                                           [&](const PhaseState& known) { return known.id == *wanted; })
                            : phase_in_work(state);
  if (phase == state.phases.end()) {
    status.epic_status = std::string(name_of(PhaseStatus::pending));
    return status;
  }
  status.epic_status = std::string(name_of(phase->status));
  const auto open = [](const PhaseState& one) {
    return one.status != PhaseStatus::completed && !is_empty(one);
  };
  auto next = std::find_if(phase + 1, state.phases.end(), open);
  if (next == state.phases.end()) {
    next = std::find_if(state.phases.begin(), phase, open);
    if (next == phase) return status;
  }
  status.next_epic = next->id.text;
  return status;
}

std::vector<TodoItem> todo_of(const Plan& plan) {
  std::vector<TodoItem> todo;
  for (const Phase& phase : plan.phases) {
    for (const Task& task : phase.tasks) {
      todo.push_back({phase.id, task.id, task.title, task.state, task.optional});
    }
  }
  return todo;
}

std::vector<TodoItem> todo_of(const State& state) {
  std::vector<TodoItem> todo;
  for (const PhaseState& phase : state.phases) {
    for (const TaskState& task : phase.tasks)
      todo.push_back(
          {phase.id, task.id, task.title, task.done ? BoxState::done : BoxState::open, task.optional});
  }
  return todo;
}

}  // namespace plankeep::core
