#include "sessions/linked_folders.hpp"

#include <catch2/catch.hpp>
#include <filesystem>

#include "support/temporary_folder.hpp"
#include "system/posix/posix_file_system.hpp"

using namespace plankeep;

TEST_CASE("folders that are named through a link are the work tree's, gone or not") {
  const test::TemporaryFolder folder;
  const auto at = [&](const std::string& name) { return folder.path_of(name); };
  std::filesystem::create_directories(at("shop/src"));
  std::filesystem::create_directories(at("elsewhere"));
  std::filesystem::create_directory_symlink(at("shop"), at("link"));
  std::filesystem::create_directory_symlink(at("elsewhere"), at("shop/out"));
  system::PosixFileSystem files;
  app::LinkedFolders folders(files, at("shop"));
  for (const char* name : {"link/a.c", "link/src/b.c", "link/gone/deep/c.c", "shop/d.c", "shop/out/e.c",
                           "elsewhere/f.c", "missing/g.c"})
    folders.see(at(name));
  folders.see("link/a.c");
  const core::RealFolders expected{{at("link"), at("shop")},
                                   {at("link/src"), at("shop/src")},
                                   {at("link/gone/deep"), at("shop/gone/deep")}};
  CHECK(folders.real() == expected);
}
