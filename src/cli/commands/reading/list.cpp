#include "cli/arguments.hpp"
#include "cli/commands/all.hpp"
#include "cli/locate.hpp"
#include "render/progress/tasks.hpp"
#include "rules/listing/task_list.hpp"
#include "tracking/history.hpp"
#include "tracking/show.hpp"

namespace plankeep::cli {
namespace {

constexpr std::size_t kEventsRead = 100'000;
constexpr std::size_t kMostDays = 36'500;
using base::kDay;

struct ListOptions {
  bool open = false;
  bool done = false;
  bool active = false;
  std::size_t idle_days = 0;
  core::TaskFilter filter;
};

base::Status complete(ListOptions& options, base::Instant now) {
  if (options.open + options.done + options.active > 1)
    return base::fail(base::ErrorKind::invalid_input, "use only one of --open, --done and --active");
  if (options.open) options.filter.unfinished = true;
  if (options.done) options.filter.state = core::BoxState::done;
  if (options.active) options.filter.state = core::BoxState::active;
  if (options.idle_days > kMostDays)
    return base::fail(base::ErrorKind::invalid_input, "--stale must be at most 36500 days");
  if (options.idle_days > 0)
    options.filter.idle_since =
        base::Instant{now.milliseconds - static_cast<std::int64_t>(options.idle_days) * kDay};
  return {};
}

struct Read {
  core::TaskTable table;
  std::vector<core::Event> events;
};

// The history is asked only for how long nothing happened to a task.
base::Result<Read> read_table(const app::Context& context, const app::PlanLocation& plan,
                              const core::TaskFilter& filter) {
  Read read;
  if (!filter.idle_since) {
    TRY_ASSIGN(app::LoadedTable loaded, app::load_table(context, plan));
    read.table = std::move(loaded.table);
    return read;
  }
  TRY_ASSIGN(app::Shown shown, app::load_shown(context, plan, kEventsRead));
  read.events = shown.recent;
  read.table = app::table_of(std::move(shown));
  return read;
}

}  // namespace

ExitCode run_list(Program& program, const Words& words) {
  std::optional<std::string> named;
  ListOptions options;
  bool json = false;
  Arguments arguments(
      program, "list",
      "Lists the plan's tasks by phase, steps below the task they belong to. Conditions can be\n"
      "combined. The number after the colon is the line in the plan. Read-only.");
  arguments.flag("--open", options.open, "Only tasks that are not done");
  arguments.flag("--done", options.done, "Only tasks that are done");
  arguments.flag("--active", options.active, "Only tasks marked as in progress");
  arguments.flag("--optional", options.filter.optional, "Only optional tasks");
  arguments.option("--phase", options.filter.phase, "PHASE", "Only this phase: its id, title or number");
  arguments.option("--by", options.filter.by, "ACTOR",
                   "Only tasks finished or claimed by this actor; subagent means any subagent");
  arguments.option("--grep", options.filter.text, "TEXT", "Only tasks with this text in id or title");
  arguments.number("--stale", options.idle_days, "DAYS",
                   "Only unfinished tasks without any event for so many days");
  arguments.plan(named);
  arguments.json(json);
  if (const auto stop = arguments.parse(words)) return *stop;
  if (const auto good = complete(options, program.context.clock.now()); !good)
    return program.fail(good.error(), About::request);

  ExitCode code = ExitCode::fine;
  const auto plan = locate(program, named, code);
  if (!plan) return code;
  const auto read = read_table(program.context, *plan, options.filter);
  if (!read) return program.fail(read.error(), About::file);
  const core::TaskTable& table = read->table;
  const auto list = core::TaskList::make(table, options.filter, read->events);
  if (!list) return program.fail(list.error(), About::request);
  if (!table.unreadable.empty()) program.warn(table.unreadable);
  return program.end(program.print(json ? render::list_json(table, *list)
                                        : render::list_text(table, *list, program.list_style())));
}

}  // namespace plankeep::cli
