#include "session_rules/merge_checkpoint.hpp"

#include <rapidcheck.h>

#include <catch2/catch.hpp>
#include <set>
#include <tuple>

#include "model/json/session_json.hpp"

using namespace plankeep;
using namespace plankeep::core;

namespace {

const std::string kUlid = "01HF7YAT00000G40R40M30E209";
const MergeTarget kTarget{SessionLayout::refs, kUlid, git::ObjectFormat::sha1};

// Trees and the texts of all blobs that were ever put into one.
class Blobs {
 public:
  BlobTexts texts;

  void put(CheckpointTree& tree, const std::string& path, const std::string& text) {
    const std::string id = git::object_id(git::ObjectFormat::sha1, git::ObjectKind::blob, text);
    tree.insert_or_assign(path, CheckpointBlob{"100644", id});
    texts.insert_or_assign(id, text);
  }

  CheckpointTree merge(const CheckpointTree& remote, const CheckpointTree& local) {
    CheckpointMerge merged = merge_checkpoint(kTarget, remote, local, texts);
    texts.merge(merged.texts);
    return std::move(merged.files);
  }

  // With no text but those that are asked for.
  CheckpointTree merge_with_little(const CheckpointTree& remote, const CheckpointTree& local) {
    BlobTexts little;
    for (const std::string& id : blobs_to_merge(remote, local)) little.emplace(id, texts.at(id));
    for (const std::string& id : transcripts_to_merge(remote, local, little))
      little.emplace(id, texts.at(id));
    CheckpointMerge merged = merge_checkpoint(kTarget, remote, local, little);
    texts.merge(merged.texts);
    return std::move(merged.files);
  }

  std::string text(const CheckpointTree& tree, const std::string& path) const {
    const auto blob = tree.find(path);
    return blob == tree.end() ? std::string() : texts.at(blob->second.id);
  }
};

SessionMetadata metadata(const std::string& session, int second) {
  SessionMetadata data;
  data.checkpoint_id = kUlid;
  data.session_id = session;
  data.strategy = "manual-commit";
  data.created_at = "2023-11-14T22:13:2" + std::to_string(second) + "Z";
  data.checkpoints_count = 1;
  data.files_touched = Strings{session + ".c"};
  return data;
}

void put_slot(Blobs& blobs, CheckpointTree& tree, std::size_t number, const SessionMetadata& data,
              const std::string& transcript) {
  const std::string folder = std::to_string(number) + "/";
  blobs.put(tree, folder + "metadata.json", encode_session(data));
  if (transcript.empty()) return;
  blobs.put(tree, folder + "full.jsonl", transcript);
  blobs.put(tree, folder + "content_hash.txt", content_hash_of(transcript));
}

SessionRoot root_of(std::size_t slots) {
  SessionRoot root;
  root.checkpoint_id = kUlid;
  root.strategy = "manual-commit";
  root.sessions.emplace();
  for (std::size_t i = 0; i < slots; ++i) {
    const std::string folder = "/" + std::to_string(i) + "/";
    root.sessions->push_back({folder + "metadata.json", folder + "full.jsonl", {}, {}, "", {}, {}});
  }
  return root;
}

CheckpointTree one_session(Blobs& blobs, int second, const std::string& transcript) {
  CheckpointTree tree;
  put_slot(blobs, tree, 0, metadata("s1", second), transcript);
  blobs.put(tree, "metadata.json", encode_session_root(root_of(1)));
  return tree;
}

SessionMetadata some_metadata(const std::string& session) {
  SessionMetadata data = metadata(session, *rc::gen::inRange(0, 3));
  if (*rc::gen::arbitrary<bool>())
    data.summary = SessionSummary{*rc::gen::element<std::string>("x", "y"), "", {}, {}, {}, {}};
  if (*rc::gen::arbitrary<bool>())
    data.kept.push_back({"new_key", *rc::gen::element<std::string>("1", "[2]"), 5});
  if (*rc::gen::arbitrary<bool>()) data.checkpoint_transcript_start = *rc::gen::inRange(0, 4);
  if (*rc::gen::arbitrary<bool>())
    data.token_usage = TokenUsage{*rc::gen::inRange(0, 9), {}, {}, {}, {}, {}, {}};
  return data;
}

CheckpointTree some_checkpoint(Blobs& blobs) {
  CheckpointTree tree;
  std::size_t number = 0;
  for (const char* session : {"s1", "s2", "s3"}) {
    if (*rc::gen::inRange(0, 4) == 0) continue;
    std::string transcript;
    for (int count = *rc::gen::inRange(0, 5); count > 0; --count)
      transcript += *rc::gen::element<std::string>("a", "b") + "\n";
    put_slot(blobs, tree, number, some_metadata(session), transcript);
    const std::string folder = std::to_string(number++) + "/";
    if (*rc::gen::arbitrary<bool>())
      blobs.put(tree, folder + "prompt.txt", *rc::gen::element<std::string>("do", "do it"));
    if (*rc::gen::arbitrary<bool>())
      blobs.put(tree, folder + "their/own.txt", *rc::gen::element<std::string>("1", "2"));
  }
  if (*rc::gen::inRange(0, 4) == 0)
    blobs.put(tree, std::to_string(number++) + "/metadata.json", *rc::gen::element<std::string>("{", "?"));
  SessionRoot root = root_of(number);
  if (*rc::gen::arbitrary<bool>()) root.branch = *rc::gen::element<std::string>("main", "next");
  if (*rc::gen::arbitrary<bool>()) root.kept.push_back({"odd", *rc::gen::element<std::string>("1", "2"), 2});
  blobs.put(tree, "metadata.json", encode_session_root(root));
  for (const char* path : {"tasks/t1/task.json", "plankeep/plan.json", "note"})
    if (*rc::gen::arbitrary<bool>()) blobs.put(tree, path, *rc::gen::element<std::string>("{}", "{ }"));
  return tree;
}

std::string session_at(const Blobs& blobs, const CheckpointTree& tree, const std::string& number) {
  const std::string text = blobs.text(tree, number + "/metadata.json");
  const auto read = decode_session(text);
  return read ? read->value.session_id : "broken " + text;
}

// What a checkpoint holds, whatever the numbers of its slots are.
std::map<std::string, std::string> content(const Blobs& blobs, const CheckpointTree& tree) {
  std::map<std::string, std::string> all;
  for (const auto& [path, blob] : tree) {
    std::string name = path;
    const std::string first = path.substr(0, path.find('/'));
    constexpr std::string_view kConflicts = "plankeep/conflicts/";
    if (session_slot(first)) {
      name = session_at(blobs, tree, first) + path.substr(first.size());
    } else if (path.starts_with(kConflicts)) {
      const std::string number = path.substr(kConflicts.size(), path.find('-') - kConflicts.size());
      name = "conflict " + session_at(blobs, tree, number) + path.substr(path.find('-'));
    }
    std::string text = blobs.text(tree, path);
    if (path == "metadata.json") {
      SessionRoot root = decode_session_root(text)->value;
      root.sessions.reset();
      text = encode_session_root(root);
    }
    all.emplace(name, text);
  }
  return all;
}

std::set<std::string> all_lines(const Blobs& blobs, const CheckpointTree& tree) {
  std::set<std::string> lines;
  for (const auto& [name, text] : content(blobs, tree)) {
    const bool conflict = name.starts_with("conflict ");
    if (!conflict && !name.ends_with("/full.jsonl")) continue;
    const std::string session = conflict ? name.substr(9, 2) : name.substr(0, 2);
    for (std::size_t at = 0; at < text.size(); at = text.find('\n', at) + 1)
      lines.insert(session + text.substr(at, text.find('\n', at) - at));
  }
  return lines;
}

}  // namespace

TEST_CASE("the same checkpoint comes out of a merge whichever side is the remote") {
  CHECK(rc::check([] {
    Blobs blobs;
    const CheckpointTree a = some_checkpoint(blobs);
    const CheckpointTree b = some_checkpoint(blobs);
    const CheckpointTree both = blobs.merge(a, b);
    RC_ASSERT(content(blobs, both) == content(blobs, blobs.merge(b, a)));
    RC_ASSERT(both == blobs.merge_with_little(a, b));
  }));
}

TEST_CASE("merging a merged checkpoint with what went into it changes no byte") {
  CHECK(rc::check([] {
    Blobs blobs;
    const CheckpointTree a = some_checkpoint(blobs);
    const CheckpointTree b = some_checkpoint(blobs);
    const CheckpointTree both = blobs.merge(a, b);
    RC_ASSERT(blobs.merge(both, both) == both);
    RC_ASSERT(blobs.merge(both, a) == both);
    RC_ASSERT(blobs.merge(both, b) == both);
    RC_ASSERT(content(blobs, blobs.merge(a, both)) == content(blobs, both));
    RC_ASSERT(content(blobs, blobs.merge(b, both)) == content(blobs, both));
  }));
}

TEST_CASE("no session, line, key or file that one of many versions has is missing in the end") {
  CHECK(rc::check([] {
    Blobs blobs;
    CheckpointTree all = some_checkpoint(blobs);
    std::set<std::string> lines = all_lines(blobs, all);
    std::set<std::string> names;
    bool odd_key = false;
    const auto remember = [&](const CheckpointTree& tree) {
      for (const auto& [name, text] : content(blobs, tree)) {
        // Prompts and hashes may go with the transcript that did not stay.
        if (!name.ends_with("_hash.txt")) names.insert(name);
        odd_key = odd_key || text.find("\"odd\"") != std::string::npos;
      }
    };
    remember(all);
    for (int sides = *rc::gen::inRange(1, 5); sides > 0; --sides) {
      const CheckpointTree next = some_checkpoint(blobs);
      remember(next);
      const std::set<std::string> more = all_lines(blobs, next);
      lines.insert(more.begin(), more.end());
      all = *rc::gen::arbitrary<bool>() ? blobs.merge(all, next) : blobs.merge(next, all);
    }
    RC_ASSERT(all_lines(blobs, all) == lines);
    const auto merged = content(blobs, all);
    for (const std::string& name : names) RC_ASSERT(merged.contains(name));
    RC_ASSERT((merged.at("metadata.json").find("\"odd\"") != std::string::npos) == odd_key);
  }));
}

TEST_CASE("sums of the root are over all sessions of both sides") {
  Blobs blobs;
  CheckpointTree remote;
  SessionMetadata one = metadata("s1", 1);
  one.checkpoints_count = 2;
  one.token_usage = TokenUsage{10, 1, 2, 3, 4, {}, {}};
  put_slot(blobs, remote, 0, one, "a\n");
  blobs.put(remote, "metadata.json", encode_session_root(root_of(1)));
  CheckpointTree local;
  SessionMetadata two = metadata("s2", 2);
  two.checkpoints_count = 3;
  two.token_usage = TokenUsage{5, 0, 0, 1, 1, {}, {}};
  put_slot(blobs, local, 0, two, "b\n");
  blobs.put(local, "metadata.json", encode_session_root(root_of(1)));

  const CheckpointTree both = blobs.merge(remote, local);
  const SessionRoot root = decode_session_root(blobs.text(both, "metadata.json"))->value;
  CHECK(root.checkpoints_count == 5);
  CHECK(root.files_touched == Strings{"s1.c", "s2.c"});
  CHECK(root.token_usage->input == 15);
  CHECK(root.token_usage->output == 4);
  REQUIRE(root.sessions->size() == 2);
  CHECK((*root.sessions)[1].metadata == "/1/metadata.json");
  CHECK((*root.sessions)[1].transcript == "/1/full.jsonl");
  CHECK(blobs.text(both, "1/full.jsonl") == "b\n");
}

TEST_CASE("hash and start line go with the transcript, the summary with who has one") {
  Blobs blobs;
  CheckpointTree remote;
  SessionMetadata longer = metadata("s1", 1);
  longer.checkpoint_transcript_start = 7;
  longer.summary = SessionSummary{"tidy up", "", {}, {}, {}, {}};
  put_slot(blobs, remote, 0, longer, "1\n2\n");
  blobs.put(remote, "metadata.json", encode_session_root(root_of(1)));
  CheckpointTree local;
  SessionMetadata newer = metadata("s1", 2);
  newer.checkpoint_transcript_start = 3;
  put_slot(blobs, local, 0, newer, "1\n");
  blobs.put(local, "metadata.json", encode_session_root(root_of(1)));

  const CheckpointTree both = blobs.merge(remote, local);
  CHECK(blobs.text(both, "0/content_hash.txt") == content_hash_of("1\n2\n"));
  const SessionMetadata merged = decode_session(blobs.text(both, "0/metadata.json"))->value;
  CHECK(merged.checkpoint_transcript_start == 7);
  CHECK(merged.created_at == newer.created_at);
  CHECK(merged.summary->intent == "tidy up");
}

TEST_CASE("a transcript in pieces loses no line to one that begins with the same piece") {
  Blobs blobs;
  CheckpointTree remote = one_session(blobs, 1, "1");
  CheckpointTree local = one_session(blobs, 2, "1");
  blobs.put(remote, "0/full.jsonl.001", "2x\n");
  blobs.put(local, "0/full.jsonl.001", "2y\n");
  const CheckpointTree both = blobs.merge_with_little(remote, local);
  CHECK(blobs.text(both, "0/full.jsonl.001") == "2y\n");
  std::size_t conflicts = 0;
  for (const auto& [path, blob] : both)
    if (path.starts_with("plankeep/conflicts/0-")) {
      ++conflicts;
      CHECK(blobs.text(both, path) == "2x\n");
    }
  CHECK(conflicts == 1);
}

TEST_CASE("a side without any root file takes the other one's") {
  Blobs blobs;
  const CheckpointTree remote = one_session(blobs, 1, "1\n");
  CheckpointTree local;
  blobs.put(local, "0/full.jsonl", "2\n");
  const CheckpointTree both = blobs.merge(remote, local);
  CHECK(blobs.text(both, "0/full.jsonl") == "1\n");
  CHECK(blobs.text(both, "1/full.jsonl") == "2\n");
  CHECK(decode_session_root(blobs.text(both, "metadata.json")));
}

TEST_CASE("a file in the place of conflicts that no slot explains is left where it is") {
  Blobs blobs;
  CheckpointTree remote = one_session(blobs, 1, "1\n");
  blobs.put(remote, "plankeep/conflicts/9-0a1b2c3d.jsonl", "x\n");
  blobs.put(remote, "plankeep/conflicts/readme", "y\n");
  const CheckpointTree both = blobs.merge(one_session(blobs, 1, "1\n"), remote);
  CHECK(blobs.text(both, "plankeep/conflicts/9-0a1b2c3d.jsonl") == "x\n");
  CHECK(blobs.text(both, "plankeep/conflicts/readme") == "y\n");
}
