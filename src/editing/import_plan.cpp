#include "editing/import_plan.hpp"

#include "base/limits.hpp"
#include "project/plan_location.hpp"
#include "system/atomic_file.hpp"

namespace plankeep::app {
namespace {

using base::ErrorKind;
using base::Result;

constexpr std::uint64_t kLargest = base::kLargestForeignFile;

}  // namespace

Result<markdown::ImportedPlan> import_plan(const Context& context, const ImportRequest& request) {
  const std::string from = absolute_path(context, request.file);
  const std::string to = absolute_path(context, request.to);
  TRY_ASSIGN(const auto source, context.files.open_folder(parent_of(from)));
  TRY_ASSIGN(const std::string json, source->read(last_part(from), kLargest));
  TRY_ASSIGN(auto imported, markdown::import_prd(json, last_part(from)));
  TRY_ASSIGN(const auto folder, context.files.open_folder(parent_of(to)));
  TRY_ASSIGN(system::FileInfo there, folder->info(last_part(to)));
  if (there.kind != system::FileKind::missing && there.kind != system::FileKind::regular) {
    return base::fail(ErrorKind::corrupt, to + " is not a regular file", "give another file with --to");
  }
  const bool exists = there.kind == system::FileKind::regular;
  if (exists && !request.force && request.write) {
    return base::fail(ErrorKind::conflict, to + " already exists",
                      "write another file with --to FILE, or replace it with --force");
  }
  if (!request.write) return imported;
  if (!exists) {
    // As any new file of a project: for everybody whom the umask lets.
    constexpr std::uint32_t kReadable = 0644;
    TRY_ASSIGN(there, context.files.info(parent_of(to)));
    there.mode = kReadable;
  }
  TRY(system::write_file_like(*folder, last_part(to), imported.text, there, system::Durability::durable));
  return imported;
}

}  // namespace plankeep::app
