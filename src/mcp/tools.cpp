#include "mcp/tools.hpp"

#include <utility>

#include "json_rpc/json.hpp"
#include "mcp/tool_table.hpp"
#include "mcp/tool_words.hpp"
#include "project/current_plan.hpp"
#include "project/discover.hpp"
#include "render/style.hpp"
#include "tracking/plan_work.hpp"

namespace plankeep::mcp {
namespace {

using base::Result;

// Bytes of text beside structured content: more than any of it has in a plan of usual size.
constexpr std::size_t kLongestAnswer = std::size_t{24} << 10;

OrderedJson plan_property() {
  return {{"type", "string"}, {"description", "Plan file or folder; by default the project's plan"}};
}

// Every piece put in its place.
void expand(OrderedJson& schema) {
  if (schema.is_string()) {
    for (const SchemaPiece& piece : schema_pieces()) {
      if (schema == piece.name) schema = OrderedJson::parse(piece.json);
      if (!schema.is_string()) return;
    }
  } else if (schema.is_structured()) {
    for (OrderedJson& below : schema) expand(below);
  }
}

OrderedJson expanded(std::string_view json) {
  OrderedJson schema = OrderedJson::parse(json);
  expand(schema);
  return schema;
}

OrderedJson input_schema(const Tool& tool) {
  OrderedJson schema = {{"type", "object"}};
  OrderedJson& properties = schema["properties"] = expanded("{" + std::string(tool.properties) + "}");
  properties["plan"] = plan_property();
  if (!tool.required.empty()) schema["required"] = OrderedJson::parse("[" + std::string(tool.required) + "]");
  schema["additionalProperties"] = false;
  return schema;
}

OrderedJson annotations(const Tool& tool) {
  return {{"title", tool.title},
          {"readOnlyHint", tool.effect == Effect::reads},
          {"destructiveHint", tool.effect == Effect::deletes},
          {"idempotentHint", tool.effect != Effect::adds},
          {"openWorldHint", false}};
}

// Some clients give a model nothing but the structured answer.
void add_warning(const std::string& warning, ToolAnswer& answer) {
  answer.text = "! " + render::safe_line(warning) + "\n" + answer.text;
  if (!answer.structured.is_object()) return;
  OrderedJson& warnings = answer.structured["warnings"];
  if (!warnings.is_array()) warnings = OrderedJson::array();
  warnings.insert(warnings.begin(), json_rpc::made_safe(warning));
}

}  // namespace

ToolAnswer answer_of(std::string text, OrderedJson structured, bool failed) {
  if (text.size() > kLongestAnswer) {
    const std::size_t end = text.rfind('\n', kLongestAnswer);
    text.resize(end == std::string::npos ? 0 : end + 1);
    text += "… and more\n";
  }
  return {std::move(text), json_rpc::made_safe(std::move(structured)), failed};
}

Result<ToolAnswer> rendered_answer(std::string text, std::string_view json, bool failed) {
  TRY_ASSIGN(OrderedJson structured, json_rpc::parse_rendered(json));
  return answer_of(std::move(text), std::move(structured), failed);
}

Result<app::PlanLocation> take_plan(ToolCall& call, PlanUse use) {
  std::optional<std::string> named = call.named;
  TRY(call.arguments.take("plan", named));
  TRY(call.arguments.finish());
  call.chosen = named;
  TRY_ASSIGN(app::FoundPlan found, app::discover(call.context, named));
  call.warning = in_tool_words(app::gone_choice_words(call.context, found));
  if (use == PlanUse::changes) TRY(app::require_trackable(call.context, found));
  return std::move(found.plan);
}

OrderedJson PlanTools::list(Revision revision) {
  OrderedJson all = OrderedJson::array();
  for (const Tool& tool : tool_table()) {
    OrderedJson told = {{"name", tool.name}};
    if (revision >= Revision::r2025_06_18) told["title"] = tool.title;
    told["description"] = tool.description;
    told["inputSchema"] = input_schema(tool);
    if (revision >= Revision::r2025_06_18) told["outputSchema"] = expanded(tool.output);
    if (revision >= Revision::r2025_03_26) told["annotations"] = annotations(tool);
    all.push_back(std::move(told));
  }
  return all;
}

std::optional<ToolAnswer> PlanTools::call(std::string_view name, const Json& arguments) {
  for (const Tool& tool : tool_table()) {
    if (tool.name != name) continue;
    ToolCall call{context_, named_, ToolArguments(arguments)};
    auto answer = tool.run(call);
    if (!answer) answer = refusal(answer.error());
    if (!call.warning.empty()) add_warning(call.warning, *answer);
    return std::move(*answer);
  }
  return std::nullopt;
}

}  // namespace plankeep::mcp
