#include "settings_files/toml_scan.hpp"

#include <catch2/catch.hpp>
#include <string>

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

TEST_CASE("what cannot be followed is refused with its line") {
  CHECK(told("a = 1\nb\n") == "line 2: expected \"=\"");
  CHECK(told("a = \"x\n") == "line 1: expected the end of the string");
  CHECK(told("[a\n") == "line 1: expected \"]\"");
  CHECK(told("a = 1 2 3 = 4\n") == "line 1: expected the end of the line");
  CHECK(told("a = \n") == "line 1: expected a value");
  CHECK(told("a = \"\\q\"\n") == "line 1: expected a valid TOML escape");
  CHECK(told("a = '''\n\n") == "line 3: expected the end of the string");
  CHECK(told("a = [1\n") == "line 2: expected \",\" or \"]\"");
  CHECK(told("a = " + std::string(100, '[')) == "line 1: expected less nesting");
  CHECK(told("a = \"\xff\"") == "the file is not UTF-8");
}

TEST_CASE("strings are read and written") {
  CHECK(toml_string("\"a\\tb\\u00e4\\\"\"") == "a\tb\xc3\xa4\"");
  CHECK(toml_string("'a\\tb'") == "a\\tb");
  CHECK_FALSE(toml_string("\"\"\"a\"\"\""));
  CHECK_FALSE(toml_string("[\"a\"]"));
  CHECK(toml_first_string("[ # x\n 'a', 1]") == "a");
  CHECK_FALSE(toml_first_string("[1, 'a']"));
  CHECK_FALSE(toml_first_string("\"a\""));
  for (const std::string text : {"", "plain", "C:\\x \"y\"", "\x01\x7f", "\xc3\xa4"})
    CHECK(toml_string(toml_quoted(text)) == text);
}
