#include "render/recorded/log.hpp"

#include <algorithm>
#include <limits>
#include <set>
#include <utility>

#include "base/text.hpp"
#include "cli/arguments.hpp"
#include "cli/commands/all.hpp"
#include "cli/locate.hpp"
#include "render/recorded/chain.hpp"
#include "tracking/history.hpp"
#include "tracking/show.hpp"

namespace plankeep::cli {
namespace {

// A new line is seen at once. This is for file systems that do not tell, where another machine writes.
constexpr std::chrono::milliseconds kFollowAtLeast{2000};
constexpr std::size_t kNotSaid = std::numeric_limits<std::size_t>::max();
constexpr std::size_t kLinesForPeople = 20;

std::set<std::pair<core::PhaseId, core::TaskId>> given_new_ids_at(const std::vector<store::TailLine>& lines,
                                                                  std::size_t first) {
  std::vector<core::Event> save;
  for (std::size_t i = first; i < lines.size() && lines[i].event.time == lines[first].event.time; ++i) {
    if (lines[i].event.kind == core::EventKind::task_added) save.push_back(lines[i].event);
  }
  return core::given_new_ids(save);
}

std::string lines_of(const std::vector<store::TailLine>& lines, bool json, const render::Style& style) {
  std::string text;
  std::size_t actors = render::kActorColumns;
  if (!json) {
    for (const store::TailLine& line : lines) actors = render::actor_columns(line.event, actors);
  }
  std::set<std::pair<core::PhaseId, core::TaskId>> renamed;  // by their earlier ids, in the save of the line
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const core::Event& event = lines[i].event;
    if (json) {
      text += lines[i].text + "\n";
      continue;
    }
    if (i == 0 || lines[i - 1].event.time != event.time) renamed = given_new_ids_at(lines, i);
    // That it has another id is told by the event that gives it.
    const bool told =
        event.kind == core::EventKind::task_removed && renamed.contains({event.phase, event.task});
    if (!told) text += render::log_line(event, style, actors);
  }
  return text;
}

bool known_event(const std::string& name) {
  const auto names = core::event_names();
  return std::find(names.begin(), names.end(), name) != names.end();
}

bool holds(const core::StatusView& view, const std::string& id) {
  const auto is = [&id](const core::PhaseRow& phase, const std::string& one) {
    return one == id || phase.id.text + "/" + one == id;
  };
  for (const core::PhaseRow& phase : view.phases) {
    for (const core::TaskRow& task : phase.tasks) {
      if (is(phase, task.id.text)) return true;
    }
    for (const core::CriterionRow& criterion : phase.acceptance) {
      if (is(phase, criterion.id.text)) return true;
    }
  }
  return false;
}

// A name that nobody knows is a mistake, not an empty answer. Other versions write events of their own, and
// tasks go: what the history names is known.
std::optional<base::Error> unknown_name(Program& program, const app::PlanLocation& plan,
                                        app::HistoryReader& reader, const app::HistoryFilter& filter) {
  const auto never = [&reader](const std::string& event, const std::string& task) {
    const auto found = reader.newest(1, {event, task, {}, true});
    return found && found->empty();
  };
  if (!filter.event.empty() && !known_event(filter.event) && never(filter.event, {})) {
    const auto names = core::event_names();
    const std::string_view meant = nearest(filter.event, names);
    std::string hint;
    if (!meant.empty()) {
      hint = "did you mean " + std::string(meant) + "?";
    } else {
      for (const std::string_view name : names) hint += (hint.empty() ? "known: " : ", ") + std::string(name);
    }
    return base::Error{base::ErrorKind::invalid_input, "unknown event " + filter.event, {}, std::move(hint)};
  }
  if (filter.task.empty() || !never({}, filter.task)) return std::nullopt;
  const auto shown = app::load_shown(program.context, plan, 0);
  if (!shown || holds(app::view_of(*shown), filter.task)) return std::nullopt;
  return base::Error{base::ErrorKind::not_found,
                     "no task or criterion " + filter.task + " in this plan or its history",
                     {},
                     "to list all ids: plankeep list"};
}

}  // namespace

ExitCode run_log(Program& program, const Words& words) {
  std::optional<std::string> named;
  app::HistoryFilter filter;
  std::string since;
  bool follow = false;
  bool verify = false;
  bool all = false;
  bool json = false;
  Arguments arguments(
      program, "log",
      "Shows what happened, newest last. Times are UTC. --json prints the lines of the history file as\n"
      "they are, all of them. Read-only.");
  std::size_t count = kNotSaid;
  arguments.number("-n,--lines", count, "N", "Maximum number of events (default: 20; with --json: all)");
  arguments.option("--event", filter.event, "EVENT", "Only events of this kind, such as task_completed");
  arguments.option("--task", filter.task, "ID",
                   "Only events of this task or criterion, also under the ids it had before");
  arguments.option("--since", since, "TIME",
                   "Only events newer than 2h, 3d, yesterday or 2026-11-20T15:00:00Z");
  arguments.flag("--all", all,
                 "Also what happened to plankeep's own files (recovery copies, edits seen late)");
  arguments.flag("--follow", follow, "Keep printing new events until interrupted (like tail -f)");
  arguments.flag("--verify", verify,
                 "Only check that no line was changed or removed; exit status 1 if one was");
  arguments.plan(named);
  arguments.json(json);
  if (const auto stop = arguments.parse(words)) return *stop;
  if (verify && (follow || !since.empty() || !filter.event.empty() || !filter.task.empty())) {
    return program.fail({base::ErrorKind::invalid_input,
                         "--verify checks the whole history: it cannot be used with a filter or --follow",
                         {},
                         {}},
                        About::request);
  }
  if (!since.empty()) {
    const auto moment = base::read_since("--since", since, program.context.clock.now());
    if (!moment) return program.fail(moment.error(), About::request);
    filter.since = *moment;
  }

  if (count == kNotSaid && !json) count = kLinesForPeople;
  filter.bookkeeping = all || json;
  filter.earlier_ids = true;
  ExitCode code = ExitCode::fine;
  const auto plan = locate(program, named, code);
  if (!plan) return code;
  auto reader = app::HistoryReader::open(program.context, *plan);
  if (!reader) return program.fail(reader.error(), About::plan);
  if (verify) {
    const auto report = reader->verify();
    if (!report) return program.fail(report.error(), About::plan);
    code = report->holds() ? ExitCode::fine : ExitCode::no;
    if (json) return program.print(render::chain_json(*report), code);
    return program.print("the history's chain " + render::chain_words(*report) + "\n", code);
  }
  if (follow && program.watch != nullptr) {
    const base::Status watched = program.watch->add(reader->path());
    if (!watched) return program.fail(watched.error(), About::plan);
  }
  const auto newest = reader->newest(count, filter);
  if (!newest) return program.fail(newest.error(), About::plan);
  if (newest->empty() && count > 0) {
    if (const auto unknown = unknown_name(program, *plan, *reader, filter))
      return program.fail(*unknown, About::request);
  }
  const std::string lines = lines_of(*newest, json, program.list_style());
  if (!follow) return program.print(lines);
  if (!program.console.write(lines)) return ExitCode::fine;
  while (follow && program.console.wait(kFollowAtLeast, program.watch)) {
    const auto more = reader->more(filter);
    if (!more) return program.fail(more.error(), About::plan);
    if (!more->empty() && !program.console.write(lines_of(*more, json, program.list_style()))) break;
  }
  return ExitCode::fine;
}

}  // namespace plankeep::cli
