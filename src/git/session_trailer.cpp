#include "git/session_trailer.hpp"

#include "git/git_output.hpp"
#include "model/session.hpp"

namespace plankeep::git {
namespace {

constexpr std::string_view kKey = "Entire-Checkpoint: ";

// The part in front of the diff that `git commit --verbose` shows. The line is git's (wt-status.c), behind a
// comment character of the user's.
std::string_view before_scissors(std::string_view message) {
  constexpr std::string_view kScissors = " ------------------------ >8 ------------------------\n";
  const std::size_t at = message.find(kScissors);
  if (at == std::string_view::npos) return message;
  const std::size_t start = message.rfind('\n', at);
  return message.substr(0, start == std::string_view::npos ? 0 : start + 1);
}

base::Result<std::string> answer(Git& git, const std::string& folder, const std::vector<std::string>& words,
                                 std::string_view input) {
  TRY_ASSIGN(system::Finished finished, git.run(folder, words, input));
  if (finished.status != 0) return base::fail(refused(finished));
  return std::move(finished.output);
}

base::Result<bool> names_one(Git& git, const std::string& folder, std::string_view message) {
  if (core::mentioned_checkpoints(message).empty()) return false;
  TRY_ASSIGN(const std::string trailers,
             answer(git, folder, {"interpret-trailers", "--no-divider", "--parse"}, message));
  std::string_view rest = trailers;
  while (!rest.empty()) {
    const std::string_view line = take_until(rest, '\n');
    if (line.starts_with(kKey) && core::session_id_kind(line.substr(kKey.size()))) return true;
  }
  return false;
}

}  // namespace

base::Result<std::optional<std::string>> with_session_trailers(Git& git, const std::string& folder,
                                                               std::string_view message,
                                                               const std::vector<std::string>& ids) {
  std::vector<std::string> words{"interpret-trailers", "--no-divider",   "--where",      "end",
                                 "--if-exists",        "addIfDifferent", "--if-missing", "add"};
  for (const std::string& id : ids) {
    if (!core::session_id_kind(id))
      return base::fail(base::ErrorKind::invalid_input, "not the id of a session checkpoint");
    words.emplace_back("--trailer");
    words.push_back(std::string(kKey) + id);
  }
  if (ids.empty()) return std::optional<std::string>();
  TRY_ASSIGN(const std::string text,
             answer(git, folder, {"stripspace", "--strip-comments"}, before_scissors(message)));
  if (text.empty()) return std::optional<std::string>();
  TRY_ASSIGN(const bool named, names_one(git, folder, message));
  if (named) return std::optional<std::string>();
  TRY_ASSIGN(std::string changed, answer(git, folder, words, message));
  return std::optional(std::move(changed));
}

}  // namespace plankeep::git
