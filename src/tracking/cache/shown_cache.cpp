#include "tracking/cache/shown_cache.hpp"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>

#include "store/brief_state.hpp"
#include "store/journal.hpp"
#include "store/paths.hpp"
#include "system/atomic_file.hpp"
#include "tracking/cache/packed_records.hpp"

namespace plankeep::app {
namespace {

// The version of the format. The key also names the program's own file.
constexpr std::string_view kShownVersion = "plankeep shown 7\n";
// A plan of 500,000 tasks.
constexpr std::uint64_t kShownLimit = std::uint64_t{128} << 20;
constexpr std::uint64_t kLongestShownKey = 8192;
constexpr std::int64_t kSettledAfter = 1000;

std::string file_key(const system::FileInfo& info) {
  return std::to_string(info.inode) + " " + std::to_string(info.size) + " " + std::to_string(info.mtime_ns) +
         " " + std::to_string(info.ctime_ns) + "\n";
}

// Everything that the cache depends on, as text.
std::optional<std::string> shown_key(const Context& context, system::Folder& tracking,
                                     const PlanLocation& location, const system::FileInfo& plan) {
  const auto state = tracking.info(store::kState);
  const auto history = store::history_size(tracking);
  if (!state || state->kind != system::FileKind::regular || !history) return std::nullopt;
  std::string key(kShownVersion);
  const auto program = context.files.info("/proc/self/exe");
  key += program ? file_key(*program) : std::string("\n");
  key += file_key(*state);
  key += std::to_string(*history) + "\n";
  key += file_key(plan);
  key += location.path() + '\0' + location.plan_id() + '\0';
  return key;
}

// Eight bytes at a time. It detects torn files, not forged ones: whoever can write here can write state.json.
std::uint64_t checksum_of(std::string_view bytes) {
  constexpr std::uint64_t kFactor = 0x9e3779b97f4a7c15;
  std::uint64_t sum = bytes.size();
  const auto take = [&sum](std::uint64_t word) {
    sum = (sum ^ word) * kFactor;
    sum ^= sum >> 32;
  };
  while (bytes.size() >= sizeof(std::uint64_t)) {
    std::uint64_t word = 0;
    std::memcpy(&word, bytes.data(), sizeof word);
    take(word);
    bytes.remove_prefix(sizeof word);
  }
  for (const char byte : bytes) take(static_cast<unsigned char>(byte));
  return sum;
}

std::string bytes_of(std::uint64_t number) {
  std::string bytes(sizeof number, '\0');
  std::memcpy(bytes.data(), &number, sizeof number);
  return bytes;
}

constexpr std::size_t kNumber = sizeof(std::uint64_t);

std::uint64_t number_at(std::string_view bytes) {
  std::uint64_t number = 0;
  std::memcpy(&number, bytes.data(), kNumber);
  return number;
}

constexpr std::size_t kPartHead = 2 * kNumber;

// A part of the file: its size, its checksum, its bytes, which `write` puts behind the text that it is given.
template <class Write>
void append_part(std::string& text, const Write& write) {
  const std::size_t head = text.size();
  text.append(kPartHead, '\0');
  text = write(std::move(text));
  const std::string_view body = std::string_view(text).substr(head + kPartHead);
  text.replace(head, kPartHead, bytes_of(body.size()) + bytes_of(checksum_of(body)));
}

// The part that begins at `offset`, whose end becomes the offset; nullopt: missing or torn.
std::optional<std::string> read_part(system::Folder& tracking, std::uint64_t& offset) {
  const auto head = tracking.read_range(store::kShown, offset, kPartHead);
  if (!head || head->size() != kPartHead) return std::nullopt;
  const std::uint64_t size = number_at(*head);
  if (size == 0 || size > kShownLimit) return std::nullopt;
  auto body = tracking.read_range(store::kShown, offset + kPartHead, size);
  if (!body || body->size() != size) return std::nullopt;
  if (checksum_of(*body) != number_at(std::string_view(*head).substr(kNumber))) return std::nullopt;
  offset += kPartHead + size;
  return std::move(*body);
}

// Where the parts begin; nullopt: missing or outdated.
std::optional<std::uint64_t> valid_from(const Context& context, system::Folder& tracking,
                                        const PlanLocation& location, store::PlanFile& file) {
  const auto info = tracking.info(store::kShown);
  if (!info || info->kind != system::FileKind::regular) return std::nullopt;
  const auto plan = file.info();
  if (!plan) return std::nullopt;
  const auto key = shown_key(context, tracking, location, *plan);
  if (!key || key->size() > kLongestShownKey) return std::nullopt;
  // The beginning of an outdated file differs, so that the rest need not be read.
  const auto head = tracking.read_range(store::kShown, 0, key->size());
  if (!head || *head != *key) return std::nullopt;
  return key->size();
}

}  // namespace

std::optional<TableRecords> read_table_cache(const Context& context, system::Folder& tracking,
                                             const PlanLocation& location, store::PlanFile& file) {
  auto offset = valid_from(context, tracking, location, file);
  if (!offset) return std::nullopt;
  auto table = read_part(tracking, *offset);
  if (!table) {
    // Records behind it that are whole would be taken for a cache that needs no writing.
    (void)tracking.remove(store::kShown);
    return std::nullopt;
  }
  auto records = unpack_table(std::move(*table));
  if (!records) return std::nullopt;
  return std::move(*records);
}

std::optional<ShownRecords> read_shown_cache(const Context& context, system::Folder& tracking,
                                             const PlanLocation& location, store::PlanFile& file) {
  auto offset = valid_from(context, tracking, location, file);
  if (!offset) return std::nullopt;
  const auto head = tracking.read_range(store::kShown, *offset, kNumber);
  if (!head || head->size() != kNumber || number_at(*head) > kShownLimit) return std::nullopt;
  *offset += kPartHead + number_at(*head);
  const auto body = read_part(tracking, *offset);
  if (!body) return std::nullopt;
  std::string_view rest = *body;
  const bool ids_as_written = rest.front() == '=';
  rest.remove_prefix(1);
  auto records = unpack(rest);
  if (!records) return std::nullopt;
  return ShownRecords{std::move(records->plan), std::move(records->state), ids_as_written};
}

bool worth_caching_shown(const Context& context, const core::State& state, const system::FileInfo& plan,
                         const system::FileInfo& state_file) {
  const std::int64_t now = context.clock.now().milliseconds;
  const auto settled = [now](const system::FileInfo& file) {
    return std::max(file.mtime_ns, file.ctime_ns) / 1'000'000 + kSettledAfter <= now;
  };
  return state_file.size > store::kSmallState && settled(plan) && settled(state_file) &&
         state.history_offset_known;
}

void write_shown_cache(const Context& context, system::Folder& tracking, const PlanLocation& location,
                       const system::FileInfo& plan, const system::FileInfo& state_file,
                       const RecordsToKeep& records, core::TaskTable table) {
  const auto lock = tracking.lock(store::kLock, std::chrono::milliseconds(0));
  if (!lock) return;
  const auto state = tracking.info(store::kState);
  const auto history = store::history_size(tracking);
  // A save may have come between.
  if (!state || file_key(*state) != file_key(state_file) || !history ||
      *history != records.state.history_offset)
    return;
  const auto key = shown_key(context, tracking, location, plan);
  if (!key || key->size() > kLongestShownKey) return;
  // Touching fresh memory takes most of the time. So everything is packed in one place, and the table gives
  // up its memory before the records are packed.
  std::string text;
  text.reserve((plan.size + state_file.size) / 2 * 3);
  text += *key;
  append_part(text, [&](std::string before) { return pack_table(table, records.state, std::move(before)); });
  table = core::TaskTable();
  append_part(text, [&](std::string before) {
    before += records.ids_as_written ? '=' : '-';
    return pack(records.plan, records.state, std::move(before));
  });
  if (text.size() > kShownLimit) return;
  (void)system::write_file(tracking, store::kShown, text, system::Durability::cache);
}

}  // namespace plankeep::app
