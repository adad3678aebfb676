#include "git/object_writer.hpp"

#include <rapidcheck.h>

#include <catch2/catch.hpp>

#include "git/repository.hpp"
#include "git_objects/commit_object.hpp"
#include "git_objects/tree_change.hpp"

using namespace plankeep;
using namespace plankeep::git;
using test::Repository;

namespace {

const std::string kRef = "refs/entire/checkpoints/f6/a1b2c3d4e5f6";

ObjectWriter writer_of(Repository& repo) {
  auto writer = ObjectWriter::open(repo.ask, repo.tree());
  REQUIRE(writer);
  return std::move(*writer);
}

void store(ObjectWriter& writer, Pack pack) {
  const auto stored = writer.store(std::move(pack));
  if (!stored) FAIL(stored.error().message);
}

std::string add_commit(Pack& pack, const std::string& tree, std::vector<std::string> parents = {}) {
  const Signature who{"Test User", "test@example.com", 1700000000, 0};
  return pack.add(ObjectKind::commit, commit_bytes({tree, std::move(parents), who, who, "x\n"}));
}

std::string add_files(Pack& pack, const std::map<std::string, std::string>& files) {
  TreeChanges changes;
  for (const auto& [path, text] : files) changes.put_file(path, pack.add(ObjectKind::blob, text));
  const auto tree = change_tree("", changes, {}, pack);
  REQUIRE(tree);
  return *tree;
}

RefOutcome update(ObjectWriter& writer, const std::vector<RefUpdate>& updates) {
  const auto outcome = writer.update(updates);
  if (!outcome) FAIL(outcome.error().message);
  return *outcome;
}

std::string told(Repository& repo, const std::vector<std::string>& words) {
  return repo.git(words).output;
}

Repository& with_format(Repository& repo, const std::string& format) {
  repo.git({"init", "-q", "-b", "main", "--object-format=" + format});
  return repo;
}

}  // namespace

TEST_CASE("git takes what we made and finds nothing wrong with it, in both formats, loose and packed") {
  for (const char* format : {"sha1", "sha256"}) {
    for (const std::size_t files : {std::size_t{3}, kKeepPackObjects}) {
      INFO(format << ", " << files);
      Repository repo(false);
      ObjectWriter writer = writer_of(with_format(repo, format));
      Pack pack(writer.format());
      std::map<std::string, std::string> texts;
      for (std::size_t i = 0; i < files; ++i) texts["a/" + std::to_string(i)] = "text " + std::to_string(i);
      texts["empty"] = "";
      texts["long"] = std::string(60000, 'x');
      const std::string commit = add_commit(pack, add_files(pack, texts));
      store(writer, std::move(pack));
      CHECK(update(writer, {{kRef, commit, ""}}) == RefOutcome::done);
      repo.git({"fsck", "--strict", "--full", "--no-dangling"});
      for (const auto& [path, text] : texts)
        CHECK(told(repo, {"show", kRef + ":" + path}).size() == text.size());
      CHECK(told(repo, {"count-objects", "-v"}).find(files < 10 ? "packs: 0" : "packs: 1") !=
            std::string::npos);
    }
  }
}

TEST_CASE("any file of any size comes out of git as it went in") {
  Repository repo;
  ObjectWriter writer = writer_of(repo);
  CHECK(rc::check([&] {
    std::string bytes = *rc::gen::arbitrary<std::string>();
    // Around the size of a stored block, where a mistake would sit.
    const auto more = *rc::gen::element<std::size_t>(0, 1, 65534, 65535, 65536, 131070, 131071);
    bytes.resize(bytes.size() + more, '\xff');
    Pack pack(writer.format());
    const std::string id = pack.add(ObjectKind::blob, bytes);
    RC_ASSERT(writer.store(std::move(pack)).has_value());
    const auto read = writer.read({id});
    RC_ASSERT(read.has_value());
    RC_ASSERT(read->front().has_value());
    RC_ASSERT(read->front()->bytes == bytes);
    RC_ASSERT(read->front()->kind == "blob");
  }));
}

TEST_CASE("a large pack is kept as it is") {
  Repository repo;
  ObjectWriter writer = writer_of(repo);
  Pack pack(writer.format());
  const std::string id = pack.add(ObjectKind::blob, std::string(kKeepPackBytes, 'x'));
  store(writer, std::move(pack));
  CHECK(told(repo, {"count-objects", "-v"}).find("packs: 1") != std::string::npos);
  CHECK(told(repo, {"cat-file", "-s", id}) == std::to_string(kKeepPackBytes) + "\n");
}

TEST_CASE("objects are read by name, and what is not there is nothing") {
  Repository repo;
  repo.write("a/b.txt", "text\n");
  repo.commit_all();
  ObjectWriter writer = writer_of(repo);
  const auto read = writer.read({"refs/heads/main", "refs/heads/main^{tree}", "refs/heads/main:a",
                                 "refs/heads/main:a/b.txt", "refs/heads/main:c", "refs/heads/none"});
  REQUIRE(read);
  REQUIRE(read->size() == 6);
  CHECK((*read)[0]->kind == "commit");
  CHECK((*read)[1]->kind == "tree");
  CHECK((*read)[2]->kind == "tree");
  CHECK((*read)[3]->bytes == "text\n");
  CHECK_FALSE((*read)[4]);
  CHECK_FALSE((*read)[5]);
}

TEST_CASE("refs change together, or none of them, and only while they are what they were") {
  Repository repo;
  ObjectWriter writer = writer_of(repo);
  Pack pack(writer.format());
  const std::string tree = add_files(pack, {{"x", "x"}});
  const std::string first = add_commit(pack, tree);
  const std::string second = add_commit(pack, tree, {first});
  store(writer, std::move(pack));
  const std::string other = "refs/entire/checkpoints/00/000000000000";
  CHECK(update(writer, {{kRef, first, ""}, {other, first, ""}}) == RefOutcome::done);
  CHECK(update(writer, {{kRef, second, ""}}) == RefOutcome::moved);
  CHECK(update(writer, {{kRef, second, second}}) == RefOutcome::moved);
  CHECK(update(writer, {{kRef, second, first}, {other, second, second}}) == RefOutcome::moved);
  CHECK(told(repo, {"rev-parse", kRef, other}) == first + "\n" + first + "\n");
  CHECK(update(writer, {{kRef, second, first}, {other, second, first}}) == RefOutcome::done);
  CHECK(told(repo, {"rev-parse", kRef, other}) == second + "\n" + second + "\n");
}

TEST_CASE("a ref is never set to an object that git does not have") {
  Repository repo;
  ObjectWriter writer = writer_of(repo);
  CHECK(update(writer, {{kRef, std::string(40, '1'), ""}}) == RefOutcome::moved);
  CHECK(repo.try_git({"rev-parse", "--verify", "-q", kRef}).status != 0);
}

TEST_CASE("a lock that was left behind is a ref that others write") {
  Repository repo;
  ObjectWriter writer = writer_of(repo);
  Pack pack(writer.format());
  const std::string commit = add_commit(pack, add_files(pack, {{"x", "x"}}));
  store(writer, std::move(pack));
  repo.write(".git/" + kRef + ".lock", "");
  CHECK(update(writer, {{kRef, commit, ""}}) == RefOutcome::moved);
}

TEST_CASE("a ref below another is refused, not tried again") {
  Repository repo;
  ObjectWriter writer = writer_of(repo);
  Pack pack(writer.format());
  const std::string commit = add_commit(pack, add_files(pack, {{"x", "x"}}));
  store(writer, std::move(pack));
  CHECK(update(writer, {{kRef, commit, ""}}) == RefOutcome::done);
  const auto below = writer.update({{kRef + "/x", commit, ""}});
  REQUIRE_FALSE(below);
  CHECK(below.error().kind == base::ErrorKind::io);
}

TEST_CASE("a symbolic ref in the place of ours does not move the branch that it names") {
  Repository repo;
  repo.write("a", "a");
  repo.commit_all();
  const std::string head = told(repo, {"rev-parse", "main"});
  ObjectWriter writer = writer_of(repo);
  Pack pack(writer.format());
  const std::string commit = add_commit(pack, add_files(pack, {{"x", "x"}}));
  store(writer, std::move(pack));
  repo.git({"symbolic-ref", kRef, "refs/heads/main"});
  CHECK(update(writer, {{kRef, commit, head.substr(0, 40)}}) == RefOutcome::done);
  CHECK(told(repo, {"rev-parse", "main"}) == head);
  CHECK(told(repo, {"rev-parse", kRef}) == commit + "\n");
}

TEST_CASE("what is no name of a ref never reaches git") {
  Repository repo;
  ObjectWriter writer = writer_of(repo);
  const std::string id(40, '1');
  for (const std::string& ref : {std::string("refs/x\ndelete refs/heads/main"), std::string("HEAD"),
                                 std::string("refs/a b"), std::string()}) {
    CHECK_FALSE(writer.update({{ref, id, ""}}));
  }
  CHECK_FALSE(writer.update({{kRef, "main", ""}}));
  CHECK_FALSE(writer.update({{kRef, id, "main"}}));
}

TEST_CASE("nothing of the user's changes when objects and refs are written") {
  Repository repo;
  repo.leave_changes();
  repo.write("new", "n");
  const std::string branches = told(repo, {"for-each-ref", "refs/heads"});
  const std::string before = repo.users_own();
  ObjectWriter writer = writer_of(repo);
  Pack pack(writer.format());
  const std::string commit = add_commit(pack, add_files(pack, {{"x", "x"}}));
  store(writer, std::move(pack));
  CHECK(update(writer, {{kRef, commit, ""}}) == RefOutcome::done);
  CHECK(repo.users_own() == before);
  CHECK(told(repo, {"for-each-ref", "refs/heads"}) == branches);
  CHECK(update(writer, {{"refs/heads/entire/checkpoints/v1", commit, ""}}) == RefOutcome::done);
  CHECK_FALSE(std::filesystem::exists(repo.folder.path_of(".git/logs/refs/heads/entire")));
}

TEST_CASE("a commit that a careless writer threw away is not reached") {
  Repository repo;
  ObjectWriter writer = writer_of(repo);
  Pack pack(writer.format());
  const std::string tree = add_files(pack, {{"x", "x"}});
  const std::string first = add_commit(pack, tree);
  const std::string ours = add_commit(pack, tree, {first});
  const std::string theirs = add_commit(pack, add_files(pack, {{"x", "y"}}), {first});
  store(writer, std::move(pack));
  const auto unreached = [&](const std::vector<std::string>& tips) {
    const auto found = writer.unreached({first, ours}, tips);
    REQUIRE(found);
    return *found;
  };
  CHECK(unreached({ours}).empty());
  CHECK(unreached({theirs}) == std::vector{ours});
  CHECK(unreached({theirs, ours}).empty());
  CHECK(unreached({}) == std::vector{first, ours});
}

TEST_CASE("what commits changed is told for each of them") {
  Repository repo;
  ObjectWriter writer = writer_of(repo);
  Pack pack(writer.format());
  const std::string first = add_commit(pack, add_files(pack, {{"a", "1"}, {"b", "1"}}));
  const std::string same = add_commit(pack, add_files(pack, {{"a", "1"}, {"b", "1"}}), {first});
  const std::string third = add_commit(pack, add_files(pack, {{"a", "1"}, {"b", "2"}, {"c\n", "1"}}), {same});
  store(writer, std::move(pack));
  const auto changed = writer.changed_paths({third, same, first});
  REQUIRE(changed);
  CHECK(*changed == std::vector<std::vector<std::string>>{{"b", "c\n"}, {}, {"a", "b"}});
  CHECK_FALSE(writer.changed_paths({std::string(40, '1')}));
}

TEST_CASE("what a partial clone left at its remote is not fetched by looking for it") {
  Repository origin;
  origin.write("a", "text of a file that the clone does not have\n");
  origin.commit_all();
  origin.git({"config", "uploadpack.allowFilter", "true"});
  const std::string blob = told(origin, {"rev-parse", "main:a"}).substr(0, 40);
  Repository clone(false);
  clone.git({"clone", "-q", "--no-checkout", "--filter=blob:none", "file://" + origin.folder.path(), "."});
  ObjectWriter writer = writer_of(clone);
  const auto read = writer.read({"refs/heads/main:a"});
  if (read) CHECK_FALSE(read->front());
  const std::string missing = told(clone, {"rev-list", "--objects", "--missing=print", "main"});
  CHECK(missing.find("?" + blob) != std::string::npos);
  // It writes all the same.
  Pack pack(writer.format());
  const std::string commit = add_commit(pack, add_files(pack, {{"x", "x"}}));
  store(writer, std::move(pack));
  CHECK(update(writer, {{kRef, commit, ""}}) == RefOutcome::done);
}
