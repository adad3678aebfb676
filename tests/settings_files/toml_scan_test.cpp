#include "settings_files/toml_scan.hpp"

#include <catch2/catch.hpp>
#include <string>
#include <utility>
#include <vector>

using namespace plankeep::clients;

namespace {

// "table a.b | value c.d = 1"
std::string told(std::string_view text) {
  const auto statements = scan_toml(text);
  if (!statements) return statements.error().message;
  std::string all;
  for (const TomlStatement& statement : *statements) {
    if (!all.empty()) all += " | ";
    all += statement.kind == TomlStatement::Kind::value   ? ""
           : statement.kind == TomlStatement::Kind::table ? "table "
                                                          : "tables ";
    for (std::size_t i = 0; i < statement.path.size(); ++i) all += (i == 0 ? "" : ".") + statement.path[i];
    if (statement.kind == TomlStatement::Kind::value)
      all +=
          "=" + std::string(text.substr(statement.value_begin, statement.value_end - statement.value_begin));
  }
  return all;
}

}  // namespace

TEST_CASE("statements are found with their paths and values") {
  CHECK(told("").empty());
  CHECK(told("# nothing\n\n  \t# here").empty());
  CHECK(told("a = 1\nb.\"c.d\" . 'e' = true # yes\r\n") == "a=1 | b.c.d.e=true");
  CHECK(told("[a.b]\nc = \"x # no \\\" comment\"\n[ \"d\" . e ]\n[[f]]\n") ==
        "table a.b | c=\"x # no \\\" comment\" | table d.e | tables f");
  CHECK(told("t = 1979-05-27 07:32:00Z\nf = -1.5e3 # x") == "t=1979-05-27 07:32:00Z | f=-1.5e3");
}

TEST_CASE("values over several lines hide what looks like a header") {
  CHECK(told("a = \"\"\"\n[no]\n\\\"\"\"x\"\"\"\"\"\nb = 1\n") ==
        "a=\"\"\"\n[no]\n\\\"\"\"x\"\"\"\"\" | b=1");
  CHECK(told("a = '''\n[no]\\'''\nb = 1\n") == "a='''\n[no]\\''' | b=1");
  CHECK(told("a = [\n  [1, 2], # [no]\n  { x = '[no]', y.z = [\n] },\n]\n[yes]\n") ==
        "a=[\n  [1, 2], # [no]\n  { x = '[no]', y.z = [\n] },\n] | table yes");
}

TEST_CASE("values are found at the end of the file, behind a byte order mark and other alphabets") {
  CHECK(told("a = 12") == "a=12");
  CHECK(told("\xEF\xBB\xBF"
             "a = 1\n[b]") == "a=1 | table b");
  CHECK(told("\"\xC3\xA4\xE2\x82\xAC\" = [\"\xF0\x9F\x98\x80\"] # \xC3\xA4\r\nb = '\xC3\xA4'\t\n") ==
        "\xC3\xA4\xE2\x82\xAC=[\"\xF0\x9F\x98\x80\"] | b='\xC3\xA4'");
  CHECK(told("a={b=1 } \n") == "a={b=1 }");
}

TEST_CASE("letters of other alphabets are no white space, where it may stand and where it may not") {
  // § and hiragana behind a line end that the string leaves out, where white space is skipped.
  CHECK(told("a = \"\"\"\\\n\xC2\xA7\"\"\"\n") == "a=\"\"\"\\\n\xC2\xA7\"\"\"");
  CHECK(told("a = \"\"\"\\\n\xE3\x81\x82\"\"\"\n") == "a=\"\"\"\\\n\xE3\x81\x82\"\"\"");
  for (const char* text : {"\xC4\xAD = 1", "a\xC4\xAD = 1", "a = 1 \xC4\xAD", " \"\"\xCE\x8D", "[a]\xD0\xB6"})
    CHECK_FALSE(scan_toml(text));
}

TEST_CASE("a header is told once, whatever other tables it makes") {
  CHECK(told("[a.b.c]\nx = 1\n[a]\ny.z = 2\ny.w = 3\n") == "table a.b.c | x=1 | table a | y.z=2 | y.w=3");
  CHECK(told("[[a.b]]\nx = 1\n[a.b.c]\ny = 2\n[[a.b]]\nx = 3\n") ==
        "tables a.b | x=1 | table a.b.c | y=2 | tables a.b | x=3");
  CHECK(told("[x.a.b]\n[x]\na.c = 1\n") == "table x.a.b | table x | a.c=1");
  CHECK(told("a = [{ x = 1 }, { x = 2 }]\nb = [[1], [2]]\n") == "a=[{ x = 1 }, { x = 2 }] | b=[[1], [2]]");
  CHECK(told("[b]\n[a]\n  [ a . c ] # x\n") == "table b | table a | table a.c");
}

TEST_CASE("statements cover whole lines") {
  const std::string text = "a = [\n 1,\n] # x\r\n\n  [b] # y\nc = 1";
  const auto found = scan_toml(text);
  REQUIRE(found);
  REQUIRE(found->size() == 3);
  const auto line = [&](std::size_t i) {
    return text.substr((*found)[i].begin, (*found)[i].end - (*found)[i].begin);
  };
  CHECK(line(0) == "a = [\n 1,\n] # x\r\n");
  CHECK(line(1) == "  [b] # y\n");
  CHECK(line(2) == "c = 1");
}

TEST_CASE("what is no TOML 1.0 is refused with its line") {
  for (const auto& [text, line] : std::vector<std::pair<std::string, std::string>>{
           {"a = 1\nb\n", "line 2: "},
           {"a = \"x\n", "line 1: "},
           {"[a\n", "line 1: "},
           {"a = 1 2 3 = 4\n", "line 1: "},
           {"a = \n", "line 1: "},
           {"a = \"\\q\"\n", "line 1: "},
           {"a = '''\n\n", "line 2: "},
           {"a = [1\n", "line 1: "},
           {"a = 1\na = 2\n", "line 2: "},
           {"[a]\n[b]\n[a]\n", "line 3: "},
           {"a = {\n}\n", "line 1: "},
           {"a = " + std::string(100, '['), "line 1: "},
       }) {
    INFO(text);
    CHECK_FALSE(scan_toml(text));
    CHECK(told(text).substr(0, line.size()) == line);
    CHECK(told(text).size() > line.size());
  }
  CHECK(told("a = \"\xff\"") == "the file is not UTF-8");
}

TEST_CASE("a header that begins with no key is refused, in every build") {
  for (const std::string text : {"[{x.y]\n", "[[{x.y]]\n", "[=]\n", "[#a]\n", "[a.{b]\n", "[,"}) {
    INFO(text);
    CHECK_FALSE(scan_toml(text));
    CHECK_FALSE(told(text).empty());
  }
}

TEST_CASE("nesting is bounded, whatever makes it") {
  std::string dotted = "a";
  for (int i = 0; i < 100'000; ++i) dotted += ".a";
  for (const std::string& text : {dotted + " = 1\n", "[" + dotted + "]\n", "x = {" + dotted + " = 1}\n"})
    CHECK(told(text) == "line 1: a key has too many parts");
  // As deep as it gets: tables in tables in braces.
  std::string most = "a";
  for (int i = 0; i < 99; ++i) most += ".a";
  std::string text = "[" + most + "]\n";
  for (int i = 0; i < 60; ++i) text += most + " = {";
  text += std::string(60, '}') + "\n";
  CHECK(scan_toml(text));
  CHECK(toml_strings(text));
}

TEST_CASE("strings are read and written") {
  const auto found =
      scan_toml("a = \"a\\tb\\u00e4\\\"\"\nb = 'a\\tb'\nc = [ # x\n 'a', 1]\nd = [1, 'a']\ne = 1\n");
  REQUIRE(found);
  REQUIRE(found->size() == 5);
  CHECK((*found)[0].text == "a\tb\xc3\xa4\"");
  CHECK_FALSE((*found)[0].first_text);
  CHECK((*found)[1].text == "a\\tb");
  CHECK_FALSE((*found)[2].text);
  CHECK((*found)[2].first_text == "a");
  CHECK_FALSE((*found)[3].first_text);
  CHECK_FALSE((*found)[4].text);
  for (const std::string characters : {"", "plain", "C:\\x \"y\"", "\x01\x7f", "\xc3\xa4"}) {
    const auto again = toml_strings("[a]\nb.c = { d = " + toml_quoted(characters) + " }\n");
    REQUIRE(again);
    REQUIRE(again->size() == 1);
    CHECK(again->front().path == std::vector<std::string>{"a", "b", "c", "d"});
    CHECK(again->front().text == characters);
  }
}
