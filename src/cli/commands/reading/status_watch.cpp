#include "cli/commands/reading/status_watch.hpp"

#include <chrono>
#include <utility>

#include "board_screen/watched_plan.hpp"
#include "cli/commands/reading/ended_by.hpp"
#include "cli/terminal_style.hpp"
#include "render/style.hpp"
#include "rules/listing/phase_name.hpp"

namespace plankeep::cli {
namespace {

using std::chrono::milliseconds;

// Editors and agents write in several steps; half a plan is not worth a look.
constexpr milliseconds kRestOfFiles{50};
constexpr milliseconds kLongestUnrestOfFiles{1000};
// The files tell of changes; this is only how long one sleep may be.
constexpr milliseconds kLongSleep = std::chrono::hours(12);

constexpr std::string_view kTakeScreen = "\x1b[?1049h\x1b[?25l";
constexpr std::string_view kGiveBack = "\x1b[?25h\x1b[?1049l";

class StatusWatch {
 public:
  StatusWatch(Program& program, const app::PlanLocation& plan, const std::string& phase,
              render::StatusDetail detail)
      : program_(program), plan_(plan), phase_(phase), detail_(detail) {}

  /// Reads the plan; whether anything is to be shown anew. not_found when there is nothing left to show.
  base::Result<bool> look() {
    listen();
    const std::size_t recent = program_.globals.json ? 0 : kRecentEvents;
    TRY_ASSIGN(const app::Shown shown, board_screen::load_watched(program_.context, plan_, recent));
    view_ = app::view_of(shown);
    if (!phase_.empty()) {
      TRY_ASSIGN(detail_.phase, core::find_phase(core::names_of_phases(view_.phases), phase_));
    }
    // Ages ("2 min ago") change without anything having happened.
    const base::Instant now = std::exchange(view_.now, base::Instant{});
    std::string without_ages = render::status_text(view_, {}, detail_);
    view_.now = now;
    return std::exchange(seen_, std::move(without_ages)) != seen_ || !std::exchange(looked_, true);
  }

  std::string text() const {
    if (program_.globals.json) return render::status_json(view_);
    return render::status_text(view_, program_.style, detail_);
  }

  /// How long until an age in it is another one; none: it shows no age.
  std::optional<milliseconds> until_older() const {
    if (!view_.last_saved) return std::nullopt;
    const std::int64_t age = program_.context.clock.now().milliseconds - view_.last_saved->milliseconds;
    return milliseconds(base::kMinute - (age < 0 ? 0 : age % base::kMinute));
  }

  void grow_older() { view_.now = program_.context.clock.now(); }

  void resize(const system::Terminal& terminal) {
    program_.style.columns = terminal.columns;
    program_.rows = terminal.rows;
    detail_.rows = terminal.rows;
  }

  void let_it_rest() {
    if (program_.watch == nullptr) return;
    const auto until = std::chrono::steady_clock::now() + kLongestUnrestOfFiles;
    while (program_.watch->wait(kRestOfFiles) && std::chrono::steady_clock::now() < until) {
    }
  }

 private:
  // Before the files are read: what happens from here on is seen by one of the two.
  void listen() {
    if (program_.watch == nullptr) return;
    for (const std::string& file : board_screen::watched_files(program_.context, plan_))
      (void)program_.watch->add(file);
  }

  Program& program_;
  const app::PlanLocation& plan_;
  const std::string& phase_;
  render::StatusDetail detail_;
  core::StatusView view_;
  std::string seen_;
  bool looked_ = false;
};

// Each new status once, for whoever reads along.
ExitCode print_each(Program& program, StatusWatch& status) {
  bool first = true;
  for (;;) {
    const auto is_new = status.look();
    if (!is_new) return program.fail(is_new.error(), About::plan);
    if (*is_new) {
      const bool apart = !std::exchange(first, false) && !program.globals.json;
      const std::string text = (apart ? "\n" : "") + status.text();
      if (!program.console.write(program.style.ascii ? render::in_ascii(text) : text)) return ExitCode::fine;
    }
    if (!program.console.wait(kLongSleep, program.watch)) return ExitCode::fine;
    status.let_it_rest();
  }
}

// The text from the upper left corner on, and nothing else on the screen.
std::string screen_of(const std::string& text, std::size_t rows) {
  std::string screen = "\x1b[H";
  std::string_view rest = text;
  for (std::size_t row = 0; row < rows && !rest.empty(); ++row) {
    const std::size_t end = rest.find('\n');
    if (row > 0) screen += "\r\n";
    screen += rest.substr(0, end);
    screen += "\x1b[K";
    rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
  }
  return screen + "\x1b[J";
}

// Puts the screen back, then the terminal's modes, whatever happens.
class OwnScreen {
 public:
  explicit OwnScreen(Program& program) : program_(program) { take(); }
  ~OwnScreen() {
    give_back();
    program_.terminal->close();
  }
  OwnScreen(const OwnScreen&) = delete;
  OwnScreen& operator=(const OwnScreen&) = delete;

  void take() { program_.console.write(kTakeScreen); }
  void give_back() { program_.console.write(kGiveBack); }

 private:
  Program& program_;
};

base::Result<int> draw_each(Program& program, StatusWatch& status) {
  system::TerminalSession& terminal = *program.terminal;
  TRY(terminal.open());
  terminal.set_farewell(std::string(kGiveBack));
  terminal.read_single_keys();
  OwnScreen screen(program);
  status.resize(terminal.size());
  TRY(status.look());
  for (;;) {
    const std::string text = status.text();
    program.console.write(screen_of(program.style.ascii ? render::in_ascii(text) : text, program.rows));
    switch (terminal.wait(status.until_older(), program.watch)) {
      using Woken = system::TerminalSession::Woken;
      case Woken::end:
        // Ctrl-C is a way to end this as good as q.
        return terminal.ending_signal();
      case Woken::keys:
        if (terminal.read_keys().find_first_of("qQ") != std::string::npos) return 0;
        break;
      case Woken::stop:
        screen.give_back();
        terminal.stop();
        screen.take();
        status.resize(terminal.size());
        break;
      case Woken::resumed:
        // Somebody else stopped us, and the shell has had the terminal.
        terminal.read_single_keys();
        screen.take();
        status.resize(terminal.size());
        break;
      case Woken::resized:
        status.resize(terminal.size());
        break;
      case Woken::files:
        status.let_it_rest();
        TRY(status.look());
        break;
      case Woken::time:
        status.grow_older();
        break;
    }
  }
}

}  // namespace

ExitCode watch_status(Program& program, const app::PlanLocation& plan, const std::string& phase,
                      render::StatusDetail detail) {
  StatusWatch status(program, plan, phase, detail);
  const bool draws = program.terminal != nullptr && program.on_terminal && program.console.can_ask() &&
                     !program.globals.json && is_smart_terminal(program.context.environment, true);
  if (!draws) return print_each(program, status);
  const auto ended = draw_each(program, status);
  if (!ended) return program.fail(ended.error(), About::plan);
  constexpr int kInterrupt = 2;  // SIGINT
  return *ended == kInterrupt ? ExitCode::fine : ended_by(*ended);
}

}  // namespace plankeep::cli
