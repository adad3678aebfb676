#include "model/session.hpp"

#include <algorithm>
#include <charconv>
#include <limits>
#include <set>

#include "base/enum_names.hpp"
#include "base/sha256.hpp"
#include "base/text.hpp"
#include "base/utf8.hpp"

namespace plankeep::core {
namespace {

constexpr auto kExtents = base::enum_names<TranscriptExtent>(
    {{TranscriptExtent::full, "full"}, {TranscriptExtent::slice, "slice"}, {TranscriptExtent::none, "none"}});
constexpr std::size_t kHexDigits = 12;
constexpr std::size_t kUlidLength = 26;
constexpr std::size_t kShortestHex = 4;
constexpr std::size_t kShortestUlid = 6;
constexpr std::string_view kCrockford = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
constexpr std::string_view kHexadecimal = "0123456789abcdef";
constexpr std::string_view kBranchPrefix = "entire/";

bool is_made_of(std::string_view text, std::string_view alphabet) {
  return text.find_first_not_of(alphabet) == std::string_view::npos;
}

char upper(char c) {
  return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
}

std::string in_capitals(std::string_view text) {
  std::string capitals(text);
  std::transform(capitals.begin(), capitals.end(), capitals.begin(), upper);
  return capitals;
}

bool is_white(char c) {
  return c == ' ' || (c >= '\t' && c <= '\r');
}

}  // namespace

std::optional<SessionIdKind> session_id_kind(std::string_view text) {
  if (text.size() == kHexDigits && is_made_of(text, kHexadecimal)) return SessionIdKind::hex;
  // 26 characters have room for 130 bits, a ULID has 128.
  if (text.size() == kUlidLength && is_made_of(text, kCrockford) && text.front() <= '7')
    return SessionIdKind::ulid;
  return std::nullopt;
}

std::optional<base::Instant> time_in_id(std::string_view id) {
  if (session_id_kind(id) != SessionIdKind::ulid) return std::nullopt;
  constexpr std::size_t kTimeCharacters = 10;
  constexpr int kBits = 5;
  std::int64_t milliseconds = 0;
  for (const char c : id.substr(0, kTimeCharacters)) {
    milliseconds = (milliseconds << kBits) | static_cast<std::int64_t>(kCrockford.find(c));
  }
  constexpr std::int64_t kLatest = 253'402'300'799'999;  // the year 9999
  if (milliseconds > kLatest) return std::nullopt;
  return base::Instant{milliseconds};
}

bool means_session(std::string_view text, std::string_view id) {
  const auto kind = session_id_kind(id);
  if (kind == SessionIdKind::hex) return text.size() >= kShortestHex && id.starts_with(text);
  if (kind == SessionIdKind::ulid) return text.size() >= kShortestUlid && id.ends_with(in_capitals(text));
  return false;
}

bool may_mean_session(std::string_view text) {
  if (text.size() >= kShortestHex && text.size() <= kHexDigits && is_made_of(text, kHexadecimal)) return true;
  return text.size() >= kShortestUlid && text.size() <= kUlidLength &&
         is_made_of(in_capitals(text), kCrockford);
}

bool is_client_session(std::string_view text) {
  constexpr std::size_t kLongest = 200;
  if (text.empty() || text.size() > kLongest || text == "." || text == "..") return false;
  if (base::find_invalid_utf8(text) != std::string_view::npos) return false;
  if (base::trimmed(text).empty()) return false;
  return std::none_of(text.begin(), text.end(), [](char c) {
    return c == '/' || c == '\\' || static_cast<unsigned char>(c) < ' ' || c == '\x7f';
  });
}

std::string session_ref(std::string_view id) {
  return std::string(kSessionRefs) + std::string(id.substr(id.size() - 2)) + "/" + std::string(id);
}

std::optional<std::string> id_in_session_ref(std::string_view ref) {
  if (!ref.starts_with(kSessionRefs)) return std::nullopt;
  const std::string_view id = ref.substr(ref.rfind('/') + 1);
  if (!session_id_kind(id) || session_ref(id) != ref) return std::nullopt;
  return std::string(id);
}

std::string session_folder(std::string_view id) {
  return std::string(id.substr(0, 2)) + "/" + std::string(id.substr(2));
}

std::optional<std::string> id_of_session_folder(std::string_view shard, std::string_view name) {
  if (shard.size() != 2) return std::nullopt;
  std::string id = std::string(shard) + std::string(name);
  if (!session_id_kind(id)) return std::nullopt;
  return id;
}

std::optional<ShadowBranch> shadow_branch(std::string_view branch) {
  constexpr std::size_t kShortest = 7;
  constexpr std::size_t kLongest = 40;
  constexpr std::size_t kWorkTreeDigits = 6;
  if (!branch.starts_with(kBranchPrefix)) return std::nullopt;
  branch.remove_prefix(kBranchPrefix.size());
  const std::size_t dash = branch.find('-');
  const std::string_view commit = branch.substr(0, dash);
  const std::string_view work_tree =
      dash == std::string_view::npos ? std::string_view() : branch.substr(dash + 1);
  if (commit.size() < kShortest || commit.size() > kLongest || !is_made_of(commit, kHexadecimal))
    return std::nullopt;
  if (dash != std::string_view::npos &&
      (work_tree.size() != kWorkTreeDigits || !is_made_of(work_tree, kHexadecimal)))
    return std::nullopt;
  return ShadowBranch{std::string(commit), std::string(work_tree)};
}

std::string work_tree_digits(std::string_view work_tree_name) {
  constexpr std::size_t kWorkTreeDigits = 6;
  return base::sha256_hex(work_tree_name).substr(0, kWorkTreeDigits);
}

std::string shadow_branch_name(std::string_view commit, std::string_view work_tree_name) {
  constexpr std::size_t kCommitDigits = 7;
  return std::string(kBranchPrefix) + std::string(commit.substr(0, kCommitDigits)) + "-" +
         work_tree_digits(work_tree_name);
}

std::vector<std::string> mentioned_checkpoints(std::string_view message) {
  constexpr std::string_view kTrailerKey = "Entire-Checkpoint:";
  std::vector<std::string> ids;
  std::set<std::string_view> seen;
  for (std::size_t at = message.find(kTrailerKey); at != std::string_view::npos;
       at = message.find(kTrailerKey, at)) {
    at += kTrailerKey.size();
    while (at < message.size() && is_white(message[at])) ++at;
    std::size_t end = at;
    while (end < message.size() && !is_white(message[end]) && end - at <= kUlidLength) ++end;
    const std::string_view id = message.substr(at, end - at);
    if (session_id_kind(id) && seen.insert(id).second) ids.emplace_back(id);
  }
  return ids;
}

std::int64_t total_of(const TokenUsage& usage) {
  std::int64_t total = 0;
  for (const auto& part : {usage.input, usage.cache_creation, usage.cache_read, usage.output}) {
    const std::int64_t count = std::max<std::int64_t>(part.value_or(0), 0);
    total = count > std::numeric_limits<std::int64_t>::max() - total
                ? std::numeric_limits<std::int64_t>::max()
                : total + count;
  }
  return total;
}

std::optional<double> percentage_of(const LineAttribution& attribution) {
  constexpr double kAll = 100;
  const auto& percentage = attribution.agent_percentage;
  if (!percentage || !(*percentage >= 0 && *percentage <= kAll)) return std::nullopt;
  return percentage;
}

std::size_t first_line_of(const SessionMetadata& session) {
  // Versions before 0.5 know the older key only.
  const std::int64_t line =
      session.checkpoint_transcript_start.value_or(session.transcript_lines_at_start.value_or(0));
  return line > 0 ? static_cast<std::size_t>(line) : 0;
}

Strings prompts_in(std::string_view text) {
  Strings prompts;
  if (text.empty()) return prompts;
  while (true) {
    const std::size_t end = text.find(kPromptSeparator);
    prompts.emplace_back(text.substr(0, end));
    if (end == std::string_view::npos) return prompts;
    text.remove_prefix(end + kPromptSeparator.size());
  }
}

std::optional<std::size_t> transcript_part(std::string_view name) {
  constexpr std::string_view kName = "full.jsonl";
  constexpr std::size_t kDigits = 3;
  if (name == kName || name == "full.log") return 0;
  if (!name.starts_with(kName)) return std::nullopt;
  name.remove_prefix(kName.size());
  if (name.size() < kDigits + 1 || name.front() != '.') return std::nullopt;
  name.remove_prefix(1);
  if (name.size() > kDigits && name.front() == '0') return std::nullopt;
  std::size_t number = 0;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), number);
  constexpr std::size_t kMost = 100'000;
  if (error != std::errc{} || end != name.data() + name.size() || number == 0 || number > kMost)
    return std::nullopt;
  return number;
}

std::string_view name_of(TranscriptExtent extent) {
  return kExtents.name_of(extent);
}

std::optional<TranscriptExtent> transcript_extent(std::string_view name) {
  return kExtents.parse(name);
}

std::optional<std::size_t> session_slot(std::string_view name) {
  constexpr std::size_t kLargest = 999'999'999;
  std::size_t number = 0;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), number);
  if (error != std::errc{} || end != name.data() + name.size() || number > kLargest) return std::nullopt;
  if (name.size() > 1 && name.front() == '0') return std::nullopt;
  return number;
}

std::string content_hash_of(std::string_view transcript) {
  return "sha256:" + base::sha256_hex(transcript);
}

}  // namespace plankeep::core
