#include "git/index_entries.hpp"

#include <algorithm>

namespace plankeep::git {

void IndexEntries::add(const Entry& entry) {
  if (entries_.empty() || entries_.back().path != entry.path) entries_.push_back(entry);
}

void IndexEntries::sort() {
  const auto before = [](const Entry& a, const Entry& b) { return a.path < b.path; };
  // git sorts them by bytes, as we do: nothing to be done, unless it is another git.
  if (std::is_sorted(entries_.begin(), entries_.end(), before)) return;
  std::stable_sort(entries_.begin(), entries_.end(), before);
  const auto same = [](const Entry& a, const Entry& b) { return a.path == b.path; };
  entries_.erase(std::unique(entries_.begin(), entries_.end(), same), entries_.end());
}

const IndexEntries::Entry* IndexEntries::find(std::string_view path) const {
  if (next_ < entries_.size() && entries_[next_].path == path) return &entries_[next_++];
  const auto found =
      std::lower_bound(entries_.begin(), entries_.end(), path,
                       [](const Entry& entry, std::string_view wanted) { return entry.path < wanted; });
  next_ = static_cast<std::size_t>(found - entries_.begin());
  if (found == entries_.end() || found->path != path) return nullptr;
  ++next_;
  return &*found;
}

}  // namespace plankeep::git
