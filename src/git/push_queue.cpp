#include "git/push_queue.hpp"

#include <algorithm>
#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <set>

#include "base/json_reader.hpp"
#include "base/json_writer.hpp"
#include "git/git.hpp"
#include "git/git_output.hpp"
#include "system/atomic_file.hpp"

namespace plankeep::git {
namespace {

using base::ErrorKind;
using base::Result;
using base::Status;

constexpr std::chrono::milliseconds kListTimeout{2000};
constexpr std::uint64_t kListLimit = std::uint64_t{64} << 20;

constexpr std::string_view kQueueFile = "entire-checkpoint-push-queue.jsonl";
constexpr std::string_view kQueueLock = "entire-checkpoint-push-queue.lock";
constexpr std::string_view kWrittenFile = "entire-written";
constexpr std::string_view kWrittenLock = "entire-written.lock";

Result<std::string> read_list(system::Folder& folder, std::string_view name) {
  TRY_ASSIGN(const system::FileInfo info, folder.info(name));
  if (info.kind == system::FileKind::missing) return std::string();
  return folder.read(name, kListLimit);
}

Status append_lines(system::Folder& folder, std::string_view name, std::string_view lock_name,
                    std::string lines) {
  if (lines.empty()) return {};
  TRY_ASSIGN(const auto lock, folder.lock(lock_name, kListTimeout));
  TRY_ASSIGN(const auto file, folder.open_append(name));
  TRY_ASSIGN(const std::uint64_t size, file->size());
  if (size > 0) {
    TRY_ASSIGN(const std::string last, folder.read_range(name, size - 1, 1));
    if (!last.ends_with('\n')) lines.insert(lines.begin(), '\n');
  }
  return file->write(lines);
}

// Lines that `goes` says no to stay as they are, byte for byte. `prepare` comes first, under the lock.
Status remove_lines(
    system::Folder& folder, std::string_view name, std::string_view lock_name,
    const std::function<bool(std::string_view line)>& goes,
    const std::function<Status()>& prepare = [] { return Status(); }) {
  TRY_ASSIGN(const auto lock, folder.lock(lock_name, kListTimeout));
  TRY(prepare());
  TRY_ASSIGN(const std::string text, read_list(folder, name));
  std::string left;
  for (std::string_view rest = text; !rest.empty();) {
    const std::string_view line = take_until(rest, '\n');
    if (!goes(line)) left.append(line).append("\n");
  }
  if (left.size() == text.size()) return {};
  return system::write_file(folder, name, left, system::Durability::durable);
}

std::optional<std::string> queued_ref(std::string_view line) {
  std::string ref;
  base::JsonReader in(line);
  const Status read = in.object([&](std::string_view key) -> Status {
    return key == "ref" && in.peek() == base::JsonType::string ? in.string(ref) : in.skip();
  });
  if (!read || !in.end() || ref.empty()) return std::nullopt;
  return ref;
}

std::optional<WrittenRef> written_ref(std::string_view line) {
  if (take_until(line, ' ') != "written") return std::nullopt;
  WrittenRef written;
  written.ref = take_until(line, ' ');
  written.commit = line;
  if (!written.ref.starts_with("refs/") || !is_id(written.commit)) return std::nullopt;
  return written;
}

}  // namespace

Status PushQueue::append(const std::vector<std::string>& refs) {
  TRY_ASSIGN(const auto folder, files_.open_folder(common_dir_));
  std::string lines;
  for (const std::string& ref : refs) {
    base::JsonWriter out(base::JsonWriter::Layout::compact);
    out.begin_object().key("ref").value(ref).end_object();
    lines += out.finish();
  }
  return append_lines(*folder, kQueueFile, kQueueLock, std::move(lines));
}

Result<std::vector<std::string>> PushQueue::refs() {
  TRY_ASSIGN(const auto folder, files_.open_folder(common_dir_));
  TRY_ASSIGN(const std::string text, read_list(*folder, kQueueFile));
  std::vector<std::string> refs;
  std::set<std::string> seen;
  for (std::string_view rest = text; !rest.empty();) {
    auto ref = queued_ref(take_until(rest, '\n'));
    if (ref && seen.insert(*ref).second) refs.push_back(std::move(*ref));
  }
  return refs;
}

Status PushQueue::remove(const std::vector<std::string>& refs) {
  return remove_confirmed([&refs] { return Result<std::vector<std::string>>(refs); });
}

Status PushQueue::remove_confirmed(const std::function<Result<std::vector<std::string>>()>& confirmed) {
  TRY_ASSIGN(const auto folder, files_.open_folder(common_dir_));
  std::set<std::string> refs;
  const auto goes = [&](std::string_view line) {
    const auto ref = queued_ref(line);
    return ref && refs.contains(*ref);
  };
  return remove_lines(*folder, kQueueFile, kQueueLock, goes, [&]() -> Status {
    TRY_ASSIGN(const std::vector<std::string> all, confirmed());
    refs.insert(all.begin(), all.end());
    return {};
  });
}

Status WrittenRefs::append(const std::vector<WrittenRef>& written) {
  TRY_ASSIGN(const auto common, files_.open_folder(common_dir_));
  TRY_ASSIGN(const auto folder, common->make_folder(kOwnGitFolder));
  std::string lines;
  for (const WrittenRef& one : written) lines += "written " + one.ref + ' ' + one.commit + '\n';
  return append_lines(*folder, kWrittenFile, kWrittenLock, std::move(lines));
}

Result<std::vector<WrittenRef>> WrittenRefs::all() {
  std::vector<WrittenRef> written;
  TRY_ASSIGN(const auto common, files_.open_folder(common_dir_));
  auto folder = common->open_folder(kOwnGitFolder);
  if (!folder) {
    if (folder.error().kind == ErrorKind::not_found) return written;
    return base::fail(std::move(folder.error()));
  }
  TRY_ASSIGN(const std::string text, read_list(**folder, kWrittenFile));
  for (std::string_view rest = text; !rest.empty();)
    if (auto one = written_ref(take_until(rest, '\n'))) written.push_back(std::move(*one));
  return written;
}

Status WrittenRefs::remove(const std::vector<WrittenRef>& written) {
  TRY_ASSIGN(const auto common, files_.open_folder(common_dir_));
  TRY_ASSIGN(const auto folder, common->make_folder(kOwnGitFolder));
  return remove_lines(*folder, kWrittenFile, kWrittenLock, [&](std::string_view line) {
    const auto one = written_ref(line);
    return one && std::find(written.begin(), written.end(), *one) != written.end();
  });
}

}  // namespace plankeep::git
