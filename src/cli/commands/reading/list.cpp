#include "cli/arguments.hpp"
#include "cli/commands/all.hpp"
#include "cli/locate.hpp"
#include "render/progress/tasks.hpp"
#include "rules/task_list.hpp"
#include "tracking/history.hpp"
#include "tracking/show.hpp"

namespace plankeep::cli {
namespace {

constexpr std::size_t kEventsAsked = 100'000;
constexpr std::size_t kMostDays = 36'500;
constexpr std::int64_t kDay = 24LL * 60 * 60 * 1000;

struct Asked {
  bool open = false;
  bool done = false;
  bool active = false;
  std::size_t idle_days = 0;
  core::TaskFilter filter;
};

base::Status complete(Asked& asked, base::Instant now) {
  if (asked.open + asked.done + asked.active > 1)
    return base::fail(base::ErrorKind::invalid_input, "--open, --done and --active exclude each other",
                      "use one of them");
  if (asked.open) asked.filter.unfinished = true;
  if (asked.done) asked.filter.state = core::BoxState::done;
  if (asked.active) asked.filter.state = core::BoxState::active;
  if (asked.idle_days > kMostDays)
    return base::fail(base::ErrorKind::invalid_input, "--stale must be at most 36500 days");
  if (asked.idle_days > 0)
    asked.filter.idle_since =
        base::Instant{now.milliseconds - static_cast<std::int64_t>(asked.idle_days) * kDay};
  return {};
}

}  // namespace

ExitCode run_list(Program& program, const Words& words) {
  std::optional<std::string> named;
  Asked asked;
  bool json = false;
  Arguments arguments(
      program, "list",
      "Lists the plan's tasks by phase, steps below the task they belong to. Conditions can be\n"
      "combined. The number after the colon is the line in the plan. Read-only.");
  arguments.flag("--open", asked.open, "Only tasks that are not done");
  arguments.flag("--done", asked.done, "Only tasks that are done");
  arguments.flag("--active", asked.active, "Only tasks marked as in progress");
  arguments.flag("--optional", asked.filter.optional, "Only optional tasks");
  arguments.option("--phase", asked.filter.phase, "PHASE", "Only this phase: its id, title or number");
  arguments.option("--by", asked.filter.by, "ACTOR",
                   "Only tasks finished or claimed by this actor; subagent means any subagent");
  arguments.option("--grep", asked.filter.text, "TEXT", "Only tasks with this text in id or title");
  arguments.number("--stale", asked.idle_days, "DAYS",
                   "Only unfinished tasks without any event for so many days");
  arguments.plan(named);
  arguments.json(json);
  if (const auto stop = arguments.parse(words)) return *stop;
  if (const auto good = complete(asked, program.context.clock.now()); !good)
    return program.fail(good.error(), About::request);

  ExitCode code = ExitCode::fine;
  const auto plan = locate(program, named, code);
  if (!plan) return code;
  const auto shown = app::load_shown(program.context, *plan, asked.filter.idle_since ? kEventsAsked : 0);
  if (!shown) return program.fail(shown.error(), About::file);
  const core::StatusView view = app::view_of(*shown);
  const auto list =
      core::list_tasks(view, shown->plan ? &*shown->plan : nullptr, asked.filter, shown->recent);
  if (!list) return program.fail(list.error(), About::request);
  return program.end(program.print(json ? render::list_json(view, *list)
                                        : render::list_text(view, *list, program.list_style())));
}

}  // namespace plankeep::cli
