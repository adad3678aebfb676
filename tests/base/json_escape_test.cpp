#include "base/json_escape.hpp"

#include <rapidcheck.h>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <string>

#include "base/utf8.hpp"

using namespace plankeep::base;

TEST_CASE("an escape is decoded, or said to be faulty and where") {
  struct Row {
    const char* text;
    char32_t character;
    std::size_t length;
    EscapeFault fault;
  };
  for (const Row& row : {Row{R"(\n..)", '\n', 2, EscapeFault::none},
                         {R"(\/)", '/', 2, EscapeFault::none},
                         {R"(\u00e9x)", 0xE9, 6, EscapeFault::none},
                         {R"(\uD83D\uDE00)", 0x1F600, 12, EscapeFault::none},
                         {R"(\ud83d\ude00)", 0x1F600, 12, EscapeFault::none},
                         {"\\", 0, 0, EscapeFault::letter},
                         {R"(\x41)", 0, 0, EscapeFault::letter},
                         {R"(\N)", 0, 0, EscapeFault::letter},
                         {R"(\u12)", 0, 0, EscapeFault::digits},
                         {R"(\u12g4)", 0, 0, EscapeFault::digits},
                         {R"(\u+123)", 0, 0, EscapeFault::digits},
                         {R"(\ud83d)", 0, 6, EscapeFault::low},
                         {R"(\ud83dxxxxxx)", 0, 6, EscapeFault::low},
                         {R"(\ud83d\u0041)", 0, 6, EscapeFault::low},
                         {R"(\ud83d\u12)", 0, 6, EscapeFault::digits},
                         {R"(\ude00)", 0, 0, EscapeFault::lone}}) {
    INFO(row.text);
    const DecodedEscape escape = decode_escape(row.text);
    CHECK(escape.fault == row.fault);
    CHECK(escape.length == row.length);
    if (row.fault == EscapeFault::none) CHECK(escape.character == row.character);
  }
}

TEST_CASE("escapes mean what nlohmann takes them for") {
  CHECK(rc::check("escapes", [] {
    const auto piece = rc::gen::elementOf(std::string("\\u0123456789abcdefDdEe8n\"/btrf"));
    std::string text = "\\" + *rc::gen::container<std::string>(piece);
    const DecodedEscape escape = decode_escape(text);
    if (escape.fault != EscapeFault::none) {
      const auto json = nlohmann::json::parse("\"" + text.substr(0, 12) + "\"", nullptr, false);
      RC_ASSERT(json.is_discarded());
      return;
    }
    std::string decoded;
    append_utf8(decoded, escape.character);
    RC_ASSERT(nlohmann::json::parse("\"" + text.substr(0, escape.length) + "\"").get<std::string>() ==
              decoded);
  }));
}
