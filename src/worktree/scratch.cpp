#include "worktree/scratch.hpp"

#include <chrono>
#include <utility>

#include "worktree/view.hpp"

namespace plankeep::git {
namespace {

using base::ErrorKind;
using base::Result;
using base::Status;

constexpr int kMost = 64;
constexpr int kDepth = 4;  // look-1/objects/ab/cdef...
constexpr std::uint64_t kIndexLimit = std::uint64_t{4} << 30;

// A line of info/alternates: quoted, for a path may begin with "#" or hold a line feed.
std::string alternate(std::string_view path) {
  std::string line = "\"";
  for (const char c : path) {
    if (c == '\n') {
      line += "\\n";
      continue;
    }
    if (c == '"' || c == '\\') line += '\\';
    line += c;
  }
  return line + "\"\n";
}

}  // namespace

Status remove_tree(system::Folder& in, std::string_view name, int depth) {
  auto folder = in.open_folder(name);
  if (!folder && folder.error().kind == ErrorKind::not_found) return {};
  if (!folder) return base::fail(std::move(folder.error()));
  TRY_ASSIGN(const std::vector<system::FolderEntry> entries, (*folder)->entries());
  for (const system::FolderEntry& entry : entries) {
    if (entry.kind == system::FileKind::directory && depth > 0) {
      TRY(remove_tree(**folder, entry.name, depth - 1));
    } else {
      TRY((*folder)->remove(entry.name));
    }
  }
  return in.remove_folder(name);
}

Result<std::shared_ptr<Scratch>> Scratch::make(const SnapshotPlace& place,
                                               std::unique_ptr<system::Folder> own) {
  for (int i = 1; i <= kMost; ++i) {
    const std::string name = "look-" + std::to_string(i);
    auto lock = own->lock(name + ".lock", std::chrono::milliseconds(0));
    if (!lock && lock.error().kind == ErrorKind::busy) continue;
    if (!lock) return base::fail(std::move(lock.error()));
    const std::shared_ptr<Scratch> scratch(new Scratch(std::move(own), std::move(*lock), name));
    TRY(scratch->fill(place));
    return scratch;
  }
  return base::fail(ErrorKind::busy, "too many other processes are reading this work tree");
}

Status Scratch::fill(const SnapshotPlace& place) {
  TRY(remove_tree(*own_, name_, kDepth));
  TRY_ASSIGN(folder_, own_->make_folder(name_));
  TRY_ASSIGN(const auto nothing, folder_->make_folder("nothing"));
  TRY_ASSIGN(const auto objects, folder_->make_folder("objects"));
  TRY_ASSIGN(const auto info, objects->make_folder("info"));
  TRY_ASSIGN(const auto alternates, info->create("alternates"));
  TRY(alternates->write(alternate(place.common_dir + "/objects")));
  const auto index = own_->read_with_info(View::kIndex, kIndexLimit);
  if (!index && index.error().kind == ErrorKind::not_found) return {};
  if (!index) return base::fail(index.error());
  {
    TRY_ASSIGN(const auto copy, folder_->create("index"));
    TRY(copy->write(index->bytes));
  }
  // A younger copy would take files that changed within its second for unchanged.
  return folder_->set_modified("index", index->info.mtime_ns);
}

Scratch::~Scratch() {
  folder_.reset();
  (void)remove_tree(*own_, name_, kDepth);
}

}  // namespace plankeep::git
