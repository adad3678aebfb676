// The next commit's paths, read from git's files, against git's own answer in real repositories.

#include "git/staged_paths.hpp"

#include <rapidcheck.h>

#include <catch2/catch.hpp>
#include <filesystem>

#include "git/git_output.hpp"
#include "git/repository.hpp"
#include "support/map_environment.hpp"

using namespace plankeep;
using test::Repository;

namespace {

using Paths = std::vector<std::string>;

Paths told_by_git(Repository& repo) {
  const system::Finished told =
      repo.git({"diff", "--cached", "--name-only", "-z", "--no-renames", "--ignore-submodules=none"});
  Paths paths;
  for (std::string_view rest = told.output; !rest.empty();) paths.emplace_back(git::take_until(rest, '\0'));
  return paths;
}

std::optional<Paths> read_here(Repository& repo) {
  const std::string git_dir = repo.folder.path_of(".git");
  git::WorkTree tree;
  tree.top = repo.folder.path();
  tree.git_dir = tree.common_dir = git_dir;
  return git::staged_paths(repo.files, tree, git_dir + "/index");
}

void check_same(Repository& repo) {
  const auto here = read_here(repo);
  REQUIRE(here);
  CHECK(*here == told_by_git(repo));
}

// A change that people stage, in folders of three names.
void stage_something(Repository& repo) {
  const auto name = [] { return *rc::gen::element<std::string>("a", "b", "a.b", "c-d"); };
  std::string path = name();
  for (int depth = *rc::gen::inRange(0, 3); depth > 0; --depth) path += "/" + name();
  const auto remove = [&](const std::string& what) {
    (void)repo.try_git({"rm", "-q", "-r", "-f", "--ignore-unmatch", "--", what});
    std::error_code nothing_there;
    std::filesystem::remove_all(repo.folder.path_of(what), nothing_there);
  };
  const int how = *rc::gen::inRange(0, 10);
  if (how == 0) return remove(path);
  // A folder may stand where a file is wanted, and the other way round.
  for (std::size_t at = path.find('/'); at != std::string::npos; at = path.find('/', at + 1)) {
    const std::string above = path.substr(0, at);
    if (std::filesystem::is_regular_file(repo.folder.path_of(above))) remove(above);
  }
  remove(path);
  repo.write(path, std::to_string(*rc::gen::inRange(0, 4)) + "\n");
  if (how == 1) std::filesystem::permissions(repo.folder.path_of(path), std::filesystem::perms(0755));
  repo.git(how == 2 ? Paths{"add", "-N", "--", path} : Paths{"add", "--", path});
}

}  // namespace

TEST_CASE("what is staged is read as git tells it, whatever is staged and however often") {
  CHECK(rc::check("what is staged is read as git tells it", [] {
    Repository repo;
    repo.commit_all();
    repo.git({"config", "index.version", *rc::gen::element<std::string>("2", "3", "4")});
    for (int commits = *rc::gen::inRange(1, 4); commits > 0; --commits) {
      for (int changes = *rc::gen::inRange(0, 6); changes > 0; --changes) stage_something(repo);
      const auto here = read_here(repo);
      RC_ASSERT(here.has_value());
      RC_ASSERT(*here == told_by_git(repo));
      // Now with every tree noted in the index, as git's hooks find it.
      (void)repo.try_git({"write-tree"});
      RC_ASSERT(read_here(repo) == std::optional(told_by_git(repo)));
      (void)repo.try_git({"commit", "-q", "--allow-empty", "-m", "work"});
    }
  }));
}

TEST_CASE("what is staged is read with HEAD on a branch, detached, and in SHA-256") {
  Repository repo;
  repo.commit_all();
  repo.write("b", "1\n");
  repo.git({"add", "b"});
  check_same(repo);
  repo.git({"checkout", "-q", "--detach"});
  check_same(repo);

  Repository sha256(false);
  sha256.git({"init", "-q", "-b", "main", "--object-format=sha256"});
  sha256.write("a", "1\n");
  sha256.commit_all();
  sha256.write("a", "2\n");
  sha256.git({"add", "a"});
  check_same(sha256);
}

TEST_CASE("what is in packs, replaced, sparse, split or not there yet is left to git") {
  Repository repo;
  CHECK_FALSE(read_here(repo));  // no commit yet
  repo.write("a/b", "1\n");
  repo.commit_all();
  repo.write("a/b", "2\n");
  repo.git({"add", "a/b"});
  REQUIRE(read_here(repo));
  SECTION("packed") {
    repo.git({"gc", "-q"});
  }
  SECTION("a packed branch") {
    repo.git({"pack-refs", "--all"});
  }
  SECTION("sparse") {
    repo.git({"config", "index.sparse", "true"});
    repo.write("c/d", "1\n");
    repo.commit_all();
    repo.git({"sparse-checkout", "set", "--cone", "--sparse-index", "a"});
  }
  SECTION("replaced") {
    repo.git({"replace", "-f", "HEAD:a/b", repo.git({"hash-object", "-w", "a/b"}).output.substr(0, 40)});
  }
  SECTION("split") {
    repo.git({"update-index", "--split-index"});
  }
  SECTION("merging") {
    repo.git({"commit", "-q", "-m", "two"});
    repo.git({"checkout", "-q", "-b", "side", "HEAD~1"});
    repo.write("a/b", "3\n");
    repo.commit_all();
    CHECK(repo.try_git({"merge", "-q", "main"}).status != 0);
  }
  CHECK_FALSE(read_here(repo));
}

TEST_CASE("only configuration that is there to be read says that a variable is not set") {
  Repository repo;
  const std::string home = repo.folder.path_of("home");
  std::filesystem::create_directories(home);
  git::WorkTree tree;
  tree.git_dir = tree.common_dir = repo.folder.path_of(".git");
  test::MapEnvironment environment;
  environment.variables = {
      {"HOME", home}, {"PATH", "/usr/lib/git-core:/usr/bin"}, {"GIT_CONFIG_SYSTEM", "/dev/null"}};
  const auto unset = [&] { return git::is_surely_unset(repo.files, environment, tree, "sessiontrailer"); };
  CHECK(unset());
  SECTION("the repository's") {
    repo.git({"config", "commit.sessionTrailer", "false"});
  }
  SECTION("the user's") {
    repo.write("home/.gitconfig", "[Commit]\n\tSESSIONTRAILER = no\n");
  }
  SECTION("the user's other one") {
    repo.write("home/.config/git/config", "[commit] sessionTrailer = no\n");
  }
  SECTION("an included one") {
    repo.write("home/.gitconfig", "[includeIf \"gitdir:/x\"]\n\tpath = /y\n");
  }
  SECTION("the command's") {
    environment.variables["GIT_CONFIG_PARAMETERS"] = "'commit.sessionTrailer'='false'";
  }
  SECTION("variables") {
    environment.variables["GIT_CONFIG_COUNT"] = "1";
  }
  SECTION("a git that is not where we know it") {
    environment.variables.erase("GIT_CONFIG_SYSTEM");
    environment.variables["PATH"] = "/opt/git/libexec/git-core:/usr/bin";
  }
  CHECK_FALSE(unset());
}
