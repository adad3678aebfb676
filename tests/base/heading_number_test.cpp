#include "base/heading_number.hpp"

#include <catch2/catch.hpp>

using plankeep::base::number_of;
using plankeep::base::without_number;
using plankeep::base::words_before_number;

TEST_CASE("headings numbered by words") {
  const std::vector<std::pair<const char*, const char*>> kTitles{
      {"Phase 1: Setup", "phase"},
      {"PHASE 2", "phase"},
      {"Week-2", "week"},
      {"Task 10a", "task"},
      {"US-3 Sign in", "us"},
      {"T001", "t"},
      // An ideograph with its variation selector, U+E0100.
      {"\xE8\x91\x9B\xF3\xA0\x84\x80 1", "\xE8\x91\x9B\xF3\xA0\x84\x80"},
      {"Issue #12", "issue"},
      {"Sprint — 4", "sprint"},
      {"User Story 1 - find", "user story"},
      {"My Big Fat 2nd", "my big fat"},
      {"Option B: build it", "option"},
      {"Option B – buy it", "option"},
      {"Phase N: Polish", "phase"},
      {"Part IV.", "part"},
      {"Part I", "part"},
      {"\xF0\x9F\x9A\x80 Phase 3", "phase"},
      {"**Phase 1**", "phase"},
      {"第一阶段：试点", "第"},
      {"第 2 阶段", "第"},
      {"第十二周", "第"},
      {"阶段一：准备", "阶段"},
      {"阶段 二", "阶段"},
      {"المرحلة ٣", "المرحلة"},
  };
  for (const auto& [title, words] : kTitles) {
    INFO(title);
    CHECK(words_before_number(title) == std::string(words));
  }
}

TEST_CASE("headings with nothing but a number") {
  for (const char* title : {"1. Setup", "4.1 Schema", "3) Notices", "一、准备", "12", "(2) Build", "A. First",
                            "IV: Fourth", "1\xEF\xB8\x8F\xE2\x83\xA3 Start", "十"}) {
    INFO(title);
    CHECK(words_before_number(title) == std::string());
  }
}

TEST_CASE("headings without a number") {
  for (const char* title :
       {"", "Setup", "Vitamin C for the team", "Appendix X-ray", "统一登录说明", "One two three four 5",
        "Tests for everybody", "I am", "A plan", "The B-tree", "Plan [see 3]x, or 4", "\xF0\x9F\x9A\x80"}) {
    INFO(title);
    CHECK_FALSE(words_before_number(title).has_value());
  }
}

TEST_CASE("what a heading's number counts") {
  const std::vector<std::pair<const char*, const char*>> kTitles{
      {"Phase 1: Setup", "Setup"},
      {"2. Parser", "Parser"},
      {"2.1 Parser", "Parser"},
      {"1.Verify", "Verify"},
      {"User Story 1 - find", "find"},
      {"Sprint 4 — Ship it", "Ship it"},
      {"第一阶段：试点", "第一阶段：试点"},
      {"Task 10 renames files", "Task 10 renames files"},
      {"Phase 2", "Phase 2"},
      {"1.", "1."},
      {"Setup", "Setup"},
      {"", ""},
  };
  for (const auto& [title, words] : kTitles) {
    INFO(title);
    CHECK(without_number(title) == words);
  }
}

TEST_CASE("the number of a heading") {
  for (const char* title : {"Phase 2: Build", "2. Build", "Week-2", "US-002 Sign in",
                            "\xF0\x9F\x9A\x80 Sprint 2", "2", "\xD9\xA2. x"}) {
    CAPTURE(title);
    CHECK(number_of(title) == 2);
  }
  for (const char* title : {"Build", "Phase 2a", "2.1 Schema", "Option B: buy", "第二阶段",
                            "All that is left over in 2", "Phase 99999999999999999999", ""}) {
    CAPTURE(title);
    CHECK(number_of(title) == std::nullopt);
  }
}
