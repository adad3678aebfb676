#include "base/json_writer.hpp"

#include <rapidcheck.h>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "base/utf8.hpp"
#include "support/hostile_text.hpp"

using plankeep::base::JsonWriter;

namespace {

std::string number(std::int64_t value) {
  JsonWriter out(JsonWriter::Layout::compact);
  return out.value(value).finish();
}

std::string tenths(std::int64_t value) {
  JsonWriter out(JsonWriter::Layout::compact);
  return out.tenths(value).finish();
}

std::string text(std::string_view value) {
  JsonWriter out(JsonWriter::Layout::compact);
  return out.value(value).finish();
}

void fill(JsonWriter& out) {
  out.begin_object();
  out.key("a").value(1);
  out.key("b").begin_array();
  out.value("x").null().value(true);
  out.begin_object().end_object();
  out.end_array();
  out.key("c").begin_object().end_object();
  out.key("d").begin_array().end_array();
  out.key("e").raw("{\"kept\":  1}");
  out.end_object();
}

}  // namespace

TEST_CASE("The compact layout is one line") {
  JsonWriter out(JsonWriter::Layout::compact);
  fill(out);
  CHECK(out.finish() == "{\"a\":1,\"b\":[\"x\",null,true,{}],\"c\":{},\"d\":[],\"e\":{\"kept\":  1}}\n");
}

TEST_CASE("The indented layout has two spaces a level and empty containers on one line") {
  JsonWriter out(JsonWriter::Layout::indented);
  fill(out);
  CHECK(out.finish() == R"({
  "a": 1,
  "b": [
    "x",
    null,
    true,
    {}
  ],
  "c": {},
  "d": [],
  "e": {"kept":  1}
}
)");
}

TEST_CASE("Numbers are written whole, to the ends of their range") {
  CHECK(number(0) == "0\n");
  CHECK(number(-7) == "-7\n");
  CHECK(number(INT64_MAX) == "9223372036854775807\n");
  CHECK(number(INT64_MIN) == "-9223372036854775808\n");
  JsonWriter out(JsonWriter::Layout::compact);
  CHECK(out.value(std::size_t{UINT64_MAX}).finish() == "18446744073709551615\n");
}

TEST_CASE("Tenths have one digit behind the point, and none when it is 0") {
  CHECK(tenths(0) == "0\n");
  CHECK(tenths(1) == "0.1\n");
  CHECK(tenths(333) == "33.3\n");
  CHECK(tenths(500) == "50\n");
  CHECK(tenths(1000) == "100\n");
  CHECK(tenths(-5) == "-0.5\n");
  CHECK(tenths(-15) == "-1.5\n");
  CHECK(tenths(-20) == "-2\n");
}

TEST_CASE("Control characters are written as escapes, C1 and DEL too, and the rest as it is") {
  CHECK(text("a\"b\\c/d") == "\"a\\\"b\\\\c/d\"\n");
  CHECK(text("\n\r\t\x01\x1b\x7f") == "\"\\n\\r\\t\\u0001\\u001b\\u007f\"\n");
  CHECK(text("\xc2\x9b"
             "31m") == "\"\\u009b31m\"\n");
  CHECK(text(std::string_view("\0", 1)) == "\"\\u0000\"\n");
  CHECK(text("计划 é 🙂 \xc2\xa0") == "\"计划 é 🙂 \xc2\xa0\"\n");
}

TEST_CASE("An ill-formed byte becomes U+FFFD") {
  CHECK(text("a\xff\xe4z") == "\"a\xef\xbf\xbd\xef\xbf\xbdz\"\n");
}

TEST_CASE("Another JSON library reads every string as it was, ill-formed bytes replaced") {
  CHECK(rc::check("strings", [] {
    const std::string value = plankeep::test::hostile_text() + plankeep::test::hostile_bytes();
    const nlohmann::json read = nlohmann::json::parse(text(value), nullptr, false);
    RC_ASSERT(read.is_string());
    RC_ASSERT(read.get<std::string>() == plankeep::base::to_valid_utf8(value));
  }));
}

TEST_CASE("with a sink the pieces are the text, in order, and nothing is left") {
  const auto write = [](JsonWriter& out) {
    out.begin_array();
    for (int i = 0; i < 20'000; ++i) {
      out.begin_object();
      out.key("number").value(i);
      out.key("text").value(std::string(static_cast<std::size_t>(i % 3'000), 'a') + "\n\"");
      out.end_object();
    }
    out.end_array();
  };
  JsonWriter whole(JsonWriter::Layout::indented);
  write(whole);
  std::string joined;
  std::size_t pieces = 0;
  JsonWriter out(JsonWriter::Layout::indented, [&](std::string_view piece) {
    joined += piece;
    ++pieces;
  });
  write(out);
  CHECK(out.finish().empty());
  CHECK(joined == whole.finish());
  CHECK(pieces > 10);
}
