#include "system/posix/posix_environment.hpp"

#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <catch2/catch.hpp>

#include "support/temporary_folder.hpp"

namespace plankeep::system {
namespace {

TEST_CASE("a variable that is not set is none, an empty one is an empty text") {
  REQUIRE(::setenv("PLANKEEP_TEST_VARIABLE", "", 1) == 0);
  PosixEnvironment environment;
  CHECK(environment.variable("PLANKEEP_TEST_VARIABLE") == std::string());
  REQUIRE(::setenv("PLANKEEP_TEST_VARIABLE", "value", 1) == 0);
  CHECK(environment.variable("PLANKEEP_TEST_VARIABLE") == std::string("value"));
  REQUIRE(::unsetenv("PLANKEEP_TEST_VARIABLE") == 0);
  CHECK_FALSE(environment.variable("PLANKEEP_TEST_VARIABLE").has_value());
}

// In a child: the working directory belongs to the whole process.
int in_child(const std::string& folder, bool remove_it, const std::string& expected) {
  const pid_t child = ::fork();
  if (child == 0) {
    if (::chdir(folder.c_str()) != 0) ::_exit(2);
    if (remove_it && ::rmdir(folder.c_str()) != 0) ::_exit(3);
    ::_exit(PosixEnvironment().working_directory() == expected ? 0 : 1);
  }
  int status = -1;
  REQUIRE(::waitpid(child, &status, 0) == child);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

TEST_CASE("the working directory is absolute, and the root when it is gone") {
  test::TemporaryFolder folder;
  CHECK(in_child(folder.path(), false, folder.path()) == 0);
  CHECK(in_child(folder.path(), true, "/") == 0);
}

}  // namespace
}  // namespace plankeep::system
