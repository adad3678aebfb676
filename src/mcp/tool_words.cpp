#include "mcp/tool_words.hpp"

#include <array>
#include <string_view>

namespace plankeep::mcp {
namespace {

struct Wording {
  std::string_view command;
  std::string_view tool;
  bool to_the_end = false;  // the rest of the hint goes with it: it names what only the command takes
};

// The longest of several that begin alike stands first.
constexpr std::array kWordings = {
    Wording{"give one with --plan, or choose one for this project: plankeep use ", "give one as plan", true},
    Wording{"give the plan: --plan ", "give the plan: "},
    Wording{
        "to start one: plankeep new NAME; to track a file: plankeep init FILE; to name a plan: --plan PATH",
        "give one as plan, or have a file tracked: plankeep init FILE"},
    Wording{"give one: --plan FILE, or choose one for this project: plankeep use FILE", "give one as plan"},
    Wording{"to use it anyway: --plan plan.md", "to use it anyway: give plan.md as plan"},
    Wording{"choose another: plankeep use PATH, or forget it: plankeep use --clear", "give another as plan"},
    Wording{"give the plan with --plan or PLANKEEP_PLAN", "give the plan as plan"},
    Wording{"to list all ids: plankeep list", "to list ids: plan_status"},
    Wording{"to claim an available task: plankeep next --claim",
            "to claim an available task: claim_task without id"},
    Wording{"claim it again without --fence", "claim it again without fence"},
    Wording{"take it back first: plankeep reopen ",
            "take it back first: complete_task with action reopen and id "},
    Wording{"to make one: plankeep checkpoint create", "to make one: create_checkpoint"},
    Wording{"to list them: plankeep checkpoint list", "to list them: list_checkpoints"},
    Wording{"to see what it has: plankeep checkpoint show ", "to see what it has: get_checkpoint "},
};

}  // namespace

std::string in_tool_words(std::string hint) {
  for (const Wording& wording : kWordings) {
    const std::size_t at = hint.find(wording.command);
    if (at == std::string::npos) continue;
    hint.replace(at, wording.to_the_end ? std::string::npos : wording.command.size(), wording.tool);
  }
  return hint;
}

std::vector<std::string_view> command_words() {
  std::vector<std::string_view> words;
  words.reserve(kWordings.size());
  for (const Wording& wording : kWordings) words.push_back(wording.command);
  return words;
}

}  // namespace plankeep::mcp
