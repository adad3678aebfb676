#include "json_rpc/line_framing.hpp"

#include <rapidcheck.h>

#include <catch2/catch.hpp>
#include <string>
#include <vector>

namespace plankeep::json_rpc {
namespace {

using Strings = std::vector<std::string>;

// Every message of `input`, fed `step` bytes at a time; a long one as "(too long)".
Strings messages_of(std::string_view input, std::size_t step, std::size_t longest) {
  Strings all;
  LineReader in(longest);
  const auto keep = [&all](const LineReader::Message& message) {
    all.push_back(message.too_long ? "(too long)" : message.text);
  };
  for (std::size_t at = 0; at < input.size(); at += step) {
    in.feed(input.substr(at, step));
    while (const auto message = in.next()) keep(*message);
  }
  while (const auto message = in.rest()) keep(*message);
  return all;
}

Strings messages_of(std::string_view input) {
  return messages_of(input, 1 << 20, 100);
}

}  // namespace

TEST_CASE("a message is a line") {
  CHECK(messages_of("one\ntwo\n") == Strings{"one", "two"});
  CHECK(messages_of("").empty());
  CHECK(messages_of("{\"a\": 1}\n") == Strings{"{\"a\": 1}"});
}

TEST_CASE("empty lines and carriage returns between messages say nothing") {
  CHECK(messages_of("\n\r\n \t\none\r\n\n") == Strings{"one\r"});
}

TEST_CASE("the last message may lack its line feed") {
  CHECK(messages_of("one\ntwo") == Strings{"one", "two"});
  CHECK(messages_of("one\n  ") == Strings{"one"});
}

TEST_CASE("a message that is too long is told once, and the next one is read") {
  const std::string long_line(300, 'x');
  for (const std::size_t step : {std::size_t{1}, std::size_t{7}, std::size_t{64}, std::size_t{1000}}) {
    CHECK(messages_of("one\n" + long_line + "\ntwo\n", step, 100) == Strings{"one", "(too long)", "two"});
    CHECK(messages_of(long_line, step, 100) == Strings{"(too long)"});
    CHECK(messages_of(long_line + "\n" + long_line + "\n", step, 100) == Strings{"(too long)", "(too long)"});
  }
}

TEST_CASE("a message of exactly the longest length is read") {
  const std::string line(100, 'x');
  CHECK(messages_of(line + "\n", 1, 100) == Strings{line});
  CHECK(messages_of(line + "x\n", 1, 100) == Strings{"(too long)"});
}

TEST_CASE("what is read does not depend on how the bytes arrive") {
  CHECK(rc::check("chunks", [] {
    const auto bytes = *rc::gen::container<std::string>(rc::gen::elementOf(std::string("ab\n\r {")));
    const auto step = *rc::gen::inRange<std::size_t>(1, 9);
    const auto longest = *rc::gen::inRange<std::size_t>(1, 9);
    RC_ASSERT(messages_of(bytes, step, longest) == messages_of(bytes, 1 << 20, longest));
  }));
}

}  // namespace plankeep::json_rpc
