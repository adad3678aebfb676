#include "clients/resume_place.hpp"

#include <algorithm>
#include <array>

#include "base/text.hpp"
#include "base/utf8.hpp"
#include "clients/agent_name.hpp"
#include "clients/client.hpp"

namespace plankeep::clients {
namespace {

using base::ErrorKind;
using base::Result;

constexpr std::size_t kLongestId = 128;
// Clients cut a longer name and append a number that only they can compute.
constexpr std::size_t kLongestFolder = 200;

bool is_plain(char c) {
  return base::is_digit(c) || base::is_letter(c);
}

// "-home-dev-project" of "/home/dev/project". Clients count in UTF-16: two for a character above U+FFFF.
std::string folder_of_directory(std::string_view directory) {
  std::string name;
  for (std::size_t at = 0; at < directory.size();) {
    const base::CodePoint next = base::decode_at(directory, at);
    constexpr char32_t kLastOfOneUnit = 0xFFFF;
    if (next.length == 1 && next.valid && is_plain(directory[at])) {
      name += directory[at];
    } else {
      name.append(next.value > kLastOfOneUnit ? 2 : 1, '-');
    }
    at += next.length;
  }
  return name;
}

Result<std::string> project_folder(std::string_view client, const ResumedTranscript& transcript) {
  std::string name = folder_of_directory(transcript.directory);
  if (name.empty() || name.size() > kLongestFolder)
    return base::fail(ErrorKind::invalid_input, "the path of " + transcript.directory +
                                                    " is too long for the folders of " + agent_name(client));
  return name;
}

ResumePlace codex_place(const ResumedTranscript& transcript) {
  // "2026-11-20T13:40:01.000Z"
  const std::string time = base::to_iso8601(transcript.started);
  std::string stamp = time.substr(0, 19);
  std::replace(stamp.begin(), stamp.end(), ':', '-');
  ResumePlace place;
  place.variable = "CODEX_HOME";
  place.home = ".codex";
  place.folders = {"sessions", time.substr(0, 4), time.substr(5, 2), time.substr(8, 2)};
  place.any_day_end = "-" + transcript.session + ".jsonl";
  place.name = "rollout-" + stamp + place.any_day_end;
  place.command = {"codex", "resume", transcript.session};
  return place;
}

}  // namespace

bool is_plain_session(std::string_view id) {
  if (id.empty() || id.size() > kLongestId || !is_plain(id.front())) return false;
  return std::all_of(id.begin(), id.end(),
                     [](char c) { return is_plain(c) || c == '-' || c == '_' || c == '.'; });
}

std::string_view client_of_agent(std::string_view agent) {
  for (const Client& client : clients()) {
    if (agent == client.name || agent == client.title || agent == agent_name(client.name)) return client.name;
  }
  return {};
}

Result<ResumePlace> resume_place(std::string_view client, const ResumedTranscript& transcript) {
  const Client* const known = find_client(client);
  if (known == nullptr)
    return base::fail(ErrorKind::invalid_input, "no client is called \"" + std::string(client) + "\"");
  if (!is_plain_session(transcript.session))
    return base::fail(ErrorKind::invalid_input,
                      "the session's id cannot be given to a client: " + transcript.session);
  ResumePlace place;
  if (client == "claude-code") {
    TRY_ASSIGN(std::string folder, project_folder(client, transcript));
    place.variable = "CLAUDE_CONFIG_DIR";
    place.home = ".claude";
    place.folders = {"projects", std::move(folder)};
    place.name = transcript.session + ".jsonl";
    place.command = {"claude", "--resume", transcript.session};
    return place;
  }
  if (client == "qwen") {
    TRY_ASSIGN(std::string folder, project_folder(client, transcript));
    place.home = ".qwen";
    place.folders = {"projects", std::move(folder), "chats"};
    place.name = transcript.session + ".jsonl";
    place.command = {"qwen", "--resume", transcript.session};
    return place;
  }
  if (client == "codex") return codex_place(transcript);
  if (client == "copilot") {
    place.home = ".copilot";
    place.folders = {"session-state", transcript.session};
    place.name = "events.jsonl";
    place.command = {"copilot", "--resume=" + transcript.session};
    return place;
  }
  if (client == "gemini") {
    place.home = ".gemini";
    place.folders = {"plankeep"};
    place.name = transcript.session + ".jsonl";
    place.command = {"gemini", "--session-file"};
    place.takes_path = true;
    return place;
  }
  return base::fail(ErrorKind::invalid_input,
                    std::string(known->title) + " cannot resume a session from a transcript file",
                    "to read it: plankeep session show ID --transcript");
}

}  // namespace plankeep::clients
