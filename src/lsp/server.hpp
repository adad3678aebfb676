#pragma once
// The loop between an editor and the protocol. This alone touches the wire; nothing is held between two
// messages: no lock, no open file.

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "lsp/desk.hpp"

namespace plankeep::lsp {

class Wire {
 public:
  virtual ~Wire() = default;
  /// What the editor says next, at most `count` bytes; waits as long as it takes, or for `at_most`. Empty:
  /// it said nothing for so long; or, if over(), it has said everything, or it is time to end.
  virtual std::string read(std::size_t count, std::optional<std::chrono::milliseconds> at_most) = 0;
  /// What it has said already; empty: nothing yet, or nothing any more.
  virtual std::string more(std::size_t count) = 0;
  /// Whether the last read() or more() found the end of the input.
  virtual bool over() const = 0;
  /// False: nobody reads any more.
  virtual bool write(std::string_view bytes) = 0;
};

/// The exit status: that of the protocol after `exit`, 0 at the end of input, 1 when the input cannot be
/// understood any more.
int serve(Wire& wire, Desk& desk, const std::string& version);

}  // namespace plankeep::lsp
