#include "git/session_trailer.hpp"

#include "git/git_output.hpp"
#include "model/session.hpp"

namespace plankeep::git {
namespace {

constexpr std::string_view kKey = "Entire-Checkpoint: ";

base::Result<std::string> answer(Git& git, const std::string& folder, const std::vector<std::string>& words,
                                 std::string_view input) {
  TRY_ASSIGN(system::Finished finished, git.run(folder, words, input));
  if (finished.status != 0) return base::fail(refused(finished));
  return std::move(finished.output);
}

base::Result<bool> names_one(Git& git, const std::string& folder, std::string_view message) {
  if (core::mentioned_checkpoints(above_scissors(message)).empty()) return false;
  TRY_ASSIGN(const std::string trailers,
             answer(git, folder, {"interpret-trailers", "--no-divider", "--parse"}, message));
  std::string_view rest = trailers;
  while (!rest.empty()) {
    const std::string_view line = take_until(rest, '\n');
    if (line.starts_with(kKey) && core::session_id_kind(line.substr(kKey.size()))) return true;
  }
  return false;
}

// The lines of the last paragraph, and whether it is the only one.
struct LastParagraph {
  std::string_view text;
  bool only = true;
};
LastParagraph last_paragraph(std::string_view message) {
  const std::size_t blank = message.rfind("\n\n");
  if (blank == std::string_view::npos) return {message, true};
  return {message.substr(blank + 2), false};
}

}  // namespace

std::string_view above_scissors(std::string_view message) {
  constexpr std::string_view kScissors = " ------------------------ >8 ------------------------\n";
  const std::size_t at = message.find(kScissors);
  if (at == std::string_view::npos) return message;
  const std::size_t start = message.rfind('\n', at);
  return message.substr(0, start == std::string_view::npos ? 0 : start + 1);
}

std::optional<std::string> plain_message_with_trailers(std::string_view message,
                                                       const std::vector<std::string>& ids) {
  const auto is_word = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
  };
  if (ids.empty() || message.empty() || !is_word(message.front())) return std::nullopt;
  if (!message.ends_with('\n') || message.ends_with("\n\n")) return std::nullopt;
  if (message.find("Entire-") != std::string_view::npos) return std::nullopt;
  for (std::string_view rest = message; !rest.empty();) {
    const std::string_view line = take_until(rest, '\n');
    // A line of blanks parts paragraphs too; what begins with a sign may be a comment or a mark of git's.
    if (line.empty()) continue;
    if (!is_word(line.front()) || line.find('\r') != std::string_view::npos) return std::nullopt;
  }
  const LastParagraph last = last_paragraph(message);
  if (!last.only && last.text.find_first_of(":(") != std::string_view::npos) return std::nullopt;
  std::string text(message);
  text += '\n';
  for (const std::string& id : ids) text += std::string(kKey) + id + "\n";
  return text;
}

base::Result<std::optional<std::string>> with_session_trailers(Git& git, const std::string& folder,
                                                               std::string_view message,
                                                               const std::vector<std::string>& ids,
                                                               bool final) {
  std::vector<std::string> words{"interpret-trailers", "--no-divider",   "--where",      "end",
                                 "--if-exists",        "addIfDifferent", "--if-missing", "add"};
  for (const std::string& id : ids) {
    if (!core::session_id_kind(id))
      return base::fail(base::ErrorKind::invalid_input, "not the id of a session checkpoint");
    words.emplace_back("--trailer");
    words.push_back(std::string(kKey) + id);
  }
  if (ids.empty()) return std::optional<std::string>();
  if (final) {
    if (auto plain = plain_message_with_trailers(message, ids)) return plain;
  }
  TRY_ASSIGN(const std::string text,
             answer(git, folder, {"stripspace", "--strip-comments"}, above_scissors(message)));
  if (text.empty()) return std::optional<std::string>();
  TRY_ASSIGN(const bool named, names_one(git, folder, message));
  if (named) return std::optional<std::string>();
  TRY_ASSIGN(std::string changed, answer(git, folder, words, message));
  return std::optional(std::move(changed));
}

}  // namespace plankeep::git
