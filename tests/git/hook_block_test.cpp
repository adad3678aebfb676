#include "git/hook_block.hpp"

#include <rapidcheck.h>

#include <catch2/catch.hpp>
#include <string>
#include <vector>

using namespace plankeep::core;

namespace {
constexpr std::string_view kLine = "plankeep git-hook post-commit || :";
}

TEST_CASE("a new hook is a script with our line, and goes when it is taken out") {
  const std::string made = with_hook_block("", kLine);
  CHECK(made.substr(0, 10) == "#!/bin/sh\n");
  CHECK(made.find(kLine) != std::string::npos);
  CHECK(has_hook_block(made));
  CHECK(with_hook_block(made, kLine) == made);
  CHECK(without_hook_block(made).empty());
  CHECK(without_hook_block(made + "echo mine\n") == "#!/bin/sh\necho mine\n");
}

TEST_CASE("a script that is there keeps every byte") {
  for (const std::string text : {"#!/bin/sh\necho a\n", "#!/bin/sh\necho a",
                                 "#!/usr/bin/env bash\r\necho a\r\n", "#!/bin/sh\n", "#!/bin/sh"}) {
    const std::string with = with_hook_block(text, kLine);
    CHECK(with.substr(0, text.size()) == text);
    CHECK(without_hook_block(with) == text);
    CHECK(without_hook_block(with_hook_block(with, "another line")) == text);
  }
  CHECK(rc::check([](const std::string& body) {
    const std::string text = "#!/bin/sh\n" + body;
    RC_ASSERT(without_hook_block(with_hook_block(text, kLine)) == text);
  }));
}

TEST_CASE("only shell scripts that reach their end are added to") {
  CHECK(kind_of_script("") == HookScript::absent);
  for (const char* text :
       {"#!/bin/sh\nmake\n", "#!/usr/bin/env bash\nmake\n", "#! /bin/dash -e\nmake\n",
        "#!/bin/sh\nif a; then\n  exit 1\nfi\n", "#!/bin/sh\nexecute\n", "#!/bin/sh\nif a; then\n  exit 1\n"})
    CHECK(kind_of_script(text) == HookScript::shell);
  for (const char* text : {"#!/bin/sh\nmake\nexit 0\n", "#!/bin/sh\nexec make\n# end\n\n", "#!/bin/sh\nexit"})
    CHECK(kind_of_script(text) == HookScript::ends_early);
  const std::string block = with_hook_block("#!/bin/sh\n", kLine).substr(std::string("#!/bin/sh\n").size());
  CHECK(kind_of_script("#!/bin/sh\nexit 0\nmake\n") == HookScript::ends_early);
  CHECK(kind_of_script("#!/bin/sh\nexit 0\n" + block) == HookScript::ends_early);
  CHECK(kind_of_script("#!/bin/sh\n" + block + "exit 0\n") == HookScript::shell);
  for (const char* text : {"#!/usr/bin/python3\n", "echo a\n",
                           "\x7f"
                           "ELF",
                           "#!/bin/fish\n"})
    CHECK(kind_of_script(text) == HookScript::other);
  CHECK(kind_of_script(with_hook_block("", kLine)) == HookScript::shell);
}

TEST_CASE("a block without its final line feed is found and taken out") {
  const std::string script = "#!/bin/sh\necho a\n";
  std::string with = with_hook_block(script, kLine);
  REQUIRE(with.back() == '\n');
  with.pop_back();
  CHECK(has_hook_block(with));
  CHECK(with_hook_block(with, kLine) == with_hook_block(script, kLine));
  CHECK(without_hook_block(with) == script);
}

TEST_CASE("whatever stands around it, exactly our block is taken out") {
  const auto check = [](const std::string& text) {
    INFO(text);
    if (has_hook_block(text)) return;
    const std::string with = with_hook_block(text, kLine);
    CHECK(has_hook_block(with));
    CHECK(with_hook_block(with, kLine) == with);
    CHECK(without_hook_block(with) == text);
  };
  check("#!+bni/sh\n# >>> plankeep (fp (line enddded) ( >>>\ntrue\n# <<< plankeep <<<");
  check("#!/bin/sh\n# >>> plankeep >>>");
  check("#!/bin/sh\n# >>> plankeep >>>\ntrue");
  CHECK(rc::check("of pieces of blocks and any bytes", [] {
    const auto pieces = *rc::gen::container<std::vector<std::string>>(rc::gen::oneOf(
        rc::gen::element<std::string>("# >>> plankeep", " (line end added)", " (file made)", " >>>", "\n",
                                      "# <<< plankeep <<<", "true", "#!/bin/sh\n", "# >>> plankeep >>>\n",
                                      "\n# <<< plankeep <<<"),
        rc::gen::string<std::string>()));
    std::string text;
    for (const std::string& piece : pieces) text += piece;
    RC_PRE(!has_hook_block(text));
    const std::string with = with_hook_block(text, kLine);
    RC_ASSERT(has_hook_block(with));
    RC_ASSERT(with_hook_block(with, kLine) == with);
    RC_ASSERT(without_hook_block(with) == text);
  }));
}
