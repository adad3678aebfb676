#pragma once
// One line of a transcript, whoever wrote it. Private to clients/transcripts/*.cpp.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json_reader.hpp"
#include "clients/transcripts/transcript_records.hpp"

namespace plankeep::clients {

/// The fields of a line as they stand in it; what is not there, or of another type, is empty.
struct RawTranscriptLine {
  std::string type;
  std::string role;
  std::string id;
  std::string time;
  std::string turn;
  std::string model;
  bool sidechain = false;
  bool by_client = false;  // the client made it, no person
  // Values as JSON.
  std::string_view message;
  std::string_view content;
  std::string_view payload;
  std::string_view data;
  std::string_view tokens;
  std::string_view tool_calls;
  std::string_view tool_result;
  std::string_view usage;
  std::string_view messages;  // of a document
};

struct TranscriptCall {
  std::string id;  // empty: nothing is heard of its end any more
  std::string tool;
  std::string subject;
  std::vector<FileEdit> edits;
  bool failed = false;
};

struct TranscriptResult {
  std::string id;
  bool failed = false;
  std::optional<std::string> original;  // the file before the tool wrote it
};

struct TranscriptUse {
  enum class Kind {
    answer,      // of the answer `id`; a later one for it takes its place
    cumulative,  // of the session so far
    final,       // of the session as a whole
  };
  Kind kind = Kind::answer;
  std::string id;
  TokenUse use;
};

struct TranscriptLine {
  std::string prompt;
  std::string answer;
  std::string model;
  std::string turn;
  bool subagent = false;
  std::vector<TranscriptCall> calls;
  std::vector<TranscriptResult> results;
  std::optional<TranscriptUse> use;
};

/// False when the text is no JSON object.
bool read_raw_line(std::string_view text, RawTranscriptLine& raw);

/// Understands nothing of a line that it does not know.
TranscriptLine interpret_line(const RawTranscriptLine& raw);

TranscriptLine interpret_claude(const RawTranscriptLine& raw);  // and Cursor
TranscriptLine interpret_codex(const RawTranscriptLine& raw);
TranscriptLine interpret_copilot(const RawTranscriptLine& raw);
TranscriptLine interpret_gemini(const RawTranscriptLine& raw);
TranscriptLine interpret_qwen(const RawTranscriptLine& raw);

// Steps that they share.

/// A number that is written as one, not below 0, bounded; anything else is passed over and leaves `count`.
[[nodiscard]] base::Status read_count(base::JsonReader& in, std::int64_t& count);

/// Reads the string or passes over the value.
[[nodiscard]] base::Status string_or_skip(base::JsonReader& in, std::string& text);

/// `more` behind `text`, on a line of its own.
void add_paragraph(std::string& text, std::string_view more);

/// A call with what it says it writes.
TranscriptCall transcript_call(std::string id, std::string tool, std::string_view arguments);

}  // namespace plankeep::clients
