#include "markdown/generated_ids.hpp"

#include <catch2/catch.hpp>

using plankeep::markdown::lasting_heading;
using plankeep::markdown::leading_id;
using plankeep::markdown::UniqueIds;

TEST_CASE("an id at the beginning of a title is found") {
  CHECK(leading_id("T001 Create") == "T001");
  CHECK(leading_id("T001: Create") == "T001");
  CHECK(leading_id("US-001 Sign in") == "US-001");
  CHECK(leading_id("FR-3 Export") == "FR-3");
  CHECK(leading_id("T12 Import") == "T12");
  CHECK(leading_id("1.2 Parser") == "1.2");
  CHECK(leading_id("2.3.1 Tabs") == "2.3.1");
  CHECK(leading_id("3.1. Parse") == "3.1");
  CHECK(leading_id("1. Set up") == "1");
  CHECK(leading_id("2) Build") == "2");
  CHECK(leading_id("T001") == "T001");
}

TEST_CASE("names of things are no ids") {
  for (const char* title :
       {"S3 bucket", "H2 database", "3 bears", "The rest, as T999 says", "sha256 of it", "", "T", "T001x",
        "1.5x faster", "2024", "T001/T002", "3.14159-ish", "V8 engine"}) {
    INFO(title);
    CHECK(leading_id(title).empty());
  }
}

TEST_CASE("what comes and goes in a heading is no part of its words") {
  CHECK(lasting_heading("Phase 1: Setup [checkpoint: 4f2a9c1]") == "Phase 1: Setup");
  CHECK(lasting_heading("Phase 1: Setup [checkpoint: ]") == "Phase 1: Setup");
  CHECK(lasting_heading("[x] Phase 1: Setup") == "Phase 1: Setup");
  CHECK(lasting_heading("[~] Phase 1") == "Phase 1");
  for (const char* title :
       {"Phase 1: Setup", "[API] Phase", "[checkpoint: 1]", "[x]", "[x] ", "Use [checkpoint: x] here", ""}) {
    CHECK(lasting_heading(title) == title);
  }
}

TEST_CASE("a name that is taken gets the next number") {
  UniqueIds ids;
  CHECK(ids.take("a") == "a");
  CHECK(ids.take("a") == "a-2");
  CHECK(ids.take("a-2") == "a-2-2");
  CHECK(ids.take("a") == "a-3");
  ids.reserve("b");
  CHECK(ids.take("b") == "b-2");
}
