#include "store/plan_texts.hpp"

#include <algorithm>
#include <charconv>
#include <optional>
#include <utility>

#include "base/sha256.hpp"
#include "store/paths.hpp"
#include "system/atomic_file.hpp"

namespace plankeep::store {
namespace {

using base::Result;
using base::Status;

constexpr std::size_t kTimeLength = 20;  // "20261120T154350.123Z"
constexpr std::size_t kDigits = 16;
constexpr std::string_view kEnding = ".md";

std::string_view digits_of(std::string_view checksum) {
  return checksum.substr(checksum.find(':') + 1);
}

// "20261120T154350.123Z" as it is written everywhere else.
std::optional<base::Instant> time_in(std::string_view text) {
  if (text.size() != kTimeLength || text[8] != 'T') return std::nullopt;
  std::string full(text.substr(0, 4));
  full.append("-").append(text.substr(4, 2)).append("-").append(text.substr(6, 5));
  full.append(":").append(text.substr(11, 2)).append(":").append(text.substr(13));
  return base::parse_iso8601(full);
}

std::optional<KeptText> named(const std::string& name) {
  const std::string_view text = name;
  const std::size_t behind_offset = name.size() - std::min(name.size(), kDigits + kEnding.size() + 1);
  if (behind_offset < kTimeLength + 2 || !text.ends_with(kEnding)) return std::nullopt;
  if (text[kTimeLength] != '-' || text[behind_offset] != '-') return std::nullopt;
  KeptText kept;
  kept.name = name;
  const auto time = time_in(text.substr(0, kTimeLength));
  const std::string_view offset = text.substr(kTimeLength + 1, behind_offset - kTimeLength - 1);
  const auto [end, ec] = std::from_chars(offset.data(), offset.data() + offset.size(), kept.history_offset);
  kept.digits = text.substr(behind_offset + 1, kDigits);
  if (!time || ec != std::errc{} || end != offset.data() + offset.size() ||
      kept.digits.find_first_not_of("0123456789abcdef") != std::string::npos)
    return std::nullopt;
  kept.time = *time;
  return kept;
}

Result<std::vector<KeptText>> list(system::Folder& folder) {
  TRY_ASSIGN(const std::vector<std::string> names, folder.list());
  std::vector<KeptText> texts;
  for (const std::string& name : names) {
    auto kept = named(name);
    if (!kept) continue;
    TRY_ASSIGN(const system::FileInfo info, folder.info(name));
    if (info.kind != system::FileKind::regular) continue;
    kept->size = info.size;
    texts.push_back(*std::move(kept));
  }
  std::stable_sort(texts.begin(), texts.end(), [](const KeptText& x, const KeptText& y) {
    return std::pair(x.time, x.history_offset) < std::pair(y.time, y.history_offset);
  });
  return texts;
}

// What cannot be removed stays: it is housekeeping.
void drop_oldest(system::Folder& folder, const std::vector<KeptText>& texts, std::uint64_t coming) {
  std::uint64_t bytes = coming;
  std::size_t count = 1;
  std::size_t first_kept = texts.size();
  while (first_kept > 0) {
    const KeptText& text = texts[first_kept - 1];
    if (count + 1 > kTextsKept || bytes + text.size > kTextBytesKept) break;
    ++count;
    bytes += text.size;
    --first_kept;
  }
  for (std::size_t i = 0; i < first_kept; ++i) (void)folder.remove(texts[i].name);
}

}  // namespace

Status keep_text(system::Folder& tracking, std::string_view text, std::string_view checksum,
                 std::uint64_t history_offset, base::Instant now) {
  if (text.size() > kTextBytesKept) return {};
  TRY_ASSIGN(const auto folder, tracking.make_folder(kPlanTexts));
  TRY_ASSIGN(const std::vector<KeptText> texts, list(*folder));
  const std::string digits(digits_of(checksum));
  if (!texts.empty() && texts.back().digits == digits && texts.back().size == text.size()) return {};
  // A clock that was set back must not put the newest text among the old ones.
  const base::Instant time = texts.empty() ? now : std::max(now, texts.back().time);
  const std::string name =
      file_time(time) + "-" + std::to_string(history_offset) + "-" + digits + std::string(kEnding);
  TRY(system::write_file(*folder, name, text, system::Durability::cache));
  drop_oldest(*folder, texts, text.size());
  return {};
}

Result<std::vector<KeptText>> kept_texts(system::Folder& tracking) {
  auto folder = tracking.open_folder(kPlanTexts);
  if (!folder && folder.error().kind == base::ErrorKind::not_found) return std::vector<KeptText>();
  if (!folder) return base::fail(std::move(folder.error()));
  return list(**folder);
}

Result<std::string> read_text(system::Folder& tracking, const KeptText& kept) {
  TRY_ASSIGN(const auto folder, tracking.open_folder(kPlanTexts));
  TRY_ASSIGN(std::string text, folder->read(kept.name, kTextBytesKept));
  if (digits_of(base::short_checksum(text)) != kept.digits)
    return base::fail(base::ErrorKind::corrupt,
                      folder->path_of(kept.name) + " does not match the hash in its name");
  return text;
}

}  // namespace plankeep::store
