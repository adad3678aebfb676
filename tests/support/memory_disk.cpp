#include "support/memory_disk.hpp"

#include <algorithm>
#include <cassert>
#include <set>

namespace plankeep::test {

namespace {

using base::ErrorKind;
using system::FileKind;

std::vector<std::string> parts_of(std::string_view path) {
  std::vector<std::string> parts;
  std::size_t at = 0;
  while (at < path.size()) {
    const std::size_t slash = std::min(path.find('/', at), path.size());
    if (slash > at) parts.emplace_back(path.substr(at, slash - at));
    at = slash + 1;
  }
  return parts;
}

std::string after_crash(const Node& file, const Crash& crash) {
  const std::string& now = file.bytes;
  const std::string& durable = file.durable_bytes;
  const std::size_t shorter = std::min(now.size(), durable.size());
  std::size_t common = 0;
  while (common < shorter && now[common] == durable[common]) ++common;
  switch (crash.content) {
    case Crash::Content::kept:
      return now;
    case Crash::Content::first_bytes:
      return now.substr(0, std::min(now.size(), common + std::min(crash.bytes, now.size())));
    case Crash::Content::zeros:
      return now.substr(0, common) + std::string(now.size() - common, '\0');
    case Crash::Content::lost:
      break;
  }
  return durable;
}

void settle(const NodePointer& node, const Crash& crash, std::set<const Node*>& seen) {
  if (!seen.insert(node.get()).second) return;
  node->locked = false;
  if (node->info.kind == FileKind::regular) {
    if (node->bytes != node->durable_bytes) node->bytes = after_crash(*node, crash);
    node->durable_bytes = node->bytes;
    node->info.size = node->bytes.size();
  }
  if (node->info.kind != FileKind::directory) return;
  const std::size_t kept = std::min(crash.name_changes, node->names.size() - 1);
  node->names = {node->names[kept]};
  for (const auto& [name, child] : node->now()) settle(child, crash, seen);
}

void collect(const std::string& path, const NodePointer& node, std::map<std::string, std::string>& all) {
  if (!path.empty()) all[path] = node->bytes;
  for (const auto& [name, child] : node->now()) collect(path + "/" + name, child, all);
}

}  // namespace

MemoryDisk::MemoryDisk() {
  root_ = make_node(FileKind::directory, 0755);
}

void MemoryDisk::crash(const Crash& crash) {
  std::set<const Node*> seen;
  settle(root_, crash, seen);
  restart();
}

void MemoryDisk::restart() {
  // Locks of a killed process are free; those who held them are gone.
  const std::function<void(Node&)> unlock = [&](Node& node) {
    node.locked = false;
    for (auto& [name, child] : node.now()) unlock(*child);
  };
  unlock(*root_);
  fault_ = {};
  dead_ = false;
  operations_ = 0;
  log_.clear();
}

void MemoryDisk::plan_fault(const Fault& fault) {
  fault_ = fault;
  operations_ = 0;
  log_.clear();
}

base::Status MemoryDisk::begin(std::string_view operation, std::string_view name, std::size_t* written) {
  std::string entry(operation);
  entry.append(" ").append(name);
  if (dead_) return base::fail(ErrorKind::io, "cannot " + entry + ": the process is dead");
  if (before) {
    // Not called for what it does itself.
    const auto call = std::exchange(before, nullptr);
    call(entry);
    if (!before) before = call;
  }
  ++operations_;
  log_.push_back(entry);
  const bool at = operations_ == fault_.operation;
  const bool behind = operations_ > fault_.operation;
  if (fault_.kind == Fault::Kind::die && at) dead_ = true;
  const bool hit =
      (fault_.kind != Fault::Kind::none && at) || (fault_.kind == Fault::Kind::fail_from && behind);
  if (!hit) return {};
  if (written != nullptr) *written = fault_.written_bytes;
  return base::fail(ErrorKind::io, "cannot " + entry + ": No space left on device");
}

NodePointer MemoryDisk::make_node(FileKind kind, std::uint32_t mode) {
  auto node = std::make_shared<Node>();
  node->info.kind = kind;
  node->info.inode = next_inode_++;
  node->info.mode = mode;
  touch(*node);
  return node;
}

void MemoryDisk::touch(Node& node) {
  time_ns_ += 1'000'000;
  node.info.mtime_ns = time_ns_;
  node.info.ctime_ns = time_ns_;
  node.info.size = node.bytes.size();
}

base::Result<MemoryDisk::Found> MemoryDisk::resolve(const std::string& path) const {
  constexpr int kMostLinks = 40;
  int links = 0;
  std::vector<std::string> left = parts_of(path);
  std::reverse(left.begin(), left.end());
  std::vector<std::pair<std::string, NodePointer>> walked;
  const auto here = [&] { return walked.empty() ? root_ : walked.back().second; };
  while (!left.empty()) {
    const std::string part = left.back();
    left.pop_back();
    if (here()->info.kind != FileKind::directory) {
      return base::fail(ErrorKind::corrupt, "cannot resolve " + path + ": Not a directory");
    }
    if (part == ".") continue;
    if (part == "..") {
      if (!walked.empty()) walked.pop_back();
      continue;
    }
    const auto found = here()->now().find(part);
    if (found == here()->now().end()) {
      return base::fail(ErrorKind::not_found, "cannot resolve " + path + ": No such file or directory");
    }
    if (found->second->info.kind != FileKind::symlink) {
      walked.emplace_back(part, found->second);
      continue;
    }
    if (++links > kMostLinks) {
      return base::fail(ErrorKind::corrupt, "cannot resolve " + path + ": Too many levels of symbolic links");
    }
    std::vector<std::string> target = parts_of(found->second->bytes);
    if (!found->second->bytes.empty() && found->second->bytes.front() == '/') walked.clear();
    left.insert(left.end(), target.rbegin(), target.rend());
  }
  Found result{here(), {}};
  for (const auto& [name, node] : walked) result.path += "/" + name;
  if (result.path.empty()) result.path = "/";
  return result;
}

NodePointer MemoryDisk::folder_for(const std::string& path, std::string& name) {
  std::vector<std::string> parts = parts_of(path);
  assert(!parts.empty());
  name = parts.back();
  parts.pop_back();
  NodePointer folder = root_;
  for (const std::string& part : parts) {
    NodePointer next;
    if (const auto found = folder->now().find(part); found != folder->now().end()) next = found->second;
    if (!next) {
      next = make_node(FileKind::directory, 0755);
      for (Names& names : folder->names) names[part] = next;
    }
    assert(next->info.kind == FileKind::directory);
    folder = next;
  }
  return folder;
}

void MemoryDisk::put_node(const std::string& path, NodePointer node) {
  std::string name;
  const NodePointer folder = folder_for(path, name);
  for (Names& names : folder->names) names[name] = node;
}

void MemoryDisk::put_folder(const std::string& path) {
  std::string name;
  folder_for(path + "/x", name);
}

void MemoryDisk::put(const std::string& path, std::string_view bytes) {
  NodePointer node = make_node(FileKind::regular, 0644);
  node->bytes = bytes;
  node->durable_bytes = bytes;
  touch(*node);
  put_node(path, std::move(node));
}

void MemoryDisk::put_in_place(const std::string& path, std::string_view bytes) {
  std::string name;
  const NodePointer node = folder_for(path, name)->now().at(name);
  const std::int64_t modified = node->info.mtime_ns;
  node->bytes = bytes;
  node->durable_bytes = bytes;
  touch(*node);
  node->info.mtime_ns = modified;
}

void MemoryDisk::put_link(const std::string& path, const std::string& target) {
  NodePointer node = make_node(FileKind::symlink, 0777);
  node->bytes = target;
  put_node(path, std::move(node));
}

void MemoryDisk::put_other(const std::string& path) {
  put_node(path, make_node(FileKind::other, 0644));
}

void MemoryDisk::erase(const std::string& path) {
  std::string name;
  const NodePointer folder = folder_for(path, name);
  for (Names& names : folder->names) names.erase(name);
}

std::optional<std::string> MemoryDisk::get(const std::string& path) const {
  const auto all = everything();
  const auto found = all.find(path);
  if (found == all.end()) return std::nullopt;
  return found->second;
}

std::map<std::string, std::string> MemoryDisk::everything() const {
  std::map<std::string, std::string> all;
  collect("", root_, all);
  return all;
}

}  // namespace plankeep::test
