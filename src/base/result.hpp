#pragma once
// Result<T>: a value or an Error. Status: nothing or an Error.
//
// A missing, locked or torn file is an everyday outcome here, so the signature says so. tl::expected (Debian:
// libexpected-dev) stands in for std::expected, which GCC 12 lacks in C++20. tl::expected does not warn when
// it is dropped: every function that returns one is [[nodiscard]].

#include <tl/expected.hpp>
#include <utility>

#include "base/error.hpp"

namespace plankeep::base {

template <class T>
using Result = tl::expected<T, Error>;
using Status = Result<void>;

inline tl::unexpected<Error> fail(Error error) {
  return tl::unexpected<Error>(std::move(error));
}
inline tl::unexpected<Error> fail(ErrorKind kind, std::string message, std::string hint = {}) {
  return tl::unexpected<Error>(Error{kind, std::move(message), {}, std::move(hint)});
}

}  // namespace plankeep::base

#define PLANKEEP_JOIN_(a, b) a##b
#define PLANKEEP_JOIN(a, b) PLANKEEP_JOIN_(a, b)

/// Returns the error of `expression` (a Status or Result) from the function it stands in.
// The counter gives every use its own name: one TRY may stand in a lambda inside the expression of another.
#define TRY(expression) TRY_(PLANKEEP_JOIN(plankeep_try_, __COUNTER__), expression)
#define TRY_(name, expression)                                                            \
  do {                                                                                    \
    auto name = (expression);                                                             \
    if (!name) return ::tl::unexpected<::plankeep::base::Error>(std::move(name.error())); \
  } while (false)

/// TRY_ASSIGN(auto x, f()): x becomes the value of f(), or the function returns f()'s error.
#define TRY_ASSIGN(target, expression) \
  TRY_ASSIGN_(PLANKEEP_JOIN(plankeep_try_, __COUNTER__), target, expression)
#define TRY_ASSIGN_(name, target, expression)                                           \
  auto name = (expression);                                                             \
  if (!name) return ::tl::unexpected<::plankeep::base::Error>(std::move(name.error())); \
  target = std::move(*name)
