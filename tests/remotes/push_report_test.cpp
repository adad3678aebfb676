#include "remotes/push_report.hpp"

#include <catch2/catch.hpp>

using namespace plankeep::git;

TEST_CASE("every line of a push report tells what became of a ref") {
  const auto refs = read_push_report(
      "To https://host/x\n"
      "*\tabc:refs/entire/a\t[new reference]\n"
      " \tabc:refs/entire/b\tabc..def\n"
      "=\tabc:refs/entire/c\t[up to date]\n"
      "!\tabc:refs/entire/d\t[rejected] (fetch first)\n"
      "!\tabc:refs/entire/e\t[rejected] (non-fast-forward)\n"
      "!\tabc:refs/entire/f\t[remote rejected] (cannot lock ref 'refs/entire/f': is at)\n"
      "!\tabc:refs/entire/g\t[remote rejected] (pre-receive hook declined)\n"
      "odd\n\tx\n!\tno colon\n"
      "Done\n");
  std::vector<PushOutcome> outcomes;
  for (const PushedRef& one : refs) outcomes.push_back(one.outcome);
  CHECK(outcomes == std::vector<PushOutcome>{PushOutcome::pushed, PushOutcome::pushed,
                                             PushOutcome::up_to_date, PushOutcome::behind,
                                             PushOutcome::behind, PushOutcome::behind, PushOutcome::refused});
  CHECK(refs.back() ==
        PushedRef{"refs/entire/g", PushOutcome::refused, "[remote rejected] (pre-receive hook declined)"});
}

TEST_CASE("what the remote itself said is told apart from what git says") {
  CHECK(lines_of_remote("remote: \nremote: No sessions here.        \nTo https://host/x\n"
                        "error: failed to push some refs\nremote:\nremote:   Ask Ada.\r\n") ==
        std::vector<std::string>{"No sessions here.", "Ask Ada."});
  std::string many;
  for (int i = 0; i < 100; ++i) many += "remote: line\n";
  CHECK(lines_of_remote(many).size() == kMostLinesOfRemote);
}

TEST_CASE("advertised refs are sorted, and lines that are none passed over") {
  const std::string id(40, 'a');
  const auto refs =
      read_advertised_refs(id + "\trefs/b\n" + id + "\trefs/a\n" + id + "\tHEAD\nwarning\trefs/c\n");
  CHECK(refs == std::vector<AdvertisedRef>{{"refs/a", id}, {"refs/b", id}});
}
