#include "mcp/tool_words.hpp"

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

namespace plankeep::mcp {

TEST_CASE("a hint names the tool and its argument where there is one") {
  CHECK(in_tool_words("give one with --plan, or choose one for this project: plankeep use two") ==
        "give one as plan");
  CHECK(in_tool_words("did you mean login, logout? to list all ids: plankeep list") ==
        "did you mean login, logout? to list ids: plan_status");
  CHECK(in_tool_words("stop working on it, or claim it again without --fence") ==
        "stop working on it, or claim it again without fence");
  CHECK(in_tool_words("to claim an available task: plankeep next --claim") ==
        "to claim an available task: claim_task without id");
  CHECK(in_tool_words("if that is meant, take it back first: plankeep reopen login") ==
        "if that is meant, take it back first: complete_task with action reopen and id login");
}

TEST_CASE("whatever is replaced is a hint that some use case gives") {
  namespace fs = std::filesystem;
  std::string sources;
  for (const auto& entry : fs::recursive_directory_iterator(fs::path(PLANKEEP_SOURCE_DIR) / "src")) {
    if (entry.path().extension() != ".cpp" || entry.path().filename() == "tool_words.cpp") continue;
    std::ifstream file(entry.path(), std::ios::binary);
    sources.append(std::istreambuf_iterator<char>(file), {});
  }
  // A text may go on in a literal on the next line.
  std::string joined;
  for (std::size_t at = 0; at < sources.size(); ++at) {
    const std::size_t next = sources.find_first_not_of(" \n", at + 1);
    if (sources[at] == '"' && next != std::string::npos && sources[next] == '"' && sources[at + 1] == '\n') {
      at = next;
    } else {
      joined += sources[at];
    }
  }
  for (const std::string_view words : command_words()) {
    CAPTURE(words);
    CHECK(joined.find(words) != std::string::npos);
  }
}

TEST_CASE("advice that no tool can follow stays as it is") {
  for (const std::string hint : {"fix the plan first; for details: plankeep doctor", "", "give one of these"})
    CHECK(in_tool_words(hint) == hint);
}

}  // namespace plankeep::mcp
