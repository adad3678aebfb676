#pragma once
// Takes secrets out of the texts that plankeep keeps of a project: output of commands, prompts, notes,
// decisions.
//
//   const TextRedactor redact(context, project.settings());
//   evidence.last_lines = core::last_lines_of(redact(output));
//   if (!redact.problem().empty()) warnings.push_back(redact.problem());
//
// With the built-in rules (secrets/redactor) and those of the settings. Without any in the settings nothing
// is read and nothing is compiled. With them, their files are read and all of them are compiled here.
//
// Fails closed: when a rule does not compile, or a file with rules cannot be read, problem() says which, and
// every text that is not empty becomes "REDACTED".

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

/// The rules of the settings: built-in ones, theirs, and those of their files. For texts that go to git
/// (transcripts), where failing means that nothing is written. Errors name the file and the rule:
/// invalid_input, or that of reading a file.
[[nodiscard]] base::Result<secrets::Redactor> make_redactor(const Context& context, const Settings& settings);

}  // namespace plankeep::app
