#include "cli/exit_code.hpp"

namespace plankeep::cli {

ExitCode exit_code(const base::Error& error, About about) {
  switch (error.kind) {
    case base::ErrorKind::not_found:
      if (about == About::file) return ExitCode::cannot_access;
      return about == About::plan ? ExitCode::no_plan : ExitCode::usage;
    case base::ErrorKind::ambiguous:
      return about == About::request ? ExitCode::usage : ExitCode::no_plan;
    case base::ErrorKind::invalid_input:
      return about == About::request ? ExitCode::usage : ExitCode::cannot_access;
    case base::ErrorKind::busy:
      return ExitCode::busy;
    case base::ErrorKind::corrupt:
    case base::ErrorKind::conflict:
    case base::ErrorKind::io:
    case base::ErrorKind::internal:
      return ExitCode::cannot_access;
  }
  return ExitCode::cannot_access;
}

}  // namespace plankeep::cli
