#include "clients/transcripts/chunks.hpp"

#include <algorithm>
#include <charconv>

#include "base/sha256.hpp"
#include "base/text.hpp"

namespace plankeep::clients {
namespace {

constexpr std::string_view kFirstChunk = "full.jsonl";
constexpr std::size_t kFewestDigits = 3;

}  // namespace

std::optional<std::vector<std::string_view>> transcript_chunks(std::string_view transcript,
                                                               std::size_t limit) {
  if (transcript.size() <= limit) return std::vector{transcript};
  return cut_between_lines(transcript, limit);
}

std::optional<std::vector<std::string_view>> cut_between_lines(std::string_view transcript,
                                                               std::size_t limit) {
  std::vector<std::string_view> chunks;
  std::size_t begin = 0;  // of the piece
  std::size_t end = 0;    // behind the last line in it, with the line feed that would follow
  for (std::size_t line = 0; line <= transcript.size();) {
    const std::size_t feed = std::min(transcript.find('\n', line), transcript.size());
    const std::size_t next = feed + 1;
    if (next - line > limit) return std::nullopt;
    if (next - begin > limit && end > begin) {
      chunks.push_back(transcript.substr(begin, end - begin - 1));
      begin = end;
    }
    end = next;
    line = next;
  }
  chunks.push_back(transcript.substr(begin));
  return chunks;
}

std::string chunk_name(std::size_t number) {
  std::string name(kFirstChunk);
  if (number == 0) return name;
  std::string digits = std::to_string(number);
  digits.insert(0, kFewestDigits - std::min(kFewestDigits, digits.size()), '0');
  return name + '.' + digits;
}

std::optional<std::size_t> chunk_number(std::string_view name) {
  if (name == kFirstChunk) return 0;
  if (!name.starts_with(kFirstChunk)) return std::nullopt;
  std::string_view digits = name.substr(kFirstChunk.size());
  if (digits.size() < 2 || digits.front() != '.') return std::nullopt;
  digits.remove_prefix(1);
  std::size_t number = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  if (error != std::errc() || end != digits.data() + digits.size() || number == 0) return std::nullopt;
  // One name a number: full.jsonl.1 is somebody else's.
  return chunk_name(number) == name ? std::optional(number) : std::nullopt;
}

std::string transcript_hash(std::string_view transcript) {
  return "sha256:" + base::sha256_hex(transcript);
}

}  // namespace plankeep::clients
