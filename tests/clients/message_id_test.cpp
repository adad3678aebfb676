#include "clients/message_id.hpp"

#include <catch2/catch.hpp>

#include "recordings.hpp"

namespace plankeep::clients {

TEST_CASE("The last message of a recorded conversation has the id that its client gave it") {
  const std::string text =
      test::read_file(PLANKEEP_TESTS_DIR "/fixtures/hooks/claude-code/transcript-main.jsonl");
  const std::string id = last_message_id(text);
  CHECK(id.size() == 36);
  // No later line of the main thread that is a message.
  const std::size_t at = text.rfind("\"uuid\":\"" + id + "\"");
  REQUIRE(at != std::string::npos);
  const std::size_t end = text.find('\n', at);
  CHECK(last_message_id(std::string_view(text).substr(0, end)) == id);
  CHECK(last_message_id(std::string_view(text).substr(end)).empty());
}

TEST_CASE("Lines of subagents, of the client itself, and broken ones have no message's id") {
  CHECK(last_message_id(R"({"type":"user","uuid":"one","isSidechain":false})"
                        "\n"
                        R"({"type":"assistant","uuid":"two","isSidechain":true})"
                        "\n"
                        R"({"type":"attachment","uuid":"three"})"
                        "\n"
                        R"({"type":"assistant","uuid":"four")"
                        "\n") == "one");
  CHECK(last_message_id("").empty());
  CHECK(last_message_id("\n\n").empty());
  CHECK(last_message_id(R"({"type":"user","uuid":5})").empty());
  CHECK(last_message_id(R"({"type":"user","uuid":")" + std::string(200, 'x') + "\"}").empty());
}

}  // namespace plankeep::clients
