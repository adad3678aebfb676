#include "hooks/hook.hpp"

#include <algorithm>
#include <chrono>
#include <exception>
#include <utility>

#include "base/utf8.hpp"
#include "cli/arguments.hpp"
#include "cli/commands/all.hpp"
#include "clients/client.hpp"
#include "clients/edited_text.hpp"
#include "clients/sender.hpp"

namespace plankeep::cli {
namespace {

using Clock = std::chrono::steady_clock;

// What a hook is about mostly stands in the first few hundred bytes, and a page of memory costs as much as a
// look at the disk. Then as much as a pipe holds.
constexpr std::size_t kFirstRead = std::size_t{4} << 10;
constexpr std::size_t kSecondRead = std::size_t{64} << 10;
// A payload holds whole files before and after; what is larger is no payload.
constexpr std::size_t kPayloadLimit = std::size_t{64} << 20;
// A client writes its payload at once. One that is not whole after so long never will be.
constexpr std::chrono::milliseconds kPayloadTimeout{5000};
// Clients kill a hook after the 10 seconds that our entries in their settings ask for (5 at a session's end),
// and some show that as an error. A hook that is held up ends by itself before.
constexpr std::chrono::seconds kDeadline{8};
constexpr std::chrono::seconds kSessionEndDeadline{4};

// One line, whatever the text holds: it may quote a payload.
void complain(Program& program, const std::string& problem) {
  program.console.write_error("plankeep: hook: " + base::fit_to_bytes(base::printable(problem), 500) + "\n");
}

// Standard input, no more of it than is asked for.
class Input {
 public:
  explicit Input(Console& console) : console_(console), until_(Clock::now() + kPayloadTimeout) {}

  const std::string& text() const { return text_; }
  bool ended() const { return ended_; }
  bool gave_up() const { return gave_up_; }

  /// What is there at once, until the text has `size` bytes.
  void take(std::size_t size) {
    while (!ended_ && text_.size() < size) {
      bool nothing = false;
      std::string more = console_.read(size - text_.size(), std::chrono::milliseconds(0), nothing);
      if (more.empty() && nothing) return;
      ended_ = more.empty();
      add(std::move(more));
    }
  }

  /// Waits for more. The time for the whole payload is limited.
  void wait() {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(until_ - Clock::now());
    const std::size_t before = text_.size();
    if (left.count() > 0) add(console_.read(kSecondRead, left, gave_up_));
    if (left.count() <= 0) gave_up_ = true;
    if (text_.size() == before) ended_ = true;
  }

 private:
  void add(std::string&& more) {
    if (text_.empty()) {
      text_ = std::move(more);
    } else {
      text_ += more;
    }
  }

  Console& console_;
  Clock::time_point until_;
  std::string text_;
  bool ended_ = false;
  bool gave_up_ = false;
};

// Reads as much of the payload as `read` wants: it is given what is there, and asked again with more while it
// says `truncated`. The error says what is wrong with the payload.
template <class Read>
base::Status read_payload(Input& input, Read read) {
  using base::ErrorKind;
  for (std::size_t wanted = kFirstRead;;) {
    input.take(wanted);
    TRY_ASSIGN(const clients::Reading reading, read(std::string_view(input.text())));
    if (reading != clients::Reading::truncated) return {};
    if (input.ended())
      return base::fail(ErrorKind::corrupt, input.gave_up() ? "timed out waiting for the end of input"
                                                            : "unexpected end of input");
    if (input.text().size() >= kPayloadLimit) return base::fail(ErrorKind::corrupt, "larger than 64 MiB");
    // Doubling keeps the work linear in the payload's size.
    if (input.text().size() >= wanted) {
      wanted = std::max(wanted * 2, kSecondRead);
    } else {
      input.wait();
    }
  }
}

// nullopt: what was wrong has been said.
std::optional<core::HookEvent> read_event(Program& program, const clients::Client& client,
                                          const std::string& name, Input& input) {
  const clients::Variables variables = [&program](const std::string& variable) {
    return program.context.environment.variable(variable);
  };
  core::HookEvent event;
  const base::Status read =
      read_payload(input, [&](std::string_view text) { return client.read(name, text, variables, event); });
  if (read) return event;
  complain(program, "invalid payload of " + name + ": " + read.error().message);
  return std::nullopt;
}

// Of the payload of a call that wrote a plan. One that is broken behind what the event needed says nothing.
std::vector<core::TextEdit> read_edits(Input& input) {
  std::vector<core::TextEdit> edits;
  const base::Status read =
      read_payload(input, [&](std::string_view text) { return clients::read_edits(text, edits); });
  return read ? std::move(edits) : std::vector<core::TextEdit>();
}

// Of the same payload, read to its end. One that is broken there names nobody.
clients::Sender read_sender(Input& input) {
  clients::Sender sender;
  const base::Status read =
      read_payload(input, [&](std::string_view text) { return clients::read_sender(text, sender); });
  return read ? std::move(sender) : clients::Sender();
}

// `result` is the caller's: it is dropped after the process has ended, or not at all.
void answer(Program& program, const std::string& client_name, const std::string& name,
            app::HookResult& result) {
  const Clock::time_point start = Clock::now();
  if (const auto off = program.context.environment.variable("PLANKEEP_DISABLE"); off && *off == "1") return;
  if (program.end_at_deadline) program.end_at_deadline(kDeadline);
  const clients::Client* client = clients::find_client(client_name);
  if (client == nullptr) {
    complain(program, "unknown client " + client_name + "; plankeep help hook lists the known ones");
    return;
  }
  Input input(program.console);
  const auto event = read_event(program, *client, name, input);
  if (!event || event->kind == core::HookKind::nothing) return;
  if (event->kind == core::HookKind::session_ended && program.end_at_deadline)
    program.end_at_deadline(kSessionEndDeadline);
  result = app::answer_hook(
      program.context, *client, *event, [&input] { return read_edits(input); },
      [&input] { return read_sender(input); });
  const std::string reply = client->reply(*event, result.answer);
  if (!reply.empty()) program.console.write(reply);
  for (const std::string& problem : result.problems) complain(program, problem);
  const auto took = std::chrono::duration_cast<std::chrono::microseconds>(Clock::now() - start);
  app::log_hook(program.context, *event, took, result);
  if (!result.jobs.empty()) {
    // Locks that are still held go with their holder: what was read for the answer is not needed any more.
    app::spawn_job(program.context, result.jobs);
  }
}

std::string description() {
  std::string text =
      "Handles one hook call of an AI coding client: reads the payload from standard input and writes the\n"
      "reply, if any, to standard output. Not meant to be run by hand: plankeep install CLIENT adds the\n"
      "hooks to a client's settings. On any error it still exits with 0, prints nothing on standard\n"
      "output, and reports the error in one line on standard error and in .checkpoint/errors.log.\n"
      "PLANKEEP_DISABLE=1 turns it off.\n"
      "\n"
      "Clients:";
  for (const clients::Client& client : clients::clients())
    text += "\n  " + std::string(client.name) + "  (" + std::string(client.title) + ")";
  return text;
}

}  // namespace

ExitCode run_hook(Program& program, const Words& words) {
  // The everyday call goes past the parser of options: it is start-up that costs.
  const bool plain = words.size() == 2 && !words[0].starts_with('-') && !words[1].starts_with('-') &&
                     program.option_names == nullptr;
  if (!plain) {
    std::string client;
    std::string event;
    Arguments arguments(program, "hook", description());
    arguments.positional("CLIENT", client, "The calling client", Arguments::Need::required);
    arguments.positional("EVENT", event, "The client's name for the event", Arguments::Need::required);
    if (const auto stop = arguments.parse(words)) return *stop;
    program.never_fails = true;
    app::HookResult result;
    answer(program, client, event, result);
    return ExitCode::fine;
  }
  program.never_fails = true;
  app::HookResult result;
  try {
    answer(program, words[0], words[1], result);
  } catch (const std::exception& unexpected) {
    complain(program, std::string("internal: ") + unexpected.what());
  }
  return program.end(ExitCode::fine);
}

}  // namespace plankeep::cli
