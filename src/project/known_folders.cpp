#include "project/known_folders.hpp"

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "base/sha256.hpp"
#include "git/git.hpp"
#include "project/git_directory.hpp"
#include "project/plan_location.hpp"
#include "project/settings.hpp"
#include "store/paths.hpp"
#include "system/atomic_file.hpp"

namespace plankeep::app {
namespace {

using base::ErrorKind;
using base::Result;
using base::Status;
using system::FileKind;

constexpr std::chrono::milliseconds kGitTimeout{5000};
constexpr std::string_view kKnown = "known";
constexpr std::string_view kReplacedBy = "replaced-by";
constexpr std::uint64_t kNoteLimit = 100;
const std::string kSetAside = std::string(store::kTrackingFolder) + ".set-aside-";

std::string known_name(const std::string& path, const system::FileInfo& tracking) {
  return base::sha256_hex(path + "\n" + std::to_string(tracking.inode)).substr(0, 32);
}

bool is_known(const Context& context, const std::string& path, const system::FileInfo& tracking) {
  const auto settings = user_settings_folder(context);
  if (!settings) return false;
  const auto info =
      context.files.info(*settings + "/" + std::string(kKnown) + "/" + known_name(path, tracking));
  return info && info->kind == FileKind::regular;
}

// Makes the folder and those above it.
Result<std::unique_ptr<system::Folder>> make(const Context& context, const std::string& path) {
  auto there = context.files.open_folder(path);
  if (there || there.error().kind != ErrorKind::not_found || path == "/") return there;
  TRY_ASSIGN(const auto above, make(context, parent_of(path)));
  return above->make_folder(last_part(path));
}

// Nothing depends on it: without the file git is asked again.
void remember(const Context& context, const std::string& path, const system::FileInfo& tracking) {
  const auto settings = user_settings_folder(context);
  if (!settings) return;
  const auto folder = make(context, *settings + "/" + std::string(kKnown));
  if (folder) (void)(*folder)->create(known_name(path, tracking));
}

// As the owner of a file. The system's file system of processes gives each process to its user.
std::optional<std::uint32_t> user_of(const Context& context) {
  const auto info = context.files.info("/proc/self");
  if (!info || info->kind != FileKind::directory) return std::nullopt;
  return info->owner;
}

bool has_repository(const Context& context, const std::string& path) {
  for (std::string at = path;; at = parent_of(at)) {
    if (holds_git(context, at)) return true;
    if (at == "/") return false;
  }
}

// nullopt: git cannot be asked.
std::optional<bool> is_tracked_by_git(const Context& context, const std::string& path) {
  if (context.processes == nullptr) return std::nullopt;
  git::Git git(*context.processes, context.files, kGitTimeout);
  // The pathspec is a name and no pattern.
  const auto listed =
      git.run(path, {"--literal-pathspecs", "ls-files", "-z", "--", std::string(store::kTrackingFolder)});
  if (!listed || listed->status != 0) return std::nullopt;
  return !listed->output.empty();
}

}  // namespace

Result<std::string> quarantine_tracking(const Context& context, system::Folder& folder,
                                        std::string_view replaced_by) {
  const std::string name = kSetAside + store::file_time(context.clock.now());
  TRY_ASSIGN(const system::FileInfo taken, folder.info(name));
  if (taken.kind != FileKind::missing)
    return base::fail(ErrorKind::conflict, folder.path_of(name) + " already exists");
  TRY(folder.rename(store::kTrackingFolder, name));
  TRY(folder.sync());
  // Without the note it is taken for one from elsewhere, and kept all the same.
  if (replaced_by.empty()) return name;
  if (const auto aside = folder.open_folder(name))
    (void)system::write_file(**aside, kReplacedBy, std::string(replaced_by) + "\n",
                             system::Durability::cache);
  return name;
}

std::string replaced_by(system::Folder& folder, const std::string& name) {
  const auto aside = folder.open_folder(name);
  if (!aside) return {};
  const auto note = (*aside)->read(kReplacedBy, kNoteLimit);
  if (!note) return {};
  // Somebody else may have written it.
  for (const std::string_view command : {kRestoreMemory, kInitAdopt}) {
    if (*note == std::string(command) + "\n") return std::string(command);
  }
  return {};
}

bool is_foreign(const Context& context, const system::FileInfo& file, const std::string& folder) {
  if (file.owner == 0) return false;
  const std::optional<std::uint32_t> user = user_of(context);
  if (!user || *user == 0 || *user == file.owner) return false;
  const auto around = context.files.info(folder);
  return !around || around->owner != *user;
}

Status settle_tracking(const Context& context, const std::string& path, system::Folder& folder) {
  TRY_ASSIGN(const system::FileInfo tracking, folder.info(store::kTrackingFolder));
  if (tracking.kind != FileKind::directory) return {};
  const std::optional<std::uint32_t> user = user_of(context);
  if (!user) return {};
  const std::string shown = folder.path_of(store::kTrackingFolder);
  std::string why;
  // What root owns is as good as ours. Root itself works in the folders of others: in containers, with sudo.
  if (tracking.owner != *user && tracking.owner != 0) {
    TRY_ASSIGN(const system::FileInfo around, context.files.info(path));
    const bool in_theirs = around.owner == tracking.owner;
    if (in_theirs && *user != 0)
      return base::fail(ErrorKind::conflict, shown + " belongs to another user and is not used");
    if (!in_theirs) why = "it belongs to another user";
  }
  if (why.empty()) {
    if (is_known(context, path, tracking) || !has_repository(context, path)) return {};
    const std::optional<bool> tracked = is_tracked_by_git(context, path);
    if (!tracked) return {};
    if (!*tracked) {
      remember(context, path, tracking);
      return {};
    }
    why = "git tracks it, so others may have written it";
  }
  TRY_ASSIGN(const std::string name, quarantine_tracking(context, folder));
  return base::fail(ErrorKind::conflict, shown + " was not used: " + why + "; it is kept as " + name,
                    "run the command again to start without it; to use it anyway: plankeep init --adopt");
}

bool is_remembered(const Context& context, const std::string& path, system::Folder& folder) {
  const auto tracking = folder.info(store::kTrackingFolder);
  if (!tracking || tracking->kind != FileKind::directory) return false;
  return !user_of(context) || is_known(context, path, *tracking);
}

void remember_tracking(const Context& context, const std::string& path, system::Folder& folder) {
  if (!has_repository(context, path)) return;
  const auto tracking = folder.info(store::kTrackingFolder);
  if (tracking && tracking->kind == FileKind::directory) remember(context, path, *tracking);
}

Result<std::string> set_aside_tracking(system::Folder& folder) {
  TRY_ASSIGN(const std::vector<std::string> names, folder.list());
  std::string newest;
  for (const std::string& name : names) {
    if (!name.starts_with(kSetAside) || name < newest) continue;
    TRY_ASSIGN(const system::FileInfo info, folder.info(name));
    if (info.kind == FileKind::directory) newest = name;
  }
  return newest;
}

std::string news_of_set_aside(const Context& context, const std::string& path, system::Folder& folder) {
  const auto name = set_aside_tracking(folder);
  if (!name || name->empty() || !replaced_by(folder, *name).empty()) return {};
  const auto info = folder.info(*name);
  const std::string said = path + "/" + *name;
  if (!info || is_known(context, said, *info)) return {};
  remember(context, said, *info);
  // Where it cannot be remembered, it would be said again and again.
  if (!is_known(context, said, *info)) return {};
  return std::string(store::kTrackingFolder) + " came from elsewhere and was not used; it is kept as " +
         *name + "; to use it anyway: plankeep init --adopt";
}

Result<Adopted> adopt_tracking(const Context& context, const std::string& path) {
  TRY_ASSIGN(const auto opened, context.files.open_folder(path));
  system::Folder& folder = *opened;
  TRY_ASSIGN(const std::string name, set_aside_tracking(folder));
  if (name.empty()) {
    return base::fail(ErrorKind::not_found, "no tracking folder was set aside in " + path,
                      "omit --adopt: plankeep init");
  }
  TRY_ASSIGN(const system::FileInfo there, folder.info(store::kTrackingFolder));
  Adopted adopted{name, {}};
  if (there.kind != FileKind::missing) {
    TRY_ASSIGN(adopted.before, quarantine_tracking(context, folder, kInitAdopt));
  }
  TRY(folder.rename(name, store::kTrackingFolder));
  TRY(folder.sync());
  if (const auto tracking = folder.open_folder(store::kTrackingFolder))
    (void)(*tracking)->remove(kReplacedBy);
  remember_tracking(context, path, folder);
  return adopted;
}

}  // namespace plankeep::app
