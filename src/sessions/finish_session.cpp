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

namespace {

// Where a slice begins in the whole transcript; nullopt: it is no slice of it, or begins where that begins.
std::optional<std::int64_t> beginning_of_slice(std::string_view whole, std::string_view slice) {
  if (slice.empty()) return std::nullopt;
  std::size_t at = whole.find(slice);
  while (at != std::string_view::npos && at > 0 && whole[at - 1] != '\n') at = whole.find(slice, at + 1);
  if (at == std::string_view::npos || at == 0) return std::nullopt;
  return std::count(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(at), '\n');
}

}  // namespace

Result<bool> finish_session(const Context& context, const std::string& top, const RecordedSession& session,
                            const std::string& checkpoint) {
  if (!core::session_id_kind(checkpoint) || session.transcript.empty() || context.processes == nullptr)
    return false;
  const Project project(context, top);
  const core::TranscriptExtent extent = project.settings().session_transcripts;
  if (extent == core::TranscriptExtent::none) return false;
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
  const auto ours =
      std::find_if(stored->sessions.begin(), stored->sessions.end(), [&](const sessions::StoredSession& one) {
        return one.metadata && one.metadata->session_id == session.id && written_by_plankeep(*one.metadata);
      });
  if (ours == stored->sessions.end()) return false;

  TRY_ASSIGN(const auto redactor, make_redactor(context, project.settings()));
  const secrets::Redacted whole = redactor.json_lines(transcript);
  if (!clients::transcript_chunks(whole.text(), clients::kTranscriptChunk)) return false;
  std::optional<std::int64_t> first_line;
  if (extent == core::TranscriptExtent::slice && core::first_line_of(*ours->metadata) == 0) {
    std::string slice;
    TRY(sessions::read_transcript(index->objects(), *ours, [&slice](std::string_view part) -> base::Status {
      slice += part;
      return {};
    }));
    first_line = beginning_of_slice(whole.text(), slice);
  }
  TRY_ASSIGN(git::Signature author, session_author(git, top, context.clock.now()));
  TRY_ASSIGN(auto writer, SessionWriter::open(git, context.files, *tree, elected));
  const SessionTarget target{layout_of_id(checkpoint), checkpoint, std::move(author)};
  TRY_ASSIGN([[maybe_unused]] const SessionWritten written,
             writer.finalise(target, session.id, whole, {}, first_line));
  return true;
}

}  // namespace plankeep::app
