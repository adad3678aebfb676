#include "base/error.hpp"

namespace plankeep::base {

std::string_view name_of(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::invalid_input:
      return "invalid_input";
    case ErrorKind::not_found:
      return "not_found";
    case ErrorKind::ambiguous:
      return "ambiguous";
    case ErrorKind::corrupt:
      return "corrupt";
    case ErrorKind::conflict:
      return "conflict";
    case ErrorKind::busy:
      return "busy";
    case ErrorKind::io:
      return "io";
    case ErrorKind::internal:
      return "internal";
  }
  return "internal";
}

Error with_context(Error error, std::string_view context) {
  error.context = error.context.empty() ? std::string(context) : std::string(context) + ": " + error.context;
  return error;
}

}  // namespace plankeep::base
