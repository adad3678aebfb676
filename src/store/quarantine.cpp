#include "store/quarantine.hpp"

#include <algorithm>
#include <charconv>
#include <utility>
#include <vector>

#include "store/paths.hpp"
#include "system/atomic_file.hpp"

namespace plankeep::store {
namespace {

using base::Result;

// A set-aside copy's place among the others: time, then the number behind it (1 when there is none).
struct Age {
  std::string time;
  int number = 1;
  bool operator<(const Age& other) const {
    return time != other.time ? time < other.time : number < other.number;
  }
};

Age age_of(std::string_view candidate, std::string_view name) {
  Age age;
  age.time = candidate.substr(damaged_name(name, "").size());
  const std::size_t dash = age.time.rfind('-');
  if (dash == std::string::npos) return age;
  int number = 0;
  const char* last = age.time.data() + age.time.size();
  const auto [end, error] = std::from_chars(age.time.data() + dash + 1, last, number);
  if (error != std::errc{} || end != last || number < 2) return age;
  age.number = number;
  age.time.resize(dash);
  return age;
}

std::string free_name(const std::vector<std::string>& names, std::string_view name, std::string_view time) {
  int taken = 0;
  for (const std::string& candidate : names) {
    if (!is_damaged_copy(candidate, name)) continue;
    const Age age = age_of(candidate, name);
    if (age.time == time) taken = std::max(taken, age.number);
  }
  std::string chosen = damaged_name(name, time);
  if (taken > 0) chosen.append("-").append(std::to_string(taken + 1));
  return chosen;
}

// `names` is the folder's list from before `added` came.
void drop_oldest(system::Folder& folder, const std::vector<std::string>& names, std::string_view name,
                 const std::string& added) {
  std::vector<std::pair<Age, std::string>> copies;
  copies.emplace_back(age_of(added, name), added);
  for (const std::string& candidate : names) {
    if (is_damaged_copy(candidate, name)) copies.emplace_back(age_of(candidate, name), candidate);
  }
  std::sort(copies.begin(), copies.end());
  const std::size_t kept = kDamagedCopiesKept;
  for (std::size_t i = 0; i + kept < copies.size(); ++i) (void)folder.remove(copies[i].second);
}

}  // namespace

Result<std::string> quarantine(system::Folder& folder, std::string_view name, std::string_view time) {
  TRY_ASSIGN(const system::FileInfo info, folder.info(name));
  if (info.kind == system::FileKind::missing) return std::string();
  TRY_ASSIGN(const std::vector<std::string> names, folder.list());
  std::string chosen = free_name(names, name, time);
  TRY(folder.rename(name, chosen));
  drop_oldest(folder, names, name, chosen);
  return chosen;
}

Result<std::string> quarantine_bytes(system::Folder& folder, std::string_view name, std::string_view bytes,
                                     std::string_view time) {
  TRY_ASSIGN(const std::vector<std::string> names, folder.list());
  std::string chosen = free_name(names, name, time);
  TRY(system::write_file(folder, chosen, bytes, system::Durability::durable));
  drop_oldest(folder, names, name, chosen);
  return chosen;
}

}  // namespace plankeep::store
