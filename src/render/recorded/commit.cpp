#include "render/recorded/commit.hpp"

#include <algorithm>

#include "render/json_parts.hpp"

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

std::string file_lines(const app::CommitReport& report) {
  std::string text;
  const std::size_t shown = std::min(report.files.size(), kMostFiles);
  for (std::size_t i = 0; i < shown; ++i) {
    text += "  " + std::string(1, report.files[i].kind) + " " + safe_line(report.files[i].path) + "\n";
  }
  if (report.files.size() > shown) text += "  and " + std::to_string(report.files.size() - shown) + " more\n";
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

std::string commit_text(const app::CommitReport& report, bool dry_run, const Style& style) {
  const core::Sidecar& sidecar = report.sidecar;
  const std::string what = milestone_words(sidecar.milestone, sidecar.phase.text, sidecar.title);
  if (report.existing) {
    const std::string verb = dry_run                  ? "would link "
                             : report.sidecar_written ? "linked "
                                                      : "already linked: ";
    return verb + short_commit(sidecar.sha) + ": " + what + "\n";
  }
  if (dry_run) {
    return "would commit " + what + ":\n" + file_lines(report) + "with the message\n" +
           message_lines(report.message);
  }
  return paint(style, Paint::good, "committed") + " " + short_commit(sidecar.sha) + ": " + what + "\n" +
         std::string(core::name_of(sidecar.tier)) + ": " + tier_words(sidecar.tier) + "\n";
}

std::string commit_json(const app::PlanLocation& plan, const app::CommitReport& report, bool dry_run) {
  const core::Sidecar& sidecar = report.sidecar;
  base::JsonWriter out(base::JsonWriter::Layout::indented);
  out.begin_object();
  write_plan_reference(out, plan);
  out.key("committed").value(report.committed);
  if (report.existing) out.key("existing").value(true);
  out.key("dryRun").value(dry_run);
  out.key("sha");
  if (report.committed || report.existing) {
    out.value(sidecar.sha);
  } else {
    out.null();
  }
  out.key("runId").value(sidecar.run);
  out.key("milestoneIndex").value(sidecar.milestone);
  out.key("milestoneTitle").value(sidecar.title);
  out.key("phaseId").value(sidecar.phase.text);
  out.key("tier");
  if (report.committed || report.existing) {
    out.value(core::name_of(sidecar.tier));
  } else {
    out.null();
  }
  write_strings(out, "verificationCommands", sidecar.commands);
  out.key("sidecarWritten").value(report.sidecar_written);
  out.key("message").value(report.message);
  out.key("files").begin_array();
  for (const git::CommitChange& file : report.files) {
    out.begin_object();
    out.key("change").value(std::string_view(&file.kind, 1));
    out.key("path").value(file.path);
    out.end_object();
  }
  out.end_array();
  out.key("previous").begin_object();
  out.key("checkpointSource").value(core::name_of(report.before.source));
  if (report.before.found()) {
    out.key("sha").value(report.before.sha);
    out.key("milestoneIndex").value(report.before.milestone);
  }
  out.end_object();
  write_strings(out, "warnings", report.warnings);
  out.end_object();
  return out.finish();
}

std::string checkpoint_text(const CheckpointCheckView& view) {
  if (!view.last.found()) return "no phase of this plan has a commit yet\n";
  std::string text = "last phase commit: " + short_commit(view.last.sha) + ", " +
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
  return short_commit(commit.sha) +
         " is the last phase commit: " + milestone_words(commit.milestone, commit.phase.text, {});
}

std::string drift_words(const core::Drift& drift) {
  if (drift.source == core::CheckpointSource::none)
    return safe_line(drift.plan) + " is completed and has no phase commit yet: plankeep commit";
  return "the plan is at " + safe_line(drift.plan) + ", the last phase commit at " +
         safe_line(drift.checkpoint);
}

}  // namespace plankeep::render
