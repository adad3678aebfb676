// Session checkpoints fetched from real repositories, without a trace in the one that they are fetched for.
#include "sessions/fetch_sessions.hpp"

#include <catch2/catch.hpp>
#include <filesystem>

#include "session_writing/pushing_clone.hpp"
#include "sessions/clean_sessions.hpp"
#include "sessions/sessions.hpp"

using namespace plankeep;
using core::SessionLayout;
using test::kPushedBranch;
using test::kPushedHex;
using test::kPushedRef;
using test::kPushedUlid;
using test::PushingClone;
using Names = std::vector<std::string>;

namespace {

const std::string kOtherUlid = "01HF7YAT00000G40R40M30E20A";

// A bare repository with three checkpoints, and a clone of it that has no session of its own.
struct Shared {
  Shared() {
    test::Repository any;
    any.git({"init", "-q", "-b", "main", "--bare", bare.path()});
    any.git({"--git-dir=" + bare.path(), "config", "uploadpack.allowFilter", "true"});
    PushingClone writer(bare.path());
    writer.write("a", "1\n");
    writer.commit_all();
    writer.write("a", "2\n");
    writer.commit_all();
    writer.git({"push", "-q", "origin", "main"});
    writer.write_session(SessionLayout::refs, "s1", "1\n", 0);
    writer.write_session(SessionLayout::refs, "s2", "2\n", 1, kOtherUlid);
    writer.write_session(SessionLayout::branch, "s3", "3\n", 2);
    writer.write_session(SessionLayout::branch, "s4", "4\n", 3, "b1b2c3d4e5f6");
    writer.push();
  }
  test::TemporaryFolder bare;
};

base::Result<app::SessionFetched> try_fetch(PushingClone& clone, const Names& words) {
  return app::fetch_sessions(clone.context, {words});
}
app::SessionFetched fetch(PushingClone& clone, const Names& words = {}) {
  auto done = try_fetch(clone, words);
  if (!done) FAIL(done.error().message);
  CHECK(done->warnings.empty());
  return *done;
}

Names listed(PushingClone& clone) {
  auto sessions = app::Sessions::open(clone.context);
  REQUIRE(sessions);
  auto list = sessions->list({100});
  REQUIRE(list);
  CHECK(list->warnings.empty());
  Names ids;
  for (const app::SessionListItem& item : list->items) {
    ids.push_back(item.row.id);
    CHECK(item.row.problems.empty());
    CHECK_FALSE(item.row.sessions.empty());
  }
  return ids;
}

// Every file of .git but those of plankeep's own folder, with their contents.
std::map<std::string, std::string> digest(PushingClone& clone) {
  std::map<std::string, std::string> all;
  const std::filesystem::path git = clone.folder.path_of(".git");
  for (const auto& entry : std::filesystem::recursive_directory_iterator(git)) {
    const std::string name = entry.path().lexically_relative(git).string();
    if (!entry.is_regular_file() || name.starts_with("plankeep/")) continue;
    std::ifstream in(entry.path(), std::ios::binary);
    all.emplace(name, std::string(std::istreambuf_iterator<char>(in), {}));
  }
  return all;
}

}  // namespace

TEST_CASE("everything is fetched, and the user's repository is byte for byte what it was") {
  Shared shared;
  const Names how =
      GENERATE(Names{}, Names{"--filter=blob:none"}, Names{"--depth=1"}, Names{"--filter=tree:0"});
  PushingClone clone(shared.bare.path(), false);
  Names words{"clone", "-q", "--single-branch", "-b", "main"};
  words.insert(words.end(), how.begin(), how.end());
  words.insert(words.end(), {"file://" + shared.bare.path(), "."});
  clone.git(words);
  const auto before = digest(clone);
  const app::SessionFetched done = fetch(clone);
  CHECK(done.fetched == Names{kPushedUlid, kOtherUlid});
  CHECK(done.branch);
  CHECK(done.files == 4);  // two metadata files of each checkpoint on the branch
  CHECK(listed(clone) == Names{"b1b2c3d4e5f6", kPushedHex, kOtherUlid, kPushedUlid});
  CHECK(clone.transcripts(kPushedUlid) == std::map<std::string, std::string>{{"s1", "1\n"}});
  CHECK(digest(clone) == before);

  // Nothing is fetched twice.
  const app::SessionFetched again = fetch(clone);
  CHECK(again.fetched.empty());
  CHECK_FALSE(again.branch);
  CHECK(again.files == 0);
  CHECK(digest(clone) == before);
}

TEST_CASE("of the branch a transcript comes when its checkpoint is named") {
  Shared shared;
  PushingClone clone(shared.bare.path());
  fetch(clone);
  const auto lacking = clone.checkpoint(kPushedHex);
  CHECK_FALSE(lacking.sessions.at(0).problems.empty());
  const auto before = digest(clone);
  const app::SessionFetched done = fetch(clone, {"a1b2"});
  CHECK(done.files == 2);  // the transcript and its hash
  CHECK(clone.transcripts(kPushedHex) == std::map<std::string, std::string>{{"s3", "3\n"}});
  CHECK(clone.checkpoint(kPushedHex).sessions.at(0).problems.empty());
  CHECK_FALSE(clone.checkpoint("b1b2c3d4e5f6").sessions.at(0).problems.empty());
  CHECK(digest(clone) == before);
}

TEST_CASE("only what is named is fetched, from the remote that is named") {
  Shared shared;
  PushingClone clone("/nowhere");
  clone.git({"remote", "add", "team", shared.bare.path()});
  const app::SessionFetched done = fetch(clone, {"30e209", "team"});
  CHECK(done.remote == "team");
  CHECK(done.fetched == Names{kPushedUlid});
  CHECK_FALSE(done.branch);
  CHECK(listed(clone) == Names{kPushedUlid});

  const auto none = try_fetch(clone, {"ffff", "team"});
  REQUIRE_FALSE(none);
  CHECK(none.error().kind == base::ErrorKind::not_found);
  CHECK(try_fetch(clone, {"../../x", "team"}).error().kind == base::ErrorKind::invalid_input);
  CHECK(try_fetch(clone, {"nobody"}).error().kind == base::ErrorKind::not_found);
  // Its own remote is not there, and that is all that is said.
  CHECK(try_fetch(clone, {}).error().kind == base::ErrorKind::io);
}

TEST_CASE("of the same checkpoint here and fetched the one that was written last counts") {
  Shared shared;
  PushingClone clone(shared.bare.path());
  clone.git({"fetch", "-q", "origin", kPushedRef + ":" + kPushedRef});
  PushingClone writer(shared.bare.path());
  writer.git({"fetch", "-q", "origin", kPushedRef + ":" + kPushedRef});
  writer.write_session(SessionLayout::refs, "later", "9\n", 9);
  writer.push();
  CHECK(clone.transcripts(kPushedUlid).size() == 1);
  CHECK(fetch(clone, {kPushedUlid}).fetched == Names{kPushedUlid});
  CHECK(clone.transcripts(kPushedUlid).size() == 2);
  clone.write_session(SessionLayout::refs, "last", "10\n", 20);
  CHECK(clone.transcripts(kPushedUlid).count("last") == 1);
  CHECK(listed(clone).size() == 1);
}

TEST_CASE("what a remote has is listed with one question, and nothing is fetched for it") {
  Shared shared;
  PushingClone clone(shared.bare.path());
  const auto before = digest(clone);
  auto there = app::remote_sessions(clone.context, {});
  REQUIRE(there);
  REQUIRE(there->checkpoints.size() == 2);
  CHECK(there->checkpoints[0].id == kOtherUlid);
  CHECK(there->checkpoints[0].time == base::Instant{1700000000000});
  CHECK_FALSE(there->checkpoints[0].is_here);
  CHECK(there->has_branch);
  CHECK_FALSE(there->branch_is_here);
  CHECK(digest(clone) == before);
  CHECK_FALSE(std::filesystem::exists(clone.folder.path_of(".git/plankeep")));
  fetch(clone);
  there = app::remote_sessions(clone.context, {});
  CHECK(there->checkpoints[0].is_here);
  CHECK(there->branch_is_here);
}

TEST_CASE("the side repository can be deleted, is never a link, and is made again where it is half made") {
  Shared shared;
  PushingClone clone(shared.bare.path());
  fetch(clone);
  const std::filesystem::path side = clone.folder.path_of(".git/plankeep/entire.git");
  SECTION("deleted") {
    std::filesystem::remove_all(side);
  }
  SECTION("without a configuration") {
    std::filesystem::remove(side / "config");
  }
  SECTION("empty") {
    std::filesystem::remove_all(side);
    std::filesystem::create_directory(side);
  }
  SECTION("without what it borrows") {
    std::filesystem::remove(side / "objects/info/alternates");
  }
  fetch(clone);
  CHECK(listed(clone).size() == 4);

  std::filesystem::remove_all(side);
  std::filesystem::create_directory_symlink(shared.bare.path(), side);
  const auto refused = try_fetch(clone, {});
  REQUIRE_FALSE(refused);
  CHECK(refused.error().kind == base::ErrorKind::corrupt);
  CHECK(listed(clone).empty());
}

TEST_CASE("a checkpoint that was only fetched cannot be cleaned, and says where it is") {
  Shared shared;
  PushingClone clone(shared.bare.path());
  fetch(clone);
  auto sessions = app::Sessions::open(clone.context);
  REQUIRE(sessions);
  for (const std::string& id : {kPushedUlid, kPushedHex}) {
    const auto cleaned = app::clean_sessions(clone.context, *sessions, {{id}, app::kShadowAge, false, true});
    REQUIRE_FALSE(cleaned);
    CHECK(cleaned.error().kind == base::ErrorKind::invalid_input);
    CHECK(cleaned.error().hint == "it can be deleted on the remote");
  }
}

TEST_CASE("a URL with a password is written nowhere again") {
  Shared shared;
  PushingClone clone(shared.bare.path());
  clone.git({"remote", "set-url", "origin", "https://kim:s3cret@example.invalid/x"});
  clone.git({"config", "url." + shared.bare.path() + ".insteadOf", "https://kim:s3cret@example.invalid/x"});
  const app::SessionFetched done = fetch(clone);
  CHECK(done.fetched.size() == 2);
  const std::filesystem::path side = clone.folder.path_of(".git/plankeep");
  for (const auto& entry : std::filesystem::recursive_directory_iterator(side)) {
    if (!entry.is_regular_file()) continue;
    std::ifstream in(entry.path(), std::ios::binary);
    const std::string bytes(std::istreambuf_iterator<char>(in), {});
    CHECK(bytes.find("s3cret") == std::string::npos);
  }
}
