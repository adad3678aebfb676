#pragma once
// A disk made of memory, with what a real one has behind its back: content and names that are not durable
// yet.
//
// What is durable: the content a file had at its last sync_data, and the names a folder had at its last sync.
// A file's sync says nothing about its name, a folder's nothing about contents. crash() keeps that and, as
// the test chooses, some of the rest: each folder's first n changes of names, and of each file's unsynced
// bytes all, none, the first n, or as many zeros (a size that reached the disk before its data).
//
// Faults: each operation of the ports is counted from 1. One of them, or it and all after it, can fail as if
// the disk were full; or the process "dies" there: neither that operation nor any later one has an effect,
// except that a write may leave its first bytes. `before` is called ahead of every operation: the place where
// a test plays somebody else.
//
// The verbs for tests (put, get, ...) take absolute paths, follow no links, are not counted and durable at
// once.

#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "system/file_system.hpp"

namespace plankeep::test {

struct Node;
using NodePointer = std::shared_ptr<Node>;
using Names = std::map<std::string, NodePointer, std::less<>>;

struct Node {
  system::FileInfo info;
  std::string bytes;          // of a file, or the text of a link
  std::string durable_bytes;  // of a file
  std::vector<Names> names{
      Names{}};  // of a folder: durable first, then after each change; the last one holds now
  bool locked = false;

  Names& now() { return names.back(); }
  /// Starts one change of names that a crash may keep or lose.
  Names& change() {
    names.push_back(names.back());
    return names.back();
  }
};

struct Crash {
  enum class Content { lost, first_bytes, zeros, kept };
  static constexpr std::size_t kAll = std::numeric_limits<std::size_t>::max();

  Content content = Content::lost;
  std::size_t bytes = 0;         // for first_bytes
  std::size_t name_changes = 0;  // kept, in each folder
};

struct Fault {
  enum class Kind { none, fail_once, fail_from, die };
  Kind kind = Kind::none;
  std::int64_t operation = 0;     // from 1
  std::size_t written_bytes = 0;  // what a write that is hit leaves behind
};

class MemoryDisk {
 public:
  MemoryDisk();

  /// Power loss and restart: what is durable stays; locks are free, faults and counters gone.
  void crash(const Crash& crash = {});
  /// Only the process is gone (kill -9): everything that happened stays.
  void restart();
  void plan_fault(const Fault& fault);

  std::int64_t operations() const { return operations_; }
  bool dead() const { return dead_; }
  /// What was done since the start, the last restart or forget_log(): "write history.jsonl", "sync_data
  /// state.json".
  const std::vector<std::string>& log() const { return log_; }
  void forget_log() {
    log_.clear();
    bytes_read_ = 0;
  }
  /// That read and read_range gave since then.
  std::uint64_t bytes_read() const { return bytes_read_; }
  void note_read(std::size_t bytes) { bytes_read_ += bytes; }
  std::function<void(const std::string& operation)> before;

  void put_folder(const std::string& path);
  void put(const std::string& path, std::string_view bytes);
  /// As an editor that sets the time of modification back: only the time of change tells.
  void put_in_place(const std::string& path, std::string_view bytes);
  void put_link(const std::string& path, const std::string& target);
  /// A FIFO, socket or device.
  void put_other(const std::string& path);
  void erase(const std::string& path);
  std::optional<std::string> get(const std::string& path) const;
  /// Every path with its content (files), target (links) or an empty text, as it is now.
  std::map<std::string, std::string> everything() const;

  // For the ports.

  /// Counts an operation. An error when it is to have no effect; `written` then says how much a write leaves.
  [[nodiscard]] base::Status begin(std::string_view operation, std::string_view name,
                                   std::size_t* written = nullptr);
  NodePointer make_node(system::FileKind kind, std::uint32_t mode);
  void touch(Node& node);
  struct Found {
    NodePointer node;
    std::string path;  // without links
  };
  /// Follows every link on the way.
  [[nodiscard]] base::Result<Found> resolve(const std::string& path) const;

 private:
  void put_node(const std::string& path, NodePointer node);
  NodePointer folder_for(const std::string& path, std::string& name);

  NodePointer root_;
  std::uint64_t next_inode_ = 1;
  std::int64_t time_ns_ = 1'000'000'000'000'000;
  std::int64_t operations_ = 0;
  Fault fault_;
  bool dead_ = false;
  std::uint64_t bytes_read_ = 0;
  std::vector<std::string> log_;
};

}  // namespace plankeep::test
