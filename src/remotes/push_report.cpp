#include "remotes/push_report.hpp"

#include <algorithm>
#include <array>

#include "base/text.hpp"
#include "git/git_output.hpp"

namespace plankeep::git {
namespace {

// Somebody else pushed first: git's own check says so, or the remote when two push at the same time.
bool tells_of_others(std::string_view reason) {
  constexpr std::array<std::string_view, 8> kWords{
      "fetch first",    "non-fast-forward",     "stale info",          "cannot lock ref",
      "failed to lock", "failed to update ref", "incorrect old value", "reference already exists"};
  return std::any_of(kWords.begin(), kWords.end(), [reason](std::string_view words) {
    return reason.find(words) != std::string_view::npos;
  });
}

PushOutcome outcome_of(char flag, std::string_view reason) {
  switch (flag) {
    case ' ':
    case '*':
      return PushOutcome::pushed;
    case '=':
      return PushOutcome::up_to_date;
    default:
      return tells_of_others(reason) ? PushOutcome::behind : PushOutcome::refused;
  }
}

}  // namespace

std::vector<PushedRef> read_push_report(std::string_view said) {
  std::vector<PushedRef> refs;
  while (!said.empty()) {
    std::string_view line = take_until(said, '\n');
    if (line.size() < 2 || line[1] != '\t') continue;
    const char flag = line.front();
    line.remove_prefix(2);
    std::string_view way = take_until(line, '\t');
    const std::size_t colon = way.find(':');
    if (colon == std::string_view::npos) continue;
    way.remove_prefix(colon + 1);
    refs.push_back({std::string(way), outcome_of(flag, line), std::string(line)});
  }
  return refs;
}

std::vector<std::string> lines_of_remote(std::string_view errors) {
  constexpr std::string_view kSays = "remote:";
  std::vector<std::string> lines;
  while (!errors.empty() && lines.size() < kMostLinesOfRemote) {
    const std::string_view line = take_until(errors, '\n');
    if (!line.starts_with(kSays)) continue;
    // git fills lines up with blanks.
    const std::string_view text = base::trimmed(line.substr(kSays.size()));
    if (!text.empty()) lines.emplace_back(text);
  }
  return lines;
}

std::vector<AdvertisedRef> read_advertised_refs(std::string_view said) {
  std::vector<AdvertisedRef> refs;
  while (!said.empty()) {
    std::string_view line = take_until(said, '\n');
    const std::string_view object = take_until(line, '\t');
    if (is_id(object) && line.starts_with("refs/")) refs.push_back({std::string(line), std::string(object)});
  }
  std::sort(refs.begin(), refs.end(),
            [](const AdvertisedRef& a, const AdvertisedRef& b) { return a.ref < b.ref; });
  return refs;
}

}  // namespace plankeep::git
