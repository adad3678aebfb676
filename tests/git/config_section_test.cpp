#include "git/config_section.hpp"

#include <rapidcheck.h>

#include <catch2/catch.hpp>
#include <string>
#include <vector>

using namespace plankeep::core;

namespace {
constexpr std::string_view kHeader = "[merge \"plankeep\"]";
}

TEST_CASE("a section's header goes when nothing but comments follows") {
  CHECK(without_empty_section("[merge \"plankeep\"]\n# mine\n[a]\n\tb = c\n", kHeader) ==
        "# mine\n[a]\n\tb = c\n");
  CHECK(without_empty_section("[a]\n\tb = c\n[merge \"plankeep\"]\n; mine", kHeader) ==
        "[a]\n\tb = c\n; mine");
  CHECK(without_empty_section("[merge \"plankeep\"]", kHeader).empty());
}

TEST_CASE("a section with a value, and one of another name, stay") {
  for (const std::string text : {"[merge \"plankeep\"]\n# mine\n\tx = y\n", "[merge \"other\"]\n# mine\n",
                                 "[merge \"plankeep\"] x = y\n", "# [merge \"plankeep\"]\n", ""})
    CHECK(without_empty_section(text, kHeader) == text);
}

TEST_CASE("every other byte of a configuration stays") {
  CHECK(rc::check([] {
    const auto pieces = *rc::gen::container<std::vector<std::string>>(rc::gen::element<std::string>(
        "[merge \"plankeep\"]\n", "[a]\n", "# c\n", "\tx = y\n", "\n", "\r\n", "[merge \"plankeep\"]"));
    std::string text;
    for (const std::string& piece : pieces) text += piece;
    const std::string without = without_empty_section(text, kHeader);
    RC_ASSERT(without.size() <= text.size());
    RC_ASSERT(without_empty_section(without, kHeader) == without);
    if (text.find(kHeader) == std::string::npos) RC_ASSERT(without == text);
  }));
}
