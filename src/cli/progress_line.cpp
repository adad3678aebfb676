#include "cli/progress_line.hpp"

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>

namespace plankeep::cli {
namespace {

using Clock = std::chrono::steady_clock;

// "12,000"
std::string grouped(std::uint64_t number) {
  std::string text = std::to_string(number);
  for (std::size_t at = text.size(); at > 3;) {
    at -= 3;
    text.insert(at, 1, ',');
  }
  return text;
}

constexpr std::string_view kErase = "\r\x1b[K";

}  // namespace

std::string progress_text(std::string_view what, std::uint64_t done, std::uint64_t total,
                          std::size_t columns) {
  std::string text(what);
  if (total > 0) {
    text += ": " + grouped(done < total ? done : total) + " of " + grouped(total);
  } else if (done > 0) {
    text += ": " + grouped(done);
  }
  // The last column stays free: some terminals wrap there.
  if (text.size() + 1 > columns) text.resize(columns > 0 ? columns - 1 : 0);
  return text;
}

struct ProgressLine::Shared {
  Write write;
  Columns columns;
  std::chrono::milliseconds silence{0};

  std::atomic<std::uint64_t> done{0};
  std::mutex mutex;  // of all below, and of what is on the terminal
  std::condition_variable changed;
  std::string what;  // empty: nothing is to be said
  std::uint64_t total = 0;
  Clock::time_point from;  // when the stages without a break between them began
  bool drawn = false;
  bool over = false;

  // Under the mutex.
  void erase() {
    if (std::exchange(drawn, false)) write(kErase);
  }
};

ProgressLine::ProgressLine(Write write, Columns columns, std::chrono::milliseconds silence, Start start)
    : shared_(std::make_shared<Shared>()), start_(std::move(start)) {
  shared_->write = std::move(write);
  shared_->columns = std::move(columns);
  shared_->silence = silence;
}

// The thread is not waited for: it has its own share of the numbers, and sees that it is over.
ProgressLine::~ProgressLine() {
  const std::lock_guard lock(shared_->mutex);
  shared_->over = true;
  shared_->erase();
  shared_->changed.notify_all();
}

void ProgressLine::begin(std::string_view what, std::uint64_t total) {
  {
    const std::lock_guard lock(shared_->mutex);
    if (shared_->what.empty()) shared_->from = Clock::now();
    shared_->what = what;
    shared_->total = total;
    shared_->done = 0;
    shared_->changed.notify_all();
  }
  if (std::exchange(running_, true)) return;
  try {
    start_([shared = shared_] { draw(shared); });
  } catch (const std::system_error&) {
    // No more threads may be started: the work goes on without the line.
  }
}

void ProgressLine::add(std::uint64_t count) {
  shared_->done.fetch_add(count, std::memory_order_relaxed);
}

void ProgressLine::end() {
  const std::lock_guard lock(shared_->mutex);
  shared_->what.clear();
  shared_->erase();
}

void ProgressLine::clear() {
  const std::lock_guard lock(shared_->mutex);
  shared_->erase();
}

void ProgressLine::start_thread(std::function<void()> work) {
  std::thread(std::move(work)).detach();
}

void ProgressLine::draw(const std::shared_ptr<Shared>& shared) {
  std::unique_lock lock(shared->mutex);
  while (!shared->over) {
    if (shared->what.empty()) {
      shared->changed.wait(lock);
      continue;
    }
    const auto due = shared->from + shared->silence;
    if (Clock::now() < due) {
      shared->changed.wait_until(lock, due);
      continue;
    }
    shared->write(std::string(kErase) +
                  progress_text(shared->what, shared->done, shared->total, shared->columns()));
    shared->drawn = true;
    shared->changed.wait_for(lock, kBetween);
  }
}

}  // namespace plankeep::cli
