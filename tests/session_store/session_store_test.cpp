// Both engines by one contract; strangers' trees and refs; the list with its cache.

#include "session_store/session_store.hpp"

#include <catch2/catch.hpp>
#include <fstream>

#include "session_store/session_tree.hpp"
#include "session_store/written_sessions.hpp"

using namespace plankeep;
using test::kHexId;
using test::kUlid;
using test::WrittenSessions;

namespace {

// A checkpoint of this id with one readable session.
std::string plain_checkpoint(WrittenSessions& repo, const std::string& id) {
  return repo.golden_checkpoint(id, "/", "0.8.1");
}

bool mentions(const std::vector<std::string>& problems, std::string_view text) {
  return std::any_of(problems.begin(), problems.end(),
                     [&](const std::string& problem) { return problem.find(text) != std::string::npos; });
}

core::SessionRow only_row(WrittenSessions& repo) {
  const auto rows = repo.index()->list({});
  REQUIRE(rows);
  REQUIRE(rows->size() == 1);
  return rows->front();
}

}  // namespace

TEST_CASE("both engines: what is there is listed by id, found, and nothing else is") {
  WrittenSessions repo;
  const std::vector<std::string> ids{"0123456789ab", "a1b2c3d4e5f6", "a1b2c3d4e5f7"};
  const bool refs_layout = GENERATE(true, false);
  if (refs_layout) {
    for (const std::string& id : ids) repo.write_refs(plain_checkpoint(repo, id), id);
  } else {
    const std::string a1 = repo.raw_tree({repo.dir("b2c3d4e5f6", plain_checkpoint(repo, ids[1])),
                                          repo.dir("b2c3d4e5f7", plain_checkpoint(repo, ids[2]))});
    const std::string top = repo.raw_tree(
        {repo.dir("01", repo.raw_tree({repo.dir("23456789ab", plain_checkpoint(repo, ids[0]))})),
         repo.dir("a1", a1), repo.file("vercel.json", repo.blob("{}"))});
    repo.ref("refs/heads/entire/checkpoints/v1", repo.commit(top, {}, "Checkpoint: a1b2c3d4e5f6\n"));
  }
  const auto repository = repo.repository();
  sessions::SessionObjects objects(repo.ask, repository);
  const auto refs = sessions::read_refs(objects);
  REQUIRE(refs);
  auto stores = sessions::stores_of(objects, *refs);
  REQUIRE(stores.size() == 1);
  sessions::SessionStore& store = *stores.front();
  CHECK(store.layout() == (refs_layout ? core::SessionLayout::refs : core::SessionLayout::branch));
  const auto all = store.list();
  REQUIRE(all);
  CHECK(all->problems.empty());
  REQUIRE(all->found.size() == ids.size());
  for (std::size_t i = 0; i < ids.size(); ++i) {
    CHECK(all->found[i].id == ids[i]);
    const auto one = store.find(ids[i]);
    REQUIRE(one);
    REQUIRE(*one);
    CHECK((*one)->tree == all->found[i].tree);
    const auto whole = sessions::read_checkpoint(objects, **one);
    REQUIRE(whole);
    CHECK(whole->problems.empty());
    REQUIRE(whole->sessions.size() == 1);
    CHECK(whole->sessions[0].problems.empty());
  }
  for (const char* none : {"0123456789ac", "fffffffffff0", "01HF7YAT00000G40R40M30E209"}) {
    const auto one = store.find(none);
    REQUIRE(one);
    CHECK_FALSE(*one);
  }
  const auto author = store.author(all->found[1]);
  REQUIRE(author);
  CHECK(author->email == "test@example.com");
}

TEST_CASE("of an id in several places the refs count, then our branch, then origin's") {
  WrittenSessions repo;
  const std::string id(kHexId);
  const auto with_branch = [&](const std::string& name) {
    core::SessionRoot root = test::golden_root(id, "/", "0.8.1");
    root.branch = name;
    return repo.raw_tree({repo.file("metadata.json", repo.blob(core::encode_session_root(root)))});
  };
  const std::string ours = repo.write_branch(with_branch("theirs"));
  repo.ref("refs/remotes/zeta/entire/checkpoints/v1", ours);
  CHECK(only_row(repo).branch == "theirs");
  repo.ref("refs/remotes/origin/entire/checkpoints/v1", repo.write_branch(with_branch("origin")));
  repo.git({"update-ref", "-d", "refs/heads/entire/checkpoints/v1"});
  CHECK(only_row(repo).branch == "origin");
  repo.write_branch(with_branch("ours"));
  CHECK(only_row(repo).branch == "ours");
  repo.write_refs(with_branch("refs"), id);
  CHECK(only_row(repo).branch == "refs");
  repo.git({"update-ref", "-d", core::session_ref(id)});
  CHECK(only_row(repo).branch == "ours");
}

TEST_CASE("refs that only look like checkpoints are told and not read") {
  const std::string id(40, 'a');
  const std::string told = id + " refs/entire/checkpoints/09/01HF7YAT00000G40R40M30E209\n" + id +
                           " refs/entire/checkpoints/xx/01HF7YAT00000G40R40M30E209\n" + id +
                           " refs/entire/checkpoints/v2/x/y\n" + id + " refs/heads/main\n" + id +
                           " refs/heads/entire/0123456-e3b0c4\n" + id + " refs/heads/entire/trails/v1\n" +
                           "garbage\n";
  const sessions::SessionRefs refs = sessions::sort_refs(told);
  CHECK(refs.checkpoints.size() == 1);
  CHECK(refs.problems.size() == 1);
  CHECK(refs.shadows.size() == 1);
  CHECK(refs.heads.size() == 1);
  const auto stamp = [](const std::string& text) { return sessions::stamp_refs(text, ""); };
  CHECK(stamp("").stamp.empty());
  CHECK_FALSE(stamp(told).stamp.empty());
  // Each stamp follows its own refs and no others.
  const std::string other(40, 'b');
  const std::string work = told + other + " refs/heads/work\n";
  CHECK(stamp(work).stamp == stamp(told).stamp);
  CHECK(stamp(work).heads_stamp != stamp(told).heads_stamp);
  const std::string shadow = told + other + " refs/heads/entire/1234567-e3b0c4\n";
  CHECK(stamp(shadow).stamp == stamp(told).stamp);
  CHECK(stamp(shadow).heads_stamp == stamp(told).heads_stamp);
  const std::string branch = told + other + " refs/remotes/origin/entire/checkpoints/v1\n";
  CHECK(stamp(branch).stamp != stamp(told).stamp);
  CHECK(stamp(branch).heads_stamp == stamp(told).heads_stamp);
  CHECK(sessions::stamp_refs(told, other).heads_stamp != stamp(told).heads_stamp);
}

TEST_CASE("of the branches ours comes first, then the elected remote's, then origin's") {
  const std::string id(40, 'a');
  const std::string branch = "/entire/checkpoints/v1\n";
  const std::string told = id + " refs/heads" + branch + id + " refs/remotes/backup" + branch + id +
                           " refs/remotes/origin" + branch + id + " refs/remotes/team" + branch;
  const auto order = [&](std::string_view elected) {
    std::string names;
    for (const sessions::SessionRef& ref : sessions::sort_refs(told, {}, elected).branches)
      names += ref.name.substr(0, ref.name.find("/entire/")).substr(ref.name.find('/') + 1) + " ";
    return names;
  };
  CHECK(order("") == "heads remotes/origin remotes/backup remotes/team ");
  CHECK(order("team") == "heads remotes/team remotes/origin remotes/backup ");
  CHECK(order("origin") == "heads remotes/origin remotes/backup remotes/team ");
}

TEST_CASE("a tree is parsed to its end or refused") {
  using sessions::parse_tree;
  const std::string id(20, '\x01');
  const auto tree =
      parse_tree("100644 a" + std::string(1, '\0') + id + "40000 b" + std::string(1, '\0') + id, 20);
  REQUIRE(tree);
  REQUIRE(tree->size() == 2);
  CHECK((*tree)[1].is_folder());
  CHECK((*tree)[0].id == "0101010101010101010101010101010101010101");
  for (const std::string& bytes :
       {std::string("x"), "100644 a" + std::string(1, '\0') + id.substr(1), std::string("100644 a"),
        std::string(1, '\0'), "1000000000 a" + std::string(1, '\0') + id}) {
    CHECK_FALSE(parse_tree(bytes, 20));
  }
}

TEST_CASE("names that could lead elsewhere are known in every disguise") {
  for (const char* name :
       {"", ".", "..", ".git", ".GIT", ".Git", ".git.", ".git ", ".git . .", "git~1", "GIT~2",
        ".git::$INDEX_ALLOCATION", ".g\xE2\x80\x8Cit", "\xE2\x80\xAE.git", "a/b", "../x"}) {
    CAPTURE(name);
    CHECK(sessions::is_tricky_name(name));
  }
  for (const char* name : {"metadata.json", "0", ".gitignore", "git", "full.jsonl.001", "a b"}) {
    CAPTURE(name);
    CHECK_FALSE(sessions::is_tricky_name(name));
  }
}

TEST_CASE("a hostile checkpoint is told, and what can be read of it is read") {
  WrittenSessions repo;
  const std::string good = repo.golden_slot(test::golden_session(kUlid, "0.8.1"));
  const std::string root = repo.blob(core::encode_session_root(test::golden_root(kUlid, "/", "0.8.1")));
  const std::string link = repo.blob("/etc/passwd");

  SECTION("links, submodules, names twice, tricky names") {
    repo.write_refs(repo.raw_tree({repo.dir("0", good),
                                   {"1", "120000", link},
                                   {"2", "160000", good},
                                   repo.file("metadata.json", root),
                                   repo.file("twice", link),
                                   repo.file("twice", root),
                                   repo.file(".GIT", link),
                                   repo.file("..", link)}));
    const core::SessionRow row = only_row(repo);
    CHECK(row.slots == 1);
    CHECK(row.sessions.size() == 1);
    CHECK(mentions(row.problems, "1: is a symbolic link"));
    CHECK(mentions(row.problems, "2: is a submodule"));
    CHECK(mentions(row.problems, "twice: appears twice"));
    CHECK(mentions(row.problems, ".GIT: is not a name that may be read"));
    CHECK(mentions(row.problems, "..: is not a name that may be read"));
  }
  SECTION("metadata that is a link, a folder, another checkpoint's or no JSON") {
    repo.write_refs(repo.raw_tree({{"metadata.json", "120000", link}}));
    CHECK(mentions(only_row(repo).problems, "metadata.json: is a symbolic link"));
    repo.write_refs(repo.raw_tree({repo.dir("metadata.json", good)}));
    CHECK(mentions(only_row(repo).problems, "metadata.json: missing"));
    repo.write_refs(repo.raw_tree({repo.file(
        "metadata.json", repo.blob(core::encode_session_root(test::golden_root(kHexId, "/", "1"))))}));
    CHECK(mentions(only_row(repo).problems, "belongs to another checkpoint"));
    repo.write_refs(repo.raw_tree({repo.file("metadata.json", repo.blob("{"))}));
    CHECK(mentions(only_row(repo).problems, "metadata.json: "));
    // A file under the mode of a folder, and a folder under that of a file.
    repo.write_refs(repo.raw_tree({repo.dir("0", root), repo.file("metadata.json", good)}));
    const core::SessionRow row = only_row(repo);
    CHECK(mentions(row.problems, "0: is no folder"));
    CHECK(mentions(row.problems, "metadata.json: is no file"));
  }
  SECTION("objects that are not there, refs to no commit") {
    repo.write_refs(repo.raw_tree(
        {repo.dir("0", std::string(40, 'd')), repo.file("metadata.json", std::string(40, 'e'))}));
    const core::SessionRow row = only_row(repo);
    CHECK(mentions(row.problems, "0: is missing from the repository"));
    CHECK(mentions(row.problems, "metadata.json: is missing from the repository"));
    repo.git({"update-ref", core::session_ref(kUlid), link});
    CHECK(mentions(only_row(repo).problems, "is missing from the repository"));
  }
  SECTION("metadata above the limit, too deep, and ten thousand sessions") {
    repo.write_refs(repo.raw_tree({repo.file("metadata.json", repo.blob(std::string(5 << 20, ' ')))}));
    CHECK(mentions(only_row(repo).problems, "metadata.json: is larger than the limit (4 MiB)"));
    repo.write_refs(
        repo.raw_tree({repo.file("metadata.json", repo.blob("{\"a\":" + std::string(100'000, '[') + "}"))}));
    CHECK(mentions(only_row(repo).problems, "nested deeper"));
    std::vector<WrittenSessions::Entry> many;
    for (int i = 0; i <= 10'000; ++i) many.push_back(repo.dir(std::to_string(i), good));
    repo.write_refs(repo.raw_tree(many));
    CHECK(mentions(only_row(repo).problems, "more than 10,000 sessions"));
    many.resize(300);
    many.push_back(repo.file("metadata.json", root));
    repo.write_refs(repo.raw_tree(many));
    CHECK(only_row(repo).sessions.size() == 64);
    const auto whole = repo.index()->read(std::string(kUlid));
    REQUIRE(whole);
    CHECK(whole->sessions.size() == 300);
  }
}

TEST_CASE("folders of the branch that are no checkpoints are told") {
  WrittenSessions repo;
  const std::string checkpoint = plain_checkpoint(repo, std::string(kHexId));
  const std::string shard = repo.raw_tree({repo.dir("b2c3d4e5f6", checkpoint),
                                           repo.dir("xyz", checkpoint),
                                           repo.file("b2c3d4e5f7", repo.blob("x")),
                                           {"b2c3d4e5f8", "120000", repo.blob("/etc")}});
  const std::string top = repo.raw_tree({repo.dir("..", shard),
                                         repo.dir("a1", shard),
                                         {"a2", "160000", shard},
                                         repo.dir("checkpoints", shard)});
  repo.ref("refs/heads/entire/checkpoints/v1", repo.commit(top, {}, "x\n"));
  CHECK(only_row(repo).id == kHexId);
  const auto problems = repo.index()->problems();
  REQUIRE(problems);
  CHECK(mentions(*problems, "a1/xyz: is no session checkpoint"));
  CHECK(mentions(*problems, "a1/b2c3d4e5f7: is no session checkpoint"));
  CHECK(mentions(*problems, "b2c3d4e5f8: is a symbolic link"));
  CHECK(mentions(*problems, "..: is not a name that may be read"));
  CHECK(mentions(*problems, "a2: is a submodule"));
}

TEST_CASE("the list follows what changes, and a cache that is damaged is made anew") {
  WrittenSessions repo;
  const std::string first = plain_checkpoint(repo, std::string(kUlid));
  repo.write_refs(first);
  CHECK(only_row(repo).id == kUlid);
  repo.write_branch(plain_checkpoint(repo, std::string(kHexId)));
  CHECK(repo.index()->list({})->size() == 2);
  repo.git({"update-ref", "-d", core::session_ref(kUlid)});
  CHECK(only_row(repo).id == kHexId);

  const std::string cache = ".git/plankeep/sessions.db";
  REQUIRE(std::filesystem::exists(repo.folder.path_of(cache)));
  const std::string damage = GENERATE(std::string("no database"), std::string(), std::string(4096, '\0'));
  for (const char* end : {"-wal", "-shm"}) std::filesystem::remove(repo.folder.path_of(cache + end));
  repo.write(cache, damage);
  CHECK(only_row(repo).id == kHexId);
  CHECK(repo.index()->not_cached().empty());
  // Somebody else's database, with a link in the place of ours.
  std::filesystem::remove(repo.folder.path_of(cache));
  repo.write("elsewhere", "precious");
  std::filesystem::create_symlink(repo.folder.path_of("elsewhere"), repo.folder.path_of(cache));
  CHECK(only_row(repo).id == kHexId);
  CHECK(repo.bytes_of("elsewhere") == "precious");
}

TEST_CASE("where nothing can be kept the list is made each time") {
  WrittenSessions repo;
  repo.write_refs(plain_checkpoint(repo, std::string(kUlid)));
  repo.write(".git/plankeep", "in the way");
  const auto index = repo.index();
  CHECK_FALSE(index->not_cached().empty());
  CHECK(index->list({})->size() == 1);
}

TEST_CASE("an empty repository has none, and nothing is written there") {
  WrittenSessions repo;
  CHECK(repo.index()->list({})->empty());
  CHECK_FALSE(std::filesystem::exists(repo.folder.path_of(".git/plankeep")));
  const auto outside = sessions::SessionIndex::open(repo.ask, repo.files, "/");
  REQUIRE(outside);
  CHECK_FALSE(*outside);
}

TEST_CASE("queries") {
  WrittenSessions repo;
  core::SessionMetadata session = test::golden_session("aaaaaaaaaaaa", "0.8.1");
  const auto add = [&](const std::string& id, const std::string& agent, const std::string& branch,
                       const std::string& time) {
    session.checkpoint_id = id;
    session.session_id = "s-" + id;
    session.agent = agent;
    session.created_at = time;
    core::SessionRoot root = test::golden_root(id, "/", "0.8.1");
    root.branch = branch;
    repo.write_refs(repo.raw_tree({repo.dir("0", repo.golden_slot(session)),
                                   repo.file("metadata.json", repo.blob(core::encode_session_root(root)))}),
                    id);
  };
  add("aaaaaaaaaaaa", "Claude Code", "main", "2026-01-01T00:00:00Z");
  add("aaaabbbbbbbb", "Gemini CLI", "main", "2026-01-03T00:00:00.123456789Z");
  add("cccccccccccc", "Claude Code", "topic", "2026-01-02T00:00:00+01:00");
  const auto index = repo.index();
  const auto ids = [&](const records::SessionQuery& query) {
    std::string text;
    const auto rows = index->list(query);
    REQUIRE(rows);
    for (const core::SessionRow& row : *rows) text += row.id.substr(0, 5) + " ";
    return text;
  };
  CHECK(ids({}) == "aaaab ccccc aaaaa ");
  CHECK(ids({.limit = 1}) == "aaaab ");
  CHECK(ids({.limit = 0}).empty());
  CHECK(ids({.branch = "main"}) == "aaaab aaaaa ");
  CHECK(ids({.agent = "claude-code"}) == "ccccc aaaaa ");
  CHECK(ids({.agent = "Claude Code"}) == "ccccc aaaaa ");
  CHECK(ids({.agent = "gemini"}) == "aaaab ");
  CHECK(ids({.agent = "x' OR '1'='1"}).empty());
  CHECK(ids({.since = base::parse_iso8601("2026-01-02T00:00:00Z")}) == "aaaab ");
  CHECK(index->resolve("cccc").value() == "cccccccccccc");
  CHECK(index->resolve("s-aaaabbbbbbbb").value() == "aaaabbbbbbbb");
  const auto several = index->resolve("aaaa");
  REQUIRE_FALSE(several);
  CHECK(several.error().kind == base::ErrorKind::ambiguous);
  CHECK(several.error().message.find("aaaaaaaaaaaa") != std::string::npos);
  CHECK(several.error().message.find("aaaabbbbbbbb") != std::string::npos);
  for (const char* none : {"dddd", "aaa", "nothing", "--all", "HEAD", ""}) {
    CAPTURE(none);
    const auto found = index->resolve(none);
    REQUIRE_FALSE(found);
    CHECK(found.error().kind == base::ErrorKind::not_found);
  }
}

TEST_CASE("commits lead to their checkpoint by the trailer, and follow what git rewrites") {
  WrittenSessions repo;
  const std::string id(kHexId);
  const std::string other = "0123456789ab";
  repo.write_refs(plain_checkpoint(repo, id), id);
  repo.write_refs(plain_checkpoint(repo, other), other);
  repo.commit_all("fix: bug\n\nEntire-Checkpoint: " + id);
  const auto head = [&] {
    std::string sha = repo.git({"rev-parse", "HEAD"}).output;
    sha.pop_back();
    return sha;
  };
  const std::string first = head();
  CHECK(repo.index()->resolve("HEAD").value() == id);
  CHECK(repo.index()->links_of(id)->front().commit == first);
  CHECK_FALSE(repo.index()->links_of(id)->front().mentioned);
  repo.commit_all("docs: about Entire-Checkpoint: " + other + "\n\nIn the text only.\n");
  REQUIRE(repo.index()->links_of(other)->size() == 1);
  CHECK(repo.index()->links_of(other)->front().mentioned);
  CHECK(repo.index()->resolve("HEAD").value() == other);
  // Amended: the commit that was is gone, also from the list.
  repo.git({"reset", "-q", "--hard", first});
  repo.git({"commit", "-q", "--amend", "--allow-empty", "-m", "better\n\nEntire-Checkpoint: " + id});
  REQUIRE(repo.index()->links_of(id)->size() == 1);
  CHECK(repo.index()->links_of(id)->front().commit == head());
  CHECK(repo.index()->links_of(other)->empty());
  // A squash keeps all of them.
  repo.commit_all("squash\n\nEntire-Checkpoint: " + id + "\nEntire-Checkpoint: " + other);
  CHECK(repo.index()->links_of(other)->size() == 1);
  const auto several = repo.index()->resolve("HEAD");
  REQUIRE_FALSE(several);
  CHECK(several.error().kind == base::ErrorKind::ambiguous);
  repo.commit_all("nothing");
  CHECK_FALSE(repo.index()->resolve("HEAD"));
}

TEST_CASE("a partial clone is read as far as it goes, and nothing is fetched") {
  WrittenSessions repo;
  repo.write_refs(plain_checkpoint(repo, std::string(kUlid)));
  repo.commit_all("base");
  repo.git({"config", "uploadpack.allowFilter", "true"});
  repo.git({"clone", "-q", "--filter=blob:none", "--no-checkout", "file://" + repo.folder.path(),
            repo.folder.path_of("clone")});
  repo.git({"-C", repo.folder.path_of("clone"), "fetch", "-q", "origin",
            "+refs/entire/checkpoints/*:refs/entire/checkpoints/*"});
  // A remote that tells whether somebody asked it.
  const std::string mark = repo.folder.path_of("asked");
  repo.git({"-C", repo.folder.path_of("clone"), "config", "remote.origin.url", "ext::touch " + mark});
  repo.git({"-C", repo.folder.path_of("clone"), "config", "protocol.ext.allow", "always"});
  auto opened = sessions::SessionIndex::open(repo.ask, repo.files, repo.folder.path_of("clone"));
  if (!opened) FAIL(opened.error().message);
  const auto rows = (*opened)->list({});
  REQUIRE(rows);
  REQUIRE(rows->size() == 1);
  CHECK(rows->front().id == kUlid);
  CHECK(rows->front().slots == 1);
  CHECK(mentions(rows->front().problems, "metadata.json: is missing from the repository"));
  CHECK_FALSE(std::filesystem::exists(mark));
}

TEST_CASE("reading changes nothing in the repository but our own folder") {
  WrittenSessions repo;
  repo.write_refs(plain_checkpoint(repo, std::string(kUlid)));
  repo.write_branch(plain_checkpoint(repo, std::string(kHexId)));
  repo.commit_all("x\n\nEntire-Checkpoint: a1b2c3d4e5f6");
  const auto digest = [&] {
    std::map<std::string, std::string> all;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(repo.folder.path_of(".git"))) {
      const std::string path = entry.path().string();
      if (path.find("/.git/plankeep") != std::string::npos || !entry.is_regular_file()) continue;
      std::ifstream in(path, std::ios::binary);
      all[path] = std::string(std::istreambuf_iterator<char>(in), {});
    }
    return all;
  };
  const auto before = digest();
  const auto index = repo.index();
  REQUIRE(index->list({})->size() == 2);
  const auto whole = index->read(std::string(kHexId));
  REQUIRE(whole);
  REQUIRE(index->resolve("HEAD"));
  CHECK(digest() == before);
}

TEST_CASE("damage in any byte of an object never crashes and never shows another checkpoint") {
  WrittenSessions repo;
  const std::string id(kUlid);
  const std::string root_text = core::encode_session_root(test::golden_root(id, "/", "0.8.1"));
  const std::string session_text = core::encode_session(test::golden_session(id, "0.8.1"));
  for (const bool damage_root : {true, false}) {
    const std::string& text = damage_root ? root_text : session_text;
    for (std::size_t at = 0; at < text.size(); at += 37) {
      std::string damaged = text;
      damaged[at] = static_cast<char>(damaged[at] ^ 0x15);
      const std::string slot =
          repo.raw_tree({repo.file("metadata.json", repo.blob(damage_root ? session_text : damaged))});
      repo.write_refs(repo.raw_tree(
          {repo.dir("0", slot), repo.file("metadata.json", repo.blob(damage_root ? damaged : root_text))}));
      const core::SessionRow row = only_row(repo);
      CHECK(row.id == id);
      const auto whole = repo.index()->read(id);
      REQUIRE(whole);
      if (whole->root && whole->root->checkpoint_id != id) CHECK_FALSE(whole->problems.empty());
    }
  }
}

TEST_CASE("a root that names more or fewer sessions than are there is told") {
  WrittenSessions repo;
  core::SessionRoot root = test::golden_root(kHexId, "/", "0.8.1");
  REQUIRE(root.sessions);
  REQUIRE(root.sessions->size() == 1);
  const auto with_slots = [&](std::size_t count) {
    std::vector<WrittenSessions::Entry> entries;
    const std::string slot = repo.golden_slot(test::golden_session(kHexId, "0.8.1"));
    for (std::size_t i = 0; i < count; ++i) entries.push_back(repo.dir(std::to_string(i), slot));
    entries.push_back(repo.file("metadata.json", repo.blob(core::encode_session_root(root))));
    repo.write_refs(repo.raw_tree(entries), std::string(kHexId));
  };
  with_slots(1);
  CHECK(only_row(repo).problems.empty());
  with_slots(2);
  CHECK(mentions(only_row(repo).problems, "metadata.json: names 1 session, there are 2"));
  root.sessions->push_back(root.sessions->front());
  with_slots(1);
  CHECK(mentions(only_row(repo).problems, "metadata.json: names 2 sessions, there is 1"));
  // A root that names none leaves it to the folders.
  root.sessions->clear();
  with_slots(1);
  CHECK(only_row(repo).problems.empty());
}
