#include "clients/transcripts/test_summary.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstdint>
#include <optional>
#include <string>
#include <unordered_set>
#include <vector>

#include "base/utf8.hpp"

namespace plankeep::clients {
namespace {

using End = TestSummary::End;
using Words = std::unordered_set<std::string_view>;

constexpr std::size_t kLongestSummary = 256;  // bytes of a line

const Words& test_nouns() {
  static const Words words = {"test",     "tests",     "testcase",  "testcases",  "suite",
                              "suites",   "spec",      "specs",     "example",    "examples",
                              "scenario", "scenarios", "assertion", "assertions", "expectation",
                              "feature",  "features",  "subtest",   "subtests",   "runs"};
  return words;
}

/// What a number counts as well, in test summaries and elsewhere.
const Words& part_words() {
  static const Words words = {"file", "files", "case", "cases", "step", "steps", "program", "programs"};
  return words;
}

const Words& good_words() {
  static const Words words = {"passed",  "passing",   "pass",      "passes",    "ok",
                              "success", "successes", "succeeded", "successful"};
  return words;
}

const Words& bad_words() {
  static const Words words = {"failed",   "failing", "fail",   "fails",     "failure",
                              "failures", "error",   "errors", "cancelled", "timeout"};
  return words;
}

/// What else stands in a summary.
const Words& filler_words() {
  static const Words words = {"result",     "results",
                              "summary",    "total",
                              "in",         "out",
                              "of",         "with",
                              "and",        "took",
                              "time",       "all",
                              "some",       "no",
                              "finished",   "completed",
                              "executed",   "listed",
                              "below",      "unexpected",
                              "s",          "ms",
                              "sec",        "secs",
                              "seconds",    "second",
                              "minutes",    "minute",
                              "min",        "m",
                              "todo",       "pending",
                              "pendings",   "skipped",
                              "skip",       "skips",
                              "ignored",    "measured",
                              "filtered",   "deselected",
                              "xfailed",    "xpassed",
                              "warning",    "warnings",
                              "flaky",      "disabled",
                              "incomplete", "risky",
                              "omissions",  "notifications",
                              "excluded",   "interrupted",
                              "did",        "not",
                              "run",        "ran",
                              "rerun",      "reruns",
                              "retried",    "as",
                              "expected",   "occurred",
                              "outside",    "undefined",
                              "notrun",     "inconclusive",
                              "at",         "the",
                              "unit",       "elapsed",
                              "containing", "doctest"};
  return words;
}

struct Token {
  enum class Kind { word, number, share, other, mark } kind = Kind::word;
  std::string_view text;
  std::uint64_t value = 0;  // of a number, and of "4/5" the first
  bool whole = true;        // "5/5"
};

std::optional<std::uint64_t> number_of(std::string_view digits) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (error != std::errc{} || end != digits.data() + digits.size()) return std::nullopt;
  return value;
}

Token number_token(std::string_view text) {
  if (const auto value = number_of(text)) return {Token::Kind::number, text, *value};
  const std::size_t slash = text.find('/');
  if (slash != std::string_view::npos) {
    const auto part = number_of(text.substr(0, slash)), all = number_of(text.substr(slash + 1));
    if (part && all) return {Token::Kind::share, text, *part, *part == *all};
  }
  return {Token::Kind::other, text};  // "0.10s", "95%"
}

/// Of a line in lower case. Brackets and what is no ASCII part words and nothing else.
std::vector<Token> tokens_of(std::string_view line) {
  std::vector<Token> tokens;
  for (std::size_t at = 0; at < line.size();) {
    const auto in_word = [&](std::size_t i, std::string_view more) {
      return i < line.size() && (std::isalnum(static_cast<unsigned char>(line[i])) != 0 ||
                                 more.find(line[i]) != std::string_view::npos);
    };
    const std::size_t start = at;
    if (std::isdigit(static_cast<unsigned char>(line[at])) != 0) {
      while (in_word(at, ".%/:")) ++at;
      std::string_view text = line.substr(start, at - start);
      while (!in_word(text.size() - 1 + start, "%")) text.remove_suffix(1);  // "5." at the end of a sentence
      at = start + text.size();
      tokens.push_back(number_token(text));
    } else if (in_word(at, "_")) {
      while (in_word(at, "_'")) ++at;
      tokens.push_back({Token::Kind::word, line.substr(start, at - start)});
    } else {
      if (std::string_view(",;|/():=.").find(line[at]) != std::string_view::npos)
        tokens.push_back({Token::Kind::mark, line.substr(at, 1)});
      ++at;
    }
  }
  return tokens;
}

/// Without colours and what else a terminal is told.
std::string without_escapes(std::string_view line) {
  std::string plain;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '\x1b') {
      while (i + 1 < line.size() && std::isalpha(static_cast<unsigned char>(line[i])) == 0) ++i;
    } else if (line[i] != '\r') {
      plain += line[i];
    }
  }
  return plain;
}

/// What one line says.
struct Line {
  End end = End::unknown;
  bool sure = false;
  bool counts_tests = false;  // "Ran 5 tests", "# tests 4"
  bool goes_on = false;       // a failure that a "4 passed" behind it does not take back
};

class LineReader {
 public:
  explicit LineReader(std::string_view raw) : raw_(raw) {}

  Line read() {
    const std::size_t first = raw_.find_first_not_of(" \t");
    if (first == std::string_view::npos) return {};
    raw_.remove_prefix(first);
    while (raw_.ends_with(' ')) raw_.remove_suffix(1);
    lower_ = base::to_lower(raw_);
    if (const auto fixed = fixed_line()) return *fixed;
    return counted(strip());
  }

 private:
  bool starts(std::string_view with) const { return lower_.starts_with(with); }
  bool says(std::string_view part) const { return lower_.find(part) != std::string::npos; }

  /// Lines that are known as they are.
  std::optional<Line> fixed_line() const {
    const Line failed{End::failed, true}, passed{End::passed, true};
    if (starts("test result: failed") || starts("--- fail: ") || starts("error: test failed, ") ||
        starts("the following tests failed") || lower_ == "errors while running ctest" ||
        lower_ == "test run failed." || says("some tests failed") || says("test failed. see above") ||
        (says("npm err") && says("test failed")))
      return failed;
    if (starts("--- pass: ") || (raw_.starts_with("OK (") && says(" test")) || starts("ok, but incomplete") ||
        raw_ == "Result: PASS" || lower_ == "test run successful." || says("all tests passed!"))
      return passed;
    // go: "FAIL", "FAIL  x/y  0.1s", "ok  x/y  0.1s"; jest: "FAIL src/a.test.js"; pytest: "FAILED a.py::b"
    if (raw_ == "FAIL" || raw_ == "Result: FAIL") return Line{End::failed};
    if (raw_.starts_with("FAILED (") && says("=")) return Line{End::failed};  // unittest
    if (raw_ == "PASS") return Line{End::passed};
    if (of_package("FAIL") || (raw_.starts_with("FAILED ") && says("::"))) return failed;
    if (of_package("PASS") ||
        ((raw_.starts_with("ok  ") || raw_.starts_with("ok\t")) && (raw_.ends_with("s") || says("(cached)"))))
      return passed;
    if (raw_ == "FAILURES!" || raw_ == "ERRORS!") return failed;
    // Of one test, within another one.
    if (starts("not ok ") || (starts("ok ") && lower_.size() > 3 && lower_[3] >= '0' && lower_[3] <= '9'))
      return Line{};
    // make: the target that failed is named after tests
    if (starts("make") && says("***") && says("error") && says("test")) return Line{End::failed};
    if (starts("error: ") && (lower_.ends_with("target failed:") || lower_.ends_with("targets failed:")))
      return Line{End::failed};
    return std::nullopt;
  }

  bool of_package(std::string_view word) const {
    if (!raw_.starts_with(word) || raw_.size() < word.size() + 2) return false;
    if (raw_[word.size()] == '\t') return true;
    const std::string_view path = raw_.substr(word.size() + 1);
    return raw_[word.size()] == ' ' &&
           path.substr(0, std::min(path.find(' '), path.size())).find_first_of("/.") !=
               std::string_view::npos;
  }

  /// Without the level of a log line or the name of a package before it, and without names behind it.
  std::string_view strip() const {
    std::string_view text = lower_;
    while (text.starts_with('=')) text.remove_prefix(1);
    while (text.ends_with('=') || text.ends_with(' ')) text.remove_suffix(1);
    for (const std::string_view level : {"[info] ", "[error] ", "[warning] ", "[warn] "})
      if (text.starts_with(level)) text.remove_prefix(level.size());
    for (const std::string_view behind : {", time elapsed", "<<<", ", duration:", " duration:"})
      text = text.substr(0, std::min(text.find(behind), text.size()));
    const std::string_view head = text.substr(0, std::min(text.find(' '), text.size()));
    if (head.size() > 1 && head.size() < text.size() && head.ends_with(':') &&
        !known_head(head))  // "web:test:"
      text.remove_prefix(head.size());
    return text;
  }

  static bool known_head(std::string_view head) {
    const auto tokens = tokens_of(head);
    return tokens.size() == 2 && tokens[0].kind == Token::Kind::word && known(tokens[0].text);
  }

  static bool known(std::string_view word) {
    return test_nouns().contains(word) || part_words().contains(word) || good_words().contains(word) ||
           bad_words().contains(word) || filler_words().contains(word);
  }

  /// "1 failed", "1 tests failed", "failed: 1", "failed 1"
  static const Token* count_of(const std::vector<Token>& tokens, std::size_t word) {
    const auto is_count = [](const Token& token) {
      return token.kind == Token::Kind::number || token.kind == Token::Kind::share;
    };
    if (word + 2 < tokens.size() && (tokens[word + 1].text == ":" || tokens[word + 1].text == "=") &&
        is_count(tokens[word + 2]))
      return &tokens[word + 2];
    for (std::size_t i = word; i > 0; --i) {
      const Token& before = tokens[i - 1];
      if (is_count(before)) return &before;
      if (before.kind != Token::Kind::word ||
          (!test_nouns().contains(before.text) && !part_words().contains(before.text)))
        break;
    }
    if (word + 1 < tokens.size() && is_count(tokens[word + 1])) return &tokens[word + 1];
    return nullptr;
  }

  Line counted(std::string_view text) const {
    const std::vector<Token> tokens = tokens_of(text);
    bool noun = false, all = false, ran = false, good = false, bad = false, none_bad = false, passed = false;
    bool uncounted_good = false, uncounted_bad = false, errors = false, number = false;
    std::size_t words = 0;
    for (std::size_t i = 0; i < tokens.size(); ++i) {
      const Token& token = tokens[i];
      number = number || (token.kind == Token::Kind::number && token.value > 0);
      if (token.kind != Token::Kind::word) continue;
      if (!known(token.text)) return {};
      ++words;
      noun = noun || test_nouns().contains(token.text);
      all = all || token.text == "all";
      ran = ran || token.text == "ran" || token.text == "total";
      const bool is_good = good_words().contains(token.text), is_bad = bad_words().contains(token.text);
      if (!is_good && !is_bad) continue;
      // "1 failed as expected", "Expected Fail: 2", "Unexpected Pass: 0"
      const bool behind = i + 2 < tokens.size() && tokens[i + 2].text == "expected";
      const bool before = i > 0 && tokens[i - 1].text.ends_with("expected");
      if (behind || before) continue;
      const Token* count = count_of(tokens, i);
      if (count == nullptr) {
        (is_good ? uncounted_good : uncounted_bad) = true;
      } else if (is_good) {
        const bool some = count->value > 0 && count->whole;
        good = good || some;
        passed = passed || (some && (token.text == "passed" || token.text == "passing"));
      } else if (token.text.starts_with("error") || token.text == "cancelled" || token.text == "timeout") {
        errors = errors || count->value > 0;
      } else {
        (count->value > 0 ? bad : none_bad) = true;
      }
    }
    // Errors alone are a compiler's; pytest says how long they took: "1 error in 0.12s".
    const bool timed = tokens.size() > 3 && tokens[tokens.size() - 2].text == "in" &&
                       tokens.back().kind == Token::Kind::other;
    bad = bad || (errors && (noun || good || none_bad || timed));
    const bool capitals = std::none_of(
        raw_.begin(), raw_.end(), [](char c) { return std::islower(static_cast<unsigned char>(c)) != 0; });
    Line line;
    line.counts_tests = noun && number && (ran || words == 1);
    if (bad) {
      line = {End::failed, noun || good, line.counts_tests, false};
      line.goes_on = (words == 1 && tokens.size() == 2) || starts("test suites") || starts("test files");
    } else if (uncounted_bad && !good && (all || capitals) && (noun || all)) {
      line = {End::failed, noun, line.counts_tests, false};
    } else if (good || none_bad) {
      line = {End::passed, passed || (noun && none_bad), line.counts_tests, false};
    } else if (uncounted_good && !errors && (all || capitals) && (noun || all)) {
      line = {End::passed, noun, line.counts_tests, false};
    }
    return line;
  }

  std::string_view raw_;
  std::string lower_;
};

/// The lines of an output, one after the other.
class Summaries {
 public:
  void add(std::string_view text) {
    const std::string line = without_escapes(text);
    if (line.empty()) return;
    if (read_tap(line)) return;
    LineReader reader(line);
    const Line said = reader.read();
    counts_tests_ = counts_tests_ || said.counts_tests;
    // unittest: "Ran 5 tests in 0.001s", and below it "OK" or "FAILED (failures=1)"
    if (said.counts_tests && said.end == End::unknown) ran_ = true;
    if (ran_ && (line == "OK" || line.starts_with("OK ("))) return end(End::passed, true);
    if (said.end == End::unknown) {
      if (line.find("BUILD FAIL") != std::string::npos && !seen_) return end(End::failed, false);
      // Below playwright's "1 failed" stand their names, set in, and then "4 passed".
      goes_on_ = goes_on_ && (line[0] == ' ' || line[0] == '\t');
      return;
    }
    if (goes_on_ && said.end == End::passed) {
      goes_on_ = false;
      return end(End::failed, said.sure);
    }
    goes_on_ = said.goes_on;
    end(said.end, said.sure);
  }

  TestSummary take() const { return {summary_.end, summary_.sure || (counts_tests_ && seen_)}; }

 private:
  void end(End end, bool sure) {
    summary_.end = end;
    summary_.sure = summary_.sure || sure;
    seen_ = true;
    ran_ = false;
  }

  /// "ok 1 adds", "not ok 2 - takes away": each is one test, so that one that passed takes back nothing.
  bool read_tap(std::string_view line) {
    const bool failed = line.starts_with("not ok ");
    if (!failed && !line.starts_with("ok ")) return false;
    line.remove_prefix(failed ? 7 : 3);
    const std::size_t digits = std::min(line.find_first_not_of("0123456789"), line.size());
    const auto number = number_of(line.substr(0, digits));
    if (!number || (digits < line.size() && line[digits] != ' ')) return false;
    const bool excused =
        line.find("# TODO") != std::string_view::npos || line.find("# todo") != std::string_view::npos;
    if (*number <= tap_) tap_failed_ = false;  // another run
    tap_ = *number;
    tap_failed_ = tap_failed_ || (failed && !excused);
    end(tap_failed_ ? End::failed : End::passed, true);
    return true;
  }

  TestSummary summary_;
  bool seen_ = false;
  bool counts_tests_ = false;
  bool ran_ = false;      // its result comes in a later line
  bool goes_on_ = false;  // as of Line
  std::uint64_t tap_ = 0;
  bool tap_failed_ = false;
};

}  // namespace

TestSummary last_test_summary(std::string_view output) {
  if (output.size() > kTestSummaryTail) output.remove_prefix(output.size() - kTestSummaryTail);
  Summaries summaries;
  while (!output.empty()) {
    const std::size_t feed = std::min(output.find('\n'), output.size());
    if (feed <= kLongestSummary) summaries.add(output.substr(0, feed));
    output.remove_prefix(std::min(feed + 1, output.size()));
  }
  return summaries.take();
}

}  // namespace plankeep::clients
