#include "project/known_layouts.hpp"

#include <rapidcheck/catch.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <fstream>

#include "base/utf8.hpp"

using namespace plankeep;

namespace {

std::string tool_of(std::string_view path) {
  const app::KnownLayout* layout = app::known_layout(path);
  return layout == nullptr ? "" : std::string(layout->tool);
}

}  // namespace

TEST_CASE("every known layout is known by a path of its kind, in any letter case") {
  struct Row {
    std::string path;
    std::string tool;
  };
  const Row row = GENERATE(values<Row>({
      {"plan.md", "plankeep"},
      {"PLAN.md", "plankeep"},
      {"work/deep/Plan.MD", "plankeep"},
      {"plans/auth/plan.md", "plankeep"},
      {"specs/001-login/tasks.md", "spec-kit"},
      {"Specs/001-login/TASKS.md", "spec-kit"},
      {"openspec/changes/add-login/tasks.md", "OpenSpec"},
      {".kiro/specs/login/tasks.md", "Kiro"},
      {"docs/superpowers/plans/2026-11-20-login.md", "superpowers"},
      {"docs/plans/login.md", "superpowers"},
      {"plans/login.md", "superpowers"},
      {"task_plan.md", "planning-with-files"},
      {".planning/login/task_plan.md", "planning-with-files"},
      {"conductor/tracks/login_20261120/plan.md", "plankeep"},
      {"fix_plan.md", "ralph"},
      {"@fix_plan.md", "ralph"},
      {".ralph/fix_plan.md", "ralph"},
      {"implementation_plan.md", "ralph"},
  }));
  CHECK(tool_of(row.path) == row.tool);
  CHECK(tool_of(base::to_lower(row.path)) == row.tool);
}

TEST_CASE("what is near a known layout is in none") {
  CHECK(tool_of(GENERATE(as<std::string>(), "", "tasks.md", "README.md", "specs/tasks.md",
                         "specs/a/b/tasks.md", "docs/specs/a/tasks.md", "openspec/changes/archive/tasks.md",
                         "openspec/changes/archive/2026-11-20-login/tasks.md",
                         "OpenSpec/Changes/Archive/x/plan.md", "openspec/changes/tasks.md", "plans/.md",
                         "plans/.hidden.md", "plans/a.txt", "plans/a/b.md", "docs/superpowers/specs/login.md",
                         "myplan.md", "plan.md.txt", "plan.md/x")) == "");
}

TEST_CASE("the documents have the same table") {
  std::ifstream file(std::string(PLANKEEP_SOURCE_DIR) + "/docs/files.md");
  std::vector<std::string> rows;
  for (std::string line; std::getline(file, line);) rows.push_back(line);
  for (const app::KnownLayout& layout : app::known_layouts()) {
    const std::string start = "| " + std::string(layout.tool) + " | ";
    const std::string name = "`" + std::string(layout.path) + "`";
    CAPTURE(start, name);
    CHECK(std::any_of(rows.begin(), rows.end(), [&](const std::string& row) {
      return row.starts_with(start) && row.find(name) != std::string::npos;
    }));
  }
}

TEST_CASE("a layout with folders matches paths of as many names as it has") {
  rc::prop("", [] {
    const auto name = *rc::gen::nonEmpty(rc::gen::container<std::string>(rc::gen::inRange('a', 'e')));
    for (const app::KnownLayout& layout : app::known_layouts()) {
      std::string path(layout.path);
      const std::size_t star = path.find('*');
      if (star != std::string::npos) path.replace(star, 1, name);
      if (layout.path.starts_with("openspec") && name == "archive") continue;
      RC_ASSERT(app::known_layout(path) != nullptr);
      if (layout.path.find('/') != std::string_view::npos && !path.ends_with("plan.md"))
        RC_ASSERT(app::known_layout("elsewhere/" + path) == nullptr);
    }
  });
}
