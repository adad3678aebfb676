#include "store/sidecars.hpp"

#include <rapidcheck.h>

#include <catch2/catch.hpp>
#include <chrono>
#include <filesystem>
#include <fstream>

#include "model/json/sidecar_json.hpp"
#include "store/paths.hpp"
#include "support/memory_file_system.hpp"
#include "support/temporary_folder.hpp"
#include "system/posix/posix_file_system.hpp"

using namespace plankeep;
using namespace plankeep::store;
using core::Sidecar;

namespace {

using Shas = std::vector<std::string>;

std::string sha_of(std::size_t number) {
  std::string digits = std::to_string(number);
  return std::string(40 - digits.size(), '0') + digits;
}

Sidecar sidecar(std::size_t number, std::int64_t milestone, std::int64_t time = 0, std::string run = "auth") {
  Sidecar one;
  one.sha = sha_of(number);
  one.run = std::move(run);
  one.milestone = milestone;
  one.created_at = base::Instant{time};
  return one;
}

class Store {
 public:
  Store() {
    files.disk().put_folder("/plan/.checkpoint");
    folder = files.open_folder("/plan/.checkpoint").value();
  }
  std::vector<std::string> shas(std::string_view run = "auth", std::size_t count = 100) {
    Sidecars sidecars(*folder);
    std::vector<std::string> found;
    const auto entries = sidecars.select({std::string(run), false, count, 0}).value().best;
    for (const SidecarEntry& entry : entries) found.push_back(entry.sha);
    return found;
  }
  void write(const Sidecar& one) {
    Sidecars sidecars(*folder);
    REQUIRE(sidecars.write(one));
  }
  void remove(const std::string& name) {
    REQUIRE(files.open_folder("/plan/.checkpoint/commits").value()->remove(name));
  }
  std::string path(std::string_view name) const { return "/plan/.checkpoint/commits/" + std::string(name); }

  test::MemoryFileSystem files;
  std::unique_ptr<system::Folder> folder;
};

using Shas = std::vector<std::string>;

}  // namespace

TEST_CASE("without a folder there are no sidecars") {
  Store store;
  Sidecars sidecars(*store.folder);
  CHECK_FALSE(sidecars.exist().value());
  CHECK(store.shas().empty());
  CHECK_FALSE(sidecars.read(sha_of(1)).value());
  CHECK(sidecars.all()->sidecars.empty());
}

TEST_CASE("a run's commits come highest milestone first, then newest") {
  Store store;
  store.write(sidecar(1, 0, 5));
  store.write(sidecar(2, 2, 1));
  store.write(sidecar(3, 2, 7));
  store.write(sidecar(4, 1, 9));
  store.write(sidecar(5, 9, 9, "other"));
  CHECK(store.shas() == Shas{sha_of(3), sha_of(2), sha_of(4), sha_of(1)});
  CHECK(store.shas("auth", 2) == Shas{sha_of(3), sha_of(2)});
  CHECK(store.shas("other") == Shas{sha_of(5)});
  CHECK(store.shas("nobody").empty());
  Sidecars sidecars(*store.folder);
  CHECK(sidecars.read(sha_of(4)).value() == sidecar(4, 1, 9));
}

TEST_CASE("with and without the index the answer is the same, whatever was written") {
  CHECK(rc::check([] {
    Store store;
    const auto numbers = *rc::gen::container<std::vector<std::size_t>>(rc::gen::inRange<std::size_t>(0, 9));
    for (const std::size_t number : numbers) {
      store.write(sidecar(number, *rc::gen::inRange(0, 3), *rc::gen::inRange(0, 3),
                          *rc::gen::element<std::string>("auth", "other")));
    }
    const Shas with = store.shas();
    if (!numbers.empty()) RC_ASSERT(store.files.disk().get(store.path("index.json")).has_value());
    if (!numbers.empty()) store.remove("index.json");
    RC_ASSERT(store.shas() == with);
  }));
}

TEST_CASE("the newest of all runs, and the plan's own by any name, are known with and without the index") {
  CHECK(rc::check([] {
    Store store;
    const auto count = *rc::gen::inRange<std::size_t>(1, 150);
    for (std::size_t i = 0; i < count; ++i) {
      Sidecar one = sidecar(i, *rc::gen::inRange(0, 3), *rc::gen::inRange(0, 9),
                            *rc::gen::element<std::string>("auth", "auth2", "spike"));
      one.plan_id = one.run == "spike" ? "auth" : one.run;
      if (i > 0 && *rc::gen::inRange(0, 4) == 0) one.relinked_from = sha_of(i - 1);
      store.write(one);
    }
    const SidecarQuery query{"auth", true, 20, 30};
    const SidecarSelection with = Sidecars(*store.folder).select(query).value();
    store.remove("index.json");
    const SidecarSelection without = Sidecars(*store.folder).select(query).value();
    RC_ASSERT(with.best == without.best);
    RC_ASSERT(with.newest == without.newest);
    const auto named = Sidecars(*store.folder).select({"auth", false, 500, 0}).value().best;
    for (const SidecarEntry& one : named)
      RC_ASSERT(Sidecars(*store.folder).read(one.sha).value()->run == "auth");
  }));
}

TEST_CASE("a file that came or went without the index counts at once") {
  // On a real disk: what is told of a folder's time is the system's.
  const test::TemporaryFolder place;
  system::PosixFileSystem files;
  const auto folder = files.open_folder(place.path()).value();
  Sidecars sidecars(*folder);
  const auto shas = [&] {
    const auto entries = Sidecars(*folder).select({"auth", false, 100, 0}).value().best;
    Shas found;
    for (const SidecarEntry& entry : entries) found.push_back(entry.sha);
    return found;
  };
  // Two changes within one tick of the system's clock look like one: each gets a second of its own.
  auto later = [&, changes = 0]() mutable {
    const std::string path = place.path_of("commits");
    std::filesystem::last_write_time(
        path, std::filesystem::last_write_time(path) + std::chrono::seconds(++changes));
  };
  REQUIRE(sidecars.write(sidecar(1, 0)));
  CHECK(shas() == Shas{sha_of(1)});
  const std::string by_hand = place.path_of("commits/" + sidecar_name(sha_of(2)));
  std::ofstream(by_hand) << core::encode_sidecar(sidecar(2, 5));
  later();
  CHECK(shas() == Shas{sha_of(2), sha_of(1)});
  REQUIRE(sidecars.write(sidecar(3, 1)));
  CHECK(shas() == Shas{sha_of(2), sha_of(3), sha_of(1)});
  std::filesystem::remove(by_hand);
  later();
  CHECK(shas() == Shas{sha_of(3), sha_of(1)});
}

TEST_CASE("a damaged index is left aside and made anew") {
  Store store;
  store.write(sidecar(1, 0));
  for (const char* text : {"", "{", "[]", "{\"version\":1}", "{\"version\":2,\"files\":1}"}) {
    store.files.disk().put(store.path("index.json"), text);
    CHECK(store.shas() == Shas{sha_of(1)});
  }
  store.write(sidecar(2, 1));
  CHECK(store.shas() == Shas{sha_of(2), sha_of(1)});
}

TEST_CASE("malformed sidecars are passed over and named") {
  Store store;
  store.write(sidecar(1, 0));
  store.files.disk().put(store.path(sidecar_name(sha_of(2))), "{ torn");
  store.files.disk().put(store.path(sidecar_name(sha_of(3))), core::encode_sidecar(sidecar(4, 9)));
  store.files.disk().put(store.path("notes.txt"), "mine");
  CHECK(store.shas() == Shas{sha_of(1)});
  Sidecars sidecars(*store.folder);
  const auto list = sidecars.all();
  REQUIRE(list);
  CHECK(list->sidecars.size() == 1);
  REQUIRE(list->malformed.size() == 2);
  CHECK(list->malformed[0].name == sidecar_name(sha_of(2)));
  CHECK_THAT(list->malformed[1].reason, Catch::Contains("another commit"));
  CHECK(sidecars.read(sha_of(2)).error().kind == base::ErrorKind::corrupt);
}

TEST_CASE("what cannot be a sidecar is not written") {
  Store store;
  Sidecars sidecars(*store.folder);
  Sidecar bad = sidecar(1, 0);
  bad.sha = "../../etc/passwd";
  CHECK(sidecars.write(bad).error().kind == base::ErrorKind::invalid_input);
  CHECK_FALSE(sidecars.read("../x").value());
}
