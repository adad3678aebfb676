// Commits of a real repository, with sessions whose transcripts stand beside it.
#include "sessions/export_sessions.hpp"

#include <catch2/catch.hpp>
#include <cstdio>

#include "git/repository.hpp"
#include "model/json/session_json.hpp"
#include "session_store/session_index.hpp"
#include "support/fake_clock.hpp"
#include "support/map_environment.hpp"
#include "tracking/start_tracking.hpp"

using namespace plankeep;
using namespace plankeep::app;
using core::SessionLayout;

namespace {

// In pieces, so that nobody who looks for keys in sources finds one here.
const std::string kSecret = std::string("ghp") + "_A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8";

struct ExportDesk {
  test::Repository repo;
  test::FakeClock clock;
  test::MapEnvironment environment;
  Context context{repo.files, clock, environment, &repo.processes};
  PlanLocation plan{repo.folder.path(), "plan.md"};
  std::string top = repo.tree().top;
  ExportSources sources;

  ExportDesk() {
    environment.directory = top;
    commit("2026-11-20T10:00:00Z", "first", "plan.md");
  }

  std::string commit(const std::string& time, const std::string& message, const std::string& file) {
    repo.write(file, message);
    ::setenv("GIT_AUTHOR_DATE", time.c_str(), 1);
    ::setenv("GIT_COMMITTER_DATE", time.c_str(), 1);
    repo.commit_all(message);
    ::unsetenv("GIT_AUTHOR_DATE");
    ::unsetenv("GIT_COMMITTER_DATE");
    std::string sha = repo.git({"rev-parse", "HEAD"}).output;
    sha.pop_back();
    return sha;
  }

  // A session that wrote `file` at 10:05, and said more at 10:20.
  void add_session(const std::string& id, const std::string& file, const std::string& prompt) {
    const std::string text =
        R"({"timestamp":"2026-11-20T10:04:00.000Z","type":"user","message":{"role":"user","content":")" +
        prompt + "\"}}\n" +
        R"({"timestamp":"2026-11-20T10:05:00.000Z","type":"assistant","message":{"role":"assistant","id":"m1","content":[{"type":"tool_use","id":"t1","name":"Write","input":{"file_path":")" +
        top + "/" + file + R"(","content":"x"}}]}})" + "\n" +
        R"({"timestamp":"2026-11-20T10:05:01.000Z","type":"user","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","content":"ok"}]}})" +
        "\n" +
        R"({"timestamp":"2026-11-20T10:20:00.000Z","type":"user","message":{"role":"user","content":"later"}})" +
        "\n";
    repo.write(".git/" + id + ".jsonl", text);
    sources.sessions.push_back({id, "claude-code", top + "/.git/" + id + ".jsonl",
                                *base::parse_iso8601("2026-11-20T10:03:00Z"), false});
  }

  SessionExport run(SessionExportRequest request) {
    request.version = "0.1.0";
    auto done = export_sessions(context, plan, sources, request);
    if (!done) FAIL(done.error().message);
    return *done;
  }

  sessions::StoredCheckpoint read(const std::string& id) {
    auto index = sessions::SessionIndex::open(repo.ask, repo.files, top);
    REQUIRE(index);
    auto found = (*index)->read(id);
    if (!found) FAIL(found.error().message);
    return *found;
  }
};

SessionExportRequest everything() {
  SessionExportRequest request;
  request.since = base::Instant{0};
  return request;
}

}  // namespace

TEST_CASE("each commit gets the sessions that wrote its files, and a second export changes nothing") {
  ExportDesk desk;
  desk.add_session("sess-1", "a.txt", "make a");
  desk.add_session("sess-2", "other.txt", "make other");
  const std::string sha = desk.commit("2026-11-20T10:10:00Z", "second", "a.txt");
  core::Event done_task;
  done_task.kind = core::EventKind::task_completed;
  done_task.time = *base::parse_iso8601("2026-11-20T10:06:00Z");
  done_task.phase = core::PhaseId("build");
  done_task.task = core::TaskId("make-a");
  desk.sources.events = {done_task};

  const SessionExport done = desk.run(everything());
  CHECK(done.commits == 2);
  CHECK(done.warnings.empty());
  REQUIRE(done.sessions.size() == 1);
  const ExportedSession& one = done.sessions.front();
  CHECK(one.commit == sha);
  CHECK(one.session == "sess-1");
  CHECK(one.layout == SessionLayout::refs);
  CHECK(one.files == core::Strings{"a.txt"});
  CHECK(one.has_transcript);
  CHECK(one.is_new);

  const auto stored = desk.read(one.checkpoint);
  CHECK(stored.problems.empty());
  REQUIRE(stored.sessions.size() == 1);
  CHECK(stored.sessions.front().prompts == core::Strings{"make a"});
  CHECK(stored.sessions.front().metadata->created_at == "2026-11-20T10:10:00Z");
  CHECK(stored.sessions.front().metadata->branch == "main");
  CHECK(stored.sessions.front().metadata->cli_version == "plankeep/0.1.0");
  REQUIRE(stored.plan);
  CHECK(stored.plan->tasks_done == core::Strings{"make-a"});
  // Not what was said behind the commit.
  const std::string transcript =
      desk.repo.git({"cat-file", "blob", core::session_ref(one.checkpoint) + ":0/full.jsonl"}).output;
  CHECK(transcript.find("make a") != std::string::npos);
  CHECK(transcript.find("later") == std::string::npos);

  const SessionExport again = desk.run(everything());
  REQUIRE(again.sessions.size() == 1);
  CHECK(again.sessions.front().checkpoint == one.checkpoint);
  CHECK_FALSE(again.sessions.front().is_new);
}

TEST_CASE("no secret of a session reaches git, and the report counts them") {
  ExportDesk desk;
  desk.add_session("sess-1", "a.txt", "use " + kSecret);
  desk.commit("2026-11-20T10:10:00Z", "second", "a.txt");
  SessionExportRequest request = everything();
  request.layout = GENERATE(SessionLayout::refs, SessionLayout::branch);
  const SessionExport done = desk.run(request);
  REQUIRE(done.sessions.size() == 1);
  CHECK(done.sessions.front().layout == *request.layout);
  CHECK(done.sessions.front().redacted.total() >= 2);
  const std::string objects =
      desk.repo.git({"cat-file", "--batch-all-objects", "--batch", "--unordered"}).output;
  CHECK(objects.find("use REDACTED") != std::string::npos);
  CHECK(objects.find(kSecret) == std::string::npos);
}

TEST_CASE("a session whose id leads elsewhere is left out, and the others are written") {
  ExportDesk desk;
  desk.add_session("sess-1", "a.txt", "make a");
  desk.add_session("sess-2", "a.txt", "make a, too");
  desk.add_session("sess-3", "a.txt", "make a, again");
  desk.sources.sessions[0].id = "../../x";
  desk.sources.sessions[1].client = "claude\x1b[2J";
  desk.commit("2026-11-20T10:10:00Z", "second", "a.txt");
  const SessionExport done = desk.run(everything());
  REQUIRE(done.sessions.size() == 1);
  CHECK(done.sessions.front().session == "sess-3");
  REQUIRE(done.left_out.size() == 2);
  CHECK(done.left_out[0].reason == "its id cannot be a name");
  CHECK(done.left_out[1].reason == "its client's name cannot be shown");
  CHECK(desk.read(done.sessions.front().checkpoint).sessions.size() == 1);
}

TEST_CASE("a dry run writes nothing, and tells the same") {
  ExportDesk desk;
  desk.add_session("sess-1", "a.txt", "make a");
  desk.commit("2026-11-20T10:10:00Z", "second", "a.txt");
  SessionExportRequest request = everything();
  request.dry_run = true;
  const SessionExport dry = desk.run(request);
  REQUIRE(dry.sessions.size() == 1);
  CHECK(desk.repo.git({"for-each-ref", "refs/entire/"}).output.empty());
  const SessionExport real = desk.run(everything());
  CHECK(real.sessions.front().checkpoint == dry.sessions.front().checkpoint);
}

TEST_CASE("without transcripts only metadata and prompts are written") {
  ExportDesk desk;
  desk.add_session("sess-1", "a.txt", "make a");
  desk.commit("2026-11-20T10:10:00Z", "second", "a.txt");
  SessionExportRequest request;
  request.commits = {"HEAD"};
  request.with_transcript = false;
  const SessionExport done = desk.run(request);
  REQUIRE(done.sessions.size() == 1);
  CHECK_FALSE(done.sessions.front().has_transcript);
  const auto stored = desk.read(done.sessions.front().checkpoint);
  CHECK(stored.sessions.front().transcript.empty());
  CHECK(stored.sessions.front().prompts == core::Strings{"make a"});
}

TEST_CASE("a commit that names a checkpoint gets its sessions there, but another tool's record stays") {
  ExportDesk desk;
  desk.add_session("sess-1", "a.txt", "make a");
  desk.commit("2026-11-20T10:10:00Z", "second\n\nEntire-Checkpoint: a1b2c3d4e5f6", "a.txt");
  const SessionExport done = desk.run(everything());
  REQUIRE(done.sessions.size() == 1);
  CHECK(done.sessions.front().checkpoint == "a1b2c3d4e5f6");
  CHECK(done.sessions.front().layout == SessionLayout::branch);
  CHECK(done.sessions.front().is_new);

  // The same record as another tool would have written it.
  const std::string tree = "refs/heads/entire/checkpoints/v1:a1/b2c3d4e5f6/0/metadata.json";
  std::string metadata = desk.repo.git({"cat-file", "blob", tree}).output;
  metadata.replace(metadata.find("plankeep/0.1.0"), 14, "0.5.1");
  desk.repo.git({"checkout", "-q", "entire/checkpoints/v1"});
  desk.repo.write("a1/b2c3d4e5f6/0/metadata.json", metadata);
  desk.repo.commit_all("theirs");
  desk.repo.git({"checkout", "-q", "main"});
  const SessionExport again = desk.run(everything());
  CHECK(again.sessions.empty());
  CHECK(again.warnings.empty());
  REQUIRE(again.left_out.size() == 1);
  CHECK(again.left_out.front().session == "sess-1");
  CHECK(again.left_out.front().reason == "another tool has written it already");
  CHECK(desk.repo.git({"cat-file", "blob", tree}).output == metadata);
}

TEST_CASE("what is missing is told: a transcript, a commit, a rule that is wrong") {
  ExportDesk desk;
  desk.add_session("sess-1", "a.txt", "make a");
  desk.commit("2026-11-20T10:10:00Z", "second", "a.txt");
  std::filesystem::remove(desk.sources.sessions.front().transcript);
  // Nobody knows whether it has a part in the commit: no checkpoint of the work speaks of it.
  CHECK(desk.run(everything()).sessions.empty());
  core::WorkMoment moment;
  moment.id = "cp_1a2b3c_001";
  moment.time = *base::parse_iso8601("2026-11-20T10:06:00Z");
  moment.session = "sess-1";
  moment.turn_end = true;
  moment.prompt = "make a, and more";
  core::CommandUsed used;
  used.type = "Write";
  used.target = desk.top + "/a.txt";
  used.timestamp = *base::parse_iso8601("2026-11-20T10:05:00Z");
  moment.tools = {used};
  desk.sources.moments = {moment};
  const SessionExport done = desk.run(everything());
  REQUIRE(done.sessions.size() == 1);
  CHECK_FALSE(done.sessions.front().has_transcript);
  CHECK(done.sessions.front().transcript_left_out.find("gone or empty") != std::string::npos);
  REQUIRE(done.warnings.size() == 1);
  CHECK(done.warnings.front().find("gone or empty") != std::string::npos);
  const auto stored = desk.read(done.sessions.front().checkpoint);
  CHECK(stored.sessions.front().prompts == core::Strings{"make a, and more"});
  CHECK(stored.plan->transcript_left_out == done.sessions.front().transcript_left_out);

  SessionExportRequest request;
  request.commits = {"nothing-like-it"};
  const auto unknown = export_sessions(desk.context, desk.plan, desk.sources, request);
  REQUIRE_FALSE(unknown);
  CHECK(unknown.error().kind == base::ErrorKind::not_found);

  desk.repo.write(".plankeep.json", "{\"redaction\":{\"rules\":[{\"id\":\"bad\",\"regex\":\"a(?=b)\"}]}}");
  const std::string refs = desk.repo.git({"for-each-ref"}).output;
  CHECK_FALSE(export_sessions(desk.context, desk.plan, desk.sources, everything()));
  CHECK(desk.repo.git({"for-each-ref"}).output == refs);
}

TEST_CASE("the plan's records give its history, and a plan that is not tracked gives none") {
  ExportDesk desk;
  const auto none = export_sources(desk.context, desk.plan);
  REQUIRE_FALSE(none);
  CHECK(none.error().kind == base::ErrorKind::not_found);
  desk.repo.write("plan.md", "# Auth\n\n## Build\n- [x] Schema\n- [ ] Login\n");
  REQUIRE(start_tracking(desk.context, desk.plan));
  const auto sources = export_sources(desk.context, desk.plan);
  REQUIRE(sources);
  CHECK(sources->events.size() == 1);
  CHECK(sources->sessions.empty());
  CHECK(sources->sidecars.empty());
}

TEST_CASE("what hooks saw counts where the transcript tells of no edit since the commit's parent") {
  ExportDesk desk;
  desk.add_session("sess-1", "a.txt", "make a");
  desk.commit("2026-11-20T10:07:00Z", "somebody else's", "b.txt");
  const std::string sha = desk.commit("2026-11-20T10:10:00Z", "at last", "a.txt");
  SessionExportRequest request;
  request.commits = {sha};
  CHECK(desk.run(request).sessions.empty());

  desk.sources.sessions[0].touched = {"a.txt", "elsewhere.txt"};
  const SessionExport done = desk.run(request);
  REQUIRE(done.sessions.size() == 1);
  CHECK(done.sessions[0].files == core::Strings{"a.txt"});
  CHECK(done.sessions[0].until.lines == 3);
  const auto stored = desk.read(done.sessions[0].checkpoint);
  CHECK(stored.sessions.front().prompts == core::Strings{"make a"});
  // A commit of other files stays without it.
  request.commits = {"HEAD~1"};
  CHECK(desk.run(request).sessions.empty());
}

TEST_CASE("the second half of what a session wrote begins where the first did, and each has its own files") {
  ExportDesk desk;
  desk.add_session("sess-1", "a.txt", "make a and b");
  const auto call = [&](const std::string& time, const std::string& rest) {
    return R"({"timestamp":"2026-11-20T)" + time + R"(.000Z",)" + rest + "}\n";
  };
  const auto write = [&](const std::string& time, const std::string& file) {
    return call(time, R"("type":"assistant","message":{"role":"assistant","id":"m)" + file +
                          R"(","content":[{"type":"tool_use","id":"t)" + file +
                          R"(","name":"Write","input":{"file_path":")" + desk.top + "/" + file +
                          R"(","content":"x"}}]})");
  };
  const auto said = [&](const std::string& time, const std::string& text) {
    return call(time, R"("type":"user","message":{"role":"user","content":")" + text + "\"}");
  };
  desk.repo.write(".git/sess-1.jsonl", said("10:04:00", "first job") + write("10:05:00", "a.txt") +
                                           said("10:14:00", "second job") + write("10:15:00", "p.txt") +
                                           write("10:15:01", "q.txt"));
  desk.sources.sessions[0].touched = {"a.txt", "p.txt", "q.txt"};
  desk.commit("2026-11-20T10:10:00Z", "a", "a.txt");
  desk.commit("2026-11-20T10:20:00Z", "p", "p.txt");
  desk.commit("2026-11-20T10:30:00Z", "q", "q.txt");
  const SessionExport done = desk.run(everything());
  REQUIRE(done.sessions.size() == 3);
  CHECK(done.sessions[1].files == core::Strings{"p.txt"});
  CHECK(done.sessions[2].files == core::Strings{"q.txt"});
  for (const std::size_t half : {1u, 2u})
    CHECK(desk.read(done.sessions[half].checkpoint).sessions.front().prompts == core::Strings{"second job"});
}

TEST_CASE("line ends that git converts make the agent's lines nobody else's") {
  ExportDesk desk;
  desk.add_session("sess-1", "a.txt", "make a");
  const auto id_of = [&](const std::string& revision) {
    std::string id = desk.repo.git({"rev-parse", revision}).output;
    id.pop_back();
    return id;
  };
  const auto moment = [&](const std::string& time, const std::string& tree, bool before_prompt) {
    core::WorkMoment made;
    made.session = "sess-1";
    made.time = *base::parse_iso8601(time);
    made.before_prompt = before_prompt;
    made.turn_end = !before_prompt;
    made.head = id_of("HEAD");
    made.tree = tree;
    desk.sources.moments.push_back(made);
  };
  moment("2026-11-20T10:03:59Z", id_of("HEAD^{tree}"), true);
  desk.repo.write("a.txt", "one\r\ntwo\r\n");
  desk.repo.git({"-c", "core.autocrlf=false", "add", "a.txt"});
  std::string tree = desk.repo.git({"write-tree"}).output;
  tree.pop_back();
  moment("2026-11-20T10:05:30Z", tree, false);
  desk.repo.git({"rm", "-q", "--cached", "a.txt"});
  desk.repo.git({"config", "core.autocrlf", "input"});
  const std::string sha = desk.commit("2026-11-20T10:10:00Z", "one\r\ntwo\r\nmine\r\n", "a.txt");
  CHECK(desk.repo.git({"show", "HEAD:a.txt"}).output == "one\ntwo\nmine\n");
  const SessionExport done = desk.run(everything());
  REQUIRE(done.sessions.size() == 1);
  INFO(done.sessions[0].no_attribution);
  REQUIRE(done.sessions[0].agent_percentage);
  CHECK(*done.sessions[0].agent_percentage > 66);
  CHECK(*done.sessions[0].agent_percentage < 67);
}

TEST_CASE("a later export that knows less replaces no number") {
  ExportDesk desk;
  desk.add_session("sess-1", "a.txt", "make a");
  desk.add_session("sess-2", "b.txt", "make b");
  desk.repo.write("b.txt", "x");
  const std::string sha = desk.commit("2026-11-20T10:10:00Z", "x", "a.txt");
  SessionExportRequest request;
  request.commits = {sha};
  const std::string id = desk.run(request).sessions.at(0).checkpoint;
  const std::optional<core::PlanLines> lines = desk.read(id).plan->lines;
  CHECK(lines == core::PlanLines{2, 0, 0, {}});
  // The client has deleted a transcript.
  REQUIRE(std::remove((desk.top + "/.git/sess-1.jsonl").c_str()) == 0);
  CHECK(desk.run(request).sessions.size() == 1);
  CHECK(desk.read(id).plan->lines == lines);
}

TEST_CASE("checkpoints of the work that are gone make no stored record smaller") {
  ExportDesk desk;
  core::WorkMoment first;
  first.id = "1";
  first.session = "sess-1";
  first.time = *base::parse_iso8601("2026-11-20T10:05:00Z");
  first.turn_end = true;
  first.prompt = "make a";
  first.changed = {"a.txt"};
  core::WorkMoment second = first;
  second.id = "2";
  second.prompt = "make more";
  desk.sources.moments = {first, second};
  desk.sources.sessions.push_back({"sess-1", "cursor", "", first.time, false});
  const std::string sha = desk.commit("2026-11-20T10:10:00Z", "second", "a.txt");
  SessionExportRequest request;
  request.commits = {sha};
  const std::string id = desk.run(request).sessions.at(0).checkpoint;
  CHECK(desk.read(id).sessions.front().metadata->checkpoints_count == 2);
  desk.sources.moments = {second};
  const SessionExport again = desk.run(request);
  CHECK(again.sessions.empty());
  REQUIRE(again.left_out.size() == 1);
  CHECK(desk.read(id).sessions.front().prompts == core::Strings{"make a", "make more"});
}

TEST_CASE("a noted session without a transcript has a record without one, and no plan no link") {
  ExportDesk desk;
  const std::string sha = desk.commit("2026-11-20T10:10:00Z", "second", "a.txt");
  desk.sources.sessions.push_back({"sess-1", "claude-code", "", {}, false, {"a.txt"}});
  desk.plan.name.clear();
  SessionExportRequest request;
  request.commits = {sha};
  const SessionExport done = desk.run(request);
  REQUIRE(done.sessions.size() == 1);
  CHECK_FALSE(done.sessions[0].has_transcript);
  CHECK_FALSE(done.sessions[0].transcript_left_out.empty());
  const auto stored = desk.read(done.sessions[0].checkpoint);
  CHECK(stored.problems.empty());
  CHECK_FALSE(stored.plan);
  CHECK(stored.sessions.front().metadata->files_touched == core::Strings{"a.txt"});
}
