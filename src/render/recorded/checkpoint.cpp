#include "render/recorded/checkpoint.hpp"

#include <algorithm>

#include "base/json_writer.hpp"
#include "base/utf8.hpp"
#include "model/json/checkpoint_json.hpp"
#include "render/json_parts.hpp"

namespace plankeep::render {
namespace {

constexpr std::size_t kDeletedShown = 20;

void write_instructions(base::JsonWriter& out, const core::RecoveryInstructions& instructions) {
  out.key("recovery_instructions").begin_object();
  write_strings(out, "finished", instructions.finished);
  write_strings(out, "standing", instructions.facts);
  write_strings(out, "steps", instructions.steps);
  out.end_object();
}

// In words of a table: "cp_1a2b3c_007  manual  2 h ago".
std::string head_line(const core::CheckpointHead& head, base::Instant now) {
  return pad_right(safe_line(head.id.text), 13) + "  " + pad_right(std::string(type_words(head)), 15) + "  " +
         pad_right(base::ago(head.timestamp, now), 12);
}

// What has no room beside the head of a line goes below it: with an id in it, it is never cut.
std::string line_of(const std::string& head, const std::string& rest, std::size_t columns) {
  if (rest.empty()) return head + "\n";
  if (base::display_width(head) + 2 + base::display_width(rest) <= columns) return head + "  " + rest + "\n";
  constexpr std::size_t kMany = 100;
  std::string text(base::trimmed(head));
  text += '\n';
  for (const std::string& line : wrap(rest, columns - 4, kMany)) text += "    " + line + "\n";
  return text;
}

// When it was made, for who does not know the names of the types.
std::string_view occasion(const core::CheckpointHead& head) {
  using core::CheckpointType;
  if (head.metadata.trigger == core::kBeforePrompt) return "before a prompt";
  if (head.metadata.trigger == core::kAfterPrompt) return "just after a prompt";
  switch (head.type) {
    case CheckpointType::context_window:
      return "the context window was filling up";
    case CheckpointType::epic_completion:
      return "a phase was completed";
    case CheckpointType::manual:
      return "made by hand";
    case CheckpointType::turn:
      return "at the end of a turn";
    case CheckpointType::pre_compact:
      return "before the conversation was compacted";
    case CheckpointType::session_end:
      return "at the end of a session";
    case CheckpointType::pre_rewind:
      return "before a rewind";
  }
  return {};
}

std::string size_text(std::int64_t bytes) {
  constexpr std::int64_t kKilo = 1000;
  if (bytes < 10 * kKilo) return counted(bytes, "byte", "bytes");
  if (bytes < kKilo * kKilo * 10) return std::to_string(bytes / kKilo) + " kB";
  return std::to_string(bytes / (kKilo * kKilo)) + " MB";
}

}  // namespace

std::string instructions_text(const core::RecoveryInstructions& instructions, const Style& style) {
  const std::size_t columns = std::max(style.columns, kNarrowest);
  std::string text;
  const auto lines = [&](const std::string& first, const std::string& further, const std::string& words) {
    bool begun = false;
    // As many lines as it takes: a step that is cut cannot be done.
    constexpr std::size_t kMany = 100;
    for (const std::string& line : wrap(safe_line(words), columns - first.size(), kMany)) {
      text += (begun ? further : first) + line + "\n";
      begun = true;
    }
  };
  const auto part = [&](std::string_view title, const std::vector<std::string>& all) {
    if (all.empty()) return;
    text += "\n" + paint(style, Paint::strong, title) + "\n";
    for (const std::string& words : all) lines("  ", "    ", words);
  };
  part("Completed", instructions.finished);
  part("Status at the time", instructions.facts);
  if (!instructions.steps.empty()) text += "\n" + paint(style, Paint::strong, "Next steps") + "\n";
  for (std::size_t i = 0; i < instructions.steps.size(); ++i) {
    lines("  " + std::to_string(i + 1) + ". ", "     ", instructions.steps[i]);
  }
  return text;
}

std::string checkpoint_text(const app::CheckpointAnswer& answer, base::Instant now, const Style& style) {
  const core::CheckpointHead& head = answer.checkpoint.head;
  std::string text = paint(style, Paint::strong, "Checkpoint " + safe_line(head.id.text)) + " (" +
                     std::string(type_words(head)) + ": " + std::string(occasion(head)) + "), " +
                     base::ago(head.timestamp, now) + "\n";
  std::string facts = head.instance_id == core::kOutsideSessions ? "not made in a client session"
                                                                 : "session " + safe_line(head.instance_id);
  if (head.context_window_percent) {
    facts += ", context window " + std::to_string(*head.context_window_percent) + " % full";
  }
  const core::Moment& moment = answer.checkpoint.moment;
  if (moment.turn > 0) facts += ", turn " + std::to_string(moment.turn);
  if (!moment.message_id.empty()) facts += ", message " + safe_line(moment.message_id);
  if (moment.snapshot) facts += ", with a snapshot of the files";
  text += paint(style, Paint::dim, facts) + "\n";
  if (!moment.prompt.empty())
    text += paint(style, Paint::dim, "prompt \"" + safe_line(moment.prompt) + "\"") + "\n";
  return text + instructions_text(answer.instructions, style);
}

std::string checkpoint_json(const app::PlanLocation& plan, const app::CheckpointAnswer& answer) {
  base::JsonWriter out(base::JsonWriter::Layout::indented);
  out.begin_object();
  write_plan_reference(out, plan);
  out.key("checkpoint");
  core::write_checkpoint(out, answer.checkpoint);
  write_instructions(out, answer.instructions);
  write_strings(out, "warnings", answer.warnings);
  out.end_object();
  return out.finish();
}

std::string_view type_words(const core::CheckpointHead& head) {
  if (head.metadata.trigger == core::kBeforePrompt) return core::kBeforePrompt;
  if (head.metadata.trigger == core::kAfterPrompt) return core::kAfterPrompt;
  return core::name_of(head.type);
}

std::string details_of(const core::ListedCheckpoint& one) {
  std::vector<std::string> parts;
  if (one.turn > 0) parts.push_back("turn " + std::to_string(one.turn));
  if (one.count) {
    parts.push_back(std::to_string(one.count->done) + " of " + counted(one.count->tasks, "task", "tasks"));
  }
  if (!one.commit_sha.empty()) parts.push_back("commit " + short_commit(safe_line(one.commit_sha)));
  if (!one.message_id.empty()) parts.push_back("message " + safe_line(one.message_id));
  std::string text = base::joined(parts);
  const core::CheckpointMetadata& metadata = one.head.metadata;
  const std::string words = !metadata.note.empty() ? safe_line(metadata.note)
                            : !one.prompt.empty()  ? "\"" + safe_line(one.prompt) + "\""
                                                   : std::string();
  if (!words.empty()) text += (text.empty() ? "" : ": ") + words;
  return text;
}

std::string checkpoint_list_text(const std::vector<core::ListedCheckpoint>& listed, base::Instant now,
                                 const Style& style) {
  const std::size_t columns = std::max(style.columns, kNarrowest);
  std::string text;
  for (const core::ListedCheckpoint& one : listed) {
    std::string rest = safe_line(one.head.phase.text);
    if (const std::string details = details_of(one); !details.empty())
      rest += (rest.empty() ? "" : "  ") + details;
    text += line_of(head_line(one.head, now), rest, columns);
  }
  if (listed.empty()) return "no checkpoints\n";
  return text + paint(style, Paint::dim, "Show one: plankeep checkpoint show ID") + "\n";
}

std::string checkpoint_list_json(const app::PlanLocation& plan,
                                 const std::vector<core::ListedCheckpoint>& listed) {
  base::JsonWriter out(base::JsonWriter::Layout::indented);
  out.begin_object();
  write_plan_reference(out, plan);
  out.key("checkpoints").begin_array();
  for (const core::ListedCheckpoint& one : listed) core::write_listed(out, one);
  out.end_array();
  out.end_object();
  return out.finish();
}

std::string fleet_list_text(const std::vector<FleetListed>& listed, base::Instant now, const Style& style) {
  constexpr std::size_t kMachineShown = 8;
  constexpr std::size_t kReplicaShown = 8;
  const std::size_t columns = std::max(style.columns, kNarrowest);
  std::string text;
  for (const FleetListed& one : listed) {
    // Machines number their checkpoints independently: the replica tells equal ids apart.
    core::CheckpointHead head = one.listed.head;
    head.id.text.insert(0, one.replica.substr(0, kReplicaShown) + ":");
    std::string rest = safe_line(one.login) + " on " + safe_line(one.machine.substr(0, kMachineShown));
    if (!one.listed.head.phase.empty()) rest += "  " + safe_line(one.listed.head.phase.text);
    if (const std::string details = details_of(one.listed); !details.empty()) rest += "  " + details;
    text += line_of(head_line(head, now), rest, columns);
  }
  if (listed.empty()) return "no checkpoints of other machines\n";
  return text + paint(style, Paint::dim, "Show one: plankeep fleet show ID") + "\n";
}

std::string fleet_list_json(const app::PlanLocation& plan, const std::vector<FleetListed>& listed) {
  base::JsonWriter out(base::JsonWriter::Layout::indented);
  out.begin_object();
  write_plan_reference(out, plan);
  out.key("fleet").begin_array();
  for (const FleetListed& one : listed) {
    out.begin_object();
    out.key("replica").value(one.replica);
    out.key("login").value(one.login);
    out.key("machine").value(one.machine);
    out.key("checkpoint");
    core::write_listed(out, one.listed);
    out.end_object();
  }
  out.end_array();
  out.end_object();
  return out.finish();
}

std::string clean_up_text(const app::CleanUpAnswer& answer, const Style& style) {
  const auto count = static_cast<std::int64_t>(answer.cleaned.deleted.size());
  if (count == 0 && answer.dropped_snapshots == 0 && answer.sidecars.empty())
    return "no checkpoint is old enough to delete\n";
  std::string text;
  for (std::size_t i = 0; i < answer.cleaned.deleted.size() && i < kDeletedShown; ++i) {
    text += "  " + safe_line(answer.cleaned.deleted[i].id.text) + "\n";
  }
  if (answer.cleaned.deleted.size() > kDeletedShown) {
    text += "  and " + std::to_string(answer.cleaned.deleted.size() - kDeletedShown) + " more\n";
  }
  text += paint(style, Paint::strong, counted(count, "checkpoint", "checkpoints")) +
          (answer.dry ? " would be deleted, " : " deleted, ") + size_text(answer.cleaned.freed_bytes);
  if (answer.dropped_snapshots > 0) {
    text += ", " + counted(answer.dropped_snapshots, "snapshot", "snapshots") + " deleted";
  }
  if (!answer.sidecars.empty()) {
    text +=
        ", " + counted(answer.sidecars.size(), "sidecar", "sidecars") + " of commits that no longer exist";
  }
  return text + "\n";
}

std::string clean_up_json(const app::CleanUpAnswer& answer) {
  base::JsonWriter out(base::JsonWriter::Layout::indented);
  out.begin_object();
  write_plan_reference(out, answer.plan);
  out.key("dry_run").value(answer.dry);
  out.key("deleted_count").value(answer.cleaned.deleted.size());
  out.key("freed_bytes").value(answer.cleaned.freed_bytes);
  out.key("deleted").begin_array();
  for (const records::Deleted& deleted : answer.cleaned.deleted) out.value(deleted.id.text);
  out.end_array();
  out.key("dropped_snapshots").value(answer.dropped_snapshots);
  write_strings(out, "deleted_sidecars", answer.sidecars);
  write_strings(out, "warnings", answer.warnings);
  out.end_object();
  return out.finish();
}

std::string export_line(const core::Checkpoint& checkpoint) {
  base::JsonWriter out(base::JsonWriter::Layout::compact);
  core::write_checkpoint(out, checkpoint);
  std::string line = out.finish();
  if (!line.ends_with('\n')) line += '\n';
  return line;
}

}  // namespace plankeep::render
