#include "doctor/rewind_health.hpp"

#include "base/limits.hpp"
#include "base/text.hpp"
#include "checkpoints/snapshots.hpp"
#include "rewind/rewind_recovery.hpp"

namespace plankeep::app {
namespace {

std::string megabytes(std::uint64_t bytes) {
  const std::uint64_t tenths = (bytes * 10 + base::kMebibyte / 2) / base::kMebibyte;
  return std::to_string(tenths / 10) + "." + std::to_string(tenths % 10) + " MB";
}

}  // namespace

std::vector<Finding> inspect_snapshots(const Context& context, const PlanLocation& plan) {
  std::vector<Finding> findings;
  const auto broken = broken_rewind(context, plan);
  if (broken && *broken) {
    findings.push_back(
        {"rewind", Condition::broken,
         "the rewind to " + (*broken)->to + " was interrupted: files may be a mix of before and after",
         "plankeep doctor --repair"});
  } else if (!broken && broken.error().kind == base::ErrorKind::corrupt) {
    findings.push_back({"rewind", Condition::broken, broken.error().message, "plankeep doctor --repair"});
  }
  const auto report = report_snapshots(context, plan);
  if (report) {
    for (const std::string& ref : report->broken)
      findings.push_back({"snapshots", Condition::broken,
                          ref + " is damaged: git cannot read it, and git gc fails",
                          "plankeep doctor --repair"});
  }
  if (report && !report->lost.empty())
    findings.push_back({"snapshots", Condition::attention,
                        "git no longer has " + base::counted(report->lost.size(), "snapshot", "snapshots") +
                            " of checkpoints, the first " + report->lost.front(),
                        "fetch the ref from a copy of the repository if there is one; without it these "
                        "checkpoints bring back the plan, not the files"});
  if (!report || !report->available || report->sizes.count == 0) return findings;
  const std::string holds = std::to_string(report->sizes.count) +
                            (report->sizes.count == 1 ? " snapshot, " : " snapshots, ") +
                            megabytes(report->sizes.bytes) + "";
  if (report->sizes.bytes > report->limit) {
    findings.push_back({"snapshots", Condition::attention,
                        holds + ", the limit is " + megabytes(report->limit),
                        "plankeep checkpoint cleanup --older-than 7d"});
  } else {
    findings.push_back({"snapshots", Condition::fine, holds, {}});
  }
  return findings;
}

std::vector<std::string> repair_snapshots(const Context& context, const PlanLocation& plan) {
  const auto dropped = drop_broken_snapshots(context, plan);
  if (!dropped) {
    if (dropped.error().kind == base::ErrorKind::not_found) return {};
    return {"damaged snapshots could not be removed: " + dropped.error().message};
  }
  std::vector<std::string> lines;
  for (const std::string& ref : *dropped) lines.push_back("removed the damaged snapshot " + ref);
  return lines;
}

std::vector<std::string> repair_rewind(const Context& context, const PlanLocation& plan) {
  std::vector<std::string> lines;
  const auto recovered = recover_rewind(context, plan);
  if (!recovered) {
    const base::Error& error = recovered.error();
    if (error.kind == base::ErrorKind::not_found) return lines;
    lines.push_back("an interrupted rewind could not be completed: " + error.message);
    if (!error.hint.empty()) lines.push_back(error.hint);
    return lines;
  }
  if (*recovered) lines = told(**recovered);
  return lines;
}

}  // namespace plankeep::app
