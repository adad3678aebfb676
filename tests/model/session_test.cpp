// Names and metadata files of session checkpoints.

#include "model/session.hpp"

#include <rapidcheck.h>

#include <catch2/catch.hpp>

#include "base/utf8.hpp"
#include "model/json/session_json.hpp"
#include "model/json/session_row_json.hpp"

using namespace plankeep;

TEST_CASE("an id is 12 digits of hex or a ULID that encodes 128 bits") {
  using core::session_id_kind;
  CHECK(session_id_kind("a1b2c3d4e5f6") == core::SessionIdKind::hex);
  CHECK(session_id_kind("01HF7YAT00000G40R40M30E209") == core::SessionIdKind::ulid);
  CHECK(session_id_kind("7ZZZZZZZZZZZZZZZZZZZZZZZZZ") == core::SessionIdKind::ulid);
  for (const char* none :
       {"", "a1b2c3d4e5f", "a1b2c3d4e5f60", "A1B2C3D4E5F6", "a1b2c3d4e5fg", "81HF7YAT00000G40R40M30E209",
        "01hf7yat00000g40r40m30e209", "01HF7YAT00000G40R40M30E20I", "01HF7YAT00000G40R40M30E20",
        "../../../etc", "a1b2c3d4e5f\n"}) {
    CAPTURE(none);
    CHECK_FALSE(session_id_kind(none));
  }
  CHECK(core::time_in_id("01HF7YAT00000G40R40M30E209") == base::Instant{1700000000000});
  CHECK_FALSE(core::time_in_id("a1b2c3d4e5f6"));
  CHECK_FALSE(core::time_in_id("7ZZZZZZZZZZZZZZZZZZZZZZZZZ"));
}

TEST_CASE("the beginning of a hex id and the end of a ULID mean it") {
  using core::means_session;
  CHECK(means_session("a1b2", "a1b2c3d4e5f6"));
  CHECK(means_session("a1b2c3d4e5f6", "a1b2c3d4e5f6"));
  CHECK_FALSE(means_session("a1b", "a1b2c3d4e5f6"));
  CHECK_FALSE(means_session("e5f6", "a1b2c3d4e5f6"));
  CHECK(means_session("30E209", "01HF7YAT00000G40R40M30E209"));
  CHECK(means_session("m30e209", "01HF7YAT00000G40R40M30E209"));
  CHECK_FALSE(means_session("0E209", "01HF7YAT00000G40R40M30E209"));
  CHECK_FALSE(means_session("01HF7Y", "01HF7YAT00000G40R40M30E209"));
}

TEST_CASE("refs and folders name their checkpoint, and nothing else does") {
  CHECK(core::session_ref("01HF7YAT00000G40R40M30E209") ==
        "refs/entire/checkpoints/09/01HF7YAT00000G40R40M30E209");
  CHECK(core::session_folder("a1b2c3d4e5f6") == "a1/b2c3d4e5f6");
  CHECK(core::id_in_session_ref("refs/entire/checkpoints/f6/a1b2c3d4e5f6") == "a1b2c3d4e5f6");
  for (const char* none :
       {"refs/entire/checkpoints/09/../x", "refs/entire/checkpoints/xx/01HF7YAT00000G40R40M30E209",
        "refs/entire/checkpoints/a1/a1b2c3d4e5f6", "refs/entire/checkpoints/f6/x/a1b2c3d4e5f6",
        "refs/entire/checkpoints/a1b2c3d4e5f6", "refs/heads/f6/a1b2c3d4e5f6", ""}) {
    CAPTURE(none);
    CHECK_FALSE(core::id_in_session_ref(none));
  }
  CHECK(core::id_of_session_folder("a1", "b2c3d4e5f6") == "a1b2c3d4e5f6");
  CHECK_FALSE(core::id_of_session_folder("a1b", "2c3d4e5f6"));
  CHECK_FALSE(core::id_of_session_folder("..", "b2c3d4e5f6"));
}

TEST_CASE("shadow branches are told from branches that look like them") {
  CHECK(core::shadow_branch("entire/c720494-e3b0c4") == core::ShadowBranch{"c720494", "e3b0c4"});
  CHECK(core::shadow_branch("entire/c720494") == core::ShadowBranch{"c720494", ""});
  for (const char* none : {"entire/checkpoints/v1", "entire/trails/v1", "entire/c72049-e3b0c4",
                           "entire/c720494-e3b0c", "entire/c720494-", "entire/-e3b0c4", "c720494-e3b0c4"}) {
    CAPTURE(none);
    CHECK_FALSE(core::shadow_branch(none));
  }
  CHECK(core::work_tree_digits("") == "e3b0c4");
  CHECK(core::work_tree_digits("test-123") == "37eb19");
  CHECK(core::work_tree_digits("feature") == "2ad562");
  CHECK(core::work_tree_digits("my-worktree") == "824878");
  CHECK(core::shadow_branch_name("c720494734aa2faff6ae0098c757098a6c3c48fa", "") == "entire/c720494-e3b0c4");
}

TEST_CASE("a client's session is a name that cannot lead anywhere") {
  CHECK(core::is_client_session("2026-01-06-3a782158-6c7c"));
  CHECK(core::is_client_session("session with spaces"));
  for (const std::string& none :
       {std::string(), std::string("."), std::string(".."), std::string("a/b"), std::string("a\\b"),
        std::string("a\nb"), std::string(201, 'a'), std::string("  "), std::string("\xff")}) {
    CHECK_FALSE(core::is_client_session(none));
  }
}

TEST_CASE("ids are found in a message wherever Entire finds them") {
  using Ids = std::vector<std::string>;
  using core::mentioned_checkpoints;
  CHECK(mentioned_checkpoints("fix: bug\n\nEntire-Checkpoint: a1b2c3d4e5f6\n") == Ids{"a1b2c3d4e5f6"});
  CHECK(mentioned_checkpoints("x\r\n\r\nEntire-Checkpoint: a1b2c3d4e5f6\r\n") == Ids{"a1b2c3d4e5f6"});
  CHECK(mentioned_checkpoints("Entire-Checkpoint:a1b2c3d4e5f6 and Entire-Checkpoint:\n\t0123456789ab") ==
        Ids{"a1b2c3d4e5f6", "0123456789ab"});
  CHECK(mentioned_checkpoints("Entire-Checkpoint: a1b2c3d4e5f6\nEntire-Checkpoint: a1b2c3d4e5f6\n") ==
        Ids{"a1b2c3d4e5f6"});
  CHECK(mentioned_checkpoints("Entire-Checkpoint: 01HF7YAT00000G40R40M30E209") ==
        Ids{"01HF7YAT00000G40R40M30E209"});
  for (const char* none :
       {"fix: bug", "Entire-Checkpoint: a1b2c3d4e5f67", "Entire-Checkpoint: a1b2c3d4e5f",
        "Entire-Checkpoint: 01hf7yat00000g40r40m30e209", "Entire-Checkpoint: 81HF7YAT00000G40R40M30E209",
        "Entire-Checkpoint:", "entire-checkpoint: a1b2c3d4e5f6", "Entire-Checkpoint: a1b2c3d4e5f6."}) {
    CAPTURE(none);
    CHECK(mentioned_checkpoints(none).empty());
  }
}

TEST_CASE("parts of a transcript and prompts") {
  CHECK(core::transcript_part("full.jsonl") == 0);
  CHECK(core::transcript_part("full.log") == 0);
  CHECK(core::transcript_part("full.jsonl.001") == 1);
  CHECK(core::transcript_part("full.jsonl.1000") == 1000);
  for (const char* none :
       {"full.jsonl.1", "full.jsonl.000", "full.jsonl.0001", "full.jsonl.", "full.jsonl.00a",
        "full.jsonl.-01", "full.json", "full.jsonl.99999999999999999999"}) {
    CAPTURE(none);
    CHECK_FALSE(core::transcript_part(none));
  }
  CHECK(core::prompts_in("First\n\n---\n\nSecond & last") == core::Strings{"First", "Second & last"});
  CHECK(core::prompts_in("").empty());
  CHECK(core::content_hash_of("{\"type\":\"user\",\"message\":\"add <b>\"}\n"
                              "{\"type\":\"assistant\",\"message\":\"done\"}\n") ==
        "sha256:db54cd6854adb5b64060e86b92f23655a0cf313fac42d9ba5b25f9194b06da60");
}

namespace {

constexpr std::string_view kOdd =
    "{\n  \"zz_first\": 1,\n  \"checkpoint_id\": \"a1b2c3d4e5f6\",\n  \"session_id\": \"s\",\n"
    "  \"strategy\": \"manual-commit\",\n  \"created_at\": \"2026-01-06T00:00:00Z\",\n"
    "  \"checkpoints_count\": \"two\",\n  \"new_key\": {\n    \"a\": [\n      1\n    ]\n  },\n"
    "  \"files_touched\": null,\n  \"summary\": null,\n  \"last\": true\n}\n";

std::string any_text() {
  return base::to_valid_utf8(
      *rc::gen::container<std::string>(rc::gen::elementOf(std::string("ab<>&\"\\\n\t /\xC3\xA9"))));
}

}  // namespace

TEST_CASE("keys that nobody knows and values of another type stay where they stood") {
  const auto read = core::decode_session(kOdd);
  REQUIRE(read);
  CHECK(read->problems.size() == 1);
  CHECK(read->problems.front().starts_with("checkpoints_count: "));
  CHECK(read->value.session_id == "s");
  CHECK_FALSE(read->value.checkpoints_count);
  CHECK_FALSE(read->value.files_touched);
  CHECK(core::encode_session(read->value) == kOdd);
  // A key that is added takes its own place.
  core::SessionMetadata changed = read->value;
  changed.agent = "Claude Code";
  CHECK(core::encode_session(changed).find(
            "\"files_touched\": null,\n  \"agent\": \"Claude Code\",\n  \"summary\"") != std::string::npos);
}

TEST_CASE("a known key that stands behind later ones keeps its place and its value") {
  const std::string text =
      "{\n  \"checkpoint_id\": \"a1b2c3d4e5f6\",\n  \"created_at\": \"2026-01-06T00:00:00Z\",\n"
      "  \"session_id\": \"s\",\n  \"strategy\": \"x\",\n  \"files_touched\": [],\n  \"branch\": "
      "\"main\"\n}\n";
  auto read = core::decode_session(text);
  REQUIRE(read);
  CHECK(read->problems.empty());
  CHECK(core::encode_session(read->value) == text);
  read->value.branch = "other";
  CHECK(core::encode_session(read->value).ends_with("\"files_touched\": [],\n  \"branch\": \"other\"\n}\n"));
  read->value.branch.reset();
  CHECK(core::encode_session(read->value).ends_with("\"files_touched\": []\n}\n"));
}

TEST_CASE("missing and repeated keys are reported") {
  const auto read = core::decode_session_root("{\"strategy\":\"a\",\"strategy\":\"b\"}");
  REQUIRE(read);
  CHECK(read->value.strategy == "a");
  CHECK(std::find(read->problems.begin(), read->problems.end(), "strategy: appears twice") !=
        read->problems.end());
  CHECK(std::find(read->problems.begin(), read->problems.end(), "checkpoint_id: missing") !=
        read->problems.end());
}

TEST_CASE("metadata above a limit, and what is no JSON object, is refused") {
  const auto refused = [](const std::string& text, base::ErrorKind kind) {
    const auto read = core::decode_session(text);
    return !read && read.error().kind == kind;
  };
  CHECK(refused(std::string(core::kLargestSessionJson + 1, ' '), base::ErrorKind::invalid_input));
  CHECK(refused("{\"a\":" + std::string(100'000, '[') + std::string(100'000, ']') + "}",
                base::ErrorKind::invalid_input));
  for (const char* text : {"", "[]", "null", "{", "{}x", "{\"a\":}", "{\"a\":\"\xff\"}"}) {
    CAPTURE(text);
    CHECK(refused(text, base::ErrorKind::corrupt));
  }
  // As deep as the limit, but not one more.
  const auto nested = [](std::size_t depth) {
    return "{\"a\":" + std::string(depth - 1, '[') + std::string(depth - 1, ']') + "}";
  };
  CHECK(core::decode_session(nested(64)));
  CHECK_FALSE(core::decode_session(nested(65)));
}

TEST_CASE("numbers and characters are written as Go writes them") {
  core::LineAttribution lines;
  core::SessionMetadata session;
  const auto percentage = [&](double value) {
    lines.agent_percentage = value;
    session.initial_attribution = lines;
    const std::string text = core::encode_session(session);
    const std::size_t at = text.find("\"agent_percentage\": ") + 20;
    return text.substr(at, text.find('\n', at) - at);
  };
  CHECK(percentage(80) == "80");
  CHECK(percentage(0) == "0");
  CHECK(percentage(68.18181818181817) == "68.18181818181817");
  CHECK(percentage(0.1) == "0.1");
  CHECK(percentage(1e-7) == "1e-7");
  CHECK(percentage(1e21) == "1e+21");
  CHECK(percentage(123456789012345680) == "123456789012345680");
  session.agent = "<a> & \xE2\x80\xA8 é \x01 \b";
  CHECK(core::encode_session(session).find("\"agent\": \"\\u003ca\\u003e \\u0026 \\u2028 é \\u0001 \\b\"") !=
        std::string::npos);
}

TEST_CASE("what was written is read as the same") {
  const bool held = rc::check("decode(encode(session)) is the session", [] {
    core::SessionMetadata session;
    session.checkpoint_id = "a1b2c3d4e5f6";
    session.session_id = any_text();
    session.created_at = any_text();
    if (*rc::gen::arbitrary<bool>()) session.branch = any_text();
    if (*rc::gen::arbitrary<bool>()) session.checkpoints_count = *rc::gen::arbitrary<std::int64_t>();
    if (*rc::gen::arbitrary<bool>()) {
      session.files_touched.emplace();
      for (int i = *rc::gen::inRange(0, 4); i > 0; --i) session.files_touched->push_back(any_text());
    }
    if (*rc::gen::arbitrary<bool>()) {
      session.token_usage.emplace().input = *rc::gen::arbitrary<std::int64_t>();
      session.token_usage->kept.push_back(
          {"other", "[1]", static_cast<std::size_t>(*rc::gen::inRange(0, 7))});
    }
    if (*rc::gen::arbitrary<bool>()) {
      session.summary.emplace().intent = any_text();
      if (*rc::gen::arbitrary<bool>())
        session.summary->learnings.code.emplace().push_back({any_text(), 3, std::nullopt, any_text(), {}});
    }
    if (*rc::gen::arbitrary<bool>())
      session.initial_attribution.emplace().agent_percentage = *rc::gen::arbitrary<int>() / 7.0;
    if (*rc::gen::arbitrary<bool>())
      session.kept.push_back({"unknown", "{}", static_cast<std::size_t>(*rc::gen::inRange(0, 33))});
    const std::string text = core::encode_session(session);
    const auto read = core::decode_session(text);
    RC_ASSERT(read.has_value());
    RC_ASSERT(read->problems.empty());
    RC_ASSERT(core::encode_session(read->value) == text);
    // Which known key an unknown one stands in front of is known up to keys that are not there.
    core::SessionMetadata plain = read->value;
    plain.kept = session.kept;
    if (plain.token_usage && session.token_usage) plain.token_usage->kept = session.token_usage->kept;
    RC_ASSERT(plain == session);
  });
  CHECK(held);
}

TEST_CASE("a row of the list survives the cache") {
  core::SessionRow row;
  row.id = "a1b2c3d4e5f6";
  row.layout = core::SessionLayout::branch;
  row.source = "refs/heads/entire/checkpoints/v1";
  row.object = std::string(40, 'a');
  row.created = base::Instant{1700000000000};
  row.branch = "ma\xC3\xADn";
  row.slots = 2;
  row.sessions = {{0, "sess-1", "Claude Code", "m-1"}, {1, "sess-2", "", ""}};
  row.files = {"a.txt", "b \"c\""};
  row.agent_percentage = 68.5;
  row.tokens = 22;
  row.plan_id = "plan";
  row.phase_title = "API";
  row.tasks_done = {"t1"};
  row.problems = {"0: odd"};
  const auto read = core::decode_session_row(core::encode_session_row(row));
  REQUIRE(read);
  CHECK(*read == row);
  CHECK_FALSE(core::decode_session_row("{"));
}
