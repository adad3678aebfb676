#include "session_rules/session_layout.hpp"

#include <catch2/catch.hpp>

using namespace plankeep::core;

namespace {

std::string settings_for(const std::string& type) {
  return R"({"enabled": true, "checkpoints": {"other": [1], "primary": {"x": {}, "type": ")" + type + "\"}}}";
}

}  // namespace

TEST_CASE("without any hint a checkpoint gets a ref") {
  CHECK(choose_layout({}) == SessionLayout::refs);
}

TEST_CASE("what is there counts where nobody says it, refs before the branch") {
  LayoutHints hints;
  hints.has_branch = true;
  CHECK(choose_layout(hints) == SessionLayout::branch);
  hints.has_refs = true;
  CHECK(choose_layout(hints) == SessionLayout::refs);
}

TEST_CASE("the variable comes before the local settings, and those before the common ones") {
  LayoutHints hints;
  hints.has_refs = true;
  hints.settings = settings_for("git-branch");
  CHECK(choose_layout(hints) == SessionLayout::branch);
  hints.local_settings = settings_for("git-refs");
  CHECK(choose_layout(hints) == SessionLayout::refs);
  hints.variable = "git-branch";
  CHECK(choose_layout(hints) == SessionLayout::branch);
}

TEST_CASE("what says nothing that is known is passed over") {
  LayoutHints hints;
  hints.has_branch = true;
  hints.variable = "";
  for (const char* text :
       {"", "no JSON", "[]", "null", R"({"checkpoints":"git-refs"})", R"({"checkpoints":{"primary":[]}})",
        R"({"checkpoints":{"primary":{"type":1}}})", R"({"checkpoints":{"primary":{"type":"s3"}}})",
        R"({"type":"git-refs"})", R"({"checkpoints":{"primary":{"type":"git-refs"}}} more)",
        R"({"checkpoints":{"primary":{"type":"git-refs"})"}) {
    INFO(text);
    hints.local_settings = text;
    CHECK(choose_layout(hints) == SessionLayout::branch);
  }
}
