#include "secrets/redacted_prefix.hpp"

#include <algorithm>

#include "base/json_reader.hpp"
#include "base/json_writer.hpp"
#include "base/sha256.hpp"

namespace plankeep::secrets {
namespace {

using base::JsonReader;
using base::Status;

constexpr std::int64_t kVersion = 1;
constexpr std::size_t kMostChunks = 100'000;

bool is_hex(std::string_view text, std::size_t least, std::size_t most) {
  return text.size() >= least && text.size() <= most &&
         text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

bool is_sound(const RedactedPrefix& prefix) {
  constexpr std::size_t kDigest = 64;
  constexpr std::size_t kSha1 = 40;
  return is_hex(prefix.sha256, kDigest, kDigest) && is_hex(prefix.rules, kDigest, kDigest) &&
         std::all_of(prefix.chunks.begin(), prefix.chunks.end(),
                     [](const std::string& id) { return is_hex(id, kSha1, kDigest); });
}

}  // namespace

RedactedPrefix prefix_of(std::string_view text, std::string rules, std::vector<std::string> chunks) {
  RedactedPrefix prefix;
  prefix.bytes = text.rfind('\n') + 1;  // npos + 1 is 0
  prefix.sha256 = base::sha256_hex(text.substr(0, prefix.bytes));
  prefix.rules = std::move(rules);
  prefix.chunks = std::move(chunks);
  return prefix;
}

bool still_holds(const RedactedPrefix& prefix, std::string_view text, std::string_view rules) {
  if (prefix.rules != rules || prefix.bytes == 0 || prefix.bytes > text.size()) return false;
  return text[prefix.bytes - 1] == '\n' && base::sha256_hex(text.substr(0, prefix.bytes)) == prefix.sha256;
}

std::string prefix_text(const RedactedPrefix& prefix) {
  base::JsonWriter out(base::JsonWriter::Layout::compact);
  out.begin_object();
  out.key("version").value(kVersion);
  out.key("bytes").value(static_cast<std::int64_t>(prefix.bytes));
  out.key("sha256").value(prefix.sha256);
  out.key("rules").value(prefix.rules);
  out.key("chunks").begin_array();
  for (const std::string& id : prefix.chunks) out.value(id);
  out.end_array();
  out.end_object();
  return out.finish();
}

std::optional<RedactedPrefix> read_prefix(std::string_view text) {
  RedactedPrefix prefix;
  std::int64_t version = 0;
  std::uint64_t bytes = 0;
  JsonReader in(text);
  Status read = in.object([&](std::string_view key) -> Status {
    if (key == "version") return in.integer(version);
    if (key == "bytes") return in.integer(bytes);
    if (key == "sha256") return in.string(prefix.sha256);
    if (key == "rules") return in.string(prefix.rules);
    if (key != "chunks") return in.skip();
    return in.array([&]() -> Status {
      if (prefix.chunks.size() == kMostChunks) return in.error("fewer chunks");
      return in.string(prefix.chunks.emplace_back());
    });
  });
  if (read) read = in.end();
  prefix.bytes = bytes;
  if (!read || version != kVersion || !is_sound(prefix)) return std::nullopt;
  return prefix;
}

}  // namespace plankeep::secrets
