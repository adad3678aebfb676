#pragma once
// The Language Server Protocol 3.17 as this server speaks it: messages in, answers and questions out. Knows
// no input or output and no disk; what happens outside the editor is behind Desk.
//
//   Protocol protocol(desk, "0.1.0");
//   protocol.take(message);                       // of each message that has come, as it comes
//   while (protocol.busy()) protocol.step();      // one message, or one pending task
//   write(protocol.take_output());                // framed
//   if (protocol.ended()) return protocol.exit_status();
//
// Messages are answered in order, after all that have come were taken. So a request that is cancelled, or
// whose document has been changed since, is answered at once (-32800, -32801; -32802 for diagnostics and
// tokens, which the client may ask for again), and diagnostics are made for the newest text only.
//
// Nobody tells a server that the files of a project have changed. While a plan with evidence is open, they
// are looked at again every few seconds, or more rarely where a look takes long; never for a keystroke.
//
// Files that are not plans (spec 2.4) are ignored: nothing is published, and the result of every request is
// null. Positions are UTF-16 unless the client offers another encoding first.
//
// Errors: -32700 (no JSON), -32600, -32601, -32602, -32002 (a request before initialize), -32803 (a use case
// refused; its kind in `data`). Exit status: 0 when `shutdown` came before `exit`, else 1.

#include <chrono>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "lsp/desk.hpp"
#include "lsp/plan_view.hpp"
#include "lsp/shapes.hpp"

namespace plankeep::lsp {

/// What the client said it can do, and what was agreed on.
struct Client {
  Encoding encoding = Encoding::utf16;
  bool pulls_diagnostics = false;
  bool related_places = false;
  std::string diagnostics_page{};  // URI of docs/diagnostics.md; empty: none, or the client shows no links
  bool applies_edits = false;
  bool action_literals = false;  // textDocument.codeAction.codeActionLiteralSupport
  bool versioned_edits = false;  // workspaceEdit.documentChanges
  bool watches_files = false;    // dynamic registration
  bool refreshes_diagnostics = false;
  bool refreshes_lenses = false;
  bool shows_progress = false;      // window.workDoneProgress
  bool inlay_hints = false;         // initializationOptions.inlayHints
  std::set<std::string> folders{};  // the workspace's; empty: the client named none
};

struct Feature;

class Protocol {
 public:
  Protocol(Desk& desk, std::string version);
  ~Protocol();

  void take(std::string_view message);
  void take_too_long();

  bool busy() const;
  void step();
  /// How long the caller should wait for messages at most: then it is busy() with looking at the files again
  /// that evidence depends on. nullopt: as long as it takes.
  std::optional<std::chrono::milliseconds> until_next_look() const;
  /// Sets what is called ten times a second while step() runs a criterion's command. It should take new
  /// messages, call step() while busy(), write the output, and return false to stop the command. Without it
  /// the client gets no answers until the command ends.
  void set_attend(std::function<bool()> attend) { attend_ = std::move(attend); }
  std::string take_output();

  bool ended() const { return ended_; }
  int exit_status() const { return shut_down_ ? 0 : 1; }

 private:
  struct Call {
    std::string method;
    std::string id;  // its JSON; empty: a notification
    Json params;
  };
  using Continuation = std::function<void(const Json& response)>;

  // protocol.cpp: the conversation
  void take_one(Json message, const std::string& id);
  void take_response(const Json& message);
  void cancel(const Json& id);
  void supersede(const std::string& uri);
  void handle(Call& call);
  void answer(const std::string& id, const Reply& reply);
  void send(const OrderedJson& message);
  void notify(std::string_view method, OrderedJson params);
  void ask(std::string_view method, OrderedJson params, Continuation then);

  // protocol_lifecycle.cpp
  Reply initialize(const Json& params);
  void initialized();
  void change_folders(const Json& event);

  // protocol_documents.cpp
  void open(const Json& params);
  void change(const Json& params);
  void save(const Json& params);
  void close(const Json& params);
  void files_changed();
  void refresh_all();
  Document* document(const std::string& uri);
  std::vector<core::Diagnostic> secrets_in(Document& document);
  OrderedJson diagnostics(Document& document, const Records& records);
  void publish(Document& document);
  void refresh(Document& document);
  void tell_changed(const std::string& uri);
  Reply pull(const Json& params);

  // protocol_features.cpp
  Reply feature(const Feature& feature, const Json& params);
  Reply status(const Json& params);

  // workspace_symbols.cpp
  // A plan that is not open in the editor, as last read from its file.
  struct ClosedPlan {
    std::string stamp;
    std::unique_ptr<Document> document;
  };
  std::set<std::string> folders() const;
  Document* closed_plan(const std::string& path);
  Reply workspace_symbols(const Json& params);

  // protocol_verify.cpp
  struct Verifying;
  class VerifyWatch;
  void verify(const Call& call, const std::string& uri, const std::string& path, const std::string& id);
  void agreed(const std::shared_ptr<Verifying>& one);
  bool can_verify() const;
  void run_verify();
  void finish(Verifying& one, const Reply& reply);
  void stop_verify();
  bool stops_verify(const std::string& call);
  void cancel_progress(const Json& token);
  void progress(const std::string& token, const char* kind, OrderedJson value);

  // protocol_commands.cpp
  void execute(const Call& call);
  void tell_changed_on_disk(const std::string& uri);
  void change_buffer(const Call& call, const std::string& command, Document& document, const std::string& id);
  Reply change_file(const std::string& command, const std::string& path, const std::string& id);

  Desk& desk_;
  std::string version_;
  Client client_;
  enum class Phase { fresh, initialized, shut_down };
  Phase phase_ = Phase::fresh;
  bool shut_down_ = false;
  bool ended_ = false;

  std::deque<Call> queue_;
  std::string output_;
  std::map<std::string, std::unique_ptr<Document>> documents_;  // by URI
  std::map<std::string, ClosedPlan> closed_;                    // by path
  std::map<std::uint64_t, Continuation> waiting_;               // for answers to our requests
  std::uint64_t last_request_ = 0;

  std::shared_ptr<Verifying> verifying_;  // null: no plankeep.verify is being handled
  std::function<bool()> attend_;
};

}  // namespace plankeep::lsp
