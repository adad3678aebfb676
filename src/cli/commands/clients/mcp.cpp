#include "cli/arguments.hpp"
#include "cli/commands/all.hpp"
#include "cli/version.hpp"
#include "mcp/server.hpp"
#include "mcp/tools.hpp"

namespace plankeep::cli {
namespace {

class ConsoleWire : public mcp::Wire {
 public:
  explicit ConsoleWire(Program& program) : console_(program.console), processes_(program.context.processes) {}
  std::string read(std::size_t count) override {
    std::string bytes = console_.await(count);
    // Checkpoints that an earlier message asked for.
    if (processes_ != nullptr) processes_->collect_ended();
    return bytes;
  }
  bool write(std::string_view bytes) override { return console_.write(bytes); }
  bool time_to_end() override { return console_.interrupted(); }

 private:
  Console& console_;
  system::Processes* processes_;
};

}  // namespace

ExitCode run_mcp(Program& program, const Words& words) {
  std::optional<std::string> named;
  Arguments arguments(
      program, "mcp",
      "Runs a Model Context Protocol (MCP) server on standard input and output: its tools offer a model\n"
      "what this program does. Clients start it themselves; plankeep install CLIENT --mcp registers it.\n"
      "It exits at the end of input or when interrupted.");
  arguments.plan(named);
  if (const auto stop = arguments.parse(words)) return *stop;
  if (program.console.can_ask())
    program.console.write_error(
        "plankeep mcp speaks JSON with a client, one message per line; stop it with Ctrl-D or Ctrl-C\n");
  ConsoleWire wire(program);
  mcp::PlanTools tools(program.context, std::move(named));
  mcp::serve(wire, tools, std::string(kVersion));
  return ExitCode::fine;
}

}  // namespace plankeep::cli
