#include "board_screen/board_pages.hpp"

#include <algorithm>
#include <string>
#include <string_view>

#include "base/utf8.hpp"
#include "checkpoints/find_checkpoint.hpp"
#include "project/project.hpp"
#include "render/progress/vanished.hpp"
#include "render/recorded/checkpoint.hpp"
#include "render/recorded/log.hpp"
#include "render/recorded/timeline.hpp"
#include "reports/timeline.hpp"
#include "rules/notice.hpp"
#include "tracking/history.hpp"
#include "tracking/workspace.hpp"

namespace plankeep::board_screen {
namespace {

using base::Result;
using board::PageLine;
using Lines = std::vector<PageLine>;

constexpr std::size_t kNewest = 500;
constexpr std::size_t kCheckpointColumns = 13;  // cp_1a2b3c_007
constexpr std::size_t kPhaseColumns = 24;       // longer ones move what stands behind them

// The screen cuts, and Enter shows the whole line.
constexpr render::Style kWholeLines{.columns = render::kUnlimited};

void append_lines(std::string_view text, Lines& lines) {
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    lines.push_back({std::string(text.substr(0, end))});
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
}

void append_warnings(const std::vector<std::string>& warnings, Lines& lines) {
  for (const std::string& warning : warnings) lines.push_back({"warning: " + warning});
}

Result<Lines> log_lines(const app::Context& context, const app::PlanLocation& plan) {
  TRY_ASSIGN(auto reader, app::HistoryReader::open(context, plan));
  app::HistoryFilter filter;
  filter.bookkeeping = false;
  TRY_ASSIGN(const auto newest, reader.newest(kNewest, filter));
  Lines lines;
  std::size_t actors = render::kActorColumns;
  for (const store::TailLine& line : newest) actors = render::actor_columns(line.event, actors);
  for (const store::TailLine& line : newest)
    append_lines(render::log_line(line.event, kWholeLines, actors), lines);
  return lines;
}

Result<Lines> timeline_lines(const app::Context& context, const app::PlanLocation& plan) {
  app::TimelineRequest request;
  request.count = kNewest;
  TRY_ASSIGN(const app::Timeline timeline, app::timeline(context, plan, request));
  Lines lines;
  append_warnings(timeline.warnings, lines);
  append_lines(render::timeline_text(timeline, kWholeLines), lines);
  return lines;
}

Result<Lines> checkpoint_lines(const app::Context& context, const app::PlanLocation& plan) {
  records::CheckpointQuery query;
  query.limit = kNewest;
  TRY_ASSIGN(const app::CheckpointList list, app::list_checkpoints(context, plan, query));
  Lines lines;
  std::size_t widest = 0;
  for (const core::ListedCheckpoint& one : list.listed)
    widest = std::max(widest, base::display_width(render::safe_line(one.head.phase.text)));
  widest = std::min(widest, kPhaseColumns);
  // The ids first: the screen cuts the end.
  for (const core::ListedCheckpoint& one : list.listed) {
    std::string text = render::pad_right(render::safe_line(one.head.id.text), kCheckpointColumns) + "  ";
    if (widest > 0) text += render::pad_right(render::safe_line(one.head.phase.text), widest) + "  ";
    text +=
        std::string(render::type_words(one.head)) + "  " + base::ago(one.head.timestamp, context.clock.now());
    if (const std::string details = render::details_of(one); !details.empty()) text += "  " + details;
    lines.push_back({std::move(text), one.head.id.text});
  }
  append_warnings(list.warnings, lines);
  return lines;
}

Result<Lines> plan_lines(const app::Context& context, const app::PlanLocation& plan) {
  const app::Project project(context, plan.folder);
  TRY_ASSIGN(const app::Workspace workspace, app::survey(context, project.root()));
  Lines lines;
  for (const app::PlanOverview& one : workspace.plans) {
    std::string text = one.plan == plan ? "> " : "  ";
    text += render::pad_left(render::percent(one.progress.percent_tenths) + "%", 6) + "  " + one.id + "  " +
            std::to_string(one.progress.completed) + "/" + std::to_string(one.progress.total) + "  " +
            one.shown;
    if (one.complete()) text += core::beside_done(one.progress, 0);
    if (!one.vanished.empty()) text += "  " + render::vanished_count(one.vanished) + " vanished";
    if (one.archived) text += "  archived";
    if (!one.unreadable.empty()) text += "  " + one.unreadable;
    if (!one.problem.empty()) text += "  " + one.problem;
    lines.push_back({text, one.plan.path()});
  }
  append_warnings(workspace.warnings, lines);
  return lines;
}

}  // namespace

Result<Lines> page_lines(const app::Context& context, const app::PlanLocation& plan, board::Tab tab) {
  switch (tab) {
    case board::Tab::log:
      return log_lines(context, plan);
    case board::Tab::timeline:
      return timeline_lines(context, plan);
    case board::Tab::checkpoints:
      return checkpoint_lines(context, plan);
    case board::Tab::plans:
      return plan_lines(context, plan);
    case board::Tab::plan:
      break;
  }
  return Lines{};
}

}  // namespace plankeep::board_screen
