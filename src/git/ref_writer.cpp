#include "git/ref_writer.hpp"

#include <algorithm>
#include <random>
#include <thread>

#include "git/git_output.hpp"

namespace plankeep::git {
namespace {

using base::ErrorKind;
using base::Result;

using RefClock = std::chrono::steady_clock;

constexpr std::string_view kRefLocks = "entire-persistent-ref-locks";

std::string lock_name(std::string ref) {
  std::replace_if(
      ref.begin(), ref.end(), [](char c) { return c == '/' || c == '\\' || c == ':'; }, '_');
  return ref + ".lock";
}

// Not all at once again.
void pause_a_little() {
  thread_local std::minstd_rand random(std::random_device{}());
  std::this_thread::sleep_for(std::chrono::milliseconds(std::uniform_int_distribution<int>(1, 8)(random)));
}

std::string tree_of_commit(std::string_view commit) {
  constexpr std::string_view kTree = "tree ";
  if (!commit.starts_with(kTree)) return {};
  return std::string(commit.substr(kTree.size(), commit.find('\n') - kTree.size()));
}

}  // namespace

std::unique_ptr<system::Lock> RefWriter::hold(const std::string& ref) {
  auto common = files_.open_folder(objects_.tree().common_dir);
  if (!common) return nullptr;
  auto locks = (*common)->make_group_folder(kRefLocks);
  if (!locks) return nullptr;
  auto lock = (*locks)->lock(lock_name(ref), kRefLockTimeout);
  return lock ? std::move(*lock) : nullptr;
}

// nullopt: the ref moved while it was read.
Result<std::optional<RefState>> RefWriter::read(const RefWrite& wanted) {
  std::vector<std::string> names{wanted.ref, wanted.ref + "^{tree}"};
  for (const std::string& path : wanted.paths) names.push_back(wanted.ref + ':' + path);
  TRY_ASSIGN(auto objects, objects_.read(names));
  RefState state;
  if (!objects[0]) return std::optional(std::move(state));
  if (objects[0]->kind != "commit") return base::fail(ErrorKind::corrupt, wanted.ref + " names no commit");
  state.tip = objects[0]->id;
  state.tree = tree_of_commit(objects[0]->bytes);
  // git looks the ref up for each name again.
  if (!objects[1] || objects[1]->id != state.tree) {
    TRY_ASSIGN(const auto tree, objects_.read({state.tree}));
    if (!tree.front()) return base::fail(ErrorKind::corrupt, "the tree of " + wanted.ref + " is missing");
    return std::optional<RefState>();
  }
  state.trees.emplace(objects[1]->id, std::move(objects[1]->bytes));
  for (std::size_t i = 0; i < wanted.paths.size(); ++i) {
    std::optional<ReadObject>& object = objects[i + 2];
    if (!object) continue;
    if (object->kind == "tree") state.trees.emplace(std::move(object->id), std::move(object->bytes));
    if (object->kind == "blob") state.files.emplace(wanted.paths[i], std::move(object->bytes));
  }
  return std::optional(std::move(state));
}

Result<RefWritten> RefWriter::write(const RefWrite& wanted, const MakeCommit& make) {
  const auto lock = hold(wanted.ref);
  const RefClock::time_point give_up = RefClock::now() + kRefTimeout;
  RefWritten written;
  for (; written.tries <= kRefTries; ++written.tries) {
    if (written.tries > 1) {
      if (RefClock::now() >= give_up) break;
      pause_a_little();
    }
    RefState now;
    if (!wanted.is_new || written.tries > 1) {
      TRY_ASSIGN(auto state, read(wanted));
      if (!state) continue;
      now = std::move(*state);
    }
    Pack pack(objects_.format());
    TRY_ASSIGN(written.commit, make(now, pack));
    written.before = now.tip;
    if (written.commit.empty() || written.commit == now.tip) {
      written.commit.clear();
      return written;
    }
    TRY(objects_.store(std::move(pack)));
    TRY_ASSIGN(const RefOutcome outcome, objects_.update({{wanted.ref, written.commit, written.before}}));
    if (outcome == RefOutcome::done) return written;
  }
  return base::fail(ErrorKind::busy, wanted.ref + " is being written by others",
                    "run the command again in a moment; if nobody writes it, a git process that was killed "
                    "has left " +
                        objects_.tree().common_dir + "/" + wanted.ref + ".lock");
}

}  // namespace plankeep::git
