#include "clients/message_id.hpp"

#include <catch2/catch.hpp>

#include "recordings.hpp"

namespace plankeep::clients {
namespace {

constexpr base::Instant kLater{4'000'000'000'000};

std::string id_in(std::string_view tail) {
  return last_message(tail, kLater).id;
}

base::Instant at(const char* text) {
  return base::parse_iso8601(text).value();
}

}  // namespace

TEST_CASE("The last message of a recorded conversation has the id that its client gave it") {
  const std::string text =
      test::read_file(PLANKEEP_TESTS_DIR "/fixtures/hooks/claude-code/transcript-main.jsonl");
  const LastMessage last = last_message(text, kLater);
  CHECK(last.id.size() == 36);
  CHECK(last.ends_turn);
  // No later line of the main thread that is a message.
  const std::size_t at = text.rfind("\"uuid\":\"" + last.id + "\"");
  REQUIRE(at != std::string::npos);
  const std::size_t end = text.find('\n', at);
  CHECK(id_in(std::string_view(text).substr(0, end)) == last.id);
  CHECK(id_in(std::string_view(text).substr(end)).empty());
}

TEST_CASE("Lines of subagents, of the client itself, and broken ones have no message's id") {
  CHECK(id_in(R"({"type":"user","uuid":"one","isSidechain":false})"
              "\n"
              R"({"type":"assistant","uuid":"two","isSidechain":true})"
              "\n"
              R"({"type":"attachment","uuid":"three"})"
              "\n"
              R"({"type":"assistant","uuid":"four")"
              "\n") == "one");
  CHECK(id_in("").empty());
  CHECK(id_in("\n\n").empty());
  CHECK(id_in(R"({"type":"user","uuid":5})").empty());
  CHECK(id_in(R"({"type":"user","uuid":""})").empty());
  CHECK(id_in(R"({"type":"user","uuid":")" + std::string(200, 'x') + "\"}").empty());
}

TEST_CASE("A turn has ended with an answer that calls no tool, and with nothing else") {
  const auto ends = [](const std::string& type, const std::string& message) {
    const LastMessage last =
        last_message(R"({"type":")" + type + R"(","uuid":"one","message":)" + message + "}\n", kLater);
    CHECK(last.id == "one");
    return last.ends_turn;
  };
  CHECK(ends("assistant", R"({"content":[{"type":"text","text":"Done."}]})"));
  CHECK(ends("assistant", R"({"content":[{"type":"thinking"},{"type":"text","text":"Done."}]})"));
  CHECK(ends("assistant", R"({"content":"Done."})"));
  CHECK_FALSE(ends("assistant", R"({"content":[{"type":"text","text":"I edit"},{"type":"tool_use"}]})"));
  CHECK_FALSE(ends("assistant", R"({"content":[{"type":"tool_use","name":"Edit"}]})"));
  CHECK_FALSE(ends("assistant", R"({"content":[{"type":"thinking"}]})"));
  CHECK_FALSE(ends("assistant", R"({"content":[5,null]})"));
  CHECK_FALSE(ends("assistant", "[]"));
  CHECK_FALSE(ends("user", R"({"content":"Go on."})"));
  CHECK_FALSE(ends("user", R"({"content":[{"type":"tool_result","content":[{"type":"text","text":"x"}]}]})"));
}

TEST_CASE("What was said later is not looked at") {
  const std::string text =
      R"({"type":"assistant","uuid":"one","timestamp":"2026-11-20T15:00:00.100Z","message":{"content":"Done."}})"
      "\n"
      R"({"type":"user","uuid":"two","timestamp":"2026-11-20T15:00:00.200Z","message":{"content":"Go on."}})"
      "\n";
  CHECK(last_message(text, at("2026-11-20T15:00:00.300Z")).id == "two");
  CHECK(last_message(text, at("2026-11-20T15:00:00.200Z")).id == "two");
  const LastMessage before = last_message(text, at("2026-11-20T15:00:00.199Z"));
  CHECK(before.id == "one");
  CHECK(before.ends_turn);
  CHECK(last_message(text, at("2026-11-20T15:00:00.000Z")).id.empty());
  // A time that is none says nothing.
  CHECK(last_message(R"({"type":"user","uuid":"one","timestamp":"soon"})", base::Instant{0}).id == "one");
}

}  // namespace plankeep::clients
