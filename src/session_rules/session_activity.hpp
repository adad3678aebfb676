#pragma once
// What hooks note of a running session in one work tree, so that a commit can be linked to the sessions that
// touched its files: one line for each event, appended and never changed.
//
//   w src/a.cpp        written
//   d src/b.cpp        deleted
//   k 12 src/a.cpp     in a linked commit, as far as the first 12 touches (lines w and d) go
//   c src/a.cpp        the same, as far as the lines above go; read only
//   N 12               as many touches so far, where lines of them were left out
//   C claude-code      the client
//   T /path/to/file    its transcript
//   P 1700000000000    a prompt, Unix milliseconds
//   E 1700000000000    the session ended, Unix milliseconds
//   H <commit id>      HEAD when a turn began
//   O 120 48213        lines and bytes of the transcript that the last session checkpoint has
//   K <id>             a session checkpoint; it still lacks the rest of its turn
//   F <id>             it has the whole transcript of its turn now
//   X 12               paths left out
//
//   text += touched_line(Touch::written, "src/a.cpp");
//   if (text.size() > kLargestActivity) text = activity_text(fold_activity(text));
//
// Paths are relative to the top of the work tree, in git's bytes; "\" and line feed are written "\\" and
// "\n". Other lines are ignored, and so is a last line without a line feed: a crash or a full disk cut it
// off. Append with one write, and with a line feed in front if the file does not end in one. Whoever replaces
// the file by its shorter text has to lock out appenders meanwhile.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/instant.hpp"

namespace plankeep::core {

enum class Touch { written, deleted };

struct TouchedPath {
  std::string path;
  Touch touch = Touch::written;  // the last that was done to it
  std::uint64_t number = 0;      // of that touch, counted from 1 over all paths of the session
  bool operator==(const TouchedPath&) const = default;
};

struct TranscriptPosition {
  std::int64_t lines = 0;
  std::int64_t bytes = 0;
  bool operator==(const TranscriptPosition&) const = default;
};

struct SessionActivity {
  std::string client;      // empty: not known
  std::string transcript;  // absolute; empty: there is none
  std::optional<base::Instant> first_prompt;
  std::optional<base::Instant> last_prompt;
  TranscriptPosition linked;       // where the part begins that no session checkpoint has
  std::vector<std::string> heads;  // at the beginning of turns, oldest first, without repetitions in a row
  std::vector<TouchedPath> paths;  // in no linked commit yet; those touched last come last
  /// Session checkpoints that still lack the rest of their turn's transcript, oldest first.
  std::vector<std::string> unfinished;
  std::optional<base::Instant> ended;  // nullopt: it runs, perhaps again
  std::uint64_t left_out = 0;          // paths that activity_text() had no room for
  std::uint64_t touches = 0;           // of all paths, since the session began
  bool operator==(const SessionActivity&) const = default;
};

/// A longer text has to be replaced by its shorter form.
inline constexpr std::size_t kLargestActivity = std::size_t{4} << 20;
/// If there are more, the first (where the session began) and the newest stay.
inline constexpr std::size_t kMostHeads = 256;
/// If there are more, the oldest are forgotten: they keep the transcript up to their commit.
inline constexpr std::size_t kMostUnfinished = 64;

/// Whether a path stays below the top of the work tree: not absolute, no "", "." or ".." in it, no NUL, at
/// most 4096 bytes.
bool is_inner_path(std::string_view path);

// One line each, with its line feed. Empty: the value is invalid (not an inner path, not a client's name, not
// the id of a commit or session checkpoint, a number below 0).
std::string touched_line(Touch touch, std::string_view path);
/// What was touched later, while the commit's checkpoint was being written, waits for the next commit.
std::string committed_line(std::uint64_t touches, std::string_view path);
std::string client_line(std::string_view client);
std::string transcript_line(std::string_view path);
std::string prompt_line(base::Instant time);
std::string head_line(std::string_view commit);
std::string position_line(const TranscriptPosition& position);
std::string checkpoint_line(std::string_view id);
std::string finished_line(std::string_view id);
std::string ended_line(base::Instant time);

/// Any text is accepted. Time and memory grow with its length.
SessionActivity fold_activity(std::string_view text);

/// The shortest text that says the same. If it is longer than `limit` bytes, the paths touched longest ago
/// are left out and counted.
std::string activity_text(const SessionActivity& activity, std::size_t limit = kLargestActivity / 2);

}  // namespace plankeep::core
