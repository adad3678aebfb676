#include "secrets/finder.hpp"

#include <re2/re2.h>
#include <re2/set.h>

#include <algorithm>

#include "base/sha256.hpp"
#include "base/utf8.hpp"

namespace plankeep::secrets {
namespace {

using base::ErrorKind;
using base::Result;

constexpr std::int64_t kMemory = std::int64_t{32} << 20;  // for RE2, a rule
// A line without an end is looked at in pieces that overlap by more than any token is long.
constexpr std::size_t kPiece = std::size_t{1} << 20;
constexpr std::size_t kOverlap = 4096;
constexpr double kRandomBits = 4.5;
constexpr std::size_t kShortestRandom = 23;  // fewer bytes cannot hold so many bits a byte

RE2::Options options_of(bool any_case) {
  RE2::Options options;
  options.set_log_errors(false);
  options.set_max_mem(kMemory);
  options.set_case_sensitive(!any_case);
  // Bytes: what is searched need not be UTF-8.
  options.set_encoding(RE2::Options::EncodingLatin1);
  return options;
}

bool all_of(std::string_view text, std::string_view alphabet) {
  return text.find_first_not_of(alphabet) == std::string_view::npos;
}

constexpr std::string_view kDigits = "0123456789";

// Looks random and is public: ids and checksums.
bool is_known_id(std::string_view token, std::string_view before) {
  const std::string lower = base::to_lower(token);
  if (all_of(lower, "0123456789abcdef-")) return true;  // hexadecimal, UUID
  for (const std::string_view prefix :
       {"toolu_", "msg_", "call_", "req_", "chatcmpl-", "srvtoolu_", "resp_", "item_", "cp_"}) {
    if (token.starts_with(prefix)) return true;
  }
  // Lock files: "integrity": "sha512-…", "h1:…="
  for (const std::string_view prefix : {"sha512-", "sha384-", "sha256-", "sha1-"}) {
    if (token.starts_with(prefix)) return true;
  }
  if (before.ends_with("h1:") || before.ends_with("sha256:") || before.ends_with("SHA256:")) return true;
  // ULID
  return token.size() == 26 && token[0] >= '0' && token[0] <= '7' &&
         all_of(token, "0123456789ABCDEFGHJKMNPQRSTVWXYZ");
}

// Words joined by "-" or "_" are names, however many letters they use.
bool is_wordy(std::string_view token) {
  const bool separated = token.find_first_of("-_") != std::string_view::npos;
  const auto is_lower = [](char c) { return (c >= 'a' && c <= 'z') || c == '-' || c == '_'; };
  const auto is_upper = [](char c) { return (c >= 'A' && c <= 'Z') || c == '-' || c == '_'; };
  return (separated || token.find_first_of(kDigits) == std::string_view::npos) &&
         (std::all_of(token.begin(), token.end(), is_lower) ||
          std::all_of(token.begin(), token.end(), is_upper));
}

}  // namespace

struct SecretFinder::Compiled {
  std::vector<Rule> rules;
  std::vector<std::unique_ptr<RE2>> patterns;
  std::unique_ptr<RE2::Set> keywords;
  std::vector<std::vector<std::size_t>> rules_of;  // of a keyword
  std::vector<std::size_t> always;
  std::size_t random_rule = 0;
  std::string fingerprint;

  void look(std::string_view text, std::size_t offset, std::size_t index, std::vector<Region>& found) const {
    const Rule& rule = rules[index];
    const RE2& pattern = *patterns[index];
    const re2::StringPiece whole(text.data(), text.size());
    std::vector<re2::StringPiece> groups(static_cast<std::size_t>(rule.group) + 1);
    std::size_t at = 0;
    while (at < text.size() && pattern.Match(whole, at, text.size(), RE2::UNANCHORED, groups.data(),
                                             static_cast<int>(groups.size()))) {
      const re2::StringPiece secret = groups[static_cast<std::size_t>(rule.group)];
      const std::size_t end_of_match =
          static_cast<std::size_t>(groups[0].data() - text.data()) + groups[0].size();
      if (secret.data() != nullptr && !secret.empty() && counts(rule, {secret.data(), secret.size()})) {
        const std::size_t begin = offset + static_cast<std::size_t>(secret.data() - text.data());
        found.push_back({begin, begin + secret.size(), index});
      }
      at = std::max(end_of_match, at + 1);
    }
  }

  static bool counts(const Rule& rule, std::string_view secret) {
    if (rule.entropy > 0 && entropy_of(secret) < rule.entropy) return false;
    switch (rule.kind) {
      case RuleKind::named:
      case RuleKind::address:
        return !is_placeholder(secret);
      case RuleKind::token:
        return rule.id != "aws-access-key" || !secret.ends_with("EXAMPLE");
      case RuleKind::personal:
        return !secret.starts_with("noreply@") && secret.find("noreply") == std::string_view::npos &&
               !secret.starts_with("actions@") && !secret.starts_with("git@");
      case RuleKind::entropy:
      case RuleKind::custom:
        return true;
    }
    return true;
  }

  void look_for_random(std::string_view text, std::size_t offset, std::vector<Region>& found) const {
    const auto is_part = [](char c) {
      return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '+' ||
             c == '_' || c == '=' || c == '-';
    };
    for (std::size_t at = 0; at < text.size();) {
      if (!is_part(text[at])) {
        ++at;
        continue;
      }
      std::size_t end = at;
      while (end < text.size() && is_part(text[end])) ++end;
      const std::string_view token = text.substr(at, end - at);
      if (token.size() >= kShortestRandom && entropy_of(token) > kRandomBits &&
          !is_known_id(token, text.substr(0, at)) && !is_wordy(token))
        found.push_back({offset + at, offset + end, random_rule});
      at = end;
    }
  }

  void in_line(std::string_view line, std::size_t offset, const RuleKind* only, std::vector<char>& seen,
               std::vector<Region>& found) const {
    std::vector<int> hits;
    (void)keywords->Match(re2::StringPiece(line.data(), line.size()), &hits);
    std::vector<std::size_t> due = always;
    for (const int hit : hits) {
      const std::vector<std::size_t>& more = rules_of[static_cast<std::size_t>(hit)];
      due.insert(due.end(), more.begin(), more.end());
    }
    std::sort(due.begin(), due.end());
    due.erase(std::unique(due.begin(), due.end()), due.end());
    for (const std::size_t index : due) {
      if (only != nullptr && rules[index].kind != *only) continue;
      if (rules[index].many_lines) {
        seen[index] = 1;
      } else {
        look(line, offset, index, found);
      }
    }
    if (only == nullptr || *only == RuleKind::entropy) look_for_random(line, offset, found);
  }

  std::vector<Region> find(std::string_view text, const RuleKind* only) const {
    std::vector<Region> found;
    std::vector<char> seen(rules.size(), 0);
    for (std::size_t at = 0; at < text.size();) {
      std::size_t end = text.find('\n', at);
      if (end == std::string_view::npos) end = text.size();
      if (end - at > kPiece) end = at + kPiece;
      in_line(text.substr(at, end - at), at, only, seen, found);
      const bool cut = end < text.size() && text[end] != '\n';
      at = cut ? end - kOverlap : end + 1;
    }
    for (std::size_t index = 0; index < rules.size(); ++index) {
      if (seen[index] != 0) look(text, 0, index, found);
    }
    return merged(std::move(found));
  }

  static std::vector<Region> merged(std::vector<Region> found) {
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
};

SecretFinder::SecretFinder(std::unique_ptr<Compiled> compiled) : compiled_(std::move(compiled)) {}
SecretFinder::SecretFinder(SecretFinder&&) noexcept = default;
SecretFinder& SecretFinder::operator=(SecretFinder&&) noexcept = default;
SecretFinder::~SecretFinder() = default;

Result<SecretFinder> SecretFinder::make(FinderOptions options) {
  auto made = std::make_unique<Compiled>();
  made->rules = built_in_rules();
  made->random_rule = made->rules.size();
  Rule random;
  random.id = "random-text";
  random.kind = RuleKind::entropy;
  made->rules.push_back(std::move(random));
  for (Rule& rule : options.custom) {
    rule.kind = RuleKind::custom;
    if (rule.id.empty()) return base::fail(ErrorKind::invalid_input, "a redaction rule has no id");
    made->rules.push_back(std::move(rule));
  }
  if (options.personal) {
    for (Rule& rule : personal_rules()) made->rules.push_back(std::move(rule));
  }
  made->keywords = std::make_unique<RE2::Set>(options_of(true), RE2::UNANCHORED);
  base::Sha256 digest;
  for (std::size_t index = 0; index < made->rules.size(); ++index) {
    const Rule& rule = made->rules[index];
    if (rule.kind == RuleKind::entropy) {  // found by a walk of its own
      made->patterns.push_back(nullptr);
      continue;
    }
    auto pattern = std::make_unique<RE2>(rule.pattern, options_of(false));
    if (!pattern->ok() || rule.group < 0 || pattern->NumberOfCapturingGroups() < rule.group)
      return base::fail(ErrorKind::invalid_input,
                        "the redaction rule " + rule.id + " is no pattern: " + pattern->error(),
                        "patterns are those of RE2");
    made->patterns.push_back(std::move(pattern));
    if (rule.keywords.empty()) made->always.push_back(index);
    for (const std::string& keyword : rule.keywords) {
      std::string problem;
      if (made->keywords->Add(RE2::QuoteMeta(keyword), &problem) < 0)
        return base::fail(ErrorKind::invalid_input, "the redaction rule " + rule.id + " has a bad keyword");
      made->rules_of.push_back({index});
    }
    digest.add(rule.id + '\0' + rule.pattern + '\0' + std::to_string(rule.group) + '\0' +
               std::to_string(rule.entropy) + '\0' + rule.label + '\n');
  }
  if (!made->keywords->Compile())
    return base::fail(ErrorKind::internal, "the redaction rules' keywords are too many");
  made->fingerprint = digest.hex();
  return SecretFinder(std::move(made));
}

std::vector<Region> SecretFinder::find(std::string_view text) const {
  return compiled_->find(text, nullptr);
}
std::vector<Region> SecretFinder::find(std::string_view text, RuleKind only) const {
  return compiled_->find(text, &only);
}
const std::vector<Rule>& SecretFinder::rules() const {
  return compiled_->rules;
}
const std::string& SecretFinder::fingerprint() const {
  return compiled_->fingerprint;
}

}  // namespace plankeep::secrets
