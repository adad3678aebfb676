// Commands: of a plan that is open in the editor the buffer is changed, by workspace/applyEdit; else the
// file.

#include <algorithm>

#include "editing/find_boxes.hpp"
#include "lsp/features.hpp"
#include "lsp/protocol.hpp"
#include "lsp/uri.hpp"
#include "markdown/edits/edit_plan.hpp"

namespace plankeep::lsp {
namespace {

std::optional<core::BoxState> state_of(const std::string& command) {
  if (command == "plankeep.tick") return core::BoxState::done;
  if (command == "plankeep.untick") return core::BoxState::open;
  if (command == "plankeep.start") return core::BoxState::active;
  return std::nullopt;
}

// The others are about the whole plan. verify can be about a criterion or the whole plan.
bool needs_id(const std::string& command) {
  return state_of(command) || command == "plankeep.claim";
}

}  // namespace

void Protocol::execute(const Call& call) {
  const std::string command = string_in(call.params, "command");
  const Json& arguments = member(call.params, "arguments");
  const auto argument = [&](std::size_t i) {
    const bool there = arguments.is_array() && i < arguments.size() && arguments[i].is_string();
    return there ? arguments[i].get<std::string>() : std::string();
  };
  if (std::find(kCommands.begin(), kCommands.end(), command) == kCommands.end())
    return answer(call.id, refused(json_rpc::kInvalidParams, "unknown command: " + json_rpc::echo(command)));
  const auto path = path_of(argument(0));
  if (!path)
    return answer(call.id, refused(json_rpc::kInvalidParams, "the first argument must be a file: URI"));
  const std::string id = argument(1);
  if (needs_id(command) && id.empty())
    return answer(call.id, refused(json_rpc::kInvalidParams, "the second argument must be the id of a task"));
  if (command == "plankeep.verify") return verify(call, argument(0), *path, id);
  const Document* const one = document(argument(0));
  if (one != nullptr && command != "plankeep.claim")
    return change_buffer(call, command, *document(argument(0)), id);
  const Reply reply = change_file(command, *path, id);
  if (reply.code != 0) notify("window/showMessage", {{"type", 1}, {"message", reply.message}});
  answer(call.id, reply);
  if (reply.code == 0) tell_changed_on_disk(argument(0));
}

void Protocol::tell_changed_on_disk(const std::string& uri) {
  if (Document* const one = document(uri)) one->changed = one->tree_is_old = true;
  notify("plankeep/changed", {{"uri", uri}});
  if (client_.pulls_diagnostics && client_.refreshes_diagnostics)
    ask("workspace/diagnostic/refresh", nullptr, [](const Json&) {});
  if (client_.refreshes_lenses) ask("workspace/codeLens/refresh", nullptr, [](const Json&) {});
}

OrderedJson workspace_edit(const std::string& uri, std::int64_t version, const Text& text,
                           const Client& client, const std::vector<TextEdit>& edits) {
  OrderedJson list = json_of(text, client.encoding, edits);
  OrderedJson edit = OrderedJson::object();
  if (client.versioned_edits) {
    const OrderedJson target = {{"uri", uri}, {"version", version}};
    edit["documentChanges"] = OrderedJson::array({{{"textDocument", target}, {"edits", std::move(list)}}});
  } else {
    edit["changes"] = {{uri, std::move(list)}};
  }
  return edit;
}

Reply Protocol::change_file(const std::string& command, const std::string& path, const std::string& id) {
  const auto state = state_of(command);
  const auto done = state                           ? desk_.set_box(path, id, *state)
                    : command == "plankeep.claim"   ? desk_.claim(path, id)
                    : command == "plankeep.restore" ? desk_.restore_lost(path)
                                                    : desk_.annotate(path);
  return done ? Reply{} : refused(done.error());
}

void Protocol::change_buffer(const Call& call, const std::string& command, Document& document,
                             const std::string& id) {
  if (!client_.applies_edits)
    return answer(call.id, refused(kRequestFailed, "the editor cannot apply edits (workspace/applyEdit)"));
  if (!document.in_sync())
    return answer(call.id, refused(kContentModified, "the document is out of sync: close and open it again"));
  const PlanView* const view = document.view(desk_.records(document.path()), client_.encoding);
  if (view == nullptr) return answer(call.id, refused(kRequestFailed, "the document is not a plan"));
  base::Result<std::string> after = std::string();
  if (const auto state = state_of(command)) {
    const auto found = app::find_boxes(view->plan, view->plan, id, document.path());
    if (!found) return answer(call.id, refused(found.error()));
    after = markdown::set_boxes(document.text().bytes(), view->plan, found->boxes, *state);
  } else if (command == "plankeep.restore") {
    after = desk_.with_lost_tasks(document.path(), document.text().bytes());
  } else {
    after = desk_.annotated(document.path(), document.text().bytes());
  }
  if (!after) return answer(call.id, refused(after.error()));
  const auto edits = edits_between(document.text().bytes(), *after);
  if (edits.empty()) return answer(call.id, {});
  OrderedJson edit = workspace_edit(document.uri(), document.version(), document.text(), client_, edits);
  ask("workspace/applyEdit", {{"label", command}, {"edit", std::move(edit)}},
      [this, waiting = call.id](const Json& response) {
        if (flag(response, "result", "applied")) return answer(waiting, {});
        answer(waiting, refused(kRequestFailed, "the editor did not apply the change"));
      });
}

}  // namespace plankeep::lsp
