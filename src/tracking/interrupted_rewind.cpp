#include "tracking/interrupted_rewind.hpp"

#include <chrono>
#include <string_view>

#include "project/state_home.hpp"

namespace plankeep::app {
namespace {

// As worktree/restore_staging names them.
constexpr std::string_view kStaging = "rewind";
constexpr std::string_view kJournal = "journal";
constexpr std::string_view kRewindLock = "rewind.lock";

}  // namespace

std::string interrupted_rewind_words(const Context& context, const Project& project) {
  if (!project.in_git()) return {};
  const auto files = open_project_files(context, project, false);
  if (!files) return {};
  const auto staging = files->folder->open_folder(std::string(kStaging));
  if (!staging) return {};
  const auto journal = (*staging)->info(std::string(kJournal));
  if (!journal || journal->kind != system::FileKind::regular) return {};
  // Whoever is at it holds the lock.
  const auto lock = files->folder->lock(std::string(kRewindLock), std::chrono::milliseconds{0});
  if (!lock && lock.error().kind == base::ErrorKind::busy) return {};
  return "a rewind was interrupted, so files may be a mix of before and after; to repair: plankeep doctor "
         "--repair";
}

}  // namespace plankeep::app
