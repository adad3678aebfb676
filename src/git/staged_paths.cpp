#include "git/staged_paths.hpp"

#include <algorithm>

#include "git/commits.hpp"
#include "git_objects/commit_object.hpp"
#include "git_objects/index_change.hpp"
#include "git_objects/loose_object.hpp"

namespace plankeep::git {
namespace {

// Larger files are left to git, which is as fast then.
constexpr std::uint64_t kIndexLimit = std::uint64_t{64} << 20;
constexpr std::uint64_t kObjectLimit = std::uint64_t{16} << 20;
constexpr std::uint64_t kConfigLimit = std::uint64_t{1} << 20;

// nullopt: it is not there, or cannot be read.
std::optional<std::string> content_of(system::FileSystem& files, const std::string& path,
                                      std::uint64_t limit) {
  const std::size_t slash = path.rfind('/');
  const auto folder = files.open_folder(slash == 0 ? "/" : path.substr(0, slash));
  if (!folder) return std::nullopt;
  auto text = (*folder)->read(path.substr(slash + 1), limit);
  return text ? std::optional(std::move(*text)) : std::nullopt;
}

bool is_there(system::FileSystem& files, const std::string& path) {
  const auto info = files.info(path);
  return !info || info->kind != system::FileKind::missing;
}

class Repository {
 public:
  Repository(system::FileSystem& files, const WorkTree& tree) : files_(files), tree_(tree) {}

  std::optional<std::vector<std::string>> staged(const std::string& index) {
    if (is_there(files_, tree_.common_dir + "/refs/replace")) return std::nullopt;
    // Before the first commit, too, git is asked.
    const std::string head = head_in_files(files_, tree_);
    if (head.empty()) return std::nullopt;
    const ObjectFormat format =
        head.size() == id_length(ObjectFormat::sha1) ? ObjectFormat::sha1 : ObjectFormat::sha256;
    const auto bytes = content_of(files_, index, kIndexLimit);
    if (!bytes) return std::nullopt;
    const auto read = read_index_file(format, *bytes);
    if (!read) return std::nullopt;
    const auto commit = object(head, ObjectKind::commit);
    if (!commit) return std::nullopt;
    const std::string top = commit_header(*commit).tree;
    if (!is_object_id(format, top)) return std::nullopt;
    return index_changes(*read, top, [&](const std::string& id) -> std::optional<Tree> {
      const auto stored = object(id, ObjectKind::tree);
      if (!stored) return std::nullopt;
      auto entries = read_tree(format, *stored);
      return entries ? std::optional(std::move(*entries)) : std::nullopt;
    });
  }

 private:
  std::optional<std::string> object(const std::string& id, ObjectKind kind) {
    const auto file = content_of(
        files_, tree_.common_dir + "/objects/" + id.substr(0, 2) + "/" + id.substr(2), kObjectLimit);
    if (!file) return std::nullopt;
    auto read = read_loose_object(*file, kObjectLimit);
    if (!read || read->kind != kind) return std::nullopt;
    return std::move(read->bytes);
  }

  system::FileSystem& files_;
  const WorkTree& tree_;
};

std::string lower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  return text;
}

// Where git's own configuration for all users is, by the folder of its programs; nullopt: not known.
std::optional<std::string> system_config(const system::Environment& environment) {
  const std::string path = environment.variable("PATH").value_or("");
  const std::string programs = path.substr(0, path.find(':'));
  if (programs == "/usr/lib/git-core" || programs == "/usr/libexec/git-core") return "/etc/gitconfig";
  return std::nullopt;
}

}  // namespace

std::optional<std::vector<std::string>> staged_paths(system::FileSystem& files, const WorkTree& tree,
                                                     const std::string& index) {
  return Repository(files, tree).staged(index);
}

bool is_surely_unset(system::FileSystem& files, const system::Environment& environment, const WorkTree& tree,
                     std::string_view name) {
  const auto variable = [&](const char* which) { return environment.variable(which); };
  // What `git -c` gave, and what is given in variables.
  if (lower(variable("GIT_CONFIG_PARAMETERS").value_or("")).find(name) != std::string::npos) return false;
  if (variable("GIT_CONFIG_COUNT") || variable("GIT_CONFIG")) return false;
  std::vector<std::string> places{tree.common_dir + "/config", tree.git_dir + "/config.worktree"};
  if (const auto given = variable("GIT_CONFIG_GLOBAL")) {
    places.push_back(*given);
  } else {
    const auto home = variable("HOME");
    if (home) places.push_back(*home + "/.gitconfig");
    const std::string elsewhere = variable("XDG_CONFIG_HOME").value_or("");
    if (!elsewhere.empty()) {
      places.push_back(elsewhere + "/git/config");
    } else if (home) {
      places.push_back(*home + "/.config/git/config");
    }
  }
  const std::string skipped = lower(variable("GIT_CONFIG_NOSYSTEM").value_or(""));
  if (const auto given = variable("GIT_CONFIG_SYSTEM")) {
    places.push_back(*given);
  } else if (skipped != "1" && skipped != "true") {
    const auto known = system_config(environment);
    if (!known) return false;
    places.push_back(*known);
  }
  return std::all_of(places.begin(), places.end(), [&](const std::string& place) {
    if (place.empty() || place == "/dev/null" || !is_there(files, place)) return true;
    if (!place.starts_with('/')) return false;
    const auto text = content_of(files, place, kConfigLimit);
    if (!text) return false;
    const std::string all = lower(*text);
    return all.find(name) == std::string::npos && all.find("[include") == std::string::npos;
  });
}

}  // namespace plankeep::git
