#include "render/graphs/graph.hpp"

#include "cli/arguments.hpp"
#include "cli/commands/all.hpp"
#include "cli/locate.hpp"
#include "reports/resume.hpp"

namespace plankeep::cli {

ExitCode run_graph(Program& program, const Words& words) {
  std::optional<std::string> named;
  std::string format = "text";
  bool json = false;
  Arguments arguments(
      program, "graph",
      "Shows which tasks wait for which others (`after:` of TASK markers), and their states. Read-only.\n"
      "Mermaid is what GitHub renders in a ```mermaid block; DOT is Graphviz's format.");
  arguments.choice("--format", format, {"text", "mermaid", "dot"}, "The format");
  arguments.plan(named);
  arguments.json(json);
  if (const auto stop = arguments.parse(words)) return *stop;
  if (json && format != "text") {
    return program.fail({base::ErrorKind::invalid_input,
                         "--json and --format " + format + " cannot be used together",
                         {},
                         {}},
                        About::request);
  }

  ExitCode code = ExitCode::fine;
  const auto plan = locate(program, named, code);
  if (!plan) return code;
  const auto shown = app::load_shown(program.context, *plan, 0);
  if (!shown) return program.fail(shown.error(), About::file);
  // The last recorded state knows nothing of dependencies.
  if (!shown->plan)
    return program.fail(app::without_plan(*shown, "what waits for what is unknown"), About::file);
  for (const std::string& warning : shown->warnings) program.warn(warning);
  const core::StatusView view = app::view_of(*shown);
  const render::Graph graph = render::make_graph(view, *shown->plan);
  if (json) return program.print(render::graph_json(graph));
  if (format == "mermaid") return program.print_data(render::graph_mermaid(graph));
  if (format == "dot") return program.print_data(render::graph_dot(graph));
  return program.print(render::graph_text(graph, program.style));
}

}  // namespace plankeep::cli
