#include "system/atomic_file.hpp"

#include <algorithm>
#include <utility>

namespace plankeep::system {
namespace {

using base::Result;
using base::Status;

constexpr std::size_t kLongestFileName = 255;

Status fill(Result<std::unique_ptr<WritableFile>> created, std::string_view content, Durability durability) {
  if (!created) return base::fail(std::move(created.error()));
  const std::unique_ptr<WritableFile> file = std::move(*created);
  TRY(file->write(content));
  if (durability == Durability::durable) TRY(file->sync_data());
  return {};
}

Status put_in_place(Folder& folder, std::string_view temporary, std::string_view name,
                    const std::function<Status()>& last_look) {
  if (last_look) TRY(last_look());
  return folder.rename(temporary, name);
}

// The error that matters is the one we have; a temporary file that cannot be removed is replaced by the next
// write.
Status without_leftover(Folder& folder, std::string_view temporary, Status status) {
  if (!status) (void)folder.remove(temporary);
  return status;
}

}  // namespace

std::string temporary_name(std::string_view name) {
  std::size_t kept = std::min(name.size(), kLongestFileName - kTemporaryEnd.size() - 1);
  // Some file systems refuse half a character.
  const auto continues = [&](std::size_t at) {
    return (static_cast<unsigned char>(name[at]) & 0xC0U) == 0x80U;
  };
  while (kept > 0 && kept < name.size() && continues(kept)) --kept;
  std::string temporary = ".";
  temporary.append(name.substr(0, kept)).append(kTemporaryEnd);
  return temporary;
}

Status write_file(Folder& folder, std::string_view name, std::string_view content, Durability durability) {
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

Status write_file_like(Folder& folder, std::string_view name, std::string_view content, const FileInfo& like,
                       Durability durability, const std::function<Status()>& last_look) {
  const std::string temporary = temporary_name(name);
  Status status = fill(folder.create_like(temporary, like), content, durability);
  if (status) status = put_in_place(folder, temporary, name, last_look);
  TRY(without_leftover(folder, temporary, std::move(status)));
  if (durability == Durability::durable) TRY(folder.sync());
  return {};
}

}  // namespace plankeep::system
