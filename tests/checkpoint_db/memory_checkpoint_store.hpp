#pragma once
// The contract of checkpoint_db/checkpoint_store in its shortest form: an engine for tests, and the measure
// of the suite itself.

#include <algorithm>
#include <map>
#include <set>
#include <vector>

#include "base/sha256.hpp"
#include "checkpoint_db/checkpoint_store.hpp"
#include "model/json/checkpoint_json.hpp"

namespace plankeep::test {

class MemoryCheckpointStore : public records::CheckpointStore {
 public:
  using Checkpoint = core::Checkpoint;
  using Query = records::CheckpointQuery;

  base::Result<Checkpoint> add(Checkpoint checkpoint, std::optional<std::string_view> text) override {
    const std::string digest = text ? base::sha256_hex(*text) : std::string();
    if (digest != checkpoint.moment.plan_digest)
      return base::fail(base::ErrorKind::invalid_input, "not the text of the digest");
    checkpoint.work_state = core::fit(std::move(checkpoint.work_state));
    checkpoint.head.metadata.size_bytes =
        static_cast<std::int64_t>(core::encode_work_state(checkpoint.work_state).size());
    const std::string prefix = core::checkpoint_prefix(checkpoint.head.instance_id);
    ++added_;
    checkpoint.head.id = core::checkpoint_id(prefix, ++counters_[prefix]);
    checkpoint.moment.turn = core::is_turn_end(checkpoint.head) ? ++counters_["turn"] : 0;
    if (text) texts_[digest] = std::string(*text);
    all_.push_back(checkpoint);
    return checkpoint;
  }

  base::Result<Checkpoint> get(const core::CheckpointId& id) override {
    return only([&](const Checkpoint& one) { return one.head.id == id; });
  }
  base::Result<Checkpoint> turn(std::int64_t number) override {
    return only([&](const Checkpoint& one) { return one.moment.turn == number && number > 0; });
  }
  base::Result<Checkpoint> by_message(const std::string& id) override {
    const auto named = [&](const Checkpoint& one) { return one.moment.message_id == id && !id.empty(); };
    auto turn = only([&](const Checkpoint& one) { return named(one) && one.moment.turn > 0; });
    return turn ? turn : only(named);
  }

  base::Result<std::optional<Checkpoint>> latest(const Query& query) override {
    const auto found = newest_first([&](const Checkpoint& one) { return matches(one, query); });
    return found.empty() ? std::nullopt : std::optional(found.front());
  }

  base::Result<std::vector<core::ListedCheckpoint>> list(const Query& query) override {
    std::vector<core::ListedCheckpoint> heads;
    for (const Checkpoint& one : newest_first([&](const Checkpoint& c) { return matches(c, query); })) {
      if (heads.size() == query.limit) break;
      heads.push_back(core::listed(one));
    }
    return heads;
  }

  base::Result<std::string> plan_text(const std::string& digest) override {
    const auto text = texts_.find(digest);
    if (text == texts_.end()) return base::fail(base::ErrorKind::not_found, "no such text");
    return text->second;
  }

  base::Result<records::CleanedUp> clean_up(const records::CleanUp& rules, bool dry) override {
    records::CleanedUp cleaned;
    std::vector<Checkpoint> left;
    std::set<std::string> refs;
    for (const Checkpoint& one : all_) {
      const auto& types = rules.kept_types;
      const Query session{.instance = one.head.instance_id};
      const bool newest = rules.newest_of_sessions && latest(session).value()->head.id == one.head.id;
      const bool keep = newest || !(one.head.timestamp < rules.older_than) ||
                        std::find(types.begin(), types.end(), one.head.type) != types.end();
      if (keep) {
        left.push_back(one);
        if (one.moment.snapshot) refs.insert(one.moment.snapshot->ref);
      } else {
        cleaned.deleted.push_back({one.head.id, one.moment.snapshot});
        cleaned.freed_bytes += one.head.metadata.size_bytes;
      }
    }
    for (records::Deleted& deleted : cleaned.deleted) {
      if (deleted.snapshot && refs.contains(deleted.snapshot->ref)) deleted.snapshot.reset();
    }
    cleaned.deleted_count = static_cast<std::int64_t>(cleaned.deleted.size());
    if (dry) return cleaned;
    all_ = std::move(left);
    std::erase_if(texts_, [&](const auto& text) {
      return std::none_of(all_.begin(), all_.end(),
                          [&](const Checkpoint& one) { return one.moment.plan_digest == text.first; });
    });
    return cleaned;
  }

  base::Status for_each(const std::function<bool(const Checkpoint&)>& each) override {
    for (const Checkpoint& one : all_) {
      if (!each(one)) break;
    }
    return {};
  }

  base::Result<std::vector<std::string>> snapshot_refs() override {
    std::set<std::string> refs;
    for (const Checkpoint& one : all_) {
      if (one.moment.snapshot) refs.insert(one.moment.snapshot->ref);
    }
    return std::vector<std::string>(refs.begin(), refs.end());
  }

  base::Result<records::StoreStats> stats() override {
    records::StoreStats stats;
    stats.checkpoints = static_cast<std::int64_t>(all_.size());
    stats.added = added_;
    std::set<std::string> todos;
    std::set<std::string> works;
    for (const Checkpoint& one : all_) {
      todos.insert(core::encode_todo(one.moment.todo_snapshot));
      works.insert(core::encode_work_state(one.work_state));
      if (one.moment.snapshot) ++stats.snapshots;
      if (!stats.oldest || one.head.timestamp < *stats.oldest) stats.oldest = one.head.timestamp;
      if (!stats.newest || *stats.newest < one.head.timestamp) stats.newest = one.head.timestamp;
    }
    stats.texts = static_cast<std::int64_t>(texts_.size() + todos.size() + works.size());
    return stats;
  }

  base::Result<records::Examination> examine() override { return records::Examination(); }

 private:
  static bool matches(const Checkpoint& one, const Query& query) {
    return (!query.type || one.head.type == *query.type) &&
           (!query.phase || one.head.phase == *query.phase) &&
           (!query.instance || one.head.instance_id == *query.instance) &&
           (!query.since || !(one.head.timestamp < *query.since)) &&
           (!query.with_snapshot || one.moment.snapshot) && (!query.turn_ends || one.moment.turn > 0);
  }

  template <class Wanted>
  std::vector<Checkpoint> newest_first(const Wanted& wanted) const {
    std::vector<Checkpoint> found;
    std::copy_if(all_.rbegin(), all_.rend(), std::back_inserter(found), wanted);
    std::stable_sort(found.begin(), found.end(), [](const Checkpoint& a, const Checkpoint& b) {
      return a.head.timestamp > b.head.timestamp;
    });
    return found;
  }

  template <class Wanted>
  base::Result<Checkpoint> only(const Wanted& wanted) const {
    const auto found = newest_first(wanted);
    if (found.empty()) return base::fail(base::ErrorKind::not_found, "there is none");
    return found.front();
  }

  std::vector<Checkpoint> all_;
  std::map<std::string, std::string> texts_;
  std::map<std::string, std::int64_t> counters_;
  std::int64_t added_ = 0;
};

}  // namespace plankeep::test
