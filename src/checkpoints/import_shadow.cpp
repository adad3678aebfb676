#include "checkpoints/import_shadow.hpp"

#include <algorithm>
#include <unordered_set>
#include <utility>

#include "base/sha256.hpp"
#include "base/text.hpp"
#include "base/utf8.hpp"
#include "checkpoints/snapshots.hpp"
#include "git/git_output.hpp"
#include "git/object_writer.hpp"
#include "git_objects/tree_change.hpp"
#include "markdown/parse_plan.hpp"
#include "session_rules/work_moment.hpp"
#include "store/journal.hpp"
#include "store/paths.hpp"
#include "store/tracking_folder.hpp"

namespace plankeep::app {
namespace {

using base::ErrorKind;
using base::Result;
using base::Status;
using git::LeftOut;
using sessions::SessionObject;

// HEAD when the session began: the name of a shadow branch that leads to the snapshot says it.
Result<std::string> commit_then(sessions::SessionObjects& objects, const std::string& snapshot) {
  TRY_ASSIGN(const auto told, objects.run({"for-each-ref", "--format=%(refname)", "--contains", snapshot,
                                           std::string(git::kBranchRefs) + "entire/"}));
  std::string_view rest = told.output;
  while (told.status == 0 && !rest.empty()) {
    std::string_view name = git::take_until(rest, '\n');
    if (!name.starts_with(git::kBranchRefs)) continue;
    name.remove_prefix(git::kBranchRefs.size());
    const auto branch = core::shadow_branch(name);
    if (!branch) continue;
    TRY_ASSIGN(const auto found, objects.run({"rev-parse", "-q", "--verify", "--end-of-options",
                                              branch->commit + "^{commit}"}));
    std::string id = git::without_line_feed(found.output);
    // A branch of this name would be another commit.
    if (found.status == 0 && git::is_id(id) && id.starts_with(branch->commit)) return id;
  }
  return std::string();
}

class Importer {
 public:
  Importer(const Context& context, const PlanLocation& plan, git::Snapshots snapshots, git::WorkTree tree,
           const sessions::SessionRepository& repository)
      : context_(context),
        plan_(plan),
        snapshots_(std::move(snapshots)),
        tree_(std::move(tree)),
        git_(*context.processes, context.files),
        objects_(git_, repository) {
    const std::string top = tree_.top + "/";
    if (plan.path().starts_with(top)) plan_path_ = plan.path().substr(top.size());
  }

  Result<ImportedSnapshot> run(const std::string& named) {
    TRY_ASSIGN(done_.snapshot, sessions::find_snapshot(objects_, named));
    TRY_ASSIGN(done_.commit_then, commit_then(objects_, done_.snapshot.commit));
    TRY_ASSIGN(files_, sessions::read_shadow_files(objects_, done_.snapshot.tree));
    TRY(leave_out());
    done_.files = files_.files.size();
    CheckpointRequest request;
    TRY(read_plan_text(request));
    TRY(note_filters());
    request.trigger = core::kImported;
    request.manual = true;
    request.instance = done_.snapshot.session_id;
    request.note = base::to_valid_utf8("from Entire's snapshot " + done_.snapshot.commit.substr(0, 10) +
                                       ": " + done_.snapshot.subject);
    request.commit_then = done_.commit_then;
    TRY_ASSIGN(const git::Captured captured, captured_tree());
    // Kept before the record is written, so that a snapshot which cannot be kept leaves no record either. It
    // is not dropped when the record fails: an error may come after the record was written, and a snapshot
    // that no record names goes with the next cleanup.
    TRY_ASSIGN(const core::Snapshot kept, keep_snapshot(context_, plan_, snapshots_, captured));
    request.take_snapshot = [&kept](const git::SnapshotPlace& /*place*/) {
      return Result<core::Snapshot>(kept);
    };
    TRY_ASSIGN(done_.answer, create_checkpoint(context_, plan_, request));
    done_.answer.warnings.insert(done_.answer.warnings.begin(), warnings_.begin(), warnings_.end());
    return std::move(done_);
  }

 private:
  Status leave_out() {
    std::vector<LeftOut>& left_out = done_.left_out;
    left_out.push_back({".entire", LeftOut::Why::foreign});
    for (std::string& path : files_.submodules)
      left_out.push_back({std::move(path), LeftOut::Why::submodule});
    for (auto& refused : files_.refused) {
      warnings_.push_back(refused.path + ": " + refused.why + ", left out");
      left_out.push_back({std::move(refused.path), LeftOut::Why::refused});
    }
    std::erase_if(files_.files, [](const sessions::ShadowFile& file) { return is_ours(file.path); });
    // Contents that are not here (a partial clone, a damaged repository).
    std::vector<std::string> ids;
    for (const sessions::ShadowFile& file : files_.files) ids.push_back(file.id);
    std::sort(ids.begin(), ids.end());
    ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
    TRY_ASSIGN(const std::vector<SessionObject> looked, objects_.look(ids));
    std::unordered_set<std::string> there;
    for (const SessionObject& object : looked) {
      if (object.state == SessionObject::State::present && object.type == "blob") there.insert(object.id);
    }
    std::size_t missing = 0;
    std::erase_if(files_.files, [&](const sessions::ShadowFile& file) {
      if (there.contains(file.id)) return false;
      left_out.push_back({file.path, LeftOut::Why::unreadable});
      ++missing;
      return true;
    });
    if (missing > 0)
      warnings_.push_back("not in this repository, left out: " + base::counted(missing, "file", "files"));
    if (files_.files.empty())
      return base::fail(ErrorKind::not_found, "snapshot " + done_.snapshot.commit.substr(0, 10) +
                                                  " has no files that could be put back");
    return {};
  }

  // The plan as the snapshot has it, with what was recorded of it by then.
  Status read_plan_text(CheckpointRequest& request) {
    request.with_plan = false;
    const auto plan = std::find_if(files_.files.begin(), files_.files.end(), [&](const auto& file) {
      return file.path == plan_path_ && file.mode != "120000";
    });
    if (plan == files_.files.end()) {
      warnings_.emplace_back("the snapshot does not have the plan: rewind to it with --files");
      return {};
    }
    TRY_ASSIGN(SessionObject text, objects_.read_one(plan->id, store::kPlanLimit));
    if (text.state != SessionObject::State::present || !markdown::parse_plan(text.bytes)) {
      warnings_.emplace_back("the snapshot's plan cannot be read: rewind to it with --files");
      return {};
    }
    request.with_plan = true;
    done_.has_plan = true;
    PlanThen then;
    then.checksum = base::short_checksum(text.bytes);
    then.text = std::move(text.bytes);
    TRY_ASSIGN(then.history_offset, history_then());
    request.then = std::move(then);
    return {};
  }

  // How much of the history was written when the snapshot was made. Not tracked yet: nothing.
  Result<std::uint64_t> history_then() {
    TRY_ASSIGN(const auto folder, context_.files.open_folder(plan_.folder));
    const auto tracking = store::open_tracking(*folder, plan_.name);
    if (!tracking) return std::uint64_t{0};
    std::optional<std::uint64_t> later;
    TRY_ASSIGN(
        const store::HistoryScan scan,
        store::read_events(**tracking, 0, [&](const core::Event& event, const store::HistoryLine& line) {
          if (done_.snapshot.time && event.time > *done_.snapshot.time) later = line.offset;
          return !later.has_value();
        }));
    return later.value_or(scan.end);
  }

  // Entire stores changed files as they stand in the work tree, but unchanged ones as git has them.
  Status note_filters() {
    TRY_ASSIGN(const auto line_ends, git_.config(tree_.top, "core.autocrlf"));
    bool filtered = line_ends && (*line_ends == "true" || *line_ends == "input");
    constexpr std::size_t kMostLooked = 50;
    constexpr std::uint64_t kLargestAttributes = std::uint64_t{1} << 20;
    std::size_t looked = 0;
    for (const sessions::ShadowFile& file : files_.files) {
      if (filtered || looked == kMostLooked) break;
      if (file.path != ".gitattributes" && !file.path.ends_with("/.gitattributes")) continue;
      ++looked;
      TRY_ASSIGN(const SessionObject object, objects_.read_one(file.id, kLargestAttributes));
      for (const char* word : {"filter", "eol", "text", "ident", "working-tree-encoding"})
        filtered = filtered || object.bytes.find(word) != std::string::npos;
    }
    if (filtered)
      warnings_.emplace_back(
          "git converts files of this repository (LFS, line endings): those that the session did not change "
          "are in the snapshot as git stores them; check the preview of the rewind");
    return {};
  }

  Result<git::Captured> captured_tree() {
    TRY_ASSIGN(git::ObjectWriter writer, git::ObjectWriter::open(git_, tree_));
    git::TreeChanges changes;
    for (const sessions::ShadowFile& file : files_.files) changes.put(file.path, {file.mode, file.id});
    git::Pack pack(writer.format());
    git::Captured captured;
    TRY_ASSIGN(captured.tree, git::change_tree({}, changes, {}, pack));
    TRY(writer.store(std::move(pack)));
    captured.head = done_.commit_then;
    captured.left_out = done_.left_out;
    return captured;
  }

  const Context& context_;
  const PlanLocation& plan_;
  git::Snapshots snapshots_;
  git::WorkTree tree_;
  git::Git git_;
  sessions::SessionObjects objects_;
  std::string plan_path_;  // relative to the top; empty: the plan is outside of the work tree
  sessions::ShadowFiles files_;
  std::vector<std::string> warnings_;
  ImportedSnapshot done_;
};

}  // namespace

Result<ImportedSnapshot> import_shadow(const Context& context, const PlanLocation& plan,
                                       const std::string& named) {
  TRY_ASSIGN(auto snapshots, open_work_tree(context, plan.folder));
  if (!snapshots)
    return base::fail(ErrorKind::not_found, "the plan is not in a git repository with a work tree");
  git::Git git(*context.processes, context.files);
  TRY_ASSIGN(auto tree, git.work_tree(plan.folder));
  TRY_ASSIGN(const auto repository, sessions::open_repository(git, plan.folder));
  if (!tree || !repository) return base::fail(ErrorKind::not_found, "not in a git repository");
  return Importer(context, plan, std::move(*snapshots), std::move(*tree), *repository).run(named);
}

}  // namespace plankeep::app
