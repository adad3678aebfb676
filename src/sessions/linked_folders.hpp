#pragma once
// What the folders really are that transcripts name through symbolic links: a project may have been opened
// through one, while git knows where it is.
//
//   LinkedFolders folders(files, top);
//   folders.see(path);                        // of each file that a tool's call names
//   span.real_folders = &folders.real();      // session_rules/session_part
//
// Only folders inside the work tree at `top` are kept. One that is gone is found by the nearest one above it
// that is still there. Looks at folders only, each once, at most kMostLinkedFolders of them.

#include <cstddef>
#include <set>
#include <string>

#include "session_rules/session_part.hpp"
#include "system/file_system.hpp"

namespace plankeep::app {

inline constexpr std::size_t kMostLinkedFolders = 4'000;

class LinkedFolders {
 public:
  /// `files` outlives it. `top`: absolute, and free of links.
  LinkedFolders(system::FileSystem& files, std::string top) : files_(files), top_(std::move(top)) {}

  /// A relative path means nothing here.
  void see(const std::string& path);
  /// Grows with each see().
  const core::RealFolders& real() const { return real_; }

 private:
  system::FileSystem& files_;
  std::string top_;
  std::set<std::string> seen_;
  core::RealFolders real_;
};

}  // namespace plankeep::app
