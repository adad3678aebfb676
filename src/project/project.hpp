#pragma once
// The project that a folder belongs to (spec 2.3): where its files, its settings and its git repository are
// looked for. The only place that finds it; whoever needs to know asks here.
//
//   const Project project(context, plan.folder);
//   if (!project.in_git()) ...
//   const Settings& settings = project.settings();
//
// The root is the nearest folder, from the given one upwards, that holds a .git: the innermost work tree; a
// submodule and a linked work tree are projects of their own. Without one, the nearest that holds a
// .plankeep.json; without that, the folder itself. Not looked for above $HOME.
//
// Making one costs two looks into each folder on the way up; nothing is read and no git is started. The rest
// is read when it is asked for. The context has to outlive it.

#include <optional>
#include <string>

#include "project/context.hpp"
#include "project/settings.hpp"

namespace plankeep::app {

class Project {
 public:
  /// `folder`: absolute and free of links.
  Project(const Context& context, const std::string& folder);
  /// Of the working directory.
  static Project here(const Context& context);

  const std::string& root() const { return root_; }
  /// The root holds a .git, whatever git says of it.
  bool in_git() const { return in_git_; }
  /// What git keeps for this work tree, free of links: .git, or the folder that a .git file names (a linked
  /// work tree, a submodule). nullopt: there is none, or it cannot be found out without asking git.
  std::optional<std::string> git_directory() const;
  /// Read at the first call (project/settings), and as they were then.
  const Settings& settings() const;

 private:
  const Context* context_;
  std::string root_;
  bool in_git_ = false;
  mutable std::optional<Settings> settings_;
};

}  // namespace plankeep::app
