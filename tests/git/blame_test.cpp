// Where lines come from, asked of real repositories.
#include "git/blame.hpp"

#include <catch2/catch.hpp>

#include "git/repository.hpp"

using namespace plankeep;
using namespace plankeep::git;

namespace {

std::string head_of(test::Repository& repo) {
  std::string sha = repo.git({"rev-parse", "HEAD"}).output;
  sha.pop_back();
  return sha;
}

}  // namespace

TEST_CASE("a line is told with its commit, also behind a rename and before it is committed") {
  test::Repository repo;
  repo.write("old.c", "one\ntwo\nthree\nfour\n");
  repo.commit_all("Write it");
  const std::string first = head_of(repo);
  repo.git({"mv", "old.c", "new.c"});
  repo.commit_all("Rename it");
  repo.write("new.c", "one\ntwo\nthree\nfour\nfive\n");
  const WorkTree tree = repo.tree();

  const auto line = blame_line(repo.ask, tree, "new.c", 2);
  REQUIRE(line);
  CHECK(line->commit == first);
  CHECK(line->path == "old.c");
  CHECK(line->line == 2);
  CHECK(line->text == "two");
  CHECK(line->author == "Kim");
  CHECK(line->subject == "Write it");

  const auto own = blame_line(repo.ask, tree, "new.c", 5);
  REQUIRE(own);
  CHECK(own->commit.empty());
  CHECK(own->text == "five");

  const auto parts = blame_file(repo.ask, tree, "new.c");
  REQUIRE(parts);
  REQUIRE(parts->size() == 2);
  CHECK(parts->front().commit == first);
  CHECK(parts->front().count == 4);
  CHECK(parts->back().commit.empty());
  CHECK(parts->back().count == 1);
}

TEST_CASE("a line that is not there, and a file that git does not have, are told apart") {
  test::Repository repo;
  repo.write("a.txt", "one\n");
  {
    // No commit yet.
    const auto none = blame_line(repo.ask, repo.tree(), "a.txt", 1);
    REQUIRE_FALSE(none);
    CHECK(none.error().kind == base::ErrorKind::not_found);
    CHECK_FALSE(last_change(repo.ask, repo.tree(), "a.txt"));
  }
  repo.commit_all("Write it");
  repo.write("new.txt", "one\n");
  const WorkTree tree = repo.tree();
  const auto behind = blame_line(repo.ask, tree, "a.txt", 7);
  REQUIRE_FALSE(behind);
  CHECK(behind.error().kind == base::ErrorKind::invalid_input);
  CHECK(behind.error().message == "file a.txt has only 1 line");
  for (const char* name : {"new.txt", "gone.txt", "-L", "--output=x"}) {
    const auto none = blame_line(repo.ask, tree, name, 1);
    REQUIRE_FALSE(none);
    CHECK(none.error().kind == base::ErrorKind::not_found);
  }
  CHECK(last_change(repo.ask, tree, "a.txt")->subject == "Write it");
  CHECK_FALSE(last_change(repo.ask, tree, "new.txt"));
  // A star is a file's name here.
  CHECK_FALSE(last_change(repo.ask, tree, "*.txt"));
}

TEST_CASE("names that git quotes come back as they are") {
  test::Repository repo;
  const std::string name = "t\xC3\xA4st \"x\"\n\x01.txt";
  repo.write(name, "one\n");
  repo.commit_all("Write it");
  repo.write("odd.txt", "one\n");
  const auto line = blame_line(repo.ask, repo.tree(), name, 1);
  REQUIRE(line);
  CHECK(line->path == name);
}

TEST_CASE("no text makes the reader of git blame stumble") {
  CHECK(read_blame("").empty());
  CHECK(read_blame("filename x\n\tline\nauthor y").empty());
  const std::string id(40, 'a');
  CHECK(read_blame(id).empty());
  CHECK(read_blame(id + " 1 1 x\n").empty());
  CHECK(read_blame(id + " 1 1 999999999999999999999\n").empty());
  const auto odd = read_blame(id + " -1 1 2\nauthor-time -5\nfilename \"a\\\nsummary\n");
  REQUIRE(odd.size() == 1);
  CHECK(odd.front().time == base::Instant{});
}
