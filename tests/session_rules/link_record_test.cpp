#include "session_rules/link_record.hpp"

#include <rapidcheck.h>

#include <catch2/catch.hpp>

using namespace plankeep::core;

namespace {

const std::string kId = "01HF7YAT00000G40R40M30E209";
const std::string kOtherId = "a1b2c3d4e5f6";
const std::string kDigest(64, 'd');

}  // namespace

TEST_CASE("what is kept of a commit that is being linked is read as it was written") {
  const LinkRecord record{
      {kId, kOtherId}, {{"s-1", 7, {"a b.c", "line\nfeed"}}, {"a session", 0, {}}}, kDigest};
  CHECK(encode_link_record(record) == "id " + kId + "\nid " + kOtherId +
                                          "\nsession s-1\nw a b.c\nw line\\nfeed\nN 7\nsession a session\n" +
                                          "template " + kDigest + "\n");
  CHECK(read_link_record(encode_link_record(record)) == record);
  CHECK(encode_link_record({}).empty());
}

TEST_CASE("values that are no ids, and lines that are torn, are left out") {
  CHECK(read_link_record("").sessions.empty());
  CHECK(read_link_record("id A1B2C3D4E5F6\nid \nid x\n").checkpoints.empty());
  CHECK(read_link_record("session ../up\nsession a/b\nsession .\nsession \x1b[2J\nsession \n")
            .sessions.empty());
  CHECK(read_link_record("template 123\n").untouched.empty());
  CHECK(read_link_record("session s-1").sessions.empty());
  CHECK(read_link_record("session s-1\nsession s-1\n").sessions.size() == 1);
  CHECK(read_link_record("w a\nsession s-1\nw ../up\nsession a/b\nw b\n").sessions ==
        std::vector<LinkedSession>{{"s-1", 0, {}}});
  CHECK(rc::check("no text is an error", [](const std::string& text) {
    const LinkRecord record = read_link_record(text);
    RC_ASSERT(read_link_record(encode_link_record(record)) == record);
  }));
}

TEST_CASE("of a commit with very many files the record keeps the sessions and how far they were") {
  LinkRecord record{{}, {{"s-1", 50'000, {}}}, {}};
  for (int i = 0; i < 50'000; ++i) record.sessions[0].paths.push_back("folder/file" + std::to_string(i));
  const LinkRecord read = read_link_record(encode_link_record(record));
  CHECK(read.sessions == std::vector<LinkedSession>{{"s-1", 50'000, {}}});
}
