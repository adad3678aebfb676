#include "worktree/tree_files.hpp"

#include <algorithm>
#include <vector>

#include "git/file_modes.hpp"
#include "git/folder_chain.hpp"
#include "git/git_output.hpp"
#include "worktree/blobs.hpp"
#include "worktree/scratch.hpp"

namespace plankeep::git {
namespace {

using base::ErrorKind;
using base::Result;
using base::Status;

constexpr std::uint32_t kOrdinaryBits = 0777;

struct TreeFile {
  std::string path;
  std::string mode;
  std::string id;
};

bool is_git(std::string_view part) {
  return part.size() == 4 && part[0] == '.' && (part[1] == 'g' || part[1] == 'G') &&
         (part[2] == 'i' || part[2] == 'I') && (part[3] == 't' || part[3] == 'T');
}

// git's own commands make no other trees; somebody's bytes may be one.
bool stays_inside(std::string_view path) {
  while (true) {
    const std::size_t end = path.find('/');
    const std::string_view part = path.substr(0, end);
    if (part.empty() || part == "." || part == ".." || is_git(part)) return false;
    if (end == std::string_view::npos) return true;
    path.remove_prefix(end + 1);
  }
}

Result<std::vector<TreeFile>> files_of(Snapshots& snapshots, const std::string& tree, const LeaveOut& skip) {
  TRY_ASSIGN(const system::Finished listed, snapshots.run({"ls-tree", "-r", "-z", "--full-tree", tree}));
  if (listed.status != 0) return base::fail(refused(listed));
  if (listed.cut) return base::fail(ErrorKind::io, "the snapshot has too many files");
  std::vector<TreeFile> files;
  std::string_view rest = listed.output;
  while (!rest.empty()) {
    std::string_view record = take_until(rest, '\0');
    TreeFile file;
    file.mode = take_until(record, ' ');
    const std::string_view type = take_until(record, ' ');
    file.id = take_until(record, '\t');
    file.path = record;
    if (!is_id(file.id) || !stays_inside(file.path))
      return base::fail(ErrorKind::corrupt, "the snapshot contains an invalid file: " + file.path);
    if (type != "blob" || skip(file.path)) continue;
    files.push_back(std::move(file));
  }
  return files;
}

Status write_one(FolderChain& chain, const TreeFile& file, const Permissions& permissions,
                 const system::FileInfo& owner, std::string_view content) {
  TRY_ASSIGN(system::Folder* const folder, chain.make_folder_of(file.path));
  const std::string_view name = name_part(file.path);
  if (file.mode == kLinkMode) {
    if (content.empty() || content.find('\0') != std::string_view::npos)
      return base::fail(ErrorKind::corrupt, file.path + " has an invalid symlink target");
    return folder->create_link(name, std::string(content));
  }
  std::unique_ptr<system::WritableFile> made;
  if (const auto bits = permissions.of(file.path, file.mode)) {
    system::FileInfo like = owner;
    like.mode = *bits & kOrdinaryBits;
    TRY_ASSIGN(made, folder->create_like(name, like));
  } else {
    TRY_ASSIGN(made, folder->create_shared(name, file.mode == kExecutableMode));
  }
  return made->write(content);
}

}  // namespace

Result<std::size_t> write_files(Snapshots& snapshots, system::FileSystem& files, const Snapshot& snapshot,
                                const std::string& folder, const LeaveOut& skip) {
  TRY_ASSIGN(const std::vector<TreeFile> all, files_of(snapshots, snapshot.tree, skip));
  TRY_ASSIGN(const system::FileInfo owner, files.info(folder));
  std::vector<WantedBlob> wanted;
  wanted.reserve(all.size());
  for (const TreeFile& file : all) wanted.push_back({file.id, file.path});
  FolderChain chain(files, folder);
  TRY(read_blobs(snapshots, wanted, [&](std::size_t place, std::string_view content) {
    return write_one(chain, all[place], snapshot.permissions, owner, content);
  }));
  return all.size();
}

Status empty_folder(system::Folder& folder) {
  TRY_ASSIGN(const std::vector<system::FolderEntry> entries, folder.entries());
  for (const system::FolderEntry& entry : entries) {
    if (entry.kind == system::FileKind::directory) {
      constexpr int kDeepest = 200;
      TRY(remove_tree(folder, entry.name, kDeepest));
    } else {
      TRY(folder.remove(entry.name));
    }
  }
  return {};
}

}  // namespace plankeep::git
