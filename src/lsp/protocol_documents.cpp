// The handshake, documents and their changes, and published diagnostics.

#include <algorithm>
#include <utility>

#include "base/text.hpp"
#include "json_rpc/json.hpp"
#include "lsp/diagnostics.hpp"
#include "lsp/features.hpp"
#include "lsp/method_table.hpp"
#include "lsp/protocol.hpp"
#include "lsp/uri.hpp"

namespace plankeep::lsp {
namespace {

// In milliseconds: the least time between two looks at the files, and the longest.
constexpr std::int64_t kLookAgain = 3 * base::kSecond;
constexpr std::int64_t kLookAtLast = 2 * base::kMinute;
// So many times as long as a look takes, nobody looks: in a huge work tree a look takes seconds.
constexpr std::int64_t kRestBetweenLooks = 20;

bool has_evidence(const Records& records) {
  if (records.state == nullptr) return false;
  for (const core::PhaseState& phase : records.state->phases) {
    for (const core::CriterionState& criterion : phase.acceptance) {
      if (criterion.evidence) return true;
    }
  }
  return false;
}

}  // namespace

Reply Protocol::initialize(const Json& params) {
  phase_ = Phase::initialized;
  const Json& can = member(params, "capabilities");
  const Json& offered = member(member(can, "general"), "positionEncodings");
  for (std::size_t i = 0; offered.is_array() && i < offered.size(); ++i) {
    bool known = false;
    for (const Encoding one : {Encoding::utf8, Encoding::utf16, Encoding::utf32}) {
      known = offered[i] == name_of(one);
      if (known) client_.encoding = one;
      if (known) break;
    }
    if (known) break;
  }
  client_.pulls_diagnostics = member(member(can, "textDocument"), "diagnostic").is_object();
  client_.related_places = flag(can, "textDocument", "publishDiagnostics", "relatedInformation");
  if (flag(can, "textDocument", "publishDiagnostics", "codeDescriptionSupport")) {
    if (const std::string page = desk_.diagnostics_page(); !page.empty())
      client_.diagnostics_page = uri_of(page);
  }
  client_.applies_edits = flag(can, "workspace", "applyEdit");
  client_.action_literals =
      member(member(member(can, "textDocument"), "codeAction"), "codeActionLiteralSupport").is_object();
  client_.versioned_edits = flag(can, "workspace", "workspaceEdit", "documentChanges");
  client_.watches_files = flag(can, "workspace", "didChangeWatchedFiles", "dynamicRegistration");
  client_.refreshes_diagnostics = flag(can, "workspace", "diagnostics", "refreshSupport");
  client_.refreshes_lenses = flag(can, "workspace", "codeLens", "refreshSupport");
  client_.shows_progress = flag(can, "window", "workDoneProgress");
  client_.inlay_hints = flag(params, "initializationOptions", "inlayHints");
  const Json& folders = member(params, "workspaceFolders");
  for (std::size_t i = 0; folders.is_array() && i < folders.size(); ++i)
    if (auto path = path_of(string_in(folders[i], "uri"))) client_.folders.insert(std::move(*path));
  if (auto path = path_of(string_in(params, "rootUri")); path && client_.folders.empty())
    client_.folders.insert(std::move(*path));
  Reply reply;
  reply.value = {
      {"capabilities",
       {{"positionEncoding", name_of(client_.encoding)},
        {"textDocumentSync", {{"openClose", true}, {"change", 2}, {"save", {{"includeText", false}}}}},
        {"diagnosticProvider",
         {{"identifier", "plankeep"}, {"interFileDependencies", false}, {"workspaceDiagnostics", false}}},
        {"codeLensProvider", {{"resolveProvider", false}}},
        {"codeActionProvider",
         {{"codeActionKinds", {"quickfix", "source.annotate.plankeep", "source.restore.plankeep"}}}},
        {"completionProvider", {{"triggerCharacters", {"-", ":", "|", ","}}, {"resolveProvider", false}}},
        {"hoverProvider", true},
        {"inlayHintProvider", client_.inlay_hints},
        {"definitionProvider", true},
        {"referencesProvider", true},
        {"documentHighlightProvider", true},
        {"renameProvider", true},
        {"documentSymbolProvider", true},
        {"workspaceSymbolProvider", true},
        {"foldingRangeProvider", true},
        {"selectionRangeProvider", true},
        {"semanticTokensProvider", {{"legend", token_legend()}, {"full", true}}},
        {"executeCommandProvider", {{"commands", kCommands}, {"workDoneProgress", true}}},
        {"workspace", {{"workspaceFolders", {{"supported", true}, {"changeNotifications", true}}}}}}},
      {"serverInfo", {{"name", "plankeep"}, {"version", version_}}}};
  return reply;
}

void Protocol::change_folders(const Json& event) {
  for (const bool added : {false, true}) {
    const Json& changed = member(event, added ? "added" : "removed");
    for (std::size_t i = 0; changed.is_array() && i < changed.size(); ++i) {
      const auto path = path_of(string_in(changed[i], "uri"));
      if (path && added) client_.folders.insert(*path);
      if (path && !added) client_.folders.erase(*path);
    }
  }
}

void Protocol::initialized() {
  if (!client_.watches_files) return;
  const OrderedJson watched = {
      {"watchers", OrderedJson::array({{{"globPattern", "**/.checkpoint/**/state.json"}}})}};
  const OrderedJson one = {{"id", "plankeep-records"},
                           {"method", "workspace/didChangeWatchedFiles"},
                           {"registerOptions", watched}};
  ask("client/registerCapability", {{"registrations", OrderedJson::array({one})}}, [](const Json&) {});
}

Document* Protocol::document(const std::string& uri) {
  const auto at = documents_.find(uri);
  return at == documents_.end() ? nullptr : at->second.get();
}

void Protocol::open(const Json& params) {
  const Json& given = member(params, "textDocument");
  const std::string uri = string_in(given, "uri");
  const auto path = path_of(uri);
  const Json& version = member(given, "version");
  if (!path || !member(given, "text").is_string()) return;
  const bool markdown = string_in(given, "languageId") == "markdown" || is_markdown_path(*path);
  documents_[uri] = std::make_unique<Document>(uri, *path, markdown,
                                               version.is_number_integer() ? version.get<std::int64_t>() : 0,
                                               string_in(given, "text"));
}

// Changes come in the order in which they were made, so the newest one counts even if its version did not
// increase: some clients count wrongly. After a malformed change our text is unreliable: nothing is reported
// until the full text comes.
void Protocol::change(const Json& params) {
  Document* const one = document(document_in(params));
  if (one == nullptr) return;
  const Json& number = member(member(params, "textDocument"), "version");
  const std::int64_t version = number.is_number_integer() ? number.get<std::int64_t>() : one->version() + 1;
  const Json& changes = member(params, "contentChanges");
  if (!changes.is_array()) return one->lose_sync();
  for (const Json& piece : changes) {
    const Json& text = member(piece, "text");
    if (!text.is_string()) return one->lose_sync();
    if (!piece.contains("range")) {
      one->change(nullptr, text.get_ref<const std::string&>(), version);
      continue;
    }
    const auto range = range_in(piece["range"]);
    if (!range) return one->lose_sync();
    const Bytes part{one->text().offset_of(range->start, client_.encoding),
                     one->text().offset_of(range->end, client_.encoding)};
    one->change(&part, text.get_ref<const std::string&>(), version);
  }
}

void Protocol::save(const Json& params) {
  Document* const one = document(document_in(params));
  if (one == nullptr) return;
  const auto taken_back = desk_.saved(one->path());
  if (!taken_back) {
    notify("window/logMessage",
           {{"type", 2}, {"message", "not recorded yet: " + taken_back.error().message}});
  } else if (!taken_back->empty()) {
    // A person may have saved an old text over another's tick without knowing.
    notify("window/showMessage", {{"type", 2}, {"message", base::joined(*taken_back, "\n")}});
  }
  one->changed = one->tree_is_old = true;
  notify("plankeep/changed", {{"uri", one->uri()}});
}

void Protocol::close(const Json& params) {
  const std::string uri = document_in(params);
  const Document* const one = document(uri);
  if (one == nullptr) return;
  if (one->told)
    notify("textDocument/publishDiagnostics", {{"uri", uri}, {"diagnostics", OrderedJson::array()}});
  documents_.erase(uri);
}

void Protocol::files_changed() {
  for (auto& [uri, one] : documents_) one->changed = one->tree_is_old = true;
  refresh_all();
}

// For clients that ask for these themselves.
void Protocol::refresh_all() {
  if (client_.refreshes_diagnostics) ask("workspace/diagnostic/refresh", nullptr, [](const Json&) {});
  if (client_.refreshes_lenses) ask("workspace/codeLens/refresh", nullptr, [](const Json&) {});
}

OrderedJson Protocol::diagnostics(Document& document, const Records& records) {
  const core::Plan* const plan = document.in_sync() && document.is_plan(records) ? document.plan() : nullptr;
  if (plan == nullptr) return OrderedJson::array();
  const auto secrets = desk_.secrets(document.path(), document.text().bytes());
  const bool claimed = records.state != nullptr && !records.state->leases.empty();
  const FindingsInput input{document.text(),
                            *plan,
                            claimed ? document.known_plan(records) : nullptr,
                            records,
                            document.tree,
                            secrets,
                            document.lookalikes(),
                            desk_.actor()};
  return diagnostics_json(
      findings_of(input), document.text(),
      {client_.encoding, document.uri(), client_.related_places, client_.diagnostics_page});
}

void Protocol::publish(Document& document) {
  document.changed = false;
  if (!document.in_sync()) return;
  const Records records = desk_.records(document.path());
  document.told_age = records.age;
  // The first evidence: from now on there is something to look for.
  if (!document.next_look && has_evidence(records)) document.tree_is_old = true;
  const bool plan = document.is_plan(records);
  if (!client_.pulls_diagnostics) {
    OrderedJson all = diagnostics(document, records);
    const bool any = !all.empty();
    if (any || document.told) {
      notify("textDocument/publishDiagnostics",
             {{"uri", document.uri()}, {"version", document.version()}, {"diagnostics", std::move(all)}});
    }
    document.told = any;
  }
  if (plan) notify("plankeep/changed", {{"uri", document.uri()}});
}

// Git is asked once everything else is answered, and only where evidence depends on it.
void Protocol::refresh(Document& document) {
  const bool asked = std::exchange(document.tree_is_old, false);
  document.next_look.reset();
  const Records records = desk_.records(document.path());
  if (!document.is_plan(records) || !has_evidence(records)) return;
  core::TreeNow tree = desk_.tree(document.path());
  const base::Instant now = desk_.now();
  const std::int64_t took = std::max<std::int64_t>(now.milliseconds - records.now.milliseconds, 0);
  document.next_look =
      base::Instant{now.milliseconds + std::clamp(took * kRestBetweenLooks, kLookAgain, kLookAtLast)};
  const bool looked_before = document.tree.kind != core::TreeNow::Kind::not_looked;
  const bool differs = tree != document.tree;
  document.tree = std::move(tree);
  if (!differs && !asked && records.age == document.told_age) return;
  document.changed = true;
  if (differs && (looked_before || client_.pulls_diagnostics)) refresh_all();
}

Reply Protocol::pull(const Json& params) {
  Document* const one = document(document_in(params));
  Reply reply;
  if (one != nullptr && !one->in_sync())
    return refused(kContentModified, "the document is out of sync: close and open it again");
  reply.value = {
      {"kind", "full"},
      {"items", one == nullptr ? OrderedJson::array() : diagnostics(*one, desk_.records(one->path()))}};
  return reply;
}

Reply Protocol::feature(const Feature& feature, const Json& params) {
  Document* const one = document(document_in(params));
  if (one == nullptr) return {};
  if (!one->in_sync())
    return refused(kContentModified, "the document is out of sync: close and open it again");
  const PlanView* const view = one->view(desk_.records(one->path()), client_.encoding);
  if (view == nullptr) return {};
  if (feature.needs == Feature::Needs::position && !position_in(member(params, "position")))
    return refused(json_rpc::kInvalidParams, "position must have a line and a character");
  return feature.run({*view, params, client_, desk_});
}

Reply Protocol::status(const Json& params) {
  std::string uri = string_in(params, "uri");
  const auto path = path_of(uri);
  if (!path) return refused(json_rpc::kInvalidParams, "uri must name a file");
  const Document* const one = document(uri);
  base::Result<std::string> told = std::string();
  if (one != nullptr && one->in_sync()) {
    const Desk::OpenPlan open{one->text().bytes(), one->tree};
    told = desk_.status(*path, &open);
  } else {
    told = desk_.status(*path, nullptr);
  }
  if (!told) return refused(told.error());
  auto json = json_rpc::parse_rendered(*told);
  if (!json) return refused(json.error());
  Reply reply;
  reply.value = json_rpc::made_safe(std::move(*json));
  return reply;
}

}  // namespace plankeep::lsp
