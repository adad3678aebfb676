// Shared include roots let an upward include compile and link, so this test reads the include lines of src/
// and holds the floor table (src/README.md).

#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <regex>
#include <string>
#include <vector>

#include "architecture/include_rules.hpp"

namespace fs = std::filesystem;
using namespace plankeep::architecture;

namespace {

std::string read(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return std::string(std::istreambuf_iterator<char>(in), {});
}

std::vector<fs::path> sources(const char* below = "src") {
  std::vector<fs::path> found;
  for (const auto& entry : fs::recursive_directory_iterator(fs::path(PLANKEEP_SOURCE_DIR) / below)) {
    const auto extension = entry.path().extension();
    if (entry.is_regular_file() && (extension == ".hpp" || extension == ".cpp"))
      found.push_back(entry.path());
  }
  std::sort(found.begin(), found.end());
  return found;
}

}  // namespace

TEST_CASE("every file of src includes only from a floor below and keeps foreign headers in their room") {
  const auto files = sources();
  REQUIRE(files.size() > 40);
  std::size_t includes = 0;
  for (const auto& file : files) {
    const std::string path = fs::relative(file, fs::path(PLANKEEP_SOURCE_DIR) / "src").generic_string();
    const std::string text = read(file);
    fs::path header = file;
    header.replace_extension(".hpp");
    if (const auto objection = objection_to_file(path, text, fs::exists(header)))
      FAIL_CHECK("src/" + path + ": " + *objection);
    for (const Include& include : includes_of(text)) {
      ++includes;
      if (const auto objection = objection_to(path, include))
        FAIL_CHECK("src/" + path + ":" + std::to_string(include.line) + ": " + *objection);
    }
  }
  CHECK(includes > files.size());
}

TEST_CASE("no folder of src is a heap: at most 40 files, and 8 % of the lines") {
  struct Folder {
    std::size_t files = 0;
    std::size_t lines = 0;
  };
  std::map<std::string, Folder> folders;
  std::size_t lines = 0;
  for (const auto& file : sources()) {
    const std::string text = read(file);
    const auto count = static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
    Folder& folder =
        folders[fs::relative(file.parent_path(), fs::path(PLANKEEP_SOURCE_DIR) / "src").generic_string()];
    ++folder.files;
    folder.lines += count;
    lines += count;
  }
  REQUIRE(folders.size() > 20);
  for (const auto& [name, folder] : folders) {
    CAPTURE(name, folder.lines);
    CHECK(folder.files <= 40);
    CHECK(folder.lines * 100 <= lines * 8);
  }
}

// Names that were given up for the field's terms (docs/glossary.md). They may stand in text, never as a name.
TEST_CASE("no retired name comes back") {
  const std::vector<std::string> retired = {
      "belief",      "believed",          "read_belief",   "retell",      "tell_again",      "start_later",
      "run_later",   "later_words",       "kept_next",     "recall_next", "go_on_with_next", "file_end",
      "read_end",    "tell_only",         "patience",      "standing_of", "standings_of",    "homes_of",
      "orphan",      "bury_dead",         "hopeless_line", "set_aside",   "keep_aside",      "text_shape",
      "slab_advice", "newest_checkpoint", "look_at",       "trouble",     "Belief",          "Asked",
      "Look",        "Standing",          "Home",          "Origins"};
  const std::regex tokens(R"re("(?:\\.|[^"\\\n])*"|//[^\n]*|[A-Za-z_]\w*)re");
  std::size_t names = 0;
  for (const auto& file : sources()) {
    const std::string text = read(file);
    for (auto token = std::sregex_iterator(text.begin(), text.end(), tokens); token != std::sregex_iterator();
         ++token) {
      const std::string name = token->str();
      if (name[0] == '"' || name[0] == '/') continue;
      ++names;
      for (const std::string& old : retired)
        if (name == old || name == old + "_" || (old == "look_at" && name.starts_with("look_at_")) ||
            name.ends_with("Patience"))
          FAIL_CHECK(file.string() + ": " + name);
    }
  }
  CHECK(names > 100'000);
}

// What a client can do is a member of clients::Client or clients::SettingsFormat, so that nobody above has to
// know it by name.
TEST_CASE("no file above clients/ and settings_files/ names a client in a string of its own") {
  const std::regex tokens(R"re("(?:\\.|[^"\\\n])*"|//[^\n]*)re");
  const std::regex client(R"re("(claude-code|codex|gemini|copilot|qwen|opencode|cursor)")re");
  std::size_t strings = 0;
  for (const auto& file : sources()) {
    const std::string path = fs::relative(file, fs::path(PLANKEEP_SOURCE_DIR) / "src").generic_string();
    if (path.starts_with("clients/") || path.starts_with("settings_files/")) continue;
    const std::string text = read(file);
    for (auto token = std::sregex_iterator(text.begin(), text.end(), tokens); token != std::sregex_iterator();
         ++token) {
      const std::string literal = token->str();
      if (literal[0] != '"') continue;
      ++strings;
      // MCP's word for the place in a list of pages.
      if (path == "mcp/protocol.cpp" && literal == "\"cursor\"") continue;
      if (std::regex_match(literal, client)) FAIL_CHECK("src/" + path + ": " + literal);
    }
  }
  CHECK(strings > 5'000);
}

// CMake takes what stands before the semicolon for the name, no case has that name, and running none is a
// success.
TEST_CASE("no test's name has a semicolon") {
  const std::regex name(R"re(TEST_CASE\(\s*"([^"\n]*)")re");
  std::size_t names = 0;
  for (const auto& file : sources("tests")) {
    const std::string text = read(file);
    for (auto found = std::sregex_iterator(text.begin(), text.end(), name); found != std::sregex_iterator();
         ++found) {
      ++names;
      if (found->str(1).find(';') != std::string::npos) FAIL_CHECK(file.string() + ": " + found->str(1));
    }
  }
  CHECK(names > 1000);
}
