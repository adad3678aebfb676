#pragma once
// Files of a git directory as git leaves them, for a disk on which no git runs.

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "system/file_system.hpp"

namespace plankeep::test {

/// A line of logs/HEAD.
inline std::string reflog_entry(std::int64_t second, const std::string& message) {
  const std::string id(40, 'a');
  return id + " " + id + " Kim Doe <kim@example.org> " + std::to_string(second) + " +0200\t" + message + "\n";
}

/// An index of version 2 with these files, sorted by path, as they are on the disk.
inline std::string index_file(const std::vector<std::pair<std::string, system::FileInfo>>& files) {
  std::string bytes;
  const auto number = [&bytes](std::uint64_t value) {
    for (const unsigned shift : {24U, 16U, 8U, 0U}) bytes += static_cast<char>(value >> shift & 0xffU);
  };
  bytes += "DIRC";
  number(2);
  number(files.size());
  for (const auto& [path, info] : files) {
    constexpr std::int64_t kSecond = 1'000'000'000;
    const std::size_t start = bytes.size();
    number(0);
    number(0);
    number(static_cast<std::uint64_t>(info.mtime_ns / kSecond));
    number(static_cast<std::uint64_t>(info.mtime_ns % kSecond));
    number(0);
    number(0);
    number(0100644);
    number(0);
    number(0);
    number(info.size);
    bytes += std::string(20, '\1');
    bytes += static_cast<char>(path.size() >> 8U);
    bytes += static_cast<char>(path.size() & 0xffU);
    bytes += path;
    bytes += std::string(8 - (bytes.size() - start) % 8, '\0');
  }
  return bytes + std::string(20, '\2');
}

}  // namespace plankeep::test
