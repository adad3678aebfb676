// Notes of sessions on a real disk, beside a real repository.
#include "sessions/activity_files.hpp"

#include <catch2/catch.hpp>
#include <filesystem>

#include "git/repository.hpp"
#include "support/fake_clock.hpp"
#include "support/map_environment.hpp"

using namespace plankeep;
using namespace plankeep::app;
using core::Touch;

namespace {

using base::kDay;

struct NotesDesk {
  test::Repository repo;
  test::FakeClock clock;
  test::MapEnvironment environment;
  Context context{repo.files, clock, environment, &repo.processes};
  std::string top = repo.tree().top;
  std::filesystem::path own = std::filesystem::path(top) / ".git" / "plankeep";

  explicit NotesDesk(bool marked = true) {
    environment.directory = top;
    if (marked) REQUIRE(mark_linking(context, top + "/.git", core::SessionLayout::refs));
  }

  ActivityFiles files() {
    auto found = ActivityFiles::open(context, top);
    REQUIRE(found);
    return *found;
  }
  void touch(const std::string& session, const std::string& path) {
    REQUIRE(files().append(session, core::touched_line(Touch::written, path)));
  }
  std::vector<std::string> touching(const std::vector<std::string>& paths) {
    std::vector<std::string> ids;
    for (const NotedSession& one : files().touching(paths)) ids.push_back(one.id);
    return ids;
  }
  // The disk's own time counts, not the clock's.
  base::Instant now() const {
    const auto since = std::chrono::system_clock::now().time_since_epoch();
    return {std::chrono::duration_cast<std::chrono::milliseconds>(since).count()};
  }
};

using Names = std::vector<std::string>;

}  // namespace

TEST_CASE("without the mark there are no notes, and the mark keeps the layout") {
  NotesDesk desk(false);
  CHECK_FALSE(ActivityFiles::open(desk.context, desk.top));
  CHECK_FALSE(std::filesystem::exists(desk.own));
  CHECK_FALSE(ActivityFiles::possible(desk.context, desk.top + "/src/deep"));
  CHECK_FALSE(ActivityFiles::possible(desk.context, "/"));
  REQUIRE(mark_linking(desk.context, desk.top + "/.git", core::SessionLayout::branch));
  CHECK(desk.files().layout() == core::SessionLayout::branch);
  CHECK(ActivityFiles::possible(desk.context, desk.top + "/src/deep"));
  REQUIRE(mark_linking(desk.context, desk.top + "/.git", core::SessionLayout::refs));
  CHECK(desk.files().layout() == core::SessionLayout::refs);
  desk.touch("s-1", "a");
  REQUIRE(mark_linking(desk.context, desk.top + "/.git", std::nullopt));
  REQUIRE(mark_linking(desk.context, desk.top + "/.git", std::nullopt));
  CHECK_FALSE(ActivityFiles::open(desk.context, desk.top));
  CHECK(std::filesystem::exists(desk.own / "sessions" / "s-1"));
}

TEST_CASE("a session is found by what it touched, until that is committed") {
  NotesDesk desk;
  CHECK_FALSE(desk.files().any());
  desk.touch("s-1", "a");
  desk.touch("s-2", "dir/b");
  CHECK(desk.files().any());
  CHECK(desk.touching({"dir/b", "c"}) == Names{"s-2"});
  CHECK(desk.touching({"a", "dir/b"}) == Names{"s-1", "s-2"});
  CHECK(desk.touching({"b", "dir"}).empty());
  REQUIRE(desk.files().append("s-1", core::committed_line(1, "a")));
  CHECK(desk.touching({"a"}).empty());
}

TEST_CASE("ids that are no file names note nothing") {
  NotesDesk desk;
  for (const char* id : {"", ".", "..", "a/b", "../x", "a\nb"}) {
    CAPTURE(id);
    CHECK_FALSE(desk.files().append(id, core::touched_line(Touch::written, "a")));
    CHECK_FALSE(desk.files().knows(id));
  }
  CHECK_FALSE(desk.files().any());
}

TEST_CASE("a line that a crash tore does not swallow the next one") {
  NotesDesk desk;
  desk.touch("s-1", "a");
  desk.repo.write(".git/plankeep/sessions/s-1", core::touched_line(Touch::written, "a") + "w tor");
  desk.touch("s-1", "b");
  CHECK(desk.touching({"b"}) == Names{"s-1"});
  CHECK(desk.touching({"a"}) == Names{"s-1"});
}

TEST_CASE("notes that grow too large are compacted, and say the same") {
  NotesDesk desk;
  std::string lines;
  while (lines.size() < core::kLargestActivity) lines += core::touched_line(Touch::written, "same/path");
  REQUIRE(desk.files().append("s-1", core::touched_line(Touch::written, "first") + lines));
  CHECK(std::filesystem::file_size(desk.own / "sessions" / "s-1") < 100);
  CHECK(desk.touching({"first"}) == Names{"s-1"});
  CHECK(desk.touching({"same/path"}) == Names{"s-1"});
}

TEST_CASE("a session that ended waits for its commit, and goes on where it is resumed") {
  NotesDesk desk;
  desk.touch("s-1", "a");
  desk.touch("s-2", "b");
  REQUIRE(desk.files().append("s-2", core::committed_line(9, "b")));
  for (const char* id : {"s-1", "s-2", "never"}) REQUIRE(desk.files().end(id, desk.now()));
  // Nothing is left of the one that has nothing to link.
  CHECK_FALSE(std::filesystem::exists(desk.own / "sessions"));
  CHECK_FALSE(std::filesystem::exists(desk.own / "ended-sessions" / "s-2"));
  CHECK(desk.files().any());
  CHECK(desk.touching({"a", "b"}) == Names{"s-1"});
  CHECK(desk.touching({"c"}).empty());
  const auto ended = desk.files().read("s-1");
  REQUIRE(ended);
  REQUIRE(*ended);
  CHECK((*ended)->ended);

  desk.touch("s-1", "c");
  CHECK(std::filesystem::exists(desk.own / "sessions" / "s-1"));
  CHECK_FALSE((*desk.files().read("s-1"))->ended);
  CHECK(desk.touching({"a"}) == Names{"s-1"});
  CHECK(desk.touching({"c"}) == Names{"s-1"});
}

TEST_CASE("after 30 days what was never committed is forgotten, and told of before") {
  NotesDesk desk;
  for (const char* id : {"old", "new", "left"}) desk.touch(id, std::string("of-") + id);
  const base::Instant now = desk.now();
  REQUIRE(desk.files().end("old", now));
  REQUIRE(desk.files().end("new", now));
  const auto age = [&](const char* folder, const char* id, int days) {
    const auto file = desk.own / folder / id;
    std::filesystem::last_write_time(
        file, std::filesystem::file_time_type::clock::now() - std::chrono::hours(24 * days + 1));
  };
  age("ended-sessions", "old", 27);
  age("sessions", "left", 2);
  const auto waiting = desk.files().waiting(now);
  REQUIRE(waiting.size() == 2);
  CHECK(waiting[0].id == "old");
  CHECK(waiting[0].paths == 1);
  CHECK(waiting[0].days_left == 3);
  CHECK(waiting[1].days_left == 30);

  // A session that nobody ended is over after a day.
  REQUIRE(desk.files().tidy(now));
  CHECK_FALSE(std::filesystem::exists(desk.own / "sessions"));
  CHECK(desk.touching({"of-old", "of-new", "of-left"}).size() == 3);

  age("ended-sessions", "old", 31);
  REQUIRE(desk.files().tidy(now));
  CHECK(desk.touching({"of-old"}) == Names{"old"});  // once a day is enough
  REQUIRE(desk.files().tidy({now.milliseconds + 2 * kDay}));
  CHECK(desk.touching({"of-old", "of-new", "of-left"}) == Names{"left", "new"});
}

TEST_CASE("a session that cannot be read does not keep the others from being tidied") {
  NotesDesk desk;
  desk.touch("s-2", "b");
  std::filesystem::create_symlink(desk.top + "/nowhere", desk.own / "sessions" / "s-1");
  CHECK_FALSE(desk.files().tidy({desk.now().milliseconds + 2 * kDay}));
  CHECK(std::filesystem::exists(desk.own / "ended-sessions" / "s-2"));
}

TEST_CASE("links in the place of notes are not followed") {
  NotesDesk desk;
  desk.repo.write("outside", "w a\n");
  std::filesystem::create_directories(desk.own / "sessions");
  std::filesystem::create_symlink(desk.top + "/outside", desk.own / "sessions" / "s-1");
  CHECK_FALSE(desk.files().append("s-1", core::touched_line(Touch::written, "b")));
  CHECK(desk.touching({"a"}).empty());
  CHECK(std::filesystem::file_size(desk.top + "/outside") == 4);
}

TEST_CASE("each work tree has its own notes, and all of them are known from any") {
  NotesDesk desk;
  desk.repo.write("a", "a");
  desk.repo.commit_all("first");
  const std::string tree = desk.repo.folder.path() + "-tree";
  desk.repo.git({"worktree", "add", "-q", tree, "-b", "side"});
  const auto linked = ActivityFiles::open(desk.context, std::filesystem::canonical(tree).string());
  REQUIRE(linked);
  CHECK(ActivityFiles::possible(desk.context, tree));
  REQUIRE(linked->append("s-1", core::touched_line(Touch::written, "a")));
  CHECK(desk.touching({"a"}).empty());
  CHECK(linked->touching({"a"}).size() == 1);
  for (const ActivityFiles& one : {desk.files(), *linked}) {
    const auto all = one.all_work_trees();
    REQUIRE(all.size() == 2);
    CHECK(all.front().git_dir() == one.git_dir());
    CHECK(all.back().top() == (one.git_dir() == linked->git_dir() ? desk.top : linked->top()));
  }
  std::filesystem::remove_all(tree);
}
