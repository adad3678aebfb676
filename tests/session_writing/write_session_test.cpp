// Session checkpoints written into real repositories, and read again by the reader and by git.
#include "sessions/write_session.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <set>

#include "base/ulid.hpp"
#include "clients/agent_name.hpp"
#include "git/push_queue.hpp"
#include "git/repository.hpp"
#include "session_store/session_index.hpp"

using namespace plankeep;
using namespace plankeep::app;
using core::SessionLayout;
using test::Repository;

namespace {

const std::string kTranscript =
    "{\"type\":\"user\",\"message\":\"add <b>\"}\n{\"type\":\"assistant\",\"message\":\"done\"}\n";
const std::string kHexId = "a1b2c3d4e5f6";
const std::string kUlid = "01HF7YAT00000G40R40M30E209";
const std::string kBranchRef = "refs/heads/entire/checkpoints/v1";
const std::string kUlidRef = "refs/entire/checkpoints/09/01HF7YAT00000G40R40M30E209";
constexpr base::Instant kWhen{1700000000000};
const git::Signature kAuthor{"Test User", "test@example.com", 1700000000, 0};

secrets::Redacted redacted(std::string_view text) {
  return secrets::Redactor::standard().plain(text);
}

core::SessionRecord golden_record(SessionLayout layout) {
  core::SessionRecord record;
  const bool on_branch = layout == SessionLayout::branch;
  record.cli_version = on_branch ? "0.5.1" : "0.8.1";
  record.session_id = "sess-1";
  record.created_at = kWhen;
  record.branch = redacted("main");
  record.checkpoints_count = 2;
  record.save_step_count = 2;
  record.files_touched = {redacted("a.txt"), redacted("src/b.c")};
  record.agent = clients::agent_name("claude-code");
  record.model = redacted("m-1");
  record.turn_id = "0011223344ff";
  record.token_usage = core::TokenUsage{10, 0, 5, 7, 1, {}, {}};
  record.attribution = core::stored_attribution(
      {8, 1, 2, 1, 0, 10, 12, on_branch ? 80.0 : 75.0},
      on_branch ? core::AttributionMetric::added_lines : core::AttributionMetric::changed_lines, kWhen);
  if (on_branch) record.shadow_branch = "entire/0123456-e3b0c4";
  record.transcript = secrets::Redactor::standard().json_lines(kTranscript);
  record.prompts = {redacted("First prompt"), redacted("Second & last")};
  return record;
}

core::SessionRecord small_record(const std::string& session) {
  core::SessionRecord record;
  record.cli_version = "plankeep/0.1.0";
  record.session_id = session;
  record.created_at = kWhen;
  record.files_touched = {redacted(session + ".txt")};
  record.transcript = redacted("{\"session\":\"" + session + "\"}\n");
  return record;
}

base::Result<SessionWritten> try_write(Repository& repo, const SessionTarget& target,
                                       const core::SessionRecord& record) {
  auto writer = SessionWriter::open(repo.ask, repo.files, repo.tree());
  REQUIRE(writer);
  return writer->write(target, record);
}

SessionWritten write(Repository& repo, const SessionTarget& target, const core::SessionRecord& record) {
  auto done = try_write(repo, target, record);
  if (!done) FAIL(done.error().message);
  return *done;
}

sessions::StoredCheckpoint read(Repository& repo, const std::string& id) {
  auto index = sessions::SessionIndex::open(repo.ask, repo.files, repo.folder.path());
  REQUIRE(index);
  REQUIRE(*index);
  auto found = (*index)->read(id);
  if (!found) FAIL(found.error().message);
  CHECK(found->problems.empty());
  return *found;
}

std::string line_of(Repository& repo, const std::vector<std::string>& words) {
  std::string text = repo.git(words).output;
  while (text.ends_with('\n')) text.pop_back();
  return text;
}

SessionTarget on_branch(const std::string& id = kHexId) {
  return {SessionLayout::branch, id, kAuthor};
}

SessionTarget as_ref(const std::string& id = kUlid) {
  return {SessionLayout::refs, id, kAuthor};
}

}  // namespace

TEST_CASE("a checkpoint on the branch is in git as Entire 0.5.1 writes it") {
  Repository repo;
  const SessionWritten first = write(repo, on_branch(), golden_record(SessionLayout::branch));
  CHECK(first.ref == kBranchRef);
  CHECK(first.commit == "a2ddc964d8048eaac8c58885d699b37a4376978c");
  CHECK(line_of(repo, {"rev-parse", kBranchRef}) == first.commit);
  CHECK(line_of(repo, {"rev-parse", kBranchRef + "~1"}) == "b041fd4c9d82f733da076769b9f4787e6b878dc4");
  CHECK(repo.git({"fsck", "--strict", "--full"}).status == 0);

  core::SessionRecord second;
  second.cli_version = "0.5.1";
  second.session_id = "sess-2";
  second.created_at = {kWhen.milliseconds + 1000};
  second.files_touched = {redacted("c.txt")};
  second.agent = clients::agent_name("gemini");
  const SessionWritten two = write(repo, on_branch(), second);
  CHECK(two.slot == 1);
  CHECK(two.commit == "19d83613e79e36d47643d2f9dd4cfc92931a0a08");
  // The branch is not in the queue of refs: it is pushed as a branch.
  CHECK(git::PushQueue(repo.files, repo.tree().common_dir).refs()->empty());
  CHECK(git::WrittenRefs(repo.files, repo.tree().common_dir).all()->size() == 2);
}

TEST_CASE("a checkpoint with a ref of its own is in git as Entire 0.8.1 writes it") {
  Repository repo;
  SessionTarget target = as_ref();
  target.is_new = GENERATE(false, true);
  const SessionWritten done = write(repo, target, golden_record(SessionLayout::refs));
  CHECK(done.ref == kUlidRef);
  CHECK(done.commit == "e7b8989c6d8a008137b1071d0a161aa3a98aa1ff");
  CHECK(repo.git({"fsck", "--strict", "--full"}).status == 0);
  CHECK(*git::PushQueue(repo.files, repo.tree().common_dir).refs() == std::vector<std::string>{kUlidRef});

  // The same once more: nothing happens, and it is not queued again.
  CHECK(write(repo, target, golden_record(SessionLayout::refs)).commit.empty());
  CHECK(line_of(repo, {"rev-parse", kUlidRef}) == done.commit);
  const auto stored = read(repo, kUlid);
  REQUIRE(stored.sessions.size() == 1);
  CHECK(stored.sessions.front().prompts == core::Strings{"First prompt", "Second & last"});
  CHECK(stored.sessions.front().metadata->session_id == "sess-1");
  CHECK(repo.git({"cat-file", "blob", kUlidRef + ":0/full.jsonl"}).output == kTranscript);
}

TEST_CASE("a transcript is finalised as Entire 0.5.1 does it, and one that is stored so writes nothing") {
  Repository repo;
  write(repo, on_branch(), golden_record(SessionLayout::branch));
  auto writer = SessionWriter::open(repo.ask, repo.files, repo.tree());
  REQUIRE(writer);
  const secrets::Redacted whole = secrets::Redactor::standard().json_lines(
      kTranscript + "{\"type\":\"assistant\",\"message\":\"summary\"}\n");
  const auto done = writer->finalise(on_branch(), "sess-1", whole, {});
  REQUIRE(done);
  CHECK(done->commit == "e72790f151a20fa9a82867df43a339e19b5bbe14");
  const auto again = writer->finalise(on_branch(), "sess-1", whole, {});
  REQUIRE(again);
  CHECK(again->commit.empty());
  const auto unknown = writer->finalise(on_branch(), "sess-9", whole, {});
  REQUIRE_FALSE(unknown);
  CHECK(unknown.error().kind == base::ErrorKind::not_found);
}

TEST_CASE("more sessions than are read ahead, and what others put beside them, stay") {
  Repository repo;
  const bool refs = GENERATE(true, false);
  const SessionTarget target = refs ? as_ref() : on_branch();
  const std::size_t count = kSlotsReadAhead + 4;
  for (std::size_t i = 0; i < count; ++i)
    CHECK(write(repo, target, small_record("s" + std::to_string(i))).slot == i);
  // Again, in the middle and behind what is read ahead.
  for (const std::size_t i : {std::size_t{3}, count - 2}) {
    core::SessionRecord record = small_record("s" + std::to_string(i));
    record.checkpoints_count = 10;
    CHECK(write(repo, target, record).slot == i);
  }
  const auto stored = read(repo, target.id);
  REQUIRE(stored.sessions.size() == count);
  CHECK(stored.root->checkpoints_count == std::int64_t(count) + 18);
  CHECK(stored.root->files_touched->size() == count);
  CHECK(repo.git({"fsck", "--strict", "--full"}).status == 0);
}

TEST_CASE("the user's own things are not touched") {
  Repository repo;
  repo.leave_changes();
  const std::string before = repo.users_own();
  write(repo, as_ref(), golden_record(SessionLayout::refs));
  write(repo, on_branch(), golden_record(SessionLayout::branch));
  CHECK(repo.users_own() == before);
}

TEST_CASE("a branch that is not there yet begins where origin's stands") {
  Repository repo;
  write(repo, on_branch("bbbbbbbbbbbb"), small_record("theirs"));
  const std::string theirs = line_of(repo, {"rev-parse", kBranchRef});
  repo.git({"update-ref", "refs/remotes/origin/entire/checkpoints/v1", theirs});
  const bool empty = GENERATE(false, true);
  repo.git({"update-ref", "-d", kBranchRef});
  if (empty) {
    const std::string tree = line_of(repo, {"mktree", "--missing"});
    const std::string commit = line_of(repo, {"commit-tree", "-m", "Initialize metadata branch", tree});
    repo.git({"update-ref", kBranchRef, commit});
  }
  const SessionWritten done = write(repo, on_branch(), small_record("ours"));
  CHECK(line_of(repo, {"rev-parse", done.commit + "~1"}) == theirs);
  CHECK(read(repo, "bbbbbbbbbbbb").sessions.size() == 1);
  CHECK(read(repo, kHexId).sessions.size() == 1);
}

TEST_CASE("a branch that is not there yet begins where the elected remote's stands") {
  Repository repo;
  write(repo, on_branch("bbbbbbbbbbbb"), small_record("theirs"));
  repo.git({"update-ref", "refs/remotes/team/entire/checkpoints/v1", kBranchRef});
  write(repo, on_branch("cccccccccccc"), small_record("others"));
  repo.git({"update-ref", "refs/remotes/origin/entire/checkpoints/v1", kBranchRef});
  repo.git({"update-ref", "-d", kBranchRef});
  const bool there = GENERATE(true, false);
  auto writer = SessionWriter::open(repo.ask, repo.files, repo.tree(), there ? "team" : "nobody");
  REQUIRE(writer);
  const core::SessionRecord record = small_record("ours");
  const auto done = writer->write(on_branch(), record);
  REQUIRE(done);
  CHECK(line_of(repo, {"rev-parse", done->commit + "~1"}) ==
        line_of(repo, {"rev-parse", std::string("refs/remotes/") + (there ? "team" : "origin") +
                                        "/entire/checkpoints/v1"}));
}

TEST_CASE("a repository with SHA-256 takes session checkpoints, too") {
  Repository repo(false);
  repo.git({"init", "-q", "-b", "main", "--object-format=sha256"});
  write(repo, as_ref(), golden_record(SessionLayout::refs));
  write(repo, as_ref(), small_record("s2"));
  write(repo, on_branch(), golden_record(SessionLayout::branch));
  CHECK(read(repo, kUlid).sessions.size() == 2);
  CHECK(read(repo, kHexId).sessions.size() == 1);
  CHECK(repo.git({"fsck", "--strict", "--full"}).status == 0);
}

TEST_CASE("a damaged tree is an error and stays as it is") {
  Repository repo;
  const SessionWritten done = write(repo, as_ref(), small_record("s1"));
  const std::string slot = line_of(repo, {"rev-parse", done.commit + ":0"});
  std::filesystem::remove(repo.folder.path_of(".git/objects/" + slot.substr(0, 2) + "/" + slot.substr(2)));
  const auto second = try_write(repo, as_ref(), small_record("s2"));
  REQUIRE_FALSE(second);
  CHECK(second.error().kind == base::ErrorKind::corrupt);
  CHECK(line_of(repo, {"rev-parse", kUlidRef}) == done.commit);
}

TEST_CASE("many processes write their sessions into one checkpoint, and none is lost") {
  Repository repo;
  const bool refs = GENERATE(true, false);
  const SessionTarget target = refs ? as_ref() : on_branch();
  const git::WorkTree tree = repo.tree();
  constexpr int kWriters = 6;
  std::vector<pid_t> children;
  for (int i = 0; i < kWriters; ++i) {
    const pid_t child = ::fork();
    REQUIRE(child >= 0);
    if (child == 0) {
      system::PosixProcesses processes;
      system::PosixFileSystem files;
      git::Git git(processes, files, std::chrono::minutes(1));
      const core::SessionRecord record = small_record("s" + std::to_string(i));
      bool written = false;
      // Busy is an answer; whoever gets it comes again.
      for (int turn = 0; turn < 20 && !written; ++turn) {
        auto writer = SessionWriter::open(git, files, tree);
        written = writer && writer->write(target, record);
      }
      ::_exit(written ? 0 : 1);
    }
    children.push_back(child);
  }
  for (const pid_t child : children) {
    int status = 0;
    REQUIRE(::waitpid(child, &status, 0) == child);
    CHECK(status == 0);
  }
  const auto stored = read(repo, target.id);
  std::set<std::string> names;
  for (const auto& session : stored.sessions) names.insert(session.metadata->session_id);
  CHECK(stored.sessions.size() == kWriters);
  CHECK(names.size() == kWriters);
  CHECK(stored.root->checkpoints_count == kWriters);
}

TEST_CASE("the id for a commit is the same each time, valid, and another for another commit") {
  const std::string commit(40, 'a');
  const std::string ulid = session_id_for_commit(SessionLayout::refs, commit, kWhen);
  CHECK(core::session_id_kind(ulid) == core::SessionIdKind::ulid);
  CHECK(core::time_in_id(ulid) == kWhen);
  CHECK(session_id_for_commit(SessionLayout::refs, commit, kWhen) == ulid);
  CHECK(session_id_for_commit(SessionLayout::refs, std::string(40, 'b'), kWhen) != ulid);
  const std::string hex = session_id_for_commit(SessionLayout::branch, commit, kWhen);
  CHECK(core::session_id_kind(hex) == core::SessionIdKind::hex);
  CHECK(session_id_for_commit(SessionLayout::branch, std::string(40, 'b'), kWhen) != hex);
}

TEST_CASE("the author is git's user, each part by itself") {
  Repository repo;
  auto author = session_author(repo.ask, repo.folder.path(), kWhen);
  REQUIRE(author);
  CHECK(author->name == "Unknown");
  CHECK(author->email == "unknown@local");
  CHECK(author->seconds == 1700000000);
  repo.git({"config", "user.name", "Kim"});
  author = session_author(repo.ask, repo.folder.path(), kWhen);
  REQUIRE(author);
  CHECK(author->name == "Kim");
  CHECK(author->email == "unknown@local");
}
