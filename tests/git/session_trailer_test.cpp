// Messages as git gives them to prepare-commit-msg, in real repositories.

#include "git/session_trailer.hpp"

#include <rapidcheck.h>

#include <catch2/catch.hpp>

#include "git/commits.hpp"
#include "git/repository.hpp"

using namespace plankeep;
using test::Repository;

namespace {

const std::string kHexId = "a1b2c3d4e5f6";
const std::string kUlidId = "01HF7YAT00000G40R40M30E209";
using Ids = std::vector<std::string>;

std::optional<std::string> with_trailers(Repository& repo, const std::string& message, const Ids& ids) {
  auto text = git::with_session_trailers(repo.ask, repo.folder.path(), message, ids);
  if (!text) FAIL(text.error().message);
  return *text;
}

// What git takes for the ids of a commit with this message.
Ids ids_of_commit(Repository& repo, const std::string& message) {
  repo.write("message", message);
  repo.git({"commit", "-q", "--allow-empty", "--cleanup=scissors", "-F", repo.folder.path_of("message")});
  git::Commits commits(repo.ask, repo.files, repo.tree());
  const auto head = commits.head();
  REQUIRE(head);
  REQUIRE(*head);
  return (*head)->session_checkpoints;
}

}  // namespace

TEST_CASE("a commit's ids are those of its final trailer block, each once, with Entire's own key") {
  Repository repo;
  const std::string line = "Entire-Checkpoint: ";
  CHECK(ids_of_commit(repo, "subject\n\n" + line + kHexId + "\n" + line + kUlidId + "\n" + line + kHexId +
                                "\n") == Ids{kHexId, kUlidId});
  CHECK(ids_of_commit(repo, "subject\n\n" + line + kHexId + "\n\nbody\n").empty());
  CHECK(ids_of_commit(repo, "subject\n\nentire-checkpoint: " + kHexId + "\n").empty());
}

TEST_CASE("facts are given of commits that are there, and of nothing else") {
  Repository repo;
  repo.commit_all();
  git::Commits commits(repo.ask, repo.files, repo.tree());
  const std::string head = repo.tree().head;
  const auto one = commits.named("HEAD");
  REQUIRE(one);
  REQUIRE(*one);
  CHECK((*one)->sha == head);
  const auto facts = commits.facts({std::string(40, 'a'), (*one)->tree, head});
  REQUIRE(facts);
  REQUIRE(facts->size() == 1);
  CHECK(facts->front().sha == head);
  CHECK(commits.facts({}).value().empty());
  const auto none = commits.named("HEAD^{tree}");
  REQUIRE(none);
  CHECK_FALSE(*none);
}

TEST_CASE("a message gets its trailer in a block of its own, or in the one that is there") {
  Repository repo;
  const auto line = "Entire-Checkpoint: " + kHexId + "\n";
  CHECK(with_trailers(repo, "subject\n", {kHexId}) == "subject\n\n" + line);
  CHECK(with_trailers(repo, "fix: bug\n", {kHexId}) == "fix: bug\n\n" + line);
  CHECK(with_trailers(repo, "subject\n\nbody\n", {kHexId}) == "subject\n\nbody\n\n" + line);
  CHECK(with_trailers(repo, "subject\n\nSigned-off-by: Kim\n", {kHexId}) ==
        "subject\n\nSigned-off-by: Kim\n" + line);
  CHECK(with_trailers(repo, "subject\n\nNote: long\n  and longer\n", {kHexId}) ==
        "subject\n\nNote: long\n  and longer\n" + line);
  CHECK(with_trailers(repo, "subject\n\n---\nnot a patch\n", {kHexId}) ==
        "subject\n\n---\nnot a patch\n\n" + line);
}

TEST_CASE("comments and the diff of a verbose commit stay behind the trailer") {
  Repository repo;
  const std::string comments = "# Please enter the commit message\n# On branch main\n";
  const std::string diff =
      "# ------------------------ >8 ------------------------\n# Do not modify\ndiff --git a/a b/a\n+x\n";
  CHECK(with_trailers(repo, "subject\n" + comments, {kHexId}) ==
        "subject\n\nEntire-Checkpoint: " + kHexId + "\n" + comments);
  const auto verbose = with_trailers(repo, "subject\n" + comments + diff, {kHexId});
  REQUIRE(verbose);
  CHECK(verbose->ends_with(comments + diff));
  CHECK(ids_of_commit(repo, *verbose) == Ids{kHexId});
  repo.git({"config", "core.commentChar", ";"});
  const auto other = with_trailers(repo, "subject\n; comment\n", {kHexId});
  CHECK(other == "subject\n\nEntire-Checkpoint: " + kHexId + "\n; comment\n");
}

TEST_CASE("a message without text stays so, and an empty message still ends the commit") {
  Repository repo;
  const std::string diff =
      "# ------------------------ >8 ------------------------\n# Do not modify\ndiff --git a/a b/a\n+x\n";
  for (const std::string& message :
       {std::string(), std::string("\n\n"), std::string("\n# comment\n#\n"), "\n# comment\n" + diff, diff})
    CHECK_FALSE(with_trailers(repo, message, {kHexId}));
}

TEST_CASE("an id in the final trailer block stays alone, one elsewhere does not count") {
  Repository repo;
  const std::string named = "subject\n\nEntire-Checkpoint: " + kUlidId + "\nSigned-off-by: Kim\n";
  CHECK_FALSE(with_trailers(repo, named, {kHexId}));
  CHECK_FALSE(with_trailers(repo, named + "# comment\n", {kHexId}));
  for (const std::string& message :
       {"subject\n\nEntire-Checkpoint: " + kUlidId + "\n\nmore text\n",
        "Entire-Checkpoint: " + kUlidId + "\n", "subject\n\n> Entire-Checkpoint: " + kUlidId + "\n"}) {
    const auto text = with_trailers(repo, message, {kHexId});
    REQUIRE(text);
    CHECK(ids_of_commit(repo, *text) == Ids{kHexId});
  }
  // One that is none does not keep the commit from having one.
  for (const std::string wrong : {"a1b2c3", "01hf7yat00000g40r40m30e209", "81HF7YAT00000G40R40M30E209"}) {
    const auto text = with_trailers(repo, "subject\n\nEntire-Checkpoint: " + wrong + "\n", {kHexId});
    REQUIRE(text);
    CHECK(ids_of_commit(repo, *text) == Ids{kHexId});
  }
}

TEST_CASE("a squash keeps the ids of all its commits, in their order") {
  Repository repo;
  const Ids ids{kUlidId, "00112233aabb", kHexId};
  const auto text = with_trailers(repo, "squashed\n\n* one\n* two\n", ids);
  REQUIRE(text);
  CHECK(ids_of_commit(repo, *text) == ids);
}

TEST_CASE("a message with carriage returns gets its trailer too") {
  Repository repo;
  const auto text = with_trailers(repo, "subject\r\n\r\nSigned-off-by: Kim\r\n", {kHexId});
  REQUIRE(text);
  CHECK(ids_of_commit(repo, *text) == Ids{kHexId});
}

TEST_CASE("what is no id is put into no message") {
  Repository repo;
  CHECK_FALSE(with_trailers(repo, "subject\n", {}));
  for (const std::string wrong : {"", "a1b2c3d4e5f6\nSigned-off-by: Mallory", "A1B2C3D4E5F6"}) {
    const auto text = git::with_session_trailers(repo.ask, repo.folder.path(), "subject\n", {wrong});
    REQUIRE_FALSE(text);
    CHECK(text.error().kind == base::ErrorKind::invalid_input);
  }
}

TEST_CASE("a message that got its trailer gets no other, and keeps its own text") {
  Repository repo;
  CHECK(rc::check([&repo] {
    std::string message = "subject\n";
    for (int lines = *rc::gen::inRange(0, 6); lines > 0; --lines) {
      message += *rc::gen::element<std::string>("\n", "text\n", "Key: value\n", "  indented\n", "* item\n",
                                                "(cherry picked from commit 1)\n", "# comment\n");
    }
    const auto text = git::with_session_trailers(repo.ask, repo.folder.path(), message, {kHexId});
    RC_ASSERT(text.has_value());
    RC_ASSERT(text->has_value());
    RC_ASSERT((*text)->starts_with("subject\n"));
    const auto again = git::with_session_trailers(repo.ask, repo.folder.path(), **text, {kUlidId});
    RC_ASSERT(again.has_value());
    RC_ASSERT(!again->has_value());
  }));
}

TEST_CASE("a plain message that nobody edits any more is completed as git would") {
  using git::plain_message_with_trailers;
  const auto line = "Entire-Checkpoint: " + kHexId + "\n";
  CHECK(plain_message_with_trailers("fix: bug\n", {kHexId}) == "fix: bug\n\n" + line);
  CHECK(plain_message_with_trailers("one\n\ntwo\nthree\n", {kHexId}) == "one\n\ntwo\nthree\n\n" + line);
  for (const char* message : {"", "\n", "one", "one\n\n", " one\n", "# one\n", "; one\n", "one\n# two\n",
                              "one\n \ntwo\n", "one\r\n", "one\n\nSigned-off-by: Kim\n",
                              "one\n\n(cherry picked from commit 1)\n", "one\n\nEntire-Checkpoint x\n"}) {
    CAPTURE(message);
    CHECK_FALSE(plain_message_with_trailers(message, {kHexId}));
  }
  CHECK_FALSE(plain_message_with_trailers("one\n", {}));

  Repository repo;
  int compared = 0;
  CHECK(rc::check("git says the same wherever it need not be asked", [&] {
    const auto piece =
        rc::gen::element<std::string>("fix: bug", "word", "a b c", "Key: value", "Key=value", "\n", "\n\n",
                                      "(x)", "#", " ", "1", "\xc3\xa4", "---", "Note: a\n  b");
    std::string message;
    for (const std::string& part : *rc::gen::resize(6, rc::gen::container<std::vector<std::string>>(piece)))
      message += part;
    message += "\n";
    const auto plain = plain_message_with_trailers(message, {kUlidId});
    if (!plain) return;  // git is asked
    ++compared;
    RC_ASSERT(with_trailers(repo, message, {kUlidId}) == plain);
  }));
  CHECK(compared > 10);
}
