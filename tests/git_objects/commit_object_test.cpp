#include "git_objects/commit_object.hpp"

#include <catch2/catch.hpp>

using namespace plankeep::git;

TEST_CASE("a signature is what git makes of a name and an address") {
  CHECK(signature_text({"Test User", "test@example.com", 1700000000, 0}) ==
        "Test User <test@example.com> 1700000000 +0000");
  CHECK(signature_text({"A", "b", 1, -570}) == "A <b> 1 -0930");
  CHECK(signature_text({"A", "b", -5, 5 * 60 + 45}) == "A <b> 0 +0545");
}

TEST_CASE("a name cannot end the line that it stands in") {
  CHECK(signature_text({"Eve\nparent 0", "e>ve\n<x>", 1, 0}) == "Eveparent 0 <evex> 1 +0000");
  CHECK(signature_text({" . ", "", 1, 0}) == "Unknown <> 1 +0000");
  CHECK(signature_text({"\"Quoted\", Jr.", "<a@b>", 1, 0}) == "Quoted\", Jr <a@b> 1 +0000");
}

TEST_CASE("a commit names its tree, its parents in their order, and both who and when") {
  CHECK(commit_bytes({"t", {"p", "q"}, {"A", "a", 1, 0}, {"C", "c", 2, 60}, "subject\n"}) ==
        "tree t\nparent p\nparent q\nauthor A <a> 1 +0000\ncommitter C <c> 2 +0100\n\nsubject\n");
  CHECK(commit_bytes({"t", {}, {"A", "a", 1, 0}, {"A", "a", 1, 0}, std::string("x\0y", 3)})
            .ends_with("\n\nxy"));
}

TEST_CASE("the header of a stored commit is read back") {
  const std::string bytes =
      commit_bytes({"t", {"p", "q"}, {"A", "a", 1, 0}, {"C", "c", 1700000000, 60}, "tree x\n"});
  CHECK(commit_header(bytes) == CommitHeader{"t", {"p", "q"}, 1700000000});
  CHECK(commit_header("") == CommitHeader{});
  CHECK(commit_header("tree\nparent\ncommitter\n\ntree x\n") == CommitHeader{"", {""}, 0});
}

TEST_CASE("a moved commit keeps who, when and its message, and loses its signature") {
  const std::string bytes =
      "tree t\nparent p\nparent q\nauthor A <a> 1 +0000\ncommitter C <c> 2 +0000\ngpgsig -----BEGIN\n "
      "line\n -----END\nencoding latin1\n\ntree x\n\nparent y\n";
  CHECK(moved_commit(bytes, "new", "tip") ==
        "tree new\nparent tip\nauthor A <a> 1 +0000\ncommitter C <c> 2 +0000\nencoding latin1\n\ntree "
        "x\n\nparent y\n");
}
