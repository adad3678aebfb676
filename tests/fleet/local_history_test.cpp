#include "fleet/local_history.hpp"

#include <catch2/catch.hpp>
#include <string>

#include "fleet/postgres.hpp"
#include "fleet/there_plan.hpp"
#include "support/world.hpp"

using namespace plankeep;

namespace {

std::string line(int number, std::size_t more = 0) {
  return R"({"ts":"2026-11-20T15:43:50Z","event":"note_saved","note":")" + std::to_string(number) +
         std::string(more, 'x') + "\"}";
}

struct History {
  explicit History(const std::string& text) {
    world.disk().put_folder("/home/kim/.checkpoint");
    world.disk().put("/home/kim/.checkpoint/history.jsonl", text);
    folder = world.files.open_folder("/home/kim/.checkpoint").value();
  }
  fleet::LocalHistory read() { return fleet::LocalHistory(*folder); }
  test::World world;
  std::unique_ptr<system::Folder> folder;
};

}  // namespace

TEST_CASE("The history is read in pieces of whole lines, and every line once") {
  std::string text;
  for (int i = 1; i <= 100; ++i) text += line(i, i % 7 == 0 ? 3000 : 0) + "\n";
  History history(text);
  for (const std::size_t most_lines : {std::size_t{1}, std::size_t{3}, std::size_t{100}, std::size_t{1000}}) {
    for (const std::size_t most_bytes : {std::size_t{1}, std::size_t{2000}, std::size_t{1} << 20}) {
      fleet::LocalHistory local = history.read();
      std::string all;
      std::uint64_t offset = 0;
      std::size_t lines = 0;
      for (;;) {
        const auto piece = local.read(offset, most_lines, most_bytes);
        REQUIRE(piece.has_value());
        if (piece->lines == 0) break;
        CHECK(piece->lines <= most_lines);
        CHECK((piece->lines == 1 || piece->text.size() <= most_bytes));
        CHECK(piece->end == offset + piece->text.size());
        all += piece->text;
        lines += piece->lines;
        offset = piece->end;
      }
      CHECK(all == text);
      CHECK(lines == 100);
    }
  }
}

TEST_CASE("A torn end is not there, and a last line that only lacks its line feed is") {
  const std::string whole = line(1) + "\n" + line(2) + "\n";
  CHECK(History(whole + "{\"ts\":\"20").read().read(0, 10, 1000)->lines == 2);
  const auto piece = History(whole + line(3)).read().read(0, 10, 1000);
  CHECK(piece->lines == 3);
  CHECK(piece->end == whole.size() + line(3).size());
  CHECK(piece->text.ends_with(line(3) + "\n"));
}

TEST_CASE("The place that the server names is looked at first, and else counted") {
  History history(line(1) + "\n" + line(2) + "\n" + line(3) + "\n");
  const std::uint64_t end = 2 * (line(1).size() + 1);
  const auto is = [](int number) { return [number](std::string_view text) { return text == line(number); }; };
  CHECK(history.read().find(2, end, is(2)).value() == end);
  CHECK(history.read().find(2, 0, is(2)).value() == end);
  CHECK(history.read().find(2, end - 1, is(2)).value() == end);
  CHECK(history.read().find(2, 1'000'000, is(2)).value() == end);
  CHECK(history.read().find(0, 0, is(1)).value() == std::uint64_t{0});
  // Another line stands there, or none.
  CHECK_FALSE(history.read().find(2, end, is(1)).value().has_value());
  CHECK_FALSE(history.read().find(4, end, is(3)).value().has_value());
  fleet::LocalHistory local = history.read();
  CHECK(local.line(3).value() == line(3));
  CHECK(local.line(1).value() == line(1));
  CHECK_FALSE(local.line(4).value().has_value());
}

TEST_CASE("A text of another machine is written into the project and nowhere else") {
  test::World world;
  const app::Context context{world.files, world.clock, world.environment};
  for (const std::string path : {"", "/etc/x.md", "../x.md", "a/../x.md", ".git/x.md", "a//x.md", "plan.txt",
                                 "a/", ".checkpoint/x.md", "a\n.md", ".github/x.md"}) {
    CAPTURE(path);
    const auto written = fleet::write_plan_text(context, "/home/kim", path, "# x\n");
    REQUIRE_FALSE(written.has_value());
    CHECK(written.error().kind == base::ErrorKind::invalid_input);
  }
  const auto written = fleet::write_plan_text(context, "/home/kim", "plan.md", "# x\n");
  REQUIRE(written.has_value());
  CHECK(written->has_value());
  CHECK(world.plan() == "# x\n");
  const auto again = fleet::write_plan_text(context, "/home/kim", "plan.md", "# y\n");
  REQUIRE(again.has_value());
  CHECK_FALSE(again->has_value());
  CHECK(world.plan() == "# x\n");
}

TEST_CASE("Of an address people see everything but its passwords") {
  const auto uri = fleet::read_address("postgresql://kim:geheim@db:5433/plans?sslpassword=heimlich");
  REQUIRE(uri.has_value());
  CHECK(fleet::shown_address(*uri) == "host=db port=5433 dbname=plans user=kim");
  CHECK(fleet::shown_address(fleet::read_address("service=plans").value()) == "service=plans");
  for (const std::string bad :
       {"geheim", "host=db password='geheim", "postgresql://kim:geheim@[db/x", "pass word=geheim"}) {
    CAPTURE(bad);
    const auto read = fleet::read_address(bad);
    REQUIRE_FALSE(read.has_value());
    CHECK(read.error().message.find("geheim") == std::string::npos);
    CHECK(read.error().hint.find("geheim") == std::string::npos);
  }
}
