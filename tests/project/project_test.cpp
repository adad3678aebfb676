#include "project/project.hpp"

#include <catch2/catch.hpp>

#include "support/world.hpp"

using namespace plankeep;
using app::Project;
using test::World;

TEST_CASE("a project is the innermost work tree, else the nearest folder with settings, else the folder") {
  World world;
  world.disk().put_folder("/home/kim/a/b/c");
  const Project none(world.context, "/home/kim/a/b/c");
  CHECK(none.root() == "/home/kim/a/b/c");
  CHECK_FALSE(none.in_git());
  CHECK_FALSE(none.git_directory());

  world.disk().put("/home/kim/a/b/.plankeep.json", "{}");
  world.disk().put("/home/kim/.plankeep.json", "{}");
  CHECK(Project(world.context, "/home/kim/a/b/c").root() == "/home/kim/a/b");
  CHECK_FALSE(Project(world.context, "/home/kim/a/b/c").in_git());

  world.disk().put_folder("/home/kim/.git");
  CHECK(Project(world.context, "/home/kim/a/b/c").root() == "/home/kim");
  world.disk().put_folder("/home/kim/a/.git");
  const Project inner(world.context, "/home/kim/a/b/c");
  CHECK(inner.root() == "/home/kim/a");
  CHECK(inner.in_git());
  CHECK(inner.git_directory() == "/home/kim/a/.git");
}

TEST_CASE("nothing above the home folder is a project of what stands below it") {
  World world;
  world.environment.variables["HOME"] = "/home/kim";
  world.disk().put_folder("/home/.git");
  world.disk().put_folder("/home/kim/a");
  CHECK(Project(world.context, "/home/kim/a").root() == "/home/kim/a");
  world.disk().put_folder("/home/kim/.git");
  CHECK(Project(world.context, "/home/kim/a").root() == "/home/kim");
}

TEST_CASE("a .git file names the git directory of a linked work tree or a submodule") {
  World world;
  world.disk().put_folder("/home/kim/main/.git/worktrees/x");
  world.disk().put("/home/kim/x/.git", "gitdir: /home/kim/main/.git/worktrees/x\n");
  CHECK(Project(world.context, "/home/kim/x").git_directory() == "/home/kim/main/.git/worktrees/x");
  world.disk().put("/home/kim/x/.git", "gitdir: ../main/.git/worktrees/x\n");
  CHECK(Project(world.context, "/home/kim/x").git_directory() == "/home/kim/main/.git/worktrees/x");

  world.disk().put("/home/kim/x/.git", GENERATE("", "gitdir: /home/kim/gone\n", "what is this"));
  const Project torn(world.context, "/home/kim/x");
  CHECK(torn.in_git());
  CHECK_FALSE(torn.git_directory());
}

TEST_CASE("a project's settings are read once") {
  World world;
  world.disk().put("/home/kim/.plankeep.json", R"({"resumeBudget": 3000})");
  world.disk().put_folder("/home/kim/a");
  const Project project(world.context, "/home/kim/a");
  CHECK(project.settings().resume_budget == 3000);
  world.disk().put("/home/kim/.plankeep.json", R"({"resumeBudget": 4000})");
  CHECK(project.settings().resume_budget == 3000);
  CHECK(Project(world.context, "/home/kim/a").settings().resume_budget == 4000);
}
