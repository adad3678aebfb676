#include "clients/transcripts/chunks.hpp"

#include <rapidcheck.h>

#include <catch2/catch.hpp>
#include <cstdio>

#include "git_objects/object.hpp"
#include "model/session.hpp"

using namespace plankeep::clients;

namespace {

using Texts = std::vector<std::string>;

Texts chunks_of(std::string_view transcript, std::size_t limit) {
  const auto chunks = transcript_chunks(transcript, limit);
  REQUIRE(chunks);
  return {chunks->begin(), chunks->end()};
}

std::string join(const std::vector<std::string_view>& chunks) {
  std::string text(chunks.front());
  for (std::size_t i = 1; i < chunks.size(); ++i) text.append("\n").append(chunks[i]);
  return text;
}

}  // namespace

TEST_CASE("a transcript over the limit is cut where Entire cuts it") {
  CHECK(chunks_of("aa\nbb\ncc\n", 6) == Texts{"aa\nbb", "cc\n"});
  CHECK(chunks_of("aa\nbb\ncc", 6) == Texts{"aa\nbb", "cc"});
  CHECK(chunks_of("aaaaa\nbbbbb\n", 6) == Texts{"aaaaa", "bbbbb", ""});
  CHECK_FALSE(transcript_chunks("aa\nbbbbbb\n", 6));
  const auto cut = cut_between_lines("aa\nbb\n", 6);
  REQUIRE(cut);
  CHECK(Texts(cut->begin(), cut->end()) == Texts{"aa\nbb", ""});
}

TEST_CASE("a transcript that the limit holds is one piece") {
  CHECK(chunks_of("aa\nbb\n", 6) == Texts{"aa\nbb\n"});
  CHECK(chunks_of("", 6) == Texts{""});
  CHECK(chunks_of("aaaaaa", 6) == Texts{"aaaaaa"});
}

TEST_CASE("a transcript of 56 MB has the pieces and the hash of Entire's") {
  std::string transcript;
  transcript.reserve(56000000);
  for (int line = 0; line < 700000; ++line) {
    char text[96];
    std::snprintf(text, sizeof text, "%079d\n", line);
    transcript += text;
  }
  CHECK(plankeep::core::content_hash_of(transcript) ==
        "sha256:7d24debc47c2a59438a133ae8236002e07fe1f90f190ccf826230e0cee56e43f");
  const auto chunks = transcript_chunks(transcript);
  REQUIRE(chunks);
  REQUIRE(chunks->size() == 2);
  CHECK((*chunks)[0].size() == 52428799);
  CHECK((*chunks)[1].size() == 3571200);
  const auto blob = [](std::string_view bytes) {
    return plankeep::git::object_id(plankeep::git::ObjectFormat::sha1, plankeep::git::ObjectKind::blob,
                                    bytes);
  };
  CHECK(blob((*chunks)[0]) == "70a847212af5600cb1ca3ee79391a5756b6a60fd");
  CHECK(blob((*chunks)[1]) == "e0449ebd98a8775d3dc8ada81bf42e6878e1c3e0");
}

TEST_CASE("pieces joined are the transcript, and each is under the limit") {
  CHECK(rc::check([] {
    const auto text = *rc::gen::container<std::string>(rc::gen::element('a', 'b', '\n'));
    const auto limit = *rc::gen::inRange<std::size_t>(1, 12);
    const auto chunks = transcript_chunks(text, limit);
    if (!chunks) {
      std::size_t longest = 0;
      for (std::size_t at = 0; at <= text.size();) {
        const std::size_t feed = std::min(text.find('\n', at), text.size());
        longest = std::max(longest, feed + 1 - at);
        at = feed + 1;
      }
      RC_ASSERT(longest > limit);
      return;
    }
    RC_ASSERT(join(*chunks) == text);
    for (const std::string_view chunk : *chunks) RC_ASSERT(chunk.size() <= limit);
  }));
}

TEST_CASE("pieces are named by their numbers") {
  CHECK(chunk_name(0) == "full.jsonl");
  CHECK(chunk_name(1) == "full.jsonl.001");
  CHECK(chunk_name(1000) == "full.jsonl.1000");
}
