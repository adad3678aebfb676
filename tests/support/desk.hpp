#pragma once
// A folder to try writers and readers on.

#include <memory>
#include <string>
#include <string_view>

#include "support/memory_file_system.hpp"

namespace plankeep::test {

/// A tracking folder on a disk of memory.
struct Desk {
  MemoryFileSystem files;
  MemoryDisk& disk = files.disk();
  std::unique_ptr<system::Folder> folder;

  Desk() {
    disk.put_folder("/plans/auth/.checkpoint");
    open();
  }
  void open() { folder = files.open_folder("/plans/auth/.checkpoint").value(); }
  std::string get(const std::string& name) const { return disk.get(path(name)).value_or("(missing)"); }
  bool has(const std::string& name) const { return disk.get(path(name)).has_value(); }
  void put(const std::string& name, std::string_view bytes) { disk.put(path(name), bytes); }
  static std::string path(const std::string& name) { return "/plans/auth/.checkpoint/" + name; }
};

}  // namespace plankeep::test
