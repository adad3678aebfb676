#pragma once
// Messages out of a stream of bytes: one a line, as the stdio transport of the Model Context Protocol has it.
// json_rpc/header_framing is the other way.
//
//   LineReader in;
//   in.feed(bytes);
//   while (auto message = in.next()) ...
//   ... at the end of the input: if (auto message = in.rest()) ...
//
// A line ends with LF; a CR before it and lines of white space are passed over. Memory is bounded by kLongest
// and what is fed at once: of a longer line nothing is kept, it is told as soon as it is too long, and the
// next message begins behind its line feed.
//
// Source: modelcontextprotocol.io, specification 2025-11-25, basic/transports, "stdio".

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace plankeep::json_rpc {

class LineReader {
 public:
  static constexpr std::size_t kLongest = std::size_t{16} << 20;  // bytes

  explicit LineReader(std::size_t longest = kLongest) : longest_(longest) {}

  struct Message {
    std::string text;
    bool too_long = false;  // then without its text
  };

  void feed(std::string_view bytes);
  /// nullopt: more bytes are wanted.
  std::optional<Message> next();
  /// At the end of the input: what stands there without a line feed.
  std::optional<Message> rest();

 private:
  std::size_t longest_;
  std::string bytes_;
  std::size_t begin_ = 0;   // of the line that is being read
  std::size_t looked_ = 0;  // no line feed before this
  bool dropping_ = false;   // inside a line that was too long
};

}  // namespace plankeep::json_rpc
