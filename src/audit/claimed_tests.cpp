#include "audit/claimed_tests.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "audit/words/claimed_tests_words.hpp"
#include "base/text.hpp"

namespace plankeep::core {
namespace {

constexpr std::size_t kPassReach = 7;  // words from "tests" to "pass"

/// "47/47", "12/12"
bool whole_share(std::string_view text) {
  const std::size_t slash = text.find('/');
  return slash != std::string_view::npos && slash > 0 && text.substr(0, slash) == text.substr(slash + 1) &&
         text.find_first_not_of("0123456789/") == std::string_view::npos && text[0] != '0';
}

bool part_share(std::string_view text) {
  return text.find('/') != std::string_view::npos && !whole_share(text) &&
         text.find_first_not_of("0123456789/") == std::string_view::npos;
}

std::string_view word_at(const std::vector<PlainWord>& words, std::size_t at) {
  return at < words.size() && words[at].kind == PlainWord::Kind::word ? std::string_view(words[at].text)
                                                                      : std::string_view();
}

TestsClaim unspaced_claim(std::string_view text) {
  if (contains_any(text,
                   {"ません",   "たら",     "れば", "ように",   "未",   "没",      "不",   "如果", "确保",
                    "将",       "需要",     "应",   "않",       "못",   "하면",    "되면", "도록", "해야",
                    "一部",     "部分",     "일부", "目標",     "目的", "条件",    "目标", "标准", "要求",
                    "据说",     "用户说",   "他说", "목표",     "목적", "조건",    "기준", "말했", "말에",
                    "によると", "そうです", "必要", "確認して", "检查", "验证是否"}))
    return TestsClaim::none;
  const bool pass = contains_any(text, {"パスしま", "通りました", "成功しま", "通過しま", "通っています",
                                        "パスしています", "通过", "通過了", "통과했", "통과합", "통과하였"});
  if (!contains_any(text, {"テスト", "测试", "測試", "테스트"}) || !pass) return TestsClaim::none;
  return contains_any(text, {"すべて", "全て", "全テスト", "全件", "所有", "全部", "均", "모든", "모두",
                             "전체", "전부"})
             ? TestsClaim::all
             : TestsClaim::some;
}

/// "Check that all tests pass", but "I can confirm that they pass" and "all type checks and tests pass".
bool asks_to_check(const std::vector<PlainWord>& words, std::size_t at) {
  using namespace tests_word;
  const std::string_view word = words[at].text, next = word_at(words, at + 1);
  const std::string_view before = at > 0 ? word_at(words, at - 1) : std::string_view();
  if (before == "i" || before == "we" || before == "can") return false;
  return is(word, kCheck) && (is(word, kGoal) || is(next, kAll) || is(next, kThat));
}

/// Whether the words before "tests" make the sentence a goal or a quotation: "should", "CI reports".
bool not_said_as_fact(const std::vector<PlainWord>& words, std::size_t tests) {
  using namespace tests_word;
  bool goal = false;
  for (std::size_t i = 0; i < tests; ++i) {
    if (words[i].kind != PlainWord::Kind::word) continue;
    const std::string_view word = words[i].text;
    if (asks_to_check(words, i)) return true;
    if (is(word, kSays)) {
      // "`npm test` reports that ..."
      const bool tool =
          i > 0 && (words[i - 1].kind == PlainWord::Kind::code || is(words[i - 1].text, kRunner));
      if (!tool) return true;
    }
    if (is(word, kMet)) goal = false;
    goal = goal || (is(word, kGoal) && !is(word, kCheck));
  }
  return goal;
}

/// "The tests pass the object to the limiter", "tests that pass"
bool other_sense(const std::vector<PlainWord>& words, std::size_t tests, std::size_t pass) {
  using namespace tests_word;
  for (std::size_t i = tests + 1; i < pass; ++i)
    if (is(word_at(words, i), kThat) || word_at(words, i) == "to") return true;
  if (pass + 1 >= words.size() || words[pass + 1].kind == PlainWord::Kind::mark) return false;
  const std::string_view next = words[pass + 1].text, then = word_at(words, pass + 2);
  if (words[pass + 1].kind != PlainWord::Kind::word) return words[pass].text.starts_with("pass");
  if (is_unspaced(next)) return false;
  if (!words[pass].text.starts_with("pass") || words[pass].text.starts_with("passa") ||
      words[pass].text.starts_with("passe"))
    return is(next, kArticle) && words[pass].text.starts_with("pas");
  if (next == "in") return is(then, kArticle);
  if (next == "as") return !is(then, kAs);
  return !is(next, kBehindPass) && next.find_first_of("0123456789") == std::string_view::npos;
}

/// "Alle Tests laufen durch"; not "laufen durch die Pipeline".
bool runs_through(const std::vector<PlainWord>& words, std::size_t tests, std::size_t at) {
  if (words[at].text != "durch" || (at + 1 < words.size() && words[at + 1].kind != PlainWord::Kind::mark))
    return false;
  for (std::size_t i = tests + 1; i < at; ++i)
    if (base::one_of(words[i].text, {"laufen", "liefen", "gehen", "gingen", "sind"})) return true;
  return false;
}

/// Whether the word reports a failure: "failed" does in "2 failed", not in "0 failed".
bool fails(const std::vector<PlainWord>& words, std::size_t at) {
  const std::string_view word = words[at].text, before = at > 0 ? std::string_view(words[at - 1].text) : "";
  const bool failure = word.starts_with("fail") || word == "broken" || word.starts_with("fehl") ||
                       word.starts_with("échou") || word.starts_with("fall");
  return failure && before != "0" && before != "no" && before != "zero" && before != "keine" &&
         before != "without";
}

TestsClaim claim_of(const PlainSentence& sentence) {
  using namespace tests_word;
  if (sentence.question || sentence.open) return TestsClaim::none;
  const std::vector<PlainWord>& words = sentence.words;
  std::size_t noun = words.size();
  bool found = false, all = false;
  std::string unspaced;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const PlainWord& word = words[i];
    const Class classes = word.kind == PlainWord::Kind::word ? classes_of(word.text) : 0;
    if ((classes & kOpen) != 0) return TestsClaim::none;
    if (word.quoted) continue;
    if (word.kind == PlainWord::Kind::word && is_unspaced(word.text)) unspaced += word.text;
    const bool code_test =
        word.kind == PlainWord::Kind::code && contains_any(word.text, {"test", "jest", "rspec"});
    if (code_test || (classes & kTests) != 0) noun = i;
    if (word.kind != PlainWord::Kind::word) continue;
    const bool confirms = word.text == "can" && word_at(words, i + 1) == "confirm";
    if (((classes & kStop) != 0 && !confirms) || part_share(word.text) || fails(words, i))
      return TestsClaim::none;
    all = all || (classes & kAll) != 0 || whole_share(word.text);
    if (noun >= i || i - noun > kPassReach) continue;
    if ((classes & kPass) == 0 && !runs_through(words, noun, i)) continue;
    if (not_said_as_fact(words, noun)) return TestsClaim::none;
    found = found || !other_sense(words, noun, i);
  }
  if (found) return all ? TestsClaim::all : TestsClaim::some;
  return unspaced_claim(unspaced);
}

/// Whether the list below this heading is not done yet: "Acceptance criteria", "Next steps".
bool heads_goals(const PlainSentence& sentence) {
  return std::any_of(sentence.words.begin(), sentence.words.end(), [](const PlainWord& word) {
    return word.kind == PlainWord::Kind::word && tests_word::is(word.text, tests_word::kGoal);
  });
}

}  // namespace

TestsClaim tests_claimed_by(const std::vector<PlainSentence>& sentences) {
  TestsClaim most = TestsClaim::none;
  bool goals = false;
  for (const PlainSentence& sentence : sentences) {
    if (sentence.unit == MessageUnit::Kind::heading || sentence.label) {
      goals = heads_goals(sentence);
    } else if (sentence.unit == MessageUnit::Kind::text) {
      goals = false;
    }
    if (!goals) most = std::max(most, claim_of(sentence));
    if (most == TestsClaim::all) break;
  }
  return most;
}

}  // namespace plankeep::core
