// Quick fixes for what `lint --fix` can fix, and "Verify" for criteria that are ticked but not proven. Source
// actions that give every box its marker and put back lost tasks. Fixes edit the editor's text; an edit that
// lint --fix itself would discard is not offered.

#include <algorithm>

#include "base/text.hpp"
#include "base/utf8.hpp"
#include "lsp/diagnostics.hpp"
#include "lsp/features.hpp"
#include "markdown/edits/fix_plan.hpp"
#include "model/item_key.hpp"

namespace plankeep::lsp {
namespace {

using core::DiagnosticCode;

constexpr std::string_view kQuickFix = "quickfix";
constexpr std::string_view kAnnotate = "source.annotate.plankeep";
constexpr std::string_view kRestore = "source.restore.plankeep";
constexpr const char* kAnnotateTitle = "Give every box its marker";
constexpr int kAutomatic = 2;  // CodeActionTriggerKind
// Each one parses the whole plan again to verify that nothing else changes.
constexpr std::size_t kMostFixes = 10;

const char* title_of(DiagnosticCode code) {
  if (code == DiagnosticCode::checkbox_missing_space) return "Put a space after the box";
  if (code == DiagnosticCode::checkbox_lookalike) return "Make it a checkbox";
  if (code == DiagnosticCode::marker_unknown_kind) return "Write the marker's kind as it must be";
  return nullptr;  // lint --fix fixes no others
}

// Whether actions of this kind are asked for: "source" means "source.annotate.plankeep" too.
bool is_wanted(const Json& context, std::string_view kind) {
  const Json& only = member(context, "only");
  if (!only.is_array() || only.empty()) return true;
  return std::any_of(only.begin(), only.end(), [kind](const Json& one) {
    if (!one.is_string()) return false;
    const auto& wanted = one.get_ref<const std::string&>();
    return wanted.empty() || kind == wanted || kind.starts_with(wanted + ".");
  });
}

// The client's diagnostics that match this one, as it sent them.
OrderedJson those_of(const Json& context, const Range& range, std::string_view code) {
  OrderedJson all = OrderedJson::array();
  const Json& diagnostics = member(context, "diagnostics");
  if (!diagnostics.is_array()) return all;
  for (const Json& one : diagnostics) {
    if (member(one, "code") == code && member(one, "source") == "plankeep" &&
        range_in(member(one, "range")) == range)
      all.push_back(OrderedJson(one));
  }
  return all;
}

// Adds a command: as a code action of this kind, or bare if the client does not know code actions. `told`:
// the diagnostics that it resolves.
void offer(const Client& client, std::string_view kind, OrderedJson command, OrderedJson told,
           OrderedJson& actions) {
  if (!client.action_literals) return actions.push_back(std::move(command));
  OrderedJson action = {{"title", command["title"]}, {"kind", kind}};
  if (!told.empty()) action["diagnostics"] = std::move(told);
  action["command"] = std::move(command);
  actions.push_back(std::move(action));
}

void add_fixes(const FeatureCall& call, const Range& range, OrderedJson& actions) {
  const PlanView& view = call.view;
  const Json& context = member(call.params, "context");
  const std::string& text = view.text.bytes();
  std::size_t tried = 0;
  const auto add_fix = [&](const core::Diagnostic& one) {
    const char* const title = title_of(one.code);
    if (title == nullptr) return;
    const Range place = view.range(extent_of(view.text, one.line, one.column));
    if (place.end.line < range.start.line || range.end.line < place.start.line) return;
    if (++tried > kMostFixes) return;
    const auto fixed = markdown::fix_one(text, view.as_written, one);
    if (!fixed || fixed->fixes.empty()) return;
    OrderedJson action = {{"title", title}, {"kind", kQuickFix}};
    OrderedJson told = those_of(context, place, core::name_of(one.code));
    if (!told.empty()) action["diagnostics"] = std::move(told);
    action["isPreferred"] = true;
    action["edit"] =
        workspace_edit(view.uri, view.version, view.text, call.client, edits_between(text, fixed->text));
    actions.push_back(std::move(action));
  };
  for (const core::Diagnostic& one : view.as_written.diagnostics) add_fix(one);
  for (const core::Diagnostic& one : view.places.lookalikes) add_fix(one);
}

// "Verify" for each criterion on these lines that is ticked but not proven.
void add_verify(const FeatureCall& call, const Range& range, OrderedJson& actions) {
  const PlanView& view = call.view;
  if (!view.records.tracked) return;
  std::optional<core::KnownEvidence> known;
  std::size_t offered = 0;
  for (const Item& item : view.items) {
    const core::Criterion* const criterion = view.criterion(item);
    if (criterion == nullptr || !criterion->met || criterion->verify.empty()) continue;
    const Range place = view.range(Bytes{view.box(item).offset, view.box(item).after_box});
    if (place.end.line < range.start.line || range.end.line < place.start.line) continue;
    if (!known) known.emplace(view.records.state.get());
    if (!needs_proof(view, item, *known)) continue;
    if (++offered > kMostFixes) return;
    const std::string title = "Verify " + base::printable(criterion->id.text);
    OrderedJson told = OrderedJson::array();
    for (const std::string_view code : {"unproven-criterion", "stale-evidence"}) {
      for (OrderedJson& one : those_of(member(call.params, "context"), place, code))
        told.push_back(std::move(one));
    }
    const OrderedJson arguments =
        OrderedJson::array({view.uri, core::key_of(view.phase(item).id, criterion->id)});
    offer(call.client, kQuickFix,
          {{"title", title}, {"command", "plankeep.verify"}, {"arguments", arguments}}, std::move(told),
          actions);
  }
}

void add_annotate(const FeatureCall& call, OrderedJson& actions) {
  const PlanView& view = call.view;
  const auto after = call.desk.annotated(view.path, view.text.bytes());
  if (!after || *after == view.text.bytes()) return;
  if (!call.client.action_literals) {
    actions.push_back({{"title", kAnnotateTitle},
                       {"command", "plankeep.annotate"},
                       {"arguments", OrderedJson::array({view.uri})}});
    return;
  }
  actions.push_back({{"title", kAnnotateTitle},
                     {"kind", kAnnotate},
                     {"edit", workspace_edit(view.uri, view.version, view.text, call.client,
                                             edits_between(view.text.bytes(), *after))}});
}

// A command, not an edit: the file may have changed by the time it runs.
void add_restore(const FeatureCall& call, OrderedJson& actions) {
  const std::size_t lost = call.desk.lost_tasks(call.view.path, call.view.text.bytes()).size();
  if (lost == 0) return;
  const std::string title = "Put back " + base::counted(lost, "lost task", "lost tasks");
  const OrderedJson arguments = OrderedJson::array({call.view.uri});
  offer(call.client, kRestore, {{"title", title}, {"command", "plankeep.restore"}, {"arguments", arguments}},
        OrderedJson::array(), actions);
}

}  // namespace

Reply code_actions(const FeatureCall& call) {
  const auto range = range_in(member(call.params, "range"));
  if (!range) return refused(json_rpc::kInvalidParams, "range must have a start and an end");
  const Json& context = member(call.params, "context");
  Reply reply;
  reply.value = OrderedJson::array();
  // A client without literals knows commands only, and no command makes a single fix.
  if (call.client.action_literals && is_wanted(context, kQuickFix)) add_fixes(call, *range, reply.value);
  if (is_wanted(context, kQuickFix)) add_verify(call, *range, reply.value);
  // Not on every movement of the cursor: it parses the whole plan.
  const bool automatic = member(context, "triggerKind") == kAutomatic && !member(context, "only").is_array();
  if (!automatic && is_wanted(context, kAnnotate)) add_annotate(call, reply.value);
  if (!automatic && is_wanted(context, kRestore)) add_restore(call, reply.value);
  return reply;
}

}  // namespace plankeep::lsp
