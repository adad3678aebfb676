#pragma once
// The plan itself: read as a whole, replaced as a whole.
//
//   PlanFile file(files, folder, "plan.md");
//   PlanText before = file.read();
//   std::string after = edit(before.bytes);
//   file.replace(before.bytes, after);              // conflict: somebody else wrote; read again and start
//   over
//
// A plan that is a symbolic link is read through the link if it leads to a regular file, wherever that lies.
// It is edited through the link only if that file lies in the plan's own folder or below it (spec 16): then
// the file is replaced and the link stays. Everything else that is no regular file is refused without opening
// it for long.
//
// Editors and agents do not take our lock. `read` gives one version of the file, not a mixture (it looks at
// the stamp before and after); `replace` looks at the content just before the rename. What remains is a gap
// of microseconds between that look and the rename, in which a writer that writes in place can be overtaken.
//
// Crash: replace syncs the new content before the rename and the name behind it. Before the rename the plan
// is as it was, with a temporary file (".plan.md.plankeep-tmp") beside it which the next edit replaces.
// LIMITATIONS: mode, owner and group are kept, extended attributes and ACLs are not; a second hard link keeps
// the old content.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/instant.hpp"
#include "base/result.hpp"
#include "model/state.hpp"
#include "system/file_system.hpp"

namespace plankeep::store {

struct PlanText {
  std::string bytes;
  core::PlanStamp stamp;
  system::FileInfo info;  // of the file itself, not of a link to it
};

/// Whether a file with this stamp, read at `now`, can be distinguished from a later version by the stamp
/// alone. File systems note times in steps of up to some milliseconds: a file changed just now may change
/// again, keep its size (a box is one byte) and its noted time. A stamp that is not settled is not worth
/// storing.
bool is_settled(const core::PlanStamp& stamp, base::Instant now);

class PlanFile {
 public:
  /// `folder` is the plan's own folder; both must outlive this.
  PlanFile(system::FileSystem& files, system::Folder& folder, std::string name);

  std::string path() const { return folder_.path_of(name_); }

  /// The file's current stamp. Errors as for read.
  [[nodiscard]] base::Result<core::PlanStamp> stamp();
  /// Of the file itself, not of a link to it. Errors as for read.
  [[nodiscard]] base::Result<system::FileInfo> info();

  /// not_found when it is missing (or the link leads nowhere), corrupt when it is no regular file,
  /// invalid_input when it is over kPlanLimit, conflict when it kept changing while it was read.
  [[nodiscard]] base::Result<PlanText> read();

  /// Puts `bytes` in the place of `expected`. conflict when the plan holds something else by now: nothing was
  /// changed. invalid_input when the plan is a link out of its folder. `permissions` (07777): nullopt keeps
  /// those of the file.
  [[nodiscard]] base::Status replace(std::string_view expected, std::string_view bytes,
                                     std::optional<std::uint32_t> permissions = std::nullopt);

  /// Writes the plan where none stands; conflict when something does. `permissions`: nullopt is 0600. Killed
  /// in between, the plan stands with 0600.
  [[nodiscard]] base::Status create(std::string_view bytes,
                                    std::optional<std::uint32_t> permissions = std::nullopt);

  /// Removes the plan, and syncs that. conflict when it holds something else than `expected`; invalid_input
  /// when it is a symbolic link, which nobody's text says how to make again.
  [[nodiscard]] base::Status remove(std::string_view expected);

 private:
  // Where the bytes are: the plan's folder, or the one that a link leads to.
  struct Place {
    system::Folder* folder = nullptr;
    std::unique_ptr<system::Folder> other;  // that a link leads to, if not the plan's own
    bool outside = false;                   // the other one is not below it
    std::string name;
    system::FileInfo info;
  };
  [[nodiscard]] base::Result<Place> find();
  [[nodiscard]] base::Result<Place> follow_link();
  [[nodiscard]] base::Result<PlanText> read_at(const Place& place);

  system::FileSystem& files_;
  system::Folder& folder_;
  std::string name_;
};

/// PlanFile::read() of a plan of which nothing else is wanted. not_found also without the folder.
[[nodiscard]] base::Result<PlanText> read_plan_file(system::FileSystem& files, const std::string& folder,
                                                    const std::string& name);

}  // namespace plankeep::store
