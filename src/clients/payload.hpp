#pragma once
// The payload of one hook call, read no further than it is asked about.
//
//   Payload payload(*client, "PostToolUse", variables, input);
//   TRY(payload.read());                       // as far as the event needs
//   payload.event().paths ...
//   payload.whole_event().agent_id             // where it matters who acts: reads on to the end
//   payload.edits()                            // where a plan was written: what the tool put in place of
//   what
//
// A payload can carry megabytes (whole files before and after). What has come is taken from the input once
// and kept; each question looks at it from its beginning, which is doubled while that is not enough, so the
// work stays linear, and what follows the path of a file that is no plan is never read. Bounded: at most
// kPayloadLimit bytes are kept.

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "clients/client.hpp"
#include "model/hook_event.hpp"
#include "rules/attribution.hpp"

namespace plankeep::clients {

/// A payload holds whole files before and after; what is larger is no payload.
inline constexpr std::size_t kPayloadLimit = std::size_t{64} << 20;

/// Where the text comes from. What was read stays.
class PayloadInput {
 public:
  virtual ~PayloadInput() = default;
  virtual const std::string& text() const = 0;
  /// Nothing will come any more; `gave_up`: because it was waited for too long.
  virtual bool ended() const = 0;
  virtual bool gave_up() const = 0;
  /// What is there at once, until the text has `size` bytes.
  virtual void take(std::size_t size) = 0;
  /// Waits for more.
  virtual void wait() = 0;
};

class Payload {
 public:
  /// All of them have to live as long as this.
  Payload(const Client& client, std::string_view event_name, const Variables& variables, PayloadInput& input)
      : client_(&client), event_name_(event_name), variables_(&variables), input_(&input) {}
  /// One that was read already and holds nothing else.
  explicit Payload(core::HookEvent event, std::vector<core::TextEdit> edits = {},
                   core::OwnCalls own_calls = {})
      : event_(std::move(event)),
        edits_(std::move(edits)),
        own_calls_({std::move(own_calls)}),
        whole_(true) {}

  /// Reads the event as far as it is needed. Errors (corrupt): what is wrong with the payload.
  [[nodiscard]] base::Status read();

  const core::HookEvent& event() const { return event_; }
  /// The same with all that the payload says of it. One that is broken behind what the event needed, or has
  /// more than `limit` bytes, adds nothing.
  const core::HookEvent& whole_event(std::size_t limit = kPayloadLimit);
  /// What the call wrote; nothing when the payload does not say, or is broken.
  const std::vector<core::TextEdit>& edits();
  /// What the calls did through our MCP server (clients/own_calls); likewise.
  const std::vector<core::OwnCalls>& own_calls();

 private:
  /// Gives `look` the text, and more of it while that says `truncated`.
  [[nodiscard]] base::Status scan(const std::function<base::Result<Reading>(std::string_view)>& look,
                                  std::size_t limit = kPayloadLimit);

  const Client* client_ = nullptr;
  std::string_view event_name_{};
  const Variables* variables_ = nullptr;
  PayloadInput* input_ = nullptr;
  core::HookEvent event_;
  std::optional<std::vector<core::TextEdit>> edits_;
  std::optional<std::vector<core::OwnCalls>> own_calls_;
  bool whole_ = false;
};

}  // namespace plankeep::clients
