#include "architecture/include_rules.hpp"

#include <catch2/catch.hpp>

using namespace plankeep::architecture;

namespace {

bool may(const std::string& path, const std::string& line) {
  const auto includes = includes_of(line + "\n");
  REQUIRE(includes.size() == 1);
  return !objection_to(path, includes.front()).has_value();
}

}  // namespace

TEST_CASE("include lines are found however they are written") {
  const auto found = includes_of(
      "#pragma once\n#include <vector>\n  #  include\t\"model/plan.hpp\"  // why\n// #include "
      "\"tracking/x.hpp\"\n"
      "int include;\n#include BROKEN\n#include <re2/re2.h>");
  REQUIRE(found.size() == 4);
  CHECK(found[0].target == "vector");
  CHECK(found[0].line == 2);
  CHECK_FALSE(found[0].quoted);
  CHECK(found[1].target == "model/plan.hpp");
  CHECK(found[1].quoted);
  CHECK(found[2].target == "tracking/x.hpp");
  CHECK(found[2].line == 4);
  CHECK(found[3].target == "re2/re2.h");
}

TEST_CASE("a room may include from itself and from every floor below") {
  CHECK(may("store/journal.cpp", "#include \"store/paths.hpp\""));
  CHECK(may("store/journal.cpp", "#include \"system/file_system.hpp\""));
  CHECK(may("store/journal.cpp", "#include \"model/event.hpp\""));
  CHECK(may("cli/commands/working/done.cpp", "#include \"editing/complete.hpp\""));
  CHECK(may("cli/commands/working/done.cpp", "#include \"base/error.hpp\""));
  CHECK(may("cli/commands/working/done.cpp", "#include \"cli/exit_code.hpp\""));
  CHECK(may("system/posix/files.cpp", "#include \"system/posix/files.hpp\""));
}

TEST_CASE("no room includes sideways") {
  CHECK_FALSE(may("policy/session_policy.cpp", "#include \"doctor/doctor.hpp\""));
  CHECK_FALSE(may("model/plan.cpp", "#include \"system/terminal.hpp\""));
  CHECK_FALSE(may("markdown/parse_plan.cpp", "#include \"rules/match.hpp\""));
  CHECK_FALSE(may("store/journal.cpp", "#include \"git/git.hpp\""));
}

TEST_CASE("no room includes upwards") {
  CHECK_FALSE(may("base/error.hpp", "#include \"model/plan.hpp\""));
  CHECK_FALSE(may("model/plan.hpp", "#include \"store/paths.hpp\""));
  CHECK_FALSE(may("markdown/parse_plan.cpp", "#include \"clients/registry.hpp\""));
  CHECK_FALSE(may("tracking/track.cpp", "#include \"cli/exit_code.hpp\""));
  CHECK_FALSE(may("tracking/track.cpp", "#include \"mcp/server.hpp\""));
}

TEST_CASE("an include that names no room is refused") {
  CHECK_FALSE(may("model/plan.cpp", "#include \"plan.hpp\""));
  CHECK_FALSE(may("model/plan.cpp", "#include \"../base/error.hpp\""));
  CHECK_FALSE(may("model/plan.cpp", "#include \"model/../tracking/track.hpp\""));
  CHECK_FALSE(may("model/plan.cpp", "#include \"utils/strings.hpp\""));
  CHECK_FALSE(may("utils/strings.cpp", "#include \"base/error.hpp\""));
}

TEST_CASE("every foreign header has one room") {
  CHECK(may("markdown/parse_plan.cpp", "#include <cmark-gfm.h>"));
  CHECK(may("markdown/marker.cpp", "#include <re2/re2.h>"));
  CHECK_FALSE(may("rules/match.cpp", "#include <re2/re2.h>"));
  CHECK_FALSE(may("tracking/parse.cpp", "#include <cmark-gfm-core-extensions.h>"));
  CHECK(may("base/sha256.cpp", "#include <openssl/sha.h>"));
  CHECK_FALSE(may("base/slug.cpp", "#include <openssl/sha.h>"));
  CHECK_FALSE(may("base/sha256.hpp", "#include <openssl/sha.h>"));
  CHECK(may("base/result.hpp", "#include <tl/expected.hpp>"));
  CHECK_FALSE(may("model/plan.hpp", "#include <tl/expected.hpp>"));
  CHECK(may("cli/commands/lint.cpp", "#include <CLI/CLI.hpp>"));
  CHECK_FALSE(may("editing/lint.cpp", "#include <CLI/CLI.hpp>"));
  CHECK(may("settings_files/toml_scan.cpp", "#include <toml++/toml.h>"));
  CHECK_FALSE(may("settings_files/trust.cpp", "#include <toml++/toml.h>"));
  CHECK(may("json_rpc/json.hpp", "#include <nlohmann/json.hpp>"));
  CHECK_FALSE(may("clients/payload.cpp", "#include <nlohmann/json.hpp>"));
}

TEST_CASE("the operating system stays in system/posix and the program's main") {
  CHECK(may("system/posix/folder.cpp", "#include <sys/stat.h>"));
  CHECK(may("system/posix/folder.cpp", "#include <fcntl.h>"));
  CHECK(may("cli/main.cpp", "#include <unistd.h>"));
  CHECK_FALSE(may("system/file_system.hpp", "#include <sys/stat.h>"));
  CHECK_FALSE(may("store/journal.cpp", "#include <unistd.h>"));
  CHECK_FALSE(may("tracking/track.cpp", "#include \"system/posix/folder.hpp\""));
  CHECK(may("cli/main.cpp", "#include \"system/posix/folder.hpp\""));
}

TEST_CASE("libraries that the house does without are refused everywhere") {
  CHECK_FALSE(may("model/json/state_json.cpp", "#include <nlohmann/json.hpp>"));
  CHECK_FALSE(may("render/text.cpp", "#include <fmt/format.h>"));
  CHECK_FALSE(may("cli/main.cpp", "#include <boost/asio.hpp>"));
  CHECK_FALSE(may("base/utf8.cpp", "#include <string.h>"));
}

TEST_CASE("the standard library may be used anywhere") {
  CHECK(may("base/utf8.cpp", "#include <cstring>"));
  CHECK(may("model/plan.hpp", "#include <string_view>"));
}

TEST_CASE("a header without its guard and a source without its own header first are found") {
  CHECK(objection_to_file("model/plan.hpp", "// A plan\n#pragma once\n", false));
  CHECK_FALSE(objection_to_file("model/plan.hpp", "#pragma once\n// A plan\n", false));
  CHECK(objection_to_file("model/plan.cpp", "#include <vector>\n#include \"model/plan.hpp\"\n", true));
  CHECK(objection_to_file("model/plan.cpp", "int x;\n", true));
  CHECK_FALSE(
      objection_to_file("model/plan.cpp", "#include \"model/plan.hpp\"\n\n#include <vector>\n", true));
  CHECK_FALSE(objection_to_file("cli/main.cpp", "#include <vector>\n", false));
}
