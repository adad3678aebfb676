#include "fleet/project_name.hpp"

#include <catch2/catch.hpp>
#include <string>

using namespace plankeep;

TEST_CASE("Every way to one repository gives the project one name") {
  for (const std::string url :
       {"https://github.com/acme/shop.git", "https://kim:p%40ss@GitHub.com/acme/shop",
        "https://github.com:443/acme/shop/", "http://github.com:80/acme/shop.git",
        "ssh://git@github.com:22/acme/shop.git", "git@github.com:acme/shop.git", "github.com:/acme/shop.git",
        "git://github.com:9418/acme//shop.git", "  git@GITHUB.com:acme/shop  \n"}) {
    CAPTURE(url);
    CHECK(fleet::project_of_origin(url) == "github.com/acme/shop");
  }
}

TEST_CASE("What leads elsewhere gives another name") {
  CHECK(fleet::project_of_origin("ssh://git@host:2222/acme/shop") == "host:2222/acme/shop");
  CHECK(fleet::project_of_origin("https://host/Acme/Shop.git") == "host/Acme/Shop");
  CHECK(fleet::project_of_origin("ssh://[::1]:22/x") == "[::1]/x");
  CHECK(fleet::project_of_origin("[::1]:x/y.git") == "[::1]/x/y");
}

TEST_CASE("A URL that another machine cannot use names no project") {
  for (const std::string url : {"", "/srv/git/shop.git", "../shop", "file:///srv/git/shop", "./a:b",
                                "https://", "https://host", "host:", "https://host/\x01x"}) {
    CAPTURE(url);
    CHECK_FALSE(fleet::project_of_origin(url).has_value());
  }
  CHECK_FALSE(fleet::project_of_origin("https://host/" + std::string(1001, 'x')).has_value());
}

TEST_CASE("No name holds a password") {
  for (const std::string url :
       {"https://kim:geheim@host/x", "https://geheim@host/x", "ssh://kim:ge@heim@host/x",
        "https://host/x?token=geheim", "https://host/x#geheim"}) {
    const auto name = fleet::project_of_origin(url);
    CAPTURE(url);
    REQUIRE(name.has_value());
    CHECK(name->find("heim") == std::string::npos);
  }
}

TEST_CASE("A name that a person gives never meets one that an origin has") {
  CHECK(fleet::project_of_name(" github.com/acme/shop ") == "name:github.com/acme/shop");
  CHECK_FALSE(fleet::project_of_name("  ").has_value());
  CHECK_FALSE(fleet::project_of_name("a\x1b[31m").has_value());
  CHECK_FALSE(fleet::project_of_name(std::string(1000, 'x')).has_value());
}

TEST_CASE("A machine has another name in each project, and a folder another place on each machine") {
  const std::string one = fleet::machine_of("p", "host", "id\n");
  CHECK(one.size() == 16);
  CHECK(one == fleet::machine_of("p", "host", "id"));
  CHECK(one != fleet::machine_of("q", "host", "id"));
  CHECK(one != fleet::machine_of("p", "host2", "id"));
  const std::string place = fleet::place_of("host", "id", "/a/.checkpoint", 1, 2);
  CHECK(place == fleet::place_of("host", "id", "/a/.checkpoint", 1, 2));
  for (const std::string& other : {fleet::place_of("hos", "tid", "/a/.checkpoint", 1, 2),
                                   fleet::place_of("host", "id", "/b/.checkpoint", 1, 2),
                                   fleet::place_of("host", "id", "/a/.checkpoint", 2, 2),
                                   fleet::place_of("host", "id", "/a/.checkpoint", 1, 3),
                                   fleet::place_of("host", "id2", "/a/.checkpoint", 1, 2)})
    CHECK(place != other);
}

TEST_CASE("A replica's id is 32 hexadecimal digits and nothing else") {
  CHECK(fleet::is_replica_id("8f14e45fceea167a5a36dedd4bea2543"));
  CHECK_FALSE(fleet::is_replica_id("8F14e45fceea167a5a36dedd4bea2543"));
  CHECK_FALSE(fleet::is_replica_id("8f14e45fceea167a5a36dedd4bea254"));
  CHECK_FALSE(fleet::is_replica_id("8f14e45f-eea1-67a5-a36d-dd4bea25436"));
}
