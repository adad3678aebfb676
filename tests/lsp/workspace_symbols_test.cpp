#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "talk.hpp"

namespace plankeep::lsp {
namespace {

const std::string kWall = "- [ ] Build the wall <!-- TASK: wall -->\n";
const std::string kRoof = "- [ ] Build the roof <!-- TASK: roof -->\n";

std::vector<std::string> uris_of(Talk& talk, const std::string& query) {
  std::vector<std::string> all;
  const Json answer = talk.ask("workspace/symbol", {{"query", query}});
  for (const Json& one : answer["result"]) all.push_back(one["location"]["uri"]);
  return all;
}

}  // namespace

TEST_CASE("workspace symbols include plans that are not open, as their files have them") {
  Talk talk;
  CHECK(talk.ask("initialize", {{"capabilities", Json::object()},
                                {"workspaceFolders", {{{"uri", "file:///home/kim"}, {"name", "kim"}}}}})
            .contains("result"));
  talk.desk.plans = {{"/home/kim/plan.md", "- [ ] Build the disk's <!-- TASK: old -->\n"},
                     {"/home/kim/b/plan.md", kRoof},
                     {"/home/kim/gone.md", ""}};
  talk.open(kWall);
  (void)talk.answers();
  // The open one first, with the editor's text.
  CHECK(uris_of(talk, "build") == std::vector<std::string>{kUri, "file:///home/kim/b/plan.md"});
  CHECK(talk.desk.looked_around == std::vector<std::string>{"/home/kim"});
  CHECK(uris_of(talk, "disk").empty());
  CHECK(talk.desk.texts_read == 1);  // a file that was not written is not read again

  talk.desk.plans["/home/kim/b/plan.md"] = "- [ ] Build the door <!-- TASK: door -->\n";
  CHECK(uris_of(talk, "roof").empty());
  CHECK(uris_of(talk, "door").size() == 1);
  // It is open now, and then closed again.
  talk.tell("textDocument/didClose", {{"textDocument", {{"uri", kUri}}}});
  CHECK(uris_of(talk, "disk") == std::vector<std::string>{kUri});
  talk.desk.plans.erase("/home/kim/b/plan.md");
  CHECK(uris_of(talk, "door").empty());
}

TEST_CASE("no more than 500 symbols are listed, and no more plans read than needed") {
  Talk talk;
  talk.begin();
  std::string many;
  for (int i = 0; i < 600; ++i) many += "- [ ] Lay brick <!-- TASK: brick-" + std::to_string(i) + " -->\n";
  talk.desk.plans = {{"/home/kim/a.md", many}, {"/home/kim/b.md", many}};
  talk.open(kWall);
  CHECK(uris_of(talk, "brick") == std::vector<std::string>(500, "file:///home/kim/a.md"));
  CHECK(talk.desk.texts_read == 1);
  CHECK(uris_of(talk, "brick-599").size() == 2);
}

TEST_CASE("closed plans beyond 8 MiB are neither searched nor kept") {
  Talk talk;
  talk.begin();
  const std::string large = "Words. " + std::string(std::size_t{5} << 20, 'x') + "\n\n" + kRoof;
  talk.desk.plans = {{"/home/kim/a.md", large}, {"/home/kim/b.md", large}, {"/home/kim/c.md", large}};
  talk.open(kWall);
  CHECK(uris_of(talk, "roof") == std::vector<std::string>{"file:///home/kim/a.md", "file:///home/kim/b.md"});
  CHECK(talk.desk.texts_read == 2);
}

TEST_CASE("symbols are looked for in the folders that the client names, else around the open plans") {
  Talk named;
  CHECK(named.ask("initialize", {{"capabilities", Json::object()}, {"rootUri", "file:///srv/a%20b"}})
            .contains("result"));
  named.tell("workspace/didChangeWorkspaceFolders",
             {{"event", {{"added", {{{"uri", "file:///srv/c"}}}}, {"removed", Json::array()}}}});
  (void)uris_of(named, "x");
  CHECK(named.desk.looked_around == std::vector<std::string>{"/srv/a b", "/srv/c"});
  named.desk.looked_around.clear();
  named.tell("workspace/didChangeWorkspaceFolders",
             {{"event", {{"added", Json::array()}, {"removed", {{{"uri", "file:///srv/a%20b"}}, 7}}}}});
  (void)uris_of(named, "x");
  CHECK(named.desk.looked_around == std::vector<std::string>{"/srv/c"});

  Talk none;
  none.begin();
  (void)uris_of(none, "x");
  CHECK(none.desk.looked_around.empty());
  none.open(kWall);
  (void)uris_of(none, "x");
  CHECK(none.desk.looked_around == std::vector<std::string>{"/home/kim"});
}

}  // namespace plankeep::lsp
