// What clients send to their hooks, on any bytes: every call gets one, and anybody can put a file's content
// into it.
//
// The first line of an input says how the hook was called, "codex PostToolUse"; the payload follows.

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "clients/client.hpp"
#include "clients/own_calls.hpp"
#include "clients/patch_paths.hpp"
#include "clients/payload.hpp"
#include "clients/shell_words.hpp"
#include "clients/status_line.hpp"
#include "fuzz/law.hpp"
#include "support/payload_pieces.hpp"

namespace {

using namespace plankeep;
using clients::Extent;
using clients::Reading;
using fuzz::law;

std::optional<std::string> variable(const std::string& name) {
  if (name == "CLAUDE_PID") return "4711";
  return std::nullopt;
}
const clients::Variables kVariables = variable;

struct Told {
  bool read = false;
  core::HookEvent event;
  core::HookEvent whole;
  std::vector<core::TextEdit> edits;
  std::vector<core::OwnCalls> calls;
  bool operator==(const Told&) const = default;
};

Told told(const clients::Client& client, std::string_view event_name, std::string_view text,
          std::size_t piece) {
  test::PayloadPieces input(std::string(text), piece);
  clients::Payload payload(client, event_name, kVariables, input);
  Told out;
  out.read = payload.read().has_value();
  if (!out.read) return out;
  out.event = payload.event();
  out.whole = payload.whole_event();
  out.edits = payload.edits();
  out.calls = payload.own_calls();
  return out;
}

void answers_hold(const clients::Client& client, const core::HookEvent& event) {
  law(client.reply(event, {}).empty(), "nothing to say is nothing printed");
  // Whatever a plan's text put into an answer.
  const core::HookAnswer answer{"a \"b\"\n\x1b[31m\xff", "c\\\n", "d\xed\xa0\x80"};
  const std::string reply = client.reply(event, answer);
  if (reply.empty()) return;
  law(reply.find('\n') == std::string::npos, "an answer is one line");
  const auto json = nlohmann::json::parse(reply, nullptr, false);
  law(json.is_object(), "an answer is a JSON object");
}

void events_hold(const clients::Client& client, std::string_view name, std::string_view text) {
  core::HookEvent event;
  const auto reading = client.read(name, text, kVariables, Extent::needed, event);
  law(reading || reading.error().kind == base::ErrorKind::corrupt, "what cannot be read is corrupt");
  if (!reading || *reading == Reading::truncated) {
    law(event == core::HookEvent(), "what was not read leaves no half event");
  } else {
    law(core::actor_of(event).size() <= 300, "who acts has a short name");
    answers_hold(client, event);
  }
  // The rest holds for JSON; of what is broken as much is read as has come. nlohmann takes a NUL for the end.
  if (text.find('\0') != std::string_view::npos || !nlohmann::json::accept(text)) return;
  const Told at_once = told(client, name, text, text.size() + 1);
  for (const std::size_t piece : {std::size_t{7}, std::size_t{200}})
    law(told(client, name, text, piece) == at_once, "it does not matter in what pieces a payload comes");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  const std::size_t end = std::min(input.find('\n'), input.size());
  const std::string_view head = input.substr(0, end);
  const std::string_view text = input.substr(std::min(end + 1, input.size()));
  const std::size_t space = std::min(head.find(' '), head.size());
  if (const clients::Client* client = clients::find_client(head.substr(0, space)))
    events_hold(*client, head.substr(std::min(space + 1, head.size())), text);

  if (const auto line = clients::read_status_line_input(text)) {
    law(!line->context_percent || (*line->context_percent >= 0 && *line->context_percent <= 100),
        "a percentage is one");
    law(!line->context_window || *line->context_window >= 0, "a size is not below zero");
  }
  const auto paths = clients::paths_in_patch(text);
  law(std::set<std::string>(paths.begin(), paths.end()).size() == paths.size(),
      "a patch names each file once");
  (void)clients::shell_words(text);
  if (!text.empty() && text.find('\0') == std::string_view::npos) {
    const std::vector<std::string> words = clients::shell_words(clients::shell_quoted(text) + " b");
    law(words.size() == 2 && words.front() == text && words.back() == "b", "a quoted word is that word");
  }
  return 0;
}
