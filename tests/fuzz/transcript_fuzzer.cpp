// clients/transcripts on any bytes: transcripts are files of other programs, cut, half written, or made up.

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "clients/transcripts/chunks.hpp"
#include "clients/transcripts/transcript_records.hpp"
#include "fuzz/law.hpp"

namespace {

using plankeep::clients::TranscriptFacts;
using plankeep::clients::TranscriptReader;
using plankeep::clients::TranscriptRecord;

struct FuzzRead {
  TranscriptFacts facts;
  std::string said;
  std::size_t records = 0;
};

FuzzRead read_pieces(std::string_view text, std::size_t piece, std::uint64_t first_line) {
  FuzzRead result;
  std::uint64_t last = 0;
  TranscriptReader reader(
      [&](const TranscriptRecord& record) {
        using plankeep::fuzz::law;
        ++result.records;
        result.said += std::to_string(static_cast<int>(record.kind)) + readable(record) + record.edit.path +
                       record.edit.edit.before + '\0' + record.edit.edit.after + record.turn + '\n';
        if (record.kind == TranscriptRecord::Kind::write) {
          law(!record.edit.path.empty(), "what is written has a path");
          return;
        }
        law(record.line >= last, "records come in the order of their lines");
        law(record.line >= first_line, "no record stands before the first line that counts");
        last = record.line;
      },
      first_line);
  for (; !text.empty(); text.remove_prefix(std::min(piece, text.size()))) reader.add(text.substr(0, piece));
  result.facts = reader.finish();
  return result;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace plankeep;
  using fuzz::law;
  const std::string_view text(reinterpret_cast<const char*>(data), size);

  const FuzzRead whole = read_pieces(text, size + 1, 0);
  law(whole.facts.broken <= whole.facts.lines + 1, "broken lines are lines");
  for (const auto& use : {whole.facts.use, whole.facts.subagents}) {
    if (!use) continue;
    law(use->input >= 0 && use->output >= 0 && use->cache_read >= 0 && use->cache_creation >= 0 &&
            use->calls >= 0,
        "no count is below zero");
  }
  if (!whole.facts.document) {
    const auto feeds = static_cast<std::uint64_t>(std::count(text.begin(), text.end(), '\n'));
    const std::uint64_t lines = feeds + (text.empty() || text.back() == '\n' ? 0 : 1);
    law(whole.facts.lines <= lines, "there are no more lines than line feeds say");
  }
  for (const std::size_t piece : {std::size_t{1}, std::size_t{13}}) {
    const FuzzRead pieces = read_pieces(text, piece, 0);
    law(pieces.said == whole.said && pieces.facts.use == whole.facts.use &&
            pieces.facts.lines == whole.facts.lines && pieces.facts.broken == whole.facts.broken,
        "it does not matter in what pieces a transcript comes");
  }
  const FuzzRead later = read_pieces(text, size + 1, whole.facts.lines / 2);
  law(later.records <= whole.records && later.facts.lines == whole.facts.lines,
      "a later part says no more than the whole");
  law(later.facts.model == whole.facts.model && later.facts.turn == whole.facts.turn,
      "the last model and turn are those of the whole");
  law(read_pieces(text, size + 1, whole.facts.lines).records == 0, "behind the last line nothing is said");

  for (const std::size_t limit : {std::size_t{8}, std::size_t{64}, size + 1}) {
    const auto chunks = clients::transcript_chunks(text, limit);
    if (!chunks) continue;
    std::string joined(chunks->front());
    for (std::size_t i = 1; i < chunks->size(); ++i) joined.append("\n").append((*chunks)[i]);
    law(joined == text, "the pieces joined are the transcript");
    law(std::all_of(chunks->begin(), chunks->end(),
                    [&](std::string_view chunk) { return chunk.size() <= limit; }),
        "no piece is over the limit");
  }
  return 0;
}
