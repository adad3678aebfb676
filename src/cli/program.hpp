#pragma once
// What every command has at hand, and the table of commands.
//
// A command is a function from its arguments (without its own name) to an exit status. It reads its options
// with cli/arguments, calls one use case and one renderer, and prints what that gives.

#include <chrono>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "cli/candidates.hpp"
#include "cli/console.hpp"
#include "cli/exit_code.hpp"
#include "cli/globals.hpp"
#include "project/context.hpp"
#include "project/plan_location.hpp"
#include "render/style.hpp"
#include "system/terminal_session.hpp"

namespace plankeep::cli {

struct Program {
  const app::Context& context;
  Console& console;
  render::Style style;        // of standard output
  render::Style error_style;  // of standard error
  /// Set while completions are made: commands then only say what they take (cli/arguments).
  std::vector<ArgumentSketch>* sketches = nullptr;
  bool on_terminal = false;  // standard output is one
  /// The exit status is 0 whatever happens, also when nothing can be printed, and an error is one line on
  /// standard error: a hook never breaks its host, nor does a status line.
  bool never_fails = false;
  /// The command that this is said of, as that line names it.
  std::string_view never_failing = "hook";
  /// Ends the process, where the program is one. Tests have none.
  std::function<void(ExitCode)> end_process{};
  /// Ends the process with status 0 and a line on standard error once so much time has passed, whatever it is
  /// doing then: what is on disk is what a kill leaves, and the next call goes on from it. Programs that the
  /// process has started are not ended. Tests have none.
  std::function<void(std::chrono::seconds)> end_at_deadline{};
  /// Becomes another program, with these words and, beside ours or instead of them, these variables
  /// ("NAME=value"). Comes back only with an error. Tests have none.
  std::function<base::Status(const std::vector<std::string>& words,
                             const std::vector<std::string>& variables)>
      become{};
  /// For commands that follow a file; null where there is none, then they look now and then.
  system::FileWatch* watch = nullptr;
  /// For commands that have the terminal to themselves; null where there is none.
  system::TerminalSession* terminal = nullptr;
  /// What was said in front of the command, and by cli/arguments what is said behind it.
  Globals globals{};
  /// Goes to another folder (-C). Tests have none.
  std::function<base::Status(const std::string&)> change_folder{};
  /// From now on long work says on the terminal what it is doing, where there is one. Called when the options
  /// are read, --quiet among them; empty for what serves a client or git.
  std::function<void()> show_progress{};
  /// Makes both styles anew after --color. Tests have none.
  std::function<void(Program&)> restyle{};
  /// Lines of the terminal; longer output goes through the pager where the command is one that reads.
  std::size_t rows = 24;
  bool pages = false;
  /// Columns that running text (help) is laid out for, in a pipe too.
  std::size_t text_columns = 80;
  /// The words of the command line: errors repeat none of them that is very long (short_words).
  std::vector<std::string> typed{};
  /// A whole document has been written: no error may follow it there.
  bool has_printed = false;

  /// For lists, a line for each thing: in a pipe nothing is cut.
  render::Style list_style() const {
    return {style.colour, on_terminal ? style.columns : render::kUnlimited};
  }

  /// Prints the error, with --json on standard output as well, and gives its exit status.
  ExitCode fail(const base::Error& error, About about);
  /// The same where the command ends with another status.
  ExitCode fail(const base::Error& error, ExitCode code);
  /// Nothing with --quiet.
  void warn(std::string_view warning);
  /// A line on standard error with --verbose.
  void explain(std::string_view text);
  /// Prints `text` for people, as the locale allows and through the pager where it is long, or JSON as it is,
  /// and gives `code`.
  ExitCode print(std::string_view text, ExitCode code = ExitCode::fine);
  /// Prints for people what the command has changed. Nothing with --quiet, unless `code` says that it did not
  /// succeed: then this says why.
  ExitCode report_change(std::string_view text, ExitCode code = ExitCode::fine);
  /// Prints what programs read, byte for byte.
  ExitCode print_data(std::string_view text, ExitCode code = ExitCode::fine);
  /// The last thing a command does that holds a plan or a state: ends here, since taking apart a large one
  /// takes as long as making it. Whatever must happen (files written, locks given back) has happened.
  ExitCode end(ExitCode code);
};

struct Command {
  std::string_view name;
  std::string_view summary;  // imperative, no full stop
  std::string_view group;
  ExitCode (*run)(Program& program, const std::vector<std::string>& arguments);
  bool pages = false;  // it reads: long output goes through the pager on a terminal
};

/// In the order of the help, groups together.
std::span<const Command> commands();
const Command* find_command(std::string_view name);

/// What `plankeep --help` prints.
std::string overview();

/// `text` with what it repeats of very long words, and of values behind "=", cut: the beginning says which is
/// meant.
std::string short_words(std::string text, std::span<const std::string> typed);

}  // namespace plankeep::cli
