#include "model/chain.hpp"

#include <catch2/catch.hpp>

#include "base/sha256.hpp"
#include "model/json/event_json.hpp"

using namespace plankeep;
using namespace plankeep::core;

namespace {

Event noted(const std::string& text) {
  Event event;
  event.kind = EventKind::note_saved;
  event.time = base::Instant{1'700'000'000'000};
  event.note = text;
  return event;
}

// A history as it is written: saves of so many events each.
class History {
 public:
  void save(const std::vector<std::string>& texts) {
    std::string text;
    for (std::size_t i = 0; i < texts.size(); ++i) {
      Event event = noted(texts[i]);
      event.batch = {static_cast<std::int64_t>(i) + 1, static_cast<std::int64_t>(texts.size())};
      text += encode_event(event);
    }
    chain_ = put_chain(chain_, text);
    split(text);
  }
  void unchained(const std::string& text) { split(encode_event(noted(text))); }

  ChainReport check() const {
    ChainCheck check;
    std::int64_t number = 0;
    for (const std::string& line : lines) {
      ++number;
      if (const auto event = decode_event(line)) check.take(line, number, event->batch);
    }
    return check.report();
  }

  std::vector<std::string> lines;

 private:
  void split(const std::string& text) {
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t end = text.find('\n', at);
      lines.push_back(text.substr(at, end - at));
      at = end + 1;
    }
  }
  std::string chain_;
};

void replace(std::string& text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  REQUIRE(at != std::string::npos);
  text.replace(at, from.size(), to);
}

}  // namespace

TEST_CASE("a chain is the digest of the one before and of the save's lines without it") {
  std::string lines = encode_event(noted("a")) + encode_event(noted("b"));
  const std::string plain = lines;
  const std::string before(32, 'a');
  const std::string chain = put_chain(before, lines);
  CHECK(chain == base::sha256_hex(before + plain).substr(0, 32));
  CHECK(lines == plain.substr(0, plain.size() - 2) + ",\"chain\":\"" + chain + "\"}\n");
  CHECK(chain_of(lines) == chain);
  CHECK(chain_of(std::string_view(lines).substr(0, lines.size() - 1)) == chain);
  CHECK(decode_event(lines.substr(lines.find('\n') + 1, lines.size() - lines.find('\n') - 2)).has_value());
}

TEST_CASE("only the last field of a line is a chain") {
  const std::string digits(32, '0');
  CHECK(chain_of("{\"a\":1,\"chain\":\"" + digits + "\"}") == digits);
  CHECK(chain_of("{\"a\":1,\"chain\":\"" + digits + "\",\"b\":2}").empty());
  CHECK(chain_of("{\"a\":1,\"chain\":\"" + std::string(32, 'G') + "\"}").empty());
  CHECK(chain_of(",\"chain\":\"" + digits + "\"}").empty());
  CHECK(chain_of("{}").empty());
  CHECK(chain_of("").empty());
  std::string torn = "{\"a\":1";
  CHECK(put_chain("", torn).empty());
  CHECK(torn == "{\"a\":1");
}

TEST_CASE("a history as it was written holds") {
  History history;
  SECTION("of saves of one and of several events") {
    history.save({"a"});
    history.save({"b", "c", "d"});
    history.save({"e"});
    CHECK(history.check().chained == 5);
  }
  SECTION("that older versions began") {
    history.unchained("old");
    history.unchained("older");
    history.save({"a", "b"});
    CHECK(history.check().chained == 2);
    CHECK(history.check().unchained_before == 2);
  }
  SECTION("that has none at all") {
    history.unchained("a");
    CHECK(history.check().unchained_before == 1);
  }
  SECTION("that is empty") {
    CHECK(history.check().lines == 0);
  }
  CHECK(history.check().holds());
}

TEST_CASE("lines of other tools are allowed and counted") {
  History history;
  history.save({"a"});
  history.unchained("theirs");
  history.save({"b", "c"});
  history.unchained("again theirs");
  const ChainReport report = history.check();
  CHECK(report.holds());
  CHECK(report.unchained == 2);
  CHECK(report.first_unchained == 2);
  CHECK(report.chained == 3);
}

TEST_CASE("what was changed or taken out is told with the first line that does not fit") {
  History history;
  history.save({"a"});
  history.save({"b", "c", "d"});
  history.save({"e"});
  history.save({"f"});
  std::int64_t expected = 0;
  SECTION("a line of a save of one") {
    replace(history.lines[4], "\"e\"", "\"E\"");
    expected = 5;
  }
  SECTION("a line within a save") {
    replace(history.lines[2], "\"c\"", "\"C\"");
    expected = 2;
  }
  SECTION("a save taken out") {
    history.lines.erase(history.lines.begin() + 4);
    expected = 5;
  }
  SECTION("the first save taken out") {
    history.lines.erase(history.lines.begin());
    expected = 1;
  }
  SECTION("a line within a save taken out") {
    history.lines.erase(history.lines.begin() + 2);
    expected = 3;
  }
  SECTION("two saves exchanged") {
    std::swap(history.lines[4], history.lines[5]);
    expected = 5;
  }
  SECTION("a chain taken out of its line") {
    const std::size_t at = history.lines[4].find(",\"chain\"");
    history.lines[4] = history.lines[4].substr(0, at) + "}";
    expected = 6;
  }
  SECTION("a line put in between those of a save") {
    history.lines.insert(history.lines.begin() + 2,
                         history.lines[0].substr(0, history.lines[0].find(",\"chain\"")) + "}");
    expected = 4;
  }
  SECTION("a line that is no event any more") {
    history.lines[2] = "scrambled";
    expected = 4;
  }
  const ChainReport report = history.check();
  CHECK_FALSE(report.holds());
  CHECK(report.broken == expected);
}
