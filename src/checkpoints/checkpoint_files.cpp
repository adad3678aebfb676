#include "checkpoints/checkpoint_files.hpp"

#include <utility>

#include "base/text.hpp"
#include "checkpoints/checkpoint.hpp"
#include "checkpoints/find_checkpoint.hpp"
#include "checkpoints/snapshots.hpp"
#include "worktree/tree_files.hpp"

namespace plankeep::app {
namespace {

using base::ErrorKind;
using base::Result;
using base::Status;

struct Place {
  std::unique_ptr<system::Folder> parent;
  std::unique_ptr<system::Folder> folder;
  std::string name;
  std::string path;   // absolute, without links
  bool made = false;  // by us
};

Result<Place> empty_place(const Context& context, const std::string& named) {
  std::string path = absolute_path(context, named);
  while (path.size() > 1 && path.ends_with('/')) path.pop_back();
  const auto taken = [&] {
    return base::fail(ErrorKind::conflict, named + " is not an empty folder",
                      "give a folder that does not exist yet");
  };
  Place place;
  place.name = last_part(path);
  if (named.empty() || place.name.empty() || place.name == "." || place.name == "..") return taken();
  auto parent = context.files.open_folder(parent_of(path));
  if (!parent) {
    // To those who asked for a checkpoint, not_found would mean that there is no such checkpoint.
    if (parent.error().kind == ErrorKind::not_found) parent.error().kind = ErrorKind::io;
    return base::fail(std::move(parent.error()));
  }
  place.parent = std::move(*parent);
  TRY_ASSIGN(const system::FileInfo there, place.parent->info(place.name));
  // A link is not followed, wherever it leads.
  if (there.kind != system::FileKind::missing && there.kind != system::FileKind::directory) return taken();
  if (there.kind == system::FileKind::missing) {
    TRY(place.parent->create_shared_folder(place.name));
    place.made = true;
  }
  TRY_ASSIGN(place.folder, place.parent->open_folder(place.name));
  TRY_ASSIGN(const auto names, place.folder->list());
  if (!names.empty()) return taken();
  TRY_ASSIGN(place.path, context.files.real_path(path));
  return place;
}

// "docs/plan.md" of a plan in the work tree, else its name.
std::string place_of_plan(const git::Snapshots& snapshots, const PlanLocation& plan) {
  const std::string top = snapshots.place().top + "/";
  return plan.path().starts_with(top) ? plan.path().substr(top.size()) : plan.name;
}

Status write_plan(system::Folder& top, const std::string& path, const std::string& text) {
  std::unique_ptr<system::Folder> below;
  system::Folder* folder = &top;
  std::string_view rest = path;
  for (std::size_t slash = rest.find('/'); slash != std::string_view::npos; slash = rest.find('/')) {
    const std::string_view name = rest.substr(0, slash);
    TRY_ASSIGN(const system::FileInfo there, folder->info(name));
    if (there.kind == system::FileKind::missing) TRY(folder->create_shared_folder(name));
    TRY_ASSIGN(below, folder->open_folder(name));
    folder = below.get();
    rest.remove_prefix(slash + 1);
  }
  TRY_ASSIGN(const auto file, folder->create_shared(rest, false));
  return file->write(text);
}

}  // namespace

Result<CheckedOut> check_out(const Context& context, const PlanLocation& plan, const std::string& which,
                             const std::string& folder) {
  CheckedOut done;
  TRY_ASSIGN(CheckpointAnswer found, get_checkpoint(context, plan, which));
  done.warnings = std::move(found.warnings);
  done.checkpoint = found.checkpoint.head;
  const core::Moment& moment = found.checkpoint.moment;
  const std::string& id = done.checkpoint.id.text;
  TRY_ASSIGN(auto snapshots, open_work_tree(context, plan.folder));
  if (!moment.snapshot || !snapshots)
    return base::fail(ErrorKind::not_found, id + " has no file snapshot",
                      "to see what it has: plankeep checkpoint show " + id);
  auto snapshot = snapshots->find(moment.snapshot->commit);
  if (!snapshot && snapshot.error().kind == ErrorKind::not_found)
    return base::fail(ErrorKind::not_found, "git no longer has the snapshot of " + id);
  if (!snapshot) return base::fail(std::move(snapshot.error()));
  std::optional<std::string> text;
  if (!moment.plan_digest.empty()) {
    TRY_ASSIGN(const OpenedCheckpoints opened, open_checkpoints(context, plan, records::Access::read));
    TRY_ASSIGN(text, opened.store->plan_text(moment.plan_digest));
  }
  TRY_ASSIGN(const Place place, empty_place(context, folder));
  done.folder = place.path;
  const std::string plan_file = place_of_plan(*snapshots, plan);
  const auto write = [&]() -> Status {
    TRY_ASSIGN(done.files,
               git::write_files(*snapshots, context.files, *snapshot, place.path,
                                [&](std::string_view path) { return text && path == plan_file; }));
    if (!text) return {};
    TRY(write_plan(*place.folder, plan_file, *text));
    done.plan_file = plan_file;
    ++done.files;
    return {};
  };
  const Status written = write();
  if (!written) {
    (void)git::empty_folder(*place.folder);
    if (place.made) (void)place.parent->remove_folder(place.name);
    return base::fail(written.error());
  }
  if (!snapshot->left_out.empty())
    done.warnings.push_back(base::counted(snapshot->left_out.size(), "file or folder of that time is missing",
                                          "files or folders of that time are missing") +
                            ": no snapshot has them (too large, "
                            "nested repositories, submodules, secrets)");
  if ((place.path + "/").starts_with(snapshots->place().top + "/"))
    done.warnings.push_back(
        "the folder is inside the work tree: unless git ignores it, later snapshots will include it");
  return done;
}

}  // namespace plankeep::app
