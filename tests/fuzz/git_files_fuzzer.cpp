// git's files as they stand on the disk of somebody who sent us a repository: an index, an object that is not
// in a pack, and what a tree or a commit holds. Whatever it is, it is read or left to git; and what an index
// says of its folders leads nowhere outside of it.

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "fuzz/law.hpp"
#include "git_objects/commit_object.hpp"
#include "git_objects/index_change.hpp"
#include "git_objects/loose_object.hpp"
#include "git_objects/tree.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace plankeep;
  using fuzz::law;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  constexpr std::uint64_t kLimit = std::uint64_t{1} << 20;
  if (const auto object = git::read_loose_object(bytes, kLimit))
    law(object->bytes.size() <= kLimit, "an object is within its limit");
  const std::string parent(40, 'b');
  const git::CommitHeader moved = git::commit_header(git::moved_commit(bytes, std::string(40, 'a'), parent));
  law(!moved.parents.empty() && moved.parents.front() == parent, "a moved commit stands on its new parent");
  for (const git::ObjectFormat format : {git::ObjectFormat::sha1, git::ObjectFormat::sha256}) {
    if (const auto tree = git::read_tree(format, bytes)) {
      law(git::tree_bytes(*tree) == bytes, "a tree that was read is written as it was");
      for (const git::TreeEntry& entry : *tree)
        law(git::find_entry(*tree, entry.name) == &entry, "every entry of a tree is found by its name");
    }
    const auto index = git::read_index_file(format, bytes);
    if (!index) continue;
    for (std::size_t i = 0; i < index->trees.size(); ++i)
      law(index->trees[i].past > i && index->trees[i].past <= index->trees.size(),
          "a folder ends in the list");
    // Against no commit every file is new; against a tree that cannot be had nothing is known.
    const auto none = [](const std::string&) { return std::optional<git::Tree>(); };
    const auto all = git::index_changes(*index, "", none);
    law(all && all->size() <= index->entries.size(), "against no commit every path is new, once");
    const auto empty = [](const std::string&) { return std::optional(git::Tree()); };
    const auto changed = git::index_changes(*index, std::string(40, 'a'), empty);
    law(!changed || changed->size() <= index->entries.size(), "no path is told twice");
  }
  return 0;
}
