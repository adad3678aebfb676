#include "worktree/restore_journal.hpp"

#include <rapidcheck.h>

#include <catch2/catch.hpp>

#include "support/hostile_text.hpp"
#include "worktree/percent.hpp"

using namespace plankeep;
using namespace plankeep::git;

namespace {

std::optional<FileFacts> some_facts() {
  if (*rc::gen::arbitrary<bool>()) return std::nullopt;
  return FileFacts{*rc::gen::arbitrary<std::uint64_t>(), *rc::gen::arbitrary<std::uint64_t>(),
                   *rc::gen::arbitrary<std::int64_t>()};
}

std::string some_path() {
  std::string path = test::hostile_bytes();
  return path.empty() ? "x" : path;
}

}  // namespace

TEST_CASE("any bytes survive as one printable word") {
  CHECK(rc::check([] {
    const std::string bytes = test::hostile_bytes();
    const std::string word = percent_encoded(bytes);
    RC_ASSERT(percent_decoded(word) == bytes);
    for (const char c : word) RC_ASSERT((c > 0x20 && c < 0x7f));
  }));
}

TEST_CASE("a journal is read as it was written, and no beginning of one is a journal") {
  CHECK(rc::check([] {
    RestoreJournal journal;
    journal.note = test::hostile_bytes();
    journal.beside = *rc::gen::arbitrary<bool>();
    for (int i = *rc::gen::inRange(0, 3); i > 0; --i) journal.made.push_back(some_path());
    for (int i = *rc::gen::inRange(0, 3); i > 0; --i) journal.emptied.push_back(some_path());
    for (int i = *rc::gen::inRange(0, 4); i > 0; --i) {
      RestoreOperation operation;
      operation.path = some_path();
      operation.mode = *rc::gen::elementOf(std::vector<std::string>{"", "100644", "100755", "120000"});
      operation.old_file = some_facts();
      operation.new_file = some_facts();
      journal.operations.push_back(operation);
    }
    const std::string text = to_text(journal);
    const auto read = restore_journal(text);
    RC_ASSERT(read.has_value());
    RC_ASSERT(*read == journal);
    const auto cut = *rc::gen::inRange<std::size_t>(0, text.size());
    RC_ASSERT_FALSE(restore_journal(text.substr(0, cut)).has_value());
  }));
}

TEST_CASE("what is no journal is refused") {
  for (const std::string text :
       {"", "end\n", "plankeep-restore 2\nend\n", "plankeep-restore 1\nmove 1 - - - a\nend\n",
        "plankeep-restore 1\nmove 0 - x - a\nend\n", "plankeep-restore 1\nmove 0 - - -\nend\n",
        "plankeep-restore 1\nend\nend\n", "plankeep-restore 1\nelse\nend\n"}) {
    INFO(text);
    const auto read = restore_journal(text);
    REQUIRE_FALSE(read.has_value());
    CHECK(read.error().kind == base::ErrorKind::corrupt);
  }
  CHECK(restore_journal("plankeep-restore 1\nend\n").has_value());
}
