#include "doctor/obstacles.hpp"

#include "checkpoint_db/sqlite_store.hpp"
#include "rules/recovery_policy.hpp"
#include "store/paths.hpp"
#include "store/quarantine.hpp"

namespace plankeep::app {

using base::Result;
using system::FileKind;

std::vector<std::string> needed_files() {
  std::vector<std::string> names;
  for (const std::string_view name :
       {store::kLock, store::kHistory, store::kState, store::kGitignore, store::kErrorLog})
    names.emplace_back(name);
  for (int generation = 0; generation < core::kRecoveryGenerations; ++generation)
    names.push_back(store::recovery_name(generation));
  for (std::string& name : records::sqlite_file_names(std::string(store::kCheckpoints)))
    names.push_back(std::move(name));
  return names;
}

namespace {

// The log of a database that is not there: a new one must never meet it (doctor/checkpoint_health).
base::Status set_logs_aside(system::Folder& tracking, const std::string& time) {
  const std::string database(store::kCheckpoints);
  for (const std::string& name : records::sqlite_file_names(database)) {
    if (name != database) TRY(store::quarantine(tracking, name, time));
  }
  return {};
}

}  // namespace

Result<std::vector<std::string>> set_aside_obstacles(system::Folder& tracking, base::Instant now) {
  std::vector<std::string> lines;
  for (const std::string& name : needed_files()) {
    TRY_ASSIGN(const system::FileInfo info, tracking.info(name));
    if (info.kind == FileKind::missing || info.kind == FileKind::regular) continue;
    const std::string time = store::file_time(now);
    if (name == store::kCheckpoints) TRY(set_logs_aside(tracking, time));
    TRY_ASSIGN(const std::string aside, store::quarantine(tracking, name, time));
    lines.push_back(name + (info.kind == FileKind::directory ? " was a folder" : " was no regular file") +
                    " and was set aside: " + aside);
  }
  return lines;
}

}  // namespace plankeep::app
