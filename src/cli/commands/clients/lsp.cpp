#include <algorithm>
#include <chrono>
#include <optional>

#include "cli/arguments.hpp"
#include "cli/commands/all.hpp"
#include "cli/version.hpp"
#include "lsp/plan_desk.hpp"
#include "lsp/server.hpp"

namespace plankeep::cli {
namespace {

class EditorWire : public lsp::Wire {
 public:
  explicit EditorWire(Program& program) : console_(program.console), processes_(program.context.processes) {}
  std::string read(std::size_t count, std::optional<std::chrono::milliseconds> at_most) override {
    bool gave_up = false;
    std::string bytes = at_most ? read_for(count, *at_most, gave_up) : console_.await(count);
    over_ = bytes.empty() && !gave_up;
    // Checkpoints that an earlier command asked for.
    if (processes_ != nullptr) processes_->collect_ended();
    return bytes;
  }
  std::string more(std::size_t count) override {
    bool gave_up = false;
    std::string bytes = console_.read(count, std::chrono::milliseconds(0), gave_up);
    over_ = (bytes.empty() && !gave_up) || console_.interrupted();
    return bytes;
  }
  bool over() const override { return over_; }
  bool write(std::string_view bytes) override { return console_.write(bytes); }

 private:
  // A request to end wakes only await(). A read looks for it once a second.
  static constexpr std::chrono::milliseconds kAtOnce{1000};

  std::string read_for(std::size_t count, std::chrono::milliseconds time, bool& gave_up) {
    for (auto left = time; !console_.interrupted(); left -= kAtOnce) {
      std::string bytes =
          console_.read(count, std::clamp(left, std::chrono::milliseconds(0), kAtOnce), gave_up);
      if (!gave_up || left <= kAtOnce) return bytes;
    }
    gave_up = false;
    return {};
  }

  Console& console_;
  bool over_ = false;
  system::Processes* processes_;
};

}  // namespace

ExitCode run_lsp(Program& program, const Words& words) {
  std::string actor;
  bool stdio = false;
  Arguments arguments(
      program, "lsp",
      "Runs a Language Server Protocol (LSP) server on standard input and output, for editors. They show\n"
      "a plan's diagnostics while you type, complete markers, and offer to tick, start and claim tasks.\n"
      "The editor starts and stops it.");
  arguments.flag("--stdio", stdio, "Accepted because editors pass it; the default and only transport");
  arguments.actor(actor);
  if (const auto stop = arguments.parse(words)) return *stop;
  EditorWire wire(program);
  lsp::PlanDesk desk(program.context, actor.empty() ? "person" : actor);
  return lsp::serve(wire, desk, std::string(kVersion)) == 0 ? ExitCode::fine : ExitCode::no;
}

}  // namespace plankeep::cli
