#pragma once
// A session's stored transcript put where its client looks for it, so that the client can go on with it
// (`session resume`, spec 25.4).
//
//   TRY_ASSIGN(const ResumedSession done, resume_session(context, sessions, request));
//   ... done.command goes on ...
//
// What is written: one file of mode 0600 in the client's own folder, which has to be there; folders below it
// are made (0700). No link is followed below that folder. A file that is there is never replaced: it is
// extended where it is the beginning of the stored transcript, and left alone where it goes beyond it or has
// other text (stored transcripts are redacted, the client's own is not).
//
// Killed: a temporary file beside the place, or a file that ends earlier than it should, which the next call
// extends. A session that still runs here is refused.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "project/context.hpp"
#include "sessions/sessions.hpp"

namespace plankeep::app {

struct ResumeRequest {
  std::string which;                     // as Sessions::show
  std::optional<std::string> session{};  // of several in the checkpoint; nullopt: the one that `which` names,
                                         // else the last
  std::optional<std::string> client{};   // where the record does not name one of ours
  bool print = false;                    // nothing is written
};

struct ResumedSession {
  enum class Found {
    missing,    // the client has no such transcript: it was written (print: it would be)
    beginning,  // the client's is the beginning of the stored one: it was extended (print: likewise)
    same,       // nothing to do
    longer,     // the client's goes on behind the stored one: nothing to do
    different,  // the client's has other text: it is left alone
  };
  std::string checkpoint;
  std::string session;
  std::string client;
  std::string path;  // of the transcript
  Found found = Found::missing;
  std::uint64_t bytes = 0;           // of the stored transcript
  bool written = false;              // something was
  std::vector<std::string> command;  // in this order; a path in it may need quotes
  std::string directory;             // where to run it
  std::vector<std::string> warnings;
};
std::string_view name_of(ResumedSession::Found found);

/// Errors: those of Sessions::show; not_found, no such session, no transcript, or the client's folder is not
/// there; invalid_input, another client or one that cannot go on; busy, the session still runs; corrupt, a
/// part of the transcript is missing, or a link or folder stands in the way; io.
[[nodiscard]] base::Result<ResumedSession> resume_session(const Context& context, Sessions& sessions,
                                                          const ResumeRequest& request);

}  // namespace plankeep::app
