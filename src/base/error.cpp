#include "base/error.hpp"

#include "base/enum_names.hpp"

namespace plankeep::base {

namespace {

constexpr auto kErrorKinds = enum_names<ErrorKind>({{ErrorKind::invalid_input, "invalid_input"},
                                                    {ErrorKind::not_found, "not_found"},
                                                    {ErrorKind::ambiguous, "ambiguous"},
                                                    {ErrorKind::corrupt, "corrupt"},
                                                    {ErrorKind::conflict, "conflict"},
                                                    {ErrorKind::busy, "busy"},
                                                    {ErrorKind::io, "io"},
                                                    {ErrorKind::internal, "internal"}});

}  // namespace

std::string_view name_of(ErrorKind kind) {
  return kErrorKinds.name_of(kind);
}

Error with_context(Error error, std::string_view context) {
  error.context = error.context.empty() ? std::string(context) : std::string(context) + ": " + error.context;
  return error;
}

}  // namespace plankeep::base
