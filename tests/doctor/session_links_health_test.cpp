#include "doctor/session_links_health.hpp"

#include <catch2/catch.hpp>

using namespace plankeep::app;
using Catch::Contains;

TEST_CASE("why the last commit has no session checkpoint") {
  struct Row {
    LastCommitFacts facts;
    Condition condition;
    const char* says;
  };
  LastCommitFacts named;
  named.named = true;
  LastCommitFacts waiting = named;
  waiting.waiting = true;
  LastCommitFacts recorded;
  recorded.recorded = true;
  recorded.sessions = 1;
  LastCommitFacts merge;
  merge.merge = true;
  merge.sessions = 1;
  LastCommitFacts revert;
  revert.revert = true;
  revert.sessions = 1;
  LastCommitFacts off;
  off.switched_off = true;
  off.sessions = 1;
  LastCommitFacts missed;
  missed.sessions = 2;
  for (const Row& row :
       {Row{named, Condition::fine, "names a session checkpoint"},
        Row{waiting, Condition::attention, "not written yet"},
        Row{recorded, Condition::fine, "but the plan's history does"},
        Row{merge, Condition::fine, "merges get none"}, Row{revert, Condition::fine, "reverts get none"},
        Row{off, Condition::fine, "commit.sessionTrailer is false"},
        Row{missed, Condition::attention, "though a session wrote its files"},
        Row{{}, Condition::fine, "no known session wrote its files"}}) {
    const Finding finding = last_commit_finding(row.facts);
    CAPTURE(row.says);
    CHECK(finding.name == "last commit");
    CHECK(finding.condition == row.condition);
    CHECK_THAT(finding.message, Contains(row.says));
    CHECK(finding.remedy.empty() == (row.condition == Condition::fine));
  }
}
