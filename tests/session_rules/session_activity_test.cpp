#include "session_rules/session_activity.hpp"

#include <rapidcheck.h>

#include <catch2/catch.hpp>
#include <set>

using namespace plankeep;
using namespace plankeep::core;

namespace {

const std::string kFirst(40, 'a');
const std::string kSecond(40, 'b');
const std::string kThird(64, 'c');

// A line of any kind; some say nothing.
std::string any_line() {
  const auto path = [] {
    return *rc::gen::element<std::string>("a", "b", "src/a.cpp", "src/b c.cpp", "back\\slash", "line\nfeed",
                                          "\\n", "\xff\xfe", "w a", "../a", "", "a//b", "/a");
  };
  switch (*rc::gen::inRange(0, 15)) {
    case 0:
    case 1:
      return touched_line(Touch::written, path());
    case 2:
      return touched_line(Touch::deleted, path());
    case 3:
      return committed_line(*rc::gen::inRange<std::uint64_t>(0, 30), path());
    case 4:
      return client_line(*rc::gen::element<std::string>("claude-code", "codex", "", "No Name"));
    case 5:
      return transcript_line(*rc::gen::element<std::string>("/tmp/t\n.jsonl", "/t\\", "relative"));
    case 6:
      return prompt_line(base::Instant{*rc::gen::inRange<std::int64_t>(-2, 9)});
    case 7:
      return head_line(*rc::gen::element(kFirst, kSecond, kThird, std::string("HEAD")));
    case 8:
      return position_line(
          {*rc::gen::inRange<std::int64_t>(-1, 5), *rc::gen::inRange<std::int64_t>(-1, 500)});
    case 9:
      return checkpoint_line(
          *rc::gen::element<std::string>("a1b2c3d4e5f6", "01HF7YAT00000G40R40M30E209", "A"));
    case 10:
      return finished_line(*rc::gen::element<std::string>("a1b2c3d4e5f6", "01HF7YAT00000G40R40M30E209"));
    case 11:
      return ended_line(base::Instant{*rc::gen::inRange<std::int64_t>(-1, 9)});
    case 12:
      return "N " + std::to_string(*rc::gen::inRange(0, 60)) + "\n";
    case 13:
      return "c " + *rc::gen::element<std::string>("a", "b", "src/a.cpp") + "\n";
    default:
      return *rc::gen::element<std::string>("X 3\n", "X -1\n", "z a\n", "\n", "w\n", "w \\q\n", "H \n",
                                            "O 1\n");
  }
}

std::string any_text() {
  std::string text;
  for (int lines = *rc::gen::inRange(0, 40); lines > 0; --lines) text += any_line();
  return text;
}

std::vector<std::string> paths_of(const SessionActivity& activity) {
  std::vector<std::string> paths;
  for (const TouchedPath& touched : activity.paths) paths.push_back(touched.path);
  return paths;
}

}  // namespace

TEST_CASE("a session's lines tell its files, its client, its turns and what is linked already") {
  const SessionActivity activity = fold_activity("C claude-code\nT /home/kim/t.jsonl\nP 2000\nH " + kFirst +
                                                 "\nw src/a.cpp\nw b.md\nP 3000\nH " + kFirst +
                                                 "\nd b.md\nO 12 3400\nw src/a.cpp\nH " + kSecond + "\n");
  CHECK(activity.client == "claude-code");
  CHECK(activity.transcript == "/home/kim/t.jsonl");
  CHECK(activity.first_prompt == base::Instant{2000});
  CHECK(activity.last_prompt == base::Instant{3000});
  CHECK(activity.linked == TranscriptPosition{12, 3400});
  CHECK(activity.heads == std::vector{kFirst, kSecond});
  CHECK(activity.paths ==
        std::vector<TouchedPath>{{"b.md", Touch::deleted, 3}, {"src/a.cpp", Touch::written, 4}});
  CHECK(activity.touches == 4);
}

TEST_CASE("a file that a linked commit has is touched again only by another edit") {
  std::string text =
      touched_line(Touch::written, "a") + touched_line(Touch::written, "b") + committed_line(2, "a");
  CHECK(paths_of(fold_activity(text)) == std::vector<std::string>{"b"});
  text += touched_line(Touch::written, "a");
  CHECK(paths_of(fold_activity(text)) == std::vector<std::string>{"b", "a"});
}

TEST_CASE("what is touched again before the commit's checkpoint is written waits for the next commit") {
  const std::string text = "w a\nw b\nw a\n" + committed_line(2, "a") + committed_line(2, "b");
  CHECK(fold_activity(text).paths == std::vector<TouchedPath>{{"a", Touch::written, 3}});
  CHECK(fold_activity(text + committed_line(3, "a")).paths.empty());
  CHECK(fold_activity("w a\nw a\nc a\n").paths.empty());
  CHECK(fold_activity("N 5\nw a\n" + committed_line(5, "a")).paths.size() == 1);
  CHECK(fold_activity("N 5\nN 2\nw a\nN 99999999999999999\n").touches == 6);
}

TEST_CASE("what an interrupted append left is ignored, and the next one stands on its own line") {
  const std::string torn = "w a\nw src/par";
  CHECK(paths_of(fold_activity(torn)) == std::vector<std::string>{"a"});
  CHECK(paths_of(fold_activity(torn + "\nw b\n")) == std::vector<std::string>{"a", "src/par", "b"});
}

TEST_CASE("paths that lead out of the work tree are neither written nor read") {
  for (const std::string path : {"", "/etc/passwd", "..", "../a", "a/../b", "./a", "a//b", "a/"}) {
    CHECK(touched_line(Touch::written, path).empty());
    CHECK(committed_line(1, path).empty());
    CHECK(fold_activity("w " + path + "\n").paths.empty());
  }
  CHECK(touched_line(Touch::written, std::string(4097, 'a')).empty());
  CHECK(touched_line(Touch::written, std::string_view("a\0b", 3)).empty());
  CHECK(touched_line(Touch::written, "..a/.b") == "w ..a/.b\n");
}

TEST_CASE("where room is short the paths touched last stay, and the others are counted") {
  SessionActivity activity;
  for (std::uint64_t i = 0; i < 100; ++i)
    activity.paths.push_back({"file" + std::to_string(i), Touch::written, 3 * i + 1});
  activity.touches = 300;
  const std::string text = activity_text(activity, 200);
  CHECK(text.size() <= 200);
  const SessionActivity kept = fold_activity(text);
  REQUIRE_FALSE(kept.paths.empty());
  CHECK(kept.paths.back().path == "file99");
  CHECK(kept.left_out + kept.paths.size() == 100);
  CHECK(kept.paths.back() == activity.paths.back());
  CHECK(kept.paths.front() == activity.paths[100 - kept.paths.size()]);
  CHECK(kept.touches == 300);
  CHECK(fold_activity(activity_text(activity)) == activity);
}

TEST_CASE("the commit that a session began at stays, however many turns follow") {
  std::string text = head_line(kFirst);
  for (std::size_t i = 0; i < 3 * kMostHeads; ++i) text += head_line(i % 2 == 0 ? kSecond : kThird);
  const SessionActivity activity = fold_activity(text);
  CHECK(activity.heads.size() == kMostHeads);
  CHECK(activity.heads.front() == kFirst);
  CHECK(activity.heads.back() == kThird);
  CHECK(fold_activity(activity_text(activity)) == activity);
}

TEST_CASE("of more heads than stay none is there twice in a row") {
  std::string text;
  for (std::size_t i = 0; i < 2 * kMostHeads + 1; ++i) text += head_line(i % 2 == 0 ? kFirst : kSecond);
  const SessionActivity activity = fold_activity(text);
  CHECK(activity.heads.size() <= kMostHeads);
  for (std::size_t i = 1; i < activity.heads.size(); ++i) CHECK(activity.heads[i] != activity.heads[i - 1]);
  CHECK(fold_activity(activity_text(activity)) == activity);
}

TEST_CASE("the shorter text says the same, whatever is appended to it") {
  CHECK(rc::check([] {
    const std::string before = any_text();
    const std::string after = any_text();
    const std::string shorter = activity_text(fold_activity(before));
    RC_ASSERT(fold_activity(shorter) == fold_activity(before));
    RC_ASSERT(fold_activity(shorter + after) == fold_activity(before + after));
    RC_ASSERT(activity_text(fold_activity(shorter)) == shorter);
  }));
}

TEST_CASE("every path that can be one is read as it was written") {
  CHECK(rc::check([](const std::string& path) {
    const std::string line = touched_line(Touch::deleted, path);
    if (line.empty()) return;
    RC_ASSERT(line.find('\n') == line.size() - 1);
    RC_ASSERT(fold_activity(line).paths == (std::vector<TouchedPath>{{path, Touch::deleted, 1}}));
  }));
}

TEST_CASE("of any bytes, paths stay inside, and each is there once") {
  CHECK(rc::check([] {
    const auto bytes = *rc::gen::container<std::string>(rc::gen::element('w', 'd', 'c', 'k', 'N', 'C', 'T',
                                                                         'P', 'H', 'O', 'X', ' ', '\n', '\\',
                                                                         'n', '/', '.', '1', '\0', 'a'));
    const SessionActivity activity = fold_activity(bytes);
    std::set<std::string> seen;
    for (const TouchedPath& touched : activity.paths) {
      RC_ASSERT(seen.insert(touched.path).second);
      RC_ASSERT_FALSE(touched.path.empty());
      RC_ASSERT(touched.path.front() != '/');
      RC_ASSERT(("/" + touched.path + "/").find("/../") == std::string::npos);
    }
    RC_ASSERT(fold_activity(activity_text(activity)) == activity);
  }));
}

TEST_CASE("a session that ended runs again with the next prompt or edit") {
  const std::string ended = prompt_line(base::Instant{5}) + ended_line(base::Instant{7});
  CHECK(fold_activity(ended).ended == base::Instant{7});
  CHECK_FALSE(fold_activity(ended + prompt_line(base::Instant{9})).ended);
  CHECK_FALSE(fold_activity(ended + touched_line(Touch::written, "a")).ended);
  CHECK(fold_activity(ended + committed_line(1, "a")).ended == base::Instant{7});
}

TEST_CASE("a checkpoint is unfinished until it is finished, and the oldest are forgotten") {
  const std::string one = "a1b2c3d4e5f6";
  const std::string other = "01HF7YAT00000G40R40M30E209";
  const std::string both = checkpoint_line(one) + checkpoint_line(other);
  CHECK(fold_activity(both).unfinished == std::vector<std::string>{one, other});
  CHECK(fold_activity(both + finished_line(one)).unfinished == std::vector<std::string>{other});
  CHECK(fold_activity(both + checkpoint_line(one)).unfinished == std::vector<std::string>{other, one});
  CHECK(fold_activity("K nothing\nK A1B2C3D4E5F6\n").unfinished.empty());
  std::string many;
  for (int i = 0; i < 70; ++i) many += checkpoint_line("0000000000" + std::to_string(10 + i));
  CHECK(fold_activity(many).unfinished.size() == kMostUnfinished);
  CHECK(fold_activity(many).unfinished.front() == "000000000016");
}
