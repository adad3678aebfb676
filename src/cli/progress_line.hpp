#pragma once
// One line on standard error that says what long work is doing, while it is doing it.
//
//   ProgressLine line([](std::string_view text) { write_to_standard_error(text); }, width_of_the_terminal);
//   context.progress = &line;       // only where standard error is a terminal on which a line can be drawn
//   ... the work ...
//   line.clear();                   // before anything else is written to the terminal
//
// Nothing is shown during the first half second of work: of a stage, or of several that follow one another
// without a break. Then the line is drawn by a thread of its own, five times a second, so that it also
// appears while the work waits for another program. The thread is started by the first stage and ends with
// the process: it touches nothing but the shared numbers and `write`, and takes no signals. It may hold the
// lock while the process forks, so a forked child must not use the line. `start` is how a thread is started
// that takes no signals, which a system does in its own way.

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "system/progress.hpp"

namespace plankeep::cli {

/// "storing files: 12,000 of 20,000"; without a total "looking for plans in folders: 512", and without a
/// count the words alone. At most `columns` characters.
std::string progress_text(std::string_view what, std::uint64_t done, std::uint64_t total,
                          std::size_t columns);

class ProgressLine : public system::Progress {
 public:
  using Write = std::function<void(std::string_view)>;
  using Columns = std::function<std::size_t()>;  // of the terminal, asked each time: it may be resized
  // Runs `work` in a thread of its own and does not wait for it; throws std::system_error when there is none.
  using Start = std::function<void(std::function<void()> work)>;
  static constexpr std::chrono::milliseconds kSilence{500};
  static constexpr std::chrono::milliseconds kBetween{200};

  /// `silence`: how long nothing is shown of work that has begun.
  ProgressLine(Write write, Columns columns, std::chrono::milliseconds silence = kSilence,
               Start start = start_thread);
  ~ProgressLine() override;

  void begin(std::string_view what, std::uint64_t total) override;
  void add(std::uint64_t count) override;
  void end() override;

  /// Takes the line off the terminal, until it is drawn again.
  void clear();

 private:
  struct Shared;
  static void start_thread(std::function<void()> work);
  static void draw(const std::shared_ptr<Shared>& shared);

  std::shared_ptr<Shared> shared_;
  Start start_;
  bool running_ = false;
};

}  // namespace plankeep::cli
