#include "sessions/export_sources.hpp"

#include <algorithm>
#include <limits>
#include <map>

#include "checkpoint_db/sqlite_store.hpp"
#include "model/session.hpp"
#include "store/paths.hpp"
#include "store/sidecars.hpp"
#include "store/tracking_folder.hpp"
#include "tracking/history.hpp"
#include "tracking/loaded_state.hpp"

namespace plankeep::app {
namespace {

using base::Result;

base::Status read_moments(system::Folder& tracking, ExportSources& sources) {
  auto store = records::open_sqlite(tracking, std::string(store::kCheckpoints), records::Access::read);
  if (!store) {
    if (store.error().kind == base::ErrorKind::not_found) return {};
    return base::fail(std::move(store.error()));
  }
  TRY((*store)->for_each([&](const core::Checkpoint& checkpoint) {
    sources.moments.push_back(core::work_moment(checkpoint));
    return true;
  }));
  for (std::string& warning : (*store)->take_warnings()) sources.warnings.push_back(std::move(warning));
  std::stable_sort(sources.moments.begin(), sources.moments.end(),
                   [](const core::WorkMoment& a, const core::WorkMoment& b) { return a.time < b.time; });
  return {};
}

// The state keeps the newest sessions alone; the history names all. Of older ones the transcript is looked
// for beside those of newer ones, where the client calls each after its session.
void add_older_sessions(ExportSources& sources) {
  std::map<std::string, std::string> folders;  // by the client
  for (const RecordedSession& session : sources.sessions) {
    const std::string name = "/" + session.id + ".jsonl";
    if (session.transcript.ends_with(name))
      folders[session.client] = session.transcript.substr(0, session.transcript.size() - name.size());
  }
  std::map<std::string, std::size_t> known;
  for (std::size_t i = 0; i < sources.sessions.size(); ++i) known.emplace(sources.sessions[i].id, i);
  for (const core::Event& event : sources.events) {
    const std::string& id = event.session;
    if (event.kind == core::EventKind::session_started && core::is_client_session(id) &&
        known.try_emplace(id, sources.sessions.size()).second) {
      RecordedSession session{id, event.client, {}, event.time, true};
      if (const auto folder = folders.find(event.client); folder != folders.end())
        session.transcript = folder->second + "/" + id + ".jsonl";
      sources.sessions.push_back(std::move(session));
    }
  }
  std::stable_sort(
      sources.sessions.begin(), sources.sessions.end(),
      [](const RecordedSession& a, const RecordedSession& b) { return a.started_at < b.started_at; });
}

}  // namespace

Result<ExportSources> export_sources(const Context& context, const PlanLocation& plan) {
  ExportSources sources;
  TRY_ASSIGN(auto history, HistoryReader::open(context, plan));
  TRY_ASSIGN(auto lines, history.newest(std::numeric_limits<std::size_t>::max(), {}));
  for (store::TailLine& line : lines) sources.events.push_back(std::move(line.event));
  TRY_ASSIGN(const auto folder, context.files.open_folder(plan.folder));
  TRY_ASSIGN(const auto tracking, store::open_tracking(*folder, plan.name));
  TRY_ASSIGN(const LoadedState loaded, load_state(*tracking, plan));
  if (loaded.state) {
    for (const core::SessionState& session : loaded.state->sessions)
      sources.sessions.push_back(
          {session.id, session.client, session.transcript, session.started_at, session.ended_at.has_value()});
  }
  add_older_sessions(sources);
  TRY_ASSIGN(auto list, store::Sidecars(*tracking).all());
  sources.sidecars = std::move(list.sidecars);
  if (const auto read = read_moments(*tracking, sources); !read)
    sources.warnings.push_back("the plan's checkpoints cannot be read: " + read.error().message);
  return sources;
}

}  // namespace plankeep::app
