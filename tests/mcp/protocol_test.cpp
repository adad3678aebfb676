#include "mcp/protocol.hpp"

#include <catch2/catch.hpp>
#include <stdexcept>
#include <string>
#include <vector>

namespace plankeep::mcp {
namespace {

// One tool, "echo", that answers with its arguments; "refuse" fails, "throw" throws.
class FakeTools : public ToolBox {
 public:
  OrderedJson list(Revision revision) override { return OrderedJson::array({name_of(revision)}); }
  std::optional<ToolAnswer> call(std::string_view name, const Json& arguments) override {
    calls.push_back(std::string(name) + " " + json_rpc::line_of(arguments));
    if (name == "echo") return ToolAnswer{"said", arguments, false};
    if (name == "refuse")
      return refusal({base::ErrorKind::not_found, "no \x1b[31mx", "looking", "look there"});
    if (name == "throw") throw std::runtime_error("bad luck");
    return std::nullopt;
  }
  std::vector<std::string> calls;
};

struct Conversation {
  std::string say(std::string_view message) {
    std::string answer = protocol.take(message);
    if (!answer.empty()) {
      CHECK(answer.back() == '\n');
      CHECK(answer.find('\n') == answer.size() - 1);
      answer.pop_back();
    }
    return answer;
  }
  void begin(std::string_view revision) {
    (void)say(R"({"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":")" +
              std::string(revision) + R"(","capabilities":{},"clientInfo":{"name":"t","version":"1"}}})");
    CHECK(say(R"({"jsonrpc":"2.0","method":"notifications/initialized"})").empty());
  }
  FakeTools tools;
  Protocol protocol{tools, "9.9"};
};

bool holds(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

std::string initialize(std::string_view revision) {
  return R"({"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":")" +
         std::string(revision) + "\"}}";
}

}  // namespace

TEST_CASE("a call with half a character in it is answered with its id") {
  Conversation talk;
  talk.begin("2025-11-25");
  const std::string answer = talk.say(
      R"({"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"echo","arguments":{"note":"cut \ud83d"}}})");
  CHECK(holds(answer, "\"id\":7"));
  CHECK(holds(answer, "said"));
  CHECK(talk.tools.calls.size() == 1);
}

TEST_CASE("a client gets the revision that it offers, else the newest") {
  const std::vector<std::pair<std::string, std::string>> table = {
      {"2025-11-25", "2025-11-25"}, {"2025-06-18", "2025-06-18"}, {"2025-03-26", "2025-03-26"},
      {"2024-11-05", "2024-11-05"}, {"2024-10-07", "2024-10-07"}, {"2026-07-28", "2025-11-25"},
      {"2099-01-01", "2025-11-25"}, {"", "2025-11-25"},           {"latest", "2025-11-25"},
  };
  for (const auto& [offered, agreed] : table) {
    Conversation with;
    const std::string answer = with.say(initialize(offered));
    INFO(offered << ": " << answer);
    CHECK(holds(answer, "\"protocolVersion\":\"" + agreed + "\""));
    CHECK(holds(answer, R"("capabilities":{"tools":{}})"));
    CHECK(holds(answer, R"("serverInfo":{"name":"plankeep","version":"9.9"})"));
    CHECK(holds(answer, R"("instructions":")"));
    // The tools are listed as the revision has them.
    CHECK(holds(with.say(R"({"jsonrpc":"2.0","id":2,"method":"tools/list"})"), "[\"" + agreed + "\"]"));
  }
}

TEST_CASE("what is no message of the protocol gets the error that JSON-RPC has for it") {
  // In revision 2025-06-18, where an error without an id has null.
  const std::vector<std::pair<std::string, std::string>> table = {
      {"{", R"({"jsonrpc":"2.0","id":null,"error":{"code":-32700,)"},
      {"nonsense", R"("code":-32700,"message":"invalid JSON")"},
      {"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"} x", R"("id":null,"error":{"code":-32700)"},
      {"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"\xff\"}", R"("code":-32700)"},
      {"{\"a\":\"\\ud800\"}", R"("code":-32600,"message":"the message has no method")"},
      {std::string(300, '[') + std::string(300, ']'), R"("code":-32700)"},
      {"\xef\xbb\xbf{}", R"("code":-32700)"},
      {"17", R"("id":null,"error":{"code":-32600,)"},
      {"\"ping\"", R"("code":-32600)"},
      {"null", R"("code":-32600)"},
      {"{}", R"("code":-32600,"message":"the message has no method")"},
      {R"({"jsonrpc":"2.0","id":5})", R"("id":5,"error":{"code":-32600)"},
      {R"({"jsonrpc":"2.0","id":5,"method":7})", R"("id":5,"error":{"code":-32600)"},
      {R"({"id":5,"method":"ping"})", R"("id":5,"error":{"code":-32600)"},
      {R"({"jsonrpc":"1.0","id":5,"method":"ping"})", R"("id":5,"error":{"code":-32600)"},
      {R"({"jsonrpc":2.0,"id":5,"method":"ping"})", R"("id":5,"error":{"code":-32600)"},
      {R"({"jsonrpc":"2.0","id":null,"method":"ping"})", R"("id":null,"error":{"code":-32600)"},
      {R"({"jsonrpc":"2.0","id":{},"method":"ping"})", R"("id":null,"error":{"code":-32600)"},
      {R"({"jsonrpc":"2.0","id":true,"method":"ping"})", R"("id":null,"error":{"code":-32600)"},
      {R"({"jsonrpc":"2.0","id":5,"method":"resources/list"})", R"("id":5,"error":{"code":-32601)"},
      {R"({"jsonrpc":"2.0","id":5,"method":"prompts/list"})", R"("code":-32601)"},
      {R"({"jsonrpc":"2.0","id":5,"method":"logging/setLevel","params":{"level":"debug"}})",
       R"("code":-32601)"},
      {R"({"jsonrpc":"2.0","id":5,"method":"completion/complete"})", R"("code":-32601)"},
      {R"({"jsonrpc":"2.0","id":5,"method":"notifications/initialized"})", R"("code":-32601)"},
      {R"({"jsonrpc":"2.0","id":5,"method":"server/discover","params":{"_meta":{}}})", R"("code":-32601)"},
      {R"({"jsonrpc":"2.0","id":5,"method":"ping","params":[]})", R"("code":-32602)"},
      {R"({"jsonrpc":"2.0","id":5,"method":"tools/list","params":{"cursor":"x"}})", R"("code":-32602)"},
      {R"({"jsonrpc":"2.0","id":5,"method":"tools/call"})",
       R"("code":-32602,"message":"name must be a string")"},
      {R"({"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":7}})", R"("code":-32602)"},
      {R"({"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"echo","arguments":[]}})",
       R"("code":-32602)"},
      {R"({"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"none"}})",
       R"("code":-32602,"message":"unknown tool: none")"},
      {R"({"jsonrpc":"2.0","id":5,"method":"initialize"})", R"("code":-32602)"},
      {R"({"jsonrpc":"2.0","id":5,"method":"initialize","params":{"protocolVersion":20251125}})",
       R"("code":-32602)"},
  };
  for (const auto& [message, part] : table) {
    Conversation with;
    with.begin("2025-06-18");
    const std::string answer = with.say(message);
    INFO(message << "\n" << answer);
    CHECK(holds(answer, part));
    CHECK(holds(with.say(R"({"jsonrpc":"2.0","id":6,"method":"ping"})"), R"("id":6,"result":{})"));
  }
}

TEST_CASE("the newest revision leaves out an id that nobody knows") {
  Conversation with;
  CHECK(holds(with.say("{"), R"({"jsonrpc":"2.0","id":null,"error":)"));
  with.begin("2025-11-25");
  CHECK(holds(with.say("{"), R"({"jsonrpc":"2.0","error":{"code":-32700)"));
  CHECK(holds(with.protocol.take_too_long(), R"({"jsonrpc":"2.0","error":{"code":-32700)"));
}

TEST_CASE("an id comes back as it was written") {
  for (const std::string id : {"0", "-7", "1.5", "12345678901234567890", "123456789012345678901234", "\"\"",
                               "\"a\\u0000b\"", "\"\xc3\xa4\"", "1e3"}) {
    Conversation with;
    CHECK(with.say(R"({"jsonrpc":"2.0","id":)" + id + R"(,"method":"ping"})") ==
          R"({"jsonrpc":"2.0","id":)" + id + R"(,"result":{}})");
  }
}

TEST_CASE("of an id that comes twice the last one comes back") {
  for (const auto& [first, last] : std::vector<std::pair<std::string, std::string>>{
           {"1.0", "5"}, {"1.0", "2.0"}, {"5", "1.0"}, {"1.0", "\"x\""}}) {
    Conversation with;
    CHECK(with.say("{\"id\":" + first + R"(,"jsonrpc":"2.0","id":)" + last + R"(,"method":"ping"})") ==
          R"({"jsonrpc":"2.0","id":)" + last + R"(,"result":{}})");
  }
}

TEST_CASE("the ids of a batch come back as they were written too") {
  Conversation with;
  with.begin("2025-03-26");
  CHECK(with.say(
            R"([7,{"jsonrpc":"2.0","id":1e3,"method":"ping"},{"jsonrpc":"2.0","id":2.0,"method":"ping"}])") ==
        R"([{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"a message must be a JSON object"}},)"
        R"({"jsonrpc":"2.0","id":1e3,"result":{}},{"jsonrpc":"2.0","id":2.0,"result":{}}])");
}

TEST_CASE("notifications and answers to nothing are passed over in silence") {
  Conversation with;
  with.begin("2025-11-25");
  for (const std::string_view message : {
           R"({"jsonrpc":"2.0","method":"notifications/initialized"})",
           R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":4,"reason":"late"}})",
           R"({"jsonrpc":"2.0","method":"notifications/roots/list_changed"})",
           R"({"jsonrpc":"2.0","method":"notifications/of/tomorrow","params":[1]})",
           R"({"jsonrpc":"2.0","method":"tools/call","params":{"name":"echo"}})",
           R"({"jsonrpc":"2.0","id":9,"result":{}})",
           R"({"jsonrpc":"2.0","id":9,"error":{"code":-1,"message":"no"}})",
       }) {
    INFO(message);
    CHECK(with.say(message).empty());
  }
  CHECK(with.tools.calls.empty());
}

TEST_CASE("before initialize there is ping, and no tool") {
  Conversation with;
  CHECK(holds(with.say(R"({"jsonrpc":"2.0","id":1,"method":"ping"})"), R"("result":{})"));
  CHECK(holds(with.say(R"({"jsonrpc":"2.0","id":2,"method":"tools/list"})"),
              R"("id":2,"error":{"code":-32600)"));
  CHECK(holds(with.say(R"({"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"echo"}})"),
              R"("code":-32600,"message":"initialize must be the first request")"));
  CHECK(with.tools.calls.empty());
  // A client of a later time asks this first, and goes back to initialize for this code only.
  CHECK(
      with.say(R"({"jsonrpc":"2.0","id":"d","method":"server/discover"})") ==
      R"({"jsonrpc":"2.0","id":"d","error":{"code":-32601,"message":"method not found: server/discover"}})");
  CHECK(holds(with.say(initialize("2025-11-25")), R"("protocolVersion":"2025-11-25")"));
  // Who does not wait for "initialized" is served all the same.
  CHECK(holds(with.say(R"({"jsonrpc":"2.0","id":4,"method":"tools/list"})"), R"("tools":)"));
}

TEST_CASE("initialize again agrees anew") {
  Conversation with;
  with.begin("2024-11-05");
  CHECK(holds(with.say(initialize("2025-06-18")), R"("protocolVersion":"2025-06-18")"));
  CHECK(holds(with.say(R"({"jsonrpc":"2.0","id":4,"method":"tools/list"})"), "2025-06-18"));
  // One that cannot be understood leaves what was agreed.
  CHECK(holds(with.say(R"({"jsonrpc":"2.0","id":5,"method":"initialize","params":{}})"), "-32602"));
  CHECK(holds(with.say(R"({"jsonrpc":"2.0","id":4,"method":"tools/list"})"), "2025-06-18"));
}

TEST_CASE("a tool's answer is text, and structured content where the revision has it") {
  const std::string call =
      R"({"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"_meta":{"progressToken":1},"name":"echo","arguments":{"a":[1]}}})";
  for (const auto& [revision, structured] : std::vector<std::pair<std::string, bool>>{
           {"2025-11-25", true}, {"2025-06-18", true}, {"2025-03-26", false}, {"2024-11-05", false}}) {
    Conversation with;
    with.begin(revision);
    CHECK(with.say(call) == R"({"jsonrpc":"2.0","id":2,"result":{"content":[{"type":"text","text":"said"}])" +
                                std::string(structured ? R"(,"structuredContent":{"a":[1]})" : "") + "}}");
  }
}

TEST_CASE("arguments may be left out, or null") {
  Conversation with;
  with.begin("2025-11-25");
  (void)with.say(R"({"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"echo"}})");
  (void)with.say(
      R"({"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"echo","arguments":null}})");
  CHECK(with.tools.calls == std::vector<std::string>{"echo {}", "echo {}"});
}

TEST_CASE("what a tool refuses is a result that says so, safe to be shown") {
  Conversation with;
  with.begin("2025-11-25");
  CHECK(
      with.say(R"({"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"refuse"}})") ==
      R"({"jsonrpc":"2.0","id":2,"result":{"content":[{"type":"text","text":"not_found: looking: no x\nhint: look there"}],"isError":true}})");
}

TEST_CASE("a reason of any length is cut, and its hint still said") {
  const std::string endless(std::size_t{1} << 20, 'x');
  const ToolAnswer answer = refusal({base::ErrorKind::not_found, endless, "reading", "look \x1b[31mthere"});
  CHECK(answer.text.size() < 5000);
  CHECK(answer.text.starts_with("not_found: reading: xxx"));
  CHECK(holds(answer.text, "x…\nhint: look "));
  CHECK_FALSE(holds(answer.text, "\x1b"));
  CHECK(refusal({base::ErrorKind::not_found, "a", {}, endless}).text.size() < 5000);
}

TEST_CASE("a tool that throws ends its call and not the conversation") {
  Conversation with;
  with.begin("2025-11-25");
  CHECK(holds(with.say(R"({"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"throw"}})"),
              R"("text":"internal: bad luck"}],"isError":true)"));
  CHECK(holds(with.say(R"({"jsonrpc":"2.0","id":3,"method":"ping"})"), R"("id":3,"result")"));
}

TEST_CASE("a batch is answered in one array, in revision 2025-03-26") {
  Conversation with;
  with.begin("2025-03-26");
  CHECK(
      with.say(R"([{"jsonrpc":"2.0","id":1,"method":"ping"},{"jsonrpc":"2.0","method":"notifications/x"},7,)"
               R"({"jsonrpc":"2.0","id":2,"method":"ping"}])") ==
      R"([{"jsonrpc":"2.0","id":1,"result":{}},{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"a message must be a JSON object"}},{"jsonrpc":"2.0","id":2,"result":{}}])");
  CHECK(with.say(R"([{"jsonrpc":"2.0","method":"notifications/x"}])").empty());
  CHECK(holds(with.say("[]"), R"("id":null,"error":{"code":-32600,"message":"the batch is empty")"));
  CHECK(holds(with.say("[1"), "-32700"));
  CHECK(holds(with.say("[[]]"), "[{\"jsonrpc\":\"2.0\",\"id\":null,\"error\":{\"code\":-32600"));
  CHECK(holds(with.say("[" + initialize("2025-11-25") + "]"), "initialize must not be part of a batch"));
  CHECK(holds(with.say(R"({"jsonrpc":"2.0","id":4,"method":"tools/list"})"), "2025-03-26"));
}

TEST_CASE("a batch is refused whole where there is none, or when it is too large") {
  for (const std::string_view revision : {"2025-11-25", "2025-06-18", "2024-11-05"}) {
    Conversation with;
    with.begin(revision);
    CHECK(holds(with.say(R"([{"jsonrpc":"2.0","id":1,"method":"ping"}])"), "-32600"));
  }
  Conversation before;
  CHECK(holds(before.say(R"([{"jsonrpc":"2.0","id":1,"method":"ping"}])"), "-32600"));
  Conversation with;
  with.begin("2025-03-26");
  std::string batch = "[1";
  for (std::size_t i = 1; i < Protocol::kLargestBatch; ++i) batch += ",1";
  CHECK(holds(with.say(batch + "]"), "[{\"jsonrpc\""));
  const std::string refused = with.say(batch + ",1]");
  CHECK(refused.front() == '{');
  CHECK(holds(refused, "at most 1000 messages"));
}

}  // namespace plankeep::mcp
