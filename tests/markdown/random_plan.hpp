#pragma once
// Plans made at random, for laws.

#include <rapidcheck.h>

#include <string>
#include <vector>

namespace plankeep::markdown {

// Lines as found in plans, plain and hostile; joined by a line end of any kind.
inline const std::vector<std::string>& plan_lines() {
  static const std::vector<std::string> kAll{"# Plan",
                                             "## Phase",
                                             "Text",
                                             "",
                                             "",
                                             "- [ ] One",
                                             "- [x] Two",
                                             "  - [ ] Step",
                                             "1. [ ] Three",
                                             "> - [ ] Quoted",
                                             "- [ ] T001 Id",
                                             "- [~] Active <!-- TASK: active -->",
                                             "- [ ] A <!-- TASK: a -->",
                                             "- [x] A <!-- TASK: a -->",
                                             "- [ ] B <!-- TASK: b | after: a -->",
                                             "- [ ] C <!-- ACCEPT: c | verify: x -- y -->",
                                             "<!-- CHECKPOINT: p1 -->",
                                             "<!-- CHECKPOINT: p2 -->",
                                             "<!-- DECISION: d | reason: r -->",
                                             "<!-- BLOCKER: b -->",
                                             "```",
                                             "~~~",
                                             "<!--",
                                             "-->",
                                             "`<!-- TASK: code -->`",
                                             "| a | b |",
                                             "|---|---|",
                                             "    - [ ] code",
                                             "- [w] Odd <!-- TASK: odd -->",
                                             "- [ ]Missing <!-- TASK: missing -->",
                                             "Setext",
                                             "===",
                                             "---",
                                             "<div>",
                                             "</div>",
                                             "\t- [ ] Tab",
                                             "- [ ]",
                                             "- [\xE2\x9C\x93] Check",
                                             "\xE9 bad",
                                             "- [ ] \xE6\x95\xB0\xE6\x8D\xAE <!-- TASK: \xE6\x95\xB0 -->",
                                             "[x]: url",
                                             "* [ ]* Optional",
                                             "- [x](url) link",
                                             "<!-- TASK: below -->",
                                             "  <!-- TASK: below2 -->",
                                             "<!-- TSAK: x -->",
                                             "<!-- SKIP -->",
                                             "- [ ] Left out <!-- SKIP: why -->",
                                             "- Legend <!-- SKIP -->",
                                             "## Template <!-- SKIP -->",
                                             "# Phase 1",
                                             "## Phase 2: B",
                                             "### Phase 3",
                                             "## 1. Part",
                                             "## 2. Part",
                                             "    - [ ] Deep",
                                             "  - [x] Nested <!-- TASK: nested -->",
                                             "  - [ ] Nested <!-- ACCEPT: ok -->",
                                             "- [ ] One <!-- TASK: two -->",
                                             "- [ ] Note[^n]",
                                             "- [ ] Heading\n  ---",
                                             "[^n]: - [ ] In a footnote"};
  return kAll;
}

template <class... Left>
std::string random_plan(const Left&... left_out) {
  std::vector<std::string> pieces = plan_lines();
  for (const std::string& left : std::vector<std::string>{left_out...}) std::erase(pieces, left);
  const auto lines = *rc::gen::container<std::vector<std::string>>(rc::gen::elementOf(pieces));
  const std::string end = *rc::gen::element<std::string>("\n", "\n", "\r\n", "\r");
  std::string text = *rc::gen::element<std::string>("", "", "\xEF\xBB\xBF");
  for (const std::string& line : lines) text += line + end;
  if (*rc::gen::arbitrary<bool>() && !text.empty()) text.pop_back();
  return text;
}

}  // namespace plankeep::markdown
