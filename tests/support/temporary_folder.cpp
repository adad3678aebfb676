#include "support/temporary_folder.hpp"

#include <stdlib.h>

#include <filesystem>
#include <stdexcept>
#include <system_error>

namespace plankeep::test {

TemporaryFolder::TemporaryFolder() {
  std::string made = (std::filesystem::temp_directory_path() / "plankeep-test-XXXXXX").string();
  if (::mkdtemp(made.data()) == nullptr) throw std::runtime_error("cannot make a temporary folder: " + made);
  path_ = std::filesystem::canonical(made).string();
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

}  // namespace plankeep::test
