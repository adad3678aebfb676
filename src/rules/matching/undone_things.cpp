#include "rules/matching/undone_things.hpp"

namespace plankeep::core {
namespace {

// At once: two may change their names with each other.
void rename_all(UndoneThings::Names& names, const std::vector<std::pair<std::string, std::string>>& pairs) {
  UndoneThings::Names renamed;
  for (const auto& [now, before] : pairs) {
    if (auto one = names.extract(now)) renamed.emplace(before, std::move(one.mapped()));
  }
  names.merge(renamed);
}

}  // namespace

void UndoneThings::at(base::Instant time) {
  if (time == time_) return;
  settle();
  time_ = time;
}

void UndoneThings::renamed(std::string now, std::string before) {
  involved_.insert(now);
  involved_.insert(before);
  pairs_.emplace_back(std::move(now), std::move(before));
}

std::optional<std::string> UndoneThings::take(const std::string& name) {
  auto one = waiting_.extract(name);
  if (!one) return std::nullopt;
  last_taken_ = time_;
  return std::move(one.mapped());
}

void UndoneThings::settle() {
  if (pairs_.empty()) return;
  rename_all(waiting_, pairs_);
  if (const auto here = undone_.find(time_); here != undone_.end()) rename_all(here->second, pairs_);
  pairs_.clear();
  involved_.clear();
}

std::map<base::Instant, UndoneThings::Names> UndoneThings::settled() {
  settle();
  return std::move(undone_);
}

}  // namespace plankeep::core
