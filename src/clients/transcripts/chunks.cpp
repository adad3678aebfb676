#include "clients/transcripts/chunks.hpp"

#include <algorithm>

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

}  // namespace plankeep::clients
