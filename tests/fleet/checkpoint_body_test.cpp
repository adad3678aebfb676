#include "fleet/checkpoints/checkpoint_body.hpp"

#include <rapidcheck.h>

#include <catch2/catch.hpp>

#include "model/random_checkpoint.hpp"

using namespace plankeep;

TEST_CASE("a checkpoint is the same after a round trip through its body") {
  CHECK(rc::check([] {
    core::Checkpoint checkpoint = core::random_checkpoint();
    checkpoint.head.id = core::checkpoint_id("cp_abcdef", 1);
    const auto read = fleet::checkpoint_in(fleet::checkpoint_body(checkpoint));
    RC_ASSERT(read.has_value());
    RC_ASSERT(*read == checkpoint);
  }));
}

TEST_CASE("a body with a NUL is a string, any other an object") {
  core::Checkpoint checkpoint;
  checkpoint.head.id = core::checkpoint_id("cp_abcdef", 1);
  CHECK(fleet::checkpoint_body(checkpoint).front() == '{');
  checkpoint.work_state.git_status.branch = std::string("a\0b", 3);
  const std::string body = fleet::checkpoint_body(checkpoint);
  CHECK(body.front() == '"');
  CHECK(fleet::checkpoint_record(body).front() == '{');
  CHECK(fleet::checkpoint_in(body).value() == checkpoint);
}

TEST_CASE("neither form accepts what is not a checkpoint") {
  for (const char* const body : {"", "null", "[]", "\"\"", "\"x\"", "\"\\\"{}\\\"\"", "\"{}"}) {
    INFO(body);
    CHECK(fleet::checkpoint_in(body).error().kind == base::ErrorKind::corrupt);
  }
}

TEST_CASE("columns hold no NUL and no ill-formed bytes") {
  CHECK(fleet::column_text("phase \xc3\xa9") == "phase \xc3\xa9");
  CHECK(fleet::column_text(std::string_view("a\0b", 3)) ==
        "a\xef\xbf\xbd"
        "b");
  CHECK(fleet::column_text("a\xff") == "a\xef\xbf\xbd");
}
