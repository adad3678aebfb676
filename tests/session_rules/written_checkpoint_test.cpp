#include "session_rules/written_checkpoint.hpp"

#include <rapidcheck.h>

#include <catch2/catch.hpp>
#include <deque>
#include <limits>
#include <map>
#include <set>

#include "clients/agent_name.hpp"
#include "git_objects/commit_object.hpp"
#include "git_objects/pack.hpp"
#include "git_objects/tree_change.hpp"
#include "model/json/session_json.hpp"

using namespace plankeep;
using namespace plankeep::core;

namespace {

constexpr std::string_view kTranscriptText = R"({"type":"user","message":"add <b>"})"
                                             "\n"
                                             R"({"type":"assistant","message":"done"})"
                                             "\n";
constexpr base::Instant kWhen{1700000000000};
const std::string kHexId = "a1b2c3d4e5f6";
const std::string kRefsId = "01HF7YAT00000G40R40M30E209";

secrets::Redacted redacted(std::string_view text) {
  return secrets::Redactor::standard().plain(text);
}

secrets::Redacted redacted_lines(std::string_view text) {
  return secrets::Redactor::standard().json_lines(text);
}

SessionRecord first_record(SessionLayout layout) {
  SessionRecord record;
  record.cli_version = layout == SessionLayout::branch ? "0.5.1" : "0.8.1";
  record.session_id = "sess-1";
  record.created_at = kWhen;
  record.branch = redacted("main");
  record.checkpoints_count = 2;
  record.save_step_count = 2;
  record.files_touched = {redacted("src/b.c"), redacted("a.txt"), redacted("a.txt")};
  record.agent = clients::agent_name("claude-code");
  record.model = redacted("m-1");
  record.turn_id = "0011223344ff";
  record.token_usage = TokenUsage{10, 0, 5, 7, 1, {}, {}};
  CompatibleAttribution lines{8, 1, 2, 1, 0, 10, 12, 75};
  AttributionMetric metric = AttributionMetric::changed_lines;
  if (layout == SessionLayout::branch) {
    lines.agent_percentage = 80;
    metric = AttributionMetric::added_lines;
    record.shadow_branch = "entire/0123456-e3b0c4";
  }
  record.attribution = stored_attribution(lines, metric, kWhen);
  record.transcript = redacted_lines(kTranscriptText);
  record.prompts = {redacted("First prompt"), redacted("Second & last")};
  return record;
}

SessionRecord second_record() {
  SessionRecord record;
  record.cli_version = "0.5.1";
  record.session_id = "sess-2";
  record.created_at = {kWhen.milliseconds + 1000};
  record.files_touched = {redacted("c.txt")};
  record.agent = clients::agent_name("gemini");
  return record;
}

// A checkpoint's folder, by path.
using Folder = std::map<std::string, std::string>;

Folder applied(Folder folder, const CheckpointFiles& files) {
  for (const std::string& path : files.removed) folder.erase(path);
  for (const auto& [path, text] : files.files) folder[path] = text;
  for (const auto& [path, text] : files.transcript) folder[path] = text;
  return folder;
}

CheckpointNow now_of(const Folder& folder) {
  CheckpointNow now;
  for (const auto& [path, text] : folder) {
    if (path == "metadata.json") now.root = text;
    if (path == "plankeep/plan.json") now.plan_link = text;
    if (path.front() < '0' || path.front() > '9') continue;
    const std::size_t slash = path.find('/');
    StoredSlot& slot = now.slots[std::stoul(path.substr(0, slash))];
    slot.names.push_back(path.substr(slash + 1));
    if (slot.names.back() == "metadata.json") slot.metadata = text;
  }
  return now;
}

// The record lives as long as the test: what comes out has views into its transcript.
CheckpointFiles put(const Folder& folder, SessionLayout layout, const std::string& id, SessionRecord record) {
  static std::deque<SessionRecord> records;
  records.push_back(std::move(record));
  auto files = put_session(now_of(folder), layout, id, records.back());
  if (!files) FAIL(files.error().message);
  return std::move(*files);
}

// The id of the commit that has the folder, and of its tree.
struct Written {
  std::string tree;
  std::string commit;
};
Written written(const Folder& folder, const std::string& prefix, const std::string& parent,
                const std::string& message) {
  git::Pack pack(git::ObjectFormat::sha1);
  git::TreeChanges changes;
  for (const auto& [path, text] : folder)
    changes.put_file(prefix + path, pack.add(git::ObjectKind::blob, text));
  const auto tree = git::change_tree("", changes, {}, pack);
  REQUIRE(tree);
  const git::Signature who{"Test User", "test@example.com", 1700000000, 0};
  std::vector<std::string> parents;
  if (!parent.empty()) parents.push_back(parent);
  return {*tree, pack.add(git::ObjectKind::commit, git::commit_bytes({*tree, parents, who, who, message}))};
}

SessionRoot root_in(const Folder& folder) {
  auto read = decode_session_root(folder.at("metadata.json"));
  REQUIRE(read);
  REQUIRE(read->problems.empty());
  return read->value;
}

}  // namespace

TEST_CASE("what is written on the branch has the ids of Entire 0.5.1") {
  const std::string prefix = "a1/b2c3d4e5f6/";
  const CheckpointFiles first = put({}, SessionLayout::branch, kHexId, first_record(SessionLayout::branch));
  const Folder one = applied({}, first);
  const Written first_commit =
      written(one, prefix, "b041fd4c9d82f733da076769b9f4787e6b878dc4", first.message);
  CHECK(first_commit.tree == "940a1393a9f67a936f86481dd7f101c835d73a64");
  CHECK(first_commit.commit == "a2ddc964d8048eaac8c58885d699b37a4376978c");

  const CheckpointFiles second = put(one, SessionLayout::branch, kHexId, second_record());
  CHECK(second.slot == 1);
  const Folder two = applied(one, second);
  const Written second_commit = written(two, prefix, first_commit.commit, second.message);
  CHECK(second_commit.tree == "03b53e3a060e45351c61c9e787da4052bddeaad4");
  CHECK(second_commit.commit == "19d83613e79e36d47643d2f9dd4cfc92931a0a08");

  const secrets::Redacted whole =
      redacted_lines(std::string(kTranscriptText) + R"({"type":"assistant","message":"summary"})" + "\n");
  const auto finalised = finalise_session(now_of(one), kHexId, "sess-1", whole, {});
  REQUIRE(finalised);
  const Written last = written(applied(one, *finalised), prefix, first_commit.commit, finalised->message);
  CHECK(last.tree == "194537458333066150b430a578e9d56aa72e8b0b");
  CHECK(last.commit == "e72790f151a20fa9a82867df43a339e19b5bbe14");
}

TEST_CASE("what is written as a ref has the ids of Entire 0.8.1") {
  const CheckpointFiles files = put({}, SessionLayout::refs, kRefsId, first_record(SessionLayout::refs));
  const Written commit = written(applied({}, files), "", "", files.message);
  CHECK(commit.tree == "c226a7d977437e26bf81adbccf715236d3719945");
  CHECK(commit.commit == "e7b8989c6d8a008137b1071d0a161aa3a98aa1ff");
}

TEST_CASE("a session that is written again keeps its slot, and the same record changes nothing") {
  const SessionRecord record = first_record(SessionLayout::refs);
  Folder folder = applied({}, put({}, SessionLayout::refs, kRefsId, record));
  folder = applied(folder, put(folder, SessionLayout::refs, kRefsId, second_record()));
  const CheckpointFiles again = put(folder, SessionLayout::refs, kRefsId, second_record());
  CHECK(again.slot == 1);
  CHECK(applied(folder, again) == folder);

  SessionRecord more = record;
  more.checkpoints_count = 5;
  more.files_touched = {redacted("d.txt")};
  const CheckpointFiles update = put(folder, SessionLayout::refs, kRefsId, more);
  CHECK(update.slot == 0);
  const SessionRoot root = root_in(applied(folder, update));
  CHECK(root.checkpoints_count == 6);
  CHECK(root.files_touched == Strings{"c.txt", "d.txt"});
  CHECK(root.sessions->size() == 2);
  CHECK(root.branch == "main");
}

TEST_CASE("a refs checkpoint without a transcript names none") {
  const Folder folder = applied({}, put({}, SessionLayout::refs, kRefsId, second_record()));
  CHECK(folder.size() == 2);
  const SessionRoot root = root_in(folder);
  CHECK_FALSE(root.sessions->front().transcript);
  CHECK_FALSE(root.sessions->front().content_hash);
  CHECK(root.sessions->front().prompt.empty());
  CHECK(root.sessions->front().metadata == "/0/metadata.json");
}

TEST_CASE("what is not known survives: keys, files, slots, and what the record does not speak of") {
  Folder folder = applied({}, put({}, SessionLayout::refs, kRefsId, first_record(SessionLayout::refs)));
  const auto insert = [&](const std::string& path, const std::string& before, const std::string& text) {
    std::string& file = folder.at(path);
    const std::size_t at = file.find(before);
    REQUIRE(at != std::string::npos);
    file.insert(at, text);
  };
  insert("metadata.json", "\"branch\"", "\"future\": [\n    1\n  ],\n  ");
  insert("0/metadata.json", "\"agent\"", "\"later\": {\n    \"a\": null\n  },\n  ");
  insert("0/metadata.json", "\"initial_attribution\"",
         "\"summary\": {\n    \"intent\": \"i\",\n    \"outcome\": \"o\",\n    \"learnings\": {\n      "
         "\"repo\": [],\n      \"code\": [],\n      \"workflow\": []\n    },\n    \"friction\": [],\n    "
         "\"open_items\": []\n  },\n  ");
  folder["other/file"] = "x";
  folder["tasks/t1/task.json"] = "{}";
  const Folder before = folder;
  // All of it is still at its place after a write that changes nothing.
  folder = applied(folder, put(folder, SessionLayout::refs, kRefsId, first_record(SessionLayout::refs)));
  CHECK(folder == before);

  // Without transcript and prompts: those that are stored stay.
  SessionRecord bare = first_record(SessionLayout::refs);
  bare.transcript.reset();
  bare.prompts.clear();
  bare.attribution.reset();
  bare.token_usage.reset();
  CHECK(applied(folder, put(folder, SessionLayout::refs, kRefsId, bare)) == before);
}

TEST_CASE("a new transcript takes the old pieces with it") {
  Folder folder = applied({}, put({}, SessionLayout::refs, kRefsId, first_record(SessionLayout::refs)));
  folder["0/full.jsonl.001"] = "old";
  folder["0/transcript.jsonl"] = "compact";
  folder["0/assets/manifest.json"] = "{}";
  SessionRecord record = first_record(SessionLayout::refs);
  record.transcript = redacted_lines("aa\nbb\ncc\n");
  CheckpointNow now = now_of(folder);
  now.slots.at(0).names = {"assets",        "content_hash.txt", "full.jsonl",      "full.jsonl.001",
                           "metadata.json", "prompt.txt",       "transcript.jsonl"};
  const auto files = put_session(now, SessionLayout::refs, kRefsId, record, 6);
  REQUIRE(files);
  CHECK(files->removed ==
        Strings{"0/assets", "0/content_hash.txt", "0/full.jsonl", "0/full.jsonl.001", "0/transcript.jsonl"});
  REQUIRE(files->transcript.size() == 2);
  CHECK(files->transcript[0] == std::pair<std::string, std::string_view>{"0/full.jsonl", "aa\nbb"});
  CHECK(files->transcript[1] == std::pair<std::string, std::string_view>{"0/full.jsonl.001", "cc\n"});
  CHECK(files->files.at("0/content_hash.txt") == content_hash_of("aa\nbb\ncc\n"));

  const auto too_long = put_session(now, SessionLayout::refs, kRefsId, record, 2);
  REQUIRE_FALSE(too_long);
  CHECK(too_long.error().kind == base::ErrorKind::invalid_input);
}

TEST_CASE("a slot that cannot be read stays, and counts as the root said") {
  Folder folder = applied({}, put({}, SessionLayout::refs, kRefsId, first_record(SessionLayout::refs)));
  folder = applied(folder, put(folder, SessionLayout::refs, kRefsId, second_record()));
  folder["0/metadata.json"] = "{ torn";
  SessionRecord third = second_record();
  third.session_id = "sess-3";
  third.files_touched = {redacted("z.txt")};
  third.token_usage = TokenUsage{1, 2, 3, 4, 5, {}, {}};
  const CheckpointFiles files = put(folder, SessionLayout::refs, kRefsId, third);
  CHECK(files.slot == 2);
  REQUIRE(files.problems.size() == 1);
  CHECK(files.problems.front().starts_with("0/metadata.json: "));
  const Folder after = applied(folder, files);
  CHECK(after.at("0/metadata.json") == "{ torn");
  const SessionRoot root = root_in(after);
  CHECK(root.checkpoints_count == 4);
  CHECK(root.files_touched == Strings{"a.txt", "c.txt", "src/b.c", "z.txt"});
  CHECK(root.token_usage == TokenUsage{11, 2, 8, 11, 6, {}, {}});
  // Again: nothing is counted twice.
  CHECK(applied(after, put(after, SessionLayout::refs, kRefsId, third)) == after);
}

TEST_CASE("an absurd count in a stranger's root counts as nothing") {
  Folder folder = applied({}, put({}, SessionLayout::refs, kRefsId, first_record(SessionLayout::refs)));
  folder = applied(folder, put(folder, SessionLayout::refs, kRefsId, second_record()));
  folder["0/metadata.json"] = "{ torn";
  SessionRoot root = root_in(folder);
  root.checkpoints_count = std::numeric_limits<std::int64_t>::min();
  folder["metadata.json"] = encode_session_root(root);
  SessionRecord third = second_record();
  third.session_id = "sess-3";
  CHECK(root_in(applied(folder, put(folder, SessionLayout::refs, kRefsId, third))).checkpoints_count == 2);
}

TEST_CASE("a root that cannot be read does not cost a session") {
  Folder folder = applied({}, put({}, SessionLayout::refs, kRefsId, first_record(SessionLayout::refs)));
  folder["metadata.json"] = "no JSON";
  const CheckpointFiles files = put(folder, SessionLayout::refs, kRefsId, second_record());
  CHECK(files.slot == 1);
  CHECK(files.problems.size() == 1);
  const SessionRoot root = root_in(applied(folder, files));
  CHECK(root.checkpoints_count == 3);
  REQUIRE(root.sessions->size() == 2);
  CHECK(root.sessions->front().transcript == "/0/full.jsonl");
  CHECK(root.sessions->front().prompt == "/0/prompt.txt");
}

TEST_CASE("the plan link is put beside our own records only") {
  SessionRecord record = second_record();
  record.cli_version = "plankeep/1.0.0";
  record.plan_link = redacted("{}\n");
  const Folder folder = applied({}, put({}, SessionLayout::refs, kRefsId, record));
  CHECK(folder.at("plankeep/plan.json") == "{}\n");
  const Folder entires =
      applied({}, put({}, SessionLayout::refs, kRefsId, first_record(SessionLayout::refs)));
  CHECK_FALSE(put(entires, SessionLayout::refs, kRefsId, record).files.contains("plankeep/plan.json"));
}

TEST_CASE(
    "of a plan link that is there the keys that nobody knows stay, and lines that nobody counts again") {
  const auto link = [](std::optional<PlanLines> lines) {
    PlanLink value;
    value.schema_version = "1.0.0";
    value.plan_id = "auth";
    value.lines = std::move(lines);
    return value;
  };
  SessionRecord record = second_record();
  record.cli_version = "plankeep/1.0.0";
  record.plan_link = redacted(encode_plan_link(link(PlanLines{5, 2, 1, {}})));
  Folder folder = applied({}, put({}, SessionLayout::refs, kRefsId, record));
  std::string& text = folder.at("plankeep/plan.json");
  text.replace(text.find("{\n"), 2, "{\n  \"mood\": {\"is\": \"good\"},\n");

  record.plan_link = redacted(encode_plan_link(link(std::nullopt)));
  folder = applied(folder, put(folder, SessionLayout::refs, kRefsId, record));
  auto read = decode_plan_link(folder.at("plankeep/plan.json"));
  REQUIRE(read);
  CHECK(read->value.lines == PlanLines{5, 2, 1, {}});
  REQUIRE(read->value.kept.size() == 1);
  CHECK(read->value.kept.front().name == "mood");

  record.plan_link = redacted(encode_plan_link(link(PlanLines{1, 1, 1, {}})));
  folder = applied(folder, put(folder, SessionLayout::refs, kRefsId, record));
  read = decode_plan_link(folder.at("plankeep/plan.json"));
  CHECK(read->value.lines == PlanLines{1, 1, 1, {}});
  CHECK(read->value.kept.size() == 1);

  // Of the same lines: what knows less replaces nothing, what knows more does.
  for (const PlanLines& less : {PlanLines{0, 1, 2, {}}, PlanLines{2, 0, 1, {}}, PlanLines{2, 1, 0, {}}}) {
    record.plan_link = redacted(encode_plan_link(link(less)));
    folder = applied(folder, put(folder, SessionLayout::refs, kRefsId, record));
    read = decode_plan_link(folder.at("plankeep/plan.json"));
    CHECK((read->value.lines == less) == (less.unknown == 0));
  }

  // One that is no JSON is written anew.
  folder["plankeep/plan.json"] = "{";
  CHECK(put(folder, SessionLayout::refs, kRefsId, record).files.at("plankeep/plan.json") ==
        record.plan_link->text());
}

TEST_CASE("ids and names that the layout cannot have are refused") {
  const auto refused = [](SessionLayout layout, const std::string& id, const SessionRecord& record) {
    const auto files = put_session({}, layout, id, record);
    return !files && files.error().kind == base::ErrorKind::invalid_input;
  };
  SessionRecord record = second_record();
  CHECK(refused(SessionLayout::branch, kRefsId, record));
  CHECK(refused(SessionLayout::refs, kHexId, record));
  CHECK(refused(SessionLayout::refs, "nonsense", record));
  CHECK_FALSE(refused(SessionLayout::refs, kRefsId, record));
  record.agent = "one\nEntire-Session: other";
  CHECK(refused(SessionLayout::refs, kRefsId, record));
  record = second_record();
  record.session_id = "../x";
  CHECK(refused(SessionLayout::refs, kRefsId, record));
}

TEST_CASE("finalising an unknown session is an error, and a compact transcript goes") {
  Folder folder = applied({}, put({}, SessionLayout::refs, kRefsId, first_record(SessionLayout::refs)));
  const secrets::Redacted whole = redacted_lines("{}\n");
  const auto unknown = finalise_session(now_of(folder), kRefsId, "sess-9", whole, {});
  REQUIRE_FALSE(unknown);
  CHECK(unknown.error().kind == base::ErrorKind::not_found);

  auto session = decode_session(folder.at("0/metadata.json"));
  session->value.compact_transcript_start = 3;
  folder["0/metadata.json"] = encode_session(session->value);
  SessionRoot root = root_in(folder);
  root.sessions->front().compact_transcript = "/0/transcript.jsonl";
  folder["metadata.json"] = encode_session_root(root);
  folder["0/transcript.jsonl"] = "compact";
  folder["0/full.jsonl.001"] = "old";
  const auto files = finalise_session(now_of(folder), kRefsId, "sess-1", whole, {redacted("p")});
  REQUIRE(files);
  const Folder after = applied(folder, *files);
  CHECK_FALSE(after.contains("0/transcript.jsonl"));
  CHECK_FALSE(after.contains("0/full.jsonl.001"));
  CHECK(after.at("0/full.jsonl") == "{}\n");
  CHECK(after.at("0/prompt.txt") == "p");
  CHECK_FALSE(root_in(after).sessions->front().compact_transcript);
  CHECK_FALSE(decode_session(after.at("0/metadata.json"))->value.compact_transcript_start);
}

TEST_CASE("a slice that becomes whole says where it began") {
  const Folder folder = applied({}, put({}, SessionLayout::refs, kRefsId, second_record()));
  REQUIRE_FALSE(decode_session(folder.at("0/metadata.json"))->value.checkpoint_transcript_start);
  const secrets::Redacted whole = redacted_lines("{}\n{}\n");
  const auto files = finalise_session(now_of(folder), kRefsId, second_record().session_id, whole, {},
                                      clients::kTranscriptChunk, 1);
  REQUIRE(files);
  const SessionMetadata after = decode_session(applied(folder, *files).at("0/metadata.json"))->value;
  CHECK(after.checkpoint_transcript_start == 1);
  CHECK(after.transcript_lines_at_start == 1);
}

TEST_CASE("behind a slot with an absurd number no session is put") {
  CheckpointNow now;
  now.slots[999'999'998].metadata = "{}";
  const SessionRecord record = second_record();
  const auto files = put_session(now, SessionLayout::refs, kRefsId, record);
  REQUIRE_FALSE(files);
  CHECK(files.error().kind == base::ErrorKind::invalid_input);
}

TEST_CASE("clients have the names that Entire gives them, others their own") {
  CHECK(clients::agent_name("claude-code") == "Claude Code");
  CHECK(clients::agent_name("gemini") == "Gemini CLI");
  CHECK(clients::agent_name("codex") == "Codex");
  CHECK(clients::agent_name("copilot") == "Copilot CLI");
  CHECK(clients::agent_name("cursor") == "Cursor");
  CHECK(clients::agent_name("opencode") == "OpenCode");
  CHECK(clients::agent_name("qwen") == "Qwen Code");
  CHECK(clients::agent_name("other") == "other");
}

TEST_CASE("times have no zeros at their end") {
  CHECK(session_time(kWhen) == "2023-11-14T22:13:20Z");
  CHECK(session_time({1700000000500}) == "2023-11-14T22:13:20.5Z");
  CHECK(session_time({1700000000020}) == "2023-11-14T22:13:20.02Z");
}

TEST_CASE("any sequence of writes keeps each session once, and the root is their sum") {
  CHECK(rc::check([] {
    Folder folder;
    std::map<std::string, SessionRecord> last;
    const int writes = *rc::gen::inRange(1, 8);
    for (int i = 0; i < writes; ++i) {
      SessionRecord record = second_record();
      record.session_id = *rc::gen::element<std::string>("s1", "s2", "s3");
      record.checkpoints_count = *rc::gen::inRange(1, 9);
      record.files_touched = {redacted(*rc::gen::element<std::string>("a", "b", "c", "d"))};
      const CheckpointFiles files = put(folder, SessionLayout::refs, kRefsId, record);
      folder = applied(folder, files);
      last.insert_or_assign(record.session_id, record);
    }
    const SessionRoot root = root_in(folder);
    RC_ASSERT(root.sessions->size() == last.size());
    std::int64_t sum = 0;
    std::set<std::string> names;
    for (const auto& [session, record] : last) {
      sum += record.checkpoints_count;
      names.insert(record.files_touched.front().text());
    }
    RC_ASSERT(root.checkpoints_count == sum);
    RC_ASSERT(root.files_touched == Strings(names.begin(), names.end()));
  }));
}
