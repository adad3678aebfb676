#pragma once
// What a whole transcript says: prompts, answers, what tools wrote, tokens, the model.
//
//   TranscriptReader reader([&](const TranscriptRecord& record) { ... });    // or: from line `first_line` on
//   while (more) reader.add(piece);                                          // pieces of any size
//   TranscriptFacts facts = reader.finish();
//
// Formats, told apart line by line: Claude Code 2.1 (seen), Qwen Code 0.24 and Gemini CLI 0.61 (JSON lines),
// older Gemini CLI (one JSON document with `messages`), Codex 0.169 (rollouts), GitHub Copilot CLI (events),
// Cursor (its lines say neither tokens nor models). opencode names no transcript. They belong to their
// vendors and change: what is not understood is absent, never guessed, and the raw bytes are what is kept.
//
// Tokens are counted from records of usage alone. `input` is without what came from the cache, whatever the
// client counts; `output` is with what the model thought. An answer that stands on several lines, or is
// written again, counts once. Where a client says only a part of it, nothing is said.
//
// Writes come when the tool is known to have succeeded, or nothing is heard of its end; those of calls that
// failed or were refused do not come.
//
// Bounded: one line (kLongestTranscriptLine), a document of at most that size, and the calls that still run
// (kMostRunningCalls of them, kMostRunningBytes) are held. Broken and longer lines are passed over and
// counted. Numbers are clamped, so no transcript makes one overflow.

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/instant.hpp"
#include "clients/transcripts/file_edits.hpp"

namespace plankeep::clients {

inline constexpr std::size_t kLongestTranscriptLine = std::size_t{64} << 20;
inline constexpr std::size_t kMostRunningCalls = 256;
inline constexpr std::size_t kMostRunningBytes = std::size_t{64} << 20;

struct TokenUse {
  std::int64_t input = 0;           // fresh: not from the cache
  std::int64_t cache_creation = 0;  // put into the cache
  std::int64_t cache_read = 0;
  std::int64_t output = 0;
  std::int64_t calls = 0;  // of the model's API
  bool operator==(const TokenUse&) const = default;
};

struct TranscriptRecord {
  enum class Kind {
    prompt,  // what a person typed in the main conversation
    answer,  // what the model said
    tool,    // a call: its name in `tool`, the file, command or question in `text`
    write,   // what a tool put into a file: `edit`, `tool`
  };
  Kind kind = Kind::prompt;
  std::string text;
  std::string tool;
  FileEdit edit;
  std::string turn;  // the client's own id of the turn, or of the prompt that began it; may be empty
  std::optional<base::Instant> time;
  std::uint64_t line = 0;  // from 0; of a document the message
  bool subagent = false;
};

struct TranscriptFacts {
  std::uint64_t lines = 0;            // of a document: messages
  std::uint64_t broken = 0;           // no JSON, or too long
  std::optional<TokenUse> use;        // from `first_line` on; absent when nobody counted
  std::optional<TokenUse> subagents;  // of subagents, where their lines stand in the same transcript
  std::string model;                  // the last one that answered; empty: the transcript does not say
  std::string turn;                   // the last one
  bool document = false;              // one JSON document, not JSON lines
};

class TranscriptReader {
 public:
  using Sink = std::function<void(const TranscriptRecord& record)>;

  /// Lines before `first_line` are read for what later ones are counted from, and give no records.
  explicit TranscriptReader(Sink sink, std::uint64_t first_line = 0);
  ~TranscriptReader();
  TranscriptReader(const TranscriptReader&) = delete;
  TranscriptReader& operator=(const TranscriptReader&) = delete;

  void add(std::string_view bytes);
  /// A last line without a line feed counts if it is whole. Once, and nothing behind it.
  TranscriptFacts finish();

 private:
  class Interpreter;

  void end_line();

  std::unique_ptr<Interpreter> interpreter_;
  std::string line_;  // as far as it was given
  bool too_long_ = false;
  bool document_ = false;
  bool began_ = false;
};

/// A record as people read it, without a line feed at its end: "> prompt", the answer as it is, "[Edit
/// src/a.c]". Empty for a write, whose call has been shown. Not made safe to print.
std::string readable(const TranscriptRecord& record);

}  // namespace plankeep::clients
