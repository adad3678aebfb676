#pragma once
// The requests about the text of one plan, what answers them, and the commands. Private to this room.

#include <array>
#include <string_view>

#include "lsp/desk.hpp"
#include "lsp/plan_view.hpp"
#include "lsp/protocol.hpp"
#include "lsp/shapes.hpp"

namespace plankeep::lsp {

struct FeatureCall {
  const PlanView& view;
  const Json& params;
  const Client& client;
  Desk& desk;
};

struct Feature {
  std::string_view method;
  Reply (*run)(const FeatureCall& call);
  /// What it needs of the parameters; without it they are refused (-32602).
  enum class Needs { nothing, position } needs;
};

const Feature* feature_called(std::string_view method);

/// Their arguments: the document's URI and, except for annotate and restore, the id of a task or criterion
/// ("phase/id" if the id alone is not unique). verify without an id is about every criterion with a command.
inline constexpr std::array<std::string_view, 7> kCommands = {
    "plankeep.tick",   "plankeep.untick",   "plankeep.start",  "plankeep.claim",
    "plankeep.verify", "plankeep.annotate", "plankeep.restore"};

/// Whether a file's name says that it holds Markdown.
bool is_markdown_path(std::string_view path);

}  // namespace plankeep::lsp
