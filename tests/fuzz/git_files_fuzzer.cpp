// git's files as they stand on the disk of somebody who sent us a repository: an index, or an object that is
// not in a pack. Whatever they hold, they are read or left to git; and what an index says of its folders
// leads nowhere outside of it.

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "fuzz/law.hpp"
#include "git_objects/index_change.hpp"
#include "git_objects/loose_object.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace plankeep;
  using fuzz::law;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  constexpr std::uint64_t kLimit = std::uint64_t{1} << 20;
  if (const auto object = git::read_loose_object(bytes, kLimit))
    law(object->bytes.size() <= kLimit, "an object is within its limit");
  for (const git::ObjectFormat format : {git::ObjectFormat::sha1, git::ObjectFormat::sha256}) {
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
