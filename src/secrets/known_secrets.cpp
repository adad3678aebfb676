#include "secrets/known_secrets.hpp"

#include <algorithm>

#include "base/text_change.hpp"
#include "secrets/random_text.hpp"

namespace plankeep::secrets {
namespace {

std::size_t line_begin(std::string_view text, std::size_t at) {
  const std::size_t feed = text.substr(0, at).rfind('\n');
  return feed == std::string_view::npos ? 0 : feed + 1;
}

std::size_t next_line(std::string_view text, std::size_t at) {
  const std::size_t feed = text.find('\n', at);
  return feed == std::string_view::npos ? text.size() : feed + 1;
}

}  // namespace

const std::vector<Region>& KnownSecrets::find(const SecretFinder& finder, std::string_view text) {
  const base::TextChange change = base::change_between(text_, text);
  if (by_line_ && change.empty()) return regions_;
  // Extend the change to whole lines.
  const std::size_t begin = line_begin(text, change.begin);
  const std::size_t end = next_line(text, change.new_end);
  const std::size_t old_end = change.old_end + (end - change.new_end);
  const bool known = by_line_;
  const std::string_view to_search = known ? text.substr(begin, end - begin) : text;
  // Colours may stand within the first line of a key.
  const bool coloured = to_search.find('\x1b') != std::string_view::npos;
  by_line_ = finder.custom_rules() == 0 && !coloured && !may_hold_private_key(to_search);
  if (!known || !by_line_) {
    text_.assign(text);
    regions_ = finder.find(text);
    return regions_;
  }
  std::vector<Region> regions;
  const auto first = std::find_if(regions_.begin(), regions_.end(),
                                  [&](const Region& region) { return region.begin >= begin; });
  const auto behind =
      std::find_if(first, regions_.end(), [&](const Region& region) { return region.begin >= old_end; });
  regions.assign(regions_.begin(), first);
  const std::vector<Region> fresh = finder.find_in_lines(text, begin, end);
  regions.insert(regions.end(), fresh.begin(), fresh.end());
  for (auto region = behind; region != regions_.end(); ++region)
    regions.push_back({region->begin - old_end + end, region->end - old_end + end, region->rule});
  regions_ = std::move(regions);
  text_.replace(begin, old_end - begin, text.substr(begin, end - begin));
  return regions_;
}

}  // namespace plankeep::secrets
