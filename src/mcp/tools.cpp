#include "mcp/tools.hpp"

#include <utility>

#include "base/json_writer.hpp"
#include "mcp/safe_json.hpp"
#include "mcp/tool_table.hpp"
#include "project/discover.hpp"
#include "tracking/plan_work.hpp"

namespace plankeep::mcp {
namespace {

using base::JsonWriter;
using base::Result;

// Bytes of text beside structured content: more than any of it has in a plan of usual size.
constexpr std::size_t kLongestText = std::size_t{24} << 10;

constexpr std::string_view kPlanProperty =
    R"("plan":{"type":"string","description":"Plan file or folder; by default the project's plan"})";

void replace_all(std::string& text, std::string_view from, std::string_view to) {
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
}

// The schema with its pieces in place, in one line.
std::string expanded(std::string_view schema) {
  std::string text(schema);
  for (const SchemaPiece& piece : schema_pieces()) replace_all(text, piece.name, piece.json);
  std::string line;
  line.reserve(text.size());
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] == '\n') {
      at = std::min(text.find_first_not_of(' ', at + 1), text.size()) - 1;
      continue;
    }
    line += text[at];
  }
  return line;
}

std::string input_schema(const Tool& tool) {
  std::string schema = R"({"type":"object","properties":{)";
  if (!tool.properties.empty()) schema += expanded(tool.properties) + ",";
  schema += kPlanProperty;
  schema += "}";
  if (!tool.required.empty()) schema += ",\"required\":[" + std::string(tool.required) + "]";
  schema += ",\"additionalProperties\":false}";
  return schema;
}

void write_annotations(JsonWriter& out, const Tool& tool) {
  out.key("annotations").begin_object();
  out.key("title").value(tool.title);
  out.key("readOnlyHint").value(tool.effect == Effect::reads);
  out.key("destructiveHint").value(tool.effect == Effect::deletes);
  out.key("idempotentHint").value(tool.effect != Effect::adds);
  out.key("openWorldHint").value(false);
  out.end_object();
}

}  // namespace

Result<ToolAnswer> answer_of(std::string text, std::string_view json, bool failed) {
  TRY_ASSIGN(std::string structured, safe_json(json));
  if (text.size() > kLongestText) {
    const std::size_t end = text.rfind('\n', kLongestText);
    text.resize(end == std::string::npos ? 0 : end + 1);
    text += "… and more\n";
  }
  return ToolAnswer{std::move(text), std::move(structured), failed};
}

Result<app::PlanLocation> take_plan(ToolCall& call, PlanUse use) {
  std::optional<std::string> named = call.named;
  TRY(call.arguments.take("plan", named));
  TRY(call.arguments.finish());
  TRY_ASSIGN(app::FoundPlan found, app::discover(call.context, named));
  if (use == PlanUse::changes) TRY(app::require_trackable(call.context, found));
  return std::move(found.plan);
}

std::string PlanTools::list(Revision revision) {
  JsonWriter out(JsonWriter::Layout::compact);
  out.begin_array();
  for (const Tool& tool : tool_table()) {
    out.begin_object();
    out.key("name").value(tool.name);
    if (revision >= Revision::r2025_06_18) out.key("title").value(tool.title);
    out.key("description").value(tool.description);
    out.key("inputSchema").raw(input_schema(tool));
    if (revision >= Revision::r2025_06_18) out.key("outputSchema").raw(expanded(tool.output));
    if (revision >= Revision::r2025_03_26) write_annotations(out, tool);
    out.end_object();
  }
  out.end_array();
  std::string text = out.finish();
  text.pop_back();  // the line feed
  return text;
}

std::optional<ToolAnswer> PlanTools::call(std::string_view name, std::string_view arguments) {
  for (const Tool& tool : tool_table()) {
    if (tool.name != name) continue;
    auto read = ToolArguments::read(arguments);
    if (!read) return refusal(read.error());
    ToolCall call{context_, named_, std::move(*read)};
    auto answer = tool.run(call);
    if (!answer) return refusal(answer.error());
    return std::move(*answer);
  }
  return std::nullopt;
}

}  // namespace plankeep::mcp
