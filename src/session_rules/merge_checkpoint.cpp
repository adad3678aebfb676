#include "session_rules/merge_checkpoint.hpp"

#include <algorithm>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "base/sha256.hpp"
#include "model/json/session_json.hpp"
#include "session_rules/checkpoint_names.hpp"
#include "session_rules/checkpoint_totals.hpp"
#include "session_rules/merge_json.hpp"
#include "session_rules/merge_slots.hpp"

namespace plankeep::core {
namespace {

constexpr std::string_view kAssets = "assets/";
constexpr std::string_view kAssetList = "assets/manifest.json";
constexpr std::string_view kRegularFile = "100644";

// --- what one side holds -----------------------------------------------------------------------------------

struct SideSlot {
  std::size_t number = 0;
  std::string key;       // the client's session; of one that is kept as it is: a line feed and its digest
  CheckpointTree files;  // relative to the slot's folder
  std::optional<SessionMetadata> metadata;
  std::string_view metadata_text;
  base::Instant created_at;
};

struct SideConflict {
  std::size_t slot = 0;
  std::string blob_digits;
  std::string id;  // of the file
};

struct Side {
  std::map<std::size_t, SideSlot> slots;
  std::map<std::string, std::size_t> by_key;
  std::map<std::string, SideConflict> conflicts;  // by path
  CheckpointTree rest;                            // neither root, slot nor conflict
  std::optional<CheckpointBlob> root_file;
  std::string_view root_text;
  std::optional<SessionRoot> root;
  base::Instant newest;
};

std::string_view text_of(const std::string& id, const BlobTexts& texts) {
  const auto text = texts.find(id);
  return text == texts.end() ? std::string_view() : std::string_view(text->second);
}

std::optional<CheckpointBlob> metadata_file(const CheckpointTree& tree) {
  const auto file = tree.find(std::string(kMetadataFile));
  return file == tree.end() ? std::nullopt : std::optional(file->second);
}

// "plankeep/conflicts/2-0a1b2c3d.jsonl"
std::optional<SideConflict> conflict_of(std::string_view path, const CheckpointBlob& blob) {
  if (!path.starts_with(kConflictFolder) || !path.ends_with(kConflictEnd)) return std::nullopt;
  path.remove_prefix(kConflictFolder.size());
  path.remove_suffix(kConflictEnd.size());
  const std::size_t dash = path.find('-');
  const auto slot = session_slot(path.substr(0, dash));
  if (!slot || dash == std::string_view::npos) return std::nullopt;
  const std::string_view digits = path.substr(dash + 1);
  if (digits.size() != kConflictDigits ||
      digits.find_first_not_of("0123456789abcdef") != std::string_view::npos)
    return std::nullopt;
  return SideConflict{*slot, std::string(digits), blob.id};
}

// "12" of "12/full.jsonl"
std::optional<std::size_t> slot_of_path(std::string_view path) {
  const std::size_t slash = path.find('/');
  return slash == std::string_view::npos ? std::nullopt : session_slot(path.substr(0, slash));
}

std::string digest_of(const CheckpointTree& files) {
  base::Sha256 digest;
  for (const auto& [path, blob] : files) digest.add(path + '\0' + blob.mode + ' ' + blob.id + '\n');
  return digest.hex();
}

Side side_of(const CheckpointTree& tree, const BlobTexts& texts) {
  Side side;
  std::map<std::string, SideConflict> conflicts;
  for (const auto& [path, blob] : tree) {
    if (path == kMetadataFile) continue;
    if (const auto number = slot_of_path(path)) {
      side.slots[*number].files.emplace(path.substr(path.find('/') + 1), blob);
    } else if (const auto conflict = conflict_of(path, blob)) {
      conflicts.emplace(path, *conflict);
    } else {
      side.rest.emplace(path, blob);
    }
  }
  for (auto& [number, slot] : side.slots) {
    slot.number = number;
    if (const auto file = metadata_file(slot.files)) slot.metadata_text = text_of(file->id, texts);
    if (auto read = decode_session(slot.metadata_text)) {
      slot.metadata = std::move(read->value);
      slot.created_at = base::parse_iso8601(slot.metadata->created_at).value_or(base::Instant{});
      side.newest = std::max(side.newest, slot.created_at);
      slot.key = slot.metadata->session_id;
    }
    if (!is_client_session(slot.key) || side.by_key.contains(slot.key))
      slot.key = "\n" + digest_of(slot.files);
    side.by_key.emplace(slot.key, number);
  }
  for (auto& [path, conflict] : conflicts) {
    if (side.slots.contains(conflict.slot))
      side.conflicts.emplace(path, std::move(conflict));
    else
      side.rest.emplace(path, tree.at(path));
  }
  side.root_file = metadata_file(tree);
  if (side.root_file) side.root_text = text_of(side.root_file->id, texts);
  if (auto read = decode_session_root(side.root_text)) side.root = std::move(read->value);
  return side;
}

// --- transcripts -------------------------------------------------------------------------------------------

// Ids of the parts, in their order. Of both names of the first part the newer one counts.
std::vector<std::string> parts_of(const SideSlot& slot) {
  std::map<std::size_t, std::string> parts;
  for (const auto& [name, blob] : slot.files)
    if (const auto number = transcript_part(name))
      if (name != "full.log" || !parts.contains(*number)) parts[*number] = blob.id;
  std::vector<std::string> ids;
  ids.reserve(parts.size());
  for (auto& [number, id] : parts) ids.push_back(std::move(id));
  return ids;
}

std::string transcript_id(const SideSlot& slot) {
  const std::vector<std::string> parts = parts_of(slot);
  if (parts.empty()) return {};
  if (parts.size() == 1) return parts.front();
  std::string list;
  for (const std::string& part : parts) list += part + '\n';
  return base::sha256_hex(list);
}

std::string transcript_text(const SideSlot& slot, const BlobTexts& texts) {
  std::string text;
  bool first = true;
  for (const std::string& part : parts_of(slot)) {
    if (!std::exchange(first, false)) text += '\n';
    text += text_of(part, texts);
  }
  return text;
}

bool belongs_to_transcript(std::string_view name) {
  return transcript_part(name) || name == kHashFile || name == kCompactFile || name.starts_with(kAssets);
}

// As merge_slots wants it. Texts only where both sides have the session with different ones.
CheckpointVersion version_of(const Side& side, const Side& other, const BlobTexts& texts) {
  CheckpointVersion version;
  for (const auto& [number, slot] : side.slots) {
    SessionSlot one;
    one.number = number;
    one.session = slot.key;
    one.created_at = slot.created_at;
    one.transcript_blob = transcript_id(slot);
    const auto same = other.by_key.find(slot.key);
    if (same != other.by_key.end() && transcript_id(other.slots.at(same->second)) != one.transcript_blob)
      one.transcript = transcript_text(slot, texts);
    version.slots.push_back(std::move(one));
  }
  for (const auto& [path, conflict] : side.conflicts)
    version.conflicts.push_back(
        {side.slots.at(conflict.slot).key, conflict.blob_digits, std::string(text_of(conflict.id, texts))});
  std::sort(version.conflicts.begin(), version.conflicts.end());
  return version;
}

// --- files -------------------------------------------------------------------------------------------------

enum class Newer { a, b, neither };

Newer newer_of(base::Instant a, base::Instant b) {
  if (a == b) return Newer::neither;
  return a > b ? Newer::a : Newer::b;
}

// Present beats absent, newer beats older, else the greater id.
void put_merged(CheckpointTree& into, const CheckpointTree& a, const CheckpointTree& b, Newer newer,
                bool (*wanted)(std::string_view name)) {
  for (const auto& [path, blob] : a)
    if (wanted(path)) into.emplace(path, blob);
  for (const auto& [path, blob] : b) {
    if (!wanted(path)) continue;
    const auto [at, is_new] = into.emplace(path, blob);
    if (is_new || at->second == blob) continue;
    const bool b_counts = newer == Newer::neither
                              ? std::pair(blob.id, blob.mode) > std::pair(at->second.id, at->second.mode)
                              : newer == Newer::b;
    if (b_counts) at->second = blob;
  }
}

class Merger {
 public:
  Merger(const MergeTarget& target, const CheckpointTree& remote, const CheckpointTree& local,
         const BlobTexts& texts)
      : target_(target), texts_(texts), remote_(side_of(remote, texts)), local_(side_of(local, texts)) {}

  CheckpointMerge merge() {
    const CheckpointVersion remote = version_of(remote_, local_, texts_);
    const CheckpointVersion local = version_of(local_, remote_, texts_);
    const CheckpointVersion merged = merge_checkpoints(remote, local);
    for (const SessionSlot& slot : merged.slots) add_slot(slot);
    put_merged(out_.files, remote_.rest, local_.rest, newer_of(remote_.newest, local_.newest),
               [](std::string_view) { return true; });
    for (const TranscriptConflict& conflict : merged.conflicts) {
      const auto slot = std::find_if(merged.slots.begin(), merged.slots.end(),
                                     [&](const SessionSlot& one) { return one.session == conflict.session; });
      put_text(conflict_path(slot->number, conflict), conflict.text);
    }
    out_.conflicts = static_cast<std::size_t>(std::count_if(
        merged.conflicts.begin(), merged.conflicts.end(),
        [&](const TranscriptConflict& one) { return !is_known(one, remote) && !is_known(one, local); }));
    add_root();
    return std::move(out_);
  }

 private:
  static bool is_known(const TranscriptConflict& conflict, const CheckpointVersion& version) {
    return std::any_of(version.conflicts.begin(), version.conflicts.end(),
                       [&](const TranscriptConflict& one) {
                         return one.session == conflict.session && one.blob == conflict.blob;
                       });
  }

  static const SideSlot* slot_in(const Side& side, const std::string& key) {
    const auto found = side.by_key.find(key);
    return found == side.by_key.end() ? nullptr : &side.slots.at(found->second);
  }

  void put_text(const std::string& path, const std::string& text) {
    const std::string id = git::object_id(target_.format, git::ObjectKind::blob, text);
    out_.files.insert_or_assign(path, CheckpointBlob{std::string(kRegularFile), id});
    if (!texts_.contains(id)) out_.texts.emplace(id, text);
  }

  void add_slot(const SessionSlot& merged) {
    const SideSlot* remote = slot_in(remote_, merged.session);
    const SideSlot* local = slot_in(local_, merged.session);
    const std::string folder = std::to_string(merged.number) + "/";
    slots_.insert_or_assign(merged.number, std::pair(remote, local));
    if (remote == nullptr || local == nullptr || remote->files == local->files) {
      const SideSlot& only = remote == nullptr ? *local : *remote;
      for (const auto& [name, blob] : only.files) out_.files.emplace(folder + name, blob);
      keep_metadata(merged.number, only.metadata);
      return;
    }
    const Newer newer = newer_of(remote->created_at, local->created_at);
    const bool same_transcript = transcript_id(*remote) == transcript_id(*local);
    const bool remote_stays = merged.transcript_blob == transcript_id(*remote);
    CheckpointTree files;
    if (same_transcript) {
      put_merged(files, remote->files, local->files, newer,
                 [](std::string_view name) { return name != kMetadataFile; });
    } else {
      const SideSlot& stays = remote_stays ? *remote : *local;
      for (const auto& [name, blob] : stays.files)
        if (belongs_to_transcript(name)) files.emplace(name, blob);
      put_merged(files, remote->files, local->files, newer, [](std::string_view name) {
        return name != kMetadataFile && name != kPromptFile && !belongs_to_transcript(name);
      });
      // What was asked belongs to what was answered.
      put_merged(files, remote->files, local->files, remote_stays ? Newer::a : Newer::b,
                 [](std::string_view name) { return name == kPromptFile; });
    }
    for (const auto& [name, blob] : files) out_.files.emplace(folder + name, blob);
    add_metadata(merged.number, *remote, *local, newer, same_transcript, remote_stays);
  }

  void keep_metadata(std::size_t number, const std::optional<SessionMetadata>& metadata) {
    if (metadata) metadata_.emplace(number, *metadata);
  }

  void add_metadata(std::size_t number, const SideSlot& remote, const SideSlot& local, Newer newer,
                    bool same_transcript, bool remote_stays) {
    static const std::set<std::string_view> kOfTranscript{
        "transcript_identifier_at_start", "checkpoint_transcript_start", "transcript_lines_at_start",
        "compact_transcript_start"};
    const bool local_first = newer == Newer::b;
    const SideSlot& first = local_first ? local : remote;
    const SideSlot& second = local_first ? remote : local;
    const bool first_stays = remote_stays != local_first;
    const std::set<std::string_view> none;
    const std::string merged = merge_objects(first.metadata_text, second.metadata_text,
                                             newer == Newer::neither ? KeyRule::neither : KeyRule::newer,
                                             !same_transcript && first_stays ? kOfTranscript : none,
                                             !same_transcript && !first_stays ? kOfTranscript : none);
    const std::string path = std::to_string(number) + "/" + std::string(kMetadataFile);
    auto read = decode_session(merged);
    // Both could be read, so one of them is kept where all of it together cannot.
    if (!read) {
      out_.files[path] = first.files.at(std::string(kMetadataFile));
      keep_metadata(number, first.metadata);
      return;
    }
    metadata_.emplace(number, read->value);
    const bool is_one_of_them = merged == first.metadata_text || merged == second.metadata_text;
    put_text(path, is_one_of_them ? merged : encode_session(read->value));
  }

  // --- the root ---

  bool has_file(std::size_t slot, std::string_view name) const {
    return out_.files.contains(std::to_string(slot) + "/" + std::string(name));
  }

  std::optional<SlotPaths> stated_paths(const Side& side, const SideSlot* slot) const {
    if (slot == nullptr || !side.root || !side.root->sessions) return std::nullopt;
    const auto& paths = *side.root->sessions;
    if (slot->number >= paths.size()) return std::nullopt;
    return paths[slot->number];
  }

  SlotPaths paths_for(std::size_t number) const {
    const auto& [remote, local] = slots_.at(number);
    const std::optional<SlotPaths> theirs = stated_paths(remote_, remote);
    const std::optional<SlotPaths> ours = stated_paths(local_, local);
    // As its own writer said, where nothing of it changed.
    if (theirs && remote->number == number && (local == nullptr || remote->files == local->files))
      return *theirs;
    SlotPaths paths = theirs ? *theirs : ours.value_or(SlotPaths{});
    const bool compact = (theirs && theirs->compact_transcript) || (ours && ours->compact_transcript);
    const bool assets = (theirs && theirs->assets_manifest) || (ours && ours->assets_manifest);
    if (theirs && ours)
      for (const KeptKey& kept : ours->kept)
        if (std::none_of(paths.kept.begin(), paths.kept.end(),
                         [&](const KeptKey& one) { return one.name == kept.name; }))
          paths.kept.push_back(kept);
    const std::string folder = slot_folder(target_.layout, target_.id, number);
    paths = paths_of(std::move(paths), target_.layout, folder, has_file(number, "full.jsonl"),
                     has_file(number, kPromptFile));
    paths.compact_transcript.reset();
    paths.assets_manifest.reset();
    if (compact && has_file(number, kCompactFile))
      paths.compact_transcript = folder + std::string(kCompactFile);
    if (assets && has_file(number, kAssetList)) paths.assets_manifest = folder + std::string(kAssetList);
    return paths;
  }

  SessionTotals totals() const {
    SessionTotals all = totals_of(metadata_);
    const auto add = [&](const Side& side, bool (*counts)(const Side& other, const SideSlot& slot),
                         const Side& other) {
      std::map<std::size_t, SessionMetadata> readable;
      bool any = false;
      for (const auto& [number, slot] : side.slots) {
        if (slot.metadata) readable.emplace(number, *slot.metadata);
        any = any || (!slot.metadata && counts(other, slot));
      }
      if (any && side.root) add_unreadable(all, *side.root, totals_of(readable));
    };
    add(
        remote_, [](const Side&, const SideSlot&) { return true; }, local_);
    add(
        local_, [](const Side& other, const SideSlot& slot) { return !other.by_key.contains(slot.key); },
        remote_);
    return all;
  }

  void add_root() {
    if (!remote_.root && !local_.root) {
      const auto& kept = remote_.root_file ? remote_.root_file : local_.root_file;
      if (kept) out_.files[std::string(kMetadataFile)] = *kept;
      return;
    }
    const Newer newer = newer_of(remote_.newest, local_.newest);
    const bool local_first = newer == Newer::b;
    std::string text;
    if (!remote_.root || !local_.root) {
      text = remote_.root ? remote_.root_text : local_.root_text;
    } else {
      // These are counted anew, so they must not decide which text is kept.
      static const std::set<std::string_view> kCounted{"checkpoints_count", "files_touched", "sessions"};
      text = merge_objects(local_first ? local_.root_text : remote_.root_text,
                           local_first ? remote_.root_text : local_.root_text,
                           newer == Newer::neither ? KeyRule::neither : KeyRule::newer, kCounted);
    }
    auto read = decode_session_root(text);
    SessionRoot root = read ? std::move(read->value) : remote_.root ? *remote_.root : *local_.root;
    const SessionTotals sums = totals();
    root.checkpoint_id = target_.id;
    root.checkpoints_count = sums.checkpoints;
    root.files_touched = sorted_list(sums.files);
    if (sums.tokens) root.token_usage = with_counts(root.token_usage.value_or(TokenUsage{}), *sums.tokens);
    root.sessions.emplace();
    const std::size_t stated = remote_.root && remote_.root->sessions ? remote_.root->sessions->size() : 0;
    const std::size_t needed = slots_.empty() ? 0 : slots_.rbegin()->first + 1;
    for (std::size_t i = 0; i < std::min(std::max(stated, needed), kMostSessionSlots); ++i) {
      if (slots_.contains(i))
        root.sessions->push_back(paths_for(i));
      else
        root.sessions->push_back(i < stated ? (*remote_.root->sessions)[i] : SlotPaths{});
    }
    put_text(std::string(kMetadataFile), encode_session_root(root));
  }

  const MergeTarget& target_;
  const BlobTexts& texts_;
  Side remote_;
  Side local_;
  std::map<std::size_t, std::pair<const SideSlot*, const SideSlot*>> slots_;
  std::map<std::size_t, SessionMetadata> metadata_;
  CheckpointMerge out_;
};

}  // namespace

std::vector<std::string> blobs_to_merge(const CheckpointTree& remote, const CheckpointTree& local) {
  std::set<std::string> ids;
  for (const CheckpointTree* tree : {&remote, &local})
    for (const auto& [path, blob] : *tree) {
      const bool of_slot = slot_of_path(path) && path.substr(path.find('/') + 1) == kMetadataFile;
      if (path == kMetadataFile || of_slot) ids.insert(blob.id);
    }
  return {ids.begin(), ids.end()};
}

std::vector<std::string> transcripts_to_merge(const CheckpointTree& remote, const CheckpointTree& local,
                                              const BlobTexts& texts) {
  const Side theirs = side_of(remote, texts);
  const Side ours = side_of(local, texts);
  std::set<std::string> ids;
  for (const auto& [key, number] : theirs.by_key) {
    const auto same = ours.by_key.find(key);
    if (same == ours.by_key.end()) continue;
    const SideSlot& a = theirs.slots.at(number);
    const SideSlot& b = ours.slots.at(same->second);
    if (transcript_id(a) == transcript_id(b)) continue;
    for (const SideSlot* slot : {&a, &b})
      for (std::string& id : parts_of(*slot)) ids.insert(std::move(id));
  }
  for (const Side* side : {&theirs, &ours})
    for (const auto& [path, conflict] : side->conflicts) ids.insert(conflict.id);
  return {ids.begin(), ids.end()};
}

CheckpointMerge merge_checkpoint(const MergeTarget& target, const CheckpointTree& remote,
                                 const CheckpointTree& local, const BlobTexts& texts) {
  return Merger(target, remote, local, texts).merge();
}

}  // namespace plankeep::core
