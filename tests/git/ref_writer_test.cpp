// The whole turn, with others who write the same ref at the same time and processes that are killed on the
// way.

#include "git/ref_writer.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <csignal>
#include <set>

#include "git/push_queue.hpp"
#include "git/repository.hpp"
#include "git_objects/commit_object.hpp"

using namespace plankeep;
using namespace plankeep::git;
using test::Repository;

namespace {

const std::string kBranch = "refs/heads/entire/checkpoints/v1";

// Puts one file into the tree, beside what is there.
base::Result<RefWritten> write_file(system::Processes& processes, system::FileSystem& files,
                                    const WorkTree& tree, const std::string& path, bool is_new = false) {
  Git git(processes, files, std::chrono::minutes(1));
  TRY_ASSIGN(ObjectWriter objects, ObjectWriter::open(git, tree));
  RefWriter refs(objects, files);
  const std::string folder = path.substr(0, path.find('/'));
  return refs.write(
      {kBranch, {folder, path}, is_new}, [&](const RefState& now, Pack& pack) -> base::Result<std::string> {
        TreeChanges changes;
        changes.put_file(path, pack.add(ObjectKind::blob, path));
        TRY_ASSIGN(const std::string root, change_tree(now.tree, changes, now.trees, pack));
        if (root == now.tree) return std::string();
        std::vector<std::string> parents;
        if (!now.tip.empty()) parents.push_back(now.tip);
        const Signature who{"Test User", "test@example.com", 1700000000, 0};
        return pack.add(ObjectKind::commit, commit_bytes({root, parents, who, who, path + "\n"}));
      });
}

RefWritten written(Repository& repo, const std::string& path, bool is_new = false) {
  auto done = write_file(repo.processes, repo.files, repo.tree(), path, is_new);
  if (!done) FAIL(done.error().message);
  return *done;
}

std::set<std::string> files_in(Repository& repo) {
  std::set<std::string> files;
  const std::string listed = repo.git({"ls-tree", "-r", "--name-only", kBranch}).output;
  for (std::size_t at = 0; at < listed.size();) {
    const std::size_t end = listed.find('\n', at);
    files.insert(listed.substr(at, end - at));
    at = end + 1;
  }
  return files;
}

// Ends this process with SIGKILL before or behind the n-th process that it starts.
class Killed : public system::PosixProcesses {
 public:
  Killed(int count, bool before) : left_(count), before_(before) {}
  base::Result<std::unique_ptr<system::RunningProcess>> start(const system::Run& run) override {
    const bool now = --left_ == 0;
    if (now && before_) (void)::raise(SIGKILL);
    if (!now) return system::PosixProcesses::start(run);
    auto done = system::PosixProcesses::run(run);
    (void)::raise(SIGKILL);
    return base::fail(done ? base::ErrorKind::internal : done.error().kind, "not killed");
  }

 private:
  int left_;
  bool before_;
};

int ended(pid_t child) {
  int status = 0;
  REQUIRE(::waitpid(child, &status, 0) == child);
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

}  // namespace

TEST_CASE("files of several turns stand side by side on the ref") {
  Repository repo;
  const RefWritten first = written(repo, "a1/x", true);
  CHECK(first.before.empty());
  const RefWritten second = written(repo, "a1/y");
  CHECK(second.before == first.commit);
  CHECK(second.tries == 1);
  written(repo, "b2/z");
  CHECK(files_in(repo) == std::set<std::string>{"a1/x", "a1/y", "b2/z"});
  repo.git({"fsck", "--strict", "--full"});
}

TEST_CASE("linked work trees write the same ref under the same lock") {
  Repository repo;
  repo.write("a", "a");
  repo.commit_all();
  repo.git({"worktree", "add", "-q", repo.folder.path_of("linked"), "-b", "other"});
  written(repo, "a1/x");
  const auto linked = repo.ask.work_tree(repo.folder.path_of("linked"));
  REQUIRE(linked);
  REQUIRE(*linked);
  const auto done = write_file(repo.processes, repo.files, **linked, "a1/y");
  REQUIRE(done);
  CHECK(files_in(repo) == std::set<std::string>{"a1/x", "a1/y"});
  const std::string locks = "entire-persistent-ref-locks";
  CHECK(std::filesystem::exists(repo.folder.path_of(".git/" + locks)));
  CHECK_FALSE(std::filesystem::exists(repo.folder.path_of(".git/worktrees/linked/" + locks)));
}

TEST_CASE("what is there already is not written again") {
  Repository repo;
  written(repo, "a1/x");
  const RefWritten again = written(repo, "a1/x");
  CHECK(again.commit.empty());
  CHECK(repo.git({"rev-list", "--count", kBranch}).output == "1\n");
}

TEST_CASE("a ref that was to be new and is there is built upon") {
  Repository repo;
  written(repo, "a1/x", true);
  const RefWritten second = written(repo, "a1/y", true);
  CHECK(second.tries == 2);
  CHECK(files_in(repo) == std::set<std::string>{"a1/x", "a1/y"});
}

TEST_CASE("the error of the maker comes back, and nothing is written") {
  Repository repo;
  ObjectWriter objects = *ObjectWriter::open(repo.ask, repo.tree());
  RefWriter refs(objects, repo.files);
  const auto done = refs.write({kBranch}, [](const RefState&, Pack& pack) -> base::Result<std::string> {
    pack.add(ObjectKind::blob, "a secret that was not redacted");
    return base::fail(base::ErrorKind::conflict, "no");
  });
  REQUIRE_FALSE(done);
  CHECK(done.error().kind == base::ErrorKind::conflict);
  CHECK(repo.git({"count-objects"}).output.starts_with("0 objects"));
}

TEST_CASE("a lock that a killed git left makes the writer busy after two seconds") {
  Repository repo;
  written(repo, "a1/x");
  repo.write(".git/" + kBranch + ".lock", "");
  const auto began = std::chrono::steady_clock::now();
  const auto done = write_file(repo.processes, repo.files, repo.tree(), "a1/y");
  REQUIRE_FALSE(done);
  CHECK(done.error().kind == base::ErrorKind::busy);
  CHECK(done.error().hint.find(kBranch + ".lock") != std::string::npos);
  CHECK(std::chrono::steady_clock::now() - began < std::chrono::seconds(60));
  std::filesystem::remove(repo.folder.path_of(".git/" + kBranch + ".lock"));
  written(repo, "a1/y");
  CHECK(files_in(repo) == std::set<std::string>{"a1/x", "a1/y"});
}

TEST_CASE("the lock of Entire's writers is waited for and then done without") {
  Repository repo;
  written(repo, "a1/x");
  const std::string name = "refs_heads_entire_checkpoints_v1.lock";
  const std::string locks = repo.folder.path_of(".git/entire-persistent-ref-locks");
  CHECK(std::filesystem::exists(locks + "/" + name));
  CHECK((std::filesystem::status(locks).permissions() & std::filesystem::perms::others_all) ==
        std::filesystem::perms::none);
  auto folder = repo.files.open_folder(locks);
  REQUIRE(folder);
  const auto lock = (*folder)->lock(name, std::chrono::milliseconds(100));
  REQUIRE(lock);
  const auto began = std::chrono::steady_clock::now();
  written(repo, "a1/y");
  CHECK(std::chrono::steady_clock::now() - began >= kRefLockTimeout);
  CHECK(files_in(repo) == std::set<std::string>{"a1/x", "a1/y"});
}

TEST_CASE("a tree that others damaged stops the writer instead of being written again") {
  Repository repo;
  written(repo, "a1/x");
  const std::string root = repo.git({"rev-parse", kBranch + "^{tree}"}).output.substr(0, 40);
  std::filesystem::remove(repo.folder.path_of(".git/objects/" + root.substr(0, 2) + "/" + root.substr(2)));
  const auto done = write_file(repo.processes, repo.files, repo.tree(), "a1/y");
  REQUIRE_FALSE(done);
  CHECK(done.error().kind != base::ErrorKind::busy);
}

TEST_CASE("eight writers and somebody else's git lose nothing on one ref") {
  Repository repo;
  const WorkTree tree = repo.tree();
  constexpr int kWriters = 8;
  constexpr int kFiles = 5;
  std::vector<pid_t> children;
  for (int writer = 0; writer < kWriters; ++writer) {
    const pid_t child = ::fork();
    REQUIRE(child >= 0);
    if (child != 0) {
      children.push_back(child);
      continue;
    }
    system::PosixProcesses processes;
    system::PosixFileSystem files;
    int failures = 0;
    for (int file = 0; file < kFiles; ++file) {
      // Busy is an answer; whoever gets it comes again.
      const std::string path = "s" + std::to_string(file) + "/w" + std::to_string(writer);
      int tries = 50;
      while (!write_file(processes, files, tree, path) && --tries > 0) {
      }
      if (tries == 0) ++failures;
    }
    ::_exit(failures);
  }
  // Another program with compare-and-swap, and no lock of ours.
  int others = 0;
  for (int round = 0; round < 20; ++round) {
    const auto tip = repo.try_git({"rev-parse", "--verify", "-q", kBranch});
    if (tip.status != 0) continue;
    const std::string old = tip.output.substr(0, 40);
    const std::string made =
        repo.git({"commit-tree", old + "^{tree}", "-p", old, "-m", "theirs"}).output.substr(0, 40);
    if (repo.try_git({"update-ref", kBranch, made, old}).status == 0) ++others;
  }
  for (const pid_t child : children) CHECK(ended(child) == 0);
  CHECK(files_in(repo).size() == kWriters * kFiles);
  CHECK(repo.git({"rev-list", "--count", kBranch}).output ==
        std::to_string(kWriters * kFiles + others) + "\n");
  repo.git({"fsck", "--strict", "--full"});
}

TEST_CASE("a writer that is killed at any step leaves the ref as it was or with all that belongs to it") {
  for (int step = 1; step <= 4; ++step) {
    for (const bool before : {true, false}) {
      INFO("step " << step << (before ? ", before" : ", behind"));
      Repository repo;
      written(repo, "a1/x");
      const WorkTree tree = repo.tree();
      const pid_t child = ::fork();
      REQUIRE(child >= 0);
      if (child == 0) {
        Killed processes(step, before);
        system::PosixFileSystem files;
        (void)write_file(processes, files, tree, "a1/y");
        ::_exit(0);
      }
      // Three processes make a turn: read, store, update. There is no fourth.
      CHECK(ended(child) == (step <= 3 ? 128 + SIGKILL : 0));
      const bool there = step == 4 || (step == 3 && !before);
      CHECK(files_in(repo).contains("a1/y") == there);
      repo.git({"fsck", "--strict", "--full"});
      // The next one is not in the way of what was left.
      written(repo, "a1/y");
      written(repo, "a1/z");
      CHECK(files_in(repo) == std::set<std::string>{"a1/x", "a1/y", "a1/z"});
    }
  }
}

TEST_CASE("objects that gc took before a ref named them are made again") {
  Repository repo;
  class Collecting : public system::PosixProcesses {
   public:
    explicit Collecting(Repository& repo) : repo_(repo) {}
    base::Result<std::unique_ptr<system::RunningProcess>> start(const system::Run& run) override {
      const bool update = std::find(run.words.begin(), run.words.end(), "update-ref") != run.words.end();
      if (update && ++updates_ == 1) repo_.git({"gc", "-q", "--prune=now"});
      return system::PosixProcesses::start(run);
    }
    int updates_ = 0;

   private:
    Repository& repo_;
  };
  written(repo, "a1/x");
  Collecting processes(repo);
  const auto done = write_file(processes, repo.files, repo.tree(), "a1/y");
  if (!done) FAIL(done.error().message);
  CHECK(done->tries == 2);
  CHECK(files_in(repo) == std::set<std::string>{"a1/x", "a1/y"});
  repo.git({"fsck", "--strict", "--full"});
}

TEST_CASE("what a writer without compare-and-swap threw away is found and written once more") {
  Repository repo;
  ObjectWriter objects = *ObjectWriter::open(repo.ask, repo.tree());
  WrittenRefs records(repo.files, repo.tree().common_dir);
  const std::string first = written(repo, "a1/x").commit;
  int repeated = 0;
  for (int round = 0; round < 5; ++round) {
    const std::string path = "b" + std::to_string(round) + "/ours";
    const std::string seen = repo.git({"rev-parse", kBranch}).output.substr(0, 40);
    const RefWritten ours = written(repo, path);
    REQUIRE(records.append({{kBranch, ours.commit}}));
    // The other one read the tip before us and sets the ref behind us, every other time.
    if (round % 2 == 0) {
      const std::string theirs =
          repo.git({"commit-tree", seen + "^{tree}", "-p", seen, "-m", "theirs"}).output.substr(0, 40);
      repo.git({"update-ref", kBranch, theirs});
    }
    const auto all = records.all();
    REQUIRE(all);
    for (const WrittenRef& record : *all) {
      const std::string tip = repo.git({"rev-parse", record.ref}).output.substr(0, 40);
      const auto lost = objects.unreached({record.commit}, {tip});
      REQUIRE(lost);
      if (lost->empty()) continue;
      ++repeated;
      REQUIRE(records.remove({record}));
      REQUIRE(records.append({{kBranch, written(repo, path).commit}}));
    }
  }
  CHECK(repeated == 3);
  CHECK(files_in(repo) ==
        std::set<std::string>{"a1/x", "b0/ours", "b1/ours", "b2/ours", "b3/ours", "b4/ours"});
}
