#include "model/actor.hpp"

#include <catch2/catch.hpp>
#include <string>

using plankeep::core::is_actor;

TEST_CASE("which names are actors") {
  for (const char* name : {"main", "external", "person", "person:Kim", "person:Kim Lee", "person:Jörg",
                           "subagent:coder", "subagent:plugin:name", "team:blue", "team:a-1"}) {
    CAPTURE(name);
    CHECK(is_actor(name));
  }
  const std::string long_name(65, 'x');
  for (const std::string& name :
       {std::string(), std::string("kim"), std::string("Main"), std::string("subagent"), std::string("team"),
        std::string("subagent:"), std::string("team:"), std::string("person:"), std::string("person: Kim"),
        std::string("subagent:two words"), std::string("subagent:\x1b[31mred"), std::string("team:a\nb"),
        std::string("robot:x"), std::string("team:\xFF"), "team:" + long_name}) {
    CAPTURE(name);
    CHECK_FALSE(is_actor(name));
  }
  CHECK(is_actor("team:" + long_name.substr(1)));
}
