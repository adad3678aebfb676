// What stands on shadow branches.
#include "session_store/shadow_store.hpp"

#include <rapidcheck.h>

#include <catch2/catch.hpp>

#include "session_store/written_sessions.hpp"

using namespace plankeep;
using test::WrittenSessions;

namespace {

const std::string kTrailers = "Entire-Metadata: .entire/metadata/s-1\nEntire-Session: s-1\n";

std::string record(const std::string& session, const std::string& metadata, const std::string& task) {
  return std::string(40, 'a') + "\n" + std::string(40, 'b') + "\n\n1700000000\n" + session + "\n" + metadata +
         "\n" + task + "\nAdd two\nmore";
}

}  // namespace

TEST_CASE("a commit is a snapshot by its session and its folder, not by its branch") {
  const auto own = sessions::read_snapshot_record(record("s-1", ".entire/metadata/s-1", ""));
  REQUIRE(own);
  CHECK(own->session_id == "s-1");
  CHECK(own->subject == "Add two");
  CHECK(own->task.empty());
  CHECK(own->time == base::parse_iso8601("2023-11-14T22:13:20Z"));
  const auto task =
      sessions::read_snapshot_record(record("s-1 s-2", "", ".entire/metadata/s-1/tasks/toolu_01"));
  REQUIRE(task);
  CHECK(task->task == "toolu_01");
  CHECK_FALSE(sessions::read_snapshot_record(record("", ".entire/metadata/s-1", "")));
  CHECK_FALSE(sessions::read_snapshot_record(record("..", ".entire/metadata/s-1", "")));
  CHECK_FALSE(sessions::read_snapshot_record(record("s-1", "", "")));
  CHECK_FALSE(sessions::read_snapshot_record(record("s-1", "/etc", "../x")));
  CHECK(rc::check([] { (void)sessions::read_snapshot_record(*rc::gen::arbitrary<std::string>()); }));
}

TEST_CASE("a branch is read from its tip, and what is no snapshot is counted") {
  WrittenSessions repo;
  const std::string tree = repo.raw_tree({repo.file("a.txt", repo.blob("one\n"))});
  const std::string first = repo.commit(tree, {}, "One\n\n" + kTrailers);
  const std::string plain = repo.commit(tree, {first}, "By hand\n");
  const std::string tip = repo.commit(tree, {plain}, "Two\n\n" + kTrailers);
  const auto repository = repo.repository();
  sessions::SessionObjects objects(repo.ask, repository);
  const auto whole = sessions::read_shadow_history(objects, tip, 10);
  REQUIRE(whole);
  REQUIRE(whole->snapshots.size() == 2);
  CHECK(whole->snapshots.front().commit == tip);
  CHECK(whole->snapshots.back().commit == first);
  CHECK(whole->others == 1);
  CHECK(whole->whole);
  CHECK(whole->from_root);
  const auto cut = sessions::read_shadow_history(objects, tip, 2);
  REQUIRE(cut);
  CHECK_FALSE(cut->whole);
  CHECK_FALSE(cut->from_root);
  const std::string merge =
      repo.commit(tree, {tip, repo.commit(tree, {}, "Other\n\n" + kTrailers)}, "Merge\n\n" + kTrailers);
  CHECK_FALSE(sessions::read_shadow_history(objects, merge, 10)->from_root);
}

TEST_CASE("a trailer that goes on in the next line shifts no other value") {
  WrittenSessions repo;
  const std::string tree = repo.raw_tree({repo.file("a.txt", repo.blob("one\n"))});
  const std::string tip =
      repo.commit(tree, {}, "Odd\n\nEntire-Metadata: .entire/metadata/s-1\nEntire-Session: s-1\n and more\n");
  repo.ref("refs/heads/entire/1111111-e3b0c4", tip);
  repo.ref("refs/heads/entire/2222222-e3b0c4", tip);
  const auto repository = repo.repository();
  sessions::SessionObjects objects(repo.ask, repository);
  const auto shadows = sessions::read_shadows(objects);
  REQUIRE(shadows);
  REQUIRE(shadows->size() == 2);
  for (const sessions::ShadowSession& shadow : *shadows) {
    CHECK(shadow.session_id == "s-1");
    CHECK(shadow.subject == "Odd");
  }
  const auto history = sessions::read_shadow_history(objects, tip, 10);
  REQUIRE(history);
  REQUIRE(history->snapshots.size() == 1);
  CHECK(history->snapshots.front().subject == "Odd");
}

TEST_CASE("a snapshot's files are told without .entire, links as links") {
  WrittenSessions repo;
  const std::string blob = repo.blob("one\n");
  const std::string inner = repo.raw_tree({repo.file("b.txt", blob)});
  const std::string tree =
      repo.raw_tree({repo.dir(".entire", inner), repo.file("a.txt", blob), repo.dir("src", inner)});
  const auto repository = repo.repository();
  sessions::SessionObjects objects(repo.ask, repository);
  const auto files = sessions::read_shadow_files(objects, tree);
  REQUIRE(files);
  REQUIRE(files->files.size() == 2);
  CHECK(files->files[0].path == "a.txt");
  CHECK(files->files[1].path == "src/b.txt");
  CHECK(files->refused.empty());
  CHECK(sessions::read_shadow_files(objects, std::string(40, '1')).error().kind ==
        base::ErrorKind::not_found);
  CHECK_FALSE(sessions::read_shadow_files(objects, blob));
}
