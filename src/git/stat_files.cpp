#include "git/stat_files.hpp"

#include <algorithm>
#include <atomic>
#include <system_error>
#include <thread>

#include "git/folder_chain.hpp"

namespace plankeep::git {
namespace {

// Files that a thread takes at once, and how many are worth a second one.
constexpr std::size_t kBlock = 256;
constexpr std::size_t kManyFiles = 2000;

}  // namespace

std::vector<std::optional<system::FileInfo>> stat_files(system::FileSystem& files, const std::string& top,
                                                        const std::vector<std::string_view>& paths) {
  std::vector<std::optional<system::FileInfo>> infos(paths.size());
  std::atomic<std::size_t> next = 0;
  const auto work = [&] {
    FolderChain chain(files, top);
    for (std::size_t begin = next.fetch_add(kBlock); begin < paths.size(); begin = next.fetch_add(kBlock)) {
      const std::size_t end = std::min(begin + kBlock, paths.size());
      for (std::size_t i = begin; i < end; ++i) {
        const auto info = chain.info(paths[i]);
        if (info) infos[i] = *info;
      }
    }
  };
  std::thread second;
  if (paths.size() >= kManyFiles) {
    try {
      second = std::thread(work);
    } catch (const std::system_error&) {
      // The user may have no more threads: one does it too.
    }
  }
  work();
  if (second.joinable()) second.join();
  return infos;
}

}  // namespace plankeep::git
