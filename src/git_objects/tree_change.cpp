#include "git_objects/tree_change.hpp"

#include <utility>
#include <vector>

namespace plankeep::git {
namespace {

using base::ErrorKind;
using base::Result;
using base::Status;

// The changes by the names of their paths.
struct Node {
  const TreeChanges::Change* change = nullptr;
  std::map<std::string, Node, std::less<>> inside;
};

Status plant(Node& root, std::string_view path, const TreeChanges::Change& change) {
  Node* node = &root;
  for (std::string_view rest = path;;) {
    const std::size_t slash = rest.find('/');
    const std::string_view name = rest.substr(0, slash);
    if (!is_entry_name(name))
      return base::fail(ErrorKind::invalid_input, "no path to write in git: " + std::string(path));
    node = &node->inside[std::string(name)];
    if (slash == std::string_view::npos) break;
    rest.remove_prefix(slash + 1);
  }
  node->change = &change;
  return {};
}

class Surgery {
 public:
  Surgery(const KnownTrees& known, ObjectFormat format) : known_(known), format_(format) {}

  // The id of the tree with what stands in `node`; empty when nothing is left in it. `before` empty: none.
  Result<std::string> folder(const Node& node, const std::string& before) {
    Tree tree;
    if (!before.empty()) {
      const auto bytes = known_.find(before);
      if (bytes == known_.end()) return base::fail(ErrorKind::not_found, "git has no tree " + before);
      TRY_ASSIGN(tree, read_tree(format_, bytes->second));
    }
    bool changed = false;
    for (const auto& [name, inside] : node.inside) {
      TRY_ASSIGN(const bool here, entry(tree, name, inside));
      changed = changed || here;
    }
    if (!changed) return before;
    if (tree.empty()) return std::string();
    return made(tree);
  }

  std::string made(const Tree& tree) {
    std::string bytes = tree_bytes(tree);
    std::string id = object_id(format_, ObjectKind::tree, bytes);
    new_trees_.push_back(std::move(bytes));
    return id;
  }

  const std::vector<std::string>& new_trees() const { return new_trees_; }

 private:
  // Whether the entry is another one now.
  Result<bool> entry(Tree& tree, const std::string& name, const Node& node) {
    const TreeEntry* there = find_entry(tree, name);
    std::optional<TreeEntry> entry;
    if (there != nullptr) entry = *there;
    const std::optional<TreeEntry> before = entry;
    if (node.change != nullptr) {
      if (node.change->clear) entry.reset();
      if (node.change->put) entry = TreeEntry{node.change->put->mode, name, node.change->put->id};
    }
    if (!node.inside.empty()) {
      const std::string within = entry && is_folder(*entry) ? entry->id : std::string();
      TRY_ASSIGN(const std::string id, folder(node, within));
      // Where nothing was put, what stands there stays: a file, or an empty folder of somebody's.
      if (id != within) {
        entry.reset();
        if (!id.empty()) entry = TreeEntry{std::string(kTreeFolder), name, id};
      }
    }
    if (entry == before) return false;
    remove_entry(tree, name);
    if (entry) put_entry(tree, std::move(*entry));
    return true;
  }

  const KnownTrees& known_;
  ObjectFormat format_;
  std::vector<std::string> new_trees_;
};

}  // namespace

Result<std::string> change_tree(const std::string& root, const TreeChanges& changes, const KnownTrees& known,
                                Pack& pack) {
  Node node;
  for (const auto& [path, change] : changes.all()) TRY(plant(node, path, change));
  Surgery surgery(known, pack.format());
  TRY_ASSIGN(std::string id, surgery.folder(node, root));
  if (id.empty()) id = surgery.made({});
  for (const std::string& bytes : surgery.new_trees()) pack.add(ObjectKind::tree, bytes);
  return id;
}

}  // namespace plankeep::git
