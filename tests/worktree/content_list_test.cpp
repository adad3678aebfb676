#include "worktree/content_list.hpp"

#include <catch2/catch.hpp>
#include <string>

using namespace plankeep;
using git::KnownFile;
using git::KnownFiles;

namespace {

const std::string kId(64, 'a');
const std::string kOther = std::string(39, '0') + "f";

KnownFiles sample() {
  return {{"a b.txt", "100644", kId, 3, 1700000000000000001, 1700000000000000002, 77},
          {"dir/\xc3\xa4\n.sh", "100755", kId, 0, -5, 0, 0},
          {"sub", "160000", kOther, 0, 0, 0, 0}};
}

void check_same(const KnownFiles& a, const KnownFiles& b) {
  REQUIRE(a.size() == b.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    CHECK(a[i].path == b[i].path);
    CHECK(a[i].mode == b[i].mode);
    CHECK(a[i].id == b[i].id);
    CHECK(a[i].size == b[i].size);
    CHECK(a[i].mtime_ns == b[i].mtime_ns);
    CHECK(a[i].ctime_ns == b[i].ctime_ns);
    CHECK(a[i].inode == b[i].inode);
  }
}

}  // namespace

TEST_CASE("what is known of files comes back from its text") {
  const std::string text = git::to_text(sample());
  check_same(git::known_files(text), sample());
  CHECK(git::known_files(git::to_text({})).empty());
}

TEST_CASE("a damaged text tells of the files in front of the damage, a short one of none") {
  const std::string text = git::to_text(sample());
  for (std::size_t end = 0; end < text.size(); ++end) {
    CAPTURE(end);
    const KnownFiles known = git::known_files(std::string_view(text).substr(0, end));
    CHECK(known.size() < sample().size());
  }
  std::string damaged = text;
  damaged[text.find("100755") + 7] = 'x';  // its size
  CHECK(git::known_files(damaged).size() == 1);
  damaged = text;
  damaged[text.find(kId)] = 'g';
  CHECK(git::known_files(damaged).empty());
  CHECK(git::known_files("plankeep-files 2" + text.substr(text.find('\0'))).empty());
}

TEST_CASE("files out of order are not believed") {
  KnownFiles files = sample();
  std::swap(files[0], files[1]);
  CHECK(git::known_files(git::to_text(files)).size() == 1);
  CHECK(git::known_files(git::to_text({sample()[0], sample()[0]})).size() == 1);
}

TEST_CASE("the digest is of mode, content and path, and of nothing else") {
  const std::string digest = git::digest_of(sample());
  KnownFiles files = sample();
  files[0].mtime_ns = 1;
  files[0].inode = 0;
  files[0].size = 9;
  CHECK(git::digest_of(files) == digest);
  files[0].mode = "100755";
  CHECK(git::digest_of(files) != digest);
  files = sample();
  files[2].id = kId;
  CHECK(git::digest_of(files) != digest);
  files = sample();
  files[1].path = "dir/a";
  CHECK(git::digest_of(files) != digest);
}
