#include "clients/payload.hpp"

#include <algorithm>
#include <utility>

#include "clients/edited_text.hpp"
#include "clients/own_calls.hpp"

namespace plankeep::clients {
namespace {

// What a hook is about mostly stands in the first few hundred bytes, and a page of memory costs as much as a
// look at the disk. Then as much as a pipe holds.
constexpr std::size_t kFirstRead = std::size_t{4} << 10;
constexpr std::size_t kSecondRead = std::size_t{64} << 10;

}  // namespace

base::Status Payload::scan(const std::function<base::Result<Reading>(std::string_view)>& look,
                           std::size_t limit) {
  using base::ErrorKind;
  for (std::size_t wanted = std::max(kFirstRead, input_->text().size());;) {
    input_->take(wanted);
    TRY_ASSIGN(const Reading reading, look(input_->text()));
    if (reading != Reading::truncated) return {};
    if (input_->ended())
      return base::fail(ErrorKind::corrupt, input_->gave_up() ? "timed out waiting for the end of input"
                                                              : "unexpected end of input");
    if (input_->text().size() >= kPayloadLimit) return base::fail(ErrorKind::corrupt, "larger than 64 MiB");
    if (input_->text().size() >= limit) return base::fail(ErrorKind::corrupt, "larger than is looked at");
    // Doubling keeps the work linear in the payload's size.
    if (input_->text().size() >= wanted) {
      wanted = std::max(wanted * 2, kSecondRead);
    } else {
      input_->wait();
    }
  }
}

base::Status Payload::read() {
  return scan([this](std::string_view text) {
    return client_->read(event_name_, text, *variables_, Extent::needed, event_);
  });
}

const core::HookEvent& Payload::whole_event(std::size_t limit) {
  if (std::exchange(whole_, true)) return event_;
  core::HookEvent event;
  const base::Status read = scan(
      [&](std::string_view text) {
        return client_->read(event_name_, text, *variables_, Extent::whole, event);
      },
      limit);
  if (read && event.kind == event_.kind) event_ = std::move(event);
  return event_;
}

const std::vector<core::TextEdit>& Payload::edits() {
  if (edits_) return *edits_;
  edits_.emplace();
  const base::Status read = scan([this](std::string_view text) { return read_edits(text, *edits_); });
  if (read) return *edits_;
  // Broken behind the edits, maybe.
  edits_->clear();
  if (!read_edits(input_->text(), *edits_, true)) edits_->clear();
  return *edits_;
}

const std::vector<core::OwnCalls>& Payload::own_calls() {
  if (own_calls_) return *own_calls_;
  own_calls_.emplace();
  const base::Status read = scan([this](std::string_view text) { return read_own_calls(text, *own_calls_); });
  if (!read) own_calls_->clear();
  return *own_calls_;
}

}  // namespace plankeep::clients
