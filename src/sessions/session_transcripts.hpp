#pragma once
// The transcripts that clients keep, read once for many commits.
//
//   SessionTranscripts transcripts(files, top);
//   const ReadTranscript& one = transcripts.read(path);
//   if (one.text == nullptr) ... one.missing ...
//
// Bounded: texts of at most kKeptTranscripts bytes stay in memory, those that were used longest ago go first;
// when each began and ended is remembered, so that most commits need not look at most transcripts again.

#include <cstdint>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "base/instant.hpp"
#include "sessions/linked_folders.hpp"
#include "system/file_system.hpp"

namespace plankeep::app {

/// The largest transcript that is taken.
inline constexpr std::uint64_t kLargestExportedTranscript = std::uint64_t{256} << 20;
inline constexpr std::uint64_t kKeptTranscripts = std::uint64_t{256} << 20;

struct ReadTranscript {
  std::shared_ptr<const std::string> text;  // null: there is none that can be used
  std::string missing;                      // why
  bool lost = false;                        // there was one, and it cannot be used
};

class SessionTranscripts {
 public:
  /// `files` outlives it. `top`: of the work tree, as git names it.
  SessionTranscripts(system::FileSystem& files, std::string top)
      : files_(files), folders_(files, std::move(top)) {}

  /// Whether a line of it may be from between these moments, `after` left out. True where the transcript does
  /// not say: then read() tells why.
  bool speaks_of(const std::string& path, std::optional<base::Instant> after, base::Instant until);
  /// `path`: absolute, as the client named it.
  ReadTranscript read(const std::string& path);
  /// Of all transcripts that were looked at so far.
  LinkedFolders& folders() { return folders_; }

 private:
  struct Known {
    std::string missing;
    bool lost = false;
    std::optional<base::Instant> first;
    std::optional<base::Instant> last;
  };
  Known& look(const std::string& path);
  void keep(const std::string& path, std::shared_ptr<const std::string> text);

  system::FileSystem& files_;
  LinkedFolders folders_;
  std::map<std::string, Known> known_;
  std::list<std::pair<std::string, std::shared_ptr<const std::string>>> texts_;  // used last: first
  std::uint64_t bytes_ = 0;
};

}  // namespace plankeep::app
