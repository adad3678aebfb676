#include "remotes/remotes.hpp"

#include <catch2/catch.hpp>

#include "git/repository.hpp"
#include "support/map_environment.hpp"

using namespace plankeep;
using namespace plankeep::git;
using test::Repository;

namespace {

// A repository with a bare one beside it.
class WithRemote : public Repository {
 public:
  WithRemote() {
    git({"init", "-q", "--bare", bare.path()});
    git({"remote", "add", "origin", bare.path()});
    write("a", "1\n");
    commit_all();
  }

  std::string id(const std::string& name) {
    std::string text = git({"rev-parse", name}).output;
    text.pop_back();
    return text;
  }

  Remotes remotes(std::chrono::milliseconds deadline = kRemoteDeadline) {
    return Remotes(ask, environment, folder.path(), deadline);
  }

  test::TemporaryFolder bare;
  test::MapEnvironment environment{};
};

}  // namespace

TEST_CASE("a ref is pushed, listed and fetched again, and nothing else") {
  WithRemote repo;
  repo.git({"tag", "-a", "-m", "x", "v1"});
  repo.git({"config", "push.followTags", "true"});
  repo.git({"config", "remote.origin.mirror", "true"});
  repo.git({"config", "remote.origin.push", "+refs/heads/*:refs/heads/*"});
  Remotes remotes = repo.remotes();
  const auto remote = remotes.get("origin");
  REQUIRE(remote);
  PushTold told;
  REQUIRE(remotes.push(*remote, {{repo.id("HEAD"), "refs/entire/x"}}, told));
  REQUIRE(told.refs.size() == 1);
  CHECK(told.refs.front().outcome == PushOutcome::pushed);
  const auto listed = remotes.list(*remote, {"refs/*"});
  REQUIRE(listed);
  CHECK(*listed == std::vector<AdvertisedRef>{{"refs/entire/x", repo.id("HEAD")}});

  const std::string config = repo.bytes_of(".git/config");
  const auto fetched = remotes.fetch(*remote, {"+refs/entire/x:refs/plankeep/remote/origin/x"}, {});
  if (!fetched) FAIL(fetched.error().message);
  CHECK(repo.id("refs/plankeep/remote/origin/x") == repo.id("HEAD"));
  CHECK(repo.bytes_of(".git/config") == config);
  CHECK(repo.bytes_of(".git/FETCH_HEAD").empty());
}

TEST_CASE("what the remote has beyond ours is never overwritten") {
  WithRemote repo;
  Remotes remotes = repo.remotes();
  const auto remote = remotes.get("origin");
  REQUIRE(remote);
  PushTold told;
  REQUIRE(remotes.push(*remote, {{repo.id("HEAD"), "refs/entire/x"}}, told));
  const std::string first = repo.id("HEAD");
  repo.git({"commit", "-q", "--amend", "-m", "another"});
  told = {};
  REQUIRE(remotes.push(*remote, {{repo.id("HEAD"), "refs/entire/x"}}, told));
  REQUIRE(told.refs.size() == 1);
  CHECK(told.refs.front().outcome == PushOutcome::behind);
  CHECK(remotes.list(*remote, {"refs/*"})->front().object == first);
}

TEST_CASE("a push that reaches only one of two URLs is an error") {
  WithRemote repo;
  repo.git({"remote", "set-url", "--push", "origin", repo.bare.path()});
  repo.git({"remote", "set-url", "--push", "--add", "origin", repo.folder.path_of("missing.git")});
  Remotes remotes = repo.remotes();
  const auto remote = remotes.get("origin");
  REQUIRE(remote);
  REQUIRE(remote->push_urls.size() == 2);
  PushTold told;
  CHECK_FALSE(remotes.push(*remote, {{repo.id("HEAD"), "refs/entire/x"}}, told));
  REQUIRE(told.refs.size() == 1);
  CHECK(told.refs.front().outcome == PushOutcome::pushed);
}

TEST_CASE("a URL that names a program never starts it") {
  WithRemote repo;
  const std::string mark = repo.folder.path_of("mark");
  repo.git({"config", "remote.origin.url", "ext::sh -c 'touch " + mark + "'"});
  SECTION("as git is configured") {
    repo.git({"config", "protocol.ext.allow", "always"});
  }
  SECTION("by variable") {
    ::setenv("GIT_ALLOW_PROTOCOL", "file:ext", 1);
    repo.environment.variables["GIT_ALLOW_PROTOCOL"] = "file:ext";
  }
  SECTION("by helper") {
    repo.git({"config", "remote.origin.vcs", "ext"});
  }
  Remotes remotes = repo.remotes();
  const auto remote = remotes.get("origin");
  REQUIRE(remote);
  CHECK_FALSE(remotes.list(*remote, {"refs/*"}));
  PushTold told;
  CHECK_FALSE(remotes.push(*remote, {{repo.id("HEAD"), "refs/entire/x"}}, told));
  CHECK_FALSE(remotes.fetch(*remote, {"refs/heads/main"}, {}));
  ::unsetenv("GIT_ALLOW_PROTOCOL");
  CHECK(repo.bytes_of("mark").empty());
  CHECK_FALSE(std::filesystem::exists(mark));
}

TEST_CASE("an error names the remote, but no password") {
  WithRemote repo;
  repo.git({"config", "remote.origin.url", "https://kim:tops3cret@127.0.0.1:1/x"});
  Remotes remotes = repo.remotes();
  const auto remote = remotes.get("origin");
  REQUIRE(remote);
  const auto listed = remotes.list(*remote, {"refs/*"});
  REQUIRE_FALSE(listed);
  CHECK(listed.error().message.find("remote origin: ") == 0);
  CHECK(listed.error().message.find("tops3cret") == std::string::npos);
  CHECK(remotes.get("https://kim:tops3cret@host/x").error().message == "no remote https://host/x");
}

TEST_CASE("a remote that never answers is given up at the deadline") {
  WithRemote repo;
  repo.git({"config", "remote.origin.url", "ssh://host/x"});
  repo.git({"config", "core.sshCommand", "sleep 1000 #"});
  Remotes remotes = repo.remotes(std::chrono::milliseconds(1000));
  const auto remote = remotes.get("origin");
  REQUIRE(remote);
  const auto listed = remotes.list(*remote, {"refs/*"});
  REQUIRE_FALSE(listed);
  CHECK(listed.error().kind == base::ErrorKind::busy);
  CHECK(listed.error().message == "remote origin did not finish within 1 s");
}
