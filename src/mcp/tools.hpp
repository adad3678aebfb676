#pragma once
// plankeep's tools: the use cases of the command line, for a model.
//
//   PlanTools tools(context, named);
//   serve(wire, tools, version);
//
// Every call finds the plan as the command line does (`plan` of the call, else `named`, else
// project/discover) and reads it anew. What a use case refuses, and where the command line ends with a status
// that is not 0, is an answer that failed, with the error's kind, message and hint. Structured answers have
// the shapes of the commands' --json (schemas/); their texts, and the texts beside them, are safe to be shown
// and bounded.

#include <optional>
#include <string>
#include <string_view>

#include "mcp/protocol.hpp"
#include "project/context.hpp"

namespace plankeep::mcp {

class PlanTools : public ToolBox {
 public:
  /// `named`: the plan that was named when the server was started.
  PlanTools(const app::Context& context, std::optional<std::string> named)
      : context_(context), named_(std::move(named)) {}

  OrderedJson list(Revision revision) override;
  std::optional<ToolAnswer> call(std::string_view name, const Json& arguments) override;

 private:
  const app::Context& context_;
  std::optional<std::string> named_;
};

}  // namespace plankeep::mcp
