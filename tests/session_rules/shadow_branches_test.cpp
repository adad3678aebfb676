#include "session_rules/shadow_branches.hpp"

#include <rapidcheck.h>

#include <catch2/catch.hpp>

#include "git_objects/commit_object.hpp"

using namespace plankeep;
using namespace plankeep::core;

namespace {

constexpr std::string_view kSaid = R"({"type":"user","message":"add <b>"})"
                                   "\n"
                                   R"({"type":"assistant","message":"done"})"
                                   "\n";

secrets::Redacted redacted_text(std::string_view text) {
  return secrets::Redactor::standard().plain(text);
}

ShadowRecord shadow_record(const std::string& session, std::string_view subject) {
  ShadowRecord record{session, redacted_text(subject), {}, {}};
  record.transcript = secrets::Redactor::standard().json_lines(kSaid);
  record.prompts = {redacted_text("First prompt"), redacted_text("Second & last")};
  return record;
}

// A repository that is only trees: what was put into packs, by id.
class Trees {
 public:
  std::string put(const git::TreeChanges& changes, const std::string& root = {}) {
    git::Pack pack(git::ObjectFormat::sha1);
    auto tree = git::change_tree(root, changes, known, pack);
    if (!tree) FAIL(tree.error().message);
    return *tree;
  }
  // One file a path, each with its own path in it.
  std::string of(const std::vector<std::string>& paths) {
    git::TreeChanges changes;
    for (const std::string& path : paths)
      changes.put_file(path, git::object_id(git::ObjectFormat::sha1, git::ObjectKind::blob, path));
    return remember(changes);
  }
  std::string shadow(const std::string& work_tree, const std::string& tip, const ShadowMetadata& metadata) {
    git::Pack pack(git::ObjectFormat::sha1);
    auto tree = shadow_tree(work_tree, tip, metadata, known, pack);
    if (!tree) FAIL(tree.error().message);
    return *tree;
  }

  git::KnownTrees known;

 private:
  // change_tree keeps what it made in a pack; the bytes are made again here, from the innermost folder up.
  std::string remember(const git::TreeChanges& changes) {
    std::map<std::string, git::Tree> folders{{"", {}}};
    for (const auto& [path, change] : changes.all()) {
      for (std::size_t at = path.find('/'); at != std::string::npos; at = path.find('/', at + 1))
        folders[path.substr(0, at)];
      const std::size_t slash = path.rfind('/');
      git::put_entry(folders[slash == std::string::npos ? "" : path.substr(0, slash)],
                     {change.put->mode, path.substr(slash + 1), change.put->id});
    }
    std::string id;
    for (auto folder = folders.rbegin(); folder != folders.rend(); ++folder) {
      const std::string bytes = git::tree_bytes(folder->second);
      id = git::object_id(git::ObjectFormat::sha1, git::ObjectKind::tree, bytes);
      known[id] = bytes;
      if (folder->first.empty()) break;
      const std::size_t slash = folder->first.rfind('/');
      git::put_entry(folders[slash == std::string::npos ? "" : folder->first.substr(0, slash)],
                     {std::string(git::kTreeFolder), folder->first.substr(slash + 1), id});
    }
    return id;
  }
};

}  // namespace

TEST_CASE("a snapshot of a running session has the ids of Entire's own") {
  Trees trees;
  git::Pack pack(git::ObjectFormat::sha1);
  git::TreeChanges files;
  files.put_file("a.txt", pack.add(git::ObjectKind::blob, "one\ntwo\n"));
  git::Tree root;
  git::put_entry(root, {"100644", "a.txt", pack.add(git::ObjectKind::blob, "one\ntwo\n")});
  const std::string bytes = git::tree_bytes(root);
  const std::string work_tree = pack.add(git::ObjectKind::tree, bytes);
  const git::KnownTrees known{{work_tree, bytes}};

  const ShadowRecord record = shadow_record("sess-1", "Add two");
  const auto metadata = shadow_metadata(record);
  REQUIRE(metadata);
  const auto tree = shadow_tree(work_tree, "", *metadata, known, pack);
  REQUIRE(tree);
  CHECK(*tree == "b709c9f901a48bb4155e511b96cb4f9431482c40");
  const git::Signature who{"Test User", "test@example.com", 1700000000, 0};
  const std::string commit = git::commit_bytes({*tree, {}, who, who, metadata->message});
  CHECK(pack.add(git::ObjectKind::commit, commit) == "0dc0b7bb62093b8f1efeddbce7e0e3c1cc0aa128");
  CHECK(is_shadow_commit(commit));
}

TEST_CASE("a transcript that is too large for one file is stored in parts") {
  const ShadowRecord record = shadow_record("sess-1", "Add two");
  const auto metadata = shadow_metadata(record, 40);
  REQUIRE(metadata);
  REQUIRE(metadata->transcript.size() == 2);
  CHECK(metadata->transcript[1].first == "full.jsonl.001");
  const auto too_long = shadow_metadata(record, 20);
  REQUIRE_FALSE(too_long);
  CHECK(too_long.error().kind == base::ErrorKind::invalid_input);
}

TEST_CASE("the subject is one line that a terminal can show, and never empty") {
  const ShadowRecord lines = shadow_record("s", "\n Fix it\nand more\n");
  CHECK(shadow_metadata(lines)->message.starts_with("Fix it\n\nEntire-Metadata: .entire/metadata/s\n"));
  const ShadowRecord escapes = shadow_record("s", "a\x1b[31mb");
  CHECK(shadow_metadata(escapes)->message.find('\x1b') == std::string::npos);
  const ShadowRecord empty = shadow_record("s", " \n");
  CHECK(shadow_metadata(empty)->message.starts_with("Session updates\n\n"));
}

TEST_CASE("ids that could lead elsewhere are refused") {
  for (const char* id : {"..", ".", "a/b", ".git", ""}) {
    const ShadowRecord record = shadow_record(id, "x");
    CHECK_FALSE(shadow_metadata(record));
  }
}

TEST_CASE(
    "other sessions of the branch stay, and what another tool keeps in the work tree does not come in") {
  Trees trees;
  const std::string work = trees.of({"a", ".entire/settings.json", ".entire/metadata/sess-9/full.jsonl"});
  const std::string tip = trees.of(
      {"a", ".entire/metadata/other/full.jsonl", ".entire/metadata/sess-1/old", ".entire/metadata/stray"});
  ShadowRecord record = shadow_record("sess-1", "x");
  const auto metadata = shadow_metadata(record);
  REQUIRE(metadata);
  const std::string made = trees.shadow(work, tip, *metadata);

  // The same, put together by hand.
  git::TreeChanges changes;
  for (const char* path : {"a", ".entire/settings.json", ".entire/metadata/other/full.jsonl"})
    changes.put_file(path, git::object_id(git::ObjectFormat::sha1, git::ObjectKind::blob, path));
  const auto blob = [](std::string_view text) {
    return git::object_id(git::ObjectFormat::sha1, git::ObjectKind::blob, text);
  };
  changes.put_file(".entire/metadata/sess-1/full.jsonl", blob(kSaid));
  changes.put_file(".entire/metadata/sess-1/prompt.txt", blob("First prompt\n\n---\n\nSecond & last"));
  CHECK(made == trees.put(changes));
  // Of the same files and words the tree is the same again.
  CHECK(trees.shadow(work, tip, *metadata) == made);
}

TEST_CASE("a commit on a branch that is only called like a shadow branch is no snapshot") {
  CHECK_FALSE(is_shadow_commit("tree x\n\nwork\n\nEntire-Session: s\n"));
  CHECK_FALSE(is_shadow_commit("tree x\n\nwork\n\nEntire-Metadata: .entire/metadata/s\n"));
  CHECK(is_shadow_commit(
      "tree x\n\nwork\n\nEntire-Metadata-Task: .entire/metadata/s/tasks/t\nEntire-Session: s\n"));
}

TEST_CASE("a shadow branch goes only when everything speaks for it, and the first reason is told") {
  const ShadowFacts finished{.only_snapshots = true, .old_enough = true, .recorded = true, .committed = true};
  CHECK_FALSE(why_kept(finished));
  CHECK(why_kept({}) == "it has commits that are not snapshots of a session");
  const auto with = [&](bool ShadowFacts::*fact, bool value) {
    ShadowFacts facts = finished;
    facts.*fact = value;
    return why_kept(facts).value_or("");
  };
  CHECK(with(&ShadowFacts::only_snapshots, false) == "it has commits that are not snapshots of a session");
  CHECK(with(&ShadowFacts::checked_out, true) == "it is checked out");
  CHECK(with(&ShadowFacts::running, true) == "its session is running");
  CHECK(with(&ShadowFacts::open_in_entire, true) == "Entire lists its session as open");
  CHECK(with(&ShadowFacts::old_enough, false) == "it is not old enough");
  CHECK(with(&ShadowFacts::recorded, false) == "its session is in no session checkpoint made after it");
  CHECK(with(&ShadowFacts::committed, false) == "it has files that are in no commit");
}
