#include "sessions/resume_session.hpp"

#include <algorithm>
#include <memory>
#include <utility>

#include "base/enum_names.hpp"
#include "clients/client.hpp"
#include "clients/resume_place.hpp"
#include "sessions/seen_sessions.hpp"
#include "system/atomic_file.hpp"

namespace plankeep::app {
namespace {

using base::ErrorKind;
using base::Result;
using base::Status;
using sessions::StoredSession;
using Found = ResumedSession::Found;

// Days of a client's sessions that are looked through.
constexpr std::size_t kMostFolders = 5000;

// Where the transcript goes, as far as its folders are there.
struct OpenedPlace {
  std::unique_ptr<system::Folder> root;    // the client's
  std::unique_ptr<system::Folder> folder;  // the transcript's; null: it is not there yet
  std::vector<std::string> folders;
  std::string name;
  std::string path;
};

Result<const StoredSession*> chosen_session(const SessionView& view, const ResumeRequest& request) {
  const StoredSession* session = nullptr;
  if (request.session) {
    session = view.session(request.session);
    if (session == nullptr)
      return base::fail(ErrorKind::not_found,
                        "checkpoint " + view.checkpoint.found.id + " has no session " + *request.session);
  } else {
    session = view.session(request.which);
    if (session == nullptr) session = view.session();
  }
  if (session == nullptr || !session->metadata)
    return base::fail(ErrorKind::not_found,
                      "checkpoint " + view.checkpoint.found.id + " has no session that can be read");
  if (session->transcript.empty())
    return base::fail(ErrorKind::not_found, "no transcript found for checkpoint " + view.checkpoint.found.id);
  return session;
}

Result<std::string> chosen_client(const core::SessionMetadata& metadata, const ResumeRequest& request) {
  const std::string agent = metadata.agent.value_or("");
  const std::string recorded(clients::client_of_agent(agent));
  if (!request.client) {
    if (!recorded.empty()) return recorded;
    return base::fail(
        ErrorKind::invalid_input,
        agent.empty() ? std::string("the record names no client") : "no client is known as " + agent,
        "name it with --client");
  }
  std::string wanted(clients::client_of_agent(*request.client));
  if (wanted.empty()) wanted = *request.client;  // resume_place refuses it
  if (!recorded.empty() && wanted != recorded)
    return base::fail(ErrorKind::invalid_input,
                      "the transcript is from " + agent + ", which " + wanted + " cannot read");
  return wanted;
}

Result<std::unique_ptr<system::Folder>> client_root(const Context& context,
                                                    const clients::ResumePlace& place) {
  std::optional<std::string> path;
  if (!place.variable.empty()) path = context.environment.variable(place.variable);
  if (!path || path->empty()) {
    const auto home = context.environment.variable("HOME");
    if (!home || !home->starts_with('/')) return base::fail(ErrorKind::not_found, "HOME is not set");
    TRY_ASSIGN(const auto folder, context.files.open_folder(*home));
    auto root = folder->open_folder(place.home);
    if (!root && root.error().kind == ErrorKind::not_found)
      return base::fail(ErrorKind::not_found,
                        folder->path_of(place.home) + " is not there: the client has never run here");
    return root;
  }
  if (!path->starts_with('/'))
    return base::fail(ErrorKind::invalid_input, place.variable + " is not an absolute path: " + *path);
  return context.files.open_folder(*path);
}

// nullptr: one of the folders is not there.
Result<std::unique_ptr<system::Folder>> open_below(system::Folder& root,
                                                   const std::vector<std::string>& names) {
  std::unique_ptr<system::Folder> folder;
  for (const std::string& name : names) {
    auto next = (folder ? *folder : root).open_folder(name);
    if (!next && next.error().kind == ErrorKind::not_found) return std::unique_ptr<system::Folder>();
    if (!next) return base::fail(std::move(next.error()));
    folder = std::move(*next);
  }
  return folder;
}

// A transcript that was begun on another day: years, months, days, the newest first.
Status find_any_day(const std::string& end, std::size_t levels, system::Folder& in,
                    std::vector<std::string>& names, std::size_t& left, std::string& found) {
  TRY_ASSIGN(auto entries, in.entries());
  std::reverse(entries.begin(), entries.end());
  for (const system::FolderEntry& entry : entries) {
    if (!found.empty() || left == 0) return {};
    if (levels == 0) {
      if (entry.kind == system::FileKind::regular && entry.name.ends_with(end)) found = entry.name;
    } else if (entry.kind == system::FileKind::directory) {
      --left;
      TRY_ASSIGN(const auto folder, in.open_folder(entry.name));
      names.push_back(entry.name);
      TRY(find_any_day(end, levels - 1, *folder, names, left, found));
      if (found.empty()) names.pop_back();
    }
  }
  return {};
}

Result<OpenedPlace> open_place(const Context& context, const clients::ResumePlace& wanted) {
  OpenedPlace place;
  TRY_ASSIGN(place.root, client_root(context, wanted));
  place.folders = wanted.folders;
  place.name = wanted.name;
  if (!wanted.any_day_end.empty()) {
    TRY_ASSIGN(const auto days, open_below(*place.root, {wanted.folders.front()}));
    std::vector<std::string> names{wanted.folders.front()};
    std::string found;
    std::size_t left = kMostFolders;
    if (days) TRY(find_any_day(wanted.any_day_end, wanted.folders.size() - 1, *days, names, left, found));
    if (!found.empty()) {
      place.folders = std::move(names);
      place.name = std::move(found);
    }
  }
  TRY_ASSIGN(place.folder, open_below(*place.root, place.folders));
  place.path = place.root->path();
  for (const std::string& name : place.folders) place.path += "/" + name;
  place.path += "/" + place.name;
  return place;
}

// Holds the client's file against the stored transcript, piece by piece.
Result<Found> compare(Sessions& sessions, const StoredSession& session, system::Folder& folder,
                      const std::string& name, std::uint64_t size) {
  std::uint64_t at = 0;
  bool differs = false;
  constexpr std::size_t kPiece = std::size_t{1} << 20;
  const Status read = sessions.transcript(session, [&](std::string_view part) -> Status {
    while (!part.empty() && at < size && !differs) {
      const std::size_t count = std::min({part.size(), kPiece, static_cast<std::size_t>(size - at)});
      TRY_ASSIGN(const std::string own, folder.read_range(name, at, count));
      differs = own.size() != count || part.substr(0, count) != own;
      at += count;
      part.remove_prefix(count);
    }
    at += part.size();  // behind the client's end
    return {};
  });
  TRY(read);
  if (differs) return Found::different;
  if (at == size) return Found::same;
  return at > size ? Found::beginning : Found::longer;
}

Status append_rest(Sessions& sessions, const StoredSession& session, system::Folder& folder,
                   const std::string& name, std::uint64_t size) {
  TRY_ASSIGN(const auto file, folder.open_append(name));
  TRY_ASSIGN(const std::uint64_t now, file->size());
  if (now != size) return base::fail(ErrorKind::conflict, folder.path_of(name) + " is being written to");
  std::uint64_t skip = size;
  TRY(sessions.transcript(session, [&](std::string_view part) -> Status {
    const auto left_out = static_cast<std::size_t>(std::min<std::uint64_t>(skip, part.size()));
    skip -= left_out;
    return file->write(part.substr(left_out));
  }));
  return file->sync_data();
}

Status write_new(Sessions& sessions, const StoredSession& session, system::Folder& folder,
                 const std::string& name) {
  const std::string temporary = system::temporary_name(name);
  Status written = [&]() -> Status {
    TRY_ASSIGN(const auto file, folder.create(temporary));
    TRY(sessions.transcript(session, [&](std::string_view part) { return file->write(part); }));
    TRY(file->sync_data());
    TRY_ASSIGN(const system::FileInfo info, folder.info(name));
    if (info.kind != system::FileKind::missing)
      return base::fail(ErrorKind::conflict, folder.path_of(name) + " was made meanwhile");
    TRY(folder.rename(temporary, name));
    return folder.sync();
  }();
  if (!written) (void)folder.remove(temporary);
  return written;
}

Status put_transcript(Sessions& sessions, const StoredSession& session, OpenedPlace& place,
                      ResumedSession& done, std::uint64_t size) {
  if (done.found == Found::beginning) {
    TRY(append_rest(sessions, session, *place.folder, place.name, size));
  } else if (done.found == Found::missing) {
    std::unique_ptr<system::Folder> folder;
    for (const std::string& name : place.folders) {
      TRY_ASSIGN(folder, (folder ? *folder : *place.root).make_folder(name));
    }
    place.folder = std::move(folder);
    TRY(write_new(sessions, session, *place.folder, place.name));
  } else {
    return {};
  }
  done.written = true;
  return {};
}

constexpr auto kFounds = base::enum_names<Found>({{Found::missing, "missing"},
                                                  {Found::beginning, "beginning"},
                                                  {Found::same, "same"},
                                                  {Found::longer, "longer"},
                                                  {Found::different, "different"}});

}  // namespace

std::string_view name_of(ResumedSession::Found found) {
  return kFounds.name_of(found);
}

Result<ResumedSession> resume_session(const Context& context, Sessions& sessions,
                                      const ResumeRequest& request) {
  TRY_ASSIGN(const SessionView view, sessions.show(request.which));
  TRY_ASSIGN(const StoredSession* const session, chosen_session(view, request));
  const core::SessionMetadata& metadata = *session->metadata;
  ResumedSession done;
  done.checkpoint = view.checkpoint.found.id;
  done.session = metadata.session_id;
  done.bytes = session->transcript_bytes;
  done.directory = context.environment.working_directory();
  done.warnings = view.problems();
  TRY_ASSIGN(done.client, chosen_client(metadata, request));
  clients::ResumedTranscript transcript{
      done.session, done.directory, base::parse_iso8601(metadata.created_at).value_or(context.clock.now())};
  TRY_ASSIGN(const clients::ResumePlace wanted, clients::resume_place(done.client, transcript));
  done.command = wanted.command;
  for (const SeenSession& seen : seen_sessions(context)) {
    if (seen.id == done.session && seen.running)
      return base::fail(ErrorKind::busy, "session " + done.session + " is still running here");
  }
  TRY_ASSIGN(OpenedPlace place, open_place(context, wanted));
  done.path = place.path;
  if (wanted.takes_path) done.command.push_back(place.path);
  std::uint64_t size = 0;
  if (place.folder) {
    TRY_ASSIGN(const system::FileInfo info, place.folder->info(place.name));
    if (info.kind != system::FileKind::missing && info.kind != system::FileKind::regular)
      return base::fail(ErrorKind::corrupt, place.path + " is no file");
    if (info.kind == system::FileKind::regular) {
      size = info.size;
      TRY_ASSIGN(done.found, compare(sessions, *session, *place.folder, place.name, size));
    }
  }
  if (!request.print) TRY(put_transcript(sessions, *session, place, done, size));
  return done;
}

}  // namespace plankeep::app
