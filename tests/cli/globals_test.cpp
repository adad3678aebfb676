#include "cli/globals.hpp"

#include <rapidcheck.h>

#include <catch2/catch.hpp>

#include "cli/program.hpp"

namespace plankeep::cli {
namespace {

using Words = std::vector<std::string>;

TEST_CASE("global options stand in front of the command") {
  const CommandLine line = read_command_line({"-C", "a", "--plan", "x", "-C", "b", "-q", "--color=never",
                                              "--no-pager", "-v", "status", "--check", "-x"});
  REQUIRE_FALSE(line.mistake);
  CHECK(line.command == "status");
  CHECK(line.words == Words{"--check", "-x"});
  CHECK(line.globals.folders == Words{"a", "b"});
  CHECK(line.globals.plan == "x");
  CHECK(line.globals.quiet);
  CHECK(line.globals.verbose);
  CHECK(line.globals.colour == Colour::never);
  CHECK_FALSE(line.globals.pager);
  CHECK_FALSE(line.globals.json);
}

TEST_CASE("of very long words an error repeats the beginning, of others all") {
  const std::string big(10000, 'x');
  CHECK(short_words("no task " + big + " or /a/" + big, std::vector<std::string>{"done", big}) ==
        "no task " + std::string(97, 'x') + "… (10000 bytes) or /a/" + std::string(97, 'x') +
            "… (10000 bytes)");
  CHECK(short_words("bad " + big, std::vector<std::string>{"--id=" + big}).size() < 150);
  CHECK(short_words("no " + big.substr(0, 500), std::vector<std::string>{big.substr(0, 500)}).size() == 503);
}

TEST_CASE("an option --plan=PATH is --plan PATH, and a value may look like an option") {
  CHECK(read_command_line({"--plan=a=b", "next"}).globals.plan == "a=b");
  const CommandLine line = read_command_line({"--plan", "-q", "next"});
  CHECK(line.globals.plan == "-q");
  CHECK_FALSE(line.globals.quiet);
}

TEST_CASE("help and version as options are commands") {
  CHECK(read_command_line({"--help"}).command == "help");
  CHECK(read_command_line({"--no-color", "--version"}).command == "version");
  const CommandLine line = read_command_line({"-h", "status"});
  CHECK(line.command == "help");
  CHECK(line.words == Words{"status"});
}

TEST_CASE("the option --json counts for mistakes wherever it stands, but for texts behind --") {
  CHECK(read_command_line({"status", "--json"}).globals.json);
  CHECK(read_command_line({"--jsn", "status", "--json"}).globals.json);
  CHECK_FALSE(read_command_line({"note", "--", "--json"}).globals.json);
}

TEST_CASE("a mistake in front of the command is told with what was meant") {
  const CommandLine near = read_command_line({"--jsn", "status"});
  REQUIRE(near.mistake);
  CHECK(near.mistake->message == "unknown option --jsn");
  CHECK(near.mistake->hint == "did you mean --json?");
  CHECK(near.words == std::vector<std::string>{"status"});
  CHECK(near.command.empty());
  CHECK(read_command_line({"--check", "status"}).mistake);
  CHECK(read_command_line({"--plan"}).mistake);
  CHECK(read_command_line({"--color", "blue", "status"}).mistake);
}

TEST_CASE("the nearest name is the one that a slip of the hand makes") {
  const std::vector<std::string_view> names{"status", "start", "done", "next", "log"};
  CHECK(nearest("stauts", names) == "status");
  CHECK(nearest("sttaus", names) == "status");
  CHECK(nearest("strt", names) == "start");
  CHECK(nearest("doen", names) == "done");
  CHECK(nearest("lo", names).empty());
  CHECK(nearest("deploy", names).empty());
  CHECK(nearest("", names).empty());
  CHECK(nearest(std::string(100000, 'a'), names).empty());
}

TEST_CASE("a name is nearest to itself") {
  CHECK(rc::check("exact", [] {
    const auto word = *rc::gen::nonEmpty(rc::gen::container<std::string>(rc::gen::inRange('a', 'z')));
    RC_PRE(word.size() <= 64U);
    const std::vector<std::string_view> names{"status", word};
    RC_ASSERT(nearest(word, names) == word);
  }));
}

TEST_CASE("words of other programs have a command") {
  for (const char* word : {"ls", "tick", "undo", "history", "untick", "todo"}) {
    CAPTURE(word);
    CHECK_FALSE(commands_called(word).empty());
  }
  CHECK(commands_called("tick").front() == "done");
  CHECK(commands_called("deploy").empty());
}

}  // namespace
}  // namespace plankeep::cli
