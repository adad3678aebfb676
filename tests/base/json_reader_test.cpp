#include "base/json_reader.hpp"

#include <rapidcheck.h>

#include <catch2/catch.hpp>
#include <functional>
#include <nlohmann/json.hpp>

#include "support/hostile_text.hpp"

using namespace plankeep::base;
using nlohmann::json;

namespace {

// The whole text as a tree, read through every typed call of the reader.
Status read_tree(JsonReader& in, json& value) {
  switch (in.peek()) {
    case JsonType::object:
      value = json::object();
      return in.object([&](std::string_view key) -> Status {
        const std::string name(key);
        json element;
        TRY(read_tree(in, element));
        value[name] = std::move(element);
        return {};
      });
    case JsonType::array:
      value = json::array();
      return in.array([&]() -> Status {
        json element;
        TRY(read_tree(in, element));
        value.push_back(std::move(element));
        return {};
      });
    case JsonType::string: {
      std::string text;
      TRY(in.string(text));
      value = text;
      return {};
    }
    case JsonType::number: {
      JsonReader whole = in;
      std::int64_t integer = 0;
      if (whole.integer(integer)) {
        in = whole;
        value = integer;
        return {};
      }
      double number = 0;
      TRY(in.number(number));
      value = number;
      return {};
    }
    case JsonType::boolean: {
      bool truth = false;
      TRY(in.boolean(truth));
      value = truth;
      return {};
    }
    default: {
      std::string text;
      bool present = false;
      TRY(in.string_or_null(text, present));
      value = nullptr;
      return {};
    }
  }
}

Result<json> tree(std::string_view text) {
  JsonReader in(text);
  json value;
  TRY(read_tree(in, value));
  TRY(in.end());
  return value;
}

bool skips(std::string_view text) {
  JsonReader in(text);
  return in.skip().has_value() && in.end().has_value();
}

template <class Read>
std::string error_of(std::string_view text, const Read& read) {
  JsonReader in(text);
  const Status status = read(in);
  if (status) return "";
  CHECK(status.error().kind == ErrorKind::corrupt);
  return status.error().message;
}

// Whether RFC 8259 allows the text. The other library takes a NUL for the end of the input and passes over a
// byte order mark; the grammar allows neither.
bool is_json(std::string_view text) {
  return json::accept(text) && text.find('\0') == std::string_view::npos && !text.starts_with("\xef\xbb\xbf");
}

json random_json(int depth) {
  const int kind = *rc::gen::inRange(0, depth > 0 ? 8 : 6);
  switch (kind) {
    case 0:
      return nullptr;
    case 1:
      return *rc::gen::arbitrary<bool>();
    case 2:
      return *rc::gen::arbitrary<std::int64_t>();
    case 3:
      return static_cast<double>(*rc::gen::arbitrary<std::int32_t>()) / 1024;
    case 4:
    case 5:
      return plankeep::test::hostile_text();
    case 6: {
      json value = json::array();
      const int count = *rc::gen::inRange(0, 4);
      for (int i = 0; i < count; ++i) value.push_back(random_json(depth - 1));
      return value;
    }
    default: {
      json value = json::object();
      const int count = *rc::gen::inRange(0, 4);
      for (int i = 0; i < count; ++i) value[plankeep::test::hostile_text()] = random_json(depth - 1);
      return value;
    }
  }
}

std::string nested(std::size_t depth, std::string_view open, std::string_view inside,
                   std::string_view close) {
  std::string text;
  for (std::size_t i = 0; i < depth; ++i) text += open;
  text += inside;
  for (std::size_t i = 0; i < depth; ++i) text += close;
  return text;
}

}  // namespace

TEST_CASE("JSON that another library wrote is read as it was") {
  CHECK(rc::check("same values", [] {
    const json value = random_json(4);
    const int indent = *rc::gen::elementOf(std::vector<int>{-1, 0, 2});
    const bool ascii = *rc::gen::arbitrary<bool>();
    const std::string text = value.dump(indent, ' ', ascii);
    const Result<json> read = tree(text);
    RC_ASSERT(read.has_value());
    RC_ASSERT(*read == value);
    RC_ASSERT(skips(text));
  }));
}

TEST_CASE("The reader accepts and refuses what another library does, and reads the same") {
  CHECK(rc::check("damaged JSON", [] {
    std::string text = random_json(3).dump(-1, ' ', *rc::gen::arbitrary<bool>());
    const int changes = *rc::gen::inRange(0, 4);
    for (int i = 0; i < changes; ++i) {
      const auto at = *rc::gen::inRange<std::size_t>(0, text.size() + 1);
      const std::string piece =
          *rc::gen::elementOf(std::vector<std::string>{"\"",      "\\",
                                                       "\\u",     "\\ud83d",
                                                       "\\ude00", "\\u00e9",
                                                       "\\x",     "{",
                                                       "}",       "[",
                                                       "]",       ",",
                                                       ":",       " ",
                                                       "\n",      "\t",
                                                       "0",       "-",
                                                       "1",       ".",
                                                       "e",       "E+",
                                                       "null",    "tru",
                                                       "\x01",    "\x80",
                                                       "\xc3",    "\xed\xa0\x80",
                                                       "/",       std::string(1, '\0')});
      const auto cut = *rc::gen::inRange<std::size_t>(0, std::min<std::size_t>(3, text.size() - at) + 1);
      text.replace(at, cut, piece);
    }
    const json oracle = json::parse(text, nullptr, false);
    const Result<json> read = tree(text);
    // Numbers beyond a double are JSON by the grammar; the other library refuses them, and so does number().
    RC_ASSERT(read.has_value() == is_json(text));
    if (read) RC_ASSERT(*read == oracle);
    if (read) RC_ASSERT(skips(text));
  }));
}

TEST_CASE("Any bytes are read or refused alike by the typed calls and by skipping") {
  CHECK(rc::check("any bytes", [] {
    const std::string text = plankeep::test::hostile_bytes();
    const Result<json> read = tree(text);
    const bool skipped = skips(text);
    if (read) RC_ASSERT(skipped);
    RC_ASSERT(read.has_value() == is_json(text));
  }));
}

TEST_CASE("Every case of the grammar is decided as RFC 8259 has it") {
  for (const char* text : {"0",
                           "-0",
                           "10",
                           "-1.5",
                           "1e5",
                           "1E+5",
                           "1e-5",
                           "0.0",
                           "0e0",
                           "\"\"",
                           "\"\\u0000\"",
                           "\"\\ud83d\\ude00\"",
                           "\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"",
                           "[]",
                           "[ ]",
                           "{}",
                           " { } ",
                           "[1,2]",
                           "{\"a\":1,\"a\":2}",
                           "\t\r\n null \n",
                           "true",
                           "false",
                           "\"\x7f\"",
                           "[[[]]]",
                           "\"\\uD834\\uDD1E\""}) {
    CAPTURE(text);
    CHECK(skips(text));
    CHECK(tree(text).has_value());
    CHECK(json::accept(text));
  }
  for (const char* text : {"",
                           " ",
                           "-",
                           "+1",
                           "01",
                           "-01",
                           "1.",
                           ".5",
                           "1.e5",
                           "1e",
                           "1e+",
                           "0x1",
                           "NaN",
                           "Infinity",
                           "nul",
                           "nullx",
                           "True",
                           "'a'",
                           "\"",
                           "\"a",
                           "\"\\",
                           "\"\\x\"",
                           "\"\\u12\"",
                           "\"\\u12g4\"",
                           "\"\\u+123\"",
                           "\"\\ud83d\"",
                           "\"\\ude00\"",
                           "\"\\ud83d\\n\"",
                           "\"\\ud83dx\"",
                           "\"\\ud83d\\ud83d\"",
                           "\"\n\"",
                           "\"\x01\"",
                           "\"\x80\"",
                           "\"\xc0\x80\"",
                           "\"\xed\xa0\x80\"",
                           "\"\xf4\x90\x80\x80\"",
                           "[",
                           "[1",
                           "[1,",
                           "[1,]",
                           "[,1]",
                           "[,]",
                           "[1 2]",
                           "]",
                           "{",
                           "{\"a\"",
                           "{\"a\":",
                           "{\"a\":1",
                           "{\"a\":1,",
                           "{\"a\":1,}",
                           "{,}",
                           "{a:1}",
                           "{1:1}",
                           "{\"a\" 1}",
                           "{\"a\"::1}",
                           "{\"a\":1]",
                           "[1}",
                           "1 2",
                           "{} {}",
                           "[]]",
                           "/* */ 1",
                           "1 // x",
                           "\xef\xbb\xbf"
                           "1a"}) {
    CAPTURE(text);
    CHECK_FALSE(skips(text));
    CHECK_FALSE(tree(text).has_value());
    CHECK_FALSE(json::accept(text));
  }
}

TEST_CASE("A byte order mark, or a NUL behind the value, is no JSON") {
  CHECK_FALSE(skips("\xef\xbb\xbf{}"));
  CHECK_FALSE(skips(std::string_view("{}\0", 3)));
  CHECK_FALSE(tree(std::string_view("0\0", 2)).has_value());
}

TEST_CASE("256 levels are read and 257 are refused, by every call alike") {
  const auto both = [](const std::string& text, bool expected) {
    CHECK(skips(text) == expected);
    CHECK(tree(text).has_value() == expected);
    JsonReader in(text);
    std::string_view raw;
    CHECK(in.raw(raw).has_value() == expected);
  };
  both(nested(256, "[", "", "]"), true);
  both(nested(257, "[", "", "]"), false);
  both(nested(256, "{\"a\":", "1", "}"), true);
  both(nested(257, "{\"a\":", "1", "}"), false);
  both(nested(128, "[{\"a\":", "{}", "}]"), false);
  both(nested(127, "[{\"a\":", "[{}]", "}]"), true);
}

TEST_CASE("Depth counts the containers that the caller has entered") {
  const auto skip_inside = [](std::size_t depth) {
    const std::string text = "{\"a\":[" + nested(depth, "[", "", "]") + "]}";
    JsonReader in(text);
    return in.object([&](std::string_view) { return in.array([&] { return in.skip(); }); }).has_value();
  };
  CHECK(skip_inside(254));
  CHECK_FALSE(skip_inside(255));
}

TEST_CASE("A million open brackets are an error and no crash") {
  for (const char* open : {"[", "{\"a\":", "[{\"a\":"}) {
    const std::string text = nested(1000000, open, "", "");
    CHECK_FALSE(skips(text));
    CHECK_FALSE(tree(text).has_value());
    CHECK(error_of(text, [](JsonReader& in) { return in.skip(); }).find("256 levels") != std::string::npos);
  }
}

TEST_CASE("Errors name the path and the byte") {
  const std::string_view text =
      R"({"phases": {"p1": {"tasks": {"t1": {"done": 1}}}}, "list": [1, [2, "x"]]})";
  const auto deep = [](JsonReader& in) {
    const std::function<Status(std::string_view)> into = [&](std::string_view key) -> Status {
      if (key == "done") {
        bool done = false;
        return in.boolean(done);
      }
      return in.object(into);
    };
    return in.object(into);
  };
  CHECK(error_of(text, deep) == "phases.p1.tasks.t1.done: expected true or false (byte 44)");
  const auto numbers = [](JsonReader& in) {
    return in.object([&](std::string_view key) -> Status {
      if (key != "list") return in.skip();
      return in.array([&]() -> Status {
        std::int64_t number = 0;
        if (in.peek() != JsonType::array) return in.integer(number);
        return in.array([&] { return in.integer(number); });
      });
    });
  };
  CHECK(error_of(text, numbers) == "list[1][1]: expected a whole number (byte 67)");
  CHECK(error_of("12", [](JsonReader& in) {
          return in.object([&](std::string_view) { return in.skip(); });
        }) == "expected an object (byte 0)");
  CHECK(error_of("{} x", [](JsonReader& in) -> Status {
          TRY(in.skip());
          return in.end();
        }) == "expected the end of the text (byte 3)");
}

TEST_CASE("A key of any length makes no message of that length") {
  const std::string text = "{\"" + std::string(100000, 'k') + "\": 1}";
  const std::string message = error_of(text, [](JsonReader& in) {
    return in.object([&](std::string_view) {
      std::string value;
      return in.string(value);
    });
  });
  CHECK(message.size() < 200);
  CHECK(message.find("kkk") != std::string::npos);
}

TEST_CASE("Each typed call refuses the other types and stays where it is") {
  const std::vector<std::string> values{"{}", "[]", "\"x\"", "1", "1.5", "true", "null"};
  std::string text;
  std::int64_t whole = 0;
  std::uint64_t natural = 0;
  double number = 0;
  bool truth = false;
  const std::vector<std::pair<std::function<Status(JsonReader&)>, std::vector<std::string>>> calls{
      {[&](JsonReader& in) { return in.object([&](std::string_view) { return in.skip(); }); }, {"{}"}},
      {[&](JsonReader& in) { return in.array([&] { return in.skip(); }); }, {"[]"}},
      {[&](JsonReader& in) { return in.string(text); }, {"\"x\""}},
      {[&](JsonReader& in) { return in.integer(whole); }, {"1"}},
      {[&](JsonReader& in) { return in.integer(natural); }, {"1"}},
      {[&](JsonReader& in) { return in.number(number); }, {"1", "1.5"}},
      {[&](JsonReader& in) { return in.boolean(truth); }, {"true"}},
      {[&](JsonReader& in) { return in.string_or_null(text, truth); }, {"\"x\"", "null"}}};
  for (std::size_t call = 0; call < calls.size(); ++call) {
    for (const std::string& value : values) {
      CAPTURE(call, value);
      const std::string padded = "  " + value;
      JsonReader in(padded);
      const bool wanted =
          std::find(calls[call].second.begin(), calls[call].second.end(), value) != calls[call].second.end();
      CHECK(calls[call].first(in).has_value() == wanted);
      CHECK(in.offset() == (wanted ? padded.size() : 2));
    }
  }
}

TEST_CASE("Whole numbers reach to the ends of their type and no further") {
  const auto whole = [](std::string_view text) {
    JsonReader in(text);
    std::int64_t value = 0;
    return in.integer(value) ? std::optional(value) : std::nullopt;
  };
  CHECK(whole("9223372036854775807") == INT64_MAX);
  CHECK(whole("-9223372036854775808") == INT64_MIN);
  CHECK(whole("-0") == 0);
  for (const char* text : {"9223372036854775808", "-9223372036854775809", "1.0", "1e3", "0.5", "1e400"}) {
    CAPTURE(text);
    CHECK_FALSE(whole(text).has_value());
  }
  const auto natural = [](std::string_view text) {
    JsonReader in(text);
    std::uint64_t value = 0;
    return in.integer(value) ? std::optional(value) : std::nullopt;
  };
  CHECK(natural("18446744073709551615") == UINT64_MAX);
  CHECK_FALSE(natural("18446744073709551616").has_value());
  CHECK_FALSE(natural("-1").has_value());
}

TEST_CASE("Numbers are read as doubles, tiny ones as nearly nothing, and those beyond are refused") {
  const auto number = [](std::string_view text) {
    JsonReader in(text);
    double value = -1;
    return in.number(value) ? std::optional(value) : std::nullopt;
  };
  CHECK(number("33.3") == 33.3);
  CHECK(number("-1.5e3") == -1500.0);
  CHECK(number("1e-999") == 0.0);
  CHECK(number("1.7976931348623157e308") == 1.7976931348623157e308);
  CHECK_FALSE(number("1e999").has_value());
  CHECK_FALSE(number("-1e999").has_value());
  CHECK(skips("1e999"));
}

TEST_CASE("A raw value comes as its bytes stand in the input, without the space around it") {
  const std::string_view text = "{\"a\":  {\"x\" : [1, \"\\u00e9\"] } ,\"b\":1.50}";
  JsonReader in(text);
  std::vector<std::string> seen;
  const Status status = in.object([&](std::string_view) -> Status {
    std::string_view value;
    TRY(in.raw(value));
    seen.emplace_back(value);
    return {};
  });
  CHECK(status.has_value());
  CHECK(seen == std::vector<std::string>{"{\"x\" : [1, \"\\u00e9\"] }", "1.50"});
}

TEST_CASE("Keys that are written with escapes arrive decoded, also around nested objects") {
  const std::string_view text = R"({"a\u0062": {"\"q": 1}, "\ud83d\ude00": 2})";
  JsonReader in(text);
  std::vector<std::string> keys;
  const Status status = in.object([&](std::string_view key) -> Status {
    if (in.peek() == JsonType::object) {
      TRY(in.object([&](std::string_view inner) {
        keys.emplace_back(inner);
        return in.skip();
      }));
    } else {
      TRY(in.skip());
    }
    keys.emplace_back(key);
    return {};
  });
  CHECK(status.has_value());
  CHECK(keys == std::vector<std::string>{"\"q", "ab", "😀"});
}

TEST_CASE("A callback that does not take its value is an error and no endless loop") {
  CHECK(error_of("[1, 2]", [](JsonReader& in) { return in.array([]() -> Status { return {}; }); }) ==
        "expected \",\" or \"]\" (byte 1)");
}

TEST_CASE("Every shorter beginning of a text is refused") {
  CHECK(rc::check("prefixes", [] {
    const std::string text = json::array({random_json(3)}).dump(1);
    for (std::size_t length = 0; length < text.size(); ++length) {
      // From memory of exactly that size, so that a sanitizer sees a look behind the end.
      const std::vector<char> exact(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(length));
      RC_ASSERT(!skips(std::string_view(exact.data(), exact.size())));
      RC_ASSERT(!tree(std::string_view(exact.data(), exact.size())).has_value());
    }
  }));
}
