#include "session_rules/shadow_branches.hpp"

#include "base/text.hpp"
#include "base/utf8.hpp"
#include "model/session.hpp"
#include "session_rules/checkpoint_names.hpp"
#include "session_rules/written_checkpoint.hpp"

namespace plankeep::core {
namespace {

using base::ErrorKind;
using base::Result;

constexpr std::size_t kLongestSubject = 72;  // columns

std::string subject_line(std::string_view text) {
  text = base::trimmed(text);
  const std::string line = base::printable(base::to_valid_utf8(text.substr(0, text.find_first_of("\r\n"))));
  // Without one the trailers would be the subject.
  return line.empty() ? "Session updates" : base::fit_to_width(line, kLongestSubject);
}

// nullptr: the folder has no such folder.
const std::string* folder_in(const git::KnownTrees& known, std::string_view tree, std::string_view name,
                             git::ObjectFormat format, git::Tree& read) {
  const auto bytes = known.find(tree);
  if (bytes == known.end()) return nullptr;
  auto entries = git::read_tree(format, bytes->second);
  if (!entries) return nullptr;
  read = std::move(*entries);
  const git::TreeEntry* entry = git::find_entry(read, name);
  return entry != nullptr && git::is_folder(*entry) ? &entry->id : nullptr;
}

// What the tip says of sessions: a folder each.
git::Tree sessions_of(const git::KnownTrees& known, const std::string& tip, git::ObjectFormat format) {
  git::Tree root;
  git::Tree inside;
  const std::string* entire = folder_in(known, tip, kEntireFolder, format, root);
  if (entire == nullptr) return {};
  const std::string_view metadata = kShadowFolder.substr(kEntireFolder.size() + 1);
  const std::string* sessions = folder_in(known, *entire, metadata, format, inside);
  if (sessions == nullptr) return {};
  const auto bytes = known.find(*sessions);
  if (bytes == known.end()) return {};
  auto entries = git::read_tree(format, bytes->second);
  return entries ? std::move(*entries) : git::Tree();
}

}  // namespace

Result<ShadowMetadata> shadow_metadata(const ShadowRecord& record, std::size_t largest_part) {
  if (!is_client_session(record.session_id) || !git::is_entry_name(record.session_id))
    return base::fail(ErrorKind::invalid_input, "a session's id that can be no file name");
  ShadowMetadata metadata;
  metadata.session_id = record.session_id;
  if (record.transcript) {
    const auto parts = clients::transcript_chunks(record.transcript->text(), largest_part);
    if (!parts)
      return base::fail(ErrorKind::invalid_input,
                        "a line of the transcript is longer than " + std::to_string(largest_part) + " bytes");
    for (std::size_t i = 0; i < parts->size(); ++i)
      metadata.transcript.emplace_back(clients::chunk_name(i), (*parts)[i]);
  }
  if (!record.prompts.empty()) metadata.files[std::string(kPromptFile)] = joined_prompts(record.prompts);
  metadata.message = subject_line(record.subject.text()) +
                     "\n\nEntire-Metadata: " + std::string(kShadowFolder) + "/" + record.session_id +
                     "\nEntire-Session: " + record.session_id + "\nEntire-Strategy: manual-commit\n";
  return metadata;
}

Result<std::string> shadow_tree(const std::string& work_tree, const std::string& tip,
                                const ShadowMetadata& metadata, const git::KnownTrees& known,
                                git::Pack& pack) {
  const std::string start = std::string(kShadowFolder) + "/";
  git::TreeChanges changes;
  changes.remove(std::string(kShadowFolder));
  for (const git::TreeEntry& session : sessions_of(known, tip, pack.format())) {
    if (session.name != metadata.session_id && git::is_folder(session))
      changes.put(start + session.name, {session.mode, session.id});
  }
  const std::string own = start + metadata.session_id + "/";
  for (const auto& [name, text] : metadata.files)
    changes.put_file(own + name, pack.add(git::ObjectKind::blob, text));
  for (const auto& [name, text] : metadata.transcript)
    changes.put_file(own + name, pack.add(git::ObjectKind::blob, text));
  return git::change_tree(work_tree, changes, known, pack);
}

bool is_shadow_commit(std::string_view commit) {
  const std::size_t body = commit.find("\n\n");
  if (body == std::string_view::npos) return false;
  const std::string_view message = commit.substr(body);
  const auto says = [&](std::string_view line) { return message.find(line) != std::string_view::npos; };
  return says("\nEntire-Session: ") &&
         (says("\nEntire-Metadata: .entire/metadata/") || says("\nEntire-Metadata-Task: .entire/metadata/"));
}

std::optional<std::string> why_kept(const ShadowFacts& facts) {
  if (!facts.only_snapshots) return "it has commits that are not snapshots of a session";
  if (facts.checked_out) return "it is checked out";
  if (facts.running) return "its session is running";
  if (facts.open_in_entire) return "Entire lists its session as open";
  if (!facts.old_enough) return "it is not old enough";
  if (!facts.recorded) return "its session is in no session checkpoint made after it";
  if (!facts.committed) return "it has files that are in no commit";
  return std::nullopt;
}

}  // namespace plankeep::core
