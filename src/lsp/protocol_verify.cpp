// plankeep.verify: asks the user, runs the commands, shows progress and reports the result. Other messages
// are handled in the meantime.

#include "base/text.hpp"
#include "base/utf8.hpp"
#include "json_rpc/json.hpp"
#include "lsp/plan_view.hpp"
#include "lsp/protocol.hpp"
#include "lsp/uri.hpp"

namespace plankeep::lsp {
namespace {

constexpr const char* kRun = "Run";
constexpr const char* kTrust = "Trust and run";

// MessageType
constexpr int kWarning = 2;
constexpr int kInfo = 3;

// Bytes of a line that are shown as progress.
constexpr std::size_t kLastLine = 200;

// The last line of a command's output.
class LastLine {
 public:
  void add(std::string_view bytes) {
    text_.append(bytes);
    if (text_.size() > 16 * kLastLine) text_.erase(0, text_.size() - 8 * kLastLine);
  }
  // The last line that is not blank.
  std::string shown() const {
    const std::size_t last = text_.find_last_not_of(" \t\r\n");
    if (last == std::string::npos) return {};
    const std::size_t before = text_.rfind('\n', last);
    const std::size_t begin = before == std::string::npos ? 0 : before + 1;
    return base::fit_to_bytes(base::printable(text_.substr(begin, last + 1 - begin)), kLastLine);
  }

 private:
  std::string text_;
};

}  // namespace

/// One plankeep.verify request, from the question to the user to its answer.
struct Protocol::Verifying {
  std::string call;  // the request's id; empty once it was answered
  std::string uri;
  std::string path;
  std::string title;
  CriterionCommands commands;
  bool trust = false;
  std::string token;  // the progress token as JSON; empty: no progress is shown
  enum class Stage { asking, agreed, running } stage = Stage::asking;
  bool stopped = false;
  std::string before;  // in front of each progress message: "2 of 3: "
};

class Protocol::VerifyWatch : public system::CommandWatch {
 public:
  VerifyWatch(Protocol& protocol, std::shared_ptr<Verifying> one)
      : protocol_(protocol), one_(std::move(one)) {}

  void said(std::string_view bytes) override { last_.add(bytes); }
  bool go_on(std::chrono::milliseconds elapsed) override {
    const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(elapsed).count();
    if (seconds > told_) {
      told_ = seconds;
      const std::string last = last_.shown();
      protocol_.progress(
          one_->token, "report",
          {{"message", one_->before + std::to_string(seconds) + " s" + (last.empty() ? "" : ": " + last)}});
    }
    if (protocol_.attend_ && !protocol_.attend_()) return false;
    return !one_->stopped && !protocol_.ended_ && !protocol_.shut_down_;
  }

 private:
  Protocol& protocol_;
  std::shared_ptr<Verifying> one_;
  LastLine last_;
  std::int64_t told_ = 0;
};

void Protocol::verify(const Call& call, const std::string& uri, const std::string& path,
                      const std::string& id) {
  if (verifying_ != nullptr) {
    return answer(call.id,
                  refused(kRequestFailed, "a command of the plan is running; wait for it, or cancel it"));
  }
  const Document* const document = this->document(uri);
  if (document != nullptr && !document->in_sync())
    return answer(call.id, refused(kContentModified, "the document is out of sync: close and open it again"));
  auto found = desk_.commands_of(path, id, document == nullptr ? nullptr : &document->text().bytes());
  if (!found) {
    notify("window/showMessage", {{"type", kWarning}, {"message", words_of(found.error())}});
    return answer(call.id, refused(found.error()));
  }
  const auto one = verifying_ = std::make_shared<Verifying>();
  one->call = call.id;
  one->uri = uri;
  one->path = path;
  one->commands = std::move(*found);
  const std::vector<CriterionCommand>& list = one->commands.list;
  one->title = "Verify " + (list.size() == 1 ? base::printable(list.front().id)
                                             : base::counted(list.size(), "criterion", "criteria"));
  // If the client sends a token, no other one is needed.
  if (const Json& token = member(call.params, "workDoneToken");
      token.is_string() || token.is_number_integer())
    one->token = json_rpc::line_of(token);
  std::string question;
  std::size_t asked = 0;
  for (const CriterionCommand& command : list) {
    if (command.trusted) continue;
    ++asked;
    question += "\n" + base::printable(command.command);
  }
  if (asked == 0) return agreed(one);
  question = std::string(asked == 1 ? "Run this command" : "Run these commands") + " of the plan in " +
             base::printable(one->commands.folder) + "?" + question;
  const OrderedJson actions = OrderedJson::array({{{"title", kRun}}, {{"title", kTrust}}});
  ask("window/showMessageRequest", {{"type", kWarning}, {"message", question}, {"actions", actions}},
      [this, one](const Json& response) {
        if (one->call.empty()) return;
        const std::string chosen = string_in(member(response, "result"), "title");
        one->trust = chosen == kTrust;
        if (one->trust || chosen == kRun) return agreed(one);
        finish(*one, refused(kRequestCancelled, "nothing was run: the user did not agree"));
      });
}

void Protocol::agreed(const std::shared_ptr<Verifying>& one) {
  if (!client_.shows_progress || !one->token.empty()) {
    one->stage = Verifying::Stage::agreed;
    return;
  }
  const std::string token = "plankeep-verify-" + std::to_string(last_request_ + 1);
  ask("window/workDoneProgress/create", {{"token", token}}, [one, token](const Json& response) {
    if (one->call.empty()) return;
    if (!response.contains("error")) one->token = json_rpc::line_of(Json(token));
    one->stage = Verifying::Stage::agreed;
  });
}

bool Protocol::can_verify() const {
  return verifying_ != nullptr && verifying_->stage == Verifying::Stage::agreed;
}

void Protocol::run_verify() {
  const std::shared_ptr<Verifying> one = verifying_;
  one->stage = Verifying::Stage::running;
  const std::vector<CriterionCommand>& list = one->commands.list;
  progress(one->token, "begin",
           {{"title", one->title},
            {"cancellable", true},
            {"message", base::fit_to_bytes(base::printable(list.front().command), kLastLine)}});
  Reply reply;
  std::string text;
  bool passed = true;
  bool changed = false;  // something was recorded
  OrderedJson results = OrderedJson::array();
  for (std::size_t i = 0; i < list.size() && reply.code == 0; ++i) {
    if (list.size() > 1) {
      one->before = std::to_string(i + 1) + " of " + std::to_string(list.size()) + ": ";
      progress(
          one->token, "report",
          {{"message", one->before + base::printable(list[i].id)}, {"percentage", 100 * i / list.size()}});
    }
    VerifyWatch watch(*this, one);
    const auto done = desk_.run_command(one->path, list[i], one->trust, watch);
    if (!done) {
      reply = refused(done.error());
      text += words_of(done.error()) + "\n";
    } else if (done->interrupted) {
      reply = refused(kRequestCancelled, "the command was stopped; nothing of it was recorded");
    } else {
      changed = true;
      results.push_back({{"id", base::printable(list[i].id)}, {"result", done->result}});
      text += done->text;
    }
    passed = passed && reply.code == 0 && done->passed;
  }
  text = base::printable(text, true);
  while (text.ends_with('\n')) text.pop_back();
  const std::string first = text.substr(0, text.find('\n'));
  progress(one->token, "end",
           {{"message", reply.code == kRequestCancelled ? std::string("stopped")
                        : list.size() == 1              ? first
                        : passed                        ? std::string("passed")
                                                        : std::string("not all passed")}});
  // No message about a command that the user stopped.
  if (!text.empty()) notify("window/showMessage", {{"type", passed ? kInfo : kWarning}, {"message", text}});
  if (reply.code == 0) reply.value = {{"passed", passed}, {"results", std::move(results)}, {"message", text}};
  const std::string uri = one->uri;
  finish(*one, reply);
  if (changed) tell_changed_on_disk(uri);
}

void Protocol::finish(Verifying& one, const Reply& reply) {
  if (!one.call.empty()) answer(one.call, reply);
  one.call.clear();
  if (verifying_.get() == &one) verifying_.reset();
}

void Protocol::stop_verify() {
  verifying_->stopped = true;
  if (verifying_->stage != Verifying::Stage::running)
    finish(*std::shared_ptr(verifying_), refused(kRequestCancelled, "cancelled"));
}

bool Protocol::stops_verify(const std::string& call) {
  if (verifying_ == nullptr || verifying_->call != call) return false;
  stop_verify();
  return true;
}

void Protocol::cancel_progress(const Json& token) {
  if (verifying_ != nullptr && verifying_->token == json_rpc::line_of(token)) stop_verify();
}

void Protocol::progress(const std::string& token, const char* kind, OrderedJson value) {
  if (token.empty()) return;
  value["kind"] = kind;
  notify("$/progress", {{"token", OrderedJson::parse(token)}, {"value", std::move(value)}});
}

}  // namespace plankeep::lsp
