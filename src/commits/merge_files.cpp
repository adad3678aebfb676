#include "commits/merge_files.hpp"

#include "project/plan_location.hpp"
#include "system/atomic_file.hpp"

namespace plankeep::app {
namespace {

using base::Result;

constexpr std::uint64_t kLargest = 512ULL << 20;  // git: core.bigFileThreshold, above which nothing is text

struct Version {
  std::unique_ptr<system::Folder> folder;
  std::string name;
  system::FileContent content;
};

Result<Version> read(const Context& context, const std::string& path) {
  const std::string absolute = absolute_path(context, path);
  Version version;
  version.name = last_part(absolute);
  TRY_ASSIGN(version.folder, context.files.open_folder(parent_of(absolute)));
  TRY_ASSIGN(version.content, version.folder->read_with_info(version.name, kLargest));
  return version;
}

}  // namespace

Result<std::vector<markdown::MergeConflict>> merge_files(const Context& context, const MergeFiles& files) {
  TRY_ASSIGN(const Version base, read(context, files.base));
  TRY_ASSIGN(const Version ours, read(context, files.ours));
  TRY_ASSIGN(const Version theirs, read(context, files.theirs));
  markdown::MergeLabels labels;
  labels.marker_size = files.marker_size;
  auto merged = markdown::merge_plans(base.content.bytes, ours.content.bytes, theirs.content.bytes, labels);
  if (merged.text != ours.content.bytes) {
    TRY(system::write_file_like(*ours.folder, ours.name, merged.text, ours.content.info,
                                system::Durability::durable));
  }
  return std::move(merged.conflicts);
}

}  // namespace plankeep::app
