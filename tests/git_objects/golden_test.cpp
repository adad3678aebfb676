// Checkpoints of Entire 0.5.1 and 0.8.1 as they stand in git, to the last hash: their ids were computed by
// git itself from objects that an independent builder made.
#include <catch2/catch.hpp>

#include "base/sha256.hpp"
#include "base/ulid.hpp"
#include "git_objects/commit_object.hpp"
#include "git_objects/pack.hpp"
#include "git_objects/tree_change.hpp"

using namespace plankeep;
using namespace plankeep::git;

namespace {

constexpr std::string_view kTranscript = R"({"type":"user","message":"add <b>"})"
                                         "\n"
                                         R"({"type":"assistant","message":"done"})"
                                         "\n";
constexpr std::string_view kPrompts = "First prompt\n\n---\n\nSecond & last";

std::string session_file(const std::string& version, const std::string& id, const std::string& more_counts,
                         const std::string& attribution) {
  return "{\n  \"cli_version\": \"" + version + "\",\n  \"checkpoint_id\": \"" + id + R"(",
  "session_id": "sess-1",
  "strategy": "manual-commit",
  "created_at": "2023-11-14T22:13:20Z",
  "branch": "main",
  "checkpoints_count": 2,
)" + more_counts +
         R"(  "files_touched": [
    "a.txt",
    "src/b.c"
  ],
  "agent": "Claude Code",
  "model": "m-1",
  "turn_id": "0011223344ff",
  "token_usage": {
    "input_tokens": 10,
    "cache_creation_tokens": 0,
    "cache_read_tokens": 5,
    "output_tokens": 7,
    "api_call_count": 1
  },
  "initial_attribution": {
    "calculated_at": "2023-11-14T22:13:20Z",
)" + attribution +
         R"(  }
}
)";
}

std::string slot_paths(const std::string& folder, const std::string& slot, bool prompt) {
  const std::string path = folder + slot + "/";
  return "    {\n      \"metadata\": \"" + path + "metadata.json\",\n      \"transcript\": \"" + path +
         "full.jsonl\",\n      \"content_hash\": \"" + path + "content_hash.txt\",\n      \"prompt\": \"" +
         (prompt ? path + "prompt.txt" : "") + "\"\n    }";
}

std::string root_file(const std::string& version, const std::string& id, const std::string& count,
                      const std::string& files, const std::string& slots) {
  return "{\n  \"cli_version\": \"" + version + "\",\n  \"checkpoint_id\": \"" + id + R"(",
  "strategy": "manual-commit",
)" + (count == "3" ? "" : "  \"branch\": \"main\",\n") +
         "  \"checkpoints_count\": " + count + ",\n  \"files_touched\": [\n" + files +
         "  ],\n  \"sessions\": [\n" + slots + R"(
  ],
  "token_usage": {
    "input_tokens": 10,
    "cache_creation_tokens": 0,
    "cache_read_tokens": 5,
    "output_tokens": 7,
    "api_call_count": 1
  }
}
)";
}

std::string content_hash(std::string_view transcript) {
  return "sha256:" + base::sha256_hex(transcript);
}

CommitObject commit_of(const std::string& tree, std::vector<std::string> parents,
                       const std::string& message) {
  const Signature who{"Test User", "test@example.com", 1700000000, 0};
  return {tree, std::move(parents), who, who, message};
}

// A repository of trees that grows commit by commit.
class Builder {
 public:
  explicit Builder(ObjectFormat format = ObjectFormat::sha1) : pack_(format) {}

  std::string blob(std::string_view bytes) { return pack_.add(ObjectKind::blob, bytes); }
  std::string commit(const CommitObject& commit) {
    return pack_.add(ObjectKind::commit, commit_bytes(commit));
  }

  void put_slot(TreeChanges& changes, const std::string& folder, const std::string& metadata,
                std::string_view transcript) {
    changes.put_file(folder + "metadata.json", blob(metadata));
    changes.put_file(folder + "full.jsonl", blob(transcript));
    changes.put_file(folder + "content_hash.txt", blob(content_hash(transcript)));
    changes.put_file(folder + "prompt.txt", blob(kPrompts));
  }

  // Whole trees, built from nothing: what is on the way is never asked for.
  std::string tree(const TreeChanges& changes) {
    auto id = change_tree("", changes, {}, pack_);
    REQUIRE(id);
    return *id;
  }

  bool made(const std::string& id) const { return pack_.holds(id); }

 private:
  Pack pack_;
};

const std::string kId = "a1b2c3d4e5f6";
const std::string kFolder = "a1/b2c3d4e5f6/";
const std::string kFiles = "    \"a.txt\",\n    \"src/b.c\"\n";

std::string first_session() {
  return session_file("0.5.1", kId, "",
                      "    \"agent_lines\": 8,\n    \"human_added\": 2,\n    \"human_modified\": 1,\n"
                      "    \"human_removed\": 0,\n    \"total_committed\": 10,\n"
                      "    \"agent_percentage\": 80\n");
}

std::string first_root() {
  return root_file("0.5.1", kId, "2", kFiles, slot_paths("/" + kFolder, "0", true));
}

TreeChanges first_checkpoint(Builder& builder, std::string_view transcript = kTranscript) {
  TreeChanges changes;
  changes.put_file(kFolder + "metadata.json", builder.blob(first_root()));
  builder.put_slot(changes, kFolder + "0/", first_session(), transcript);
  return changes;
}

}  // namespace

TEST_CASE("a checkpoint on the branch has the ids of Entire 0.5.1") {
  Builder builder;
  CHECK(content_hash(kTranscript) ==
        "sha256:db54cd6854adb5b64060e86b92f23655a0cf313fac42d9ba5b25f9194b06da60");
  CHECK(builder.blob(first_session()) == "ed8ea5eab6517cf10ad47862b8a4cb9a89394780");
  CHECK(builder.blob(first_root()) == "7243880e58781ac623e73f28410799bcecc57348");
  const std::string tree = builder.tree(first_checkpoint(builder));
  CHECK(tree == "940a1393a9f67a936f86481dd7f101c835d73a64");
  for (const char* id :
       {"d2629f3f13a8240d89ee6e2263dc87788c264d69", "1df76cce49728a30e211dfcc0714e3f3a52993e4",
        "57ef5e9f7d440fea45d0848272a1e7aec1661c86", "fda24f22bd8bcb0c39e0311b2c34a8b6067c3bac",
        "5a965ae611e70971d63f5e0a21560d5807bb4033"}) {
    INFO(id);
    CHECK(builder.made(id));
  }
  const std::string first = builder.commit(commit_of(
      builder.tree({}), {}, "Initialize metadata branch\n\nThis branch stores session metadata.\n"));
  CHECK(first == "b041fd4c9d82f733da076769b9f4787e6b878dc4");
  CHECK(builder.commit(
            commit_of(tree, {first},
                      "Checkpoint: a1b2c3d4e5f6\n\nEntire-Session: sess-1\nEntire-Strategy: manual-commit\n"
                      "Entire-Agent: Claude Code\nEphemeral-branch: entire/0123456-e3b0c4\n")) ==
        "a2ddc964d8048eaac8c58885d699b37a4376978c");
}

TEST_CASE("a repository with SHA-256 has its own id for the same blob") {
  CHECK(Builder(ObjectFormat::sha256).blob(content_hash(kTranscript)) ==
        "618dc02c6b795bdd7488a5984e4e839a87915987f0c4adfa7b31299ccb00352f");
}

TEST_CASE("a second session beside the first has the ids of Entire 0.5.1") {
  Builder builder;
  const std::string slot =
      "{\n  \"cli_version\": \"0.5.1\",\n  \"checkpoint_id\": \"a1b2c3d4e5f6\",\n  \"session_id\": "
      "\"sess-2\",\n"
      "  \"strategy\": \"manual-commit\",\n  \"created_at\": \"2023-11-14T22:13:21Z\",\n"
      "  \"checkpoints_count\": 1,\n  \"files_touched\": [\n    \"c.txt\"\n  ],\n  \"agent\": \"Gemini "
      "CLI\"\n}\n";
  CHECK(builder.blob(slot) == "74fc965b5b837f9671292c2e79728cf12db2f428");
  const std::string root =
      root_file("0.5.1", kId, "3", "    \"a.txt\",\n    \"c.txt\",\n    \"src/b.c\"\n",
                slot_paths("/" + kFolder, "0", true) + ",\n" + slot_paths("/" + kFolder, "1", false));
  CHECK(builder.blob(root) == "0b867da4677642a3ab54383285198299db2ee1cd");
  TreeChanges changes = first_checkpoint(builder);
  changes.put_file(kFolder + "metadata.json", builder.blob(root));
  changes.put_file(kFolder + "1/metadata.json", builder.blob(slot));
  const std::string tree = builder.tree(changes);
  CHECK(tree == "03b53e3a060e45351c61c9e787da4052bddeaad4");
  CHECK(builder.made("a91f3e5ba58e0771c27e05296596e233910513a5"));
  CHECK(builder.commit(
            commit_of(tree, {"a2ddc964d8048eaac8c58885d699b37a4376978c"},
                      "Checkpoint: a1b2c3d4e5f6\n\nEntire-Session: sess-2\nEntire-Strategy: manual-commit\n"
                      "Entire-Agent: Gemini CLI\n")) == "19d83613e79e36d47643d2f9dd4cfc92931a0a08");
}

TEST_CASE("a transcript that was finalised has the ids of Entire 0.5.1") {
  Builder builder;
  const std::string transcript =
      std::string(kTranscript) + R"({"type":"assistant","message":"summary"})" + "\n";
  CHECK(content_hash(transcript) ==
        "sha256:e536269ee7b200230d47672d4b10cdfc762ba40da7cd2d919f8b98adf53c701e");
  const std::string tree = builder.tree(first_checkpoint(builder, transcript));
  CHECK(tree == "194537458333066150b430a578e9d56aa72e8b0b");
  CHECK(builder.commit(commit_of(tree, {"a2ddc964d8048eaac8c58885d699b37a4376978c"},
                                 "Finalize transcript for Checkpoint: a1b2c3d4e5f6")) ==
        "e72790f151a20fa9a82867df43a339e19b5bbe14");
}

TEST_CASE("a checkpoint with a ref of its own has the ids of Entire 0.8.1") {
  Builder builder;
  const std::string id = base::make_ulid({1700000000000}, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9});
  const std::string session = session_file(
      "0.8.1", id, "  \"save_step_count\": 2,\n",
      "    \"agent_lines\": 8,\n    \"agent_removed\": 1,\n    \"human_added\": 2,\n"
      "    \"human_modified\": 1,\n    \"human_removed\": 0,\n    \"total_committed\": 10,\n"
      "    \"total_lines_changed\": 12,\n    \"agent_percentage\": 75,\n    \"metric_version\": 2\n");
  CHECK(builder.blob(session) == "e61756c263c3be95fc6fd74b818ded0b46198da5");
  const std::string root = root_file("0.8.1", id, "2", kFiles, slot_paths("/", "0", true));
  CHECK(builder.blob(root) == "ba0e29d92350beda22a54ef513f42d6ecbc6b5ed");
  TreeChanges changes;
  changes.put_file("metadata.json", builder.blob(root));
  builder.put_slot(changes, "0/", session, kTranscript);
  const std::string tree = builder.tree(changes);
  CHECK(builder.made("5829fb42e2a3b96ca3d72dd3874d671129af8ff1"));
  CHECK(tree == "c226a7d977437e26bf81adbccf715236d3719945");
  CHECK(builder.commit(commit_of(tree, {},
                                 "Checkpoint: " + id +
                                     "\n\nEntire-Session: sess-1\nEntire-Strategy: manual-commit\n"
                                     "Entire-Agent: Claude Code\n")) ==
        "e7b8989c6d8a008137b1071d0a161aa3a98aa1ff");
}

TEST_CASE("a snapshot of a running session has the ids of Entire 0.5.1") {
  Builder builder;
  TreeChanges base_files;
  base_files.put_file("a.txt", builder.blob("one\n"));
  CHECK(builder.commit(commit_of(builder.tree(base_files), {}, "base\n")) ==
        "c720494734aa2faff6ae0098c757098a6c3c48fa");
  TreeChanges files;
  files.put_file("a.txt", builder.blob("one\ntwo\n"));
  files.put_file(".entire/metadata/sess-1/full.jsonl", builder.blob(kTranscript));
  files.put_file(".entire/metadata/sess-1/prompt.txt", builder.blob(kPrompts));
  const std::string tree = builder.tree(files);
  CHECK(tree == "b709c9f901a48bb4155e511b96cb4f9431482c40");
  CHECK(builder.commit(
            commit_of(tree, {},
                      "Add two\n\nEntire-Metadata: .entire/metadata/sess-1\nEntire-Session: sess-1\n"
                      "Entire-Strategy: manual-commit\n")) == "0dc0b7bb62093b8f1efeddbce7e0e3c1cc0aa128");
}
