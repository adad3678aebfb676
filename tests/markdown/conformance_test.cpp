// Every plan of tests/fixtures/plans against what `plankeep parse --json` must say of it.

#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <functional>
#include <nlohmann/json.hpp>
#include <sstream>

#include "markdown/parse_plan.hpp"
#include "render/parse.hpp"

namespace {

using nlohmann::json;

std::string read(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

// Line, severity and code, sorted by line and code: the rest is free.
json reduced(const json& diagnostics) {
  std::vector<json> list;
  for (const json& diagnostic : diagnostics) {
    list.push_back({{"line", diagnostic.at("line")},
                    {"severity", diagnostic.at("severity")},
                    {"code", diagnostic.at("code")}});
  }
  std::sort(list.begin(), list.end(), [](const json& a, const json& b) {
    return std::pair(a["line"].get<int>(), a["code"].get<std::string>()) <
           std::pair(b["line"].get<int>(), b["code"].get<std::string>());
  });
  return list;
}

}  // namespace

TEST_CASE("every fixture plan reads as it is expected to, diagnostics included") {
  int count = 0;
  for (const auto& entry :
       std::filesystem::directory_iterator(std::string(PLANKEEP_TESTS_DIR) + "/fixtures/plans")) {
    const std::string name = entry.path().filename().string();
    const std::string suffix = ".expected.json";
    if (!name.ends_with(suffix)) continue;
    ++count;
    const std::string stem = name.substr(0, name.size() - suffix.size());
    DYNAMIC_SECTION(stem) {
      const std::string bytes = read(entry.path().parent_path() / (stem + ".md"));
      const auto plan = plankeep::markdown::parse_plan(bytes);
      REQUIRE(plan.has_value());
      json got = json::parse(plankeep::render::parse_json({*plan, "id", "/plan.md", "plan.md", "sha256:0"}));
      const json expected = json::parse(read(entry.path()));
      got["diagnostics"] = reduced(got["diagnostics"]);
      for (const auto& [key, value] : expected.items()) {
        INFO(key);
        if (key == "diagnostics") {
          CHECK(got["diagnostics"] == reduced(value));
          continue;
        }
        // Additional keys in the output are fine: compare what is expected, all the way down.
        const std::function<void(const json&, const json&)> holds = [&](const json& want, const json& have) {
          if (want.is_object()) {
            for (const char* optional_key : {"parent", "section", "optional", "verify", "reason"}) {
              INFO(optional_key);
              CHECK(want.contains(optional_key) == have.contains(optional_key));
            }
            for (const auto& [name_of_key, part] : want.items()) {
              INFO(name_of_key);
              REQUIRE(have.contains(name_of_key));
              holds(part, have.at(name_of_key));
            }
          } else if (want.is_array()) {
            REQUIRE(want.size() == have.size());
            for (std::size_t i = 0; i < want.size(); ++i) holds(want[i], have[i]);
          } else {
            CHECK(want == have);
          }
        };
        holds(value, got.at(key));
      }
      CHECK_FALSE(got.contains("mode"));
      CHECK(got.contains("title") == expected.contains("title"));
      // A key with "?" in the specification is left out where there is no value.
      for (const json& phase : got["phases"]) {
        for (const json& task : phase["tasks"]) {
          CHECK_FALSE(task.contains("steps"));
          if (task.contains("parent")) CHECK_FALSE(task["parent"].get<std::string>().empty());
          if (task.contains("section")) CHECK_FALSE(task["section"].empty());
        }
        for (const json& criterion : phase["acceptance"]) {
          if (criterion.contains("verify")) CHECK_FALSE(criterion["verify"].get<std::string>().empty());
          if (criterion.contains("optional")) CHECK(criterion["optional"] == true);
        }
      }
    }
  }
  CHECK(count == 127);
}
