#pragma once
// Messages out of a stream of bytes: each behind a header that says how long it is, as the base protocol of
// the Language Server Protocol has it. json_rpc/line_framing is the other way.
//
//   HeaderReader in;
//   in.feed(bytes);
//   while (auto message = in.next()) ...
//   write(framed(answer));
//
//   Content-Length: 42\r\n
//   Content-Type: application/vscode-jsonrpc; charset=utf-8\r\n      (or none; utf8 is the same)
//   \r\n
//   42 bytes
//
// A line may also end with LF alone, and names of fields are read without case. A header that cannot be
// understood (no Content-Length, none or several numbers in it, another charset, more than kLongestHeader
// bytes) ends the conversation: nobody can say where the next message begins. Memory is bounded by `longest`
// and what is fed at once: of a longer message nothing is kept, it is told as soon as its header is read, and
// the next message begins behind it.
//
// Source: microsoft.github.io/language-server-protocol, specification 3.17, "Base Protocol".

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace plankeep::json_rpc {

class HeaderReader {
 public:
  /// Bytes. A plan may have 64 MiB, and JSON doubles some of its characters.
  static constexpr std::size_t kLongest = std::size_t{192} << 20;
  static constexpr std::size_t kLongestHeader = std::size_t{4} << 10;

  explicit HeaderReader(std::size_t longest = kLongest) : longest_(longest) {}

  struct Message {
    std::string text;
    bool too_long = false;  // then without its text
  };

  void feed(std::string_view bytes);
  /// nullopt: more bytes are wanted, or the stream is broken.
  std::optional<Message> next();
  /// A header could not be understood; no message comes any more.
  bool broken() const { return broken_; }

 private:
  bool read_header();

  std::size_t longest_;
  std::string bytes_;
  std::size_t begin_ = 0;              // of what is not read yet
  std::size_t looked_ = 0;             // bytes behind begin_ in which no end of a header was found
  std::optional<std::size_t> length_;  // of the message whose header was read
  std::size_t dropping_ = 0;           // bytes that are still to come of a message that was too long
  bool broken_ = false;
};

/// The message with its header.
std::string framed(std::string_view message);

}  // namespace plankeep::json_rpc
