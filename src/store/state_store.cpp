#include "store/state_store.hpp"

#include <algorithm>

#include "model/json/state_json.hpp"
#include "rules/recovery_policy.hpp"
#include "store/brief_state.hpp"
#include "store/journal.hpp"
#include "store/paths.hpp"
#include "store/quarantine.hpp"
#include "system/atomic_file.hpp"

namespace plankeep::store {

namespace {

using base::ErrorKind;
using base::Result;
using base::Status;

std::string shown(const base::Error& error) {
  return error.context.empty() ? error.message : error.context + ": " + error.message;
}

Result<core::State> decode_named(std::string_view name, std::string_view json) {
  if (name == kState) return core::decode_state(json);
  TRY_ASSIGN(core::Recovery recovery, core::decode_recovery(json));
  return std::move(recovery.state);
}

std::string file_name(std::string_view path) {
  return std::string(path.substr(path.rfind('/') + 1));
}

std::string folder_name(std::string_view path) {
  const std::string name = file_name(path.substr(0, path.rfind('/')));
  return name.empty() ? "plan" : name;
}

}  // namespace

StateStore::StateStore(system::Folder& folder, std::string plan_id, std::string plan_path)
    : folder_(folder), plan_id_(std::move(plan_id)), plan_path_(std::move(plan_path)) {}

// One file of the chain: missing, damaged with a reason, or a state.
struct StateStore::Candidate {
  std::optional<core::State> state;
  std::string reason;
  bool missing = false;
  system::FileInfo info;
};

Status StateStore::ask_history() {
  if (told_ids_) return {};
  std::vector<std::string> ids;
  TRY(read_events(folder_, 0, [&](const core::Event& event, const HistoryLine&) {
    const bool moved = event.kind == core::EventKind::plan_moved;
    const bool named = event.kind == core::EventKind::checkpoint_created || moved;
    if (named && !event.plan_id.empty()) ids.push_back(event.plan_id);
    if (moved) told_places_.push_back(event.from);
    return true;
  }));
  told_ids_ = std::move(ids);
  return {};
}

Result<bool> StateStore::belongs(const core::State& state) {
  if (state.plan_id == plan_id_) return true;
  // What earlier versions called every plan: its folder's name.
  if (state.plan_path == plan_path_ && state.plan_id == folder_name(plan_path_)) return true;
  if (!continued_.empty() && state.plan_path == continued_) return true;
  TRY(ask_history());
  if (file_name(state.plan_path) != file_name(plan_path_))
    return std::find(told_places_.begin(), told_places_.end(), state.plan_path) != told_places_.end();
  if (told_ids_->empty()) return state.plan_path != plan_path_;
  return std::find(told_ids_->begin(), told_ids_->end(), state.plan_id) != told_ids_->end();
}

Status StateStore::judge(Candidate& candidate, std::string_view name, std::string_view text) {
  auto state = decode_named(name, text);
  if (!state) {
    candidate.reason = shown(state.error());
    return {};
  }
  if (!state->plan_path.starts_with('/')) {
    candidate.reason = "planPath: expected an absolute path";
    return {};
  }
  TRY_ASSIGN(const bool own, belongs(*state));
  if (own) {
    candidate.state = std::move(*state);
  } else {
    candidate.reason = "belongs to another plan: " + state->plan_id;
  }
  return {};
}

// Only io errors are errors here: whatever else is wrong with the file makes it a damaged one.
Result<StateStore::Candidate> StateStore::read_candidate(const std::string& name) {
  Candidate candidate;
  const auto text = folder_.read_with_info(name, kJsonLimit);
  if (!text) {
    switch (text.error().kind) {
      case ErrorKind::not_found:
        candidate.missing = true;
        return candidate;
      case ErrorKind::corrupt:
      case ErrorKind::invalid_input:
        candidate.reason = shown(text.error());
        return candidate;
      default:
        return base::fail(text.error());
    }
  }
  candidate.info = text->info;
  TRY(judge(candidate, name, text->bytes));
  return candidate;
}

// A directory or a link where a generation should go would stop the rotation, and a damaged one would push a
// good one out at the end of the row.
Status StateStore::clear_the_way(const std::string& name, base::Instant now) {
  TRY_ASSIGN(const Candidate candidate, read_candidate(name));
  if (candidate.missing || candidate.state) return {};
  TRY(quarantine(folder_, name, file_time(now)));
  return {};
}

Status StateStore::rotate(base::Instant now) {
  // First all of them: a directory must not move on to the next place either.
  for (int generation = 1; generation < core::kRecoveryGenerations; ++generation) {
    TRY(clear_the_way(recovery_name(generation), now));
  }
  for (int generation = core::kRecoveryGenerations - 1; generation >= 1; --generation) {
    Status moved = folder_.rename(recovery_name(generation - 1), recovery_name(generation));
    if (!moved && moved.error().kind != ErrorKind::not_found) return moved;
  }
  return {};
}

Result<Loaded> StateStore::load(const system::FileContent* read_before, const std::string& continued) {
  continued_ = continued;
  Loaded loaded;
  bool missing = false;
  for (int generation = -1; generation < core::kRecoveryGenerations && !loaded.state; ++generation) {
    std::string name = generation < 0 ? std::string(kState) : recovery_name(generation);
    Candidate candidate;
    if (generation < 0 && read_before != nullptr) {
      candidate.info = read_before->info;
      TRY(judge(candidate, name, read_before->bytes));
    } else {
      TRY_ASSIGN(candidate, read_candidate(name));
    }
    if (generation < 0) loaded.state_file = candidate.info;
    if (candidate.missing) {
      if (generation < 0) missing = true;
      continue;
    }
    if (!candidate.state) {
      loaded.damaged.push_back(Damage{std::move(name), std::move(candidate.reason)});
      continue;
    }
    loaded.source = generation < 0 ? Loaded::Source::state : Loaded::Source::recovery;
    loaded.file = std::move(name);
    loaded.state = std::move(candidate.state);
    if (loaded.state->plan_id != plan_id_) loaded.moved_from = loaded.state->plan_path;
    loaded.state->plan_path = plan_path_;
  }
  // After the state: a save that happens meanwhile must not make the history look shorter than the state
  // says.
  TRY_ASSIGN(const std::uint64_t size, history_size(folder_));
  loaded.history_size = size;
  loaded.history_short = loaded.state && loaded.state->history_offset > size;
  if (!loaded.state && size > 0) loaded.source = Loaded::Source::history;
  loaded.state_missing = missing && (size > 0 || loaded.state || !loaded.damaged.empty());
  return loaded;
}

Result<core::State> StateStore::save(Save& save, base::Instant now) {
  save.state.history_offset_known = true;
  if (save.events.empty()) {
    if (save.found_events) TRY(sync_history(folder_));
    TRY_ASSIGN(save.state.history_offset, history_end(folder_, save.history_end));
  } else {
    TRY_ASSIGN(save.state.history_offset,
               append_events(folder_, save.events, now, &save.state.history_chain, save.history_end));
  }
  const std::string text = core::encode_state(save.state);
  TRY(system::write_file(folder_, kState, text, system::Durability::cache));
  write_brief(folder_, save.state, text.size());
  if (save.recovery_reason) TRY(write_recovery(save.state, *save.recovery_reason, now));
  return std::move(save.state);
}

Status StateStore::write_recovery(const core::State& state, const std::string& reason, base::Instant now) {
  // The newest generation is either good, and then moves on as it is, or set aside: a damaged file never
  // pushes a good one out at the end of the row.
  TRY_ASSIGN(const Candidate newest, read_candidate(recovery_name(0)));
  std::optional<core::State> kept = newest.state;
  if (!newest.missing && !newest.state) TRY(quarantine(folder_, recovery_name(0), file_time(now)));
  for (int generation = 1; generation < core::kRecoveryGenerations && !kept; ++generation) {
    TRY_ASSIGN(Candidate older, read_candidate(recovery_name(generation)));
    kept = std::move(older.state);
  }
  if (kept && !core::may_replace(*kept, state)) return {};
  // Without a newest one there is a free place: nothing has to move.
  if (newest.state) TRY(rotate(now));
  const std::string text = core::encode_recovery(core::Recovery{now, reason, state});
  return system::write_file(folder_, recovery_name(0), text, system::Durability::durable);
}

Status StateStore::quarantine_damaged(const std::vector<Damage>& damaged, base::Instant now) {
  for (const Damage& damage : damaged) TRY(quarantine(folder_, damage.name, file_time(now)));
  return {};
}

}  // namespace plankeep::store
