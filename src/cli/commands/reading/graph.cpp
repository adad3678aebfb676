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
  Arguments arguments(program, "graph",
                      "Shows which tasks wait for which (`after:` of TASK markers), with their states. Only\n"
                      "reads. Mermaid is what GitHub draws in a ```mermaid block; DOT is Graphviz's.");
  arguments.choice("--format", format, {"text", "mermaid", "dot"}, "How to show it");
  arguments.plan(named);
  arguments.json(json);
  if (const auto stop = arguments.parse(words)) return *stop;
  if (json && format != "text") {
    return program.fail({base::ErrorKind::invalid_input,
                         "--json and --format " + format + " say two different things",
                         {},
                         {}},
                        About::request);
  }

  ExitCode code = ExitCode::fine;
  const auto plan = locate(program, named, code);
  if (!plan) return code;
  const auto shown = app::look(program.context, *plan, 0);
  if (!shown) return program.fail(shown.error(), About::file);
  for (const std::string& warning : shown->warnings) program.warn(warning);
  if (!shown->plan) {
    // The last recorded state knows nothing of dependencies.
    return program.fail({base::ErrorKind::io, "there is no plan to draw", {}, {}}, About::file);
  }
  const render::StatusView view = app::view_of(*shown);
  const render::Graph graph = render::make_graph(view, *shown->plan);
  if (json) return program.print(render::graph_json(graph));
  if (format == "mermaid") return program.print(render::graph_mermaid(graph));
  if (format == "dot") return program.print(render::graph_dot(graph));
  return program.print(render::graph_text(graph, program.style));
}

}  // namespace plankeep::cli
