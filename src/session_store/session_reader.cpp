// Reading the files of session checkpoints, for lists and whole.

#include <algorithm>
#include <map>

#include "base/text.hpp"
#include "base/utf8.hpp"
#include "session_store/session_store.hpp"
#include "session_store/session_tree.hpp"

namespace plankeep::sessions {
namespace {

using base::ErrorKind;
using base::Result;
using base::Status;
using State = SessionObject::State;

constexpr std::uint64_t kLargestPrompt = std::uint64_t{16} << 20;
constexpr std::uint64_t kLargestHash = 4096;
constexpr std::size_t kMostListedSlots = 64;
constexpr std::size_t kRowsAtOnce = 4096;

std::string state_words(const SessionObject& object, std::string_view type, std::uint64_t largest) {
  switch (object.state) {
    case State::present:
      return object.type == type ? std::string() : "is no " + std::string(type == "tree" ? "folder" : "file");
    case State::missing:
      return "is missing from the repository";
    case State::too_large:
      return "is larger than the limit (" + std::to_string(largest >> 20U) + " MiB)";
    case State::skipped:
      return "cannot be read together with so many others";
  }
  return "cannot be read";
}

// Objects by id, gathered from many questions and read with one answer. What is too much at once is asked for
// in further rounds.
class Gathered {
 public:
  Gathered(SessionObjects& objects, std::uint64_t largest) : objects_(objects), largest_(largest) {}

  void want(const std::string& name) {
    if (name.empty() || by_name_.contains(name)) return;
    by_name_.emplace(name, names_.size());
    names_.push_back(name);
  }
  Status read() {
    TRY_ASSIGN(found_, objects_.read(names_, largest_));
    return {};
  }
  /// Null: it was not wanted.
  const SessionObject* of(const std::string& name) const {
    const auto at = by_name_.find(name);
    return at == by_name_.end() ? nullptr : &found_[at->second];
  }
  /// The bytes; null with a problem noted.
  const std::string* bytes(const std::string& name, std::string_view type, const std::string& place,
                           std::vector<std::string>& problems) const {
    const SessionObject* object = of(name);
    if (object == nullptr) return nullptr;
    if (std::string words = state_words(*object, type, largest_); !words.empty()) {
      problems.push_back(place + (place.empty() ? "" : ": ") + words);
      return nullptr;
    }
    return &object->bytes;
  }

 private:
  SessionObjects& objects_;
  std::uint64_t largest_;
  std::vector<std::string> names_;
  std::map<std::string, std::size_t, std::less<>> by_name_;
  std::vector<SessionObject> found_;
};

void note_all(std::vector<std::string>& problems, const std::string& place,
              const std::vector<std::string>& more) {
  constexpr std::size_t kMostProblems = 200;
  for (const std::string& one : more) {
    if (problems.size() >= kMostProblems) return;
    problems.push_back(place + (place.empty() ? "" : ": ") + one);
  }
}

// Decoded, with its problems noted; nullopt: it could not be read.
template <class Decode>
auto decoded(const std::string* text, Decode decode, const std::string& place,
             std::vector<std::string>& problems) {
  using Value = decltype(decode(std::string_view())->value);
  std::optional<Value> value;
  if (text == nullptr) return value;
  auto read = decode(*text);
  if (!read) {
    problems.push_back(place + ": " + read.error().message);
    return value;
  }
  note_all(problems, place, read->problems);
  value = std::move(read->value);
  return value;
}

// Which of the facts a record states may stand for others: its own id, a session that can be a file's name.
void check_session(const core::SessionMetadata& session, const std::string& id, const std::string& place,
                   std::vector<std::string>& problems) {
  if (session.checkpoint_id != id) problems.push_back(place + ": belongs to another checkpoint");
  if (!core::is_client_session(session.session_id))
    problems.push_back(place + ": its session_id cannot be one");
  if (!base::parse_iso8601(session.created_at)) problems.push_back(place + ": its created_at is no time");
}

struct RowDraft {
  RootEntries entries;
  std::map<std::size_t, SlotEntries> slots;
  std::string plan;  // plankeep/plan.json
};

class RowReader {
 public:
  RowReader(SessionObjects& objects, const FoundSession* found, std::size_t count)
      : objects_(objects), found_(found), rows_(count), drafts_(count) {
    for (std::size_t i = 0; i < count; ++i) {
      rows_[i].id = found[i].id;
      rows_[i].layout = found[i].layout;
      rows_[i].source = found[i].source;
      rows_[i].object = found[i].object;
    }
  }

  Result<std::vector<core::SessionRow>> read() {
    TRY(read_folders());
    TRY(read_slots());
    TRY(read_metadata());
    return std::move(rows_);
  }

 private:
  static std::string slot_name(std::size_t slot) { return std::to_string(slot); }

  Status read_folders() {
    Gathered trees(objects_, kLargestTree);
    for (std::size_t i = 0; i < rows_.size(); ++i) trees.want(found_[i].tree);
    TRY(trees.read());
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      auto& problems = rows_[i].problems;
      const std::string* tree = trees.bytes(found_[i].tree, "tree", "", problems);
      if (tree == nullptr) continue;
      auto entries = root_entries(*tree, objects_.id_bytes());
      if (!entries) {
        problems.push_back(entries.error().message);
        continue;
      }
      note_all(problems, "", entries->problems);
      drafts_[i].entries = std::move(*entries);
      if (drafts_[i].entries.metadata.empty()) problems.emplace_back("metadata.json: missing");
    }
    return {};
  }

  Status read_slots() {
    Gathered trees(objects_, kLargestTree);
    for (RowDraft& draft : drafts_) {
      auto& slots = draft.entries.slots;
      while (slots.size() > kMostListedSlots) slots.erase(slots.begin());
      for (const auto& [slot, tree] : slots) trees.want(tree);
      trees.want(draft.entries.ours);
    }
    TRY(trees.read());
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      auto& problems = rows_[i].problems;
      for (const auto& [slot, id] : drafts_[i].entries.slots) {
        const std::string* tree = trees.bytes(id, "tree", slot_name(slot), problems);
        if (tree == nullptr) continue;
        auto entries = slot_entries(*tree, objects_.id_bytes(), slot_name(slot));
        if (!entries) {
          problems.push_back(slot_name(slot) + ": " + entries.error().message);
          continue;
        }
        note_all(problems, "", entries->problems);
        if (entries->metadata.empty()) problems.push_back(slot_name(slot) + "/metadata.json: missing");
        drafts_[i].slots.emplace(slot, std::move(*entries));
      }
      if (drafts_[i].entries.ours.empty()) continue;
      const std::string* tree = trees.bytes(drafts_[i].entries.ours, "tree", "plankeep", problems);
      if (tree == nullptr) continue;
      auto parsed = parse_tree(*tree, objects_.id_bytes());
      if (!parsed) continue;
      for (const TreeEntry& entry : sound_entries(std::move(*parsed), "plankeep").entries) {
        if (entry.is_file() && entry.name == "plan.json") drafts_[i].plan = entry.id;
      }
    }
    return {};
  }

  Status read_metadata() {
    Gathered blobs(objects_, core::kLargestSessionJson);
    for (const RowDraft& draft : drafts_) {
      blobs.want(draft.entries.metadata);
      blobs.want(draft.plan);
      for (const auto& [slot, entries] : draft.slots) blobs.want(entries.metadata);
    }
    TRY(blobs.read());
    for (std::size_t i = 0; i < rows_.size(); ++i) fill(rows_[i], drafts_[i], blobs);
    return {};
  }

  void fill(core::SessionRow& row, const RowDraft& draft, const Gathered& blobs) const {
    row.slots = static_cast<std::int64_t>(draft.entries.slots.size());
    row.created = core::time_in_id(row.id);
    const auto root = decoded(blobs.bytes(draft.entries.metadata, "blob", "metadata.json", row.problems),
                              core::decode_session_root, "metadata.json", row.problems);
    if (root) {
      if (root->checkpoint_id != row.id)
        row.problems.emplace_back("metadata.json: belongs to another checkpoint");
      // Tools that name none leave it to the folders.
      if (root->sessions && !root->sessions->empty() && root->sessions->size() != draft.entries.slots.size())
        row.problems.push_back("metadata.json: names " +
                               base::counted(root->sessions->size(), "session", "sessions") + ", there " +
                               (draft.entries.slots.size() == 1 ? "is " : "are ") +
                               std::to_string(draft.entries.slots.size()));
      row.branch = root->branch.value_or("");
      row.cli_version = root->cli_version.value_or("");
      row.strategy = root->strategy;
      row.checkpoints_count = root->checkpoints_count;
      row.files = root->files_touched.value_or(core::Strings());
      if (root->token_usage) row.tokens = core::total_of(*root->token_usage);
      if (root->combined_attribution) row.agent_percentage = core::percentage_of(*root->combined_attribution);
    }
    for (const auto& [slot, entries] : draft.slots) {
      const std::string place = slot_name(slot) + "/metadata.json";
      const auto session = decoded(blobs.bytes(entries.metadata, "blob", place, row.problems),
                                   core::decode_session, place, row.problems);
      if (!session) continue;
      check_session(*session, row.id, place, row.problems);
      row.sessions.push_back({static_cast<std::int64_t>(slot), session->session_id,
                              session->agent.value_or(""), session->model.value_or("")});
      if (const auto time = base::parse_iso8601(session->created_at)) row.created = time;
      const bool combined = root && root->combined_attribution;
      if (!combined && session->initial_attribution)
        row.agent_percentage = core::percentage_of(*session->initial_attribution);
      if (row.branch.empty()) row.branch = session->branch.value_or("");
    }
    const auto plan = decoded(blobs.bytes(draft.plan, "blob", "plankeep/plan.json", row.problems),
                              core::decode_plan_link, "plankeep/plan.json", row.problems);
    if (!plan) return;
    row.plan_id = plan->plan_id;
    row.phase_id = plan->phase_id.value_or("");
    row.phase_title = plan->phase_title.value_or("");
    row.tasks_done = plan->tasks_done.value_or(core::Strings());
  }

  SessionObjects& objects_;
  const FoundSession* found_;
  std::vector<core::SessionRow> rows_;
  std::vector<RowDraft> drafts_;
};

// The parts of a transcript have to be there from the first on.
void add_parts(StoredSession& session, const SlotEntries& entries, const std::vector<SessionObject>& sizes,
               std::size_t from, const std::string& place) {
  std::size_t i = from;
  for (const auto& [number, id] : entries.parts) {
    const SessionObject& object = sizes[i++];
    const std::string name = place + "/full.jsonl part " + std::to_string(number);
    if (number != session.transcript.size())
      session.problems.push_back(name + ": part " + std::to_string(session.transcript.size()) +
                                 " is missing");
    if (std::string words = state_words(object, "blob", 0); !words.empty())
      session.problems.push_back(name + ": " + words);
    session.transcript.push_back({number, id, object.size});
    session.transcript_bytes += object.size + (number == 0 ? 0 : 1);
  }
}

}  // namespace

Result<std::vector<core::SessionRow>> read_rows(SessionObjects& objects,
                                                const std::vector<FoundSession>& found) {
  std::vector<core::SessionRow> rows;
  rows.reserve(found.size());
  for (std::size_t from = 0; from < found.size(); from += kRowsAtOnce) {
    RowReader reader(objects, found.data() + from, std::min(kRowsAtOnce, found.size() - from));
    TRY_ASSIGN(std::vector<core::SessionRow> some, reader.read());
    std::move(some.begin(), some.end(), std::back_inserter(rows));
  }
  return rows;
}

Result<StoredCheckpoint> read_checkpoint(SessionObjects& objects, const FoundSession& one) {
  StoredCheckpoint checkpoint;
  checkpoint.found = one;
  auto& problems = checkpoint.problems;
  Gathered top(objects, kLargestTree);
  top.want(one.tree);
  TRY(top.read());
  const std::string* tree = top.bytes(one.tree, "tree", "", problems);
  if (tree == nullptr) return checkpoint;
  auto entries = root_entries(*tree, objects.id_bytes());
  if (!entries) {
    problems.push_back(entries.error().message);
    return checkpoint;
  }
  note_all(problems, "", entries->problems);
  checkpoint.unknown = entries->unknown;

  Gathered trees(objects, kLargestTree);
  for (const auto& [slot, id] : entries->slots) trees.want(id);
  trees.want(entries->ours);
  TRY(trees.read());
  std::map<std::size_t, SlotEntries> slots;
  Gathered blobs(objects, core::kLargestSessionJson);
  Gathered prompts(objects, kLargestPrompt);
  Gathered hashes(objects, kLargestHash);
  std::vector<std::string> parts;
  for (const auto& [slot, id] : entries->slots) {
    StoredSession& session = checkpoint.sessions.emplace_back();
    session.slot = slot;
    const std::string place = std::to_string(slot);
    const std::string* folder = trees.bytes(id, "tree", place, session.problems);
    if (folder == nullptr) continue;
    auto read = slot_entries(*folder, objects.id_bytes(), place);
    if (!read) {
      session.problems.push_back(place + ": " + read.error().message);
      continue;
    }
    note_all(session.problems, "", read->problems);
    for (std::string& name : read->unknown) session.unknown.push_back(place + "/" + std::move(name));
    if (read->metadata.empty()) session.problems.push_back(place + "/metadata.json: missing");
    blobs.want(read->metadata);
    prompts.want(read->prompt);
    hashes.want(read->content_hash);
    for (const auto& [number, part] : read->parts) parts.push_back(part);
    slots.emplace(slot, std::move(*read));
  }
  std::string plan;
  if (const std::string* ours = trees.bytes(entries->ours, "tree", "plankeep", problems)) {
    if (auto parsed = parse_tree(*ours, objects.id_bytes())) {
      for (const TreeEntry& entry : sound_entries(std::move(*parsed), "plankeep").entries) {
        if (entry.is_file() && entry.name == "plan.json") plan = entry.id;
      }
    }
  }
  if (entries->metadata.empty()) problems.emplace_back("metadata.json: missing");
  blobs.want(entries->metadata);
  blobs.want(plan);
  TRY(blobs.read());
  TRY(prompts.read());
  TRY(hashes.read());
  TRY_ASSIGN(const std::vector<SessionObject> sizes, objects.look(parts));

  checkpoint.root = decoded(blobs.bytes(entries->metadata, "blob", "metadata.json", problems),
                            core::decode_session_root, "metadata.json", problems);
  if (checkpoint.root && checkpoint.root->checkpoint_id != one.id)
    problems.emplace_back("metadata.json: belongs to another checkpoint");
  checkpoint.plan = decoded(blobs.bytes(plan, "blob", "plankeep/plan.json", problems), core::decode_plan_link,
                            "plankeep/plan.json", problems);
  std::size_t from = 0;
  for (StoredSession& session : checkpoint.sessions) {
    const auto at = slots.find(session.slot);
    if (at == slots.end()) continue;
    const SlotEntries& slot = at->second;
    const std::string place = std::to_string(session.slot);
    const std::string metadata = place + "/metadata.json";
    session.metadata = decoded(blobs.bytes(slot.metadata, "blob", metadata, session.problems),
                               core::decode_session, metadata, session.problems);
    if (session.metadata) check_session(*session.metadata, one.id, metadata, session.problems);
    if (const std::string* text = prompts.bytes(slot.prompt, "blob", place + "/prompt.txt", session.problems))
      session.prompts = core::prompts_in(*text);
    if (const std::string* text =
            hashes.bytes(slot.content_hash, "blob", place + "/content_hash.txt", session.problems))
      session.content_hash = *text;
    add_parts(session, slot, sizes, from, place);
    from += slot.parts.size();
  }
  return checkpoint;
}

Status read_transcript(SessionObjects& objects, const StoredSession& session,
                       const std::function<Status(std::string_view)>& take) {
  const std::string place = std::to_string(session.slot) + "/full.jsonl";
  if (session.transcript.empty())
    return base::fail(ErrorKind::not_found, "no transcript found for checkpoint");
  if (session.transcript_bytes > kLargestTranscript)
    return base::fail(ErrorKind::invalid_input, place + ": larger than the limit for transcripts (1 GiB)");
  for (std::size_t i = 0; i < session.transcript.size(); ++i) {
    const StoredSession::Part& part = session.transcript[i];
    if (part.number != i)
      return base::fail(ErrorKind::corrupt, place + ": part " + std::to_string(i) + " is missing");
    TRY_ASSIGN(const SessionObject object, objects.read_one(part.id, kLargestTranscript));
    if (std::string words = state_words(object, "blob", kLargestTranscript); !words.empty())
      return base::fail(ErrorKind::corrupt, place + ": part " + std::to_string(i) + " " + words);
    if (i > 0) TRY(take("\n"));
    TRY(take(object.bytes));
  }
  return {};
}

}  // namespace plankeep::sessions
