#include "project/text_redactor.hpp"

#include <utility>

#include "project/plan_location.hpp"
#include "settings_files/rule_file.hpp"

namespace plankeep::app {
namespace {

using base::Result;

// gitleaks' own rules have some 100 kB.
constexpr std::uint64_t kRuleFileLimit = std::uint64_t{4} << 20;
constexpr std::size_t kMostRules = 2000;

Result<std::vector<secrets::CustomRule>> rules_of_file(const Context& context, const std::string& path) {
  const std::size_t slash = path.rfind('/');
  TRY_ASSIGN(const auto folder, context.files.open_folder(slash == 0 ? "/" : path.substr(0, slash)));
  TRY_ASSIGN(const std::string text, folder->read(path.substr(slash + 1), kRuleFileLimit));
  return clients::read_rule_file(text);
}

}  // namespace

Result<secrets::Redactor> make_redactor(const Context& context, const Settings& settings) {
  if (!settings.redaction.problem.empty())
    return base::fail(base::ErrorKind::invalid_input, settings.redaction.problem);
  secrets::RedactorOptions options;
  options.finder.personal = settings.redaction.personal;
  options.keep_pictures = settings.session_images;
  options.finder.custom = settings.redaction.rules;
  for (const std::string& path : settings.redaction.files) {
    auto rules = rules_of_file(context, path);
    if (!rules) {
      base::Error error = rules.error();
      error.message = path + ": " + error.message;
      return base::fail(std::move(error));
    }
    for (secrets::CustomRule& rule : *rules) options.finder.custom.push_back(std::move(rule));
  }
  if (options.finder.custom.size() > kMostRules)
    return base::fail(base::ErrorKind::invalid_input,
                      "more than " + std::to_string(kMostRules) + " redaction rules");
  return secrets::Redactor::make(std::move(options));
}

TextRedactor::TextRedactor(const Context& context, const Settings& settings) {
  if (settings.redaction == RedactionSettings{}) return;
  auto made = make_redactor(context, settings);
  if (made) {
    own_ = std::make_shared<const secrets::Redactor>(std::move(*made));
  } else {
    problem_ = made.error().message + ": texts are kept as REDACTED until this is fixed";
  }
}

std::string TextRedactor::operator()(std::string_view text) const {
  if (text.empty()) return {};
  if (!problem_.empty()) return "REDACTED";
  return own_ ? own_->plain(text).take() : secrets::redact(text);
}

}  // namespace plankeep::app
