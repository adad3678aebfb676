#include "git_objects/index_change.hpp"

#include <algorithm>
#include <charconv>
#include <string_view>

#include "base/hex.hpp"

namespace plankeep::git {
namespace {

constexpr std::size_t kNowhere = static_cast<std::size_t>(-1);
// A few trees can be nested into billions of paths. git, which is asked then, has a deadline.
constexpr std::size_t kMostFolders = 50'000;
// git itself recurses too; a path is at most 4,096 bytes long on Linux.
constexpr int kDeepest = 2048;

std::string hex_of(std::string_view raw) {
  return base::to_hex({reinterpret_cast<const unsigned char*>(raw.data()), raw.size()});
}

// As git makes it of what old tools wrote (100664).
std::uint32_t mode_of(const TreeEntry& entry) {
  constexpr std::uint32_t kKinds = 0170000;
  constexpr std::uint32_t kFile = 0100000;
  constexpr std::uint32_t kExecutable = 0100;
  std::uint32_t mode = 0;
  (void)std::from_chars(entry.mode.data(), entry.mode.data() + entry.mode.size(), mode, 8);
  if ((mode & kKinds) != kFile) return mode & kKinds;
  return (mode & kExecutable) != 0 ? 0100755 : 0100644;
}

class Comparison {
 public:
  Comparison(const IndexFile& index, const ReadTree& read) : index_(index), read_(read) {}

  std::optional<std::vector<std::string>> run(const std::string& tree) {
    if (!folder("", {0, index_.entries.size()}, index_.trees.empty() ? kNowhere : 0, tree, 0))
      return std::nullopt;
    std::sort(changed_.begin(), changed_.end());
    return std::move(changed_);
  }

 private:
  struct Range {
    std::size_t first = 0;
    std::size_t last = 0;
  };

  // False: a tree cannot be read, or there are too many. `noted`: the folder's number in index.trees.
  bool folder(const std::string& start, Range range, std::size_t noted, const std::string& tree, int depth) {
    if (depth > kDeepest) return false;
    if (noted != kNowhere && !tree.empty() && hex_of(index_.trees[noted].raw_id) == tree) return true;
    Tree before;
    if (!tree.empty()) {
      if (++folders_ > kMostFolders) return false;
      auto read = read_(tree);
      if (!read) return false;
      before = std::move(*read);
    }
    std::vector<bool> still_there(before.size(), false);
    while (range.first < range.last) {
      const IndexEntry& entry = index_.entries[range.first];
      const std::string_view rest = std::string_view(entry.path).substr(start.size());
      const std::size_t slash = rest.find('/');
      const std::string_view name = rest.substr(0, slash);
      const TreeEntry* old = find_entry(before, name);
      if (old != nullptr && is_folder(*old) != (slash != std::string_view::npos)) old = nullptr;
      // Of what is only meant to be added, git takes nothing into a commit.
      const bool counts = slash != std::string_view::npos || !entry.intent_to_add;
      if (old != nullptr && counts) still_there[static_cast<std::size_t>(old - before.data())] = true;
      if (slash != std::string_view::npos) {
        const std::string inside = start + std::string(name) + "/";
        const Range below{range.first, end_of(inside, range)};
        if (!folder(inside, below, noted_inside(noted, name), old != nullptr ? old->id : std::string(),
                    depth + 1))
          return false;
        range.first = below.last;
        continue;
      }
      if (counts && (old == nullptr || mode_of(*old) != entry.mode || old->id != hex_of(entry.raw_id)))
        changed_.push_back(entry.path);
      ++range.first;
    }
    for (std::size_t i = 0; i < before.size(); ++i) {
      if (still_there[i]) continue;
      if (!is_folder(before[i])) {
        changed_.push_back(start + before[i].name);
      } else if (!folder(start + before[i].name + "/", {}, kNowhere, before[i].id, depth + 1)) {
        return false;
      }
    }
    return true;
  }

  // Where what begins with `inside` ends.
  std::size_t end_of(std::string inside, Range range) const {
    inside.back() = '/' + 1;
    const auto at = [&](std::size_t i) { return index_.entries.begin() + static_cast<std::ptrdiff_t>(i); };
    const auto end =
        std::lower_bound(at(range.first), at(range.last), inside,
                         [](const IndexEntry& entry, const std::string& path) { return entry.path < path; });
    return static_cast<std::size_t>(end - index_.entries.begin());
  }

  std::size_t noted_inside(std::size_t noted, std::string_view name) const {
    if (noted == kNowhere) return kNowhere;
    for (std::size_t one = noted + 1; one < index_.trees[noted].past; one = index_.trees[one].past) {
      if (index_.trees[one].name == name) return one;
    }
    return kNowhere;
  }

  const IndexFile& index_;
  const ReadTree& read_;
  std::vector<std::string> changed_;
  std::size_t folders_ = 0;  // that were read
};

}  // namespace

std::optional<std::vector<std::string>> index_changes(const IndexFile& index, const std::string& tree,
                                                      const ReadTree& read) {
  return Comparison(index, read).run(tree);
}

}  // namespace plankeep::git
