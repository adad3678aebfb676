#pragma once
// A client's settings file: where it stands, reading it, putting another text in its place.
//
//   TRY_ASSIGN(auto file, ClientFile::find(context, format, Scope::project, root));
//   TRY_ASSIGN(auto text, file.read());                 // nullopt: there is none
//   TRY(file.replace(text, changed));                   // conflict: somebody else wrote meanwhile
//
// A link is followed and stays (people keep their settings in a folder of dotfiles), wherever it leads for
// the user's settings; for a project's only inside the project, because a project may come from strangers.
// What it leads to must be a regular file.
//
// Writing is a temporary file beside the target, synced, renamed; mode and owner stay. A new file of a
// project gets the permissions of the project's folder, one of the user 0600.
//
// Copies: before the first change of a file without entries of ours its bytes are kept as
// "<name>.plankeep-backup" beside it. A copy is never written over: when one with other bytes is there, the
// next is "<name>.plankeep-backup-2", up to 9 (then `conflict`). The newest copy is the original that
// uninstall goes by; when uninstall has given back exactly its bytes, it goes.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "project/context.hpp"
#include "settings_files/settings_format.hpp"
#include "system/file_system.hpp"

namespace plankeep::app {

enum class Scope { project, user };

class ClientFile {
 public:
  /// `root`: the project's folder, real. not_found when the user's settings are asked for and HOME is not
  /// set; corrupt for something that is no regular file; invalid_input for a project's link that leads out of
  /// it.
  [[nodiscard]] static base::Result<ClientFile> find(const Context& context,
                                                     const clients::SettingsFormat& format, Scope scope,
                                                     const std::string& root);

  /// As the client calls it, not where a link leads.
  const std::string& path() const { return path_; }
  bool exists() const { return exists_; }

  /// invalid_input over 16 MiB.
  [[nodiscard]] base::Result<std::optional<std::string>> read() const;

  /// `before` is what read() gave; nullopt makes the file and the folders that are missing.
  [[nodiscard]] base::Status replace(const std::optional<std::string>& before, std::string_view after);
  /// Removes the file, and the client's own folders that are empty then, unless they were before the file was
  /// made (store/folder_list).
  [[nodiscard]] base::Status remove(std::string_view before);

  /// The newest copy from before; nullopt when there is none.
  [[nodiscard]] base::Result<std::optional<std::string>> original() const;
  /// Keeps `bytes` as a copy unless the newest one is the same; gives its path, empty when it was there.
  [[nodiscard]] base::Result<std::string> keep_original(std::string_view bytes);
  /// Removes the newest copy if it holds these bytes.
  [[nodiscard]] base::Status drop_original(std::string_view bytes);

 private:
  explicit ClientFile(const Context& context) : context_(&context) {}
  struct Copy {
    std::string name;
    int number = 0;
  };
  [[nodiscard]] base::Status locate(Scope scope, const std::string& root);
  [[nodiscard]] base::Status check_inside(const std::string& path, const std::string& root) const;
  [[nodiscard]] base::Status check_writable(const system::FileInfo& info) const;
  [[nodiscard]] base::Status make_folders();
  void remember_empty_folder() const;
  std::vector<std::string> remembered_folders() const;
  [[nodiscard]] base::Result<std::vector<Copy>> copies() const;
  std::string folder_below(std::size_t count) const;

  const Context* context_;
  Scope scope_ = Scope::project;
  std::string root_;                // of the project
  std::string base_;                // a folder that is there
  std::vector<std::string> below_;  // from there to the file
  std::size_t kept_ = 0;            // the first of them are never removed: the folder that a variable names
  std::string path_;
  std::string folder_;  // where the file really stands, or will
  std::string name_;
  std::string inside_;  // the project's root; empty for the user's settings
  bool exists_ = false;
};

}  // namespace plankeep::app
