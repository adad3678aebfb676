#include "model/hook_event.hpp"

#include <rapidcheck.h>

#include <catch2/catch.hpp>
#include <set>

#include "base/utf8.hpp"
#include "support/hostile_text.hpp"

using namespace plankeep;
using core::actor_of;
using core::HookEvent;
using core::HookKind;
using core::real_prompt;

namespace {

HookEvent subagent(const std::string& type) {
  HookEvent event;
  event.agent_id = "a1";
  event.agent_type = type;
  return event;
}

HookEvent prompt(const std::string& text) {
  HookEvent event;
  event.kind = HookKind::prompt_submitted;
  event.prompt = text;
  return event;
}

}  // namespace

TEST_CASE("who acts is the main thread, a subagent by its type, a teammate by name, or nobody we know") {
  CHECK(actor_of({}) == "main");
  CHECK(actor_of(subagent("general-purpose")) == "subagent:general-purpose");
  CHECK(actor_of(subagent("plugin:reviewer")) == "subagent:plugin:reviewer");
  CHECK(actor_of(subagent("")) == "subagent:unknown");
  HookEvent event = subagent("tester");
  event.team = "bob";
  CHECK(actor_of(event) == "team:bob");
  event.outside = true;
  CHECK(actor_of(event) == "external");
}

TEST_CASE("a type without an agent is not the actor") {
  HookEvent event;
  event.agent_type = "reviewer";
  CHECK(actor_of(event) == "main");
}

TEST_CASE("a subagent's type becomes one printable word of at most 64 characters") {
  CHECK(actor_of(subagent("code review")) == "subagent:code-review");
  CHECK(actor_of(subagent("a\tb\nc\xe3\x80\x80"
                          "d")) == "subagent:a-b-c-d");
  CHECK(actor_of(subagent("\x1b\x07")) == "subagent:unknown");
  CHECK(actor_of(subagent("测试")) == "subagent:测试");
  CHECK(actor_of(subagent(std::string(100, 'x'))) == "subagent:" + std::string(64, 'x'));
  std::string wide;
  for (int i = 0; i < 100; ++i) wide += "计";
  CHECK(actor_of(subagent(wide)).size() == std::string("subagent:").size() + 64 * 3);
  CHECK(rc::check("hostile types", [] {
    const std::string actor =
        actor_of(subagent(*rc::gen::arbitrary<bool>() ? test::hostile_text() : test::hostile_bytes()));
    RC_ASSERT(actor == base::printable(actor));
    RC_ASSERT(actor.size() > std::string("subagent:").size());
    for (std::size_t at = 0; at < actor.size();) {
      const base::CodePoint character = base::decode_at(actor, at);
      RC_ASSERT(character.valid);
      RC_ASSERT(!base::is_space(character.value));
      at += character.length;
    }
  }));
}

TEST_CASE("a person's prompt has more than white space in it and reports nothing") {
  CHECK(real_prompt(prompt("go on")));
  CHECK(real_prompt(prompt(" \n x")));
  CHECK(real_prompt(prompt("\xff")));
  CHECK_FALSE(real_prompt(prompt("")));
  CHECK_FALSE(real_prompt(prompt(" \t\r\n\xc2\xa0\xe3\x80\x80")));
  HookEvent event = prompt("text");
  event.notified.push_back({"a1", "completed"});
  CHECK_FALSE(real_prompt(event));
}

TEST_CASE("every kind of event has a name of its own") {
  std::set<std::string_view> names;
  int kinds = 0;
  for (int kind = 0; kind <= static_cast<int>(HookKind::session_ended); ++kind, ++kinds)
    names.insert(core::name_of(static_cast<HookKind>(kind)));
  CHECK(names.size() == static_cast<std::size_t>(kinds));
  CHECK(names.contains("tools_settled"));
}

TEST_CASE("an answer is silent only when all of it is empty") {
  CHECK(core::HookAnswer{}.silent());
  CHECK_FALSE((core::HookAnswer{.context = "c", .block = {}, .notice = {}}).silent());
  CHECK_FALSE((core::HookAnswer{.context = {}, .block = "b", .notice = {}}).silent());
  CHECK_FALSE((core::HookAnswer{.context = {}, .block = {}, .notice = "n"}).silent());
}
