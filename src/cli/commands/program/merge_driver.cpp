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
    program.fail(conflicts.error(), About::file);
    return ExitCode::merge_failed;
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
      "Merges two versions of a plan that grew out of one, box by box, and writes the result in the place\n"
      "of OURS. git calls it (plankeep git-setup): merge-driver --marker-size %L -- %O %A %B %P.\n"
      "A tick on either side is kept, whatever the other did to the words; what both sides put in is\n"
      "kept, ours first. Real conflicts get conflict markers, which plankeep lint reports.\n"
      "Only the plan is merged: state and history belong to one machine and are never in git.\n"
      "Exit status, as git wants it: 0 merged; 1 conflicts are left; 129 nothing was merged.");
  arguments.positional("BASE", files.base, "The version that both grew out of", Arguments::Need::required);
  arguments.positional("OURS", files.ours, "Our version; it becomes the result", Arguments::Need::required);
  arguments.positional("THEIRS", files.theirs, "Their version", Arguments::Need::required);
  arguments.positional("PATH", name, "What the file is called in messages", Arguments::Need::optional);
  arguments.number("--marker-size", files.marker_size, "N",
                   "Length of the conflict markers (7 if not given)");
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
