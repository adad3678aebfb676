#include <exception>

#include "cli/arguments.hpp"
#include "cli/commands/all.hpp"
#include "commits/merge_files.hpp"

namespace plankeep::cli {
namespace {

// A file that asks for more is no file of git's.
constexpr std::size_t kLongestMarker = 1000;

ExitCode merge(Program& program, const app::MergeFiles& files, const std::string& name) {
  const auto conflicts = app::merge_files(program.context, files);
  if (!conflicts) {
    return program.fail(conflicts.error(), ExitCode::merge_failed);
  }
  for (const markdown::MergeConflict& conflict : *conflicts) {
    const std::string place = conflict.line > 0 ? name + ":" + std::to_string(conflict.line) : name;
    program.warn(place + ": " + conflict.message);
  }
  return conflicts->empty() ? ExitCode::fine : ExitCode::no;
}

}  // namespace

ExitCode run_merge_driver(Program& program, const Words& words) {
  app::MergeFiles files;
  std::string name;
  Arguments arguments(
      program, "merge-driver",
      "Merges two versions of a plan with a common ancestor, box by box, and writes the result to OURS.\n"
      "git calls it (see plankeep git-setup): merge-driver --marker-size %L -- %O %A %B %P.\n"
      "A tick on either side is kept, whatever the other side did to the text; what both sides added is\n"
      "kept, ours first. Real conflicts get conflict markers, which plankeep lint reports.\n"
      "Only the plan is merged: state and history belong to one machine and are never in git.\n"
      "Exit status, as git expects it: 0 merged; 1 conflicts remain; 129 nothing was merged.");
  arguments.positional("BASE", files.base, "The common ancestor", Arguments::Need::required);
  arguments.positional("OURS", files.ours, "Our version; overwritten with the result",
                       Arguments::Need::required);
  arguments.positional("THEIRS", files.theirs, "Their version", Arguments::Need::required);
  arguments.positional("PATH", name, "The file name to use in messages", Arguments::Need::optional);
  arguments.number("--marker-size", files.marker_size, "N", "Length of the conflict markers (default: 7)");
  if (const auto stop = arguments.parse(words)) {
    // A status below 129 would say that the file was merged and has conflicts: theirs would be lost.
    return *stop == ExitCode::fine ? *stop : ExitCode::merge_failed;
  }
  if (files.marker_size == 0 || files.marker_size > kLongestMarker) files.marker_size = 7;
  if (name.empty()) name = files.ours;
  try {
    return merge(program, files, name);
  } catch (const std::exception& unexpected) {  // memory; main's own status would mean conflicts to git
    program.console.write_error("plankeep: error: internal: " + std::string(unexpected.what()) + "\n");
    return ExitCode::merge_failed;
  }
}

}  // namespace plankeep::cli
