// What it costs the board to show a change that somebody else made: the plan read anew, the model told, and a
// frame drawn. What the terminal takes to show it is the terminal's.
//
//   bench_board_redraw FOLDER RUNS      of a tracked plan.md; prints "board-redraw TAB <median, microseconds>
//   TAB 0 TAB <peak memory, KiB>"

#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "board/draw.hpp"
#include "board_screen/plan_desk.hpp"
#include "project/discover.hpp"
#include "system/posix/posix_clock.hpp"
#include "system/posix/posix_environment.hpp"
#include "system/posix/posix_file_system.hpp"
#include "system/posix/posix_processes.hpp"

namespace {

using namespace plankeep;

void need(const base::Status& status) {
  if (status) return;
  std::fprintf(stderr, "%s\n", status.error().message.c_str());
  std::exit(1);
}

std::string text_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace

int main(int argc, char** argv) {
  const int runs = argc == 3 ? std::atoi(argv[2]) : 0;
  if (runs < 1) return 2;
  (void)std::signal(SIGPIPE, SIG_IGN);
  const std::string folder = argv[1];
  const system::PosixEnvironment environment;
  system::PosixFileSystem files;
  system::PosixClock clock(environment);
  system::PosixProcesses processes;
  const app::Context context{files, clock, environment, &processes};
  const auto found = app::plan_at(context, folder + "/plan.md");
  if (!found) {
    std::fprintf(stderr, "%s\n", found.error().message.c_str());
    return 1;
  }
  board::Board board;
  board.resize({50, 200});
  board_screen::PlanDesk desk(context, found->plan, "person", board);
  need(desk.load());

  const std::string path = found->plan.path();
  std::string text = text_of(path);
  const std::size_t item = text.find("- [ ]", text.size() / 2);
  if (item == std::string::npos) {
    std::fprintf(stderr, "no open task in the second half of the plan\n");
    return 1;
  }
  const std::size_t box = item + 3;
  std::vector<double> times;
  std::size_t rows = 0;
  for (int i = 0; i < runs; ++i) {
    text[box] = text[box] == ' ' ? 'x' : ' ';
    std::ofstream(path, std::ios::binary) << text;
    const auto begin = std::chrono::steady_clock::now();
    need(desk.reload());
    rows += board::draw(board).rows.size();
    times.push_back(
        std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - begin).count());
    if (!board.has_marks()) {
      std::fprintf(stderr, "the change was not seen\n");
      return 1;
    }
    board.forget_marks();
  }
  std::sort(times.begin(), times.end());
  rusage used{};
  (void)::getrusage(RUSAGE_SELF, &used);
  std::printf("board-redraw\t%.1f\t0\t%ld\n", times[times.size() / 2], used.ru_maxrss);
  return rows > 0 ? 0 : 1;
}
