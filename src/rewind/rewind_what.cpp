#include "base/enum_names.hpp"
#include "rewind/rewind.hpp"
#include "rules/rewind_steps.hpp"

namespace plankeep::app {
namespace {

constexpr auto kNames = base::enum_names<RewindWhat>({{RewindWhat::plan, "plan"},
                                                      {RewindWhat::files, "files"},
                                                      {RewindWhat::all, "all"},
                                                      {RewindWhat::head, "head"},
                                                      {RewindWhat::files_and_head, core::kFilesAndHead}});

}  // namespace

std::string_view name_of(RewindWhat what) {
  return kNames.name_of(what);
}

bool moves_head(RewindWhat what) {
  return core::moves_head(name_of(what));
}

std::optional<RewindWhat> rewind_what(std::string_view name) {
  return name == core::kSomePaths ? RewindWhat::files : kNames.parse(name);
}

}  // namespace plankeep::app
