#include "remotes/remote_url.hpp"

#include <catch2/catch.hpp>

using namespace plankeep::git;

TEST_CASE("the owner of a repository is read from every spelling of its URL") {
  const RemoteOwner acme{"github.com", "acme"};
  for (const char* url : {"https://github.com/acme/shop.git", "https://GitHub.com/acme/shop/",
                          "https://kim:pw@github.com/acme/shop", "ssh://git@github.com:22/acme/shop.git",
                          "git@github.com:acme/shop.git", "github.com:acme/shop"})
    CHECK(owner_of_url(url) == acme);
  CHECK(owner_of_url("https://gitlab.com/group/sub/shop.git") == RemoteOwner{"gitlab.com", "group/sub"});
  CHECK(owner_of_url("https://[::1]:8080/acme/shop") == RemoteOwner{"[::1]", "acme"});
  CHECK(owner_of_url("/srv/git/shop.git") == RemoteOwner{"", "/srv/git"});
  CHECK(owner_of_url("file:///srv/git/shop.git") == RemoteOwner{"", "/srv/git"});
  CHECK(owner_of_url("../a:b/shop") == RemoteOwner{"", "../a:b"});
  CHECK_FALSE(owner_of_url("https://github.com/evil/shop") == acme);
  CHECK(owner_of_url("https://evil.example?@github.com/acme/shop").host == "evil.example");
  CHECK(owner_of_url("https://evil.example#@github.com/acme/shop").host == "evil.example");
  CHECK_FALSE(owner_of_url("https://github.com.evil.example/acme/shop") == acme);
}

TEST_CASE("a URL is shown without user name and password") {
  CHECK(without_credentials("https://kim:pw@host/x") == "https://host/x");
  CHECK(without_credentials("unable to access 'https://tok3n@host/x/': no") ==
        "unable to access 'https://host/x/': no");
  CHECK(without_credentials("https://kim:p/w@host/x") == "https://host/x");
  CHECK(without_credentials("unable to access 'https://kim:p'w@host/x/': no") ==
        "unable to access 'https://host/x/': no");
  CHECK(without_credentials("https://kim:p@w@host/x and ftp://a:b@c/") == "https://host/x and ftp://c/");
  CHECK(without_credentials("https://host/@scope/x") == "https://host/@scope/x");
  CHECK(without_credentials("git@host:x") == "git@host:x");
  CHECK(without_credentials("no URL, a@b") == "no URL, a@b");
}
