#pragma once
// What stands in an index, by path. Private to git/.

#include <cstddef>
#include <string_view>
#include <vector>

namespace plankeep::git {

/// Listings come sorted, and are looked up in mostly the same order. The texts are not copied.
class IndexEntries {
 public:
  struct Entry {
    std::string_view path;
    std::string_view mode;
    std::string_view id;
    bool sparse = false;
  };
  /// Of a path that comes several times (unmerged) the first counts.
  void add(const Entry& entry);
  /// Once after the last one.
  void sort();
  const Entry* find(std::string_view path) const;
  bool contains(std::string_view path) const { return find(path) != nullptr; }
  std::size_t size() const { return entries_.size(); }
  auto begin() const { return entries_.begin(); }
  auto end() const { return entries_.end(); }

 private:
  std::vector<Entry> entries_;
  mutable std::size_t next_ = 0;  // where the next one looked up is likely to be
};

}  // namespace plankeep::git
