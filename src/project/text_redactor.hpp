#pragma once
// Removes secrets from the texts that plankeep stores for a project: output of commands, prompts, notes,
// decisions.
//
//   const TextRedactor redact(context, project.settings());
//   evidence.last_lines = core::last_lines_of(redact(output));
//   if (!redact.problem().empty()) warnings.push_back(redact.problem());
//
// Uses the built-in rules (secrets/redactor) and those of the settings. If the settings have rules, the
// constructor reads their files and compiles them; otherwise it reads and compiles nothing.
//
// Fails closed: if a rule does not compile or a file of rules cannot be read, problem() says which, and every
// text that is not empty becomes "REDACTED".

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "project/context.hpp"
#include "project/settings.hpp"
#include "secrets/redactor.hpp"

namespace plankeep::app {

class TextRedactor {
 public:
  /// The context is not needed later.
  TextRedactor(const Context& context, const Settings& settings);

  std::string operator()(std::string_view text) const;
  /// One line; empty: the rules are in force.
  const std::string& problem() const { return problem_; }

 private:
  std::shared_ptr<const secrets::Redactor> own_;  // null: the built-in rules alone
  std::string problem_;
};

/// The built-in rules, those of the settings and those of the files that they name. For texts that go to git
/// (transcripts): if this fails, nothing is written. Errors name the file and the rule: invalid_input, or the
/// error of reading a file.
[[nodiscard]] base::Result<secrets::Redactor> make_redactor(const Context& context, const Settings& settings);

}  // namespace plankeep::app
