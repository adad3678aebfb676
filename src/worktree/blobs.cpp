#include "worktree/blobs.hpp"

#include <charconv>

#include "git/git_output.hpp"

namespace plankeep::git {
namespace {

using base::ErrorKind;
using base::Result;
using base::Status;

constexpr std::uint64_t kBytesAtOnce = std::uint64_t{32} << 20;
constexpr std::size_t kBlobsAtOnce = 1000;

Result<std::vector<std::uint64_t>> sizes_of(Snapshots& snapshots, const std::vector<WantedBlob>& wanted) {
  std::string ids;
  for (const WantedBlob& blob : wanted) ids.append(blob.id).append(1, '\n');
  TRY_ASSIGN(const system::Finished looked, snapshots.run({"cat-file", "--batch-check"}, ids));
  if (looked.status != 0) return base::fail(refused(looked));
  std::vector<std::uint64_t> sizes;
  sizes.reserve(wanted.size());
  std::string_view rest = looked.output;
  for (const WantedBlob& blob : wanted) {
    // "<id> blob <size>" or "<id> missing".
    std::string_view line = take_until(rest, '\n');
    take_until(line, ' ');
    if (take_until(line, ' ') != "blob")
      return base::fail(ErrorKind::not_found,
                        "the content of " + blob.path + " is no longer in the repository");
    std::uint64_t size = 0;
    (void)std::from_chars(line.data(), line.data() + line.size(), size);
    sizes.push_back(size);
  }
  return sizes;
}

}  // namespace

Status read_blobs(Snapshots& snapshots, const std::vector<WantedBlob>& wanted,
                  const std::function<Status(std::size_t place, std::string_view content)>& each) {
  TRY_ASSIGN(const std::vector<std::uint64_t> sizes, sizes_of(snapshots, wanted));
  std::size_t first = 0;
  while (first < wanted.size()) {
    std::size_t end = first;
    std::uint64_t bytes = 0;
    std::string some;
    while (end < wanted.size() && end - first < kBlobsAtOnce &&
           (end == first || bytes + sizes[end] <= kBytesAtOnce)) {
      bytes += sizes[end];
      some.append(wanted[end].id).append(1, '\n');
      ++end;
    }
    TRY_ASSIGN(const system::Finished given, snapshots.run({"cat-file", "--batch"}, some));
    if (given.status != 0) return base::fail(refused(given));
    std::string_view contents = given.output;
    for (std::size_t i = first; i < end; ++i) {
      const std::string_view head = take_until(contents, '\n');
      const bool whole =
          head.starts_with(wanted[i].id) && contents.size() > sizes[i] && contents[sizes[i]] == '\n';
      if (!whole) return base::fail(ErrorKind::io, "unexpected output from git cat-file");
      TRY(each(i, contents.substr(0, sizes[i])));
      contents.remove_prefix(sizes[i] + 1);
    }
    first = end;
  }
  return {};
}

}  // namespace plankeep::git
