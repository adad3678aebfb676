// The code lenses above boxes that are not done or not proven, and the table of features.

#include <array>

#include "lsp/features.hpp"
#include "model/item_key.hpp"

namespace plankeep::lsp {
namespace {

// More would only slow the editor down.
constexpr std::size_t kMostLenses = 3000;

}  // namespace

bool needs_proof(const PlanView& view, const Item& item, const core::KnownEvidence& known) {
  const core::Criterion& criterion = *view.criterion(item);
  if (criterion.verify.empty()) return false;
  const auto& evidence = known.find(view.phase(item).id, criterion.id);
  return core::judge(evidence, criterion.verify, view.tree) != core::Proof::proven || !criterion.met;
}

Reply code_lenses(const FeatureCall& call) {
  const PlanView& view = call.view;
  Reply reply;
  reply.value = OrderedJson::array();
  const core::KnownEvidence known(view.records.state.get());
  for (const Item& item : view.items) {
    if (reply.value.size() >= kMostLenses) break;
    const core::Task* const task = view.task(item);
    const core::Criterion* const criterion = view.criterion(item);
    const auto add = [&](const char* title, const char* command, std::string key) {
      reply.value.push_back(
          {{"range", json_of(view.range(Bytes{view.box(item).offset, view.box(item).after_box}))},
           {"command",
            {{"title", title},
             {"command", command},
             {"arguments", OrderedJson::array({view.uri, std::move(key)})}}}});
    };
    const core::PhaseId& phase = view.phase(item).id;
    if (task != nullptr && !task->done()) {
      add("Tick", "plankeep.tick", core::key_of(phase, task->id));
      if (task->state == core::BoxState::open) add("Start", "plankeep.start", core::key_of(phase, task->id));
      add("Claim", "plankeep.claim", core::key_of(phase, task->id));
    } else if (task == nullptr && !criterion->met) {
      add("Tick", "plankeep.tick", core::key_of(phase, criterion->id));
    }
    if (criterion != nullptr && needs_proof(view, item, known))
      add("Verify", "plankeep.verify", core::key_of(phase, criterion->id));
  }
  return reply;
}

namespace {

using Needs = Feature::Needs;

constexpr std::array kFeatures = {
    Feature{"textDocument/codeLens", code_lenses, Needs::nothing},
    Feature{"textDocument/codeAction", code_actions, Needs::nothing},
    Feature{"textDocument/completion", completion, Needs::position},
    Feature{"textDocument/hover", hover, Needs::position},
    Feature{"textDocument/inlayHint", inlay_hints, Needs::nothing},
    Feature{"textDocument/definition", definition, Needs::position},
    Feature{"textDocument/references", references, Needs::position},
    Feature{"textDocument/documentHighlight", highlights, Needs::position},
    Feature{"textDocument/rename", rename, Needs::position},
    Feature{"textDocument/documentSymbol", symbols, Needs::nothing},
    Feature{"textDocument/foldingRange", folding, Needs::nothing},
    Feature{"textDocument/selectionRange", selection_ranges, Needs::nothing},
    Feature{"textDocument/semanticTokens/full", semantic_tokens, Needs::nothing},
};

}  // namespace

const Feature* feature_called(std::string_view method) {
  for (const Feature& feature : kFeatures) {
    if (feature.method == method) return &feature;
  }
  return nullptr;
}

}  // namespace plankeep::lsp
