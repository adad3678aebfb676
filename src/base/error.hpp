#pragma once
// What went wrong, for a person and for a program.
//
// One error type serves every room. `kind` is what callers branch on, `message` says what happened to which
// thing ("cannot read plans/auth/plan.md: permission denied"), `context` is the chain of what was being done,
// outermost first, and `hint` is what the person can do about it; the last two may be empty.
//
// Text that came from outside (file names, plan text) may stand in `message` as it was found: whoever prints
// it passes it through base::printable() first.

#include <string>
#include <string_view>

namespace plankeep::base {

enum class ErrorKind {
  invalid_input,  // an argument or a file's content that can never be accepted
  not_found,      // a file, plan, id that is not there
  ambiguous,      // several answers where one is wanted; the message lists them
  corrupt,        // one of our own files cannot be what we wrote
  conflict,       // somebody else changed the thing meanwhile
  busy,           // a lock was not had in time
  io,             // the system refused: disk full, permission, device error
  internal,       // a broken promise inside plankeep
};

struct Error {
  ErrorKind kind = ErrorKind::internal;
  std::string message;
  std::string context;
  std::string hint;

  bool operator==(const Error&) const = default;
};

/// "invalid_input", "not_found", ... as it stands in --json output.
std::string_view name_of(ErrorKind kind);

/// The same error with `context` put before what is already there ("reading state.json: ...").
Error with_context(Error error, std::string_view context);

}  // namespace plankeep::base
