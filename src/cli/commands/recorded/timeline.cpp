#include "reports/timeline.hpp"

#include <utility>

#include "cli/arguments.hpp"
#include "cli/commands/all.hpp"
#include "cli/locate.hpp"
#include "render/recorded/timeline.hpp"

namespace plankeep::cli {

ExitCode run_timeline(Program& program, const Words& words) {
  std::optional<std::string> named;
  app::TimelineRequest request;
  std::string since;
  bool no_events = false;
  bool json = false;
  Arguments arguments(
      program, "timeline",
      "Shows the history of the plan and the work in one timeline, newest last: events of the\n"
      "plan, checkpoints, and the commits of the current branch since tracking started. Times are\n"
      "UTC. Read-only.");
  arguments.number("-n,--lines", request.count, "N", "Maximum number of entries (default: 30)");
  arguments.option("--since", since, "TIME", "Only entries newer than 2h, 3d or 2026-11-20T15:00:00Z");
  arguments.flag("--work", no_events, "Only checkpoints and commits");
  arguments.plan(named);
  arguments.json(json);
  if (const auto stop = arguments.parse(words)) return *stop;
  request.events = !no_events;
  if (!since.empty()) {
    const auto moment = base::read_since("--since", since, program.context.clock.now());
    if (!moment) return program.fail(moment.error(), About::request);
    request.since = *moment;
  }
  ExitCode code = ExitCode::fine;
  const auto plan = locate(program, named, code);
  if (!plan) return code;
  auto timeline = app::timeline(program.context, *plan, request);
  if (!timeline) return program.fail(timeline.error(), About::plan);
  if (json) return program.print(render::timeline_json(*plan, *timeline));
  for (const std::string& warning : timeline->warnings) program.warn(warning);
  return program.print(render::timeline_text(*timeline, program.list_style()));
}

}  // namespace plankeep::cli
