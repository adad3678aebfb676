#include "tracking/cache/next_cache.hpp"

#include <utility>

#include "base/json_reader.hpp"
#include "base/json_writer.hpp"
#include "base/sha256.hpp"
#include "store/journal.hpp"
#include "store/paths.hpp"
#include "store/plan_file.hpp"
#include "store/tracking_folder.hpp"
#include "system/atomic_file.hpp"
#include "tracking/cache/next_extract.hpp"

namespace plankeep::app {
namespace {

using base::JsonReader;
using base::JsonWriter;
using base::Result;
using base::Status;

// Of the file's shape. To be raised when plans come to be read in another way.
constexpr std::int64_t kVersion = 5;
// What is larger takes as long to read as the plan.
constexpr std::uint64_t kLimit = std::uint64_t{64} << 10;

struct FileKey {
  std::uint64_t inode = 0;
  std::uint64_t size = 0;
  std::int64_t mtime_ns = 0;
  bool operator==(const FileKey&) const = default;
};

// The moment that the extract is of.
struct Key {
  std::string plan_path;
  std::string checksum;
  std::optional<FileKey> plan;
  FileKey state;
  std::uint64_t history = 0;
};

FileKey key_of(const system::FileInfo& info) {
  return {info.inode, info.size, info.mtime_ns};
}

void write_file_key(JsonWriter& out, const FileKey& key) {
  out.begin_object();
  out.key("mtimeNs").value(key.mtime_ns);
  out.key("size").value(static_cast<std::size_t>(key.size));
  out.key("inode").value(static_cast<std::size_t>(key.inode));
  out.end_object();
}

Status read_file_key(JsonReader& in, FileKey& key) {
  return in.object([&](std::string_view name) -> Status {
    if (name == "mtimeNs") return in.integer(key.mtime_ns);
    if (name == "size") return in.integer(key.size);
    if (name == "inode") return in.integer(key.inode);
    return in.skip();
  });
}

// The extract stands last, so that a moment that is not ours is told without reading it.
struct Kept {
  Key key;
  std::string_view extract;  // JSON
};

Result<Kept> read_kept(std::string_view text) {
  Kept kept;
  std::int64_t version = 0;
  JsonReader in(text);
  TRY(in.object([&](std::string_view name) -> Status {
    if (name == "version") return in.integer(version);
    if (name == "planPath") return in.string(kept.key.plan_path);
    if (name == "checksum") return in.string(kept.key.checksum);
    if (name == "plan") return read_file_key(in, kept.key.plan.emplace());
    if (name == "state") return read_file_key(in, kept.key.state);
    if (name == "historySize") return in.integer(kept.key.history);
    if (name == "next") return in.raw(kept.extract);
    return in.skip();
  }));
  TRY(in.end());
  if (version != kVersion || kept.extract.empty())
    return base::fail(base::ErrorKind::corrupt, "it has another version");
  return kept;
}

void write_kept(system::Folder& tracking, const Key& key, std::string_view extract) {
  JsonWriter out(JsonWriter::Layout::compact);
  out.begin_object();
  out.key("version").value(kVersion);
  out.key("planPath").value(key.plan_path);
  out.key("checksum").value(key.checksum);
  if (key.plan) {
    out.key("plan");
    write_file_key(out, *key.plan);
  }
  out.key("state");
  write_file_key(out, key.state);
  out.key("historySize").value(static_cast<std::size_t>(key.history));
  out.key("next").raw(extract);
  out.end_object();
  const std::string text = out.finish();
  // Too large, or not written: what stands there is of an earlier moment and is passed over.
  if (text.size() <= kLimit)
    (void)system::write_file(tracking, store::kNext, text, system::Durability::cache);
}

std::optional<Key> key_after(system::Folder& tracking, const core::State& state) {
  const auto info = tracking.info(store::kState);
  if (!info || info->kind != system::FileKind::regular) return std::nullopt;
  Key key;
  key.plan_path = state.plan_path;
  key.checksum = state.checksum;
  if (state.plan_stamp)
    key.plan = FileKey{state.plan_stamp->inode, state.plan_stamp->size, state.plan_stamp->mtime_ns};
  key.state = key_of(*info);
  key.history = state.history_offset;
  return key;
}

// The plan's text is the one that was read for the extract.
bool same_plan(const Context& context, system::Folder& folder, const PlanLocation& plan, const Key& key) {
  store::PlanFile file(context.files, folder, plan.name);
  if (key.plan) {
    const auto stamp = file.stamp();
    if (!stamp) return false;
    if (FileKey{stamp->inode, stamp->size, stamp->mtime_ns} == *key.plan) return true;
  }
  const auto text = file.read();
  return text && base::short_checksum(text->bytes) == key.checksum;
}

}  // namespace

bool worth_caching_next(const core::State& state) {
  if (!state.leases.empty()) return false;
  std::int64_t tasks = 0;
  for (const core::PhaseState& phase : state.phases) tasks += static_cast<std::int64_t>(phase.tasks.size());
  return tasks >= kTasksWorthCaching;
}

void write_next_cache(system::Folder& tracking, const core::State& state, const core::Plan& plan) {
  const auto key = key_after(tracking, state);
  if (!key) return;
  JsonWriter out(JsonWriter::Layout::compact);
  write_next_extract(out, extract_for_next(plan));
  write_kept(tracking, *key, out.finish());
}

void revalidate_next_cache(system::Folder& tracking, const core::State& state, const system::FileInfo& before,
                           std::uint64_t history_before) {
  const auto text = tracking.read(store::kNext, kLimit);
  if (!text) return;
  const auto kept = read_kept(*text);
  if (!kept || kept->key.state != key_of(before) || kept->key.history != history_before ||
      kept->key.checksum != state.checksum) {
    return;
  }
  if (const auto key = key_after(tracking, state)) write_kept(tracking, *key, kept->extract);
}

std::optional<core::StatusView> read_next_cache(const Context& context, const PlanLocation& plan) {
  auto folder = context.files.open_folder(plan.folder);
  if (!folder) return std::nullopt;
  const auto tracking = store::open_tracking(**folder, plan.name);
  if (!tracking) return std::nullopt;
  const auto text = (*tracking)->read(store::kNext, kLimit);
  if (!text) return std::nullopt;
  const auto kept = read_kept(*text);
  if (!kept || kept->key.plan_path != plan.path()) return std::nullopt;
  const auto state = (*tracking)->info(store::kState);
  if (!state || state->kind != system::FileKind::regular || key_of(*state) != kept->key.state)
    return std::nullopt;
  const auto history = store::history_size(**tracking);
  if (!history || *history != kept->key.history) return std::nullopt;
  if (!same_plan(context, **folder, plan, kept->key)) return std::nullopt;
  core::StatusView view;
  JsonReader in(kept->extract);
  if (!read_next_extract(in, view)) return std::nullopt;
  view.plan_id = plan.plan_id();
  view.path = plan.path();
  view.file = shown_path(context, plan.path());
  view.source = core::StateSource::state;
  view.now = context.clock.now();
  return view;
}

}  // namespace plankeep::app
