// The golden vectors: bytes that are known to the last digit of their ids in git, written by our encoder and
// read by both engines.

#include <catch2/catch.hpp>

#include "session_store/written_sessions.hpp"

using namespace plankeep;
using test::kHexId;
using test::kPrompts;
using test::kTranscript;
using test::kUlid;
using test::WrittenSessions;

TEST_CASE("the layout branch as 0.5.1 writes it, a second session and a finished transcript") {
  WrittenSessions repo;
  CHECK(repo.blob(core::content_hash_of(kTranscript)) == "d2629f3f13a8240d89ee6e2263dc87788c264d69");
  CHECK(repo.blob(kTranscript) == "1df76cce49728a30e211dfcc0714e3f3a52993e4");
  CHECK(repo.blob(kPrompts) == "57ef5e9f7d440fea45d0848272a1e7aec1661c86");
  const core::SessionMetadata session = test::golden_session(kHexId, "0.5.1");
  core::SessionRoot root = test::golden_root(kHexId, "/a1/b2c3d4e5f6/", "0.5.1");
  CHECK(repo.blob(core::encode_session(session)) == "ed8ea5eab6517cf10ad47862b8a4cb9a89394780");
  CHECK(repo.blob(core::encode_session_root(root)) == "7243880e58781ac623e73f28410799bcecc57348");
  const std::string slot = repo.golden_slot(session);
  CHECK(slot == "fda24f22bd8bcb0c39e0311b2c34a8b6067c3bac");
  const std::string tree = repo.golden_checkpoint(kHexId, "/a1/b2c3d4e5f6/", "0.5.1");
  CHECK(tree == "5a965ae611e70971d63f5e0a21560d5807bb4033");

  const std::string init = repo.commit(
      repo.raw_tree({}), {}, "Initialize metadata branch\n\nThis branch stores session metadata.\n");
  CHECK(init == "b041fd4c9d82f733da076769b9f4787e6b878dc4");
  const std::string top = repo.raw_tree({repo.dir("a1", repo.raw_tree({repo.dir("b2c3d4e5f6", tree)}))});
  CHECK(top == "940a1393a9f67a936f86481dd7f101c835d73a64");
  const std::string first =
      repo.commit(top, {init},
                  "Checkpoint: a1b2c3d4e5f6\n\nEntire-Session: sess-1\nEntire-Strategy: manual-commit\n"
                  "Entire-Agent: Claude Code\nEphemeral-branch: entire/0123456-e3b0c4\n");
  CHECK(first == "a2ddc964d8048eaac8c58885d699b37a4376978c");

  core::SessionMetadata second;
  second.cli_version = "0.5.1";
  second.checkpoint_id = kHexId;
  second.session_id = "sess-2";
  second.strategy = "manual-commit";
  second.created_at = "2023-11-14T22:13:21Z";
  second.checkpoints_count = 1;
  second.files_touched = core::Strings{"c.txt"};
  second.agent = "Gemini CLI";
  CHECK(repo.blob(core::encode_session(second)) == "74fc965b5b837f9671292c2e79728cf12db2f428");
  root.branch.reset();
  root.checkpoints_count = 3;
  root.files_touched = core::Strings{"a.txt", "c.txt", "src/b.c"};
  root.sessions->push_back(test::golden_paths("/a1/b2c3d4e5f6/", 1));
  root.sessions->back().prompt = "";
  CHECK(repo.blob(core::encode_session_root(root)) == "0b867da4677642a3ab54383285198299db2ee1cd");
  const std::string both = repo.raw_tree(
      {repo.dir("0", slot),
       repo.dir("1", repo.raw_tree({repo.file("metadata.json", repo.blob(core::encode_session(second)))})),
       repo.file("metadata.json", repo.blob(core::encode_session_root(root)))});
  CHECK(both == "a91f3e5ba58e0771c27e05296596e233910513a5");
  const std::string both_top = repo.raw_tree({repo.dir("a1", repo.raw_tree({repo.dir("b2c3d4e5f6", both)}))});
  CHECK(both_top == "03b53e3a060e45351c61c9e787da4052bddeaad4");
  const std::string both_commit =
      repo.commit(both_top, {first},
                  "Checkpoint: a1b2c3d4e5f6\n\nEntire-Session: sess-2\nEntire-Strategy: manual-commit\n"
                  "Entire-Agent: Gemini CLI\n");
  CHECK(both_commit == "19d83613e79e36d47643d2f9dd4cfc92931a0a08");
  repo.ref("refs/heads/entire/checkpoints/v1", both_commit);

  const auto index = repo.index();
  const auto rows = index->list({});
  REQUIRE(rows);
  REQUIRE(rows->size() == 1);
  const core::SessionRow& row = rows->front();
  CHECK(row.id == kHexId);
  CHECK(row.problems.empty());
  CHECK(row.slots == 2);
  CHECK(row.sessions.size() == 2);
  CHECK(row.agent_percentage == 80.0);
  CHECK(row.tokens == 22);
  const auto whole = index->read(std::string(kHexId));
  REQUIRE(whole);
  REQUIRE(whole->sessions.size() == 2);
  CHECK(whole->sessions[0].metadata == session);
  CHECK(whole->sessions[0].prompts == core::Strings{"First prompt", "Second & last"});
  CHECK(whole->sessions[1].metadata == second);
  CHECK(whole->sessions[1].transcript.empty());
  std::string transcript;
  REQUIRE(sessions::read_transcript(index->objects(), whole->sessions[0], [&](std::string_view part) {
    transcript += part;
    return base::Status();
  }));
  CHECK(transcript == kTranscript);
  const auto none = sessions::read_transcript(index->objects(), whole->sessions[1],
                                              [](std::string_view) { return base::Status(); });
  REQUIRE_FALSE(none);
  CHECK(none.error().kind == base::ErrorKind::not_found);
  const auto author = index->author(whole->found);
  REQUIRE(author);
  CHECK(author->name == "Test User");

  const std::string finished =
      std::string(kTranscript) + "{\"type\":\"assistant\",\"message\":\"summary\"}\n";
  CHECK(core::content_hash_of(finished) ==
        "sha256:e536269ee7b200230d47672d4b10cdfc762ba40da7cd2d919f8b98adf53c701e");
  const std::string third =
      repo.raw_tree({repo.dir("0", repo.golden_slot(session, finished)),
                     repo.file("metadata.json", repo.blob(core::encode_session_root(test::golden_root(
                                                    kHexId, "/a1/b2c3d4e5f6/", "0.5.1"))))});
  const std::string third_top =
      repo.raw_tree({repo.dir("a1", repo.raw_tree({repo.dir("b2c3d4e5f6", third)}))});
  CHECK(third_top == "194537458333066150b430a578e9d56aa72e8b0b");
  CHECK(repo.commit(third_top, {first}, "Finalize transcript for Checkpoint: a1b2c3d4e5f6") ==
        "e72790f151a20fa9a82867df43a339e19b5bbe14");
}

TEST_CASE("the layout refs as 0.8.1 writes it") {
  WrittenSessions repo;
  const core::SessionMetadata session = test::golden_session(kUlid, "0.8.1");
  CHECK(repo.blob(core::encode_session(session)) == "e61756c263c3be95fc6fd74b818ded0b46198da5");
  CHECK(repo.blob(core::encode_session_root(test::golden_root(kUlid, "/", "0.8.1"))) ==
        "ba0e29d92350beda22a54ef513f42d6ecbc6b5ed");
  CHECK(repo.golden_slot(session) == "5829fb42e2a3b96ca3d72dd3874d671129af8ff1");
  const std::string tree = repo.golden_checkpoint(kUlid, "/", "0.8.1");
  CHECK(tree == "c226a7d977437e26bf81adbccf715236d3719945");
  const std::string made = repo.commit(tree, {},
                                       "Checkpoint: 01HF7YAT00000G40R40M30E209\n\nEntire-Session: sess-1\n"
                                       "Entire-Strategy: manual-commit\nEntire-Agent: Claude Code\n");
  CHECK(made == "e7b8989c6d8a008137b1071d0a161aa3a98aa1ff");
  CHECK(core::session_ref(kUlid) == "refs/entire/checkpoints/09/01HF7YAT00000G40R40M30E209");
  repo.ref(core::session_ref(kUlid), made);
  const auto index = repo.index();
  const auto whole = index->read(std::string(kUlid));
  REQUIRE(whole);
  CHECK(whole->problems.empty());
  REQUIRE(whole->sessions.size() == 1);
  CHECK(whole->sessions[0].metadata == session);
  CHECK(whole->root == test::golden_root(kUlid, "/", "0.8.1"));
}

TEST_CASE("a repository with SHA-256 ids is read alike") {
  WrittenSessions repo("sha256");
  CHECK(repo.blob(core::content_hash_of(kTranscript)) ==
        "618dc02c6b795bdd7488a5984e4e839a87915987f0c4adfa7b31299ccb00352f");
  repo.write_refs(repo.golden_checkpoint(kUlid, "/", "0.8.1"));
  repo.write_branch(repo.golden_checkpoint(kHexId, "/a1/b2c3d4e5f6/", "0.5.1"));
  const auto rows = repo.index()->list({});
  REQUIRE(rows);
  REQUIRE(rows->size() == 2);
  for (const core::SessionRow& row : *rows) CHECK(row.problems.empty());
}

TEST_CASE("a transcript in parts is put together byte for byte, and not without all of them") {
  WrittenSessions repo;
  const auto slot_of = [&](const std::vector<std::pair<std::string, std::string>>& parts) {
    std::vector<WrittenSessions::Entry> entries;
    for (const auto& [name, bytes] : parts) entries.push_back(repo.file(name, repo.blob(bytes)));
    entries.push_back(
        repo.file("metadata.json", repo.blob(core::encode_session(test::golden_session(kUlid, "0.8.1")))));
    return repo.raw_tree({repo.dir("0", repo.raw_tree(entries)),
                          repo.file("metadata.json", repo.blob(core::encode_session_root(
                                                         test::golden_root(kUlid, "/", "0.8.1"))))});
  };
  const auto read = [&](std::string& text) -> base::Status {
    const auto index = repo.index();
    auto whole = index->read(std::string(kUlid));
    REQUIRE(whole);
    REQUIRE(whole->sessions.size() == 1);
    return sessions::read_transcript(index->objects(), whole->sessions[0], [&](std::string_view part) {
      text += part;
      return base::Status();
    });
  };
  struct Split {
    std::vector<std::pair<std::string, std::string>> parts;
    std::string whole;
  };
  for (const Split& split :
       {Split{{{"full.jsonl", "aa\nbb"}, {"full.jsonl.001", "cc\n"}}, "aa\nbb\ncc\n"},
        Split{{{"full.jsonl", "aa\nbb"}, {"full.jsonl.001", "cc"}}, "aa\nbb\ncc"},
        Split{{{"full.jsonl", "aa\nbb"}, {"full.jsonl.001", ""}}, "aa\nbb\n"},
        Split{{{"full.jsonl", "a"}, {"full.jsonl.001", "b"}, {"full.jsonl.002", ""}}, "a\nb\n"}}) {
    repo.write_refs(slot_of(split.parts));
    std::string text;
    REQUIRE(read(text));
    CHECK(text == split.whole);
  }
  repo.write_refs(slot_of({{"full.jsonl", "aa\nbb"}, {"full.jsonl.002", "cc"}}));
  std::string text;
  const base::Status status = read(text);
  REQUIRE_FALSE(status);
  CHECK(status.error().kind == base::ErrorKind::corrupt);
  CHECK(text == "aa\nbb");
}

TEST_CASE("shadow branches are seen and are no checkpoints") {
  WrittenSessions repo;
  const std::string base = repo.commit(repo.raw_tree({repo.file("a.txt", repo.blob("one\n"))}), {}, "base\n");
  CHECK(base == "c720494734aa2faff6ae0098c757098a6c3c48fa");
  const std::string metadata = repo.raw_tree({repo.dir(
      "metadata",
      repo.raw_tree({repo.dir("sess-1", repo.raw_tree({repo.file("full.jsonl", repo.blob(kTranscript)),
                                                       repo.file("prompt.txt", repo.blob(kPrompts))}))}))});
  const std::string tree =
      repo.raw_tree({repo.dir(".entire", metadata), repo.file("a.txt", repo.blob("one\ntwo\n"))});
  CHECK(tree == "b709c9f901a48bb4155e511b96cb4f9431482c40");
  const std::string made =
      repo.commit(tree, {},
                  "Add two\n\nEntire-Metadata: .entire/metadata/sess-1\nEntire-Session: sess-1\n"
                  "Entire-Strategy: manual-commit\n");
  CHECK(made == "0dc0b7bb62093b8f1efeddbce7e0e3c1cc0aa128");
  repo.ref("refs/heads/" + core::shadow_branch_name(base, ""), made);
  repo.ref("refs/heads/entire/trails/v1", made);
  const auto repository = repo.repository();
  sessions::SessionObjects objects(repo.ask, repository);
  const auto refs = sessions::read_refs(objects);
  REQUIRE(refs);
  REQUIRE(refs->shadows.size() == 1);
  CHECK(refs->shadows[0].name == "refs/heads/entire/c720494-e3b0c4");
  CHECK(refs->checkpoints.empty());
  CHECK(refs->branches.empty());
  const auto shadows = sessions::read_shadows(objects);
  REQUIRE(shadows);
  REQUIRE(shadows->size() == 1);
  const sessions::ShadowSession& shadow = shadows->front();
  CHECK(shadow.branch == "entire/c720494-e3b0c4");
  CHECK(shadow.parts == core::ShadowBranch{"c720494", "e3b0c4"});
  CHECK(shadow.tip == made);
  CHECK(shadow.session_id == "sess-1");
  CHECK(shadow.subject == "Add two");
  CHECK(shadow.time == base::Instant{1700000000000});
}
