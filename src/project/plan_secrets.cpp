#include "project/plan_secrets.hpp"

#include <algorithm>

#include "project/text_redactor.hpp"

namespace plankeep::app {
namespace {

core::Diagnostic secret_at(std::int64_t line, std::int64_t column, std::string message) {
  core::Diagnostic diagnostic;
  diagnostic.line = line;
  diagnostic.column = column;
  diagnostic.code = core::DiagnosticCode::secret_in_plan;
  diagnostic.message = std::move(message);
  return diagnostic;
}

}  // namespace

std::vector<core::Diagnostic> secrets_in_plan(const Context& context, const Settings& settings,
                                              std::string_view text, secrets::KnownSecrets* known) {
  std::vector<core::Diagnostic> diagnostics;
  std::optional<secrets::Redactor> own;
  if (settings.redaction != RedactionSettings{}) {
    auto made = make_redactor(context, settings);
    if (made) {
      own.emplace(std::move(*made));
    } else {
      diagnostics.push_back(
          secret_at(1, 1, "not checked with your redaction rules: " + made.error().message));
    }
  }
  const secrets::SecretFinder& finder = (own ? *own : secrets::Redactor::standard()).finder();
  std::size_t line_begin = 0;
  std::int64_t line = 1;
  std::size_t counted = 0;  // up to here line ends were looked for
  const bool remembers = known != nullptr && !own;
  for (const secrets::Region& region : remembers ? known->find(finder, text) : finder.find(text)) {
    for (; counted < region.begin; ++counted) {
      if (text[counted] != '\n') continue;
      line_begin = counted + 1;
      ++line;
    }
    core::Diagnostic& found = diagnostics.emplace_back(
        secret_at(line, static_cast<std::int64_t>(region.begin - line_begin) + 1,
                  "looks like a secret (" + std::string(finder.rules()[region.rule].id) + ")"));
    found.hint = "replace it in the plan and revoke it: plans are committed and shown to models";
  }
  return diagnostics;
}

}  // namespace plankeep::app
