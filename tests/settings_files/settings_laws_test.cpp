#include <rapidcheck.h>

#include <catch2/catch.hpp>

#include "random_settings.hpp"
#include "settings_files/json_tree.hpp"
#include "settings_files/settings.hpp"

using namespace plankeep;
using clients::add_hooks;
using clients::remove_hooks;
using clients::SettingsChange;
using clients::SettingsFormat;
using clients::SettingsOptions;

namespace {

const SettingsFormat& any_format() {
  const auto formats = clients::settings_formats();
  for (;;) {
    const SettingsFormat& format = formats[*rc::gen::inRange<std::size_t>(0, formats.size())];
    if (format.layout != clients::SettingsLayout::plugin) return format;
  }
}

SettingsOptions any_options() {
  SettingsOptions options;
  options.program =
      *rc::gen::element<std::string>("plankeep", "/usr/bin/plankeep", "/home/a b/it's/plankeep");
  options.wrap_status_line = *rc::gen::arbitrary<bool>();
  if (*rc::gen::arbitrary<bool>()) options.hidden_status_line = "my 'bar'";
  return options;
}

SettingsChange must(base::Result<SettingsChange> change) {
  if (!change) RC_FAIL(change.error().message);
  return std::move(*change);
}

// What is left of a text when the entries of ours are cut: other people's pieces in their order.
std::string without_space(std::string_view text) {
  std::string rest;
  for (const char c : text) {
    if (c != ' ' && c != '\t' && c != '\n' && c != '\r') rest += c;
  }
  return rest;
}

bool is_subsequence(std::string_view part, std::string_view whole) {
  std::size_t at = 0;
  for (const char c : whole) {
    if (at < part.size() && part[at] == c) ++at;
  }
  return at == part.size();
}

}  // namespace

TEST_CASE("removing gives back the bytes from before adding, whatever the layout") {
  CHECK(rc::check("remove(add(x)) == x", [] {
    const SettingsFormat& format = any_format();
    const SettingsOptions options = any_options();
    const std::string text = test::RandomJson().settings(format);
    const SettingsChange added = must(add_hooks(format, text, options));
    RC_ASSERT(added.text != text);
    const SettingsChange removed = must(remove_hooks(format, added.text, text, options.hidden_status_line));
    RC_ASSERT(removed.text == text);
  }));
}

TEST_CASE("adding twice changes nothing") {
  CHECK(rc::check("add(add(x)) == add(x)", [] {
    const SettingsFormat& format = any_format();
    const SettingsOptions options = any_options();
    const std::string text = test::RandomJson().settings(format);
    const SettingsChange once = must(add_hooks(format, text, options));
    const SettingsChange twice = must(add_hooks(format, once.text, options));
    RC_ASSERT(twice.text == once.text);
    RC_ASSERT(twice.complete());
    RC_ASSERT(!once.complete());
  }));
}

TEST_CASE("adding only puts bytes in, so other people's hooks keep their bytes and their order") {
  CHECK(rc::check("x is a subsequence of add(x)", [] {
    const SettingsFormat& format = any_format();
    SettingsOptions options = any_options();
    options.wrap_status_line = false;
    const std::string text = test::RandomJson().settings(format);
    RC_PRE(text.find("null") == std::string::npos);
    RC_ASSERT(is_subsequence(text, must(add_hooks(format, text, options)).text));
  }));
}

TEST_CASE("another path of the program is put in place of the old one, and goes back") {
  CHECK(rc::check("add b after add a is add b", [] {
    const SettingsFormat& format = any_format();
    SettingsOptions options = any_options();
    const std::string text = test::RandomJson().settings(format);
    options.program = "/old/plankeep";
    const std::string old = must(add_hooks(format, text, options)).text;
    options.program = "/new place/plankeep";
    const SettingsChange moved = must(add_hooks(format, old, options));
    RC_ASSERT(moved.text == must(add_hooks(format, text, options)).text);
    RC_ASSERT(!moved.complete());
    RC_ASSERT(must(remove_hooks(format, moved.text, text, options.hidden_status_line)).text == text);
  }));
}

TEST_CASE(
    "without a copy from before, all that removing may take along are lists and objects that are empty") {
  CHECK(rc::check("remove(add(x)) without the original says what x says", [] {
    const SettingsFormat& format = any_format();
    const SettingsOptions options = any_options();
    const std::string text = test::RandomJson().settings(format);
    const std::string added = must(add_hooks(format, text, options)).text;
    const std::string removed = must(remove_hooks(format, added, std::nullopt, std::nullopt)).text;
    RC_ASSERT(is_subsequence(without_space(removed), without_space(added)) ||
              text.find("statusLine") != std::string::npos || options.hidden_status_line);
    RC_ASSERT(must(add_hooks(format, removed, options)).text.find("hooks") != std::string::npos);
  }));
}

TEST_CASE("a text of any bytes is read or refused with its place") {
  CHECK(rc::check("parse_json_tree", [] {
    const std::string text = *rc::gen::container<std::string>(
        rc::gen::elementOf(std::string("{}[]:,\"\\/*u0aA \n\r\t-.e1truefalsn\xC3\xA4\x01")));
    const auto tree = clients::parse_json_tree(text);
    if (!tree) RC_ASSERT(tree.error().message.find("line ") == 0);
  }));
}
