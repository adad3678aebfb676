#pragma once
// What long work says of itself while it runs, for a person at a terminal (spec 9.4).
//
//   if (progress != nullptr) progress->begin("storing files", files.size());
//   ... progress->add(1) ...                 // as things are done
//   progress->end();                         // nothing is said any more
//
// Code that may take over half a second takes a pointer; null: nobody is told. begin() replaces what was
// said before, so that stages of one piece of work need no end() between them. Calls are cheap; whether and
// when something is shown is up to the implementation. Only the thread that does the work calls.

#include <cstdint>
#include <string_view>

namespace plankeep::system {

class Progress {
 public:
  virtual ~Progress() = default;
  /// `what`: "storing files", words of ours that fit any terminal. `total`: how many there are; 0: not known.
  virtual void begin(std::string_view what, std::uint64_t total) = 0;
  virtual void add(std::uint64_t count) = 0;
  virtual void end() = 0;
};

/// One stage for as long as this lives. `progress` may be null.
class ProgressStage {
 public:
  ProgressStage(Progress* progress, std::string_view what, std::uint64_t total = 0) : progress_(progress) {
    if (progress_ != nullptr) progress_->begin(what, total);
  }
  ~ProgressStage() {
    if (progress_ != nullptr) progress_->end();
  }
  ProgressStage(const ProgressStage&) = delete;
  ProgressStage& operator=(const ProgressStage&) = delete;
  void add(std::uint64_t count) {
    if (progress_ != nullptr) progress_->add(count);
  }

 private:
  Progress* progress_;
};

}  // namespace plankeep::system
