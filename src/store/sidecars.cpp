#include "store/sidecars.hpp"

#include <algorithm>
#include <utility>

#include "base/limits.hpp"
#include "model/json/sidecar_json.hpp"
#include "store/paths.hpp"
#include "store/sidecar_index.hpp"
#include "system/atomic_file.hpp"

namespace plankeep::store {
namespace {

using base::ErrorKind;
using base::Result;
using base::Status;

constexpr std::uint64_t kSidecarLimit = base::kLargestSmallFile;

Result<core::Sidecar> read_file(system::Folder& folder, std::string_view name) {
  TRY_ASSIGN(const std::string text, folder.read(name, kSidecarLimit));
  TRY_ASSIGN(core::Sidecar sidecar, core::decode_sidecar(text));
  if (sidecar.sha != sha_in_name(name))
    return base::fail(ErrorKind::corrupt, "it names another commit than its file name");
  return sidecar;
}

Result<SidecarList> read_all(system::Folder& folder, const std::vector<std::string>& names) {
  SidecarList list;
  for (const std::string& name : names) {
    if (sha_in_name(name).empty()) continue;
    auto sidecar = read_file(folder, name);
    if (sidecar) {
      list.sidecars.push_back(std::move(*sidecar));
    } else if (sidecar.error().kind == ErrorKind::io) {
      return base::fail(std::move(sidecar.error()));
    } else if (sidecar.error().kind != ErrorKind::not_found) {  // it may go while we look
      list.malformed.push_back({name, sidecar.error().message});
    }
  }
  return list;
}

// So many sidecars may be told by the stamp before the index is written anew.
constexpr std::size_t kMostAdded = 64;

// The folder as it is right behind the writing of a sidecar: as long as it is that, nothing came or went, and
// its thousands of names need not be read. Empty where times are told in whole seconds: too coarse to say so.
Result<std::string> stamp_of(system::Folder& tracking) {
  constexpr std::int64_t kSecond = 1'000'000'000;
  TRY_ASSIGN(const system::FileInfo info, tracking.info(kCommits));
  if (info.kind != system::FileKind::directory || info.mtime_ns % kSecond == 0) return std::string();
  return std::to_string(info.mtime_ns) + " " + std::to_string(info.inode);
}

std::optional<IndexStamp> read_stamp(system::Folder& tracking) {
  constexpr std::uint64_t kStampLimit = std::uint64_t{64} << 10;
  const auto text = tracking.read(kCommitStamp, kStampLimit);
  return text ? decode_stamp(*text) : std::nullopt;
}

// Whether index and stamp are the folder's without a look at the names.
bool stamped(system::Folder& tracking, const std::optional<IndexStamp>& stamp) {
  if (!stamp || stamp->folder.empty()) return false;
  const auto folder = stamp_of(tracking);
  return folder && *folder == stamp->folder;
}

// What the index was made from, when the stamp tells of the rest; nullopt: the names are others.
std::optional<std::string> files_before(const std::vector<std::string>& names,
                                        const std::optional<IndexStamp>& stamp) {
  if (!stamp) return files_digest(names);
  std::vector<std::string> rest = names;
  for (const SidecarAddition& added : stamp->added) {
    const auto at = std::lower_bound(rest.begin(), rest.end(), sidecar_name(added.entry.sha));
    if (at == rest.end() || *at != sidecar_name(added.entry.sha)) return std::nullopt;
    rest.erase(at);
  }
  return files_digest(rest);
}

// Made from the old one and its stamp where they are right, which saves reading thousands of files.
Status write_index(system::Folder& commits, const core::Sidecar& added,
                   const std::optional<IndexStamp>& stamp) {
  TRY_ASSIGN(std::vector<std::string> names, commits.list());
  const std::string digest = files_digest(names);
  SidecarIndex index;
  const auto old = commits.read(kCommitIndex, kJsonLimit);
  auto decoded = old ? decode_index(*old) : Result<SidecarIndex>(base::fail(ErrorKind::not_found, ""));
  names.erase(std::remove(names.begin(), names.end(), sidecar_name(added.sha)), names.end());
  const auto before = decoded ? files_before(names, stamp) : std::nullopt;
  if (before && decoded->files == *before) {
    index = std::move(*decoded);
    if (stamp) {
      for (const SidecarAddition& one : stamp->added) add_to(index, one);
    }
    add_to(index, addition_of(added));
    index.files = digest;
  } else {
    TRY_ASSIGN(names, commits.list());
    TRY_ASSIGN(const SidecarList list, read_all(commits, names));
    index = make_index(digest, list.sidecars);
  }
  return system::write_file(commits, kCommitIndex, encode_index(index), system::Durability::cache);
}

}  // namespace

// Null when there is no such folder.
Result<system::Folder*> Sidecars::folder() {
  if (!folder_) {
    auto opened = tracking_.open_folder(kCommits);
    if (!opened && opened.error().kind == ErrorKind::not_found) return static_cast<system::Folder*>(nullptr);
    if (!opened) return base::fail(std::move(opened.error()));
    folder_ = std::move(*opened);
  }
  return folder_.get();
}

Result<bool> Sidecars::exist() {
  TRY_ASSIGN(const system::Folder* there, folder());
  return there != nullptr;
}

Status Sidecars::prepare() {
  TRY_ASSIGN(const system::Folder* there, folder());
  if (there != nullptr) return {};
  TRY_ASSIGN(folder_, tracking_.make_folder(kCommits));
  return tracking_.sync();
}

Result<SidecarSelection> Sidecars::select(const SidecarQuery& query) {
  TRY_ASSIGN(system::Folder* const commits, folder());
  if (commits == nullptr) return SidecarSelection();
  const auto text = commits->read(kCommitIndex, kJsonLimit);
  const auto stamp = read_stamp(tracking_);
  const auto from_index = [&](std::string_view files) -> std::optional<SidecarSelection> {
    auto found = select_in(*text, files, query);
    if (!found || !*found) return std::nullopt;
    if (stamp) add_to(**found, stamp->added, query);
    return std::move(**found);
  };
  if (text && stamped(tracking_, stamp)) {
    if (auto found = from_index({})) return std::move(*found);
  }
  TRY_ASSIGN(const std::vector<std::string> names, commits->list());
  if (text) {
    const auto files = files_before(names, stamp);
    if (files) {
      if (auto found = from_index(*files)) return std::move(*found);
    }
  }
  TRY_ASSIGN(const SidecarList list, read_all(*commits, names));
  return select_in(make_index({}, list.sidecars), query);
}

Result<std::optional<core::Sidecar>> Sidecars::read(std::string_view sha) {
  TRY_ASSIGN(system::Folder* const commits, folder());
  if (commits == nullptr || !core::is_commit_id(sha)) return std::optional<core::Sidecar>();
  auto sidecar = read_file(*commits, sidecar_name(sha));
  if (sidecar) return std::optional(std::move(*sidecar));
  if (sidecar.error().kind == ErrorKind::not_found) return std::optional<core::Sidecar>();
  return base::fail(base::with_context(std::move(sidecar.error()), commits->path_of(sidecar_name(sha))));
}

Status Sidecars::remove(std::string_view sha) {
  TRY_ASSIGN(system::Folder* const commits, folder());
  if (commits == nullptr || !core::is_commit_id(sha)) return {};
  const Status removed = commits->remove(sidecar_name(sha));
  if (!removed && removed.error().kind != ErrorKind::not_found) return base::fail(removed.error());
  return commits->sync();
}

Result<SidecarList> Sidecars::all() {
  TRY_ASSIGN(system::Folder* const commits, folder());
  if (commits == nullptr) return SidecarList();
  TRY_ASSIGN(const std::vector<std::string> names, commits->list());
  return read_all(*commits, names);
}

Status Sidecars::write(const core::Sidecar& sidecar) {
  if (!core::is_commit_id(sidecar.sha) || !core::is_run_id(sidecar.run))
    return base::fail(ErrorKind::invalid_input, "a sidecar needs a full commit id and a run id");
  TRY(prepare());
  const std::string name = sidecar_name(sidecar.sha);
  std::optional<IndexStamp> stamp = read_stamp(tracking_);
  TRY_ASSIGN(const system::FileInfo there, folder_->info(name));
  const bool fresh = there.kind == system::FileKind::missing;
  const bool known = fresh && stamped(tracking_, stamp);
  // Killed on the way, the names decide.
  const Status unstamped = tracking_.remove(kCommitStamp);
  if (!unstamped && unstamped.error().kind != ErrorKind::not_found) return base::fail(unstamped.error());
  // Of a file that takes another's place an index could not tell: better none than a wrong one.
  if (!fresh) {
    Status removed = folder_->remove(kCommitIndex);
    if (!removed && removed.error().kind != ErrorKind::not_found) return removed;
  }
  TRY(system::write_file(*folder_, name, core::encode_sidecar(sidecar), system::Durability::durable));
  // From here on the sidecar counts, whatever becomes of index and stamp.
  IndexStamp next;
  if (known && stamp->added.size() < kMostAdded) {
    next.added = std::move(stamp->added);
    next.added.push_back(addition_of(sidecar));
  } else if (!write_index(*folder_, sidecar, stamp)) {
    return {};
  }
  if (const auto folder = stamp_of(tracking_)) next.folder = *folder;
  if (!next.folder.empty())
    (void)system::write_file(tracking_, kCommitStamp, encode_stamp(next), system::Durability::cache);
  return {};
}

}  // namespace plankeep::store
