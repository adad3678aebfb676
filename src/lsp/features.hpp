#pragma once
// The features that answer requests about one plan; method_table names them. Private to this room. Places
// and ids come from the text as the editor has it.

#include <vector>

#include "lsp/method_table.hpp"
#include "lsp/text_edits.hpp"
#include "model/record_evidence.hpp"

namespace plankeep::lsp {

// SymbolKind of phases, tasks and criteria.
inline constexpr int kModule = 2;
inline constexpr int kObject = 19;
inline constexpr int kEvent = 24;

Reply code_lenses(const FeatureCall& call);
/// Whether the item's criterion has a command and is not both ticked and proven.
bool needs_proof(const PlanView& view, const Item& item, const core::KnownEvidence& known);
/// Quick fixes on the lines of the range, and markers for every box. Without a range refused (-32602).
Reply code_actions(const FeatureCall& call);

/// At the end of each box's line in the range: who finished the task and when, or who holds it. Empty unless
/// the client set the initialization option inlayHints.
Reply inlay_hints(const FeatureCall& call);
/// What is known of the box on the line: state, who and when, claim, dependencies both ways, evidence,
/// earlier ids and titles. On a phase's heading its progress.
Reply hover(const FeatureCall& call);
/// Of the id under the cursor, else of the task on the line.
Reply definition(const FeatureCall& call);
Reply references(const FeatureCall& call);
Reply highlights(const FeatureCall& call);
/// Every marker that says the id, and every `after` that names it. Refused (-32803): a task without a marker,
/// a name that is no id, one that the plan has.
Reply rename(const FeatureCall& call);
/// Phases, and in them tasks and criteria.
Reply symbols(const FeatureCall& call);
/// By phase.
Reply folding(const FeatureCall& call);
/// Kinds of markers, ids, attributes, boxes done and open.
Reply semantic_tokens(const FeatureCall& call);
OrderedJson token_legend();
/// From the word in a marker to the marker, the item, its children, the phase, the plan. Places that are
/// none, or more than 100, are refused (-32602).
Reply selection_ranges(const FeatureCall& call);
/// Inside a comment: kinds of markers, their attributes, ids after `after:`. Null anywhere else.
Reply completion(const FeatureCall& call);

/// A WorkspaceEdit of this document, with its version where the client takes that.
OrderedJson workspace_edit(const std::string& uri, std::int64_t version, const Text& text,
                           const Client& client, const std::vector<TextEdit>& edits);

}  // namespace plankeep::lsp
