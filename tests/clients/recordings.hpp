#pragma once
// What the clients really sent (tests/fixtures/hooks), and what it must be read as (expected/*.json; for
// opencode opencode/sent.json, which is what our plugin makes of the recordings).

#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "clients/client.hpp"

namespace plankeep::test {

struct Recording {
  std::string name;  // for messages: "codex/Stop.json"
  const clients::Client* client = nullptr;
  std::string event;
  std::map<std::string, std::string> variables;
  std::string payload;
  clients::Reading reading = clients::Reading::complete;
  nlohmann::json expected;
};

/// All of them; stops the test when a file cannot be read.
const std::vector<Recording>& recordings();

std::string read_file(const std::string& path);

clients::Variables lookup(std::map<std::string, std::string> variables);

/// The fields that are not empty, by their names.
nlohmann::json as_json(const core::HookEvent& event);

struct Read {
  base::Result<clients::Reading> reading;
  core::HookEvent event;
};
Read read(const std::string& client, const std::string& event, std::string_view payload,
          const std::map<std::string, std::string>& variables = {});

}  // namespace plankeep::test
