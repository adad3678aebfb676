#include "session_store/shadow_store.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include "base/utf8.hpp"
#include "git/git_output.hpp"
#include "session_store/session_author.hpp"
#include "session_store/session_tree.hpp"

namespace plankeep::sessions {
namespace {

using base::ErrorKind;
using base::Result;
using git::take_until;

constexpr std::string_view kMetadata = ".entire/metadata/";
constexpr std::string_view kOwnFolder = ".entire";
constexpr std::size_t kMostShadowBranches = 1000;
constexpr std::size_t kSnapshotsSearched = 1000;

// One line for each value: "unfold" joins a trailer that goes on in the next line.
constexpr const char* kRecordFormat =
    "--format=%H%n%T%n%P%n%at%n%(trailers:key=Entire-Session,valueonly,unfold,separator=%x20)%n"
    "%(trailers:key=Entire-Metadata,valueonly,unfold,separator=%x20)%n"
    "%(trailers:key=Entire-Metadata-Task,valueonly,unfold,separator=%x20)%n%s";

Result<std::string> log_of(SessionObjects& objects, const std::string& tip, std::size_t most) {
  TRY_ASSIGN(system::Finished finished,
             objects.run({"log", "-z", "-n", std::to_string(most), "--topo-order", "--no-show-signature",
                          "--no-color", "--no-notes", "--no-mailmap", "--encoding=UTF-8", kRecordFormat,
                          "--end-of-options", tip, "--"}));
  if (finished.status != 0) return base::fail(git::refused(finished));
  return std::move(finished.output);
}

std::string parents_in(std::string_view record) {
  take_until(record, '\n');
  take_until(record, '\n');
  return std::string(take_until(record, '\n'));
}

bool is_own_folder(std::string_view name) {
  return base::to_lower(name) == kOwnFolder;
}

// Collects what the trees of one level say, and the trees of the next.
class TreeWalk {
 public:
  struct Folder {
    std::string path;  // empty: the root
    std::string id;
  };

  Result<std::vector<Folder>> level(SessionObjects& objects, const std::vector<Folder>& folders) {
    std::vector<Folder> next;
    // A call gives a bounded number of bytes; what it skipped is asked for with the next one.
    for (std::vector<Folder> left = folders; !left.empty();) {
      std::vector<std::string> ids;
      ids.reserve(left.size());
      for (const Folder& folder : left) ids.push_back(folder.id);
      TRY_ASSIGN(const std::vector<SessionObject> read, objects.read(ids, kLargestTree));
      std::vector<Folder> skipped;
      for (std::size_t i = 0; i < left.size(); ++i) {
        if (read[i].state == SessionObject::State::skipped) {
          skipped.push_back(std::move(left[i]));
          continue;
        }
        TRY(add(left[i], read[i], objects.id_bytes(), next));
      }
      if (skipped.size() == left.size())
        return base::fail(ErrorKind::io, "unexpected output from git cat-file");
      left = std::move(skipped);
    }
    return next;
  }

  ShadowFiles finish() {
    std::sort(found_.files.begin(), found_.files.end(),
              [](const ShadowFile& a, const ShadowFile& b) { return a.path < b.path; });
    return std::move(found_);
  }

 private:
  base::Status add(const Folder& folder, const SessionObject& object, std::size_t id_bytes,
                   std::vector<Folder>& next) {
    const std::string where = folder.path.empty() ? "the snapshot's tree" : folder.path;
    if (object.state == SessionObject::State::too_large)
      return base::fail(ErrorKind::invalid_input, where + ": too many entries");
    if (object.state != SessionObject::State::present)
      return base::fail(ErrorKind::not_found, where + " is missing from the repository");
    if (object.type != "tree") return base::fail(ErrorKind::corrupt, where + " is no folder");
    TRY_ASSIGN(std::vector<TreeEntry> entries, parse_tree(object.bytes, id_bytes));
    std::set<std::string> names;
    std::set<std::string> twice;
    for (const TreeEntry& entry : entries) {
      if (!names.insert(entry.name).second) twice.insert(entry.name);
    }
    for (TreeEntry& entry : entries) {
      if (folder.path.empty() && is_own_folder(entry.name)) continue;
      std::string path = folder.path.empty() ? entry.name : folder.path + "/" + entry.name;
      path_bytes_ += path.size();
      if (is_tricky_name(entry.name)) {
        TRY(refuse(std::move(path), "could lead elsewhere"));
      } else if (twice.contains(entry.name)) {
        TRY(refuse(std::move(path), "is there twice"));
      } else if (entry.is_folder()) {
        next.push_back({std::move(path), std::move(entry.id)});
      } else if (entry.mode == "160000") {
        found_.submodules.push_back(std::move(path));
      } else if (entry.mode == "120000" || entry.is_file()) {
        // Old tools wrote 100664.
        if (entry.mode == "100664") entry.mode = "100644";
        found_.files.push_back({std::move(path), std::move(entry.mode), std::move(entry.id)});
      } else {
        TRY(refuse(std::move(path), "has the unknown mode " + entry.mode));
      }
      if (found_.files.size() + found_.submodules.size() + next.size() > kMostShadowFiles)
        return base::fail(ErrorKind::invalid_input,
                          "the snapshot has more than " + std::to_string(kMostShadowFiles) + " files");
      // A few small trees can name the same long folders over and over.
      constexpr std::size_t kMostPathBytes = std::size_t{256} << 20;
      if (path_bytes_ > kMostPathBytes)
        return base::fail(ErrorKind::invalid_input, "the snapshot's paths are too long");
    }
    return {};
  }

  base::Status refuse(std::string path, std::string why) {
    constexpr std::size_t kMostRefused = 100;
    if (found_.refused.size() == kMostRefused)
      return base::fail(ErrorKind::invalid_input,
                        "the snapshot has too many entries that cannot be files: " + path + " " + why);
    found_.refused.push_back({std::move(path), std::move(why)});
    return {};
  }

  ShadowFiles found_;
  std::size_t path_bytes_ = 0;  // of all files and folders seen so far
};

Result<std::optional<ShadowSnapshot>> snapshot_at(SessionObjects& objects, const std::string& commit) {
  TRY_ASSIGN(const std::string told, log_of(objects, commit, 1));
  std::string_view rest = told;
  return read_snapshot_record(take_until(rest, '\0'));
}

}  // namespace

std::optional<ShadowSnapshot> read_snapshot_record(std::string_view record) {
  ShadowSnapshot snapshot;
  snapshot.commit = std::string(take_until(record, '\n'));
  snapshot.tree = std::string(take_until(record, '\n'));
  take_until(record, '\n');  // parents
  const std::string_view seconds = take_until(record, '\n');
  const std::string_view session = first_value(take_until(record, '\n'));
  const std::string_view metadata = first_value(take_until(record, '\n'));
  const std::string_view task = first_value(take_until(record, '\n'));
  snapshot.subject = std::string(take_until(record, '\n'));
  if (!git::is_id(snapshot.commit) || !git::is_id(snapshot.tree) || !core::is_client_session(session) ||
      (!metadata.starts_with(kMetadata) && !task.starts_with(kMetadata)))
    return std::nullopt;
  snapshot.session_id = std::string(session);
  if (task.starts_with(kMetadata)) snapshot.task = std::string(task.substr(task.rfind('/') + 1));
  snapshot.time = time_in_seconds(seconds);
  return snapshot;
}

Result<ShadowHistory> read_shadow_history(SessionObjects& objects, const std::string& tip, std::size_t most) {
  TRY_ASSIGN(const std::string told, log_of(objects, tip, most + 1));
  ShadowHistory history;
  std::string_view rest = told;
  std::string parents;
  bool merged = false;
  for (std::size_t count = 0; !rest.empty(); ++count) {
    const std::string_view record = take_until(rest, '\0');
    if (count == most) {
      history.whole = false;
      break;
    }
    parents = parents_in(record);
    merged = merged || parents.find(' ') != std::string::npos;
    if (auto snapshot = read_snapshot_record(record)) {
      history.snapshots.push_back(std::move(*snapshot));
    } else {
      ++history.others;
    }
  }
  history.from_root = history.whole && !merged && parents.empty();
  return history;
}

Result<ShadowSnapshot> find_snapshot(SessionObjects& objects, const std::string& named) {
  constexpr std::string_view kHint = "to list them: plankeep session list --pending";
  std::string revision = named;
  if (core::shadow_branch(named)) revision = std::string(git::kBranchRefs) + named;
  TRY_ASSIGN(const system::Finished told,
             objects.run({"rev-parse", "-q", "--verify", "--end-of-options", revision + "^{commit}"}));
  const std::string commit = git::without_line_feed(told.output);
  if (told.status == 0 && git::is_id(commit)) {
    TRY_ASSIGN(auto snapshot, snapshot_at(objects, commit));
    if (snapshot) return std::move(*snapshot);
    return base::fail(ErrorKind::invalid_input,
                      "commit " + commit.substr(0, 10) + " is not a snapshot of a running session",
                      std::string(kHint));
  }
  if (core::is_client_session(named)) {
    TRY_ASSIGN(const std::vector<ShadowSession> shadows, read_shadows(objects));
    for (std::size_t i = 0; i < std::min(shadows.size(), kMostShadowBranches); ++i) {
      TRY_ASSIGN(ShadowHistory history, read_shadow_history(objects, shadows[i].tip, kSnapshotsSearched));
      for (ShadowSnapshot& snapshot : history.snapshots) {
        if (snapshot.session_id == named) return std::move(snapshot);
      }
    }
  }
  return base::fail(ErrorKind::not_found, "no snapshot of a running session is called " + named,
                    std::string(kHint));
}

Result<ShadowFiles> read_shadow_files(SessionObjects& objects, const std::string& tree) {
  constexpr int kDeepest = 200;
  TreeWalk walk;
  std::vector<TreeWalk::Folder> folders{{{}, tree}};
  for (int depth = 0; !folders.empty(); ++depth) {
    if (depth > kDeepest) return base::fail(ErrorKind::invalid_input, "the snapshot's folders are too deep");
    TRY_ASSIGN(folders, walk.level(objects, folders));
  }
  return walk.finish();
}

}  // namespace plankeep::sessions
