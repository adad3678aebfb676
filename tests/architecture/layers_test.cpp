// Shared include roots let an upward include compile and link, so this test reads the include lines of src/
// and holds the floor table (src/README.md).

#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <string_view>
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

// Calls visit with every name and every string literal of C++ text, quotes included, in order; comments are
// left out.
template <typename Visit>
void for_each_token(std::string_view text, const Visit& visit) {
  const auto is_word = [](char c) {
    return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  };
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = at + 1;
    if (text.substr(at, 2) == "//") {
      end = std::min(text.find('\n', at), text.size());
    } else if (text.substr(at, 3) == R"('"')") {
      end = at + 3;
    } else if (text[at] == '"') {
      while (end < text.size() && text[end] != '"' && text[end] != '\n') end += text[end] == '\\' ? 2 : 1;
      end = std::min(end + 1, text.size());
      visit(text.substr(at, end - at));
    } else if (is_word(text[at])) {
      while (end < text.size() && is_word(text[end])) ++end;
      visit(text.substr(at, end - at));
    }
    at = end;
  }
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
  const std::set<std::string_view> retired = {
      "belief",      "believed",          "read_belief",   "retell",      "tell_again",      "start_later",
      "run_later",   "later_words",       "kept_next",     "recall_next", "go_on_with_next", "file_end",
      "read_end",    "tell_only",         "patience",      "standing_of", "standings_of",    "homes_of",
      "orphan",      "bury_dead",         "hopeless_line", "set_aside",   "keep_aside",      "text_shape",
      "slab_advice", "newest_checkpoint", "look_at",       "trouble",     "Belief",          "Asked",
      "Look",        "Standing",          "Home",          "Origins"};
  std::size_t names = 0;
  for (const auto& file : sources())
    for_each_token(read(file), [&](std::string_view name) {
      if (name.front() == '"') return;
      ++names;
      const std::string_view stem = name.substr(0, name.size() - (name.ends_with('_') ? 1 : 0));
      if (retired.contains(stem) || name.starts_with("look_at_") || name.ends_with("Patience"))
        FAIL_CHECK(file.string() + ": " + std::string(name));
    });
  CHECK(names > 100'000);
}

// What a client can do is a member of clients::Client or clients::SettingsFormat, so that nobody above has to
// know it by name.
TEST_CASE("no file above clients/ and settings_files/ names a client in a string of its own") {
  const std::set<std::string_view> clients = {R"("claude-code")", R"("codex")", R"("gemini")",
                                              R"("copilot")",     R"("qwen")",  R"("opencode")",
                                              R"("cursor")"};
  std::size_t strings = 0;
  for (const auto& file : sources()) {
    const std::string path = fs::relative(file, fs::path(PLANKEEP_SOURCE_DIR) / "src").generic_string();
    if (path.starts_with("clients/") || path.starts_with("settings_files/")) continue;
    for_each_token(read(file), [&](std::string_view literal) {
      if (literal.front() != '"') return;
      ++strings;
      // MCP's word for the place in a list of pages.
      if (path == "mcp/protocol.cpp" && literal == R"("cursor")") return;
      if (clients.contains(literal)) FAIL_CHECK("src/" + path + ": " + std::string(literal));
    });
  }
  CHECK(strings > 5'000);
}

// CMake takes what stands before the semicolon for the name, no case has that name, and running none is a
// success.
TEST_CASE("no test's name has a semicolon") {
  std::size_t names = 0;
  for (const auto& file : sources("tests")) {
    bool is_name = false;
    for_each_token(read(file), [&](std::string_view token) {
      if (is_name && token.front() == '"') {
        ++names;
        if (token.find(';') != std::string_view::npos) FAIL_CHECK(file.string() + ": " + std::string(token));
      }
      is_name = token == "TEST_CASE";
    });
  }
  CHECK(names > 1000);
}
