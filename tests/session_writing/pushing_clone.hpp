#pragma once
// A clone of a bare repository, with session checkpoints that are written, pushed and read as the program
// does it.

#include <catch2/catch.hpp>
#include <map>
#include <string>

#include "git/repository.hpp"
#include "session_store/session_index.hpp"
#include "sessions/push_sessions.hpp"
#include "sessions/write_session.hpp"
#include "support/fake_clock.hpp"
#include "support/map_environment.hpp"

namespace plankeep::test {

inline const std::string kPushedUlid = "01HF7YAT00000G40R40M30E209";
inline const std::string kPushedHex = "a1b2c3d4e5f6";
inline const std::string kPushedRef = "refs/entire/checkpoints/09/01HF7YAT00000G40R40M30E209";
inline const std::string kPushedBranch = "refs/heads/entire/checkpoints/v1";
inline constexpr base::Instant kPushTime{1700000000000};

class PushingClone : public Repository {
 public:
  explicit PushingClone(const std::string& bare, bool init = true) : Repository(init) {
    if (init) git({"remote", "add", "origin", bare});
    environment.directory = folder.path();
    environment.variables["HOME"] = folder.path() + "/nobody";
  }

  /// `layout` refs: kPushedUlid; branch: kPushedHex, unless `id` says another one.
  void write_session(core::SessionLayout layout, const std::string& session, const std::string& transcript,
                     int second = 0, std::string id = {}) {
    core::SessionRecord record;
    record.cli_version = "plankeep/0.1.0";
    record.session_id = session;
    record.created_at = {kPushTime.milliseconds + second * 1000};
    record.files_touched = {secrets::Redactor::standard().plain(session + ".txt")};
    record.transcript = secrets::Redactor::standard().plain(transcript);
    if (id.empty()) id = layout == core::SessionLayout::refs ? kPushedUlid : kPushedHex;
    auto writer = app::SessionWriter::open(ask, files, tree());
    REQUIRE(writer);
    const auto done =
        writer->write({layout, id, {"Test User", "test@example.com", 1700000000 + second, 0}}, record);
    if (!done) FAIL(done.error().message);
  }

  base::Result<app::SessionPush> open_push(app::SessionPushRequest request = {}) {
    return app::SessionPush::open(context, request);
  }
  app::SessionPushed push(app::SessionPushRequest request = {}) {
    auto opened = open_push(std::move(request));
    if (!opened) FAIL(opened.error().message);
    auto done = opened->run();
    if (!done) FAIL(done.error().message);
    return *done;
  }

  sessions::StoredCheckpoint checkpoint(const std::string& id) {
    auto index = sessions::SessionIndex::open(ask, files, folder.path());
    REQUIRE(index);
    auto found = (*index)->read(id);
    if (!found) FAIL(found.error().message);
    return *found;
  }

  /// By session; what is kept beside it by "conflict <session>".
  std::map<std::string, std::string> transcripts(const std::string& id) {
    auto index = sessions::SessionIndex::open(ask, files, folder.path());
    REQUIRE(index);
    const auto found = (*index)->read(id);
    if (!found) FAIL(found.error().message);
    std::map<std::string, std::string> texts;
    for (const sessions::StoredSession& session : found->sessions) {
      REQUIRE(session.metadata);
      std::string& text = texts[session.metadata->session_id];
      const auto read = sessions::read_transcript((*index)->objects(), session, [&](std::string_view part) {
        text += part;
        return base::Status();
      });
      if (!read) FAIL(read.error().message);
    }
    return texts;
  }

  std::string line(const std::vector<std::string>& words) {
    std::string text = try_git(words).output;
    while (text.ends_with('\n')) text.pop_back();
    return text;
  }

  MapEnvironment environment;
  FakeClock clock{kPushTime};
  app::Context context{files, clock, environment, &processes};
};

}  // namespace plankeep::test
