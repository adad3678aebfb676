#include "lsp/protocol.hpp"

#include <algorithm>
#include <exception>
#include <utility>

#include "base/json_surrogates.hpp"
#include "base/utf8.hpp"
#include "json_rpc/header_framing.hpp"
#include "lsp/method_table.hpp"

namespace plankeep::lsp {
namespace {

// More messages are refused. Only a client that floods us gets here.
constexpr std::size_t kLongestQueue = 100'000;

bool is_about_text(std::string_view method) {
  return method == "textDocument/diagnostic" || feature_called(method) != nullptr;
}

}  // namespace

Protocol::Protocol(Desk& desk, std::string version) : desk_(desk), version_(std::move(version)) {}
Protocol::~Protocol() = default;

// --- input ----------------------------------------------------------------------------------------

void Protocol::take(std::string_view message) {
  // A lone surrogate is invalid JSON, but without an id in the answer the client would wait for ever.
  if (const auto repaired = base::without_lone_surrogates(message)) return take(*repaired);
  auto read = json_rpc::parse_message(message);
  if (!read) return answer("null", refused(json_rpc::kParseError, read.error().message));
  if (!read->value.is_object())
    return answer("null", refused(json_rpc::kInvalidRequest, "a message must be a JSON object"));
  const std::string id = json_rpc::id_of(read->value, *read, 0);
  take_one(std::move(read->value), id);
}

void Protocol::take_too_long() {
  answer("null", refused(json_rpc::kParseError, "the message is too long"));
}

void Protocol::take_one(Json message, const std::string& id) {
  const Json& method = member(message, "method");
  if (!method.is_string()) {
    if (message.contains("result") || message.contains("error")) return take_response(message);
    return answer(id.empty() ? "null" : id, refused(json_rpc::kInvalidRequest, "the message has no method"));
  }
  if (message.contains("id") && id.empty())
    return answer("null", refused(json_rpc::kInvalidRequest, "an id must be a string or a number"));
  Call call{method.get<std::string>(), id, nullptr};
  if (const auto params = message.find("params"); params != message.end()) call.params = std::move(*params);
  if (call.method == "$/cancelRequest") return cancel(member(call.params, "id"));
  if (queue_.size() >= kLongestQueue) {
    if (!call.id.empty()) answer(call.id, refused(kRequestFailed, "too many messages are waiting"));
    // Without this change our text would be another one than the editor's.
    if (Document* const one = document(document_in(call.params)); one != nullptr && call.id.empty())
      one->lose_sync();
    return;
  }
  if (call.method == "textDocument/didChange" || call.method == "textDocument/didClose")
    supersede(document_in(call.params));
  queue_.push_back(std::move(call));
}

void Protocol::take_response(const Json& message) {
  const Json& id = member(message, "id");
  if (!id.is_number_unsigned()) return;
  const auto at = waiting_.find(id.get<std::uint64_t>());
  if (at == waiting_.end()) return;
  const Continuation then = std::move(at->second);
  waiting_.erase(at);
  then(message);
}

void Protocol::cancel(const Json& id) {
  const std::string wanted = json_rpc::line_of(id);
  const auto at =
      std::find_if(queue_.begin(), queue_.end(), [&](const Call& call) { return call.id == wanted; });
  if (stops_verify(wanted)) return;
  // Requests that were answered already, or never made, need no answer.
  if (at == queue_.end() || at->id.empty()) return;
  answer(wanted, refused(kRequestCancelled, "cancelled"));
  queue_.erase(at);
}

// Requests about an outdated text are answered at once.
void Protocol::supersede(const std::string& uri) {
  for (auto call = queue_.begin(); call != queue_.end();) {
    if (call->id.empty() || !is_about_text(call->method) || document_in(call->params) != uri) {
      ++call;
      continue;
    }
    const Feature* feature = feature_called(call->method);
    Reply reply = refused(kContentModified, "the document has been changed");
    if (feature == nullptr) reply.data = {{"retriggerRequest", true}};
    if (feature == nullptr) reply.code = kServerCancelled;
    answer(call->id, reply);
    call = queue_.erase(call);
  }
}

// --- work --------------------------------------------------------------------------------------

bool Protocol::busy() const {
  if (ended_) return false;
  if (!queue_.empty()) return true;
  if (phase_ != Phase::initialized) return false;
  if (can_verify()) return true;
  if (std::any_of(documents_.begin(), documents_.end(),
                  [](const auto& one) { return one.second->changed || one.second->tree_is_old; }))
    return true;
  const auto left = until_next_look();
  return left && *left == std::chrono::milliseconds::zero();
}

std::optional<std::chrono::milliseconds> Protocol::until_next_look() const {
  std::optional<base::Instant> first;
  for (const auto& [uri, one] : documents_) {
    if (one->next_look && (!first || *one->next_look < *first)) first = one->next_look;
  }
  if (!first || phase_ != Phase::initialized) return std::nullopt;
  return std::chrono::milliseconds(std::max<std::int64_t>(first->milliseconds - desk_.now().milliseconds, 0));
}

void Protocol::step() {
  if (ended_) return;
  if (!queue_.empty()) {
    Call call = std::move(queue_.front());
    queue_.pop_front();
    try {
      return handle(call);
    } catch (const std::exception& unexpected) {
      // One request that went wrong does not end the conversation.
      if (!call.id.empty())
        answer(call.id, refused(json_rpc::kInternalError, base::printable(unexpected.what())));
      return;
    }
  }
  for (auto& [uri, one] : documents_) {
    if (one->changed) return publish(*one);
  }
  for (auto& [uri, one] : documents_) {
    if (one->tree_is_old || (one->next_look && *one->next_look <= desk_.now())) return refresh(*one);
  }
  if (!can_verify()) return;
  try {
    run_verify();
  } catch (const std::exception& unexpected) {
    if (verifying_ != nullptr)
      finish(*std::shared_ptr(verifying_),
             refused(json_rpc::kInternalError, base::printable(unexpected.what())));
  }
}

void Protocol::handle(Call& call) {
  const bool request = !call.id.empty();
  if (call.method == "exit") {
    ended_ = true;
    return;
  }
  if (phase_ == Phase::fresh && call.method != "initialize") {
    if (request) answer(call.id, refused(kServerNotInitialized, "initialize must be the first request"));
    return;
  }
  if (phase_ == Phase::shut_down || (phase_ != Phase::fresh && call.method == "initialize")) {
    const char* const why = phase_ == Phase::shut_down ? "the server is shut down" : "initialize came twice";
    if (request) answer(call.id, refused(json_rpc::kInvalidRequest, why));
    return;
  }
  const Json& params = call.params;
  if (!request) {
    if (call.method == "initialized") return initialized();
    if (call.method == "textDocument/didOpen") return open(params);
    if (call.method == "textDocument/didChange") return change(params);
    if (call.method == "textDocument/didSave") return save(params);
    if (call.method == "textDocument/didClose") return close(params);
    if (call.method == "workspace/didChangeWatchedFiles") return files_changed();
    if (call.method == "workspace/didChangeWorkspaceFolders") return change_folders(member(params, "event"));
    if (call.method == "window/workDoneProgress/cancel") return cancel_progress(member(params, "token"));
    return;  // other notifications need no action
  }
  if (call.method == "workspace/executeCommand") return execute(call);
  if (call.method == "shutdown") {
    phase_ = Phase::shut_down;
    shut_down_ = true;
    return answer(call.id, {});
  }
  if (call.method == "initialize") return answer(call.id, initialize(params));
  if (call.method == "textDocument/diagnostic") return answer(call.id, pull(params));
  if (call.method == "workspace/symbol") return answer(call.id, workspace_symbols(params));
  if (call.method == "plankeep/status") return answer(call.id, status(params));
  if (const Feature* one = feature_called(call.method)) return answer(call.id, feature(*one, params));
  answer(call.id, refused(json_rpc::kMethodNotFound, "method not found: " + json_rpc::echo(call.method)));
}

// --- output --------------------------------------------------------------------------------------

void Protocol::answer(const std::string& id, const Reply& reply) {
  if (reply.code == 0) {
    output_ += json_rpc::framed(json_rpc::response(id, "result", reply.value));
    return;
  }
  OrderedJson error = {{"code", reply.code}, {"message", reply.message}};
  if (!reply.data.is_null()) error["data"] = reply.data;
  output_ += json_rpc::framed(json_rpc::response(id, "error", error));
}

void Protocol::send(const OrderedJson& message) {
  output_ += json_rpc::framed(json_rpc::line_of(message));
}

void Protocol::notify(std::string_view method, OrderedJson params) {
  send({{"jsonrpc", "2.0"}, {"method", method}, {"params", std::move(params)}});
}

void Protocol::ask(std::string_view method, OrderedJson params, Continuation then) {
  const std::uint64_t id = ++last_request_;
  waiting_.emplace(id, std::move(then));
  send({{"jsonrpc", "2.0"}, {"id", id}, {"method", method}, {"params", std::move(params)}});
}

std::string Protocol::take_output() {
  return std::exchange(output_, {});
}

}  // namespace plankeep::lsp
