#pragma once
// The copies of a plan's files in the git directory, to be read: which there are, and what they hold that the
// history lacks. tracking/memory_copy makes them and says how they lie on the disk.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/instant.hpp"
#include "base/result.hpp"
#include "project/context.hpp"
#include "project/plan_location.hpp"
#include "project/project.hpp"
#include "system/file_system.hpp"

namespace plankeep::app {

inline constexpr std::string_view kCurrentCopy = "current";
inline constexpr std::uint64_t kKeptFileLimit = std::uint64_t{256} << 20;
inline constexpr std::uint64_t kSmallFile = 4096;
inline constexpr std::size_t kHistoryDigits = 8;

struct CurrentCopy {
  std::int64_t generation = 0;  // 1 or 2
  std::uint64_t history = 0;    // bytes of the history in it
  std::uint64_t bytes = 0;      // of all files
  base::Instant kept;
};

std::string encode_current(const CurrentCopy& current);
[[nodiscard]] base::Result<CurrentCopy> decode_current(std::string_view text);

// A history is named by its first line, which never changes and has the time of its beginning.
struct HistoryName {
  std::string id;
  base::Instant began;
};
/// nullopt: it has no complete line.
std::optional<HistoryName> history_name(system::Folder& folder);

/// What the folders of a plan's copies begin with. `root`: of the project.
std::string copy_prefix(const PlanLocation& plan, const std::string& root);

/// not_found: there is no git directory or, unless `make`, no copy of any plan.
[[nodiscard]] base::Result<std::unique_ptr<system::Folder>> open_memory(const Context& context,
                                                                        const Project& project, bool make);

struct KeptCopy {
  std::string name;
  std::string id;  // of its history
  CurrentCopy current;
};

/// Those that are whole, newest first.
std::vector<KeptCopy> kept_copies(system::Folder& memory, const std::string& prefix);

/// A plan whose file and records are both gone, and of which the git directory has a copy.
struct LostPlan {
  PlanLocation plan;
  base::Instant kept;  // when the copy was made
  std::string files;   // the folder that holds it
};
/// Those that the project's list has. A plan whose history one of `present` has was moved, and is not lost.
std::vector<LostPlan> lost_plans(const Context& context, const Project& project,
                                 const std::vector<PlanLocation>& present);
/// The one that is meant by a path of its file or folder, which the list need not have, or by its id; without
/// a name the only one of the project we are in.
std::optional<LostPlan> lost_plan(const Context& context, const std::optional<std::string>& named);

struct KeptLines {
  base::Instant kept;  // when the copy was made
  std::string lines;
};
/// The lines that a copy has after the end of the present history, which was deleted, truncated or replaced
/// by an older one. Only a copy counts that begins with the whole present history. If there is none, the copy
/// must be the history that the present state was made from, or an earlier part of it. Reads a few small
/// files, unless a copy is longer than the history.
[[nodiscard]] base::Result<std::optional<KeptLines>> kept_behind(const Context& context,
                                                                 const PlanLocation& plan,
                                                                 system::Folder& tracking);

/// Appends these lines, durably, under the lock. False: there are none, or no copy can be read. Afterwards
/// the state has to be loaded again. If it is killed, the next call appends the rest.
inline constexpr std::string_view kPutBack =
    "the history lacked lines: they were put back from the copy in the git directory";
[[nodiscard]] base::Result<bool> put_kept_lines_back(const Context& context, const PlanLocation& plan,
                                                     system::Folder& tracking);

}  // namespace plankeep::app
