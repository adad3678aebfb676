#pragma once
// A hash table of indices into something that its user holds: for the many short-lived look-ups by id of a
// large plan, where a node and a key of its own for each entry would cost more than all the rest.
//
//   IndexTable table(names.size());
//   const std::size_t first = table.find_or_add(hash, i, [&](std::size_t other) { return names[other] ==
//   name; }); if (first != i) -> names[first] was there before
//
// Grows by itself. What an index stands for must not change its hash.

#include <cstddef>
#include <cstdint>
#include <vector>

namespace plankeep::base {

class IndexTable {
 public:
  explicit IndexTable(std::size_t expected = 0) {
    std::size_t size = 16;
    while (size < expected * 2) size *= 2;
    places_.resize(size);
  }

  /// The index that was added with this hash and for which `same(index)` holds; else adds `index` and gives
  /// it back.
  template <class Same>
  std::size_t find_or_add(std::size_t hash, std::size_t index, const Same& same) {
    if ((count_ + 1) * 2 > places_.size()) grow();
    std::size_t at = hash & (places_.size() - 1);
    for (; places_[at].taken != 0; at = (at + 1) & (places_.size() - 1)) {
      if (places_[at].hash == hash && same(places_[at].taken - 1)) return places_[at].taken - 1;
    }
    places_[at] = {hash, index + 1};
    ++count_;
    return index;
  }

 private:
  struct Place {
    std::size_t hash = 0;
    std::size_t taken = 0;  // 1 + index; 0: free
  };

  void grow() {
    std::vector<Place> old(places_.size() * 2);
    old.swap(places_);
    for (const Place& place : old) {
      if (place.taken == 0) continue;
      std::size_t at = place.hash & (places_.size() - 1);
      while (places_[at].taken != 0) at = (at + 1) & (places_.size() - 1);
      places_[at] = place;
    }
  }

  std::vector<Place> places_;
  std::size_t count_ = 0;
};

}  // namespace plankeep::base
