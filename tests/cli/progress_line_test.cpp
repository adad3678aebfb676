#include "cli/progress_line.hpp"

#include <atomic>
#include <catch2/catch.hpp>
#include <condition_variable>
#include <mutex>
#include <string>

using plankeep::cli::progress_text;
using plankeep::cli::ProgressLine;

namespace {

// What a terminal was given, and a way to wait for it.
struct Terminal {
  std::mutex mutex;
  std::condition_variable changed;
  std::string text;

  ProgressLine::Write write() {
    return [this](std::string_view more) {
      const std::lock_guard lock(mutex);
      text += more;
      changed.notify_all();
    };
  }
  void wait_for(const std::string& part) {
    std::unique_lock lock(mutex);
    changed.wait(lock, [&] { return text.find(part) != std::string::npos; });
  }
  std::string now() {
    const std::lock_guard lock(mutex);
    return text;
  }
};

std::size_t eighty() {
  return 80;
}

}  // namespace

TEST_CASE("progress says what is done and how much of it") {
  CHECK(progress_text("storing files", 0, 0, 80) == "storing files");
  CHECK(progress_text("storing files", 0, 12, 80) == "storing files: 0 of 12");
  CHECK(progress_text("storing files", 12000, 2000000, 80) == "storing files: 12,000 of 2,000,000");
  CHECK(progress_text("storing files", 13, 12, 80) == "storing files: 12 of 12");
  CHECK(progress_text("folders", 999, 0, 80) == "folders: 999");
  CHECK(progress_text("folders", 1000, 0, 80) == "folders: 1,000");
  CHECK(progress_text("storing files", 1, 2, 8) == "storing");
  CHECK(progress_text("storing files", 1, 2, 0).empty());
}

TEST_CASE("a stage is drawn while it lasts, and taken off at its end") {
  Terminal terminal;
  ProgressLine line(terminal.write(), eighty, std::chrono::milliseconds(0));
  line.begin("reading", 3);
  line.add(2);
  terminal.wait_for("\r\x1b[Kreading: 2 of 3");
  line.begin("writing", 0);
  terminal.wait_for("\r\x1b[Kwriting");
  line.end();
  CHECK(terminal.now().ends_with("\r\x1b[K"));
}

TEST_CASE("the line follows the width of a terminal that is resized") {
  Terminal terminal;
  std::atomic<std::size_t> columns{80};
  ProgressLine line(
      terminal.write(), [&columns] { return columns.load(); }, std::chrono::milliseconds(0));
  line.begin("reading the history", 0);
  terminal.wait_for("\r\x1b[Kreading the history");
  columns = 12;
  terminal.wait_for("\r\x1b[Kreading the\r");
  line.end();
}

TEST_CASE("nothing is written about work that is over in time") {
  Terminal terminal;
  {
    ProgressLine line(terminal.write(), eighty, std::chrono::hours(1));
    line.begin("reading", 3);
    line.add(3);
    line.clear();
    line.end();
  }
  ProgressLine unused(terminal.write(), eighty);
  unused.clear();
  CHECK(terminal.now().empty());
}
