#include "worktree/view.hpp"

#include <algorithm>
#include <utility>

#include "base/limits.hpp"
#include "git/folder_chain.hpp"
#include "git/git_output.hpp"
#include "system/atomic_file.hpp"

namespace plankeep::git {
namespace {

using base::ErrorKind;
using base::Result;
using base::Status;

constexpr std::string_view kView = "view";
constexpr std::uint64_t kExcludeLimit = base::kLargestForeignFile;

// Stronger than every .gitattributes: the bytes are stored as they are.
constexpr std::string_view kNoFilters = "* -text !eol -filter -ident !working-tree-encoding -crlf\n";

// Of the user's configuration: how to look at files, how to store objects, and whether git may take missing
// objects of a partial clone for promised ones.
constexpr std::string_view kTaken =
    "^(core\\.(precomposeunicode|excludesfile|sharedrepository|compression|loosecompression|"
    "bigfilethreshold)|remote\\..*\\.promisor)$";

Status put(system::Folder& folder, std::string_view name, std::string_view bytes) {
  const auto there = folder.read(name, kExcludeLimit);
  if (there && *there == bytes) return {};
  return system::write_file(folder, name, bytes, system::Durability::cache);
}

// Whether names that differ only in letter case are one file here. The repository's core.ignoreCase says how
// it was when git made it, which may have been on another disk.
bool ignores_case(system::FileSystem& files, const std::string& top) {
  const auto as_made = files.info(top + "/.git");
  const auto other = files.info(top + "/.GIT");
  return as_made && other && other->kind != system::FileKind::missing && other->inode == as_made->inode &&
         other->device == as_made->device;
}

// The user's info/exclude; empty when there is none. A dangling link is none, as it is to git.
Result<std::string> excludes(system::FileSystem& files, const SnapshotPlace& place) {
  const std::string path = place.common_dir + "/info/exclude";
  const auto real = files.real_path(path);
  if (!real && real.error().kind == ErrorKind::not_found) return std::string();
  if (!real) return base::fail(real.error());
  TRY_ASSIGN(const auto folder, files.open_folder("/" + std::string(folder_part(*real))));
  return folder->read(name_part(*real), kExcludeLimit);
}

}  // namespace

Status make_git_dir(system::Folder& folder, std::string_view config) {
  TRY(folder.make_folder("refs"));
  TRY(put(folder, "config", config));
  return put(folder, "HEAD", "ref: refs/heads/none\n");
}

Result<View> View::open(Snapshots& snapshots, system::FileSystem& files, system::Folder& own) {
  View view(snapshots, own.path_of(kView), own.path_of(kIndex));
  TRY(view.prepare(files, own));
  TRY(view.read_settings(files));
  return view;
}

Status View::prepare(system::FileSystem& files, system::Folder& own) {
  const SnapshotPlace& place = snapshots_->place();
  TRY_ASSIGN(const auto view, own.make_folder(kView));
  TRY_ASSIGN(const auto info, view->make_folder("info"));
  TRY(put(*info, "attributes", kNoFilters));
  TRY_ASSIGN(const std::string exclude, excludes(files, place));
  TRY(put(*info, "exclude", exclude));
  std::string config = "[core]\n\trepositoryformatversion = 1\n\tbare = false\n";
  if (place.object_format != "sha1") config += "[extensions]\n\tobjectFormat = " + place.object_format + "\n";
  return make_git_dir(*view, config);
}

Status View::read_settings(system::FileSystem& files) {
  TRY_ASSIGN(const system::Finished found,
             snapshots_->run({"config", "--null", "--get-regexp", std::string(kTaken)}));
  std::string_view rest = found.output;
  while (!rest.empty()) {
    std::string_view one = take_until(rest, '\0');
    const std::string_view key = take_until(one, '\n');
    settings_.insert(settings_.end(), {"-c", std::string(key) + "=" + std::string(one)});
  }
  settings_.insert(settings_.end(),
                   {"-c", std::string("core.ignoreCase=") +
                              (ignores_case(files, snapshots_->place().top) ? "true" : "false")});
  // What is there, not what git was told to make of it, and every sign that a file has changed since it was
  // looked at last. Names that other systems would take for ".git"
  // (git~1) are files like any other here; git lists none that really is one.
  for (const char* one :
       {"core.fileMode=true", "core.symlinks=true", "core.autocrlf=false", "core.safecrlf=false",
        "core.sparseCheckout=false", "core.untrackedCache=false", "core.splitIndex=false",
        "index.sparse=false", "core.commitGraph=false", "core.trustctime=true", "core.checkStat=default",
        "core.protectNTFS=false", "core.protectHFS=false", "core.fsyncMethod=batch"})
    settings_.insert(settings_.end(), {"-c", one});
  return {};
}

Result<GitRunning> View::start(const std::vector<std::string>& words, std::string_view input,
                               const Use& use) {
  const SnapshotPlace& place = snapshots_->place();
  GitRun how;
  how.variables = {
      "GIT_DIR=" + git_dir_, "GIT_WORK_TREE=" + (use.work_tree.empty() ? place.top : use.work_tree),
      "GIT_INDEX_FILE=" + (use.index.empty() ? index_ : use.index),
      "GIT_OBJECT_DIRECTORY=" + (use.objects.empty() ? place.common_dir + "/objects" : use.objects)};
  how.timeout = use.timeout;
  std::vector<std::string> all = settings_;
  // Every object is on disk before it has its name: nobody, the user's own git included, can come to rely on
  // one that a power cut empties.
  all.insert(all.end(), {"-c", use.objects.empty() ? "core.fsync=loose-object" : "core.fsync=none"});
  all.insert(all.end(), words.begin(), words.end());
  return snapshots_->start(all, input, how);
}

Result<std::string> View::run(const std::vector<std::string>& words, std::string_view input, const Use& use) {
  TRY_ASSIGN(GitRunning running, start(words, input, use));
  TRY_ASSIGN(system::Finished finished, running.finish());
  return view_output(std::move(finished), words.front());
}

Result<std::string> view_output(system::Finished finished, std::string_view command) {
  const bool fine = finished.status == 0 || (finished.status == 1 && command == "check-ignore");
  if (!fine) return base::fail(refused(finished));
  return std::move(finished.output);
}

}  // namespace plankeep::git
