#pragma once
// Every tool: what a client is told of it, and what runs. Private to this room.

#include <span>
#include <string>
#include <string_view>

#include "base/result.hpp"
#include "json_rpc/json.hpp"
#include "mcp/protocol.hpp"
#include "mcp/tool_arguments.hpp"
#include "project/context.hpp"
#include "project/plan_location.hpp"

namespace plankeep::mcp {

/// What a tool may do to what is there.
enum class Effect {
  reads,    // nothing
  keeps,    // adds; the same call again does nothing more
  adds,     // adds each time
  deletes,  // takes away what does not come back
};

struct ToolCall {
  const app::Context& context;
  const std::optional<std::string>& named;  // the server's plan
  ToolArguments arguments;
  std::optional<std::string> chosen{};  // by take_plan: the call's own plan, else the server's
  std::string warning{};                // likewise: why the plan is not the one that a person chose
};

struct Tool {
  std::string_view name;
  std::string_view title;
  std::string_view description;
  /// JSON: the properties of the input without `plan`, which every tool has, and the names of those that are
  /// required.
  std::string_view properties;
  std::string_view required;
  /// JSON Schema of the structured answer.
  std::string_view output;
  Effect effect = Effect::reads;
  base::Result<ToolAnswer> (*run)(ToolCall& call);
};

/// A part of several schemas; the string `name` stands for it there. Pieces hold no pieces.
struct SchemaPiece {
  std::string_view name;
  std::string_view json;
};
std::span<const SchemaPiece> schema_pieces();

/// In the order in which they are listed.
std::span<const Tool> tool_table();

/// The answer with its JSON made safe; `text` is safe already and is cut to what a model can be given.
[[nodiscard]] ToolAnswer answer_of(std::string text, OrderedJson structured, bool failed = false);
/// The same with the JSON of a renderer; `internal` when that is none.
[[nodiscard]] base::Result<ToolAnswer> rendered_answer(std::string text, std::string_view json,
                                                       bool failed = false);

/// The call's plan, once all its arguments were taken; `changes`: for a tool that changes something, as
/// cli/locate_tracked.
enum class PlanUse { reads, changes };
[[nodiscard]] base::Result<app::PlanLocation> take_plan(ToolCall& call, PlanUse use);

base::Result<ToolAnswer> plan_status(ToolCall& call);
base::Result<ToolAnswer> resume_context(ToolCall& call);
base::Result<ToolAnswer> complete_task(ToolCall& call);
base::Result<ToolAnswer> record(ToolCall& call);
base::Result<ToolAnswer> claim_task(ToolCall& call);
base::Result<ToolAnswer> create_checkpoint(ToolCall& call);
base::Result<ToolAnswer> get_checkpoint(ToolCall& call);
base::Result<ToolAnswer> list_checkpoints(ToolCall& call);
base::Result<ToolAnswer> cleanup_checkpoints(ToolCall& call);

}  // namespace plankeep::mcp
