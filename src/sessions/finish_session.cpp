#include "sessions/finish_session.hpp"

#include <algorithm>

#include "clients/transcripts/transcript_records.hpp"
#include "project/project.hpp"
#include "project/text_redactor.hpp"
#include "session_store/session_index.hpp"
#include "sessions/lost_records.hpp"
#include "sessions/session_transcripts.hpp"
#include "sessions/write_session.hpp"
#include "system/file_parts.hpp"

namespace plankeep::app {

using base::ErrorKind;
using base::Result;

Result<bool> finish_session(const Context& context, const std::string& top, const RecordedSession& session,
                            const std::string& checkpoint) {
  if (!core::session_id_kind(checkpoint) || session.transcript.empty() || context.processes == nullptr)
    return false;
  // A slice stays one until the session's last commit is exported.
  const Project project(context, top);
  if (project.settings().session_transcripts != core::TranscriptExtent::full) return false;
  const std::string transcript =
      system::read_tail(context.files, session.transcript, kLargestExportedTranscript);
  if (transcript.empty() || transcript.size() >= kLargestExportedTranscript) return false;
  git::Git git(*context.processes, context.files);
  TRY_ASSIGN(auto tree, git.work_tree(top));
  if (!tree) return false;
  (void)put_lost_records_back(context, git, *tree);  // what stays lost is doctor's to tell
  const std::string elected = project.settings().sessions_push.value_or("");
  TRY_ASSIGN(const auto index, sessions::SessionIndex::open(git, context.files, top, elected));
  if (!index) return false;
  const auto stored = index->read(checkpoint);
  if (!stored && stored.error().kind == ErrorKind::not_found) return false;
  if (!stored) return base::fail(stored.error());
  const bool ours =
      std::any_of(stored->sessions.begin(), stored->sessions.end(), [&](const sessions::StoredSession& one) {
        return one.metadata && one.metadata->session_id == session.id && written_by_plankeep(*one.metadata);
      });
  if (!ours) return false;

  TRY_ASSIGN(const auto redactor, make_redactor(context, project.settings()));
  const secrets::Redacted whole = redactor.json_lines(transcript);
  if (!clients::transcript_chunks(whole.text(), clients::kTranscriptChunk)) return false;
  TRY_ASSIGN(git::Signature author, session_author(git, top, context.clock.now()));
  TRY_ASSIGN(auto writer, SessionWriter::open(git, context.files, *tree, elected));
  const SessionTarget target{layout_of_id(checkpoint), checkpoint, std::move(author)};
  TRY_ASSIGN([[maybe_unused]] const SessionWritten written, writer.finalise(target, session.id, whole, {}));
  return true;
}

}  // namespace plankeep::app
