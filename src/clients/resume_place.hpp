#pragma once
// Where a client looks for the transcript of a session that it is to go on with, and the command for that.
// Pure.
//
//   TRY_ASSIGN(const ResumePlace place, resume_place("claude-code", {session_id, folder, started}));
//   the folder that place.variable names, else $HOME/place.home; in it place.folders, in it place.name
//
// Sources: transcript_path in payloads of Claude Code 2.1, Codex 0.169, Copilot CLI and Qwen Code 0.24
// (seen), and their help for the commands. Claude Code and Qwen Code call a folder by the start directory,
// with "-" for every character that is no ASCII letter or digit. Gemini CLI names its folders by a register
// of its own, opencode keeps sessions in a database, Cursor names no command: they are refused.

#include <string>
#include <string_view>
#include <vector>

#include "base/instant.hpp"
#include "base/result.hpp"

namespace plankeep::clients {

struct ResumedTranscript {
  std::string session;    // the client's id
  std::string directory;  // where the client is started, absolute
  base::Instant started;  // of the session
};

struct ResumePlace {
  std::string variable;              // of the environment, for another folder than the next; empty: none
  std::string home;                  // below $HOME: ".claude"
  std::vector<std::string> folders;  // single names, one in the other
  std::string name;                  // of the transcript
  std::vector<std::string> command;  // words that need no quotes
  /// Codex: one transcript a session, in a folder of its day. Another file below the first folder that ends
  /// so is the session's too. Empty: the place is the only one.
  std::string any_day_end;
};

/// Whether an id is plain enough for file names and a command line: ASCII letters, digits, "-", "_" and ".",
/// the first one a letter or digit, at most 128.
bool is_plain_session(std::string_view id);

/// Errors (invalid_input): the client is not known or cannot go on with a transcript, the id is not plain, or
/// the directory's name is too long for the client's folders.
[[nodiscard]] base::Result<ResumePlace> resume_place(std::string_view client,
                                                     const ResumedTranscript& transcript);

/// Our name for what a record calls its client ("Claude Code": "claude-code"); empty: none of ours.
std::string_view client_of_agent(std::string_view agent);

}  // namespace plankeep::clients
