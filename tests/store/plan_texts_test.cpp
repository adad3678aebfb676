#include "store/plan_texts.hpp"

#include <catch2/catch.hpp>

#include "base/sha256.hpp"
#include "support/memory_file_system.hpp"

namespace plankeep::store {
namespace {

using base::ErrorKind;

struct Kept {
  test::MemoryFileSystem files;
  test::MemoryDisk& disk = files.disk();
  std::unique_ptr<system::Folder> folder;
  std::int64_t time = 1'763'653'430'123;
  Kept() {
    disk.put_folder("/t");
    folder = files.open_folder("/t").value();
  }
  void keep(const std::string& text, std::uint64_t offset = 0) {
    REQUIRE(keep_text(*folder, text, base::short_checksum(text), offset, base::Instant{++time}));
  }
  std::vector<KeptText> all() { return kept_texts(*folder).value(); }
  std::vector<std::string> texts() {
    std::vector<std::string> read;
    for (const KeptText& kept : all()) read.push_back(read_text(*folder, kept).value());
    return read;
  }
};

using Texts = std::vector<std::string>;

}  // namespace

TEST_CASE("texts are kept in their order, with time, place in the history and digits") {
  Kept kept;
  CHECK(kept.all().empty());
  kept.keep("one", 0);
  kept.keep("two", 17);
  CHECK(kept.texts() == Texts{"one", "two"});
  const KeptText second = kept.all()[1];
  CHECK(second.time.milliseconds == kept.time);
  CHECK(second.history_offset == 17);
  CHECK("sha256:" + second.digits == base::short_checksum("two"));
  CHECK(second.size == 3);
  CHECK(second.name == "20251120T154350.125Z-17-" + second.digits + ".md");
}

TEST_CASE("the newest text is not kept again, an older one is") {
  Kept kept;
  kept.keep("one");
  kept.keep("one");
  CHECK(kept.all().size() == 1);
  kept.keep("two");
  kept.keep("one");
  CHECK(kept.texts() == Texts{"one", "two", "one"});
}

TEST_CASE("a clock that is set back puts no new text among the old ones") {
  Kept kept;
  kept.keep("one", 5);
  kept.time -= 100'000;
  kept.keep("two", 9);
  CHECK(kept.texts() == Texts{"one", "two"});
}

TEST_CASE("at most so many files, the oldest go first") {
  Kept kept;
  for (std::size_t i = 0; i < kTextsKept + 5; ++i) kept.keep("text " + std::to_string(i));
  const Texts texts = kept.texts();
  REQUIRE(texts.size() == kTextsKept);
  CHECK(texts.front() == "text 5");
}

TEST_CASE("at most so many bytes, and the newest always stays") {
  Kept kept;
  const std::string large(kTextBytesKept / 2 - 10, 'a');
  kept.keep(large);
  kept.keep(large + "b");
  kept.keep("small");
  CHECK(kept.all().size() == 3);
  kept.keep(large + "c");
  CHECK(kept.texts() == Texts{large + "b", "small", large + "c"});
  kept.keep(std::string(kTextBytesKept, 'd'));
  CHECK(kept.all().size() == 1);
  kept.keep(std::string(kTextBytesKept + 1, 'e'));
  CHECK(kept.texts() == Texts{std::string(kTextBytesKept, 'd')});
}

TEST_CASE("what is not ours in the folder is left alone, and a changed text is told") {
  Kept kept;
  kept.keep("one");
  kept.disk.put("/t/plans/notes.md", "mine");
  kept.disk.put("/t/plans/20251120T154350.125Z-x-0123456789abcdef.md", "no offset");
  kept.disk.put("/t/plans/20251120T154350.125Z-1-0123456789abcdeg.md", "no digits");
  kept.disk.put("/t/plans/20259920T154350.125Z-1-0123456789abcdef.md", "no time");
  kept.disk.put("/t/plans/20251120T154350.125Z--0123456789abcdef.md", "nothing");
  kept.disk.put_link("/t/plans/20251120T154350.126Z-1-0123456789abcdef.md", "/etc/passwd");
  REQUIRE(kept.all().size() == 1);
  const KeptText one = kept.all().front();
  kept.disk.put("/t/plans/" + one.name, "two");
  const auto read = read_text(*kept.folder, one);
  REQUIRE_FALSE(read.has_value());
  CHECK(read.error().kind == ErrorKind::corrupt);
  CHECK(kept.disk.get("/t/plans/notes.md") == "mine");
}

TEST_CASE("a link where the folder should be is refused, nothing is written behind it") {
  Kept kept;
  kept.disk.put_folder("/elsewhere");
  kept.disk.put_link("/t/plans", "/elsewhere");
  const auto status = keep_text(*kept.folder, "one", base::short_checksum("one"), 0, base::Instant{1});
  REQUIRE_FALSE(status.has_value());
  CHECK(status.error().kind == ErrorKind::corrupt);
  CHECK_FALSE(kept_texts(*kept.folder).has_value());
}

}  // namespace plankeep::store
