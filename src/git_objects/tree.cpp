#include "git_objects/tree.hpp"

#include <algorithm>
#include <set>

#include "base/hex.hpp"

namespace plankeep::git {
namespace {

using base::ErrorKind;

// Less, equal or greater than 0, as git compares two entries of one tree (base_name_compare).
int compare_names(std::string_view a, bool a_folder, std::string_view b, bool b_folder) {
  const std::size_t common = std::min(a.size(), b.size());
  if (const int order = a.substr(0, common).compare(b.substr(0, common)); order != 0) return order;
  const auto next = [common](std::string_view name, bool folder) -> int {
    if (name.size() > common) return static_cast<unsigned char>(name[common]);
    return folder ? '/' : '\0';
  };
  return next(a, a_folder) - next(b, b_folder);
}

bool comes_before(const TreeEntry& a, const TreeEntry& b) {
  return compare_names(a.name, is_folder(a), b.name, is_folder(b)) < 0;
}

bool is_mode(std::string_view mode) {
  return mode.size() >= 5 && mode.size() <= 6 && mode.front() != '0' &&
         mode.find_first_not_of("01234567") == std::string_view::npos;
}

tl::unexpected<base::Error> bad_tree(const char* what) {
  return base::fail(ErrorKind::corrupt, std::string("a tree in the repository is damaged: ") + what);
}

}  // namespace

base::Result<Tree> read_tree(ObjectFormat format, std::string_view bytes) {
  const std::size_t id_bytes = id_length(format) / 2;
  Tree tree;
  std::set<std::string_view> names;
  while (!bytes.empty()) {
    if (tree.size() == kMostTreeEntries) return bad_tree("it has too many entries");
    const std::size_t blank = bytes.find(' ');
    const std::size_t end = bytes.find('\0');
    if (blank == std::string_view::npos || end == std::string_view::npos || blank > end ||
        bytes.size() - end - 1 < id_bytes)
      return bad_tree("an entry is cut");
    const std::string_view name = bytes.substr(blank + 1, end - blank - 1);
    if (!is_mode(bytes.substr(0, blank))) return bad_tree("an entry has no mode");
    if (name.empty() || name.find('/') != std::string_view::npos)
      return bad_tree("an entry's name is no name");
    if (!names.insert(name).second) return bad_tree("a name is in it twice");
    const std::string_view id = bytes.substr(end + 1, id_bytes);
    tree.push_back({std::string(bytes.substr(0, blank)), std::string(name),
                    base::to_hex({reinterpret_cast<const unsigned char*>(id.data()), id.size()})});
    if (tree.size() > 1 && !comes_before(tree[tree.size() - 2], tree.back()))
      return bad_tree("its entries are out of order");
    bytes.remove_prefix(end + 1 + id_bytes);
  }
  return tree;
}

std::string tree_bytes(const Tree& tree) {
  std::string bytes;
  for (const TreeEntry& entry : tree) {
    bytes += entry.mode;
    bytes += ' ';
    bytes += entry.name;
    bytes += '\0';
    bytes += base::from_hex(entry.id).value_or(std::string());
  }
  return bytes;
}

const TreeEntry* find_entry(const Tree& tree, std::string_view name) {
  // A file and a folder of one name have different places, so both are looked at.
  for (const bool folder : {false, true}) {
    const auto place = std::lower_bound(
        tree.begin(), tree.end(), name, [folder](const TreeEntry& entry, std::string_view wanted) {
          return compare_names(entry.name, is_folder(entry), wanted, folder) < 0;
        });
    if (place != tree.end() && place->name == name) return &*place;
  }
  return nullptr;
}

void put_entry(Tree& tree, TreeEntry entry) {
  remove_entry(tree, entry.name);
  const auto place = std::lower_bound(tree.begin(), tree.end(), entry, comes_before);
  tree.insert(place, std::move(entry));
}

bool remove_entry(Tree& tree, std::string_view name) {
  const TreeEntry* entry = find_entry(tree, name);
  if (entry == nullptr) return false;
  tree.erase(tree.begin() + (entry - tree.data()));
  return true;
}

bool is_entry_name(std::string_view name) {
  if (name.empty() || name == "." || name == "..") return false;
  if (name.find('/') != std::string_view::npos || name.find('\0') != std::string_view::npos) return false;
  constexpr std::string_view kGit = ".git";
  const bool is_git =
      name.size() == kGit.size() && std::equal(name.begin(), name.end(), kGit.begin(), [](char a, char b) {
        return (a >= 'A' && a <= 'Z' ? static_cast<char>(a - 'A' + 'a') : a) == b;
      });
  return !is_git;
}

}  // namespace plankeep::git
