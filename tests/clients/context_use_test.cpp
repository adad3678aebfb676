#include "clients/transcripts/context_use.hpp"

#include <catch2/catch.hpp>
#include <string>

using plankeep::clients::context_use;
using plankeep::clients::ContextUse;

namespace {

const std::string kClaude =
    R"({"type":"assistant","isSidechain":false,"message":{"usage":{"input_tokens":100,"cache_creation_input_tokens":20,"cache_read_input_tokens":3,"output_tokens":9}}})"
    "\n";

}  // namespace

TEST_CASE("every client's last answer says what it had before it") {
  CHECK(context_use(kClaude) == ContextUse{123, {}});
  CHECK(
      context_use(
          R"({"type":"event_msg","payload":{"type":"token_count","info":{"total_token_usage":{"input_tokens":900},"last_token_usage":{"input_tokens":70,"cached_input_tokens":50},"model_context_window":200}}})"
          "\n") == ContextUse{70, 200});
  CHECK(context_use(
            R"({"id":"g","type":"gemini","content":"x","tokens":{"input":55,"output":4,"total":59}})") ==
        ContextUse{55, {}});
  CHECK(
      context_use(
          R"({"uuid":"q","type":"assistant","usageMetadata":{"promptTokenCount":40,"totalTokenCount":44},"contextWindowSize":100})") ==
      ContextUse{44, 100});
}

TEST_CASE("the newest counts, a subagent's does not, and nothing does from before a compaction") {
  const std::string later =
      R"({"type":"assistant","message":{"usage":{"input_tokens":7}}})" + std::string("\n");
  const std::string agent =
      R"({"type":"assistant","isSidechain":true,"message":{"usage":{"input_tokens":999}}})" +
      std::string("\n");
  CHECK(context_use(kClaude + later + agent) == ContextUse{7, {}});
  CHECK(context_use(later + kClaude + "{\"usage\" broken\n{\"type\":\"user\"}\n") == ContextUse{123, {}});
  CHECK_FALSE(context_use(kClaude + R"({"type":"system","subtype":"compact_boundary"})" + "\n"));
  CHECK_FALSE(context_use(""));
}

TEST_CASE("numbers that are none, or beyond all reason, neither crash nor overflow") {
  CHECK_FALSE(context_use(R"({"message":{"usage":{"input_tokens":"many"}}})"));
  CHECK(context_use(R"({"message":{"usage":{"input_tokens":-5}}})") == ContextUse{0, {}});
  const auto huge =
      context_use(R"({"message":{"usage":{"input_tokens":1e300,"cache_read_input_tokens":1e300}}})");
  REQUIRE(huge);
  CHECK(huge->tokens <= std::int64_t{1} << 41);
  CHECK_FALSE(context_use(R"({"tokens":{"input":5},"contextWindowSize":0})")->window);
}
