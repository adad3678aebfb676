#include "secrets/finder.hpp"

#include <re2/re2.h>

#include <algorithm>
#include <atomic>
#include <deque>

#include "base/sha256.hpp"
#include "secrets/characters.hpp"
#include "secrets/keywords.hpp"
#include "secrets/matches.hpp"
#include "secrets/random_text.hpp"
#include "secrets/uncoloured.hpp"

namespace plankeep::secrets {
namespace {

using base::ErrorKind;
using base::Result;

constexpr std::int64_t kPatternMemory = std::int64_t{8} << 20;  // for RE2, a rule
constexpr std::size_t kLongLine = std::size_t{16} << 10;
constexpr std::size_t kBefore = 1024;  // bytes of a long line in front of a keyword
constexpr std::size_t kAhead = std::size_t{8} << 10;
// A new detection method changes what is found with the same rules.
constexpr std::string_view kMethod = "3";

constexpr std::string_view kPrivateKey = "private-key";
constexpr std::string_view kRandomText = "random-text";

std::unique_ptr<RE2> compile(const Rule& rule) {
  RE2::Options options;
  options.set_log_errors(false);
  options.set_max_mem(kPatternMemory);
  // Bytes: what is searched need not be UTF-8.
  options.set_encoding(RE2::Options::EncodingLatin1);
  return std::make_unique<RE2>(re2::StringPiece(rule.pattern.data(), rule.pattern.size()), options);
}

// A pattern that is compiled when it is first needed. If two threads compile it, the first result is kept.
class LatePattern {
 public:
  LatePattern() = default;
  LatePattern(const LatePattern&) = delete;
  LatePattern& operator=(const LatePattern&) = delete;
  ~LatePattern() { delete pattern_.load(); }

  const RE2& get(const Rule& rule) const {
    if (const RE2* const made = pattern_.load(std::memory_order_acquire)) return *made;
    auto fresh = compile(rule);
    const RE2* there = nullptr;
    if (pattern_.compare_exchange_strong(there, fresh.get())) return *fresh.release();
    return *there;
  }

 private:
  mutable std::atomic<const RE2*> pattern_ = nullptr;
};

std::vector<std::string_view> words_of(std::string_view keywords) {
  std::vector<std::string_view> words;
  while (!keywords.empty()) {
    const std::size_t end = std::min(keywords.find('|'), keywords.size());
    words.push_back(keywords.substr(0, end));
    keywords.remove_prefix(std::min(end + 1, keywords.size()));
  }
  return words;
}

std::vector<Region> merged(std::vector<Region> found) {
  std::sort(found.begin(), found.end(), [](const Region& a, const Region& b) {
    return a.begin != b.begin ? a.begin < b.begin : a.rule < b.rule;
  });
  std::vector<Region> regions;
  for (const Region& region : found) {
    if (!regions.empty() && region.begin <= regions.back().end) {
      regions.back().end = std::max(regions.back().end, region.end);
      regions.back().rule = std::min(regions.back().rule, region.rule);
    } else {
      regions.push_back(region);
    }
  }
  return regions;
}

}  // namespace

struct SecretFinder::Compiled {
  std::vector<CustomRule> custom;  // owns the texts that `rules` refers to
  std::vector<Rule> rules;
  std::deque<LatePattern> patterns;
  Keywords keywords;
  std::vector<std::size_t> always;  // rules without a keyword
  std::size_t key_rule = 0;
  std::size_t random_rule = 0;
  std::size_t login_rule = 0;

  bool wants(std::size_t rule, const RuleKind* only) const {
    return only == nullptr || rules[rule].kind == *only;
  }

  // Adds what the rule finds in text[begin, end). The line begins at `line`, or far before it if it is long.
  // True: a match reaches the end, so it may continue beyond it.
  bool look(std::string_view text, std::size_t line, std::size_t begin, std::size_t end, std::size_t index,
            std::vector<Region>& found) const {
    constexpr int kMostGroups = 16;
    const Rule& rule = rules[index];
    const RE2& pattern = patterns[index].get(rule);
    const int groups =
        rule.group >= 0 ? rule.group + 1 : std::min(pattern.NumberOfCapturingGroups() + 1, kMostGroups);
    std::array<re2::StringPiece, kMostGroups> group{};
    const re2::StringPiece whole(text.data() + line, end - line);
    const auto place = [&](std::size_t i) {
      const std::size_t from = static_cast<std::size_t>(group[i].data() - text.data());
      return Span{from, from + group[i].size()};
    };
    bool touches = false;
    for (std::size_t at = begin;
         at < end && pattern.Match(whole, at - line, end - line, RE2::UNANCHORED, group.data(), groups);) {
      const std::size_t secret = secret_group(rule, group.data(), static_cast<std::size_t>(groups));
      const Span match = place(0);
      if (!group[secret].empty() && counts(rule, text, match, place(secret)))
        found.push_back({place(secret).begin, place(secret).end, index});
      touches = touches || match.end == end;
      at = std::max(match.end, at + 1);
    }
    return touches;
  }

  static std::size_t secret_group(const Rule& rule, const re2::StringPiece* group, std::size_t count) {
    if (rule.group >= 0) return static_cast<std::size_t>(rule.group);
    for (std::size_t i = 1; i < count; ++i) {
      if (!group[i].empty()) return i;
    }
    return 0;
  }

  // Searches the line of a keyword, or the surroundings of the keyword in a long line. Returns how far this
  // rule has searched.
  std::size_t look_around(std::string_view text, std::size_t hit, std::size_t index,
                          std::vector<Region>& found) const {
    const std::size_t least = hit > kLongLine ? hit - kLongLine : 0;
    const std::size_t feed = text.substr(least, hit - least).rfind('\n');
    std::size_t line = feed == std::string_view::npos ? least : least + feed + 1;
    std::size_t begin = line;
    if (line == least && least > 0) {
      begin = hit - kBefore;
      line = begin - 1;  // the byte before `begin` tells whether a word begins there
    }
    const std::size_t line_end = text.substr(hit, kLongLine).find('\n');
    if (line_end != std::string_view::npos || text.size() - hit <= kLongLine) {
      const std::size_t end = line_end == std::string_view::npos ? text.size() : hit + line_end;
      look(text, line, begin, end, index, found);
      return end;
    }
    for (std::size_t ahead = kAhead;; ahead *= 4) {
      const std::size_t most = std::min(ahead, text.size() - hit);
      const std::size_t end = hit + std::min(text.substr(hit, most).find('\n'), most);
      const bool last = end < hit + most || end == text.size();
      const std::size_t before = found.size();
      if (!look(text, line, begin, end, index, found) || last) return last ? end : end - kAhead / 2;
      found.resize(before);
    }
  }

  // Finds what begins in text[begin, end), where both are starts of lines or the text's end.
  std::vector<Region> find(std::string_view text, std::size_t begin, std::size_t end,
                           const RuleKind* only) const {
    std::vector<Region> found;
    search(text, begin, end, only, found);
    const std::string_view part = text.substr(begin, end - begin);
    if (part.find('\x1b') != std::string_view::npos) {
      const Uncoloured plain(part);
      std::vector<Region> more;
      search(plain.text(), 0, plain.text().size(), only, more);
      for (const Region& region : more)
        found.push_back(
            {begin + plain.place(region.begin), begin + plain.place(region.end - 1) + 1, region.rule});
    }
    return merged(std::move(found));
  }

  void search(std::string_view text, std::size_t begin, std::size_t end, const RuleKind* only,
              std::vector<Region>& found) const {
    std::vector<std::size_t> seen(rules.size(), 0);  // up to where each rule has looked
    keywords.each(text, begin, end, [&](std::size_t index, std::size_t at, std::size_t length) {
      if (at < seen[index] || !wants(index, only)) return;
      if (index == key_rule) {
        const auto key = private_key_at(text, at);
        if (!key) return;
        found.push_back({key->begin, key->end, index});
        seen[index] = key->end;
      } else if (is_worth_trying(rules[index].around, text, at, length)) {
        seen[index] = look_around(text, at, index, found);
      }
    });
    find_logins(text, begin, end, only, found);
    for (const std::size_t index : always) {
      if (wants(index, only)) look_everywhere(text, begin, end, index, found);
    }
    if (wants(random_rule, only)) {
      for (auto run = next_random(text.substr(0, end), begin); run;
           run = next_random(text.substr(0, end), run->end))
        found.push_back({run->begin, run->end, random_rule});
    }
  }

  // One sign is too short for a keyword.
  void find_logins(std::string_view text, std::size_t begin, std::size_t end, const RuleKind* only,
                   std::vector<Region>& found) const {
    if (!wants(login_rule, only)) return;
    std::size_t seen = 0;
    for (std::size_t at = text.substr(0, end).find('@', begin); at != std::string_view::npos;
         at = text.substr(0, end).find('@', at + 1)) {
      if (at >= seen && is_worth_trying(Around::login, text, at, 1))
        seen = look_around(text, at, login_rule, found);
    }
  }

  void look_everywhere(std::string_view text, std::size_t begin, std::size_t end, std::size_t index,
                       std::vector<Region>& found) const {
    for (std::size_t at = begin; at < end;) at = look_around(text, at, index, found) + 1;
  }

  void add(const Rule& rule) {
    rules.push_back(rule);
    patterns.emplace_back();
  }

  void add_keywords(std::size_t index) {
    if (rules[index].keywords.empty()) always.push_back(index);
    if (rules[index].around == Around::login) {
      login_rule = index;
      return;
    }
    for (std::string_view word : words_of(rules[index].keywords)) {
      const bool exact = word.starts_with('^');
      if (exact) word.remove_prefix(1);
      keywords.add(word, exact, index);
    }
  }

  base::Status add_custom(std::size_t number) {
    const CustomRule& given = custom[number];
    if (given.id.empty()) return base::fail(ErrorKind::invalid_input, "a redaction rule has no id");
    if (given.pattern.empty())
      return base::fail(ErrorKind::invalid_input, "redaction rule \"" + given.id + "\" has no regex");
    Rule rule;
    rule.id = given.id;
    rule.pattern = given.pattern;
    rule.kind = RuleKind::custom;
    rule.group = given.group;
    rule.entropy = given.entropy;
    if (!given.replacement.empty()) rule.replacement = given.replacement;
    add(rule);
    const std::size_t index = rules.size() - 1;
    const RE2& pattern = patterns.back().get(rule);
    if (!pattern.ok())
      return base::fail(ErrorKind::invalid_input,
                        "redaction rule \"" + given.id + "\" does not compile: " + pattern.error(),
                        "write its pattern in RE2's syntax");
    constexpr int kLargestGroup = 15;
    if (given.group > std::min(pattern.NumberOfCapturingGroups(), kLargestGroup))
      return base::fail(ErrorKind::invalid_input,
                        "redaction rule \"" + given.id + "\" has no group " + std::to_string(given.group));
    bool found_by_keyword = !given.keywords.empty();
    for (const std::string& word : given.keywords)
      found_by_keyword = found_by_keyword && word.size() >= Keywords::kShortest;
    if (!found_by_keyword) {
      always.push_back(index);
      return {};
    }
    if (given.keywords.size() > Keywords::kMost - keywords.size())
      return base::fail(ErrorKind::invalid_input, "the redaction rules have more than " +
                                                      std::to_string(Keywords::kMost) + " keywords");
    for (const std::string& word : given.keywords) keywords.add(word, false, index);
    return {};
  }
};

SecretFinder::SecretFinder(std::unique_ptr<Compiled> compiled) : compiled_(std::move(compiled)) {}
SecretFinder::SecretFinder(SecretFinder&&) noexcept = default;
SecretFinder& SecretFinder::operator=(SecretFinder&&) noexcept = default;
SecretFinder::~SecretFinder() = default;

Result<SecretFinder> SecretFinder::make(FinderOptions options) {
  auto made = std::make_unique<Compiled>();
  made->custom = std::move(options.custom);
  for (const Rule& rule : built_in_rules()) made->add(rule);
  made->key_rule = made->rules.size();
  Rule key;
  key.id = kPrivateKey;
  key.keywords = "-----BEGIN";
  made->add(key);
  if (options.personal) {
    for (const Rule& rule : personal_rules()) made->add(rule);
  }
  for (std::size_t index = 0; index < made->rules.size(); ++index) made->add_keywords(index);
  made->random_rule = made->rules.size();
  Rule random;
  random.id = kRandomText;
  random.kind = RuleKind::entropy;
  made->add(random);
  for (std::size_t number = 0; number < made->custom.size(); ++number) TRY(made->add_custom(number));
  made->keywords.finish();
  return SecretFinder(std::move(made));
}

std::vector<Region> SecretFinder::find(std::string_view text) const {
  return compiled_->find(text, 0, text.size(), nullptr);
}
std::vector<Region> SecretFinder::find_in_lines(std::string_view text, std::size_t begin,
                                                std::size_t end) const {
  return compiled_->find(text, begin, end, nullptr);
}
std::vector<Region> SecretFinder::find(std::string_view text, RuleKind only) const {
  return compiled_->find(text, 0, text.size(), &only);
}
const std::vector<Rule>& SecretFinder::rules() const {
  return compiled_->rules;
}

std::size_t SecretFinder::custom_rules() const {
  return compiled_->custom.size();
}

std::string SecretFinder::fingerprint() const {
  base::Sha256 digest;
  digest.add(kMethod);
  const auto add = [&](std::string_view part) {
    digest.add(std::to_string(part.size()) + ":");
    digest.add(part);
  };
  for (const Rule& rule : compiled_->rules) {
    for (const std::string_view part : {rule.id, rule.keywords, rule.pattern, rule.replacement}) add(part);
    add(std::to_string(rule.group) + " " + std::to_string(rule.entropy));
  }
  for (const CustomRule& rule : compiled_->custom) {
    add(std::to_string(rule.keywords.size()));
    for (const std::string& word : rule.keywords) add(word);
  }
  return digest.hex();
}

bool SecretFinder::compile_all() const {
  for (std::size_t index = 0; index < compiled_->rules.size(); ++index) {
    const Rule& rule = compiled_->rules[index];
    if (rule.pattern.empty()) continue;
    const RE2& pattern = compiled_->patterns[index].get(rule);
    if (!pattern.ok() || pattern.NumberOfCapturingGroups() < rule.group) return false;
  }
  return true;
}

}  // namespace plankeep::secrets
