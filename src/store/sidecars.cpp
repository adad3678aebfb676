#include "store/sidecars.hpp"

#include <algorithm>
#include <utility>

#include "core/sidecar_json.hpp"
#include "store/atomic_file.hpp"
#include "store/paths.hpp"
#include "store/sidecar_index.hpp"

namespace plankeep::store {
namespace {

using base::ErrorKind;
using base::Result;
using base::Status;

constexpr std::uint64_t kSidecarLimit = std::uint64_t{1} << 20;

Result<core::Sidecar> read_file(system::Folder& folder, std::string_view name) {
  TRY_ASSIGN(const std::string text, folder.read(name, kSidecarLimit));
  TRY_ASSIGN(core::Sidecar sidecar, core::decode_sidecar(text));
  if (sidecar.sha != sha_in_name(name))
    return base::fail(ErrorKind::corrupt, "it tells of another commit than its name");
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

// The folder as it is right behind the writing of its index: as long as it is that, nothing came or went, and
// its thousands of names need not be read. Empty where times are told in whole seconds: too coarse to say so.
Result<std::string> stamp_of(system::Folder& tracking) {
  constexpr std::int64_t kSecond = 1'000'000'000;
  TRY_ASSIGN(const system::FileInfo info, tracking.info(kCommits));
  if (info.kind != system::FileKind::directory || info.mtime_ns % kSecond == 0) return std::string();
  return std::to_string(info.mtime_ns) + " " + std::to_string(info.inode) + "\n";
}

// Whether the index is the folder's without a look at the names.
bool stamped(system::Folder& tracking) {
  constexpr std::uint64_t kStampLimit = 100;
  const auto wanted = stamp_of(tracking);
  if (!wanted || wanted->empty()) return false;
  const auto stamp = tracking.read(kCommitStamp, kStampLimit);
  return stamp && *stamp == *wanted;
}

// The index as it has to be once `added` stands in the folder: made from the old one where that is right but
// for this one file, which saves reading thousands.
Result<SidecarIndex> index_with(system::Folder& folder, const Result<std::string>& text,
                                const std::vector<std::string>& before, const std::vector<std::string>& names,
                                const core::Sidecar& added) {
  if (text) {
    auto index = decode_index(*text);
    if (index && index->files == files_digest(before)) {
      for (auto& [run, entries] : index->runs) {
        entries.erase(std::remove_if(entries.begin(), entries.end(),
                                     [&added](const SidecarEntry& one) { return one.sha == added.sha; }),
                      entries.end());
      }
      const SidecarEntry entry{added.sha, added.milestone, added.created_at};
      std::vector<SidecarEntry>& entries = index->runs[added.run];
      entries.insert(std::upper_bound(entries.begin(), entries.end(), entry, goes_before), entry);
      index->files = files_digest(names);
      return std::move(*index);
    }
  }
  TRY_ASSIGN(const SidecarList list, read_all(folder, names));
  return make_index(files_digest(names), list.sidecars);
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

Result<std::vector<SidecarEntry>> Sidecars::of_run(std::string_view run, std::size_t count) {
  TRY_ASSIGN(system::Folder* const commits, folder());
  if (commits == nullptr) return std::vector<SidecarEntry>();
  const auto text = commits->read(kCommitIndex, kJsonLimit);
  if (text && stamped(tracking_)) {
    auto entries = entries_in(*text, {}, run, count);
    if (entries && *entries) return std::move(**entries);
  }
  TRY_ASSIGN(const std::vector<std::string> names, commits->list());
  if (text) {
    auto entries = entries_in(*text, files_digest(names), run, count);
    if (entries && *entries) return std::move(**entries);
  }
  TRY_ASSIGN(const SidecarList list, read_all(*commits, names));
  SidecarIndex index = make_index({}, list.sidecars);
  const auto found = index.runs.find(run);
  if (found == index.runs.end()) return std::vector<SidecarEntry>();
  if (found->second.size() > count) found->second.resize(count);
  return std::move(found->second);
}

Result<std::optional<core::Sidecar>> Sidecars::read(std::string_view sha) {
  TRY_ASSIGN(system::Folder* const commits, folder());
  if (commits == nullptr || !core::is_commit_id(sha)) return std::optional<core::Sidecar>();
  auto sidecar = read_file(*commits, sidecar_name(sha));
  if (sidecar) return std::optional(std::move(*sidecar));
  if (sidecar.error().kind == ErrorKind::not_found) return std::optional<core::Sidecar>();
  return base::fail(base::with_context(std::move(sidecar.error()), commits->path_of(sidecar_name(sha))));
}

Result<SidecarList> Sidecars::all() {
  TRY_ASSIGN(system::Folder* const commits, folder());
  if (commits == nullptr) return SidecarList();
  TRY_ASSIGN(const std::vector<std::string> names, commits->list());
  return read_all(*commits, names);
}

Status Sidecars::write(const core::Sidecar& sidecar) {
  if (!core::is_commit_id(sidecar.sha) || !core::is_run_id(sidecar.run))
    return base::fail(ErrorKind::invalid_input, "a sidecar needs a commit's full id and a run");
  TRY(prepare());
  TRY_ASSIGN(const std::vector<std::string> before, folder_->list());
  const std::string name = sidecar_name(sidecar.sha);
  const Result<std::string> old_index = folder_->read(kCommitIndex, kJsonLimit);
  // Killed on the way, the names decide.
  const Status unstamped = tracking_.remove(kCommitStamp);
  if (!unstamped && unstamped.error().kind != ErrorKind::not_found) return base::fail(unstamped.error());
  // Of a file that takes another's place an index could not tell: better none than a wrong one.
  if (std::binary_search(before.begin(), before.end(), name)) {
    Status removed = folder_->remove(kCommitIndex);
    if (!removed && removed.error().kind != ErrorKind::not_found) return removed;
  }
  TRY(write_file(*folder_, name, core::encode_sidecar(sidecar), Durability::durable));
  // From here on the sidecar counts, whatever becomes of the index.
  TRY_ASSIGN(const std::vector<std::string> names, folder_->list());
  const auto index = index_with(*folder_, old_index, before, names, sidecar);
  if (!index || !write_file(*folder_, kCommitIndex, encode_index(*index), Durability::durable)) return {};
  const auto stamp = stamp_of(tracking_);
  if (stamp && !stamp->empty()) (void)write_file(tracking_, kCommitStamp, *stamp, Durability::cache);
  return {};
}

}  // namespace plankeep::store
