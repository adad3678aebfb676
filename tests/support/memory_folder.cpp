#include <algorithm>

#include "support/memory_file_system.hpp"

namespace plankeep::test {

namespace {

using base::ErrorKind;
using base::Result;
using base::Status;
using system::FileInfo;
using system::FileKind;
using system::Folder;
using system::Lock;
using system::WritableFile;

class MemoryWritableFile : public WritableFile {
 public:
  MemoryWritableFile(MemoryDisk& disk, NodePointer node, std::string name)
      : disk_(disk), node_(std::move(node)), name_(std::move(name)) {}

  Status write(std::string_view bytes) override {
    std::size_t left_behind = 0;
    Status status = disk_.begin("write", name_, &left_behind);
    node_->bytes.append(status ? bytes : bytes.substr(0, left_behind));
    disk_.touch(*node_);
    return status;
  }

  Status truncate(std::uint64_t size) override {
    TRY(disk_.begin("truncate", name_));
    node_->bytes.resize(static_cast<std::size_t>(size));
    disk_.touch(*node_);
    return {};
  }

  Status sync_data() override {
    TRY(disk_.begin("sync_data", name_));
    node_->durable_bytes = node_->bytes;
    return {};
  }

  Result<std::uint64_t> size() override {
    TRY(disk_.begin("size", name_));
    return static_cast<std::uint64_t>(node_->bytes.size());
  }

 private:
  MemoryDisk& disk_;
  NodePointer node_;
  std::string name_;
};

class MemoryLock : public Lock {
 public:
  explicit MemoryLock(NodePointer node) : node_(std::move(node)) { node_->locked = true; }
  ~MemoryLock() override { node_->locked = false; }
  MemoryLock(const MemoryLock&) = delete;
  MemoryLock& operator=(const MemoryLock&) = delete;

 private:
  NodePointer node_;
};

class MemoryFolder : public Folder {
 public:
  MemoryFolder(MemoryDisk& disk, NodePointer node, std::string path)
      : disk_(disk), node_(std::move(node)), path_(std::move(path)) {}

  std::string path() const override { return path_; }

  Result<FileInfo> info(std::string_view name) override {
    TRY(start("info", name));
    const NodePointer child = find(name);
    return child ? child->info : FileInfo{};
  }

  Result<std::string> read(std::string_view name, std::uint64_t limit) override {
    TRY(start("read", name));
    TRY_ASSIGN(const NodePointer file, regular(name));
    if (file->bytes.size() > limit)
      return base::fail(ErrorKind::invalid_input, path_of(name) + " is too large");
    disk_.note_read(file->bytes.size());
    return file->bytes;
  }

  Result<std::string> read_range(std::string_view name, std::uint64_t offset, std::uint64_t count) override {
    TRY(start("read_range", name));
    TRY_ASSIGN(const NodePointer file, regular(name));
    if (offset >= file->bytes.size()) return std::string();
    std::string part = file->bytes.substr(static_cast<std::size_t>(offset), static_cast<std::size_t>(count));
    disk_.note_read(part.size());
    return part;
  }

  Result<std::unique_ptr<WritableFile>> create(std::string_view name) override { return make(name, 0600); }

  Result<std::unique_ptr<WritableFile>> create_like(std::string_view name, const FileInfo& like) override {
    TRY_ASSIGN(auto file, make(name, like.mode));
    find(name)->info.owner = like.owner;
    find(name)->info.group = like.group;
    return file;
  }

  Result<std::unique_ptr<WritableFile>> open_append(std::string_view name) override {
    TRY(start("open_append", name));
    TRY_ASSIGN(NodePointer file, regular_or_new(name));
    return std::make_unique<MemoryWritableFile>(disk_, std::move(file), std::string(name));
  }

  Status rename(std::string_view from, std::string_view to) override {
    TRY(check(to));
    TRY(start("rename", from));
    const NodePointer moved = find(from);
    if (!moved) return base::fail(ErrorKind::not_found, "cannot rename " + path_of(from) + ": No such file");
    const NodePointer replaced = find(to);
    if (replaced && replaced->info.kind == FileKind::directory && replaced != moved) {
      return base::fail(ErrorKind::corrupt, "cannot replace " + path_of(to) + ": Is a directory");
    }
    if (replaced == moved) return {};
    Names& names = node_->change();
    names.erase(names.find(from));
    names[std::string(to)] = moved;
    return {};
  }

  Status rename_cache(std::string_view from, std::string_view to) override { return rename(from, to); }

  Status remove(std::string_view name) override {
    TRY(start("remove", name));
    const NodePointer child = find(name);
    if (!child) return base::fail(ErrorKind::not_found, "cannot remove " + path_of(name) + ": No such file");
    if (child->info.kind == FileKind::directory) {
      return base::fail(ErrorKind::corrupt, "cannot remove " + path_of(name) + ": Is a directory");
    }
    Names& names = node_->change();
    names.erase(names.find(name));
    return {};
  }

  Status remove_folder(std::string_view name) override {
    TRY(start("remove_folder", name));
    const NodePointer child = find(name);
    if (!child) return base::fail(ErrorKind::not_found, "cannot remove " + path_of(name) + ": No such file");
    if (child->info.kind != FileKind::directory) {
      return base::fail(ErrorKind::corrupt, "cannot remove " + path_of(name) + ": Not a directory");
    }
    if (!child->now().empty()) return base::fail(ErrorKind::conflict, path_of(name) + " is not empty");
    Names& names = node_->change();
    names.erase(names.find(name));
    return {};
  }

  Result<std::unique_ptr<WritableFile>> create_shared(std::string_view name, bool executable) override {
    if (find(name)) return base::fail(ErrorKind::conflict, path_of(name) + " already exists");
    return make(name, executable ? 0755 : 0644);
  }

  Status create_shared_folder(std::string_view name) override {
    TRY(start("create_shared_folder", name));
    if (find(name)) return base::fail(ErrorKind::conflict, path_of(name) + " already exists");
    node_->change()[std::string(name)] = disk_.make_node(FileKind::directory, 0755);
    return {};
  }

  Status move(std::string_view name, Folder& to, std::string_view new_name) override {
    auto& other = dynamic_cast<MemoryFolder&>(to);
    if (other.find(new_name))
      return base::fail(ErrorKind::conflict, other.path_of(new_name) + " already exists");
    if (&to == this) return rename(name, new_name);
    TRY(start("move", name));
    const NodePointer moved = find(name);
    if (!moved) return base::fail(ErrorKind::not_found, "cannot move " + path_of(name) + ": No such file");
    Names& names = node_->change();
    names.erase(names.find(name));
    other.node_->change()[std::string(new_name)] = moved;
    return {};
  }

  Status sync() override {
    TRY(disk_.begin("sync", path_));
    node_->names = {node_->names.back()};
    return {};
  }

  Result<std::vector<std::string>> list() override {
    TRY(disk_.begin("list", path_));
    std::vector<std::string> names;
    for (const auto& [name, child] : node_->now()) names.push_back(name);
    return names;
  }

  Result<std::unique_ptr<Folder>> open_folder(std::string_view name) override {
    TRY(start("open_folder", name));
    return opened(name);
  }

  Result<std::unique_ptr<Folder>> make_folder(std::string_view name) override {
    TRY(start("make_folder", name));
    if (!find(name)) node_->change()[std::string(name)] = disk_.make_node(FileKind::directory, 0700);
    return opened(name);
  }

  Result<std::string> read_link(std::string_view name) override {
    TRY(start("read_link", name));
    const NodePointer child = find(name);
    if (!child)
      return base::fail(ErrorKind::not_found, "cannot read the link " + path_of(name) + ": No such file");
    if (child->info.kind == FileKind::symlink) return child->bytes;
    return base::fail(ErrorKind::invalid_input, path_of(name) + " is not a symbolic link");
  }

  Result<std::unique_ptr<Lock>> lock(std::string_view name, std::chrono::milliseconds) override {
    TRY(start("lock", name));
    TRY_ASSIGN(NodePointer file, regular_or_new(name));
    if (file->locked) return base::fail(ErrorKind::busy, path_of(name) + " is held by another process");
    return std::make_unique<MemoryLock>(std::move(file));
  }

 private:
  Status check(std::string_view name) const {
    const bool acceptable = !name.empty() && name != "." && name != ".." &&
                            name.find('/') == std::string_view::npos &&
                            name.find('\0') == std::string_view::npos;
    if (acceptable) return {};
    return base::fail(ErrorKind::invalid_input, "\"" + std::string(name) + "\" cannot be the name of a file");
  }

  Status start(std::string_view operation, std::string_view name) {
    TRY(check(name));
    return disk_.begin(operation, name);
  }

  NodePointer find(std::string_view name) const {
    const auto found = node_->now().find(name);
    return found == node_->now().end() ? nullptr : found->second;
  }

  Result<NodePointer> regular(std::string_view name) const {
    NodePointer file = find(name);
    if (!file) return base::fail(ErrorKind::not_found, "cannot read " + path_of(name) + ": No such file");
    if (file->info.kind != FileKind::regular) {
      return base::fail(ErrorKind::corrupt, path_of(name) + " is not a regular file");
    }
    return file;
  }

  Result<NodePointer> regular_or_new(std::string_view name) {
    if (!find(name)) node_->change()[std::string(name)] = disk_.make_node(FileKind::regular, 0600);
    return regular(name);
  }

  Result<std::unique_ptr<WritableFile>> make(std::string_view name, std::uint32_t mode) {
    TRY(start("create", name));
    const NodePointer old = find(name);
    if (old && old->info.kind == FileKind::directory) {
      return base::fail(ErrorKind::corrupt, path_of(name) + " is a directory, not a regular file");
    }
    NodePointer file = disk_.make_node(FileKind::regular, mode);
    node_->change()[std::string(name)] = file;
    return std::make_unique<MemoryWritableFile>(disk_, std::move(file), std::string(name));
  }

  Result<std::unique_ptr<Folder>> opened(std::string_view name) const {
    const NodePointer child = find(name);
    if (!child)
      return base::fail(ErrorKind::not_found, "cannot open " + path_of(name) + ": No such file or directory");
    if (child->info.kind != FileKind::directory) {
      return base::fail(ErrorKind::corrupt, path_of(name) + " is not a directory");
    }
    return open_memory_folder(disk_, child, path_of(name));
  }

  MemoryDisk& disk_;
  NodePointer node_;
  std::string path_;
};

}  // namespace

std::unique_ptr<system::Folder> open_memory_folder(MemoryDisk& disk, NodePointer node, std::string path) {
  return std::make_unique<MemoryFolder>(disk, std::move(node), std::move(path));
}

}  // namespace plankeep::test
