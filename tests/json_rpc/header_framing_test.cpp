#include "json_rpc/header_framing.hpp"

#include <rapidcheck.h>

#include <catch2/catch.hpp>
#include <string>
#include <vector>

namespace plankeep::json_rpc {
namespace {

using Strings = std::vector<std::string>;

// Every message of `input`, fed `step` bytes at a time; a long one as "(too long)", a broken stream as
// "(broken)".
Strings messages_of(std::string_view input, std::size_t step = 1 << 20, std::size_t longest = 100) {
  Strings all;
  HeaderReader in(longest);
  for (std::size_t at = 0; at < input.size(); at += step) {
    in.feed(input.substr(at, step));
    while (const auto message = in.next()) all.push_back(message->too_long ? "(too long)" : message->text);
  }
  if (in.broken()) all.emplace_back("(broken)");
  return all;
}

std::string header(std::size_t length) {
  return "Content-Length: " + std::to_string(length) + "\r\n\r\n";
}

}  // namespace

TEST_CASE("messages are told apart by their lengths, however the bytes arrive") {
  const std::string input = framed("{}") + framed("") + framed("a\r\n\r\nb\n") + framed("{\"\xC3\xA4\":1}");
  const Strings wanted = {"{}", "", "a\r\n\r\nb\n", "{\"\xC3\xA4\":1}"};
  for (std::size_t step = 1; step <= input.size(); ++step) CHECK(messages_of(input, step) == wanted);
}

TEST_CASE("a header may have other fields, other letter case and plain line feeds") {
  CHECK(messages_of("content-length:2\n\n{}") == Strings{"{}"});
  CHECK(messages_of(
            "Content-Type: application/vscode-jsonrpc; charset=utf-8\r\nContent-Length:  2 \r\n\r\n{}") ==
        Strings{"{}"});
  CHECK(messages_of("Content-Length: 2\r\nContent-Type: x; charset=utf8\r\nX-Other: 5\r\n\r\n{}") ==
        Strings{"{}"});
}

TEST_CASE("a header that cannot be understood ends the conversation") {
  for (const std::string bad :
       {"X: 1\r\n\r\n{}", "Content-Length: two\r\n\r\n{}", "Content-Length: -2\r\n\r\n{}",
        "Content-Length:\r\n\r\n{}", "Content-Length: 2 2\r\n\r\n{}",
        "Content-Length: 99999999999999999999999\r\n\r\n{}",
        "Content-Length: 2\r\nContent-Length: 2\r\n\r\n{}", "nonsense\r\n\r\n{}",
        "Content-Length: 2\r\nContent-Type: x; charset=utf-16\r\n\r\n{}"}) {
    CAPTURE(bad);
    CHECK(messages_of(framed("1") + bad + framed("3")) == Strings{"1", "(broken)"});
  }
}

TEST_CASE("a header without an end is not kept for ever") {
  HeaderReader in;
  for (int i = 0; i < 100 && !in.broken(); ++i) {
    in.feed(std::string(100, 'x') + "\r\n");
    CHECK_FALSE(in.next());
  }
  CHECK(in.broken());
}

TEST_CASE("a message that is too long is told at its header, and the next one is read") {
  const std::string input = header(101) + std::string(101, 'x') + framed("{}");
  for (const std::size_t step : {std::size_t{1}, std::size_t{7}, std::size_t{1000}})
    CHECK(messages_of(input, step) == Strings{"(too long)", "{}"});
  HeaderReader in(10);
  in.feed(header(11));
  const auto told = in.next();
  REQUIRE(told);
  CHECK(told->too_long);
}

TEST_CASE("law: what is framed is read again, in pieces of any size") {
  const bool held = rc::check([](const Strings& messages) {
    std::string input;
    for (const std::string& message : messages) input += framed(message);
    const auto step = *rc::gen::inRange<std::size_t>(1, 40);
    RC_ASSERT(messages_of(input, step, 10'000) == messages);
  });
  CHECK(held);
}

}  // namespace plankeep::json_rpc
