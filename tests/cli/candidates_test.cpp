#include "cli/candidates.hpp"

#include <algorithm>
#include <catch2/catch.hpp>

namespace plankeep::cli {
namespace {

using Words = std::vector<std::string>;

const std::vector<ArgumentSketch> kDone{{{"--plan"}, "PATH", false}, {{"--by"}, "ACTOR", false},
                                        {{"--json"}, "", false},     {{"-n", "--lines"}, "N", false},
                                        {{"--to"}, "a|b", false},    {{}, "ID", true}};

Wanted wanted(Words words, const std::vector<ArgumentSketch>& arguments = kDone) {
  return wanted_at_end(read_typed_line(std::move(words)), arguments);
}

TEST_CASE("a line without a command wants one, or a global option") {
  CHECK(wanted({""}, {}).kinds == Words{"commands"});
  CHECK(wanted({"-q", "--plan", "x", "sta"}, {}).kinds == Words{"commands"});
  const Words options = wanted({"--"}, {}).words;
  CHECK(std::find(options.begin(), options.end(), "--no-pager") != options.end());
  CHECK(wanted({"--color", ""}, {}).words == Words{"auto", "always", "never"});
  CHECK(wanted({"--plan", ""}, {}).files);
}

TEST_CASE("an option's value is what the option takes") {
  CHECK(wanted({"done", "--by", ""}).kinds == Words{"actors"});
  CHECK(wanted({"done", "--to", ""}).words == Words{"a", "b"});
  CHECK(wanted({"done", "--plan", ""}).kinds == Words{"plans"});
  CHECK(wanted({"done", "--plan="}).files);
  CHECK(wanted({"done", "--by=ma"}).kinds == Words{"actors"});
  CHECK(wanted({"done", "--by=ma"}).prefix == "--by=");
  CHECK(wanted({"done", "--json=x"}).words.empty());
  CHECK(wanted({"done", "-n", ""}).kinds.empty());
}

TEST_CASE("of a list of values the last is being typed") {
  const std::vector<ArgumentSketch> add{{{"--after"}, "ID,...", false}};
  CHECK(wanted({"add", "x", "--after", "a,b"}, add).kinds == Words{"tasks"});
  CHECK(wanted({"add", "x", "--after", "a,b"}, add).prefix == "a,");
  CHECK(wanted({"add", "x", "--after=a,b,"}, add).prefix == "--after=a,b,");
}

TEST_CASE("what is no option is the next argument") {
  CHECK(wanted({"done", ""}).kinds == Words{"tasks"});
  CHECK(wanted({"done", "--json", "a", "b", ""}).kinds == Words{"tasks"});
  CHECK(wanted({"verify", ""}).kinds == Words{"criteria"});
  const std::vector<ArgumentSketch> two{{{}, "create|list", false}, {{}, "CHECKPOINT", false}};
  CHECK(wanted({"x", ""}, two).words == Words{"create", "list"});
  CHECK(wanted({"x", "list", ""}, two).kinds == Words{"checkpoints"});
  CHECK(wanted({"x", "list", "y", ""}, two).kinds.empty());
}

TEST_CASE("of session, the action says what may follow it") {
  const std::vector<ArgumentSketch> session{{{}, "show|why|push|fetch", false}, {{}, "ID", true}};
  CHECK(wanted({"session", "show", ""}, session).kinds == Words{"sessions", "recorded sessions", "commits"});
  CHECK(wanted({"session", "show", "a1b2", ""}, session).kinds.empty());
  CHECK(wanted({"session", "why", ""}, session).files);
  CHECK(wanted({"session", "push", ""}, session).kinds == Words{"remotes"});
  CHECK(wanted({"session", "fetch", "a1b2", ""}, session).kinds == Words{"sessions", "remotes"});
}

TEST_CASE("behind two dashes nothing is an option") {
  CHECK(wanted({"done", "--", "-"}).kinds == Words{"tasks"});
  CHECK(wanted({}).kinds == Words{"commands"});
}

}  // namespace
}  // namespace plankeep::cli
