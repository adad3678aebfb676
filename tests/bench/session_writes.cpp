// What it costs to write a session checkpoint, beside `git --version`, which is the price of one git process.
//
//   bench_session_writes FOLDER RUNS      an empty folder; prints "<name> TAB <median, microseconds> TAB 0
//   TAB 0"
//
// In turns, as bench_measure does, so that a machine that gets busy makes all of them slower.

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "base/sha256.hpp"
#include "base/ulid.hpp"
#include "git/push_queue.hpp"
#include "git/ref_writer.hpp"
#include "git_objects/commit_object.hpp"
#include "system/posix/posix_file_system.hpp"
#include "system/posix/posix_processes.hpp"

namespace {

using namespace plankeep;
using namespace plankeep::git;

constexpr const char* kBranch = "refs/heads/entire/checkpoints/v1";

template <class Value>
Value need(base::Result<Value> result, const char* what) {
  if (result) return std::move(*result);
  std::fprintf(stderr, "%s: %s\n", what, result.error().message.c_str());
  std::exit(1);
}

struct Repository {
  system::PosixProcesses processes;
  system::PosixFileSystem files;
  Git git{processes, files, std::chrono::minutes(2)};
  WorkTree tree;

  explicit Repository(const std::string& folder) {
    std::filesystem::create_directories(folder);
    need(git.run(folder, {"init", "-q"}), "git init");
    tree = *need(git.work_tree(folder), "git rev-parse");
  }
};

std::string commit_to(Pack& pack, const std::string& tree, const std::string& parent) {
  const Signature who{"Bench", "bench@localhost", 1700000000, 0};
  CommitObject commit{tree, {}, who, who, "Checkpoint\n"};
  if (!parent.empty()) commit.parents.push_back(parent);
  return pack.add(ObjectKind::commit, commit_bytes(commit));
}

// A session of 20 KB with all its files, below `folder`.
void put_session(TreeChanges& changes, Pack& pack, const std::string& folder, const std::string& id) {
  std::string transcript;
  while (transcript.size() < 20000) transcript += "{\"type\":\"user\",\"message\":\"" + id + "\"}\n";
  changes.put_file(folder + "metadata.json",
                   pack.add(ObjectKind::blob, "{\"checkpoint_id\":\"" + id + "\"}\n"));
  changes.put_file(folder + "0/metadata.json",
                   pack.add(ObjectKind::blob, "{\"session_id\":\"" + id + "\"}\n"));
  changes.put_file(folder + "0/full.jsonl", pack.add(ObjectKind::blob, transcript));
  changes.put_file(folder + "0/prompt.txt", pack.add(ObjectKind::blob, "prompt " + id));
  changes.put_file(folder + "0/content_hash.txt",
                   pack.add(ObjectKind::blob, "sha256:" + base::sha256_hex(transcript)));
}

std::string numbered_id(std::size_t number) {
  return base::sha256_hex(std::to_string(number)).substr(0, 12);
}

// A branch with so many checkpoints, their content the least that has its own trees.
void fill_branch(ObjectWriter& objects, std::size_t count) {
  Pack pack(objects.format());
  TreeChanges changes;
  const std::string text = pack.add(ObjectKind::blob, "{}\n");
  for (std::size_t i = 0; i < count; ++i) {
    const std::string id = numbered_id(i);
    changes.put_file(id.substr(0, 2) + "/" + id.substr(2) + "/metadata.json",
                     pack.add(ObjectKind::blob, "{\"checkpoint_id\":\"" + id + "\"}\n"));
    changes.put_file(id.substr(0, 2) + "/" + id.substr(2) + "/0/full.jsonl", text);
  }
  const std::string commit = commit_to(pack, need(change_tree("", changes, {}, pack), "trees"), {});
  need(objects.store(std::move(pack)).map([] { return 0; }), "store");
  need(objects.update({{kBranch, commit, ""}}), "update");
}

class Writes {
 public:
  explicit Writes(Repository& repo)
      : repo_(repo),
        objects_(need(ObjectWriter::open(repo.git, repo.tree), "open")),
        refs_(objects_, repo.files),
        queue_(repo.files, repo.tree.common_dir),
        written_(repo.files, repo.tree.common_dir) {}

  ObjectWriter& objects() { return objects_; }

  void own_ref(std::size_t number) {
    const std::string id = base::make_ulid({static_cast<std::int64_t>(number)}, {});
    const std::string ref = "refs/entire/checkpoints/" + id.substr(id.size() - 2) + "/" + id;
    RefWrite wanted{ref, {}, true};
    finish(ref,
           need(refs_.write(wanted, [&](const RefState& now, Pack& pack) { return made(now, pack, "", id); }),
                "write"));
    need(queue_.append({ref}).map([] { return 0; }), "queue");
  }

  void on_branch(std::size_t number) {
    const std::string id = numbered_id(1000000 + number);
    const std::string shard = id.substr(0, 2);
    const std::string folder = shard + "/" + id.substr(2);
    finish(
        kBranch,
        need(refs_.write({kBranch, {shard, folder}},
                         [&](const RefState& now, Pack& pack) { return made(now, pack, folder + "/", id); }),
             "write"));
  }

  // 500 sessions of one commit: 2,500 files in one checkpoint.
  void many_sessions(std::size_t number) {
    const std::string id = base::make_ulid({static_cast<std::int64_t>(number)}, {1});
    const std::string ref = "refs/entire/checkpoints/" + id.substr(id.size() - 2) + "/" + id;
    need(refs_.write({ref, {}, true},
                     [&](const RefState& now, Pack& pack) -> base::Result<std::string> {
                       TreeChanges changes;
                       for (int slot = 0; slot < 500; ++slot)
                         put_session(changes, pack, std::to_string(slot) + "/", id + std::to_string(slot));
                       TRY_ASSIGN(const std::string tree, change_tree(now.tree, changes, now.trees, pack));
                       return commit_to(pack, tree, now.tip);
                     }),
         "write");
  }

  void version() { need(repo_.git.run(repo_.tree.top, {"--version"}), "git --version"); }

 private:
  static base::Result<std::string> made(const RefState& now, Pack& pack, const std::string& folder,
                                        const std::string& id) {
    TreeChanges changes;
    put_session(changes, pack, folder, id);
    TRY_ASSIGN(const std::string tree, change_tree(now.tree, changes, now.trees, pack));
    return commit_to(pack, tree, now.tip);
  }

  void finish(const std::string& ref, const RefWritten& done) {
    need(written_.append({{ref, done.commit}}).map([] { return 0; }), "record");
  }

  Repository& repo_;
  ObjectWriter objects_;
  RefWriter refs_;
  PushQueue queue_;
  WrittenRefs written_;
};

double median(std::vector<double> times) {
  std::sort(times.begin(), times.end());
  return times[times.size() / 2];
}

template <class Job>
double timed(const Job& job) {
  const auto began = std::chrono::steady_clock::now();
  job();
  return std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - began).count();
}

}  // namespace

int main(int count, char** words) {
  if (count != 3) return 2;
  (void)std::signal(SIGPIPE, SIG_IGN);
  const std::string folder = words[1];
  const auto runs = static_cast<std::size_t>(std::max(1, std::atoi(words[2])));
  Repository small(folder + "/refs");
  Repository medium(folder + "/branch");
  Repository large(folder + "/branch-large");
  Writes refs(small);
  Writes branch(medium);
  Writes large_branch(large);
  fill_branch(branch.objects(), 25000);
  fill_branch(large_branch.objects(), 100000);

  struct Row {
    const char* name;
    std::function<void(std::size_t)> job;
    std::size_t runs;
    std::vector<double> times{};
  };
  // What the disk costs is its own affair: it is measured once, and the others are given without it.
  const auto without_syncs = [](auto job) {
    return [job](std::size_t run) {
      (void)::setenv("GIT_TEST_FSYNC", "0", 1);
      job(run);
      (void)::unsetenv("GIT_TEST_FSYNC");
    };
  };
  std::vector<Row> rows{
      {"session-git", [&](std::size_t) { refs.version(); }, runs},
      {"session-write-durable", [&](std::size_t run) { refs.own_ref(run); }, runs},
      {"session-write-ref", without_syncs([&](std::size_t run) { refs.own_ref(runs + run); }), runs},
      {"session-write-branch", without_syncs([&](std::size_t run) { branch.on_branch(run); }), runs},
      {"session-write-large", without_syncs([&](std::size_t run) { large_branch.on_branch(run); }), runs},
      {"session-write-500", [&](std::size_t run) { refs.many_sessions(run); }, 3},
  };
  for (std::size_t run = 0; run < runs; ++run)
    for (Row& row : rows)
      if (run < row.runs) row.times.push_back(timed([&] { row.job(run); }));
  for (const Row& row : rows) std::printf("%s\t%.0f\t0\t0\n", row.name, median(row.times));
  return 0;
}
