#include "sessions/write_session.hpp"

#include <algorithm>
#include <charconv>

#include "base/sha256.hpp"
#include "base/ulid.hpp"
#include "git/push_queue.hpp"
#include "sessions/session_remote.hpp"

namespace plankeep::app {
namespace {

using base::ErrorKind;
using base::Result;

constexpr std::string_view kMetadata = "metadata.json";
constexpr std::string_view kPlanFolder = "plankeep";
constexpr std::string_view kPlanLink = "plan.json";
constexpr std::string_view kFirstMessage =
    "Initialize metadata branch\n\nThis branch stores session metadata.\n";

// What a ref's tree says of one checkpoint. Trees that were not read with it are asked for.
class CheckpointTrees {
 public:
  CheckpointTrees(git::ObjectWriter& objects, const git::RefState& now)
      : objects_(objects), now_(now), trees_(now.trees) {
    for (const auto& [path, text] : now_.files)
      blobs_.emplace(git::object_id(objects_.format(), git::ObjectKind::blob, text), text);
  }

  // All trees that were seen: what change_tree has to know.
  const git::KnownTrees& trees() const { return trees_; }

  Result<core::CheckpointNow> read(const std::string& folder) {
    core::CheckpointNow found;
    TRY_ASSIGN(const git::Tree top, folder_at(folder));
    if (const git::TreeEntry* root = git::find_entry(top, kMetadata); root != nullptr) {
      TRY_ASSIGN(auto texts, blobs({*root}));
      // One that git has no more is as bad as one that is no JSON.
      found.root = std::move(texts.front()).value_or("");
    }
    TRY(read_slots(top, found));
    if (const git::TreeEntry* ours = git::find_entry(top, kPlanFolder);
        ours != nullptr && git::is_folder(*ours)) {
      TRY_ASSIGN(const auto trees, folders({*ours}));
      if (const git::TreeEntry* link = git::find_entry(trees.front(), kPlanLink); link != nullptr) {
        TRY_ASSIGN(auto texts, blobs({*link}));
        found.plan_link = std::move(texts.front()).value_or("");
      }
    }
    return found;
  }

 private:
  // Empty where there is none.
  Result<git::Tree> folder_at(const std::string& folder) {
    git::Tree tree;
    if (now_.tree.empty()) return tree;
    TRY_ASSIGN(tree, git::read_tree(objects_.format(), trees_.at(now_.tree)));
    for (std::size_t at = 0; at < folder.size();) {
      const std::size_t end = folder.find('/', at);
      const git::TreeEntry* entry = git::find_entry(tree, folder.substr(at, end - at));
      if (entry == nullptr || !git::is_folder(*entry)) return git::Tree();
      TRY_ASSIGN(auto next, folders({*entry}));
      tree = std::move(next.front());
      at = end == std::string::npos ? folder.size() : end + 1;
    }
    return tree;
  }

  base::Status read_slots(const git::Tree& top, core::CheckpointNow& found) {
    std::vector<std::size_t> numbers;
    std::vector<git::TreeEntry> entries;
    for (const git::TreeEntry& entry : top) {
      const auto number = core::session_slot(entry.name);
      if (!number || !git::is_folder(entry)) continue;
      numbers.push_back(*number);
      entries.push_back(entry);
    }
    if (entries.size() > core::kMostSessionSlots)
      return base::fail(ErrorKind::invalid_input, "the session checkpoint holds more than 10,000 sessions");
    TRY_ASSIGN(const auto slots, folders(entries));
    std::vector<std::size_t> with_metadata;
    std::vector<git::TreeEntry> metadata;
    for (std::size_t i = 0; i < slots.size(); ++i) {
      core::StoredSlot& slot = found.slots[numbers[i]];
      for (const git::TreeEntry& entry : slots[i]) slot.names.push_back(entry.name);
      const git::TreeEntry* file = git::find_entry(slots[i], kMetadata);
      if (file == nullptr) continue;
      with_metadata.push_back(numbers[i]);
      metadata.push_back(*file);
    }
    TRY_ASSIGN(auto texts, blobs(metadata));
    for (std::size_t i = 0; i < texts.size(); ++i)
      found.slots.at(with_metadata[i]).metadata = std::move(texts[i]);
    return {};
  }

  Result<std::vector<git::Tree>> folders(const std::vector<git::TreeEntry>& entries) {
    std::vector<std::string> missing;
    for (const git::TreeEntry& entry : entries)
      if (!trees_.contains(entry.id)) missing.push_back(entry.id);
    if (!missing.empty()) {
      TRY_ASSIGN(auto objects, objects_.read(missing));
      for (auto& object : objects)
        if (object && object->kind == "tree") trees_.emplace(std::move(object->id), std::move(object->bytes));
    }
    std::vector<git::Tree> read;
    for (const git::TreeEntry& entry : entries) {
      const auto bytes = trees_.find(entry.id);
      if (bytes == trees_.end())
        return base::fail(ErrorKind::corrupt, "git lacks the tree " + entry.id + " of a session checkpoint");
      TRY_ASSIGN(read.emplace_back(), git::read_tree(objects_.format(), bytes->second));
    }
    return read;
  }

  Result<std::vector<std::optional<std::string>>> blobs(const std::vector<git::TreeEntry>& entries) {
    std::vector<std::string> ids;
    for (const git::TreeEntry& entry : entries)
      if (!blobs_.contains(entry.id)) ids.push_back(entry.id);
    if (!ids.empty()) {
      TRY_ASSIGN(auto objects, objects_.read(ids));
      for (auto& object : objects)
        if (object && object->kind == "blob") blobs_.emplace(std::move(object->id), std::move(object->bytes));
    }
    std::vector<std::optional<std::string>> texts;
    for (const git::TreeEntry& entry : entries) {
      const auto found = blobs_.find(entry.id);
      texts.push_back(found == blobs_.end() ? std::nullopt : std::optional(found->second));
    }
    return texts;
  }

  git::ObjectWriter& objects_;
  const git::RefState& now_;
  git::KnownTrees trees_;
  std::map<std::string, std::string> blobs_;
};

std::vector<std::string> paths_read_ahead(const std::string& folder) {
  std::vector<std::string> paths;
  for (std::size_t slash = folder.find('/'); slash != std::string::npos; slash = folder.find('/', slash + 1))
    paths.push_back(folder.substr(0, slash));
  if (!folder.empty()) paths.push_back(folder);
  const std::string start = folder.empty() ? "" : folder + "/";
  paths.push_back(start + std::string(kMetadata));
  paths.push_back(start + std::string(kPlanFolder));
  paths.push_back(paths.back() + "/" + std::string(kPlanLink));
  for (std::size_t slot = 0; slot < kSlotsReadAhead; ++slot) {
    paths.push_back(start + std::to_string(slot));
    paths.push_back(paths.back() + "/" + std::string(kMetadata));
  }
  return paths;
}

git::TreeChanges changes_of(const core::CheckpointFiles& files, const std::string& folder, git::Pack& pack) {
  const std::string start = folder.empty() ? "" : folder + "/";
  git::TreeChanges changes;
  for (const std::string& path : files.removed) changes.remove(start + path);
  for (const auto& [path, text] : files.files)
    changes.put_file(start + path, pack.add(git::ObjectKind::blob, text));
  for (const auto& [path, text] : files.transcript)
    changes.put_file(start + path, pack.add(git::ObjectKind::blob, text));
  return changes;
}

}  // namespace

Result<git::Signature> session_author(git::Git& git, const std::string& folder, base::Instant now) {
  TRY_ASSIGN(const auto name, git.config(folder, "user.name"));
  TRY_ASSIGN(const auto email, git.config(folder, "user.email"));
  return git::Signature{name.value_or("Unknown"), email.value_or("unknown@local"),
                        now.milliseconds / base::kSecond, 0};
}

std::string session_id_for_commit(core::SessionLayout layout, std::string_view commit, base::Instant time) {
  const std::string digest = base::sha256_hex("plankeep session checkpoint of " + std::string(commit));
  if (layout == core::SessionLayout::branch) return digest.substr(0, 12);
  base::UlidRandom bits{};
  for (std::size_t i = 0; i < bits.size(); ++i)
    (void)std::from_chars(digest.data() + 2 * i, digest.data() + 2 * i + 2, bits[i], 16);
  return base::make_ulid(time, bits);
}

core::SessionLayout layout_of_id(std::string_view id) {
  return core::session_id_kind(id) == core::SessionIdKind::ulid ? core::SessionLayout::refs
                                                                : core::SessionLayout::branch;
}

bool written_by_plankeep(const core::SessionMetadata& metadata) {
  return metadata.cli_version.value_or("").starts_with("plankeep/");
}

Result<SessionWriter> SessionWriter::open(git::Git& git, system::FileSystem& files, git::WorkTree tree,
                                          std::string elected) {
  TRY_ASSIGN(auto objects, git::ObjectWriter::open(git, std::move(tree)));
  return SessionWriter(std::move(objects), files, std::move(elected));
}

// A branch that is not there yet, or holds nothing yet, begins where the remote's stands.
base::Status SessionWriter::adopt(const std::string& ref) {
  const auto branch_of = [](const std::string& remote) {
    return "refs/remotes/" + remote + "/" + std::string(core::kSessionBranch);
  };
  std::vector<std::string> names{ref};
  if (!elected_.empty()) names.push_back(branch_of(elected_));
  names.push_back(branch_of("origin"));
  TRY_ASSIGN(const auto tips, objects_.read(names));
  const auto first = std::find_if(tips.begin() + 1, tips.end(),
                                  [](const auto& tip) { return tip && tip->kind == "commit"; });
  if (first == tips.end()) return {};
  // Moved meanwhile: somebody else has begun it, and the next turn sees how.
  TRY_ASSIGN([[maybe_unused]] const auto outcome,
             objects_.update({{ref, (*first)->id, tips[0] ? tips[0]->id : std::string()}}));
  return {};
}

Result<SessionWritten> SessionWriter::turn(const SessionTarget& target, const MakeFiles& make) {
  const bool on_branch = target.layout == core::SessionLayout::branch;
  if (!core::session_id_kind(target.id))
    return base::fail(ErrorKind::invalid_input, target.id + " is not the id of a session checkpoint");
  SessionWritten done;
  done.ref = on_branch ? std::string(kSessionBranchRef) : core::session_ref(target.id);
  const std::string folder = on_branch ? core::session_folder(target.id) : "";
  const std::string nothing = git::object_id(objects_.format(), git::ObjectKind::tree, "");

  bool may_adopt = on_branch;
  bool wants_adoption = false;
  const git::MakeCommit commit = [&](const git::RefState& now, git::Pack& pack) -> Result<std::string> {
    wants_adoption = may_adopt && (now.tip.empty() || now.tree == nothing);
    if (wants_adoption) return std::string();
    CheckpointTrees trees(objects_, now);
    TRY_ASSIGN(const core::CheckpointNow stored, trees.read(folder));
    TRY_ASSIGN(const core::CheckpointFiles files, make(stored));
    done.slot = files.slot;
    done.warnings = files.problems;
    TRY_ASSIGN(const std::string tree,
               git::change_tree(now.tree, changes_of(files, folder, pack), trees.trees(), pack));
    if (tree == now.tree) return std::string();
    std::vector<std::string> parents;
    if (!now.tip.empty()) parents.push_back(now.tip);
    if (now.tip.empty() && on_branch) {
      const std::string empty = pack.add(git::ObjectKind::tree, "");
      parents.push_back(
          pack.add(git::ObjectKind::commit,
                   git::commit_bytes({empty, {}, target.author, target.author, std::string(kFirstMessage)})));
    }
    return pack.add(git::ObjectKind::commit,
                    git::commit_bytes({tree, parents, target.author, target.author, files.message}));
  };

  git::RefWriter refs(objects_, files_);
  const git::RefWrite wanted{done.ref, paths_read_ahead(folder), target.is_new && !on_branch};
  TRY_ASSIGN(git::RefWritten written, refs.write(wanted, commit));
  if (wants_adoption) {
    TRY(adopt(done.ref));
    may_adopt = false;
    TRY_ASSIGN(written, refs.write(wanted, commit));
  }
  done.commit = written.commit;
  done.tries = written.tries;
  if (done.commit.empty()) return done;

  const std::string& common = objects_.tree().common_dir;
  // The checkpoint is written: what fails from here on can be mended, and is no failure of the write.
  if (const auto noted = git::WrittenRefs(files_, common).append({{done.ref, done.commit}}); !noted)
    done.warnings.push_back(noted.error().message);
  if (!on_branch) {
    if (const auto queued = git::PushQueue(files_, common).append({done.ref}); !queued)
      done.warnings.push_back(queued.error().message);
  }
  return done;
}

Result<SessionWritten> SessionWriter::write(const SessionTarget& target, const core::SessionRecord& record) {
  return turn(target, [&](const core::CheckpointNow& now) {
    return core::put_session(now, target.layout, target.id, record);
  });
}

Result<SessionWritten> SessionWriter::finalise(const SessionTarget& target, const std::string& session_id,
                                               const secrets::Redacted& transcript,
                                               const std::vector<secrets::Redacted>& prompts,
                                               std::optional<std::int64_t> first_line) {
  return turn(target, [&](const core::CheckpointNow& now) {
    return core::finalise_session(now, target.id, session_id, transcript, prompts, clients::kTranscriptChunk,
                                  first_line);
  });
}

}  // namespace plankeep::app
