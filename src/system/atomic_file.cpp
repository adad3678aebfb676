#include "store/atomic_file.hpp"

#include <algorithm>
#include <charconv>
#include <utility>
#include <vector>

#include "store/paths.hpp"

namespace plankeep::store {

namespace {

using base::Result;
using base::Status;

Status fill(Result<std::unique_ptr<system::WritableFile>> created, std::string_view content,
            Durability durability) {
  if (!created) return base::fail(std::move(created.error()));
  const std::unique_ptr<system::WritableFile> file = std::move(*created);
  TRY(file->write(content));
  if (durability == Durability::durable) TRY(file->sync_data());
  return {};
}

Status put_in_place(system::Folder& folder, std::string_view temporary, std::string_view name,
                    const std::function<Status()>& last_look) {
  if (last_look) TRY(last_look());
  return folder.rename(temporary, name);
}

// The error that matters is the one we have; a temporary file that cannot be removed is replaced by the next
// write.
Status without_leftover(system::Folder& folder, std::string_view temporary, Status status) {
  if (!status) (void)folder.remove(temporary);
  return status;
}

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

Status write_file(system::Folder& folder, std::string_view name, std::string_view content,
                  Durability durability) {
  const std::string temporary = temporary_name(name);
  Status status = fill(folder.create(temporary), content, durability);
  if (status) {
    status = durability == Durability::durable ? folder.rename(temporary, name)
                                               : folder.rename_cache(temporary, name);
  }
  TRY(without_leftover(folder, temporary, std::move(status)));
  if (durability == Durability::durable) TRY(folder.sync());
  return {};
}

Status write_file_like(system::Folder& folder, std::string_view name, std::string_view content,
                       const system::FileInfo& like, Durability durability,
                       const std::function<Status()>& last_look) {
  const std::string temporary = temporary_name(name);
  Status status = fill(folder.create_like(temporary, like), content, durability);
  if (status) status = put_in_place(folder, temporary, name, last_look);
  TRY(without_leftover(folder, temporary, std::move(status)));
  if (durability == Durability::durable) TRY(folder.sync());
  return {};
}

Result<std::string> set_aside(system::Folder& folder, std::string_view name, std::string_view time) {
  TRY_ASSIGN(const system::FileInfo info, folder.info(name));
  if (info.kind == system::FileKind::missing) return std::string();
  TRY_ASSIGN(const std::vector<std::string> names, folder.list());
  std::string chosen = free_name(names, name, time);
  TRY(folder.rename(name, chosen));
  drop_oldest(folder, names, name, chosen);
  return chosen;
}

Result<std::string> keep_aside(system::Folder& folder, std::string_view name, std::string_view bytes,
                               std::string_view time) {
  TRY_ASSIGN(const std::vector<std::string> names, folder.list());
  std::string chosen = free_name(names, name, time);
  TRY(write_file(folder, chosen, bytes, Durability::durable));
  drop_oldest(folder, names, name, chosen);
  return chosen;
}

}  // namespace plankeep::store
