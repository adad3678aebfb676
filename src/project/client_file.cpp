#include "project/client_file.hpp"

#include <algorithm>

#include "base/limits.hpp"
#include "project/plan_location.hpp"
#include "project/project.hpp"
#include "project/state_home.hpp"
#include "store/folder_list.hpp"
#include "system/atomic_file.hpp"

namespace plankeep::app {
namespace {

using base::ErrorKind;
using base::Result;
using base::Status;
using system::FileKind;

constexpr std::uint64_t kLimit = base::kLargestForeignFile;
constexpr std::string_view kCopyEnd = ".plankeep-backup";
constexpr int kMostCopies = 9;

std::vector<std::string> parts_of(std::string_view path) {
  std::vector<std::string> parts;
  while (!path.empty()) {
    const std::size_t slash = std::min(path.find('/'), path.size());
    if (slash > 0) parts.emplace_back(path.substr(0, slash));
    path.remove_prefix(std::min(slash + 1, path.size()));
  }
  return parts;
}

std::string copy_name(std::string_view name, int number) {
  std::string copy(name);
  copy += kCopyEnd;
  if (number > 1) copy += "-" + std::to_string(number);
  return copy;
}

Result<ProjectFiles> own_files(const Context& context, Scope scope, const std::string& root, bool make) {
  if (scope == Scope::project) return open_project_files(context, Project(context, root), make);
  TRY_ASSIGN(auto home, open_state_home(context, make));
  return ProjectFiles{std::move(home), {}};
}

std::string kept_list(const std::string& suffix) {
  return std::string(store::kKeptFolders) + suffix;
}

base::Error changed_meanwhile(const std::string& path) {
  return {ErrorKind::conflict,
          path + " was changed by another program at the same time",
          {},
          "run the command again"};
}

}  // namespace

Result<ClientFile> ClientFile::find(const Context& context, const clients::SettingsFormat& format,
                                    Scope scope, const std::string& root) {
  ClientFile file(context);
  file.scope_ = scope;
  file.root_ = root;
  if (scope == Scope::project) {
    file.base_ = root;
    file.inside_ = root;
    file.below_ = parts_of(format.project_path);
  } else {
    const auto home = context.environment.variable("HOME");
    const auto moved = format.user_variable.empty()
                           ? std::nullopt
                           : context.environment.variable(std::string(format.user_variable));
    if (moved && !moved->empty() && moved->front() == '/') {
      const std::string folder = absolute_path(context, *moved);
      file.base_ = parent_of(folder);
      file.below_ = parts_of(format.variable_path);
      if (folder != "/") file.below_.insert(file.below_.begin(), last_part(folder));
      file.kept_ = 1;
    } else if (home && !home->empty() && home->front() == '/') {
      file.base_ = *home;
      file.below_ = parts_of(format.home_path);
    } else {
      return base::fail(ErrorKind::not_found, "no user settings folder: HOME is not set", "set HOME");
    }
  }
  TRY(file.locate(scope, root));
  return file;
}

std::string ClientFile::folder_below(std::size_t count) const {
  std::string path = base_ == "/" ? std::string() : base_;
  for (std::size_t i = 0; i < count; ++i) path += "/" + below_[i];
  return path.empty() ? "/" : path;
}

Status ClientFile::check_inside(const std::string& path, const std::string& root) const {
  if (inside_.empty() || path == root) return {};
  const std::string within = root == "/" ? root : root + "/";
  if (path.compare(0, within.size(), within) == 0) return {};
  return base::fail(ErrorKind::invalid_input, path_ + " points to " + path + ", outside the project",
                    "edit that file by hand, or install for the user: --user");
}

Status ClientFile::locate(Scope scope, const std::string& root) {
  path_ = folder_below(below_.size());
  name_ = below_.back();
  folder_ = folder_below(below_.size() - 1);
  TRY_ASSIGN(const system::FileInfo info, context_->files.info(path_));
  if (info.kind == FileKind::missing) {
    // As far as there are folders, they must not lead elsewhere; and a link to nothing is a riddle.
    for (std::size_t count = below_.size() - 1;; --count) {
      const std::string folder = folder_below(count);
      const auto real = context_->files.real_path(folder);
      if (real) {
        TRY(check_inside(*real, root));
        TRY_ASSIGN(auto opened, context_->files.open_folder(folder));
        TRY_ASSIGN(const system::FileInfo next, opened->info(below_[count]));
        if (next.kind == FileKind::symlink) {
          return base::fail(ErrorKind::corrupt, opened->path_of(below_[count]) + " is a broken symbolic link",
                            "remove the link, or create its target");
        }
        return {};
      }
      if (count == 0) return base::fail(real.error());
    }
  }
  if (info.kind != FileKind::regular)
    return base::fail(ErrorKind::corrupt, path_ + " is not a regular file", "move it away");
  TRY_ASSIGN(const std::string real, context_->files.real_path(path_));
  if (scope == Scope::project) TRY(check_inside(parent_of(real), root));
  folder_ = parent_of(real);
  name_ = last_part(real);
  exists_ = true;
  return {};
}

Result<std::optional<std::string>> ClientFile::read() const {
  if (!exists_) return std::nullopt;
  TRY_ASSIGN(auto folder, context_->files.open_folder(folder_));
  TRY_ASSIGN(std::string text, folder->read(name_, kLimit));
  return std::optional<std::string>(std::move(text));
}

// Of the folders that are there only the last can be empty. Where nothing of ours can be written, it is not
// remembered: it goes with the file then, as one of ours would.
void ClientFile::remember_empty_folder() const {
  for (std::size_t count = below_.size() - 1; count > kept_; --count) {
    const auto folder = context_->files.open_folder(folder_below(count));
    if (!folder) continue;
    const auto names = (*folder)->list();
    if (!names || !names->empty()) return;
    const auto own = own_files(*context_, scope_, root_, true);
    if (own) (void)store::list_folder(*own->folder, kept_list(own->suffix), folder_below(count));
    return;
  }
}

// Taken from the list.
std::vector<std::string> ClientFile::remembered_folders() const {
  std::vector<std::string> found;
  const auto own = own_files(*context_, scope_, root_, false);
  for (std::size_t count = below_.size() - 1; own && count > kept_; --count) {
    if (store::unlist_folder(*own->folder, kept_list(own->suffix), folder_below(count)))
      found.push_back(folder_below(count));
  }
  return found;
}

Status ClientFile::make_folders() {
  for (std::size_t count = 0; count + 1 < below_.size(); ++count) {
    TRY_ASSIGN(const system::FileInfo info, context_->files.info(folder_below(count + 1)));
    if (info.kind != FileKind::missing) continue;
    TRY_ASSIGN(auto folder, context_->files.open_folder(folder_below(count)));
    TRY(folder->make_folder(below_[count]));
    TRY(folder->sync());
  }
  return {};
}

// A rename would replace a file that its owner has made read-only.
Status ClientFile::check_writable(const system::FileInfo& info) const {
  constexpr std::uint32_t kWritable = 0222;
  if ((info.mode & kWritable) != 0) return {};
  return base::fail(ErrorKind::conflict, path_ + " is read-only", "chmod u+w " + path_);
}

Status ClientFile::replace(const std::optional<std::string>& before, std::string_view after) {
  if (!before) {
    remember_empty_folder();
    TRY(make_folders());
  }
  TRY_ASSIGN(auto folder, context_->files.open_folder(folder_));
  TRY_ASSIGN(system::FileInfo like, folder->info(name_));
  const auto unchanged = [&]() -> Status {
    TRY_ASSIGN(const system::FileInfo info, folder->info(name_));
    if (!before) return info.kind == FileKind::missing ? Status{} : base::fail(changed_meanwhile(path_));
    if (info.kind != FileKind::regular) return base::fail(changed_meanwhile(path_));
    TRY_ASSIGN(const std::string now, folder->read(name_, kLimit));
    return now == *before ? Status{} : base::fail(changed_meanwhile(path_));
  };
  TRY(unchanged());
  if (before) TRY(check_writable(like));
  if (!before && inside_.empty()) {
    TRY(system::write_file(*folder, name_, after, system::Durability::durable));
  } else {
    if (!before) {
      constexpr std::uint32_t kReadWrite = 0666;
      TRY_ASSIGN(like, context_->files.info(base_));
      like.mode &= kReadWrite;
    }
    TRY(system::write_file_like(*folder, name_, after, like, system::Durability::durable, unchanged));
  }
  exists_ = true;
  return {};
}

Status ClientFile::remove(std::string_view before) {
  TRY_ASSIGN(auto folder, context_->files.open_folder(folder_));
  TRY_ASSIGN(const std::string now, folder->read(name_, kLimit));
  if (now != before) return base::fail(changed_meanwhile(path_));
  TRY_ASSIGN(const system::FileInfo info, folder->info(name_));
  TRY(check_writable(info));
  TRY(folder->remove(name_));
  TRY(folder->sync());
  exists_ = false;
  // A link that led to the file stays with its folders; so do folders that hold anything else.
  if (folder_ != folder_below(below_.size() - 1)) return {};
  const std::vector<std::string> kept = remembered_folders();
  for (std::size_t count = below_.size() - 1; count > kept_; --count) {
    if (std::find(kept.begin(), kept.end(), folder_below(count)) != kept.end()) break;
    auto above = context_->files.open_folder(folder_below(count - 1));
    if (!above || !(*above)->remove_folder(below_[count - 1])) break;
  }
  return {};
}

Result<std::vector<ClientFile::Copy>> ClientFile::copies() const {
  std::vector<Copy> found;
  const auto folder = context_->files.open_folder(folder_);
  if (!folder && folder.error().kind == ErrorKind::not_found) return found;
  if (!folder) return base::fail(folder.error());
  for (int number = 1; number <= kMostCopies; ++number) {
    const std::string name = copy_name(name_, number);
    TRY_ASSIGN(const system::FileInfo info, (*folder)->info(name));
    if (info.kind != FileKind::missing) found.push_back({name, number});
  }
  return found;
}

Result<std::optional<std::string>> ClientFile::original() const {
  TRY_ASSIGN(const std::vector<Copy> found, copies());
  if (found.empty()) return std::nullopt;
  TRY_ASSIGN(auto folder, context_->files.open_folder(folder_));
  TRY_ASSIGN(std::string text, folder->read(found.back().name, kLimit));
  return std::optional<std::string>(std::move(text));
}

Result<std::string> ClientFile::keep_original(std::string_view bytes) {
  TRY_ASSIGN(const auto newest, original());
  if (newest && *newest == bytes) return std::string();
  TRY_ASSIGN(const std::vector<Copy> found, copies());
  const int number = found.empty() ? 1 : found.back().number + 1;
  if (number > kMostCopies) {
    return base::fail(ErrorKind::conflict,
                      std::to_string(kMostCopies) + " copies of " + path_ + " already exist",
                      "check them and remove those you do not need: " + path_ + std::string(kCopyEnd) + "*");
  }
  TRY_ASSIGN(auto folder, context_->files.open_folder(folder_));
  TRY_ASSIGN(const system::FileInfo like, folder->info(name_));
  const std::string name = copy_name(name_, number);
  TRY(system::write_file_like(*folder, name, bytes, like, system::Durability::durable));
  return folder->path_of(name);
}

Status ClientFile::drop_original(std::string_view bytes) {
  TRY_ASSIGN(const auto newest, original());
  if (!newest || *newest != bytes) return {};
  TRY_ASSIGN(const std::vector<Copy> found, copies());
  TRY_ASSIGN(auto folder, context_->files.open_folder(folder_));
  TRY(folder->remove(found.back().name));
  return folder->sync();
}

}  // namespace plankeep::app
