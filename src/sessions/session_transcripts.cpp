#include "sessions/session_transcripts.hpp"

#include <algorithm>

#include "clients/transcripts/transcript_records.hpp"
#include "system/file_parts.hpp"

namespace plankeep::app {

SessionTranscripts::Known& SessionTranscripts::look(const std::string& path) {
  const auto [at, is_new] = known_.try_emplace(path);
  Known& known = at->second;
  if (!is_new) return known;
  std::string text = system::read_tail(files_, path, kLargestExportedTranscript);
  if (text.empty()) {
    known.missing = "the client's transcript is gone or empty";
    known.lost = true;
    return known;
  }
  if (text.size() >= kLargestExportedTranscript) {
    known.missing = "the client's transcript is larger than 256 MiB";
    known.lost = true;
    return known;
  }
  clients::TranscriptReader reader([&](const clients::TranscriptRecord& record) {
    if (record.kind == clients::TranscriptRecord::Kind::write) folders_.see(record.edit.path);
    if (!record.time) return;
    if (!known.first || *record.time < *known.first) known.first = record.time;
    if (!known.last || *known.last < *record.time) known.last = record.time;
  });
  reader.add(text);
  (void)reader.finish();
  if (!known.first) known.missing = "the client's transcript does not say when anything was done";
  keep(path, std::make_shared<const std::string>(std::move(text)));
  return known;
}

void SessionTranscripts::keep(const std::string& path, std::shared_ptr<const std::string> text) {
  bytes_ += text->size();
  texts_.emplace_front(path, std::move(text));
  while (bytes_ > kKeptTranscripts && texts_.size() > 1) {
    bytes_ -= texts_.back().second->size();
    texts_.pop_back();
  }
}

bool SessionTranscripts::speaks_of(const std::string& path, std::optional<base::Instant> after,
                                   base::Instant until) {
  const Known& known = look(path);
  if (!known.missing.empty()) return true;
  return known.first && known.last && *known.first <= until && (!after || *after < *known.last);
}

ReadTranscript SessionTranscripts::read(const std::string& path) {
  const Known& known = look(path);
  if (!known.missing.empty()) return {nullptr, known.missing, known.lost};
  const auto there =
      std::find_if(texts_.begin(), texts_.end(), [&](const auto& one) { return one.first == path; });
  if (there != texts_.end()) {
    texts_.splice(texts_.begin(), texts_, there);
    return {texts_.front().second, {}, false};
  }
  std::string text = system::read_tail(files_, path, kLargestExportedTranscript);
  if (text.empty() || text.size() >= kLargestExportedTranscript)
    return {nullptr, "the client's transcript changed while it was read", true};
  keep(path, std::make_shared<const std::string>(std::move(text)));
  return {texts_.front().second, {}, false};
}

}  // namespace plankeep::app
