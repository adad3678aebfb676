#include "doctor/checkpoint_health.hpp"

#include <optional>
#include <utility>
#include <vector>

#include "base/text.hpp"
#include "checkpoint_db/sqlite_store.hpp"
#include "checkpoints/kept_checkpoints.hpp"
#include "store/paths.hpp"

namespace plankeep::app {
namespace {

using base::ErrorKind;
using base::Status;

const std::string kName(store::kCheckpoints);

Finding finding(Condition condition, std::string message, std::string remedy = {}) {
  return {kName, condition, std::move(message), std::move(remedy)};
}

// What is wrong; where is said beside it.
std::string words_of(const system::Folder& tracking, const base::Error& error) {
  const std::string path = tracking.path_of(kName);
  if (!error.message.starts_with(path)) return error.message;
  const std::size_t from = error.message.find_first_not_of(": ", path.size());
  return from == std::string::npos ? error.message : error.message.substr(from);
}

std::string first_of(const std::vector<std::string>& sentences) {
  std::string text = sentences.front();
  if (sentences.size() > 1) text += " (and " + std::to_string(sentences.size() - 1) + " more)";
  return text;
}

std::optional<Finding> inspect_store(system::Folder& tracking) {
  const auto opened = records::open_sqlite(tracking, kName, records::Access::read);
  if (!opened) {
    const base::Error& error = opened.error();
    switch (error.kind) {
      case ErrorKind::not_found:
        return std::nullopt;
      case ErrorKind::busy:
        return finding(Condition::attention, words_of(tracking, error),
                       "wait, or stop the process that holds it");
      case ErrorKind::corrupt: {
        const auto info = tracking.info(kName);
        const bool regular = info && info->kind == system::FileKind::regular;
        return finding(Condition::broken, words_of(tracking, error),
                       regular ? "plankeep doctor --repair" : error.hint);
      }
      default:
        return finding(error.kind == ErrorKind::conflict ? Condition::attention : Condition::broken,
                       words_of(tracking, error), error.hint);
    }
  }
  const auto examined = (*opened)->examine();
  if (!examined)
    return finding(Condition::broken, words_of(tracking, examined.error()), examined.error().hint);
  if (!examined->damage.empty())
    return finding(Condition::broken, "damaged: " + first_of(examined->damage), "plankeep doctor --repair");
  if (!examined->changed.empty()) {
    // The rows that are sound are worth more than an empty store.
    return finding(Condition::broken, first_of(examined->changed),
                   "such a row cannot be restored; the other checkpoints are usable");
  }
  const auto stats = (*opened)->stats();
  if (!stats) return finding(Condition::broken, words_of(tracking, stats.error()), stats.error().hint);
  std::string message = base::counted(stats->checkpoints, "checkpoint", "checkpoints");
  if (stats->snapshots > 0) message += " (" + std::to_string(stats->snapshots) + " with file snapshots)";
  message += ", " + base::counted((stats->bytes + 999) / 1000, "kB", "kB");
  return finding(Condition::fine, std::move(message));
}

// Of a store that is sound as far as it goes, or of none.
std::optional<Finding> inspect_missing(const Context& context, const PlanLocation& plan,
                                       system::Folder& tracking, bool store_there) {
  const auto kept = kept_checkpoints(context, plan, tracking);
  if (kept && *kept) {
    return finding(Condition::broken,
                   (store_there ? "lacks checkpoints" : "missing") +
                       std::string("; a copy in the git directory has ") +
                       base::counted((*kept)->checkpoints, "checkpoint", "checkpoints"),
                   "plankeep doctor --repair");
  }
  if (store_there) return std::nullopt;
  const auto told = recorded_checkpoints(tracking);
  if (!told || *told == 0) return std::nullopt;
  return finding(Condition::attention,
                 "missing; the history tells of " + base::counted(*told, "checkpoint", "checkpoints"),
                 "restore it with its log " + kName +
                     "-wal from a backup if you have one; the next checkpoint begins a new one");
}

}  // namespace

std::vector<Finding> inspect_checkpoints(const Context& context, const PlanLocation& plan,
                                         system::Folder& tracking) {
  std::vector<Finding> findings;
  auto store = inspect_store(tracking);
  const bool there = store.has_value();
  if (!there || store->condition == Condition::fine) {
    auto missing = inspect_missing(context, plan, tracking, there);
    if (missing) store = std::move(missing);
  }
  if (store) findings.push_back(std::move(*store));
  const std::string journal = kName + "-journal";
  const auto info = tracking.info(journal);
  if (info && info->kind == system::FileKind::regular) {
    findings.push_back({journal, Condition::attention, "a rollback journal not written by plankeep: ignored",
                        "plankeep doctor --repair"});
  }
  return findings;
}

Status set_aside_damaged_checkpoints(system::Folder& tracking, base::Instant now) {
  const std::string journal = kName + "-journal";
  TRY_ASSIGN(const system::FileInfo beside, tracking.info(journal));
  if (beside.kind == system::FileKind::regular) {
    TRY(tracking.rename(journal, store::damaged_name(journal, store::file_time(now))));
    TRY(tracking.sync());
  }
  {
    const auto opened = records::open_sqlite(tracking, kName, records::Access::read);
    if (!opened && opened.error().kind != ErrorKind::corrupt) return {};
    if (opened) {
      const auto examined = (*opened)->examine();
      if (!examined && examined.error().kind != ErrorKind::corrupt) return {};
      if (examined && examined->damage.empty()) return {};
    }
  }
  TRY_ASSIGN(const system::FileInfo there, tracking.info(kName));
  if (there.kind != system::FileKind::regular) return {};
  const std::string aside = store::damaged_name(kName, store::file_time(now));
  const std::vector<std::string> names = records::sqlite_file_names(kName);
  for (auto name = names.rbegin(); name != names.rend(); ++name) {
    TRY_ASSIGN(const system::FileInfo info, tracking.info(*name));
    if (info.kind != system::FileKind::regular) continue;
    TRY(tracking.rename(*name, aside + name->substr(kName.size())));
    // Each before the next: after a power loss, too, no log stands alone beside a new file.
    TRY(tracking.sync());
  }
  return {};
}

}  // namespace plankeep::app
