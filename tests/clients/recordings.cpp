#include "clients/recordings.hpp"

#include <fstream>
#include <iterator>
#include <stdexcept>

namespace plankeep::test {
namespace {

using clients::Reading;
using nlohmann::json;

const std::string kTables = std::string(PLANKEEP_TESTS_DIR) + "/clients/";
const std::string kFixtures = std::string(PLANKEEP_TESTS_DIR) + "/fixtures/hooks/";

void add_table(const std::string& name, std::vector<Recording>& all) {
  const json table = json::parse(read_file(kTables + "expected/" + name + ".json"));
  for (const json& row : table.at("recordings")) {
    const std::string file = table.at("folder").get<std::string>() + "/" + row.at("file").get<std::string>();
    all.push_back({.name = file + " as " + name,
                   .client = clients::find_client(table.at("client").get<std::string>()),
                   .event = row.at("event"),
                   .variables = table.at("variables"),
                   .payload = read_file(kFixtures + file),
                   .reading = row.at("reading") == "enough" ? Reading::enough : Reading::complete,
                   .expected = row.at("expect")});
  }
}

/// Our own format: its keys are the fields under other names.
void add_opencode(std::vector<Recording>& all) {
  const std::map<std::string, std::string> names = {
      {"event", "kind"}, {"sessionID", "session_id"}, {"agentID", "agent_id"}, {"agentType", "agent_type"}};
  for (const json& row : json::parse(read_file(kTables + "opencode/sent.json"))) {
    json expected = {{"client", "opencode"}, {"client_event", row.at("event")}};
    for (const auto& [key, value] : row.at("payload").items()) {
      // What was written is read by edited_text, and no part of the event.
      if (key == "edits" || key == "input") continue;
      expected[names.contains(key) ? names.at(key) : key] = value;
    }
    all.push_back({.name = "opencode/" + row.at("file").get<std::string>(),
                   .client = clients::find_client("opencode"),
                   .event = row.at("event"),
                   .variables = {},
                   .payload = row.at("payload").dump(),
                   .reading = Reading::complete,
                   .expected = expected});
  }
}

}  // namespace

std::string read_file(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) throw std::runtime_error("cannot read " + path);
  return std::string(std::istreambuf_iterator<char>(in), {});
}

const std::vector<Recording>& recordings() {
  static const std::vector<Recording> kAll = [] {
    std::vector<Recording> all;
    for (const char* name :
         {"claude-code", "codex", "copilot", "copilot-running-claude-code-hooks", "gemini", "qwen"})
      add_table(name, all);
    add_opencode(all);
    return all;
  }();
  return kAll;
}

clients::Variables lookup(std::map<std::string, std::string> variables) {
  return [variables = std::move(variables)](const std::string& name) -> std::optional<std::string> {
    const auto found = variables.find(name);
    if (found == variables.end()) return std::nullopt;
    return found->second;
  };
}

json as_json(const core::HookEvent& event) {
  json out = {{"kind", std::string(core::name_of(event.kind))}};
  const auto text = [&](const char* name, const std::string& value) {
    if (!value.empty()) out[name] = value;
  };
  const auto flag = [&](const char* name, bool value) {
    if (value) out[name] = true;
  };
  text("client", event.client);
  text("client_event", event.client_event);
  text("session_id", event.session_id);
  text("cwd", event.cwd);
  text("project", event.project);
  text("transcript", event.transcript);
  text("source", event.source);
  text("prompt", event.prompt);
  for (const core::Notified& notified : event.notified)
    out["notified"].push_back({{"task_id", notified.task_id}, {"status", notified.status}});
  if (!event.paths.empty()) out["paths"] = event.paths;
  text("agent_id", event.agent_id);
  text("agent_type", event.agent_type);
  text("team", event.team);
  text("tool_use_id", event.tool_use_id);
  text("started_type", event.started_type);
  text("agent_transcript", event.agent_transcript);
  text("message", event.message);
  flag("stop_active", event.stop_active);
  flag("background", event.background);
  flag("failed", event.failed);
  flag("outside", event.outside);
  if (event.process) out["process"] = *event.process;
  if (event.context_percent) out["context_percent"] = *event.context_percent;
  if (event.context_tokens) out["context_tokens"] = *event.context_tokens;
  if (event.context_window) out["context_window"] = *event.context_window;
  return out;
}

Read read(const std::string& client, const std::string& event, std::string_view payload,
          const std::map<std::string, std::string>& variables) {
  Read result{clients::Reading::complete, {}};
  result.reading = clients::find_client(client)->read(event, payload, lookup(variables),
                                                      clients::Extent::needed, result.event);
  return result;
}

}  // namespace plankeep::test
