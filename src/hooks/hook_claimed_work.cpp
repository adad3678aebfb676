// What a final message says of files and tests, held against the files and the transcript (spec 10.4).
//
// Bounded: at most kMostClaimedFiles paths are looked for, inside the project only and through no link. A
// path may be meant from a folder further down, so what is not where it is said to be is looked for below;
// where that would take too long, nothing is said.
#include <algorithm>
#include <optional>

#include "audit/claimed_work.hpp"
#include "clients/transcripts/test_runs.hpp"
#include "hooks/hook_call.hpp"
#include "project/project.hpp"
#include "rules/sessions.hpp"
#include "system/file_parts.hpp"

namespace plankeep::app {
namespace {

using core::WorkDoubts;

constexpr std::size_t kMostEntries = 5000;  // of folders that are looked through
constexpr std::size_t kDeepest = 12;        // folders below the project's root
constexpr std::int64_t kClockSlack = 2000;  // milliseconds that a file system's clock may be off

struct Seen {
  enum class Where { here, missing, unknown } where = Where::unknown;
  std::int64_t mtime_ns = 0;
};

std::vector<std::string> parts_of(std::string_view path) {
  std::vector<std::string> parts;
  for (std::size_t start = 0; start <= path.size();) {
    const std::size_t end = std::min(path.find('/', start), path.size());
    parts.emplace_back(path.substr(start, end - start));
    start = end + 1;
  }
  return parts;
}

/// The path below `root`: one folder after the other, so that no link leads out.
Seen find_file(const Context& context, const std::string& root, std::string_view path) {
  const auto missing_or = [](const base::Error& error) {
    return Seen{error.kind == base::ErrorKind::not_found ? Seen::Where::missing : Seen::Where::unknown};
  };
  auto folder = context.files.open_folder(root);
  if (!folder) return {};
  const std::vector<std::string> parts = parts_of(path);
  for (std::size_t i = 0; i + 1 < parts.size(); ++i) {
    auto next = (*folder)->open_folder(parts[i]);
    if (!next) return missing_or(next.error());
    folder = std::move(next);
  }
  const auto info = (*folder)->info(parts.back());
  if (!info) return missing_or(info.error());
  if (info->kind == system::FileKind::missing) return {Seen::Where::missing};
  return {Seen::Where::here, info->mtime_ns};
}

/// Looks for paths below a folder, by their ends. Stops when there is too much.
class Search {
 public:
  explicit Search(std::vector<std::string>& paths) : paths_(paths) {}

  /// False: not all of it was looked at.
  bool run(system::Folder& folder, const std::string& below, std::size_t depth) {
    const auto entries = folder.entries();
    if (!entries) return false;
    entries_ += entries->size();
    if (entries_ > kMostEntries || depth > kDeepest) return false;
    for (const system::FolderEntry& entry : *entries) {
      const std::string path = below + "/" + entry.name;
      std::erase_if(paths_, [&](const std::string& wanted) { return path.ends_with("/" + wanted); });
      if (paths_.empty()) return true;
      if (entry.kind != system::FileKind::directory || entry.name == ".git") continue;
      const auto next = folder.open_folder(entry.name);
      if (!next || !run(**next, path, depth + 1)) return false;
    }
    return true;
  }

 private:
  std::vector<std::string>& paths_;
  std::size_t entries_ = 0;
};

/// The path from the root that it stands below; nullopt: elsewhere.
std::optional<std::string> inside(const std::string& path, const std::vector<std::string>& roots) {
  if (!path.starts_with('/')) return path;
  for (const std::string& root : roots) {
    if (path.starts_with(root + "/")) return path.substr(root.size() + 1);
  }
  return std::nullopt;
}

WorkDoubts::Tests tests_doubt(const Context& context, core::TestsClaim claim, const std::string& transcript) {
  if (claim == core::TestsClaim::none || transcript.empty()) return WorkDoubts::Tests::none;
  const std::string text = system::read_tail(context.files, transcript, clients::kTestRunsTail);
  const clients::TestRuns runs = clients::test_runs(text);
  if (!runs.read || runs.elsewhere) return WorkDoubts::Tests::none;
  if (!runs.ran && runs.opaque) return WorkDoubts::Tests::none;
  if (runs.ran) {
    return runs.failed && claim == core::TestsClaim::all ? WorkDoubts::Tests::failed
                                                         : WorkDoubts::Tests::none;
  }
  // What stands before the piece that was read may have run some.
  return text.size() < clients::kTestRunsTail ? WorkDoubts::Tests::not_run : WorkDoubts::Tests::none;
}

}  // namespace

WorkDoubts HookCall::doubts_of(const PlanLocation& plan, const core::State& state, const std::string& message,
                               const std::string& transcript) const {
  WorkDoubts doubts;
  const auto [files, tests] = core::claimed_work(message);
  doubts.tests = tests_doubt(context_, tests, transcript);
  if (files.empty()) return doubts;
  std::vector<std::string> roots{Project(context_, plan.folder).root()};
  if (event_.cwd.starts_with('/')) {
    for (const std::string& root : {event_.cwd, Project(context_, event_.cwd).root()}) {
      if (std::find(roots.begin(), roots.end(), root) == roots.end()) roots.push_back(root);
    }
  }
  const core::SessionState* session = core::find_session(state, event_.session_id);
  for (const core::ClaimedFile& file : files) {
    const auto path = inside(file.path, roots);
    if (!path) continue;
    Seen best{Seen::Where::missing};
    for (const std::string& root : roots) {
      const Seen seen = find_file(context_, root, *path);
      if (seen.where == Seen::Where::missing) continue;
      if (best.where == Seen::Where::missing || seen.mtime_ns > best.mtime_ns) best = seen;
    }
    if (best.where == Seen::Where::missing) {
      doubts.missing.push_back(*path);
    } else if (best.where == Seen::Where::here && !file.created && session != nullptr && best.mtime_ns > 0 &&
               best.mtime_ns / 1000000 + kClockSlack < session->started_at.milliseconds) {
      doubts.unchanged.push_back(*path);
    }
  }
  for (const std::string& root : roots) {
    if (doubts.missing.empty()) break;
    const auto folder = context_.files.open_folder(root);
    if (!folder || !Search(doubts.missing).run(**folder, {}, 0)) doubts.missing.clear();
  }
  return doubts;
}

}  // namespace plankeep::app
