#include "render/recorded/commit.hpp"

#include <algorithm>

#include "render/json_parts.hpp"
#include "render/short_commit.hpp"

namespace plankeep::render {
namespace {

constexpr std::size_t kMostFiles = 20;

std::string milestone_words(std::int64_t milestone, const std::string& phase, const std::string& title) {
  std::string text = "milestone " + std::to_string(milestone);
  if (!phase.empty()) text += ", phase " + safe_line(phase);
  if (!title.empty() && title != phase) text += " (" + safe_line(title) + ")";
  return text;
}

std::string tier_words(core::Tier tier) {
  switch (tier) {
    case core::Tier::tier0:
      return "nothing verified";
    case core::Tier::tier1:
      return "the phase's criteria verified";
    case core::Tier::tier2:
      return "every criterion of the plan verified";
  }
  return {};
}

std::string file_lines(const CommitView& view) {
  std::string text;
  const std::size_t shown = std::min(view.files.size(), kMostFiles);
  for (std::size_t i = 0; i < shown; ++i) {
    text += "  " + std::string(1, view.files[i].change) + " " + safe_line(view.files[i].path) + "\n";
  }
  if (view.files.size() > shown) text += "  and " + std::to_string(view.files.size() - shown) + " more\n";
  return text;
}

std::string message_lines(const std::string& message) {
  std::string text;
  for (std::size_t at = 0; at < message.size();) {
    const std::size_t end = std::min(message.find('\n', at), message.size());
    const std::string line = safe_line(std::string_view(message).substr(at, end - at));
    text += line.empty() ? "\n" : "  " + line + "\n";
    at = end + 1;
  }
  return text;
}

}  // namespace

std::string commit_text(const CommitView& view, const Style& style) {
  const core::Sidecar& sidecar = view.sidecar;
  const std::string what = milestone_words(sidecar.milestone, sidecar.phase.text, sidecar.title);
  if (view.existing) {
    const std::string verb = view.dry_run           ? "would link "
                             : view.sidecar_written ? "linked "
                                                    : "already linked: ";
    return verb + sidecar.sha.substr(0, kShortCommit) + ": " + what + "\n";
  }
  if (view.dry_run) {
    return "would commit " + what + ":\n" + file_lines(view) + "with the message\n" +
           message_lines(view.message);
  }
  return paint(style, Paint::good, "committed") + " " + sidecar.sha.substr(0, kShortCommit) + ": " + what +
         "\n" + std::string(core::name_of(sidecar.tier)) + ": " + tier_words(sidecar.tier) + "\n";
}

std::string commit_json(const CommitView& view) {
  const core::Sidecar& sidecar = view.sidecar;
  base::JsonWriter out(base::JsonWriter::Layout::indented);
  out.begin_object();
  write_plan_reference(out, view.plan_id, view.path);
  out.key("committed").value(view.committed);
  if (view.existing) out.key("existing").value(true);
  out.key("dryRun").value(view.dry_run);
  out.key("sha");
  if (view.committed || view.existing) {
    out.value(sidecar.sha);
  } else {
    out.null();
  }
  out.key("runId").value(sidecar.run);
  out.key("milestoneIndex").value(sidecar.milestone);
  out.key("milestoneTitle").value(sidecar.title);
  out.key("phaseId").value(sidecar.phase.text);
  out.key("tier");
  if (view.committed || view.existing) {
    out.value(core::name_of(sidecar.tier));
  } else {
    out.null();
  }
  write_strings(out, "verificationCommands", sidecar.commands);
  out.key("sidecarWritten").value(view.sidecar_written);
  out.key("message").value(view.message);
  out.key("files").begin_array();
  for (const CommitView::File& file : view.files) {
    out.begin_object();
    out.key("change").value(std::string_view(&file.change, 1));
    out.key("path").value(file.path);
    out.end_object();
  }
  out.end_array();
  out.key("previous").begin_object();
  out.key("checkpointSource").value(core::name_of(view.before.source));
  if (view.before.found()) {
    out.key("sha").value(view.before.sha);
    out.key("milestoneIndex").value(view.before.milestone);
  }
  out.end_object();
  write_strings(out, "warnings", view.warnings);
  out.end_object();
  return out.finish();
}

std::string checkpoint_text(const CheckpointCheckView& view) {
  if (!view.last.found()) return "no phase of this plan has a commit yet\n";
  std::string text = "last phase commit: " + view.last.sha.substr(0, kShortCommit) + ", " +
                     milestone_words(view.last.milestone, view.last.phase.text, view.last.title);
  if (view.last.source != core::CheckpointSource::sidecar) text += ", found in the git log";
  text += "\n";
  return text;
}

namespace {

void write_checkpoint(base::JsonWriter& out, const core::CommitCheckpoint& last,
                      const std::optional<core::Drift>& drift, std::string_view source) {
  out.key("checkpointSource").value(source);
  if (last.found()) {
    out.key("sha").value(last.sha);
    out.key("milestoneIndex").value(last.milestone);
    if (!last.phase.empty()) out.key("phaseId").value(last.phase.text);
  }
  out.key("drift");
  if (!drift) {
    out.null();
    return;
  }
  out.begin_object();
  out.key("plan").value(drift->plan);
  out.key("checkpoint").value(drift->checkpoint);
  out.key("source").value(source);
  out.end_object();
}

}  // namespace

void write_checkpoint(base::JsonWriter& out, const CheckpointCheckView& view) {
  write_checkpoint(out, view.last, view.drift, core::name_of(view.last.source));
}

void write_checkpoint(base::JsonWriter& out, const core::SavedCommit& commit,
                      const std::optional<core::Drift>& drift) {
  write_checkpoint(out, core::checkpoint_of(commit), drift, "history");
}

std::string last_commit_words(const core::SavedCommit& commit) {
  return commit.sha.substr(0, kShortCommit) +
         " is the last phase commit: " + milestone_words(commit.milestone, commit.phase.text, {});
}

std::string drift_words(const core::Drift& drift) {
  return "the plan is at " + safe_line(drift.plan) + ", the last phase commit at " +
         safe_line(drift.checkpoint);
}

}  // namespace plankeep::render
