#pragma once
// Which prompt led to a line of a file: the last one that a person typed before the tool call that wrote the
// line. Pure; the transcript is read piece by piece.
//
//   LineSearch search({"src/a.c", "  return x + 1;", top, end_of_commit(commit_time)});
//   while (more) search.add(piece);                 // pieces of any size
//   const auto written = search.finish();           // nullopt: no call is known to have written it
//
// A call wrote the line when the text that it put into the file has the line and the text that it replaced
// has not; white space at the ends and bullets do not count (rules/attribution). Of an edit that begins or
// ends in the middle of the line, that piece counts. Of several calls the last counts. A line without a
// letter or digit ("}") is everywhere, so nothing is claimed for it.
//
// Where the file's text is known the last edits are taken back from it, one by one, as long as each text that
// they put in is there once. An edit that is seen to change the line in this way wrote it, however short.
//
// Transcripts name files by absolute paths of the machine that they were made on. A path below `top` counts
// first; where there is none, one that ends in the file's path does.

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/instant.hpp"
#include "clients/transcripts/transcript_records.hpp"

namespace plankeep::core {

/// Of larger files no edits are taken back.
inline constexpr std::size_t kLargestReplayed = std::size_t{1} << 20;

struct WantedLine {
  std::string path;  // relative to the top
  std::string text;  // without its line feed
  std::string top;   // of the work tree, absolute
  /// Calls after it do not count; a call without a time does. nullopt: all count.
  std::optional<base::Instant> until;
  /// The file's text after the last of these calls; empty: not known.
  std::string file{};
};

struct WrittenLine {
  std::string prompt;                        // empty: none stands in front of the call
  std::optional<base::Instant> prompt_time;  // of the prompt, where the transcript says
  std::string tool;                          // the call's
  std::optional<base::Instant> time;         // likewise
  std::uint64_t line = 0;                    // of the transcript, from 0; of a document the message
  bool subagent = false;                     // a subagent's call; the prompt is the main conversation's
};

/// Whether a line says enough to be searched for.
bool can_be_searched(std::string_view line);

class LineSearch {
 public:
  explicit LineSearch(WantedLine wanted);
  LineSearch(const LineSearch&) = delete;
  LineSearch& operator=(const LineSearch&) = delete;

  void add(std::string_view bytes) { reader_.add(bytes); }
  /// Once.
  std::optional<WrittenLine> finish();

 private:
  enum class Fit { none, end_of_path, exact };
  Fit fit_of(std::string_view path) const;
  void see(const clients::TranscriptRecord& record);
  void keep(Fit fit, const clients::TranscriptRecord& record);
  std::optional<WrittenLine> taken_back(Fit fit) const;

  struct Call {
    Fit fit = Fit::none;
    clients::FileEdit edit;
    WrittenLine written;
    std::size_t bytes() const {
      return edit.edit.before.size() + edit.edit.after.size() + written.prompt.size();
    }
  };

  WantedLine wanted_;
  bool searched_;
  std::string prompt_;
  std::optional<base::Instant> prompt_time_;
  std::optional<WrittenLine> exact_;
  std::optional<WrittenLine> similar_;
  std::deque<Call> calls_;  // the last of the file, where its text is known
  std::size_t kept_bytes_ = 0;
  clients::TranscriptReader reader_;
};

}  // namespace plankeep::core
