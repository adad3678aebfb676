#include "secrets/secret_files.hpp"

#include <catch2/catch.hpp>
#include <string>

using namespace plankeep::secrets;

TEST_CASE("names of files that hold secrets") {
  for (const char* path :
       {".env", "web/.env.local", ".ENV", "deploy/prod.env", ".env.production", "server.key",
        "tls/Server.PEM", "id_rsa", "home/.ssh/id_ed25519", ".netrc", ".git-credentials", ".aws/credentials",
        "x/.kube/config", "release.p12", "passwords.kdbx", ".pypirc"}) {
    CAPTURE(path);
    CHECK(is_secret_file(path));
  }
  for (const char* path : {"",
                           "/",
                           ".env.example",
                           ".env.sample",
                           ".env.template",
                           "example.env",
                           ".env.test",
                           "env",
                           "environment.ts",
                           "id_rsa.pub",
                           "keys.md",
                           "keyboard.c",
                           "credentials",
                           "my.aws/credentials.md",
                           "aws/credentials",
                           "x.aws/credentials",
                           "src/config",
                           ".npmrc",
                           "plan.md",
                           "pem",
                           "tokenizer.py"}) {
    CAPTURE(path);
    CHECK_FALSE(is_secret_file(path));
  }
}

TEST_CASE("beginnings of private keys") {
  const std::string dashes = "-----";
  CHECK(begins_like_a_key(dashes + "BEGIN OPENSSH PRIVATE KEY" + dashes + "\nb3Bl"));
  CHECK(begins_like_a_key("\n" + dashes + "BEGIN PRIVATE KEY" + dashes));
  CHECK(begins_like_a_key(dashes + "BEGIN PGP PRIVATE KEY BLOCK" + dashes + "\n"));
  CHECK(begins_like_a_key("PuTTY-User-Key-File-3: ssh-ed25519"));
  CHECK_FALSE(begins_like_a_key(dashes + "BEGIN CERTIFICATE" + dashes + "\nPRIVATE KEY"));
  CHECK_FALSE(begins_like_a_key("how to make a PRIVATE KEY"));
  CHECK_FALSE(begins_like_a_key(""));
}
