#include "commits/merge_attributes.hpp"

#include <algorithm>

#include "base/text.hpp"
#include "project/known_layouts.hpp"
#include "store/paths.hpp"

namespace plankeep::app {
namespace {

constexpr std::string_view kGivesToUs = " merge=plankeep";
// Layouts ignore letter case, git does not; this spelling is common, too.
constexpr std::string_view kPlanInCapitals = "PLAN.md";

// As git compares one name: with letter case, and `*` takes a leading dot too.
bool git_matches_name(std::string_view pattern, std::string_view name) {
  const std::size_t star = pattern.find('*');
  if (star == std::string_view::npos) return pattern == name;
  return name.size() + 1 >= pattern.size() && name.starts_with(pattern.substr(0, star)) &&
         name.ends_with(pattern.substr(star + 1));
}

// A pattern without a slash is a file's name in any folder.
bool git_matches(std::string_view pattern, std::string_view path) {
  const std::vector<std::string_view> wanted = path_parts(pattern);
  const std::vector<std::string_view> parts = path_parts(path);
  if (parts.empty()) return false;
  if (wanted.size() == 1) return git_matches_name(wanted.front(), parts.back());
  return std::equal(wanted.begin(), wanted.end(), parts.begin(), parts.end(), git_matches_name);
}

// The known layouts, without those that a file's name alone covers.
std::vector<std::string_view> layout_patterns() {
  std::vector<std::string_view> names;
  for (const KnownLayout& layout : known_layouts()) {
    if (layout.path.find('/') != std::string_view::npos) continue;
    names.push_back(layout.path);
    if (layout.path == store::kDefaultPlanName) names.push_back(kPlanInCapitals);
  }
  std::vector<std::string_view> patterns = names;
  for (const KnownLayout& layout : known_layouts()) {
    if (layout.path.find('/') == std::string_view::npos) continue;
    const std::string_view file = path_parts(layout.path).back();
    if (std::find(names.begin(), names.end(), file) == names.end()) patterns.push_back(layout.path);
  }
  return patterns;
}

}  // namespace

std::string exact_attribute_pattern(std::string_view path) {
  // With a leading slash it is no negation, no comment, and not the same name further down.
  std::string pattern = "/";
  bool quoted = false;
  for (const char c : path) {
    const auto byte = static_cast<unsigned char>(c);
    constexpr std::string_view kSpecial = "*?[]\\";
    if (kSpecial.find(c) != std::string_view::npos) pattern += '\\';
    pattern += c;
    quoted = quoted || byte <= ' ' || byte == 0x7f || c == '"';
  }
  if (!quoted) return pattern;
  std::string words = "\"";
  for (const char c : pattern) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      words += '\\';
      words += c;
    } else if (byte < ' ' || byte == 0x7f) {
      words += '\\';
      for (const int shift : {6, 3, 0}) words += static_cast<char>('0' + ((byte >> shift) & 7));
    } else {
      words += c;
    }
  }
  return words + '"';
}

std::vector<std::string> merge_attribute_lines(const std::vector<std::string>& plans) {
  const std::vector<std::string_view> patterns = layout_patterns();
  std::vector<std::string> lines;
  lines.reserve(patterns.size() + plans.size());
  for (const std::string_view pattern : patterns)
    lines.push_back(std::string(pattern) + std::string(kGivesToUs));
  for (const std::string& plan : plans) {
    const bool covered = std::any_of(patterns.begin(), patterns.end(), [&plan](std::string_view pattern) {
      return git_matches(pattern, plan);
    });
    if (covered) continue;
    std::string line = exact_attribute_pattern(plan).append(kGivesToUs);
    if (std::find(lines.begin(), lines.end(), line) == lines.end()) lines.push_back(std::move(line));
  }
  return lines;
}

std::vector<std::string> merge_attribute_examples() {
  std::vector<std::string> examples;
  for (const KnownLayout& layout : known_layouts()) {
    if (layout.path.find('/') == std::string_view::npos) continue;
    std::string path(layout.path);
    for (std::size_t at = path.find('*'); at != std::string::npos; at = path.find('*', at))
      path.replace(at, 1, "new-plan");
    examples.push_back(std::move(path));
  }
  return examples;
}

bool is_merge_attribute_line(std::string_view line) {
  line = base::trimmed(line);
  if (!line.ends_with(kGivesToUs)) return false;
  const std::string_view pattern = line.substr(0, line.size() - kGivesToUs.size());
  const bool one_word = pattern.find_first_of(" \t") == std::string_view::npos;
  if (pattern.starts_with('/')) return one_word;
  if (pattern.starts_with("\"/")) return pattern.size() > 2 && pattern.ends_with('"');
  const std::vector<std::string_view> patterns = layout_patterns();
  return std::find(patterns.begin(), patterns.end(), pattern) != patterns.end();
}

}  // namespace plankeep::app
