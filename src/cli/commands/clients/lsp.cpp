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
  std::string read(std::size_t count) override {
    std::string bytes = console_.await(count);
    // Checkpoints that an earlier command asked for.
    if (processes_ != nullptr) processes_->collect_ended();
    return bytes;
  }
  std::string more(std::size_t count) override {
    bool gave_up = false;
    return console_.read(count, std::chrono::milliseconds(0), gave_up);
  }
  bool write(std::string_view bytes) override { return console_.write(bytes); }

 private:
  Console& console_;
  system::Processes* processes_;
};

}  // namespace

ExitCode run_lsp(Program& program, const Words& words) {
  std::string actor;
  bool stdio = false;
  Arguments arguments(
      program, "lsp",
      "Runs a Language Server Protocol (LSP) server on standard input and output: editors show a plan's\n"
      "diagnostics as it is typed, and tick, start and claim tasks. Editors start it themselves.\n"
      "It exits when the editor says so, at the end of input or when interrupted.");
  arguments.flag("--stdio", stdio, "Accepted because editors pass it; there is no other way to talk");
  arguments.actor(actor);
  if (const auto stop = arguments.parse(words)) return *stop;
  EditorWire wire(program);
  lsp::PlanDesk desk(program.context, actor.empty() ? "person" : actor);
  return lsp::serve(wire, desk, std::string(kVersion)) == 0 ? ExitCode::fine : ExitCode::no;
}

}  // namespace plankeep::cli
