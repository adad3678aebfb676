#pragma once
// What hooks note of a running session in one work tree, so that a commit can be linked to the sessions whose
// files it has: a line for each edit, appended and never changed.
//
//   w src/a.cpp        written                  C claude-code      the client
//   d src/b.cpp        deleted                  T /path/to/file    its transcript
//   c src/a.cpp        in a linked commit       P 1700000000000    a prompt, Unix milliseconds
//   H <commit id>      HEAD when a turn began   O 120 48213        lines and bytes of the transcript that
//   X 12               paths left out                              the last session checkpoint has
//   K <id>             session checkpoint  E 1700000000000  the session ended, Unix milliseconds
//   F <id>             it has the whole transcript of its turn now
//
//   text += touched_line(Touch::written, "src/a.cpp");
//   if (text.size() > kLargestActivity) text = activity_text(fold_activity(text));
//
// Paths are relative to the top of the work tree, in bytes as git has them; "\" and line feed are written
// "\\" and "\n". A line that is none of these is ignored, and so is a last one without a line feed: what a
// crash or a full disk left of an append. Append with one write, and a line feed in front when the file does
// not end in one. Who replaces the file by its shorter text has to keep appenders out meanwhile.

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
  std::vector<std::string> heads;  // at the beginning of turns, oldest first; the same again is not repeated
  std::vector<TouchedPath> paths;  // no linked commit has them yet; those touched last come last
  /// Session checkpoints that still wait for the rest of their turn's transcript, oldest first.
  std::vector<std::string> unfinished;
  std::optional<base::Instant> ended;  // nullopt: it runs, or went on after it had ended
  std::uint64_t left_out = 0;          // paths that activity_text() had no room for
  bool operator==(const SessionActivity&) const = default;
};

/// From here on the text is to be replaced by its shorter one.
inline constexpr std::size_t kLargestActivity = std::size_t{4} << 20;
/// Of more heads than these the first stays, where the session began, and the newest.
inline constexpr std::size_t kMostHeads = 256;
/// Of more unfinished checkpoints the oldest are forgotten: they keep the transcript up to their commit.
inline constexpr std::size_t kMostUnfinished = 64;

// One line each, with its line feed. Empty: the value cannot stand there (a path that leads out of the work
// tree or is longer than 4096 bytes, a client that is no name, a commit id that is none, an id that is no
// session checkpoint's, a number below 0).
std::string touched_line(Touch touch, std::string_view path);
std::string committed_line(std::string_view path);
std::string client_line(std::string_view client);
std::string transcript_line(std::string_view path);
std::string prompt_line(base::Instant time);
std::string head_line(std::string_view commit);
std::string position_line(const TranscriptPosition& position);
std::string checkpoint_line(std::string_view id);
std::string finished_line(std::string_view id);
std::string ended_line(base::Instant time);

/// Whatever the text is, never an error: time and memory grow with its length.
SessionActivity fold_activity(std::string_view text);

/// The shortest text that says the same. Where it would be longer than `limit` bytes, the paths that were
/// touched longest ago are left out and counted.
std::string activity_text(const SessionActivity& activity, std::size_t limit = kLargestActivity / 2);

}  // namespace plankeep::core
