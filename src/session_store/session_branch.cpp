// The layout "branch": the tree of one commit holds all checkpoints, in folders of two levels.

#include <algorithm>

#include "session_store/session_author.hpp"
#include "session_store/session_store.hpp"
#include "session_store/session_tree.hpp"

namespace plankeep::sessions {
namespace {

using base::Result;
using State = SessionObject::State;

// Why a tree could not be read; null: it was.
const char* why_unreadable(const SessionObject& object) {
  switch (object.state) {
    case State::present:
      return object.type == "tree" ? nullptr : "is no folder";
    case State::missing:
      return "is missing from the repository";
    case State::too_large:
      return "is larger than the limit for folders (16 MiB)";
    case State::skipped:
      return "is more than is read at once (128 MiB)";
  }
  return "cannot be read";
}

class BranchStore : public SessionStore {
 public:
  BranchStore(SessionObjects& objects, SessionRef branch) : objects_(objects), branch_(std::move(branch)) {}

  core::SessionLayout layout() const override { return core::SessionLayout::branch; }

  Result<FoundSessions> list() override;
  Result<std::optional<FoundSession>> find(const std::string& id) override;

  // Of all commits of the branch the newest that was made for this checkpoint.
  Result<SessionAuthor> author(const FoundSession& one) override {
    return first_author(objects_,
                        {"--grep=^Checkpoint: " + one.id + "$", "--end-of-options", branch_.object});
  }

  Result<std::int64_t> written_at(const FoundSession& one) override {
    return first_commit_time(objects_, {one.tip, "--", core::session_folder(one.id)});
  }

 private:
  // The sound entries of a folder; what is wrong goes to `problems`.
  std::vector<TreeEntry> entries_of(const SessionObject& object, const std::string& where,
                                    std::vector<std::string>& problems) const;
  void add_shard(const std::string& shard, const SessionObject& object, FoundSessions& all) const;
  [[nodiscard]] Result<std::vector<TreeEntry>> shards(std::vector<std::string>& problems);

  SessionObjects& objects_;
  SessionRef branch_;
};

std::vector<TreeEntry> BranchStore::entries_of(const SessionObject& object, const std::string& where,
                                               std::vector<std::string>& problems) const {
  const std::string place = branch_.name + (where.empty() ? "" : ":" + where);
  if (const char* why = why_unreadable(object)) {
    problems.push_back(place + ": " + why);
    return {};
  }
  auto parsed = parse_tree(object.bytes, objects_.id_bytes());
  if (!parsed) {
    problems.push_back(place + ": " + parsed.error().message);
    return {};
  }
  SoundEntries sound = sound_entries(std::move(*parsed), place);
  problems.insert(problems.end(), sound.problems.begin(), sound.problems.end());
  return std::move(sound.entries);
}

// Entire itself passes over whatever is not two characters long (vercel.json).
Result<std::vector<TreeEntry>> BranchStore::shards(std::vector<std::string>& problems) {
  TRY_ASSIGN(const auto top, objects_.read({branch_.object + "^{tree}"}, kLargestTree));
  std::vector<TreeEntry> entries = entries_of(top.front(), "", problems);
  std::erase_if(entries, [](const TreeEntry& entry) { return entry.name.size() != 2 || !entry.is_folder(); });
  return entries;
}

void BranchStore::add_shard(const std::string& shard, const SessionObject& object, FoundSessions& all) const {
  for (TreeEntry& entry : entries_of(object, shard, all.problems)) {
    auto id = core::id_of_session_folder(shard, entry.name);
    if (!entry.is_folder() || !id || core::session_id_kind(*id) != core::SessionIdKind::hex) {
      all.problems.push_back(branch_.name + ":" + shard + "/" + entry.name + ": is no session checkpoint");
      continue;
    }
    all.found.push_back(
        {std::move(*id), core::SessionLayout::branch, branch_.name, entry.id, entry.id, branch_.object});
  }
}

Result<FoundSessions> BranchStore::list() {
  FoundSessions all;
  TRY_ASSIGN(const std::vector<TreeEntry> folders, shards(all.problems));
  std::vector<std::string> names;
  names.reserve(folders.size());
  for (const TreeEntry& folder : folders) names.push_back(folder.id);
  TRY_ASSIGN(const auto trees, objects_.read(names, kLargestTree));
  for (std::size_t i = 0; i < folders.size(); ++i) add_shard(folders[i].name, trees[i], all);
  std::sort(all.found.begin(), all.found.end(),
            [](const FoundSession& a, const FoundSession& b) { return a.id < b.id; });
  return all;
}

Result<std::optional<FoundSession>> BranchStore::find(const std::string& id) {
  if (core::session_id_kind(id) != core::SessionIdKind::hex) return std::optional<FoundSession>();
  FoundSessions all;
  TRY_ASSIGN(const std::vector<TreeEntry> folders, shards(all.problems));
  const auto shard = std::find_if(folders.begin(), folders.end(),
                                  [&](const TreeEntry& entry) { return id.starts_with(entry.name); });
  if (shard == folders.end()) return std::optional<FoundSession>();
  TRY_ASSIGN(const auto trees, objects_.read({shard->id}, kLargestTree));
  add_shard(shard->name, trees.front(), all);
  for (FoundSession& one : all.found) {
    if (one.id == id) return std::optional(std::move(one));
  }
  return std::optional<FoundSession>();
}

}  // namespace

std::unique_ptr<SessionStore> make_branch_store(SessionObjects& objects, SessionRef branch) {
  return std::make_unique<BranchStore>(objects, std::move(branch));
}

std::vector<std::unique_ptr<SessionStore>> stores_of(SessionObjects& objects, const SessionRefs& refs) {
  std::vector<std::unique_ptr<SessionStore>> stores;
  if (!refs.checkpoints.empty()) stores.push_back(make_refs_store(objects, refs.checkpoints));
  for (const SessionRef& branch : refs.branches) stores.push_back(make_branch_store(objects, branch));
  if (!refs.side_checkpoints.empty()) stores.push_back(make_refs_store(objects, refs.side_checkpoints));
  for (const SessionRef& branch : refs.side_branches) stores.push_back(make_branch_store(objects, branch));
  return stores;
}

namespace {

// Whether `b`, of a later store than `a`, counts more. `left`: how many more may be compared by their times,
// for which git has to be asked.
Result<bool> counts_more(const StoredFound& a, const StoredFound& b, std::size_t& left) {
  if (a.found.layout != b.found.layout) return b.found.layout == core::SessionLayout::refs;
  if (a.found.object == b.found.object || left == 0) return false;
  --left;
  TRY_ASSIGN(const std::int64_t first, a.store->written_at(a.found));
  TRY_ASSIGN(const std::int64_t second, b.store->written_at(b.found));
  return second > first;
}

}  // namespace

Result<std::optional<StoredFound>> find_in(std::vector<std::unique_ptr<SessionStore>>& stores,
                                           const std::string& id) {
  std::optional<StoredFound> best;
  std::size_t left = kMostCompared;
  for (const auto& store : stores) {
    TRY_ASSIGN(auto found, store->find(id));
    if (!found) continue;
    StoredFound one{std::move(*found), store.get()};
    bool better = !best;
    if (best) {
      TRY_ASSIGN(better, counts_more(*best, one, left));
    }
    if (better) best = std::move(one);
  }
  return best;
}

Result<FoundSessions> list_all(std::vector<std::unique_ptr<SessionStore>>& stores) {
  FoundSessions all;
  std::vector<StoredFound> found;
  for (const auto& store : stores) {
    TRY_ASSIGN(FoundSessions one, store->list());
    for (FoundSession& session : one.found) found.push_back({std::move(session), store.get()});
    all.problems.insert(all.problems.end(), one.problems.begin(), one.problems.end());
  }
  // Stable: the earlier stores' come first.
  std::stable_sort(found.begin(), found.end(),
                   [](const StoredFound& a, const StoredFound& b) { return a.found.id < b.found.id; });
  std::size_t left = kMostCompared;
  for (std::size_t at = 0; at < found.size();) {
    std::size_t best = at;
    std::size_t next = at + 1;
    for (; next < found.size() && found[next].found.id == found[at].found.id; ++next) {
      TRY_ASSIGN(const bool better, counts_more(found[best], found[next], left));
      if (better) best = next;
    }
    all.found.push_back(std::move(found[best].found));
    at = next;
  }
  return all;
}

}  // namespace plankeep::sessions
