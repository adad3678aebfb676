#include "hooks/hook.hpp"

#include <algorithm>
#include <chrono>
#include <exception>
#include <utility>

#include "base/utf8.hpp"
#include "cli/arguments.hpp"
#include "cli/commands/all.hpp"
#include "cli/version.hpp"
#include "clients/client.hpp"
#include "clients/payload.hpp"

namespace plankeep::cli {
namespace {

using Clock = std::chrono::steady_clock;

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

constexpr std::size_t kAtOnce = std::size_t{64} << 10;  // as much as a pipe holds

// Standard input, no more of it than is asked for. The time for the whole payload is limited.
class Input : public clients::PayloadInput {
 public:
  explicit Input(Console& console) : console_(console), until_(Clock::now() + kPayloadTimeout) {}

  const std::string& text() const override { return text_; }
  bool ended() const override { return ended_; }
  bool gave_up() const override { return gave_up_; }

  void take(std::size_t size) override {
    while (!ended_ && text_.size() < size) {
      bool nothing = false;
      std::string more = console_.read(size - text_.size(), std::chrono::milliseconds(0), nothing);
      if (more.empty() && nothing) return;
      ended_ = more.empty();
      add(std::move(more));
    }
  }

  void wait() override {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(until_ - Clock::now());
    const std::size_t before = text_.size();
    if (left.count() > 0) add(console_.read(kAtOnce, left, gave_up_));
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
  const clients::Variables variables = [&program](const std::string& variable) {
    return program.context.environment.variable(variable);
  };
  clients::Payload payload(*client, name, variables, input);
  if (const base::Status read = payload.read(); !read) {
    const std::string problem = "invalid payload of " + name + ": " + read.error().message;
    complain(program, problem);
    core::HookEvent event;
    event.client = client_name;
    event.client_event = name;
    const auto took = std::chrono::duration_cast<std::chrono::microseconds>(Clock::now() - start);
    app::log_broken_call(program.context, event, took, problem);
    return;
  }
  if (payload.event().kind == core::HookKind::nothing) return;
  if (payload.event().kind == core::HookKind::session_ended && program.end_at_deadline)
    program.end_at_deadline(kSessionEndDeadline);
  result = app::answer_hook(program.context, *client, payload);
  const std::string reply = client->reply(payload.event(), result.answer);
  if (!reply.empty()) program.console.write(reply);
  for (const std::string& problem : result.problems) complain(program, problem);
  const auto took = std::chrono::duration_cast<std::chrono::microseconds>(Clock::now() - start);
  app::log_hook(program.context, payload.event(), took, result);
  if (!result.jobs.empty()) {
    // Locks that are still held go with their holder: what was read for the answer is not needed any more.
    app::spawn_job(program.context, result.jobs);
  }
  for (const app::LinkJob& job : result.links)
    app::spawn_link_work(program.context, job, std::string(kVersion));
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
  // Even for a mistake in the command line: clients take another status for a refusal, and the client's
  // settings may be newer than this program.
  program.never_fails = program.sketches == nullptr;
  // The everyday call goes past the parser of options: it is start-up that costs.
  const bool plain = words.size() == 2 && !words[0].starts_with('-') && !words[1].starts_with('-') &&
                     program.sketches == nullptr;
  std::string client;
  std::string event;
  if (plain) {
    client = words[0];
    event = words[1];
  } else {
    Arguments arguments(program, "hook", description());
    arguments.positional("CLIENT", client, "The calling client", Arguments::Need::required);
    arguments.positional("EVENT", event, "The client's name for the event", Arguments::Need::required);
    if (const auto stop = arguments.parse(words)) return *stop;
  }
  app::HookResult result;
  try {
    answer(program, client, event, result);
  } catch (const std::exception& unexpected) {
    complain(program, std::string("internal: ") + unexpected.what());
  }
  return program.end(ExitCode::fine);
}

}  // namespace plankeep::cli
