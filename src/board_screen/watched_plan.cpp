#include "board_screen/watched_plan.hpp"

#include "tracking/history.hpp"
#include "tracking/project_tree.hpp"

namespace plankeep::board_screen {

std::vector<std::string> watched_files(const app::Context& context, const app::PlanLocation& plan) {
  std::vector<std::string> files{plan.path()};
  const auto real = context.files.real_path(files.front());
  if (real && *real != files.front()) files.push_back(*real);
  const auto history = app::HistoryReader::open(context, plan);
  if (history) files.push_back(history->path());
  return files;
}

base::Result<app::Shown> load_watched(const app::Context& context, const app::PlanLocation& plan,
                                      std::size_t recent) {
  const auto folder = context.files.info(plan.folder);
  if (folder && folder->kind != system::FileKind::directory)
    return base::fail(base::ErrorKind::not_found, "the folder of the plan was removed: " + plan.folder);
  TRY_ASSIGN(app::Shown shown, app::load_shown(context, plan, recent));
  app::inspect_tree(context, shown);
  return shown;
}

}  // namespace plankeep::board_screen
