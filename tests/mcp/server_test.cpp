#include "mcp/server.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <string>
#include <vector>

namespace plankeep::mcp {
namespace {

class NoTools : public ToolBox {
 public:
  OrderedJson list(Revision) override { return OrderedJson::array(); }
  std::optional<ToolAnswer> call(std::string_view, const Json&) override {
    ++calls;
    return std::nullopt;
  }
  int calls = 0;
};

// Says `pieces` one after the other; can hang up, or be asked to end, once so much was written.
class FakeWire : public Wire {
 public:
  explicit FakeWire(std::vector<std::string> pieces) : pieces_(std::move(pieces)) {}
  std::string read(std::size_t count) override {
    if (at_ >= pieces_.size()) return {};
    CHECK(pieces_[at_].size() <= count);
    return pieces_[at_++];
  }
  bool write(std::string_view bytes) override {
    if (writes >= hang_up_after) return false;
    ++writes;
    written += bytes;
    return true;
  }
  bool time_to_end() override { return writes >= end_after; }

  std::string written;
  int writes = 0;
  int hang_up_after = 1000;
  int end_after = 1000;

 private:
  std::vector<std::string> pieces_;
  std::size_t at_ = 0;
};

const std::string kPing = R"({"jsonrpc":"2.0","id":1,"method":"ping"})";
const std::string kPong = R"({"jsonrpc":"2.0","id":1,"result":{}})";

}  // namespace

TEST_CASE("the server answers until the client has said everything") {
  NoTools tools;
  FakeWire wire({kPing + "\n" + kPing.substr(0, 5), kPing.substr(5), "\n\n", kPing});
  serve(wire, tools, "1");
  CHECK(wire.written == kPong + "\n" + kPong + "\n" + kPong + "\n");
}

TEST_CASE("the server ends when nobody reads its answers, and does nothing more") {
  NoTools tools;
  FakeWire wire({kPing + "\n" + kPing + "\n", kPing + "\n"});
  wire.hang_up_after = 1;
  serve(wire, tools, "1");
  CHECK(wire.written == kPong + "\n");
}

TEST_CASE("the server does not begin another message when it was asked to end") {
  NoTools tools;
  FakeWire wire({kPing + "\n" + kPing + "\n"});
  wire.end_after = 1;
  serve(wire, tools, "1");
  CHECK(wire.writes == 1);
}

TEST_CASE("a message that is too long is answered, and the conversation goes on") {
  NoTools tools;
  std::vector<std::string> pieces;
  for (std::size_t sent = 0; sent <= json_rpc::LineReader::kLongest; sent += 60'000)
    pieces.emplace_back(60'000, ' ');
  pieces.push_back("\n" + kPing + "\n");
  FakeWire wire(std::move(pieces));
  serve(wire, tools, "1");
  CHECK(wire.written ==
        "{\"jsonrpc\":\"2.0\",\"id\":null,\"error\":{\"code\":-32700,\"message\":\"the message is longer "
        "than 16 MiB\"}}\n" +
            kPong + "\n");
}

}  // namespace plankeep::mcp
