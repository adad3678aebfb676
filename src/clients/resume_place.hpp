#pragma once
// Where a client looks for the transcript of a session that it resumes, and the command that resumes it.
// Pure.
//
//   TRY_ASSIGN(const ResumePlace place, resume_place("claude-code", {session_id, folder, started}));
//   // The transcript goes to BASE/<place.folders>/<place.name>. BASE is the folder that the variable
//   // place.variable names, else $HOME/<place.home>.
//
// Sources: transcript_path in recorded payloads of Claude Code 2.1, Codex 0.169, Copilot CLI and Qwen Code
// 0.24, and their help for the commands. Claude Code and Qwen Code name a folder after the start directory,
// with "-" for every character that is not an ASCII letter or digit. Gemini CLI keeps a register of its
// folders; 0.61 takes any file and goes on with it as a new session (tried with the real client). Refused are
// opencode, which keeps sessions in a database, and Cursor, which has no command.

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
  std::string variable;              // an environment variable that overrides `home`; empty: none does
  std::string home;                  // below $HOME: ".claude"
  std::vector<std::string> folders;  // single names, each inside the one before it
  std::string name;                  // the transcript's file name
  std::vector<std::string> command;  // words that need no quotes
  bool takes_path = false;           // the transcript's path is the last word of the command
  /// Codex has one transcript for each session, in a folder of its day. Any file below the first folder whose
  /// name ends like this is that transcript. Empty: `name` is the only place.
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
