#include "store/plan_file.hpp"

#include <algorithm>

#include "store/paths.hpp"
#include "system/atomic_file.hpp"

namespace plankeep::store {

namespace {

using base::ErrorKind;
using base::Result;
using base::Status;
using system::FileKind;

constexpr int kReadAttempts = 8;
// The coarsest step in common use is the kernel's tick, 10 ms at 100 Hz; network file systems and clocks that
// differ get the rest.
constexpr std::int64_t kSettledAfterMilliseconds = 100;

core::PlanStamp stamp_of(const system::FileInfo& info) {
  return core::PlanStamp{info.mtime_ns, info.size, info.inode};
}

std::string_view describe(FileKind kind) {
  switch (kind) {
    case FileKind::directory:
      return "a directory";
    case FileKind::symlink:
      return "a symbolic link";
    default:
      return "a FIFO, socket or device";
  }
}

Status check_regular(const std::string& path, const system::FileInfo& info) {
  if (info.kind == FileKind::regular) return {};
  if (info.kind == FileKind::missing) return base::fail(ErrorKind::not_found, "file not found: " + path);
  std::string message = path;
  message.append(" is ").append(describe(info.kind)).append(", not a file with a plan");
  return base::fail(ErrorKind::corrupt, std::move(message));
}

// `before` from no later than the reading, `after` from no earlier.
bool is_what_was_read(const system::FileInfo& after, const system::FileInfo& before, std::string_view bytes) {
  return after.kind == FileKind::regular && stamp_of(after) == stamp_of(before) && bytes.size() == after.size;
}

base::Error changed_meanwhile(const std::string& path) {
  return base::Error{ErrorKind::conflict,
                     path + " was changed by another program at the same time",
                     {},
                     "run the command again"};
}

}  // namespace

bool is_settled(const core::PlanStamp& stamp, base::Instant now) {
  return stamp.mtime_ns / 1'000'000 + kSettledAfterMilliseconds <= now.milliseconds;
}

PlanFile::PlanFile(system::FileSystem& files, system::Folder& folder, std::string name)
    : files_(files), folder_(folder), name_(std::move(name)) {}

Result<PlanFile::Place> PlanFile::find() {
  Place place;
  place.folder = &folder_;
  place.name = name_;
  TRY_ASSIGN(place.info, folder_.info(name_));
  if (place.info.kind == FileKind::symlink) return follow_link();
  TRY(check_regular(path(), place.info));
  return place;
}

Result<PlanFile::Place> PlanFile::follow_link() {
  auto target = files_.real_path(path());
  if (!target) {
    base::Error error = std::move(target.error());
    if (error.kind == ErrorKind::not_found) error.message = path() + " is a broken symbolic link";
    return base::fail(std::move(error));
  }
  const std::size_t slash = target->rfind('/');
  const std::string parent = slash == 0 ? "/" : target->substr(0, slash);
  Place place;
  place.name = target->substr(slash + 1);
  if (place.name.empty())
    return base::fail(ErrorKind::corrupt, path() + " is a symbolic link to a directory");
  TRY_ASSIGN(const std::string own, files_.real_path(folder_.path()));
  if (parent == own) {
    place.folder = &folder_;
  } else {
    TRY_ASSIGN(place.other, files_.open_folder(parent));
    place.folder = place.other.get();
    place.outside = !parent.starts_with(own == "/" ? own : own + "/");
  }
  TRY_ASSIGN(place.info, place.folder->info(place.name));
  TRY(check_regular(*target, place.info));
  return place;
}

Result<core::PlanStamp> PlanFile::stamp() {
  TRY_ASSIGN(const Place place, find());
  return stamp_of(place.info);
}

Result<system::FileInfo> PlanFile::info() {
  TRY_ASSIGN(const Place place, find());
  return place.info;
}

Result<PlanText> PlanFile::read_at(const Place& place) {
  PlanText text;
  text.info = place.info;
  for (int attempt = 0; attempt < kReadAttempts; ++attempt) {
    TRY_ASSIGN(text.bytes, place.folder->read(place.name, kPlanLimit));
    TRY_ASSIGN(const system::FileInfo after, place.folder->info(place.name));
    const bool unchanged = is_what_was_read(after, text.info, text.bytes);
    text.info = after;
    if (!unchanged) continue;
    text.stamp = stamp_of(after);
    return text;
  }
  return base::fail(changed_meanwhile(path()));
}

Result<PlanText> PlanFile::read() {
  // Nearly always a regular file of that name, which nobody writes just now: one look at it tells everything.
  auto content = folder_.read_with_info(name_, kPlanLimit);
  if (!content && content.error().kind == ErrorKind::io) return base::fail(std::move(content.error()));
  if (content) {
    TRY_ASSIGN(const system::FileInfo after, folder_.info(name_));
    if (is_what_was_read(after, content->info, content->bytes))
      return PlanText{std::move(content->bytes), stamp_of(after), after};
  }
  TRY_ASSIGN(const Place place, find());
  return read_at(place);
}

Status PlanFile::replace(std::string_view expected, std::string_view bytes,
                         std::optional<std::uint32_t> permissions) {
  TRY_ASSIGN(const Place place, find());
  if (place.outside) {
    return base::fail(
        ErrorKind::invalid_input,
        path() + " is a symbolic link to " + place.folder->path_of(place.name) + ", outside its folder",
        "edit that file itself, or run plankeep in the folder that contains it");
  }
  const auto still_expected = [&]() -> Status {
    // The link may lead elsewhere by now, or the file be another one.
    TRY_ASSIGN(const Place again, find());
    if (again.folder->path_of(again.name) != place.folder->path_of(place.name))
      return base::fail(changed_meanwhile(path()));
    TRY_ASSIGN(const PlanText now, read_at(again));
    if (now.bytes != expected) return base::fail(changed_meanwhile(path()));
    return {};
  };
  system::FileInfo like = place.info;
  if (permissions) like.mode = *permissions;
  return system::write_file_like(*place.folder, place.name, bytes, like, system::Durability::durable,
                                 still_expected);
}

Status PlanFile::create(std::string_view bytes, std::optional<std::uint32_t> permissions) {
  TRY_ASSIGN(const system::FileInfo info, folder_.info(name_));
  if (info.kind != system::FileKind::missing) return base::fail(changed_meanwhile(path()));
  TRY(system::write_file(folder_, name_, bytes, system::Durability::durable));
  // Replacing it tells whose it is; its permissions are those of no file that was there.
  return permissions ? replace(bytes, bytes, permissions) : Status();
}

Result<PlanText> read_plan_file(system::FileSystem& files, const std::string& folder,
                                const std::string& name) {
  TRY_ASSIGN(const auto opened, files.open_folder(folder));
  return PlanFile(files, *opened, name).read();
}

Status PlanFile::remove(std::string_view expected) {
  TRY_ASSIGN(const system::FileInfo info, folder_.info(name_));
  if (info.kind == FileKind::symlink)
    return base::fail(ErrorKind::invalid_input, path() + " is a symbolic link", "remove it yourself first");
  TRY_ASSIGN(const PlanText now, read());
  if (now.bytes != expected) return base::fail(changed_meanwhile(path()));
  TRY(folder_.remove(name_));
  return folder_.sync();
}

}  // namespace plankeep::store
