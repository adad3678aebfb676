// Session checkpoints pushed between real repositories.
#include "sessions/push_sessions.hpp"

#include <catch2/catch.hpp>
#include <filesystem>

#include "git/push_queue.hpp"
#include "session_writing/pushing_clone.hpp"

using namespace plankeep;
using core::SessionLayout;
using test::kPushedBranch;
using test::kPushedHex;
using test::kPushedRef;
using test::kPushedUlid;
using test::PushingClone;
using Names = std::vector<std::string>;

namespace {

struct Bare {
  Bare() {
    test::Repository any;
    any.git({"init", "-q", "--bare", folder.path()});
  }
  test::TemporaryFolder folder;
};

std::string ref_of(SessionLayout layout) {
  return layout == SessionLayout::refs ? kPushedRef : kPushedBranch;
}

std::string id_of(SessionLayout layout) {
  return layout == SessionLayout::refs ? kPushedUlid : kPushedHex;
}

// Both have the checkpoint of refs, with the session s1, and so has their remote.
void share_checkpoint(PushingClone& first, PushingClone& second) {
  first.write_session(SessionLayout::refs, "s1", "1\n");
  first.push();
  second.git({"fetch", "-q", "origin", kPushedRef + ":" + kPushedRef});
}

// All refs but those of session checkpoints, the configuration, and where HEAD is.
std::string users_part(PushingClone& clone) {
  return clone.line({"for-each-ref", "refs/heads/main", "refs/tags"}) + clone.bytes_of(".git/config") +
         clone.bytes_of(".git/HEAD") + clone.bytes_of(".git/shallow");
}

}  // namespace

TEST_CASE("a push sends session checkpoints, empties the queue and leaves all else alone") {
  Bare bare;
  PushingClone clone(bare.folder.path());
  clone.write("a", "1\n");
  clone.commit_all();
  clone.write_session(SessionLayout::refs, "s1", "1\n");
  clone.write_session(SessionLayout::branch, "s1", "1\n");
  const std::string before = users_part(clone);
  auto opened = clone.open_push();
  REQUIRE(opened);
  CHECK(opened->view().needs_consent);
  CHECK(opened->view().refs == 2);
  CHECK(opened->view().checkpoints == 2);
  const auto done = opened->run();
  REQUIRE(done);
  CHECK(done->pushed == Names{kPushedRef, kPushedBranch});
  CHECK(done->refused.empty());
  CHECK(done->waiting == 0);
  CHECK(done->warnings.empty());
  CHECK(git::WrittenRefs(clone.files, clone.tree().common_dir).all()->empty());
  CHECK(clone.line({"ls-remote", "-q", "origin"}).find("refs/heads/main") == std::string::npos);
  CHECK(users_part(clone) == before);

  auto again = clone.open_push();
  REQUIRE(again);
  CHECK(again->view().refs == 0);
  CHECK_FALSE(again->view().needs_consent);
  CHECK(again->run()->pushed.empty());
  // Agreed once, agreed for what comes later; not for another repository of the same name.
  clone.write_session(SessionLayout::refs, "s2", "2\n");
  CHECK_FALSE(clone.open_push()->view().needs_consent);
  Bare other;
  clone.git({"remote", "set-url", "origin", other.folder.path()});
  CHECK(clone.open_push()->view().needs_consent);
}

TEST_CASE("a ref that the queue lost is pushed all the same, and one that was pushed leaves it") {
  Bare bare;
  PushingClone clone(bare.folder.path());
  clone.write_session(SessionLayout::refs, "s1", "1\n");
  const std::string queue = clone.folder.path_of(".git/entire-checkpoint-push-queue.jsonl");
  REQUIRE(std::filesystem::remove(queue));
  CHECK(clone.push().pushed == Names{kPushedRef});
  // A push that was killed before it could tell.
  REQUIRE(git::PushQueue(clone.files, clone.tree().common_dir).append({kPushedRef, "refs/heads/main"}));
  const app::SessionPushed done = clone.push();
  CHECK(done.pushed.empty());
  // What is not ours to push stays in it.
  CHECK(done.waiting == 1);
}

TEST_CASE("two clones that push into one checkpoint both find everything in it") {
  const SessionLayout layout = GENERATE(SessionLayout::refs, SessionLayout::branch);
  Bare bare;
  PushingClone first(bare.folder.path());
  PushingClone second(bare.folder.path());
  first.write_session(layout, "shared", "1\n", 0);
  first.push();
  SECTION("with a common beginning") {
    second.git({"fetch", "-q", "origin", ref_of(layout) + ":" + ref_of(layout)});
  }
  SECTION("with none") {
    second.write_session(layout, "shared", "1\n", 0);
  }
  first.write_session(layout, "first", "a\n", 1);
  second.write_session(layout, "second", "b\n", 2);
  second.write_session(layout, "shared", "1\n2\n", 3);
  first.push();
  const app::SessionPushed done = second.push();
  CHECK(done.merged == Names{ref_of(layout)});
  CHECK(done.pushed == Names{ref_of(layout)});
  CHECK(done.refused.empty());
  CHECK(done.conflicts == 0);
  CHECK(done.waiting == 0);
  const std::map<std::string, std::string> expected{
      {"first", "a\n"}, {"second", "b\n"}, {"shared", "1\n2\n"}};
  CHECK(second.transcripts(id_of(layout)) == expected);
  CHECK(second.checkpoint(id_of(layout)).problems.empty());
  CHECK(second.checkpoint(id_of(layout)).root->checkpoints_count == 3);
  CHECK(second.line({"for-each-ref", "refs/plankeep"}).empty());
  CHECK(second.git({"fsck", "--strict"}).status == 0);
  CHECK(first.push().merged == Names());

  first.write_session(layout, "later", "c\n", 4);
  first.push();
  CHECK(first.transcripts(id_of(layout)).size() == 4);
  CHECK(first.transcripts(id_of(layout)).at("shared") == "1\n2\n");
}

TEST_CASE("own commits of one checkpoint come on top of the remote's with their messages") {
  Bare bare;
  PushingClone first(bare.folder.path());
  PushingClone second(bare.folder.path());
  share_checkpoint(first, second);
  first.write_session(SessionLayout::refs, "s2", "2\n", 1);
  first.push();
  const std::string theirs = first.line({"rev-parse", kPushedRef});
  second.write_session(SessionLayout::refs, "s3", "3\n", 2);
  second.write_session(SessionLayout::refs, "s4", "4\n", 3);
  second.push();
  CHECK(second.line({"rev-parse", kPushedRef + "~2"}) == theirs);
  CHECK(second.line({"log", "--format=%P %an %at %(trailers:key=Entire-Session,valueonly,separator=)", "-1",
                     kPushedRef}) ==
        second.line({"rev-parse", kPushedRef + "~1"}) + " Test User 1700000003 s4");
}

TEST_CASE("on the branch a merge has both sides as parents, and keeps what others put there") {
  Bare bare;
  PushingClone first(bare.folder.path());
  PushingClone second(bare.folder.path());
  first.write_session(SessionLayout::branch, "s1", "1\n", 0, "aa0000000001");
  first.push();
  second.write_session(SessionLayout::branch, "s2", "2\n", 1, "aa0000000002");
  second.write_session(SessionLayout::branch, "s3", "3\n", 1, "bb0000000003");
  const std::string local = second.line({"rev-parse", kPushedBranch});
  const app::SessionPushed done = second.push();
  CHECK(done.merged == Names{kPushedBranch});
  CHECK(second.line({"log", "-1", "--format=%P|%B", kPushedBranch}) ==
        local + " " + first.line({"rev-parse", kPushedBranch}) + "|Merge remote session logs");
  CHECK(second.line({"ls-tree", "-d", "--name-only", kPushedBranch, "aa/", "bb/"}) ==
        "aa/0000000001\naa/0000000002\nbb/0000000003");
}

TEST_CASE("transcripts that went apart are both kept") {
  const SessionLayout layout = GENERATE(SessionLayout::refs, SessionLayout::branch);
  Bare bare;
  PushingClone first(bare.folder.path());
  PushingClone second(bare.folder.path());
  first.write_session(layout, "s1", "1\n2x\n", 0);
  second.write_session(layout, "s1", "1\n2y\n", 1);
  first.push();
  const app::SessionPushed done = second.push();
  CHECK(done.conflicts == 1);
  CHECK(second.transcripts(id_of(layout)).at("s1") == "1\n2y\n");
  const std::string listed = second.line({"ls-tree", "-r", "--name-only", ref_of(layout)});
  const std::size_t at = listed.find("plankeep/conflicts/0-");
  REQUIRE(at != std::string::npos);
  const std::size_t start = listed.rfind('\n', at) + 1;
  const std::string path = listed.substr(start, listed.find('\n', at) - start);
  CHECK(second.git({"show", ref_of(layout) + ":" + path}).output == "2x\n");
  // It is told once, whatever is merged with it later.
  first.write_session(layout, "s2", "3\n", 2);
  CHECK(first.push().conflicts == 0);
  second.write_session(layout, "s3", "4\n", 3);
  const app::SessionPushed later = second.push();
  CHECK(later.merged == Names{ref_of(layout)});
  CHECK(later.conflicts == 0);
  CHECK(second.line({"ls-tree", "-r", "--name-only", ref_of(layout)}).find("plankeep/conflicts/0-") !=
        std::string::npos);
}

TEST_CASE("who has nothing of their own takes over what the remote has") {
  Bare bare;
  PushingClone first(bare.folder.path());
  PushingClone second(bare.folder.path());
  share_checkpoint(first, second);
  first.write_session(SessionLayout::refs, "s1", "1\n2\n");
  first.push();
  const app::SessionPushed done = second.push();
  CHECK(done.pushed.empty());
  CHECK(done.already_there == Names{kPushedRef});
  CHECK(second.line({"rev-parse", kPushedRef}) == first.line({"rev-parse", kPushedRef}));
}

TEST_CASE("a remote that refuses is reported in its words, and the queue keeps the ref") {
  Bare bare;
  PushingClone clone(bare.folder.path());
  clone.write_session(SessionLayout::refs, "s1", "1\n");
  const std::string hook = bare.folder.path() + "/hooks/pre-receive";
  std::filesystem::create_directories(bare.folder.path() + "/hooks");
  std::ofstream(hook) << "#!/bin/sh\necho 'Sessions do not belong here.' >&2\necho >&2\nexit 1\n";
  std::filesystem::permissions(hook, std::filesystem::perms::owner_all);
  const app::SessionPushed done = clone.push();
  CHECK(done.pushed.empty());
  REQUIRE(done.refused.size() == 1);
  CHECK(done.refused.front().reason.find("pre-receive hook declined") != std::string::npos);
  CHECK(done.remote_said == Names{"Sessions do not belong here."});
  CHECK(done.waiting == 1);
}

TEST_CASE("hooks of the user's repository do not run") {
  Bare bare;
  PushingClone clone(bare.folder.path());
  clone.write_session(SessionLayout::refs, "s1", "1\n");
  std::filesystem::create_directories(clone.folder.path_of(".git/hooks"));
  for (const char* name : {"pre-push", "reference-transaction"}) {
    const std::string hook = clone.folder.path_of(std::string(".git/hooks/") + name);
    std::ofstream(hook) << "#!/bin/sh\nexit 1\n";
    std::filesystem::permissions(hook, std::filesystem::perms::owner_all);
  }
  CHECK(clone.push().pushed == Names{kPushedRef});
}

TEST_CASE("more refs than one push takes are pushed all the same") {
  Bare bare;
  PushingClone clone(bare.folder.path());
  clone.write_session(SessionLayout::refs, "s1", "1\n");
  const std::string commit = clone.line({"rev-parse", kPushedRef});
  std::string input;
  for (int i = 0; i < 450; ++i) {
    std::string number = std::to_string(1000 + i);
    input += "create " + core::session_ref("01HF7YAT00000G40R40M30" + number) + " " + commit + "\n";
  }
  REQUIRE(clone.ask.run(clone.folder.path(), {"update-ref", "--stdin"}, input)->status == 0);
  CHECK(clone.push().pushed.size() == 451);
  CHECK(clone.open_push()->view().refs == 0);
}

TEST_CASE("another owner's remote is pushed to only when it is named") {
  Bare bare;
  Bare elsewhere;
  PushingClone clone(bare.folder.path());
  clone.write_session(SessionLayout::refs, "s1", "1\n");
  clone.git({"remote", "add", "fork", "https://kim:s3cret@example.org/evil/x"});
  clone.environment.variables["HOME"] = clone.folder.path_of("home");
  clone.write("home/.config/plankeep/config.json", "{\"sessionsPush\": \"fork\"}");
  const auto refused = clone.open_push();
  REQUIRE_FALSE(refused);
  CHECK(refused.error().kind == base::ErrorKind::conflict);
  CHECK(refused.error().message == "remote fork belongs to evil on example.org, not to the owner of origin");
  // Named, it is asked: there is nobody there.
  clone.git({"remote", "set-url", "fork", "https://kim:s3cret@127.0.0.1:1/evil/x"});
  const auto offline = clone.open_push({"fork"});
  REQUIRE_FALSE(offline);
  CHECK(offline.error().kind == base::ErrorKind::io);
  CHECK(offline.error().message.find("s3cret") == std::string::npos);
}

TEST_CASE("the setting stands for consent, for its remote alone") {
  Bare bare;
  PushingClone clone(bare.folder.path());
  clone.write_session(SessionLayout::refs, "s1", "1\n");
  clone.environment.variables["HOME"] = clone.folder.path_of("home");
  clone.write("home/.config/plankeep/config.json", "{\"sessionsPush\": \"origin\"}");
  CHECK_FALSE(clone.open_push()->view().needs_consent);
  clone.git({"remote", "add", "backup", bare.folder.path()});
  CHECK(clone.open_push({"backup"})->view().needs_consent);
}

TEST_CASE("without a remote, or with several of which none is origin, nothing is guessed") {
  PushingClone clone("/nowhere");
  clone.git({"remote", "remove", "origin"});
  CHECK(clone.open_push().error().kind == base::ErrorKind::not_found);
  clone.git({"remote", "add", "a", "/nowhere"});
  clone.git({"remote", "add", "b", "/nowhere"});
  CHECK(clone.open_push().error().kind == base::ErrorKind::ambiguous);
  CHECK(clone.open_push({"c"}).error().kind == base::ErrorKind::not_found);
  CHECK(clone.open_push({"--exec=touch x"}).error().kind == base::ErrorKind::not_found);
}

TEST_CASE("a remote whose checkpoint cannot be merged is left as it is") {
  Bare bare;
  PushingClone first(bare.folder.path());
  PushingClone second(bare.folder.path());
  first.write_session(SessionLayout::refs, "s1", "1\n");
  first.push();
  // A slot far above the limit: a list as long would be made of it.
  const std::string tree = first.line({"rev-parse", kPushedRef + "^{tree}"});
  const auto made = first.ask.run(first.folder.path(), {"mktree"}, "040000 tree " + tree + "\t999999999\n");
  std::string hostile = made->output.substr(0, made->output.size() - 1);
  const std::string commit = first.line({"commit-tree", "-p", kPushedRef, "-m", "x", hostile});
  first.git({"push", "-q", "origin", commit + ":" + kPushedRef});
  second.write_session(SessionLayout::refs, "s2", "2\n");
  const std::string before = second.line({"rev-parse", kPushedRef});
  const app::SessionPushed done = second.push();
  REQUIRE(done.refused.size() == 1);
  CHECK(done.refused.front().reason.find("above the limit") != std::string::npos);
  CHECK(second.line({"rev-parse", kPushedRef}) == before);
  CHECK(done.waiting == 1);
}

TEST_CASE("a partial or shallow clone stays exactly as it was, also when a push merges") {
  Bare bare;
  PushingClone first(bare.folder.path());
  first.git({"--git-dir=" + bare.folder.path(), "config", "uploadpack.allowFilter", "true"});
  first.write("a", "1\n");
  first.commit_all();
  first.write("a", "2\n");
  first.commit_all();
  first.git({"push", "-q", "origin", "main"});
  first.write_session(SessionLayout::refs, "s1", "1\n");
  first.write_session(SessionLayout::branch, "s1", "1\n");
  first.push();
  PushingClone second(bare.folder.path(), false);
  const std::string how = GENERATE("--filter=blob:none", "--depth=1");
  second.git({"clone", "-q", how, "--single-branch", "-b", "main", "file://" + bare.folder.path(), "."});
  second.write_session(SessionLayout::refs, "s2", "2\n");
  second.write_session(SessionLayout::branch, "s2", "2\n");
  const std::string before = users_part(second);
  const app::SessionPushed done = second.push();
  CHECK(done.merged == Names{kPushedRef, kPushedBranch});
  CHECK(done.pushed == Names{kPushedRef, kPushedBranch});
  CHECK(users_part(second) == before);
  CHECK(second.transcripts(kPushedUlid).size() == 2);
  CHECK(second.transcripts(kPushedHex).size() == 2);
}
