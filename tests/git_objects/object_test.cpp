#include "git_objects/object.hpp"

#include <catch2/catch.hpp>

using namespace plankeep::git;

TEST_CASE("objects have the names that git gives them") {
  CHECK(object_id(ObjectFormat::sha1, ObjectKind::blob, "") == "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391");
  CHECK(object_id(ObjectFormat::sha1, ObjectKind::tree, "") == "4b825dc642cb6eb9a060e54bf8d69288fbee4904");
  CHECK(object_id(ObjectFormat::sha256, ObjectKind::blob, "") ==
        "473a0f4c3be8a93681a267e3b1e9a7dcda1185436fe141f7749120a303721813");
  CHECK(object_id(ObjectFormat::sha256, ObjectKind::tree, "") ==
        "6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321");
}

TEST_CASE("the format of a repository says how long a name is") {
  CHECK(object_format("sha1") == ObjectFormat::sha1);
  CHECK(object_format("sha256") == ObjectFormat::sha256);
  CHECK_FALSE(object_format("sha512"));
  CHECK(no_object(ObjectFormat::sha1) == std::string(40, '0'));
  CHECK(is_object_id(ObjectFormat::sha1, std::string(40, 'a')));
  CHECK_FALSE(is_object_id(ObjectFormat::sha1, std::string(40, 'A')));
  CHECK_FALSE(is_object_id(ObjectFormat::sha1, std::string(64, 'a')));
  CHECK(is_object_id(ObjectFormat::sha256, std::string(64, 'a')));
}
