#pragma once
// Session checkpoints in a real repository, object by object, as Entire's tools would write them; and broken
// ones, which no tool writes.

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "git/repository.hpp"
#include "model/json/session_json.hpp"
#include "session_store/session_index.hpp"
#include "session_store/session_store.hpp"

namespace plankeep::test {

inline constexpr std::string_view kTranscript =
    "{\"type\":\"user\",\"message\":\"add <b>\"}\n{\"type\":\"assistant\",\"message\":\"done\"}\n";
inline constexpr std::string_view kPrompts = "First prompt\n\n---\n\nSecond & last";
inline constexpr std::string_view kHexId = "a1b2c3d4e5f6";
inline constexpr std::string_view kUlid = "01HF7YAT00000G40R40M30E209";

/// The session file of the golden vectors; `version` "0.5.1" or "0.8.1".
inline core::SessionMetadata golden_session(std::string_view id, std::string_view version) {
  core::SessionMetadata session;
  session.cli_version = version;
  session.checkpoint_id = id;
  session.session_id = "sess-1";
  session.strategy = "manual-commit";
  session.created_at = "2023-11-14T22:13:20Z";
  session.branch = "main";
  session.checkpoints_count = 2;
  session.files_touched = core::Strings{"a.txt", "src/b.c"};
  session.agent = "Claude Code";
  session.model = "m-1";
  session.turn_id = "0011223344ff";
  session.token_usage = core::TokenUsage{10, 0, 5, 7, 1, {}, {}};
  core::LineAttribution& lines = session.initial_attribution.emplace();
  lines.calculated_at = session.created_at;
  lines.agent_lines = 8;
  lines.human_added = 2;
  lines.human_modified = 1;
  lines.human_removed = 0;
  lines.total_committed = 10;
  lines.agent_percentage = 80;
  if (version != "0.5.1") {
    session.save_step_count = 2;
    lines.agent_removed = 1;
    lines.total_changed = 12;
    lines.agent_percentage = 75;
    lines.metric = 2;
  }
  return session;
}

inline core::SlotPaths golden_paths(const std::string& folder, int slot) {
  const std::string start = folder + std::to_string(slot) + "/";
  return {start + "metadata.json",
          start + "full.jsonl",
          {},
          start + "content_hash.txt",
          start + "prompt.txt",
          {},
          {}};
}

inline core::SessionRoot golden_root(std::string_view id, const std::string& folder,
                                     std::string_view version) {
  core::SessionRoot root;
  root.cli_version = version;
  root.checkpoint_id = id;
  root.strategy = "manual-commit";
  root.branch = "main";
  root.checkpoints_count = 2;
  root.files_touched = core::Strings{"a.txt", "src/b.c"};
  root.sessions.emplace().push_back(golden_paths(folder, 0));
  root.token_usage = core::TokenUsage{10, 0, 5, 7, 1, {}, {}};
  return root;
}

class WrittenSessions : public Repository {
 public:
  explicit WrittenSessions(const std::string& object_format = "sha1") : Repository(false) {
    git({"init", "-q", "-b", "main", "--object-format=" + object_format});
    binary = object_format == "sha256" ? 32 : 20;
  }

  std::string object(const std::string& type, std::string_view bytes) {
    auto made = ask.run(folder.path(), {"hash-object", "-w", "--stdin", "--literally", "-t", type}, bytes);
    REQUIRE(made);
    INFO(made->errors);
    REQUIRE(made->status == 0);
    return made->output.substr(0, made->output.size() - 1);
  }
  std::string blob(std::string_view bytes) { return object("blob", bytes); }

  /// In the order given, whatever git would say of it: name, mode, id.
  struct Entry {
    std::string name;
    std::string mode;
    std::string id;
  };
  std::string raw_tree(const std::vector<Entry>& entries) {
    std::string bytes;
    for (const Entry& entry : entries) {
      bytes += entry.mode + " " + entry.name + std::string(1, '\0');
      for (std::size_t i = 0; i < entry.id.size(); i += 2)
        bytes += static_cast<char>(std::stoi(entry.id.substr(i, 2), nullptr, 16));
    }
    return object("tree", bytes);
  }
  static Entry file(std::string name, std::string id) { return {std::move(name), "100644", std::move(id)}; }
  static Entry dir(std::string name, std::string id) { return {std::move(name), "40000", std::move(id)}; }

  std::string commit(const std::string& tree, const std::vector<std::string>& parents,
                     const std::string& message) {
    std::string text = "tree " + tree + "\n";
    for (const std::string& parent : parents) text += "parent " + parent + "\n";
    constexpr std::string_view kWho = "Test User <test@example.com> 1700000000 +0000\n";
    text += "author " + std::string(kWho) + "committer " + std::string(kWho) + "\n" + message;
    return object("commit", text);
  }
  void ref(const std::string& name, const std::string& id) { git({"update-ref", name, id}); }

  std::string golden_slot(const core::SessionMetadata& session, std::string_view transcript = kTranscript) {
    return raw_tree({file("content_hash.txt", blob(core::content_hash_of(transcript))),
                     file("full.jsonl", blob(transcript)),
                     file("metadata.json", blob(core::encode_session(session))),
                     file("prompt.txt", blob(kPrompts))});
  }

  /// A checkpoint in each layout; the ids are those of the golden vectors.
  std::string write_branch(const std::string& checkpoint_tree, const std::string& id = std::string(kHexId),
                           const std::vector<std::string>& parents = {}) {
    const std::string top = raw_tree({dir(id.substr(0, 2), raw_tree({dir(id.substr(2), checkpoint_tree)}))});
    const std::string made = commit(top, parents, "Checkpoint: " + id + "\n\nEntire-Session: sess-1\n");
    ref("refs/heads/entire/checkpoints/v1", made);
    return made;
  }
  std::string write_refs(const std::string& checkpoint_tree, const std::string& id = std::string(kUlid)) {
    const std::string made =
        commit(checkpoint_tree, {}, "Checkpoint: " + id + "\n\nEntire-Session: sess-1\n");
    ref(core::session_ref(id), made);
    return made;
  }
  std::string golden_checkpoint(std::string_view id, const std::string& paths, std::string_view version) {
    return raw_tree(
        {dir("0", golden_slot(golden_session(id, version))),
         file("metadata.json", blob(core::encode_session_root(golden_root(id, paths, version))))});
  }

  sessions::SessionRepository repository() {
    auto found = sessions::open_repository(ask, folder.path());
    REQUIRE(found);
    REQUIRE(*found);
    return **found;
  }
  std::unique_ptr<sessions::SessionIndex> index() {
    auto opened = sessions::SessionIndex::open(ask, files, folder.path());
    if (!opened) FAIL(opened.error().message);
    REQUIRE(*opened);
    return std::move(*opened);
  }

  std::size_t binary = 20;
};

}  // namespace plankeep::test
